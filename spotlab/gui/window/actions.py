"""Everything that the window can do: one table, one file for each menu, found by the registry."""

from spotlab.gui.window.action_table import Actions
from spotlab.gui.workspace.action import Action, Menu, menus

__all__ = ["Action", "Actions", "Menu", "menus"]
