"""Paints many selected regions as tiles that threads draw, as `RegionLayer` paints all regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QColor, QPainter

from spotlab.editing.region_index import RegionIndex
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.region_style import SELECTED, RegionStyle
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region


class _SelectedStyle(RegionStyle):
    """One colour for all."""

    def colour(self, region: Region) -> QColor:
        return QColor(SELECTED)


class SelectedLayer:
    """The outlines of more selected regions than are painted one by one.

    Parameters
    ----------
    arrived : callable
        Called when more is drawn.
    """

    def __init__(self, arrived: Callable[[], object]) -> None:
        self._layer = RegionLayer(RegionIndex(), _SelectedStyle(), arrived)
        self._selected: Sequence[str] = ()

    @property
    def index(self) -> RegionIndex:
        """The regions, in the order of selection."""
        return self._layer.index

    @property
    def busy(self) -> bool:
        """Whether tiles are still being drawn."""
        return self._layer.busy

    def clear(self) -> None:
        """There are few or none now."""
        if self._selected:
            self._selected = ()
            self._layer.stop()

    def paint(
        self,
        painter: QPainter,
        view: ViewTransform,
        index: RegionIndex,
        selected: Sequence[str],
        hidden: frozenset[str],
    ) -> None:
        """Paint what the window shows of them; ``hidden`` ones are left out."""
        part = index.part(selected)
        if part is not self._layer.index:
            if self._selected and part.holds_all(self._layer.index):
                self._layer.use(part)
            else:
                self._layer.reset(part)
            self._selected = selected
        if hidden != self._layer.hidden:
            self._layer.hide(hidden)
        self._layer.paint(painter, view)
