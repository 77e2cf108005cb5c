"""What an action is: its name, its place in a menu, its keys, and what it does."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import spotlab.gui
from spotlab.registry import discover

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow


def always(_: MainWindow) -> bool:
    """It can be done at any time."""
    return True


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
    enabled, checked : callable
        Take the window; ``checked`` is None for actions that are not switches.
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
    in_menu : bool
        Whether menus have it; else only keys and the command palette.
    shown : callable, optional
        Takes the window; where it says False, menus leave the action out.
    """

    id: str
    title: str | Callable[[MainWindow], str]
    run: Callable[[MainWindow], Any]
    keys: tuple[str, ...] = ()
    enabled: Callable[[MainWindow], bool] = always
    checked: Callable[[MainWindow], bool] | None = None
    icon: str = ""
    tip: str = ""
    section: str = ""
    rule: bool = False
    on_canvas: bool = False
    repeats: bool = False
    in_menu: bool = True
    shown: Callable[[MainWindow], bool] | None = None

    @property
    def plain_title(self) -> str:
        """The title without marks, for lists; of a changing one the word that stays."""
        title = self.title if isinstance(self.title, str) else self.id.split(".")[-1].capitalize()
        return title.replace("&", "").rstrip("…")


@dataclass(frozen=True)
class Menu:
    """A menu and its actions, in their order."""

    name: str
    title: str
    order: int
    actions: tuple[Action, ...]


def menus() -> list[Menu]:
    """All menus in their order."""
    modules = tuple(
        info.name
        for info in pkgutil.walk_packages(spotlab.gui.__path__, "spotlab.gui.")
        if info.name.endswith("actions") and "similar" not in info.name
    )
    found = discover("spotlab.gui.actions", Menu, frozenset(), modules).values()
    return sorted(found, key=lambda menu: menu.order)


def has_page(window: MainWindow) -> bool:
    """Whether a page is open."""
    return window.workbench.document is not None


def may_draw(window: MainWindow) -> bool:
    """Whether a page is open and its truth is what is worked on."""
    return has_page(window) and window.workbench.workspace == "annotate"


def has_selection(window: MainWindow) -> bool:
    """Whether regions are selected, to be worked on."""
    return bool(window.workbench.selected) and may_draw(window)


def has_pages(window: MainWindow) -> bool:
    """Whether a collection is open."""
    return bool(window.workbench.entries)
