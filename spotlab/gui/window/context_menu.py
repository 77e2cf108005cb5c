"""What the right button and the menu key offer: on the page, and on the window's frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from spotlab.gui.workspace.workspace import PageMenu

if TYPE_CHECKING:
    from spotlab.gui.window.action_table import Actions
    from spotlab.gui.window.docks import Docks

VIEW = ("view.fit", "view.actual")


def menu_for_page(actions: Actions, offered: PageMenu) -> QMenu:
    """What a workspace offers on the page; only what can be done now, unless it wants all."""
    actions.update()
    menu = QMenu(actions.owner)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for ids in offered.groups if offered.all else (*offered.groups, VIEW):
        shown = [id for id in ids if offered.all or actions[id].isEnabled()]
        actions.add_to(menu, [actions.by_id[id] for id in shown])
        if ids is not offered.groups[-1] or not offered.all:
            menu.addSeparator()
    return menu


def menu_of_panels(actions: Actions, docks: Docks) -> QMenu:
    """The panels of this workspace, each with a mark where it is shown."""
    actions.update()
    menu = QMenu(actions.owner)
    names: Iterable[str] = (name for name in docks.by_name if docks.offered(name))
    for name in names:
        menu.addAction(actions[f"view.{name}"])
    return menu
