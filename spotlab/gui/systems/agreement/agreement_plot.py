"""Pairwise agreement of systems as an image, with its dendrogram and the groups marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QGraphicsRectItem

from spotlab.arrays import Floats
from spotlab.consensus.agreement import Agreement, Groups
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import DOWN, Bounds, PointedPlot
from spotlab.gui.kit.theme import Colours
from spotlab.report.colours import RUN_COLOURS


def dendrogram_lines(tree: Floats, order: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """One polyline with gaps through all merges.

    Parameters
    ----------
    tree : (S − 1, 4) float
        As scipy's ``linkage`` gives it.
    order : (S,) int
        The leaves as they stand; those below each merge side by side.

    Returns
    -------
    place, height : (5 (S − 1),) float
        The first leaf at 1. NaN after each merge; heights are the merges' distances, 0 at a leaf.

    Examples
    --------
    >>> tree = np.array([[0, 2, 0.5, 2], [1, 3, 1.0, 3]])
    >>> place, height = dendrogram_lines(tree, np.array([1, 0, 2]))
    >>> place.tolist()
    [2.0, 2.0, 3.0, 3.0, nan, 1.0, 1.0, 2.5, 2.5, nan]
    >>> height.tolist()
    [0.0, 0.5, 0.5, 0.0, nan, 0.0, 1.0, 1.0, 0.5, nan]
    """
    leaves = len(order)
    places, heights = np.zeros(leaves + len(tree)), np.zeros(leaves + len(tree))
    places[order] = np.arange(1, leaves + 1)
    lines = np.full((len(tree), 2, 5), np.nan)
    for merge, (one, other, distance, _) in enumerate(tree):
        both = sorted((int(one), int(other)), key=lambda node: float(places[node]))
        left, right = both
        lines[merge, 0, :4] = places[left], places[left], places[right], places[right]
        lines[merge, 1, :4] = heights[left], distance, distance, heights[right]
        places[leaves + merge] = places[both].mean()
        heights[leaves + merge] = distance
    return lines[:, 0].ravel(), lines[:, 1].ravel()


MAP = pg.colormap.get("viridis")  # even steps look even, also to the colour-blind
HEAD, STRIP, GAP = 0.26, 0.035, 0.02  # of the matrix' side: dendrogram, groups, between them
NAMED = 40  # systems up to which each has its name beside its row
LONGEST = 0.34  # of the width: a name's share
LEAST = 3  # systems that can be zoomed to
Cell = tuple[int, int]  # row, column, as they stand


class AgreementPlot(PointedPlot):
    """A click chooses the row's system; rows and columns stand as the dendrogram has them."""

    moves = DOWN

    def __init__(self) -> None:
        self._names = _Names()
        super().__init__(axisItems={"left": self._names})
        self.hideAxis("bottom")
        self._bounds = Bounds(self)
        self.setAccessibleName("Agreement between the systems")
        self.setMinimumHeight(150)
        self.agreement: Agreement | None = None
        self.groups: Groups | None = None
        self.values: NDArray[np.float64] = np.zeros((0, 0))  # as they stand
        self.lines: tuple[NDArray[np.float64], NDArray[np.float64]] = (np.zeros(0), np.zeros(0))
        self._image = pg.ImageItem(axisOrder="row-major")
        self._image.setColorMap(MAP)
        self._tree = pg.PlotCurveItem(antialias=True)
        self._halo, self._frame = ((QGraphicsRectItem(), QGraphicsRectItem()) for _ in range(2))
        self._over = QGraphicsRectItem()
        self._marks: list[tuple[QGraphicsRectItem, QGraphicsRectItem]] = []
        for item in (self._image, self._tree, *self._halo, *self._frame, self._over):
            self.plotItem.addItem(item, ignoreBounds=True)
        for level, item in enumerate((*self._halo, *self._frame, self._over)):
            item.setZValue(20 + level)
        self.box.setAspectLocked(True)
        self.box.invertY(True)
        self._colours: Colours | None = None

    def __len__(self) -> int:
        return len(self.values)

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        self._colours = colours
        self.setBackground(colours.base)
        self._names.paint_in(colours, self.small_font)
        self._tree.setPen(pg.mkPen(colours.quiet, width=1.2))
        for halo, frame in zip(self._halo, self._frame, strict=True):
            halo.setPen(pg.mkPen("#ffffff", width=4))
            frame.setPen(pg.mkPen("#000000", width=1.6))
        self._over.setPen(pg.mkPen("#ffffff", width=1.4))
        self._mark_groups()

    def show_agreement(
        self, agreement: Agreement, groups: Groups, values: NDArray[np.float64]
    ) -> None:
        """Draw these values, (S, S) in the systems' own order, of the agreement."""
        order = agreement.order
        same = len(self) == len(order)
        self.agreement, self.groups = agreement, groups
        self.values = values[np.ix_(order, order)]
        side = len(order)
        self._image.setImage(self.values, levels=self.levels())
        self._image.setRect(QRectF(0.5, 0.5, side, side))
        place, height = dendrogram_lines(agreement.tree, order)
        top = float(np.nanmax(height, initial=0.0)) or 1.0
        base = 0.5 - (STRIP + 2 * GAP) * side
        self.lines = place, base - height / top * HEAD * side
        self._tree.setData(*self.lines, connect="finite")
        self._names.show_names([agreement.systems[system] for system in order])
        self._names.fit(self.width(), self.height())
        self.show_chosen(None)
        self.show_hover(None)
        self._mark_groups()
        if not same:
            self.reset_view()

    def levels(self) -> tuple[float, float]:
        """The lowest value shown, 0 at the most, and 1; the diagonal counts for nothing."""
        apart = self.values[~np.eye(len(self.values), dtype=bool)]
        known = apart[np.isfinite(apart)]
        return min(0.0, float(known.min())) if len(known) else 0.0, 1.0

    def colour_of(self, group: int) -> str:
        """The colour that marks a group."""
        behind = self._colours.base if self._colours else "#ffffff"
        return readable(RUN_COLOURS[group % len(RUN_COLOURS)], behind)

    def show_chosen(self, system: int | None) -> None:
        """Frame a system's row and column."""
        place = self.place_of(system)
        for across, down in (self._halo, self._frame):
            for item in (across, down):
                item.setVisible(place is not None)
            if place is not None:
                across.setRect(QRectF(0.5, place + 0.5, len(self), 1))
                down.setRect(QRectF(place + 0.5, 0.5, 1, len(self)))

    def show_hover(self, cell: Cell | None) -> None:
        """Frame the cell that the pointer is at."""
        self._over.setVisible(cell is not None)
        if cell is not None:
            self._over.setRect(QRectF(cell[1] + 0.5, cell[0] + 0.5, 1, 1))

    def place_of(self, system: int | None) -> int | None:
        """The row and column of a system; None where it is not shown."""
        if system is None or self.agreement is None:
            return None
        found = np.flatnonzero(self.agreement.order == system)
        return int(found[0]) if len(found) else None

    def reset_view(self) -> None:
        """Show all there is."""
        side = max(len(self), 1)
        margin = 0.015 * side
        high = (HEAD + STRIP + 3 * GAP) * side
        self.box.setLimits(minXRange=LEAST, minYRange=LEAST)
        self._bounds.show((0.5 - margin, side + 0.5 + margin), (0.5 - high, side + 0.5 + margin))

    def hit(self, position: QPointF) -> Cell | None:
        """Row and column at a place of the viewport; on a name that of the system with itself."""
        side = len(self)
        x, y = self.place_at(position)
        column, row = round(x) - 1, round(y) - 1
        if x < 0.5:
            column = row
        return (row, column) if 0 <= row < side and 0 <= column < side else None

    def resizeEvent(self, event: object) -> None:
        """Names take their share of the width."""
        super().resizeEvent(event)
        if getattr(self, "box", None) is not None:
            self._names.fit(self.width(), self.height())
            self.reset_view()

    def _mark_groups(self) -> None:
        """A strip above the columns, and a frame around what is on the diagonal."""
        runs = self._runs()
        while len(self._marks) < len(runs):
            pair = QGraphicsRectItem(), QGraphicsRectItem()
            for item in pair:
                item.setZValue(10)
                self.plotItem.addItem(item, ignoreBounds=True)
            self._marks.append(pair)
        for number, pair in enumerate(self._marks):
            for item in pair:
                item.setVisible(number < len(runs))
        side = len(self)
        for (strip, frame), (start, length, group) in zip(self._marks, runs, strict=False):
            colour = self.colour_of(group)
            strip.setRect(QRectF(start + 0.54, 0.5 - (GAP + STRIP) * side, length - 0.08,
                                 STRIP * side))  # fmt: skip
            strip.setPen(pg.mkPen(None))
            strip.setBrush(pg.mkBrush(colour))
            frame.setRect(QRectF(start + 0.5, start + 0.5, length, length))
            frame.setPen(pg.mkPen(colour, width=2.4))

    def _runs(self) -> list[tuple[int, int, int]]:
        """First place, number and group of neighbours in a group that systems share."""
        groups, agreement = self.groups, self.agreement
        if groups is None or agreement is None or not len(self):
            return []
        label = groups.label[agreement.order]
        starts = np.flatnonzero(np.diff(label, prepend=-1))
        lengths = np.diff(starts, append=len(label))
        shared = groups.sizes > 1
        return [
            (int(start), int(length), int(label[start]))
            for start, length in zip(starts, lengths, strict=True)
            if shared[label[start]]
        ]


