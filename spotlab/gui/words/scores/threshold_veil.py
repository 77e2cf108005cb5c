"""Shows a moving threshold on a picture of the plot, which is not drawn anew for each step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.pointed import Place, PointedPlot
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.words.scores.threshold_line import VEIL

REST = 600  # ms without a move, after which the plot itself is shown again
DOT = 5.0  # px, half of it


class ThresholdVeil(QWidget):
    """Lies over the plot while the threshold moves.

    Parameters
    ----------
    plot : PointedPlot
    moving : sequence of QGraphicsItem
        What moves with the threshold, and is not on the picture.
    """

    def __init__(self, plot: PointedPlot, moving: Sequence[QGraphicsItem]) -> None:
        super().__init__(plot.viewport())
        self._plot, self._moving = plot, moving
        self._picture = QPixmap()
        self._line, self._marks = 0.0, [(QPointF(), QColor())]
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self.lift)
        plot.box.sigRangeChanged.connect(self.lift)
        plot.box.sigResized.connect(self.lift)

    def move_to(self, threshold: float, places: Sequence[tuple[Place, str]]) -> None:
        """Show the threshold there; the plot has been told so, too."""
        if not self._plot.isVisible():
            return
        if self.isHidden():
            self._take_picture()
        base = theme.colours(self._plot.palette()).base
        self._line = self._plot.place_on_viewport((0.0, threshold)).y()
        self._marks = [
            (self._plot.place_on_viewport(place), QColor(readable(colour, base)))
            for place, colour in places
        ]
        self._rest.start()
        self.update()

    def lift(self) -> None:
        """Show the plot itself."""
        self._rest.stop()
        self.hide()

    def _take_picture(self) -> None:
        viewport = self._plot.viewport()
        for item in self._moving:
            item.hide()
        self._picture = viewport.grab()
        for item in self._moving:
            item.show()
        self.setGeometry(viewport.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The plot, a veil over what is purged, the line and a dot for each list."""
        colours = theme.colours(self._plot.palette())
        left = self._plot.place_on_viewport((self._plot.box.viewRange()[0][0], 0.0)).x()
        right = self._plot.place_on_viewport((self._plot.box.viewRange()[0][1], 0.0)).x()
        bottom = self._plot.place_on_viewport((0.0, self._plot.box.viewRange()[1][0])).y()
        shade = QColor(colours.base)
        shade.setAlpha(VEIL)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            veil = QRectF(left, self._line, right - left, max(0.0, bottom - self._line))
            painter.fillRect(veil, shade)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.accent), 2.0))
            painter.drawLine(QPointF(left, self._line), QPointF(right, self._line))
            painter.setPen(QPen(QColor(colours.base), 2.0))
            for place, colour in self._marks:
                if left <= place.x() <= right:
                    painter.setBrush(colour)
                    painter.drawEllipse(place, DOT, DOT)
