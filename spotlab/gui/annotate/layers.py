"""Layers that say how many regions are hidden, and let menus be about what is at the pointer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from spotlab.gui.annotate.tools.drawing import point_out
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer, Pointer
from spotlab.gui.pages.region_visibility import RegionVisibility

_CORNER = 14  # screen px from the canvas' corner


class HiddenLayer(Layer):
    """A button in the lower left corner while regions of the page are hidden."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._workbench = canvas.workbench
        self._visibility = visibility = canvas.workbench.state(RegionVisibility)
        self.button = QPushButton(canvas)
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.setToolTip("Show all regions; hidden ones are in the truth and in all figures")
        self.button.setAccessibleName("Show all regions")
        self.button.clicked.connect(visibility.show_all)
        self.button.hide()
        self._connections = [
            visibility.changed.connect(self.follow),
            canvas.workbench.document_changed.connect(lambda _: self.follow()),
        ]

    def follow(self) -> None:
        """Say how many are hidden now."""
        hidden = self._visibility.hidden_count() if self._workbench.draws else 0
        self.button.setVisible(hidden > 0)
        if hidden:
            regions = "region" if hidden == 1 else "regions"
            self.button.setText(f"{hidden:,} {regions} hidden · Show All")
            self.place()

    def place(self) -> None:
        """Stay in the corner."""
        self.button.adjustSize()
        self.button.move(_CORNER, self._canvas.height() - self.button.height() - _CORNER)

    def stop(self) -> None:
        """Listen no longer."""
        for disconnect in self._connections:
            disconnect()


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
