"""The window's workspaces: one file each, found by the registry."""

from spotlab.gui.workspaces.base import Workspace, workspaces

__all__ = ["Workspace", "workspaces"]
