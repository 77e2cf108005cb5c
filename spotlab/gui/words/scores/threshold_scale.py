"""The purge threshold as a slider on the plot's own axis, with the other thresholds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.plots.pointed import PointedPlot
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.words.scores.threshold_marks import ThresholdMark, spread
from spotlab.gui.words.scores.threshold_steps import ThresholdSteps
from spotlab.report.figure_text import written

SPINE, NAMES = 5.0, 15.0  # px from the left, of the axis and of what is written
HANDLE = 17.0  # px, its height
SMALLER = 0.86  # than the window's font
POSITIONS = 1000  # that screen readers are told of
LARGE = 0.05  # of the plot's height, that PageUp and PageDown move
CUT = rich(
    "<p><b>Purge threshold (cut)</b></p><p>Every list keeps the words with this score or more; the "
    "others are purged. Larger: fewer and surer words are kept. Smaller: more are kept, also wrong "
    "ones.</p><p>Drag it here or in the plot. ↑ purges one more word, ↓ keeps one "
    "more; PageUp and PageDown go faster.</p>"
)
_Key = Qt.Key


class ThresholdScale(QAbstractSlider):
    """Drawn at the height of the plot's scores; a click on a name takes its threshold.

    Parameters
    ----------
    plot : PointedPlot
        At the left of it.

    Attributes
    ----------
    marks : sequence of ThresholdMark
    threshold : float
    """

    threshold_wanted = Signal(float)

    def __init__(self, plot: PointedPlot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self.marks: Sequence[ThresholdMark] = ()
        self.threshold = 0.0
        self._steps = ThresholdSteps(())
        self._held = False
        self.setOrientation(Qt.Orientation.Vertical)
        self.setRange(0, POSITIONS)
        self.setAccessibleName("Purge threshold")
        self.setToolTip(CUT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        plot.setFocusProxy(self)
        plot.box.sigRangeChanged.connect(lambda *_: self.update())
        plot.box.sigResized.connect(lambda *_: self.update())

    def show_scores(self, steps: ThresholdSteps) -> None:
        """Let the keys go over the scores of these lists."""
        self._steps = steps
        self.setEnabled(len(steps) > 0)

    def show_marks(self, marks: Sequence[ThresholdMark]) -> None:
        """Mark these thresholds, too."""
        self.marks = tuple(marks)
        self.update()

    def show_threshold(self, threshold: float) -> None:
        """Move the handle."""
        self.threshold = threshold
        low, high = self._plot.box.viewRange()[1]
        share = (threshold - low) / (high - low)
        self.setValue(round(POSITIONS * min(max(share, 0.0), 1.0)))
        self.setAccessibleDescription(f"Words with a score of {written(threshold)} or more stay")
        self.update()

    def height_of(self, score: float) -> float:
        """Where a score is drawn here, in px; outside what the plot shows, at its end."""
        low, high = self._plot.box.viewRange()[1]
        inside = min(max(score, low), high)
        at = self._plot.place_on_viewport((0.0, inside))
        return float(self.mapFromGlobal(self._plot.viewport().mapToGlobal(at)).y())

    def mark_at(self, place: QPointF) -> ThresholdMark | None:
        """The threshold whose name is there."""
        for mark, y in zip(self.marks, self._name_heights()[1:], strict=True):
            if abs(place.y() - y) <= self._line() / 2 and place.x() > SPINE:
                return mark
        return None

    def sizeHint(self) -> QSize:
        """Wide enough for the longest name."""
        widest = self._small().horizontalAdvance("at least .800")
        return QSize(int(NAMES + widest + 8), 120)

    def minimumSizeHint(self) -> QSize:
        """The same width."""
        return QSize(self.sizeHint().width(), 60)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the threshold whose name is there, or hold the handle."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        mark = None if self._on_handle(event.position()) else self.mark_at(event.position())
        if mark is not None:
            self.threshold_wanted.emit(mark.threshold)
            return
        self._held = True
        if not self._on_handle(event.position()):
            self._want(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle, or say what can be done."""
        if self._held:
            self._want(event.position())
        elif self._on_handle(event.position()):
            self.setCursor(Qt.CursorShape.SizeVerCursor)
        elif self.mark_at(event.position()) is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the handle."""
        self._held = False

    def wheelEvent(self, event: QWheelEvent) -> None:
        """One word more, or one less."""
        notches = event.angleDelta().y()
        if notches:
            self.threshold_wanted.emit(self._steps.beside(self.threshold, notches > 0))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down by words, faster by pages, to the ends."""
        wanted = self._wanted_by(_Key(event.key()))
        if wanted is None or not len(self._steps):
            event.ignore()
        else:
            self.threshold_wanted.emit(wanted)

    def event(self, event: QEvent) -> bool:
        """Say what a threshold is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self.mark_at(QPointF(event.pos()))
            on_handle = self._on_handle(QPointF(event.pos()))
            tip = mark.tip if mark is not None and not on_handle else self.toolTip()
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The axis, a tick and a name for each threshold, and the handle."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(colours.base))
            font = self.font()
            font.setPointSizeF(font.pointSizeF() * SMALLER)
            painter.setFont(font)
            low, high = self._plot.box.viewRange()[1]
            top, bottom = self.height_of(high), self.height_of(low)
            painter.setPen(QPen(QColor(colours.line), 1.5))
            painter.drawLine(QPointF(SPINE, top), QPointF(SPINE, bottom))
            heights = self._name_heights()
            for mark, y in zip(self.marks, heights[1:], strict=True):
                self._paint_mark(painter, mark, y)
            self._paint_handle(painter, heights[0])

    def _paint_mark(self, painter: QPainter, mark: ThresholdMark, y: float) -> None:
        colours = theme.colours(self.palette())
        colour = QColor(readable(mark.colour, colours.base) if mark.colour else colours.quiet)
        at = self.height_of(mark.threshold)
        painter.setPen(QPen(colour, 1.5))
        painter.drawLine(QPointF(SPINE - 3, at), QPointF(SPINE + 3, at))
        painter.setPen(QPen(colour, 0.8))
        painter.drawLine(QPointF(SPINE + 3, at), QPointF(NAMES - 2, y))
        painter.setPen(colour)
        place = QRectF(NAMES, y - self._line() / 2, self.width() - NAMES, self._line())
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, side, f"{mark.name} {written(mark.threshold)}")

    def _paint_handle(self, painter: QPainter, y: float) -> None:
        colours = theme.colours(self.palette())
        fill = QColor(colours.accent if self.isEnabled() else colours.line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        place = self._handle(y)
        painter.drawRoundedRect(place, 4, 4)
        left, half = place.left() + 2, HANDLE / 2
        painter.drawPolygon(
            QPolygonF([QPointF(0, y), QPointF(left, y - half + 2), QPointF(left, y + half - 2)])
        )
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.text), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 3, 3)
        painter.setPen(QColor(colours.on_accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"cut {written(self.threshold)}")

    def _handle(self, y: float) -> QRectF:
        wide = self._small().horizontalAdvance("cut .0000") + 10
        return QRectF(SPINE + 4, y - HANDLE / 2, wide, HANDLE)

    def _on_handle(self, place: QPointF) -> bool:
        around = self._handle(self.height_of(self.threshold))
        return bool(around.adjusted(-SPINE - 4, 0, 0, 0).contains(place))

    def _name_heights(self) -> list[float]:
        """Where the handle is, and the name of each mark."""
        wanted = [self.height_of(self.threshold)]
        wanted += [self.height_of(mark.threshold) for mark in self.marks]
        half = self._line() / 2
        heights = spread(
            np.array(wanted), 0, max(self._line(), HANDLE - 2), half, self.height() - half
        )
        return [float(height) for height in heights]

    def _line(self) -> float:
        """Of a name, in px."""
        return float(self._small().height())

    def _small(self) -> QFontMetricsF:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * SMALLER)
        return QFontMetricsF(font)

    def _want(self, place: QPointF) -> None:
        """The score at this height, but none outside what the plot shows."""
        low, high = self._plot.box.viewRange()[1]
        at = self._plot.viewport().mapFromGlobal(self.mapToGlobal(place))
        self.threshold_wanted.emit(min(max(self._plot.place_at(at)[1], low), high))

    def _wanted_by(self, key: Qt.Key) -> float | None:
        low, high = self._plot.box.viewRange()[1]
        page, steps = LARGE * (high - low), self._steps
        wanted: dict[Qt.Key, Callable[[], float]] = {
            _Key.Key_Up: lambda: steps.beside(self.threshold, True),
            _Key.Key_Right: lambda: steps.beside(self.threshold, True),
            _Key.Key_Down: lambda: steps.beside(self.threshold, False),
            _Key.Key_Left: lambda: steps.beside(self.threshold, False),
            _Key.Key_PageUp: lambda: min(self.threshold + page, high),
            _Key.Key_PageDown: lambda: max(self.threshold - page, low),
            _Key.Key_Home: lambda: steps.highest,
            _Key.Key_End: lambda: steps.lowest,
        }
        return wanted[key]() if key in wanted and len(steps) else None
