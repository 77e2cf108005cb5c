"""Numbers and arrows over the page that show in which order its regions are read."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Layer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit.settings import READING_ORDER
from spotlab.model import Region

COLOUR, PAPER = QColor("#7c3aed"), QColor("#ffffff")
_HEAD = 7.0  # screen px of an arrow's head
_APART = 26.0  # screen px between two regions from which on an arrow has room
_PADDING = 4.0


class OrderLayer(Layer):
    """Lies over the regions while the reading order is to be seen."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._workbench = canvas.workbench
        self._leave = canvas.workbench.settings.changed.connect(lambda *_: canvas.layer_changed())

    @property
    def shown(self) -> bool:
        """Only where the truth is drawn, and on request."""
        workbench = self._workbench
        document = workbench.document
        wanted = workbench.draws and workbench.settings.get(READING_ORDER)
        return bool(wanted and document is not None and document.page.order is not None)

    def stop(self) -> None:
        """Listen no longer."""
        self._leave()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint arrows between the regions, and the number of each."""
        document = self._workbench.document
        order = document.page.order if document is not None else None
        if document is None or order is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        left, top, right, bottom = view.visible()
        seen = QRectF(left, top, right - left, bottom - top)
        for first, second in order.steps():
            one, other = document.get(first), document.get(second)
            if one is not None and other is not None:
                line = QLineF(_middle(one), _middle(other))
                around = QRectF(line.p1(), line.p2()).normalized().adjusted(-1, -1, 1, 1)
                if around.intersects(seen):
                    self._paint_arrow(painter, view, line)
        for id, number in order.numbers().items():
            region = document.get(id)
            if region is not None and seen.contains(_middle(region)):
                self._paint_number(painter, view, region, number)
        painter.restore()

    def _paint_arrow(self, painter: QPainter, view: ViewTransform, line: QLineF) -> None:
        ends = [QPointF(*view.to_view(point.x(), point.y())) for point in (line.p1(), line.p2())]
        shown = QLineF(*ends)
        length = shown.length()
        if length < _APART:
            return
        for width, colour in ((3.5, PAPER), (1.5, COLOUR)):  # to be seen on any ink
            painter.setPen(QPen(colour, width))
            painter.drawLine(shown)
        tip = shown.pointAt(0.5 + _HEAD / 2 / length)
        angle = math.radians(-shown.angle())
        sides = [
            QPointF(
                tip.x() - _HEAD * math.cos(angle + turn), tip.y() - _HEAD * math.sin(angle + turn)
            )
            for turn in (-0.5, 0.5)
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(COLOUR)
        painter.drawPolygon(QPolygonF([tip, *sides]))

    def _paint_number(
        self, painter: QPainter, view: ViewTransform, region: Region, number: str
    ) -> None:
        place = _middle(region)
        text = painter.fontMetrics().boundingRect(number)
        height = text.height() + _PADDING / 2
        width = max(text.width() + 2 * _PADDING, height)
        badge = QRectF(0, 0, width, height)
        badge.moveCenter(QPointF(*view.to_view(place.x(), place.y())))
        painter.setPen(QPen(PAPER, 1))
        painter.setBrush(COLOUR)
        painter.drawRoundedRect(badge, height / 2, height / 2)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, number)


def _middle(region: Region) -> QPointF:
    left, top, right, bottom = region.bounds
    return QPointF((left + right) / 2, (top + bottom) / 2)
