"""All menus of the window: its own, those of the workspaces and those of outside packages."""

from __future__ import annotations

from collections.abc import Iterable

from spotlab.gui.window import (
    edit_actions,
    file_actions,
    help_actions,
    page_actions,
    tool_actions,
    view_actions,
)
from spotlab.gui.workspace.action import Menu
from spotlab.gui.workspace.workspace import Panel, workspaces
from spotlab.registry import discover, is_outside


def menus(panels: Iterable[Panel]) -> list[Menu]:
    """All menus in their order; View shows and hides these panels."""
    own = [
        file_actions.MENU,
        edit_actions.MENU,
        view_actions.menu(panels),
        page_actions.MENU,
        tool_actions.menu(),
        help_actions.MENU,
        *(menu for space in workspaces() for menu in space.menus),
    ]
    taken = frozenset(menu.name for menu in own)
    every = [*own, *discover("spotlab.gui.actions", Menu, taken, ()).values()]
    return sorted(every, key=lambda menu: (menu.order, is_outside(menu), menu.name))
