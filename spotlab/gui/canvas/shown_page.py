"""What the parts of the canvas ask of it."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPoint, QRect, Qt, SignalInstance
from PySide6.QtGui import QCursor, QPalette, QRegion
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.navigation import Minimap, Navigation
from spotlab.gui.canvas.overlay import Overlay, PointerNote
from spotlab.gui.canvas.page_layer import Backdrop, PageLayer
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.region_style import RegionStyle
from spotlab.gui.canvas.tool import Pointing, Surface


class ShownPage(Surface, Protocol):
    """A canvas, with its layers and what moves over it."""

    page_layer: PageLayer
    backdrop: Backdrop
    region_layer: RegionLayer
    overlay: Overlay
    style_of_regions: RegionStyle
    navigation: Navigation
    pointing: Pointing
    minimap: Minimap
    note: PointerNote

    @property
    def context_requested(self) -> SignalInstance:
        """A menu is asked for at a place of the screen."""

    @property
    def pointer_moved(self) -> SignalInstance:
        """What is under the pointer, in words."""

    def update(self, part: QRegion, /) -> None:
        """Paint a part of the canvas again soon."""

    def layer_changed(self) -> None:
        """A layer has something else to show."""

    def look_again(self) -> None:
        """The page, its regions or the view are others: so is what the pointer is over."""

    def view_moved(self) -> None:
        """Another part of the page is shown."""

    def setCursor(self, shape: Qt.CursorShape | QCursor, /) -> None:
        """Give the pointer another shape."""

    def setFocus(self, reason: Qt.FocusReason, /) -> None:
        """Take the keyboard."""

    def childAt(self, place: QPoint, /) -> QWidget | None:
        """What floats over the canvas at a place."""

    def rect(self) -> QRect:
        """The canvas, from (0, 0)."""

    def mapToGlobal(self, place: QPoint, /) -> QPoint:
        """A place of the canvas on the screen."""

    def palette(self) -> QPalette:
        """The colours of the theme."""
