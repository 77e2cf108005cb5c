"""Score over rank, a line for each ranked list, with the threshold that purges them on it."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QGraphicsRectItem

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.axis import EDGE
from spotlab.gui.kit.plots.curve_plot import MARGIN, CurvePlot
from spotlab.gui.kit.plots.drawn import Drawn
from spotlab.gui.kit.plots.pointed import Place
from spotlab.gui.words.scores.score_signs import ScoreLine, ScoreSigns

FOCUS_ROOM = 1.5  # of the rank of a cut that comes into sight
VEIL = 165  # of 255, over what is purged


class ThresholdLine(pg.InfiniteLine):  # type: ignore[misc] # pyqtgraph has no types
    """The threshold, which can be dragged, and a veil over what it purges.

    Parameters
    ----------
    plot : CurvePlot
    """

    def __init__(self, plot: CurvePlot) -> None:
        super().__init__(angle=0)
        self.setZValue(45)
        self._veil = QGraphicsRectItem()
        self._veil.setPen(Qt.PenStyle.NoPen)
        self._veil.setZValue(30)
        for item in (self._veil, self):
            plot.plotItem.addItem(item, ignoreBounds=True)

    def paint_in(self, colours: Colours, weight: float) -> None:
        """Use the colours of the theme, and a line of this weight."""
        shade = QColor(colours.base)
        shade.setAlpha(VEIL)
        self._veil.setBrush(QBrush(shade))
        pen = pg.mkPen(colours.accent, width=2 * weight)
        self.setPen(pen)
        self.setHoverPen(pen)

    def set_movable(self, movable: bool) -> None:
        """Let it be dragged, or not."""
        self.setMovable(movable)
        if movable:
            self.setCursor(Qt.CursorShape.SizeVerCursor)
        else:
            self.unsetCursor()

    def show_at(self, threshold: float, extent: Place, lowest: float) -> None:
        """Move there; the veil covers more than a plot of this extent can be moved."""
        self.setValue(threshold)
        deep, wide = lowest - 10 * (extent[1] - lowest) - 10, 10 * extent[0]
        self._veil.setRect(QRectF(-wide, deep, 2 * wide, max(0.0, threshold - deep)))


class ScorePlot(CurvePlot):
    """Drag the horizontal line to purge; the rest is as in all plots.

    Attributes
    ----------
    focus : (int, float) or None
        The last rank and the lowest score that are shown at first; None for all.
    signs : ScoreSigns
    line : ThresholdLine
    """

    focus: tuple[int, float] | None = None
    line_moved = Signal(float)  # the score to which the line is dragged

    def __init__(self) -> None:
        super().__init__("score", "Score", over="Rank")
        self.signs = ScoreSigns(self)
        self.line = ThresholdLine(self)
        self.line.sigDragged.connect(self._drag)
        for signal in (self.line.sigDragged, self.line.sigClicked):
            signal.connect(lambda *_: self.setFocus(Qt.FocusReason.MouseFocusReason))
        self.box.setCursor(Qt.CursorShape.CrossCursor)
        self.plotItem.getAxis("bottom").setStyle(hideOverlappingLabels=True)
        self.plotItem.layout.setContentsMargins(0, 6, EDGE + 1, 0)  # nor the last rank
        self.lines_drawn.connect(self.signs.place)
        self.show_threshold(0.0, ())

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours; lines are this much wider than on the screen."""
        super().paint_in(colours, weight)
        self.line.paint_in(colours, weight)
        self.signs.paint_in(colours, weight)

    def show_lists(
        self,
        lists: Sequence[ScoreLine],
        extent: Place,
        lowest: float,
        focus: tuple[int, float] | None = None,
    ) -> None:
        """Draw these, the first one on top; ``extent`` is the last rank and the highest score."""
        moved, self.focus = focus != self.focus, focus
        self.signs.lists = lists
        self.line.set_movable(bool(lists))
        drawn = [Drawn(shown.colour, shown.line, bold=True) for shown in lists]
        self.show_curves(drawn, extent, lowest)
        if moved and not self.zoomed:
            self.reset_view()
        self.signs.place()

    def show_threshold(self, threshold: float, places: Sequence[tuple[Place, str]]) -> None:
        """Purge what scores less; ``places`` are where each list is cut, and its colour."""
        self.line.show_at(threshold, self._extent, self._lowest)
        self.show_cut(places)
        (left, right), (low, high) = self.box.viewRange()
        if places and not low <= threshold <= high:  # never out of sight
            wide = max(right, *(FOCUS_ROOM * place[0] for place, _ in places))
            self.box.setRange(
                xRange=(left, wide), yRange=(min(low, threshold), max(high, threshold)), padding=0
            )

    def reset_view(self) -> None:
        """Show what is worth looking at."""
        self.show_all()
        if self.focus is not None:
            (rank, lowest), top = self.focus, self._extent[1]
            up = MARGIN * (top - lowest)
            self.box.setRange(
                xRange=(-MARGIN * rank, rank), yRange=(lowest - up, top + up), padding=0
            )

    def show_all(self) -> None:
        """Show the lists to their ends."""
        super().reset_view()

    def _drag(self, line: pg.InfiniteLine) -> None:
        low, high = self.box.viewRange()[1]  # outside of it the line would be lost
        self.line_moved.emit(min(max(float(line.value()), low), high))
