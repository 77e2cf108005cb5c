"""Actions offered on the page by the right mouse button and the menu key."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from spotlab.editing.selection import Clipboard
from spotlab.errors import SpotlabError
from spotlab.gui.annotate.region_actions import MENU
from spotlab.gui.workspace import PageMenu, Window

FIRST = ("region.label", "region.uncertain", "region.comment", "region.merge", "proposals.page")
SUBMENUS = ("Ignore", "Outline", "Turn", "Show and Hide", "Lock")
SECTIONS = tuple(action.id for action in MENU.actions if action.section in SUBMENUS)
LAST = (
    "edit.copy",
    "edit.paste",
    "region.duplicate",
    "edit.delete",
    "view.selection",
    "view.zoom_selection",
)
WITHOUT_SELECTION = (
    "proposals.accept",
    "proposals.reject",
    "proposals.accept_all",
    "edit.paste",
    "edit.select_all",
    "edit.undo",
    "edit.redo",
    "proposals.page",
    "proposals.everything",
)


def offered(window: Window) -> PageMenu:
    """Return what can be done with the selected regions.

    Without any, what can be done on the page.
    """
    if window.workbench.selected:
        return PageMenu(((*FIRST, *SECTIONS), LAST), all=True)
    skipped = () if _has_regions_copied() else ("edit.paste",)
    return PageMenu(([id for id in WITHOUT_SELECTION if id not in skipped],))


def _has_regions_copied() -> bool:
    try:
        return bool(Clipboard.from_text(QApplication.clipboard().text()).regions)
    except SpotlabError:
        return False
