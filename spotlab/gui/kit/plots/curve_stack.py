"""Curves that are painted into a picture once, so that a mark moves over them at no cost."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget


class CurveStack(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Paints curves, those on top last; on the screen from a picture as long as none changes."""

    def __init__(self) -> None:
        super().__init__()
        self._levels: list[tuple[float, pg.PlotCurveItem]] = []
        self._picture: tuple[QTransform, float, QRect, QPixmap] | None = None

    def add(self, curve: pg.PlotCurveItem, level: float) -> None:
        """Paint this curve, too, above those of lower levels."""
        self._levels.append((level, curve))
        self._levels.sort(key=lambda each: each[0])
        self.draw_again()

    def draw_again(self) -> None:
        """Draw the curves anew: they have other points or pens, or are shown or hidden."""
        self._picture = None
        self.update()

    def boundingRect(self) -> QRectF:
        """All that the plot shows."""
        box = self.getViewBox()
        return QRectF(0, 0, 1, 1) if box is None else QRectF(box.viewRect())

    def viewTransformChanged(self) -> None:
        """The plot shows another part."""
        self.prepareGeometryChange()
        self._picture = None

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the picture; what is saved to files has lines instead."""
        if widget is None:
            self._paint_curves(painter, option)
            return
        at, ratio = painter.transform(), widget.devicePixelRatioF()
        if self._picture is None or self._picture[:2] != (at, ratio):
            place = at.mapRect(self.boundingRect()).toAlignedRect() & widget.rect()
            self._picture = at, ratio, place, self._drawn(at, ratio, place, painter, option)
        *_, place, picture = self._picture
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(QPointF(place.topLeft()), picture)
        painter.restore()

    def _drawn(
        self,
        at: QTransform,
        ratio: float,
        place: QRect,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
    ) -> QPixmap:
        picture = QPixmap((place.size().toSizeF() * ratio).toSize())
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        if not picture.isNull():
            with QPainter(picture) as into:
                into.setRenderHints(painter.renderHints())
                into.setTransform(at * QTransform.fromTranslate(-place.x(), -place.y()))
                self._paint_curves(into, option)
        return picture

    def _paint_curves(self, painter: QPainter, option: QStyleOptionGraphicsItem) -> None:
        for _, curve in self._levels:
            if curve.isVisible():
                painter.save()
                curve.paint(painter, option, None)
                painter.restore()
