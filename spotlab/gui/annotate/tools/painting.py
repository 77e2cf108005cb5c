"""Paints what tools show while they work, in screen px."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from spotlab.gui.canvas.region_style import SELECTED, faint
from spotlab.gui.canvas.view import ViewTransform

HANDLE = 4.0  # half its side, screen px


def transform_of(view: ViewTransform) -> QTransform:
    """From page px to screen px."""
    return QTransform(*view.matrix)


def polygon_in_view(points: ArrayLike, view: ViewTransform) -> QPolygonF:
    """The points on the screen."""
    return QPolygonF([QPointF(x, y) for x, y in view.points_to_view(points).tolist()])


def outline(
    painter: QPainter,
    points: ArrayLike,
    view: ViewTransform,
    colour: QColor,
    *,
    closed: bool = True,
    fill: int = 0,
    dashes: bool = False,
) -> None:
    """A line with a light border, and a translucent inside."""
    shape = QPainterPath()
    shape.addPolygon(polygon_in_view(points, view))
    if closed:
        shape.closeSubpath()
    stroke(painter, shape, colour, fill=fill, dashes=dashes)


def stroke(
    painter: QPainter, shape: QPainterPath, colour: QColor, *, fill: int = 0, dashes: bool = False
) -> None:
    """A path in screen px, drawn like the outlines of regions."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if fill:
        painter.fillPath(shape, faint(colour, fill))
    for pen in (QPen(QColor(255, 255, 255, 200), 4), QPen(colour, 2)):
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        if dashes and pen.width() == 2:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([3, 2])
        painter.strokePath(shape, pen)


def smooth_path(points: ArrayLike, view: ViewTransform) -> QPainterPath:
    """A freehand line through the middles of its parts, so that it does not look jagged."""
    shown = view.points_to_view(points)
    path = QPainterPath()
    if not len(shown):
        return path
    path.moveTo(*shown[0].tolist())
    middles = (shown[:-1] + shown[1:]) / 2
    for (x, y), (to_x, to_y) in zip(shown[:-1].tolist(), middles.tolist(), strict=True):
        path.quadTo(x, y, to_x, to_y)
    path.lineTo(*shown[-1].tolist())
    return path


def handle(
    painter: QPainter,
    x: float,
    y: float,
    *,
    hot: bool = False,
    ring: bool = False,
    selected: bool = False,
) -> None:
    """Paint a control point, square or round, at a place on the screen."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    half = HANDLE + 1.5 if hot or selected else HANDLE
    if selected:
        painter.setPen(QPen(QColor("#ffffff"), 1.5))
        painter.setBrush(QColor("#d55e00"))
        painter.drawRect(QRectF(x - half - 1, y - half - 1, 2 * half + 2, 2 * half + 2))
        return
    place = QRectF(x - half, y - half, 2 * half, 2 * half)
    painter.setPen(QPen(QColor(SELECTED), 1.5))
    painter.setBrush(QColor(SELECTED) if hot else QColor("#ffffff"))
    if ring:
        painter.drawEllipse(place)
    else:
        painter.drawRoundedRect(place, 1.5, 1.5)


def tint(mask: np.ndarray, colour: QColor, factor: int) -> QImage:
    """An image of a mask in a colour, ``factor`` times smaller.

    Parameters
    ----------
    mask : (h, w) bool
    colour : QColor
    factor : int
        How many px of the page one of the image stands for in each direction.
    """
    height, width = -(-mask.shape[0] // factor), -(-mask.shape[1] // factor)
    small = np.zeros((height, width), np.bool_)
    for row in range(factor):  # whatever has ink shows, however thin
        for column in range(factor):
            part = mask[row::factor, column::factor]
            small[: part.shape[0], : part.shape[1]] |= part
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    memory = np.frombuffer(image.bits(), np.uint8).reshape(height, width, 4)
    memory[:] = 0
    memory[small] = (colour.blue(), colour.green(), colour.red(), 255)
    return image
