"""The menu bar: the menus of the window, and their actions."""
