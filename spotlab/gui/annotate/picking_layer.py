"""Lets a menu on the page be about the region or proposal at the pointer, whatever the tool."""

from __future__ import annotations

from spotlab.gui.annotate.tools.picking import point_out
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.layer import Layer
from spotlab.gui.canvas.pointer import Pointer


class PickingLayer(Layer):
    """Paints nothing; selects what a menu is about while regions may be drawn."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def point_out(self, pointer: Pointer) -> bool:
        """Select the smallest region or proposal there."""
        if not self._canvas.workbench.draws:
            return False
        point_out(self._canvas, pointer)
        return True
