"""The canvas that all workspaces share: the page, its regions and the gesture under way."""

from spotlab.gui.canvas.canvas import Canvas

__all__ = ["Canvas"]
