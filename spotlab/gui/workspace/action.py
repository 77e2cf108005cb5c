"""Definition of an action: its name, its place in a menu, its keys, and its effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spotlab.gui.workspace.window import Window

Obstacles = dict["Condition", str]  # by condition: why it does not hold; empty if it does


@dataclass(frozen=True)
class Condition:
    """Condition that must hold before an action can be performed.

    Attributes
    ----------
    holds : callable
        Takes the window.
    unmet : str
        A short sentence without a full stop: why the action cannot be done now. The command palette
        and the status line show it.
    first : tuple of Condition
        What has to hold before ``holds`` is asked.
    """

    holds: Callable[[Window], bool]
    unmet: str
    first: tuple[Condition, ...] = ()

    def __call__(self, window: Window) -> bool:
        """Tell whether it holds."""
        return not self.obstacle(window)

    def obstacle(self, window: Window, known: Obstacles | None = None) -> str:
        """Why the action cannot be done; empty if it can.

        ``known`` are the answers for the same state of the window; the own one is added.
        """
        known = {} if known is None else known
        if self not in known:
            before = (condition.obstacle(window, known) for condition in self.first)
            known[self] = next(filter(None, before), "") or self._own_obstacle(window)
        return known[self]

    def _own_obstacle(self, window: Window) -> str:
        return "" if self.holds(window) else self.unmet


def needs(unmet: str, *first: Condition) -> Callable[[Callable[[Window], bool]], Condition]:
    """Make a condition of a function that takes the window.

    Parameters
    ----------
    unmet : str
        Why an action cannot be done where the function returns False.
    *first : Condition
        What has to hold before the function is called.

    Examples
    --------
    >>> needs("No page is open")(lambda window: False).obstacle(None)
    'No page is open'
    """
    return lambda holds: Condition(holds, unmet, first)


@needs("It is not possible now")
def always(_: Window) -> bool:
    """It can be done at any time."""
    return True


def never(_: Window) -> bool:
    """It cannot be done."""
    return False


@dataclass(frozen=True)
class Action:
    """Something that a menu, a key, the command palette and scripts can do.

    Attributes
    ----------
    id : str
        For settings and scripts, for instance "region.merge".
    title : str or callable
        In menus; a callable gives one that changes, as of Undo.
    run : callable
        Takes the window.
    keys : tuple of str
        By default; the first one is shown.
    enabled : Condition
        What has to hold before it can be done, with the sentence that says so; other packages may
        give any function that takes the window.
    checked : callable
        Takes the window; None for actions that are not switches.
    before : callable
        Takes the window; whether it can be done before anything of its workspace is loaded. It has
        to agree with ``enabled`` and to know nothing of the workspace.
    icon, tip : str
        Of the icon set; a line for the status bar and tooltip.
    section : str
        Name of a submenu, if it is in one.
    rule : bool
        A line above it in the menu.
    on_canvas : bool
        Its keys count only while the canvas has the focus, as lists and fields need them, too.
    repeats : bool
        Its keys repeat while they are held.
    words : str
        Other words that people use for it, separated by spaces; the command palette finds it by
        them.
    preference : bool
        Whether *Preferences* lists it: a switch that holds for every collection.
    in_menu : bool
        Whether menus have it; else only keys and the command palette.
    shown : callable, optional
        Takes the window; where it says False, menus leave the action out.
    """

    id: str
    title: str | Callable[[Window], str]
    run: Callable[[Window], Any]
    keys: tuple[str, ...] = ()
    enabled: Callable[[Window], bool] = always
    checked: Callable[[Window], bool] | None = None
    before: Callable[[Window], bool] = never
    icon: str = ""
    tip: str = ""
    section: str = ""
    rule: bool = False
    on_canvas: bool = False
    repeats: bool = False
    words: str = ""
    preference: bool = False
    in_menu: bool = True
    shown: Callable[[Window], bool] | None = None

    @property
    def plain_title(self) -> str:
        """The title without marks, for lists; of a changing one the word that stays."""
        title = self.title if isinstance(self.title, str) else self.id.split(".")[-1].capitalize()
        return title.replace("&", "").rstrip("…")

    def obstacle(self, window: Window, known: Obstacles | None = None) -> str:
        """Why it cannot be done now; empty if it can. For ``known`` see `Condition.obstacle`."""
        if isinstance(self.enabled, Condition):
            return self.enabled.obstacle(window, known)
        return "" if self.enabled(window) else always.unmet


@dataclass(frozen=True)
class Menu:
    """A menu and its actions, in their order.

    Attributes
    ----------
    name, title : str
    order : int
        Its place in the menu bar.
    actions : tuple of Action
    shown : callable
        Takes the window; where it says False, the menu bar leaves the menu out. The menus of other
        workspaces are left out anyway.
    """

    name: str
    title: str
    order: int
    actions: tuple[Action, ...]
    shown: Callable[[Window], bool] = always


@needs("No page is open")
def has_page(window: Window) -> bool:
    """Tell whether a page is open."""
    return window.workbench.document is not None


@needs("Regions are drawn and changed in Annotate", has_page)
def may_draw(window: Window) -> bool:
    """Tell whether a page is open and its truth is what is worked on."""
    return window.workbench.draws


@needs("No region is selected", may_draw)
def has_selection(window: Window) -> bool:
    """Tell whether regions are selected, to be worked on."""
    return len(window.workbench.selection) > 0


@needs("No collection is open")
def has_pages(window: Window) -> bool:
    """Tell whether a collection is open."""
    return bool(window.workbench.entries)
