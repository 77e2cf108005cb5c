"""Find similar: what the Region menu has of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from spotlab.gui.workspace import Action, may_draw, needs
from spotlab.libraries import late_imports

if TYPE_CHECKING:
    from spotlab.gui.workspace import Window

with late_imports(__name__):
    from spotlab.gui.annotate.similar import proposals


@needs("Select a region or choose a label first", may_draw)
def _may_find(window: Window) -> bool:
    return bool(window.workbench.selection or window.workbench.label)


@needs("There are no proposals on this page", may_draw)
def _may_end(window: Window) -> bool:
    return window.workbench.state(proposals.Proposals).active


@needs("No proposal is chosen", may_draw)
def _may_answer(window: Window) -> bool:
    return window.workbench.state(proposals.Proposals).current is not None


@needs("All regions look like others of their label", may_draw)
def _may_show_untypical(window: Window) -> bool:
    return window.workbench.state(proposals.Proposals).untypical is not None


def _show_untypical(window: Window) -> None:
    region = window.workbench.state(proposals.Proposals).untypical
    if region is not None:
        window.workbench.selection.set([region.id])
        window.canvas.show_place(*region.bounds)
    window.canvas.setFocus()


@needs("No proposal is likely enough", may_draw)
def _may_accept_likely(window: Window) -> bool:
    return bool(window.workbench.state(proposals.Proposals).list.likely)


def _saying(answer: Callable[[proposals.Proposals], object]) -> Callable[[Window], None]:
    def run(window: Window) -> None:
        answer(window.workbench.state(proposals.Proposals))
        window.canvas.setFocus()

    return run


ACTIONS = (
    Action(
        "proposals.page",
        "Find &Similar",
        _saying(lambda found: found.find()),
        ("Ctrl+P",),
        enabled=_may_find,
        icon="auto-fix",
        words="search suggest detect auto predict",
        tip="Propose regions on this page that look like the selected ones, or like the chosen "
        "label",
        rule=True,
    ),
    Action(
        "proposals.collection",
        "Find Similar in &Collection",
        _saying(lambda found: found.find(everywhere=True)),
        ("Ctrl+Shift+P",),
        enabled=_may_find,
        icon="file-search-outline",
        tip="Propose regions on all pages that look like the selected ones, or like the chosen "
        "label",
    ),
    Action(
        "proposals.everything",
        "&Propose Everything",
        _saying(lambda found: found.find_all()),
        ("Ctrl+Alt+P",),
        enabled=may_draw,
        icon="creation",
        words="suggest detect auto predict automatic",
        tip="Propose regions on this page for every label in the collection",
    ),
    Action(
        "proposals.accept",
        "&Accept",
        _saying(lambda found: found.accept()),
        enabled=_may_answer,
        icon="check",
        tip="Accept the current proposal as a region; on the page, Enter or a double click does "
        "the same",
        section="Proposals",
    ),
    Action(
        "proposals.reject",
        "&Reject",
        _saying(lambda found: found.reject()),
        enabled=_may_answer,
        icon="close",
        tip="Reject the current proposal for good; on the page, Delete does the same",
        section="Proposals",
    ),
    Action(
        "proposals.accept_likely",
        "Accept All Li&kely",
        _saying(lambda found: found.accept_likely()),
        enabled=_may_accept_likely,
        icon="check-all",
        tip="Accept the best proposals of this page in one step, of which 9 of 10 are expected to "
        "be right; on the page, Ctrl+Shift+Enter does the same",
        section="Proposals",
    ),
    Action(
        "proposals.accept_all",
        "Accept A&ll",
        _saying(lambda found: found.accept_all()),
        enabled=_may_answer,
        icon="check-all",
        tip="Accept all proposals of this page in one step; on the page, Shift+Enter does the same",
        section="Proposals",
    ),
    Action(
        "proposals.next",
        "&Next",
        _saying(lambda found: found.list.step(1)),
        enabled=_may_answer,
        icon="chevron-right",
        tip="Go to the next proposal; on the page, Tab does the same",
        section="Proposals",
    ),
    Action(
        "proposals.previous",
        "Pre&vious",
        _saying(lambda found: found.list.step(-1)),
        enabled=_may_answer,
        icon="chevron-left",
        tip="Go to the previous proposal; on the page, Shift+Tab does the same",
        section="Proposals",
    ),
    Action(
        "proposals.reading_order",
        "In Reading &Order",
        _saying(
            lambda found: found.list.set_reading(not found.list.reading),
        ),
        enabled=_may_end,
        checked=lambda window: window.workbench.state(proposals.Proposals).list.reading,
        tip="Go through the proposals line by line instead of the best first",
        section="Proposals",
    ),
    Action(
        "proposals.untypical",
        "Find &Untypical Example",
        _show_untypical,
        enabled=_may_show_untypical,
        tip="Select the region of this page that looks least like the others of its label: it may "
        "have the wrong label or outline",
        section="Proposals",
    ),
    Action(
        "proposals.end",
        "&End",
        _saying(lambda found: found.pages.end()),
        enabled=_may_end,
        tip="Stop proposing; your answers are kept for the next search. On the page, Esc does the "
        "same",
        section="Proposals",
    ),
)
