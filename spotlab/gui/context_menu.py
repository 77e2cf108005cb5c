"""What the right button offers: on the page, and on the window's frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from spotlab.gui.main_window import MainWindow

FIRST = ("region.label", "region.uncertain", "region.comment", "region.merge", "proposals.page")
LAST = ("edit.copy", "edit.paste", "region.duplicate", "edit.delete", "view.selection")
SECTIONS = ("Outline", "Turn")


def menu_for_regions(window: MainWindow) -> QMenu:
    """What can be done with the selected regions."""
    actions = window.actions_by_id
    actions.update()
    menu = QMenu(window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    actions.add_to(menu, [actions.by_id[id] for id in FIRST])
    actions.add_to(menu, [each for each in actions.by_id.values() if each.section in SECTIONS])
    menu.addSeparator()
    actions.add_to(menu, [actions.by_id[id] for id in LAST])
    return menu


def menu_of_panels(window: MainWindow) -> QMenu:
    """The panels of this workspace, each with a mark where it is shown."""
    actions = window.actions_by_id
    actions.update()
    menu = QMenu(window)
    for name in window.docks.by_name:
        if window.has_dock(name):
            menu.addAction(actions[f"view.{name}"])
    return menu
