"""Everything that the window can do: one table, one file for each menu, found by the registry."""

from spotlab.gui.actions.base import Action, Menu, menus
from spotlab.gui.actions.book import Actions

__all__ = ["Action", "Actions", "Menu", "menus"]