class _Names(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """The systems' names, one a row."""

    def __init__(self) -> None:
        super().__init__("left")
        self.setStyle(tickLength=0, tickTextOffset=4, hideOverlappingLabels=True)
        self._all: Sequence[str] = ()
        self._font = QFont()

    def paint_in(self, colours: Colours, font: QFont) -> None:
        """Take the theme's colours."""
        self._font = font
        self.setPen(pg.mkPen(None))
        self.setTextPen(pg.mkPen(colours.text))
        self.setTickFont(font)

    def show_names(self, names: Sequence[str]) -> None:
        """Of the systems from top to bottom."""
        self._all = names

    def fit(self, width: float, height: float) -> None:
        """As much of them as fits beside a plot of this size, in px; none where rows are low."""
        metrics, most = QFontMetricsF(self._font), LONGEST * width
        rows = min(width - most, height) / (1 + HEAD + STRIP + 2 * GAP)
        readable = rows >= len(self._all) * metrics.ascent()
        names = self._all if len(self._all) <= NAMED and readable else ()
        middle = Qt.TextElideMode.ElideMiddle
        short = [metrics.elidedText(name, middle, most) for name in names]
        widest = max(map(metrics.horizontalAdvance, short), default=0.0)
        self.setWidth(widest + 10 if short else 4)
        self.setTicks([[(at + 1.0, name) for at, name in enumerate(short)]])
