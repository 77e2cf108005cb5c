"""What the right button and the menu key offer: on the page, and on the window's frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from spotlab.editing.clipboard import Clipboard
from spotlab.errors import SpotlabError

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow

FIRST = ("region.label", "region.uncertain", "region.comment", "region.merge", "proposals.page")
LAST = ("edit.copy", "edit.paste", "region.duplicate", "edit.delete", "view.selection")
SECTIONS = ("Outline", "Turn")
WITHOUT_SELECTION = {
    "annotate": (
        "proposals.accept",
        "proposals.reject",
        "proposals.accept_all",
        "edit.paste",
        "edit.select_all",
        "edit.undo",
        "edit.redo",
        "proposals.page",
        "proposals.everything",
    ),
    "inspect": ("run.next_error", "run.previous_error", "run.next_rank", "run.previous_rank"),
    "words": ("words.search_item", "words.relevant", "words.irrelevant", "words.undecided"),
}
VIEW = ("view.fit", "view.actual")


def menu_for_page(window: MainWindow) -> QMenu:
    """What can be done with the selected regions; without any, what can be done on the page."""
    window.actions_by_id.update()
    menu = QMenu(window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if window.workbench.workspace == "annotate" and window.workbench.selected:
        _fill_for_regions(menu, window)
    else:
        _fill_for_page(menu, window)
    return menu


def _fill_for_regions(menu: QMenu, window: MainWindow) -> None:
    actions = window.actions_by_id
    actions.add_to(menu, [actions.by_id[id] for id in FIRST])
    actions.add_to(menu, [each for each in actions.by_id.values() if each.section in SECTIONS])
    menu.addSeparator()
    actions.add_to(menu, [actions.by_id[id] for id in LAST])


def _fill_for_page(menu: QMenu, window: MainWindow) -> None:
    """Only what can be done now."""
    actions = window.actions_by_id
    for ids in (WITHOUT_SELECTION.get(window.workbench.workspace, ()), VIEW):
        offered = [id for id in ids if actions[id].isEnabled()]
        if "edit.paste" in offered and not _copied():
            offered.remove("edit.paste")
        actions.add_to(menu, [actions.by_id[id] for id in offered])
        menu.addSeparator()


def _copied() -> bool:
    """Whether the clipboard holds regions."""
    try:
        return bool(Clipboard.from_text(QApplication.clipboard().text()).regions)
    except SpotlabError:
        return False


def menu_of_panels(window: MainWindow) -> QMenu:
    """The panels of this workspace, each with a mark where it is shown."""
    actions = window.actions_by_id
    actions.update()
    menu = QMenu(window)
    for name in window.docks.by_name:
        if window.has_dock(name):
            menu.addAction(actions[f"view.{name}"])
    return menu
