"""What is done with proposals: by the Region menu, by buttons over the page, and by keys there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spotlab.gui.workspace import Action, Condition, may_draw, needs
from spotlab.libraries import late_imports

if TYPE_CHECKING:
    from spotlab.gui.workspace import Window

with late_imports(__name__):
    from spotlab.gui.annotate.similar import proposals

Does = Callable[["proposals.Proposals"], object]


def _needs(unmet: str, holds: Does) -> Condition:
    """A condition of what is proposed where truth is drawn."""
    return Condition(
        lambda window: bool(holds(window.workbench.state(proposals.Proposals))),
        unmet,
        (may_draw,),
    )


_ACTIVE = _needs("There are no proposals on this page", lambda found: found.active)
_CURRENT = _needs("No proposal is chosen", lambda found: found.current)
_SEVERAL = _needs("There are no other proposals on this page", lambda found: found.shown[1:])


@dataclass(frozen=True)
class ProposalCommand:
    """A command of the menu that a button and keys carry out, too.

    Attributes
    ----------
    name, title, tip, icon : str
    does : callable
        Takes the proposals.
    enabled : Condition
    keys : tuple of str
        On the page, while no region is selected.
    """

    name: str
    title: str
    tip: str
    does: Does
    enabled: Condition = _CURRENT
    keys: tuple[str, ...] = ()
    icon: str = ""
    checked: Callable[[Window], bool] | None = None

    @property
    def action(self) -> Action:
        """The command as menus have it."""
        return Action(
            f"proposals.{self.name}",
            self.title,
            _saying(self.does),
            enabled=self.enabled,
            checked=self.checked,
            icon=self.icon,
            tip=self.tip,
            section="Proposals",
        )


def _saying(does: Does) -> Callable[[Window], None]:
    def run(window: Window) -> None:
        does(window.workbench.state(proposals.Proposals))
        window.canvas.setFocus()

    return run


@needs("Select a region or choose a label first", may_draw)
def _may_find(window: Window) -> bool:
    return bool(window.workbench.selection or window.workbench.label)


def _show_untypical(window: Window) -> None:
    region = window.workbench.state(proposals.Proposals).untypical
    if region is not None:
        window.workbench.selection.set([region.id])
        window.canvas.show_place(*region.bounds)
    window.canvas.setFocus()


COMMANDS = (
    ProposalCommand(
        "accept",
        "&Accept",
        "Accept the current proposal as a region; on the page, Enter or a double click does the "
        "same",
        lambda found: found.accept(),
        keys=("Return", "Enter"),
        icon="check",
    ),
    ProposalCommand(
        "reject",
        "&Reject",
        "Reject the current proposal for good; on the page, Delete does the same",
        lambda found: found.reject(),
        keys=("Del", "Backspace"),
        icon="close",
    ),
    ProposalCommand(
        "accept_likely",
        "Accept All Li&kely",
        "Accept the best proposals of this page in one step, of which 9 of 10 are expected to be "
        "right; on the page, Ctrl+Shift+Enter does the same",
        lambda found: found.accept_likely(),
        _needs("No proposal is likely enough", lambda found: found.list.likely),
        keys=("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
        icon="check-all",
    ),
    ProposalCommand(
        "accept_all",
        "Accept A&ll",
        "Accept all proposals shown on this page in one step; on the page, Shift+Enter does the "
        "same",
        lambda found: found.accept_all(),
        _SEVERAL,
        keys=("Shift+Return", "Shift+Enter"),
        icon="check-all",
    ),
    ProposalCommand(
        "next",
        "&Next",
        "Go to the next proposal; on the page, Tab or → does the same",
        lambda found: found.list.step(1),
        _SEVERAL,
        keys=("Tab", "Right", "Down"),
        icon="chevron-right",
    ),
    ProposalCommand(
        "previous",
        "Pre&vious",
        "Go to the previous proposal; on the page, Shift+Tab or ← does the same",
        lambda found: found.list.step(-1),
        _SEVERAL,
        keys=("Shift+Backtab", "Shift+Tab", "Left", "Up"),
        icon="chevron-left",
    ),
    ProposalCommand(
        "reading_order",
        "In Reading &Order",
        "Go through the proposals line by line instead of the best first",
        lambda found: found.list.set_reading(not found.list.reading),
        _ACTIVE,
        checked=lambda window: window.workbench.state(proposals.Proposals).list.reading,
    ),
    ProposalCommand(
        "end",
        "&End",
        "Stop proposing; your answers are kept for the next search. On the page, Esc does the same",
        lambda found: found.pages.end(),
        _ACTIVE,
        keys=("Esc",),
        icon="close",
    ),
)
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
    *(command.action for command in COMMANDS[:-1]),
    Action(
        "proposals.untypical",
        "Find &Untypical Example",
        _show_untypical,
        enabled=_needs(
            "All regions look like others of their label", lambda found: found.untypical
        ),
        tip="Select the region of this page that looks least like the others of its label: it may "
        "have the wrong label or outline",
        section="Proposals",
    ),
    COMMANDS[-1].action,
)
