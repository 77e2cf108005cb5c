"""Paints many selected regions as tiles that threads draw, as `RegionLayer` paints all regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_not

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
        self._selected: Sequence[Region] = ()

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
        selected: Sequence[Region],
        hidden: frozenset[str],
    ) -> None:
        """Paint what the window shows of them; ``hidden`` ones are left out."""
        if len(selected) != len(self._selected) or any(map(is_not, selected, self._selected)):
            before = {region.id for region in self._selected}
            part = index.part([region.id for region in selected])
            if before and before.issubset(region.id for region in selected):
                self._layer.use(part)
            else:
                self._layer.reset(part)
            self._selected = tuple(selected)
        if hidden != self._layer.hidden:
            self._layer.hide(hidden)
        self._layer.paint(painter, view)
