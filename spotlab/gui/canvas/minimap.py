"""The whole page, small, in a corner of the canvas, with a frame around what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPen, QPolygonF

from spotlab.gui.canvas.style import ACCENT
from spotlab.gui.canvas.tiles import image_from

if TYPE_CHECKING:
    from spotlab.gui.canvas.canvas import Canvas

SIDE = 150.0  # px of the longer side
EDGE = 14.0  # px from the canvas's corner


class Minimap:
    """Shows itself when not all of the page is in sight; drag its frame to look elsewhere."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._shown = True
        self._dragging = False
        self._picture = QImage()
        self._of: object = None

    @property
    def shown(self) -> bool:
        """Whether the user wants it."""
        return self._shown

    @shown.setter
    def shown(self, shown: bool) -> None:
        self._shown = shown
        self._canvas.update()

    def press(self, event: QMouseEvent) -> bool:
        """Look at the place that is pressed."""
        if event.button() != Qt.MouseButton.LeftButton or not self._visible:
            return False
        if self._canvas.gesture is not None or not self._place.contains(event.position()):
            return False
        self._dragging = True
        return self.move(event)

    def move(self, event: QMouseEvent) -> bool:
        """Look where the pointer is dragged."""
        if not self._dragging:
            return False
        canvas, place = self._canvas, self._place
        x = (event.position().x() - place.x()) / place.width() * canvas.view.page[0]
        y = (event.position().y() - place.y()) / place.height() * canvas.view.page[1]
        canvas.fitted = False
        canvas.set_view(canvas.view.holding((x, y), (canvas.width() / 2, canvas.height() / 2)))
        return True

    def release(self, _: QMouseEvent) -> bool:
        """Stay there."""
        was, self._dragging = self._dragging, False
        return was

    def paint(self, painter: QPainter) -> None:
        """Draw it, if it is to be seen."""
        if not self._visible:
            return
        canvas, place = self._canvas, self._place
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setPen(QPen(QColor(0, 0, 0, 70), 1))
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.drawImage(place, self._image())
        width, height = canvas.width(), canvas.height()
        corners = [
            canvas.view.to_page(x, y) for x, y in ((0, 0), (width, 0), (width, height), (0, height))
        ]
        scale = place.width() / canvas.view.page[0]
        frame = QPolygonF(
            [QPointF(place.x() + x * scale, place.y() + y * scale) for x, y in corners]
        )
        painter.setClipRect(place)
        painter.setPen(QPen(QColor(ACCENT), 1.5))
        painter.setBrush(QColor(27, 127, 227, 28))
        painter.drawPolygon(frame)
        painter.restore()

    @property
    def _visible(self) -> bool:
        canvas = self._canvas
        if not self._shown or canvas.workbench.pixels is None or canvas.width() < 3 * SIDE:
            return False
        left, top, right, bottom = canvas.view.seen
        return left > 0 or top > 0 or right < canvas.view.page[0] or bottom < canvas.view.page[1]

    @property
    def _place(self) -> QRectF:
        width, height = self._canvas.view.page
        scale = SIDE / max(width, height)
        size = max(width * scale, 4.0), max(height * scale, 4.0)
        return QRectF(
            self._canvas.width() - size[0] - EDGE, self._canvas.height() - size[1] - EDGE, *size
        )

    def _image(self) -> QImage:
        pyramid = self._canvas.workbench.pixels.pyramid
        if self._of is not pyramid:
            self._of = pyramid
            self._picture = image_from(pyramid.tile(pyramid.levels - 1, 0, 0)).scaled(
                int(SIDE * 2),
                int(SIDE * 2),
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        return self._picture
