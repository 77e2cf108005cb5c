"""The scores of words with each other as an image, with the columns that make good queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QGraphicsRectItem

from spotlab.arrays import Floats, Ints
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import ACROSS, Bounds, PointedPlot, ShareAxis
from spotlab.gui.kit.theme import Colours
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.fusion import column_means


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of k items with each other, by falling mean.

    Attributes
    ----------
    items : (k,) int
        The item of each row and column.
    scores : (k, k) float
        NaN on the diagonal: that an item is like itself says nothing.
    means : (k,) float
        Of each column, without the diagonal; NaN for an only item.
    representative, difficult : (at most 3,) int
        Columns of highest mean, the highest first, and of lowest mean, the lowest first (Hast
        2020, section 4); fewer where there are so few words that one would be both.
    """

    items: Ints
    scores: Floats
    means: Floats
    representative: Ints
    difficult: Ints

    def __len__(self) -> int:
        return len(self.items)

    @classmethod
    def of(cls, items: Ints, scores: Floats) -> ScoreMatrix:
        """Put items with these scores into order; items of the same mean stay as they are.

        Parameters
        ----------
        items : (k,) int
        scores : (k, k) float

        Examples
        --------
        >>> scores = np.array([[1, 0.2, 0.4], [0.2, 1, 0.9], [0.4, 0.9, 1]])
        >>> matrix = ScoreMatrix.of(np.array([7, 8, 9]), scores)
        >>> matrix.items.tolist(), matrix.means.round(2).tolist()
        ([9, 8, 7], [0.65, 0.55, 0.3])
        >>> matrix.representative.tolist(), matrix.difficult.tolist()
        ([0], [2])
        """
        order = np.argsort(-column_means(scores), kind="stable")  # NaN goes last
        ordered = np.array(scores[np.ix_(order, order)], np.float64)
        means = column_means(ordered)
        known = int(np.count_nonzero(~np.isnan(means)))
        best = np.arange(min(3, known // 2))  # no word is both
        worst = known - 1 - best
        np.fill_diagonal(ordered, np.nan)
        return cls(items[order], ordered, means, best, worst)

    def place_of(self, item: int | None) -> int | None:
        """Its row and column; None where it is not shown."""
        if item is None:
            return None
        found = np.flatnonzero(self.items == item)
        return int(found[0]) if len(found) else None


def instances(relevance: NDArray[np.int8], lists: Sequence[RankedList]) -> Ints:
    """The items that are known to be relevant, those that some list ranks best first.

    Examples
    --------
    >>> ranked = RankedList("WS", np.array([2, 0]), np.array([0.9, 0.5]))
    >>> instances(np.array([1, 1, 1, 0], np.int8), [ranked]).tolist()
    [2, 0, 1]
    """
    items = np.flatnonzero(relevance == 1)
    return items[np.argsort(_best_rank(len(relevance), lists)[items], kind="stable")]


def listed(count: int, lists: Sequence[RankedList]) -> Ints:
    """The items that are in some list, those that some list ranks best first.

    Parameters
    ----------
    count : int
        How many items there are.
    lists : sequence of RankedList

    Examples
    --------
    >>> ranked = RankedList("WS", np.array([2, 0]), np.array([0.9, 0.5]))
    >>> listed(4, [ranked]).tolist()
    [2, 0]
    """
    best = _best_rank(count, lists)
    items = np.flatnonzero(best < count)
    return items[np.argsort(best[items], kind="stable")]


def _best_rank(count: int, lists: Sequence[RankedList]) -> Ints:
    """(N,) counted from 0; N for an item that is in no list."""
    best = np.full(count, count)
    for each in lists:
        best[each.item] = np.minimum(best[each.item], np.arange(len(each)))
    return best


MAP = pg.colormap.get("viridis")  # even steps look even, also to the colour-blind
HEAD = 0.07  # of the matrix' side: room for marks above it
MARGIN = 0.015
REPRESENTATIVE, DIFFICULT = "#E69F00", "#CC79A7"  # none of the colours that mean right and wrong
LEAST = 5  # columns that can be zoomed to
Cell = tuple[int, int]  # row, column


class MatrixPlot(PointedPlot):
    """A column is a query: a click chooses it, a double click or Enter searches it."""

    moves = ACROSS
    searched = Signal(int)  # a column

    def __init__(self) -> None:
        axes = {"left": ShareAxis("left", "Word"), "bottom": ShareAxis("bottom", "Query")}
        super().__init__(axisItems=axes)
        self._axes = tuple(axes.values())
        self._bounds = Bounds(self)
        self.setAccessibleName("Scores of the words with each other")
        self.setMinimumHeight(160)
        self.matrix: ScoreMatrix | None = None
        self._image = pg.ImageItem(axisOrder="row-major", autoDownsample=True)
        self._image.setColorMap(MAP)
        self._halo, self._chosen, self._over = (QGraphicsRectItem() for _ in range(3))
        self._best = pg.ScatterPlotItem(size=11, symbol="star", pen=None, useCache=False)
        self._worst = pg.ScatterPlotItem(size=9, symbol="t", pen=None, useCache=False)
        for item in (self._image, self._halo, self._chosen, self._over, self._best, self._worst):
            self.plotItem.addItem(item, ignoreBounds=True)
        self.box.setAspectLocked(True)
        self.box.invertY(True)
        self._colours: Colours | None = None

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        self._colours = colours
        self.setBackground(colours.base)
        for axis in self._axes:
            axis.paint_in(colours, self.small_font)
            axis.setGrid(False)
        self._halo.setPen(pg.mkPen("#ffffff", width=4))
        self._chosen.setPen(pg.mkPen("#000000", width=1.6))
        self._over.setPen(pg.mkPen("#ffffff", width=1, style=Qt.PenStyle.DotLine))
        self._best.setBrush(pg.mkBrush(readable(REPRESENTATIVE, colours.base)))
        self._worst.setBrush(pg.mkBrush(readable(DIFFICULT, colours.base)))

    def show_matrix(self, matrix: ScoreMatrix) -> None:
        """Draw these scores; the view stays where as many were drawn before."""
        same = self.matrix is not None and len(self.matrix) == len(matrix)
        self.matrix = matrix
        self._image.setImage(matrix.scores, levels=self.levels())
        side = len(matrix)
        self._image.setRect(QRectF(0.5, 0.5, side, side))  # the first has number 1
        above = 0.5 - HEAD * side / 2
        for marks, columns in (
            (self._best, matrix.representative), (self._worst, matrix.difficult)
        ):  # fmt: skip
            marks.setData(columns + 1.0, np.full(len(columns), above))
        self.show_chosen(None)
        self.show_hover(None)
        if not same:
            self.reset_view()

    def levels(self) -> tuple[float, float]:
        """The lowest and the highest score that is shown; apart from each other."""
        scores = self.matrix.scores if self.matrix is not None else np.zeros(0)
        known = scores[np.isfinite(scores)]
        if not len(known):
            return 0.0, 1.0
        low, high = float(known.min()), float(known.max())
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def show_chosen(self, column: int | None) -> None:
        """Frame a column."""
        for frame in (self._halo, self._chosen):
            _frame(frame, column, self.matrix)

    def show_hover(self, cell: Cell | None) -> None:
        """Frame the column that the pointer is at."""
        _frame(self._over, cell[1] if cell else None, self.matrix)

    def reset_view(self) -> None:
        """Show all there is."""
        side = len(self.matrix) if self.matrix is not None else 1
        margin, head = MARGIN * side, HEAD * side
        low, high = 0.5 - margin, side + 0.5 + margin
        self.box.setLimits(minXRange=LEAST, minYRange=LEAST)
        self._bounds.show((low, high), (low - head, high))

    def hit(self, position: QPointF) -> Cell | None:
        """Row and column at a place of the viewport; above the matrix the column's first row."""
        if self.matrix is None:
            return None
        side = len(self.matrix)
        x, y = self.place_at(position)
        column, row = round(x) - 1, round(y) - 1
        if -HEAD * side <= y <= 0.5:
            row = 0 if column else min(1, side - 1)
        return (row, column) if 0 <= row < side and 0 <= column < side else None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Search the column there; beside the matrix show all of it again."""
        super().mouseDoubleClickEvent(event)
        cell = self.hit(event.position())
        if cell is None:
            self.reset_view()
        else:
            self.searched.emit(cell[1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move from column to column, Enter searches the chosen one."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.searched.emit(-1)
        else:
            super().keyPressEvent(event)


def _frame(frame: QGraphicsRectItem, column: int | None, matrix: ScoreMatrix | None) -> None:
    frame.setVisible(column is not None and matrix is not None)
    if column is not None and matrix is not None:
        frame.setRect(QRectF(column + 0.5, 0.5, 1, len(matrix)))
