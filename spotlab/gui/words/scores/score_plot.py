"""Score over rank, a line for each ranked list, with the threshold that purges them on it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolTip

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.gui.kit.plots.drawn import Drawn
from spotlab.gui.kit.plots.pointed import Place
from spotlab.gui.words.scores.score_signs import ScoreLine, ScoreSigns, Suggested
from spotlab.gui.words.scores.threshold_line import ThresholdLine


class ScorePlot(CurvePlot):
    """Drag the horizontal line to purge; the rest is as in all plots.

    Attributes
    ----------
    signs : ScoreSigns
    threshold_line : ThresholdLine
    """

    threshold_moved = Signal(float)

    def __init__(self) -> None:
        super().__init__("score", "Score", over="Rank")
        self.signs = ScoreSigns(self)
        self.threshold_line = ThresholdLine(self, self.threshold_moved.emit)
        self.lines_drawn.connect(self.signs.place)
        self.show_threshold(0.0, ())

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours; lines are this much wider than on the screen."""
        super().paint_in(colours, weight)
        self.threshold_line.paint_in(colours, weight)
        self.signs.paint_in(colours, weight)

    def show_lists(self, lists: Sequence[ScoreLine], extent: Place, lowest: float) -> None:
        """Draw these, the first one on top; ``extent`` is the last rank and the highest score."""
        self.signs.lists = lists
        drawn = [Drawn(shown.colour, shown.line, bold=True) for shown in lists]
        self.show_curves(drawn, extent, lowest)
        self.signs.place()

    def show_threshold(self, threshold: float, places: Sequence[tuple[Place, str]]) -> None:
        """Purge what scores less; ``places`` are where each list is cut, and its colour."""
        self.threshold_line.show(threshold, self._extent, self._lowest)
        self.show_cut(places)

    def show_suggested(self, suggested: Sequence[Suggested]) -> None:
        """Mark these thresholds at the right edge; hovering says why, a click takes one."""
        self.signs.suggested = suggested
        self.signs.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the line where it is near; else it may become a click, or a drag of the plot."""
        left = event.button() == Qt.MouseButton.LeftButton
        marked = self.signs.suggested_at(event.position()) if left else None
        if marked is not None:
            self.threshold_moved.emit(marked.threshold)
        elif left and self._may_take(event.position()):
            self.threshold_line.take(event.position())
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the line that is held, or say what the pointer is at."""
        if self.threshold_line.held:
            self.threshold_line.drag(event.position())
            return
        super().mouseMoveEvent(event)
        self._follow_pointer(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the line; where it was not moved it was a click on what lies there."""
        if not self.threshold_line.held:
            super().mouseReleaseEvent(event)
        elif not self.threshold_line.release():
            self.clicked.emit(self.hit(event.position()))

    def _follow_pointer(self, event: QMouseEvent) -> None:
        marked = self.signs.suggested_at(event.position())
        shape = Qt.CursorShape.CrossCursor
        if marked is not None:
            shape = Qt.CursorShape.PointingHandCursor
            QToolTip.showText(event.globalPosition().toPoint(), marked.tip, self.viewport())
        elif self._may_take(event.position()):
            shape = Qt.CursorShape.SizeVerCursor
        self.viewport().setCursor(shape)

    def _may_take(self, position: QPointF) -> bool:
        return bool(self.signs.lists) and self.threshold_line.is_near(position)
