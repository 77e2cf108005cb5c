"""Interfaces between a workspace, a panel, an action and the window."""
