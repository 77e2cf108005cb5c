"""Signs on a plot of scores: what is relevant and what not, and the chosen word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QPainterPath

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.curve_items import point_items
from spotlab.gui.kit.plots.pointed import Place, PointedPlot
from spotlab.gui.kit.plots.polylines import Polylines
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.words.scores.score_lines import sparse
from spotlab.imaging.overlay import COLOURS, AreaKind

MARK = 8  # px
CHOSEN = 14  # px
ASIDE = 0.95  # of a mark, from the line: relevant ones above it, others below


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
    """

    colour: str
    line: Polylines
    right: NDArray[np.bool_]
    wrong: NDArray[np.bool_]


class ScoreSigns:
    """Places as many signs as there is room for where the plot is zoomed to.

    Parameters
    ----------
    plot : PointedPlot

    Attributes
    ----------
    lists : sequence of ScoreLine
    """

    def __init__(self, plot: PointedPlot) -> None:
        self._plot = plot
        self.lists: Sequence[ScoreLine] = ()
        self.right, self.wrong = (point_items(plot.plotItem, MARK) for _ in range(2))
        self.chosen = point_items(plot.plotItem, CHOSEN)
        for marks in (self.right, self.wrong):
            marks.setZValue(25)  # those that are purged are veiled, too

    def place(self) -> None:
        """Place the signs anew: lists or the visible part of the plot changed."""
        pixel = self._plot.box.viewPixelSize()
        for marks, symbol, kind in ((self.right, TICK, "right"), (self.wrong, CROSS, "wrong")):
            x, y = sparse([(drawn.line, getattr(drawn, kind)) for drawn in self.lists], pixel)
            marks.setData(x, y, symbol=symbol)

    def show_chosen(self, places: Sequence[Place]) -> None:
        """Put a ring around the chosen item on every list."""
        self.chosen.setData([place[0] for place in places], [place[1] for place in places])

    def paint_in(self, colours: Colours, weight: float) -> None:
        """Use the colours of the theme, and lines of this weight."""
        self.chosen.setPen(pg.mkPen(colours.text, width=2 * weight))
        for marks, meaning in ((self.right, AreaKind.FOUND), (self.wrong, AreaKind.FALSE)):
            colour = readable(COLOURS[meaning], colours.base)
            marks.setPen(pg.mkPen(colour, width=1.8 * weight))


def _path(*strokes: Sequence[Place]) -> QPainterPath:
    """A mark of size 1 around its place; y points down."""
    path = QPainterPath()
    for stroke in strokes:
        path.moveTo(*stroke[0])
        for place in stroke[1:]:
            path.lineTo(*place)
    return path


TICK = _path([(-0.45, 0.05 - ASIDE), (-0.12, 0.4 - ASIDE), (0.5, -0.4 - ASIDE)])
CROSS = _path(
    [(-0.38, ASIDE - 0.38), (0.38, ASIDE + 0.38)], [(-0.38, ASIDE + 0.38), (0.38, ASIDE - 0.38)]
)
