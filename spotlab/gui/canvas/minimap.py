"""A small picture of the whole page in the corner, with the part that the window shows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.region_style import SELECTED, faint
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit import paper

_SIDE = 170  # of its longer side, screen px
_SHARE = 0.33  # of the canvas' shorter side, at most
_CORNER = 14  # from the canvas' corner, screen px


class Minimap(QWidget):
    """Shows where one is; dragging it moves the view."""

    def __init__(self, canvas: QWidget, view: ViewTransform, moved: Callable[[], object]) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._view = view
        self._moved = moved
        self._image: QImage | None = None
        self._picture = QPixmap()  # of the image, as large as it is shown
        self.wanted = True  # by the user
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip("Overview of the page; drag to move the view")

    def use(self, image: QImage | None) -> None:
        """Show another page."""
        self._image, self._picture = image, QPixmap()
        self.place()
        self.update()

    def place(self) -> None:
        """Stay in the canvas' lower right corner, smaller where the canvas is small."""
        canvas = self._canvas
        width, height = self._view.page_size
        side = min(_SIDE, _SHARE * min(canvas.width(), canvas.height()))
        share = side / max(width, height)
        self.resize(max(24, round(width * share)), max(24, round(height * share)))
        self.move(
            canvas.width() - self.width() - _CORNER, canvas.height() - self.height() - _CORNER
        )

    def offer(self, page_shown: bool) -> None:
        """It is of use only while a part of a page is out of sight."""
        left, top, right, bottom = self._view.visible()
        width, height = self._view.page_size
        whole = left <= 0 and top <= 0 and right >= width and bottom >= height
        self.setVisible(self.wanted and page_shown and not whole)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The page and a frame around what is shown."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.fillRect(self.rect(), QColor("#ffffff"))
            if self._image is not None:
                painter.drawPixmap(0, 0, self._scaled(self._image))
            paper.shade(painter, self.rect())
            share_x, share_y = self._shares()
            width, height = self._view.size
            corners = [
                self._view.to_page(x, y)
                for x, y in ((0, 0), (width, 0), (width, height), (0, height))
            ]
            frame = QPolygonF([QPointF(x * share_x, y * share_y) for x, y in corners])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(faint(QColor(SELECTED), 36))
            painter.setPen(QPen(QColor(SELECTED), 1.5))
            painter.drawPolygon(frame)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(0, 0, 0, 120), 1))
            painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def _scaled(self, image: QImage) -> QPixmap:
        """The page at this size; scaled once, for it is painted whenever the view moves."""
        ratio = self.devicePixelRatioF()
        size = self.size() * ratio
        if self._picture.size() != size:
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(QColor("#ffffff"))
            with QPainter(self._picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(self.rect(), image)
        return self._picture

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show this place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._show(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the place under the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._show(event)

    def _show(self, event: QMouseEvent) -> None:
        share_x, share_y = self._shares()
        place = event.position()
        self._view.centre_on(place.x() / share_x, place.y() / share_y)
        self._moved()
        event.accept()

    def _shares(self) -> tuple[float, float]:
        width, height = self._view.page_size
        return self.width() / width, self.height() / height
