"""Find similar: what the Region menu has of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.workspace.action import Action, may_draw

if TYPE_CHECKING:
    from spotlab.gui.annotate.similar.proposals import Proposals
    from spotlab.gui.workspace.window import Window


def _may_find(window: Window) -> bool:
    workbench = window.workbench
    return may_draw(window) and bool(workbench.selected or workbench.label)


def _may_end(window: Window) -> bool:
    return may_draw(window) and window.workbench.state(Proposals).active


def _may_answer(window: Window) -> bool:
    return may_draw(window) and window.workbench.state(Proposals).current is not None


def _saying(answer: Callable[[Proposals], object]) -> Callable[[Window], None]:
    def run(window: Window) -> None:
        answer(window.workbench.state(Proposals))
        window.canvas.setFocus()

    return run


ACTIONS = (
    Action(
        "proposals.page",
        "Find &Similar",
        _saying(lambda proposals: proposals.find()),
        ("Ctrl+P",),
        enabled=_may_find,
        icon="auto-fix",
        tip="Propose what looks like the selected regions, or the chosen label, on this page",
        rule=True,
    ),
    Action(
        "proposals.collection",
        "Find Similar in &Collection",
        _saying(lambda proposals: proposals.find(everywhere=True)),
        ("Ctrl+Shift+P",),
        enabled=_may_find,
        icon="file-search-outline",
        tip="Propose what looks like the selected regions, or the chosen label, on all pages",
    ),
    Action(
        "proposals.everything",
        "&Propose Everything",
        _saying(lambda proposals: proposals.find_all()),
        ("Ctrl+Alt+P",),
        enabled=may_draw,
        icon="creation",
        tip="Propose regions of this page for every label that any page of the collection has",
    ),
    Action(
        "proposals.accept",
        "&Accept",
        _saying(lambda proposals: proposals.accept()),
        enabled=_may_answer,
        icon="check",
        tip="The current proposal becomes a region; on the page by Enter or a double click",
        section="Proposals",
    ),
    Action(
        "proposals.reject",
        "&Reject",
        _saying(lambda proposals: proposals.reject()),
        enabled=_may_answer,
        icon="close",
        tip="The current proposal is none, and is not proposed again; on the page by Delete",
        section="Proposals",
    ),
    Action(
        "proposals.accept_all",
        "Accept A&ll",
        _saying(lambda proposals: proposals.accept_all()),
        enabled=_may_answer,
        icon="check-all",
        tip="All proposals of this page become regions in one step; on the page by Shift+Enter",
        section="Proposals",
    ),
    Action(
        "proposals.next",
        "&Next",
        _saying(lambda proposals: proposals.step(1)),
        enabled=_may_answer,
        icon="chevron-right",
        tip="Go to the next proposal; on the page by Tab",
        section="Proposals",
    ),
    Action(
        "proposals.previous",
        "Pre&vious",
        _saying(lambda proposals: proposals.step(-1)),
        enabled=_may_answer,
        icon="chevron-left",
        tip="Go to the proposal before; on the page by Shift+Tab",
        section="Proposals",
    ),
    Action(
        "proposals.end",
        "&End",
        _saying(lambda proposals: proposals.pages.end()),
        enabled=_may_end,
        tip="No more proposals; what was learned stays for the next time; on the page by Esc",
        section="Proposals",
    ),
)
