"""Score over rank, a line for each ranked list, with the threshold that purges them on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QMouseEvent, QPainterPath
from PySide6.QtWidgets import QGraphicsRectItem, QToolTip

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.gui.kit.plots.drawn import Drawn
from spotlab.gui.kit.plots.pointed import Place
from spotlab.gui.kit.plots.polylines import Polylines
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.words.scores.score_lines import sparse
from spotlab.imaging.area_overlay import COLOURS, AreaKind

GRIP = 5.0  # px from the threshold's line at which it is taken
STEADY = 3.0  # px that the hand may shake before the line moves
VEIL = 165  # of 255, over what is purged
MARK = 8  # px
ASIDE = 0.95  # of a mark, from the line: right ones above it, wrong ones below


@dataclass(frozen=True, eq=False)
class ScoreLine:
    """What the plot shows of a list.

    Attributes
    ----------
    colour : str
    line : Polylines
        See `score_line`.
    right, wrong : (M,) bool
        Which of the line's points are known to be relevant, and not to be.
    own_scale : bool
        Its scores are on a scale of their own: it is dashed, and nothing purges it.
    """

    colour: str
    line: Polylines
    right: NDArray[np.bool_]
    wrong: NDArray[np.bool_]
    own_scale: bool = False


@dataclass(frozen=True)
class Suggested:
    """A threshold that is marked at the plot's edge, and why."""

    threshold: float
    colour: str
    tip: str


class ScorePlot(CurvePlot):
    """Drag the horizontal line to purge; the rest is as in all plots."""

    threshold_moved = Signal(float)

    def __init__(self) -> None:
        self._lists: Sequence[ScoreLine] = ()
        self._suggested: Sequence[Suggested] = ()
        self._held = self._moving = False
        self._veil = QGraphicsRectItem()
        self._threshold_line = pg.InfiniteLine(
            angle=0, label="{value:.3f}", labelOpts={"position": 0.94, "anchors": [(1, 1), (1, 1)]}
        )
        super().__init__("score", "Score", over="Rank")
        self._right, self._wrong = self._signs(), self._signs()
        self._edge = self._signs()
        self._chosen = self._marks(14)
        for signs in (self._right, self._wrong):
            signs.setZValue(25)  # those that are purged are veiled, too
        self._veil.setPen(Qt.PenStyle.NoPen)
        self._veil.setZValue(30)
        self._threshold_line.setZValue(45)
        for item in (self._veil, self._threshold_line):
            self.plotItem.addItem(item, ignoreBounds=True)
        self.show_threshold(0.0, ())

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours; lines are this much wider than on the screen."""
        super().paint_in(colours, weight)
        shade = QColor(colours.base)
        shade.setAlpha(VEIL)
        self._veil.setBrush(QBrush(shade))
        self._threshold_line.setPen(pg.mkPen(colours.text, width=1.5 * weight))
        self._threshold_line.label.setColor(colours.text)
        self._chosen.setPen(pg.mkPen(colours.text, width=2 * weight))
        for marks, meaning in ((self._right, AreaKind.FOUND), (self._wrong, AreaKind.FALSE)):
            colour = readable(COLOURS[meaning], colours.base)
            marks.setPen(pg.mkPen(colour, width=1.8 * weight))
        self._place_signs()

    def show_lists(self, lists: Sequence[ScoreLine], extent: Place, lowest: float) -> None:
        """Draw these, the first one on top; ``extent`` is the last rank and the highest score."""
        self._lists = lists
        drawn = [Drawn(each.colour, each.line, bold=True) for each in lists]
        self.show_curves(drawn, extent, lowest)
        self._place_signs()

    def show_threshold(self, threshold: float, places: Sequence[tuple[Place, str]]) -> None:
        """Purge what scores less; ``places`` are where each list is cut, and its colour."""
        self._threshold_line.setValue(threshold)
        deep = self._lowest - 10 * (self._extent[1] - self._lowest) - 10
        wide = 10 * self._extent[0]
        self._veil.setRect(QRectF(-wide, deep, 2 * wide, max(0.0, threshold - deep)))
        self.show_cut(places)

    def show_chosen(self, places: Sequence[Place]) -> None:
        """Put a ring around the chosen item on every list."""
        self._chosen.setData([place[0] for place in places], [place[1] for place in places])

    def show_suggested(self, suggested: Sequence[Suggested]) -> None:
        """Mark these thresholds at the right edge; hovering says why, a click takes one."""
        self._suggested = suggested
        self._place_signs()

    @property
    def threshold(self) -> float:
        """Where the line is."""
        return float(self._threshold_line.value())

    def suggested_at(self, position: QPointF) -> Suggested | None:
        """The mark at a place of the viewport."""
        edge = self.box.viewRange()[0][1]
        for each in self._suggested:
            place = self.place_on_viewport((edge, each.threshold))
            if (position - place).manhattanLength() <= 1.5 * MARK:
                return each
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the line where it is near; else it may become a click, or a drag of the plot."""
        left = event.button() == Qt.MouseButton.LeftButton
        marked = self.suggested_at(event.position()) if left else None
        if marked is not None:
            self.threshold_moved.emit(marked.threshold)
        elif left and self._is_near(event.position()):
            self._held, self._moving, self._pressed = True, False, event.position()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the line that is held, or say what the pointer is at."""
        if not self._held:
            super().mouseMoveEvent(event)
            self._follow_pointer(event)
            return
        assert self._pressed is not None  # as long as the line is held
        away = abs(event.position().y() - self._pressed.y())
        self._moving = self._moving or away >= STEADY
        if self._moving:
            self.threshold_moved.emit(self._score_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the line; where it was not moved it was a click on what lies there."""
        if not self._held:
            super().mouseReleaseEvent(event)
            return
        self._held, self._pressed = False, None
        if not self._moving:
            self.clicked.emit(self.hit(event.position()))

    def _follow_pointer(self, event: QMouseEvent) -> None:
        marked = self.suggested_at(event.position())
        shape = Qt.CursorShape.CrossCursor
        if marked is not None:
            shape = Qt.CursorShape.PointingHandCursor
            QToolTip.showText(event.globalPosition().toPoint(), marked.tip, self.viewport())
        elif self._is_near(event.position()):
            shape = Qt.CursorShape.SizeVerCursor
        self.viewport().setCursor(shape)

    def _is_near(self, position: QPointF) -> bool:
        line = self.place_on_viewport((0.0, self.threshold)).y()
        return bool(self._lists) and abs(position.y() - line) <= GRIP

    def _score_at(self, position: QPointF) -> float:
        """Never outside what the plot shows, or the line would be lost."""
        low, high = self.box.viewRange()[1]
        return float(min(max(self.place_at(position)[1], low), high))

    def _draw_lines(self, *_: object) -> None:
        super()._draw_lines()
        self._place_signs()

    def _paint_runs(self) -> None:
        super()._paint_runs()
        for (line, _, _), each in zip(self._runs, self._lists, strict=False):
            pen = line.opts["pen"]
            pen.setStyle(Qt.PenStyle.DashLine if each.own_scale else Qt.PenStyle.SolidLine)
            line.setPen(pen)

    def _place_signs(self) -> None:
        """As many as there is room for where the plot is zoomed to."""
        if not hasattr(self, "_chosen"):
            return  # still being made
        pixel = self.box.viewPixelSize()
        for marks, symbol, kind in (
            (self._right, TICK, "right"), (self._wrong, CROSS, "wrong")
        ):  # fmt: skip
            x, y = sparse([(each.line, getattr(each, kind)) for each in self._lists], pixel)
            marks.setData(x, y, symbol=symbol)
        edge = self.box.viewRange()[0][1]
        behind = self._colours.base if self._colours else "#ffffff"
        self._edge.setData(
            [edge] * len(self._suggested),
            [each.threshold for each in self._suggested],
            symbol=POINTER,
            brush=[pg.mkBrush(readable(each.colour, behind)) for each in self._suggested],
        )

    def _signs(self) -> pg.ScatterPlotItem:
        return self._marks(MARK)


def _path(*strokes: Sequence[Place], closed: bool = False) -> QPainterPath:
    """A mark of size 1 around its place; y points down."""
    path = QPainterPath()
    for stroke in strokes:
        path.moveTo(*stroke[0])
        for place in stroke[1:]:
            path.lineTo(*place)
        if closed:
            path.closeSubpath()
    return path


TICK = _path([(-0.45, 0.05 - ASIDE), (-0.12, 0.4 - ASIDE), (0.5, -0.4 - ASIDE)])
CROSS = _path(
    [(-0.38, ASIDE - 0.38), (0.38, ASIDE + 0.38)], [(-0.38, ASIDE + 0.38), (0.38, ASIDE - 0.38)]
)
POINTER = _path([(-1.0, 0.0), (0.0, -0.6), (0.0, 0.6)], closed=True)
