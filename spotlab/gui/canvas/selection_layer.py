"""Draws what is selected, its control points, and what the pointer is on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from spotlab.editing.operations import HandleKind, bounds_of, handles
from spotlab.gui.canvas.style import ACCENT, HANDLE, accent_pen, casing_pen, region_brush
from spotlab.gui.canvas.view import View
from spotlab.model import Region

HANDLES_UP_TO = 400  # control points; an outline with more gets those that are far enough apart
TURN_ABOVE = 26.0  # px of the widget from the frame to the knob that turns it


def paint_hovered(painter: QPainter, view: View, region: Region) -> None:
    """A thin line around the region that a click would select."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setTransform(view.transform, True)
    painter.setPen(accent_pen(1.5))
    painter.setBrush(region_brush(ACCENT, 0.06))
    painter.drawPolygon(polygon_of(region), Qt.FillRule.OddEvenFill)
    painter.restore()


def paint_selected(painter: QPainter, view: View, regions: Sequence[Region], colour: str) -> None:
    """The outlines of what is selected, over all others."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setTransform(view.transform, True)
    for pen, brush in (
        (casing_pen(5.0), Qt.BrushStyle.NoBrush),
        (accent_pen(2.0), region_brush(colour, 0.22)),
    ):
        painter.setPen(pen)
        painter.setBrush(brush)
        for region in regions:
            painter.drawPolygon(polygon_of(region), Qt.FillRule.OddEvenFill)
    painter.restore()


def paint_handles(painter: QPainter, view: View, region: Region, active: int | None) -> None:
    """The control points of one region."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    points = handles(region)
    step = -(-len(points) // HANDLES_UP_TO)
    for handle in points[::step]:
        x, y = view.to_widget(handle.x, handle.y)
        on = handle.index == active
        half = HANDLE / 2 + (1.5 if on else 0)
        painter.setPen(QPen(QColor(ACCENT), 1.5))
        painter.setBrush(QColor(ACCENT if on else "#FFFFFF"))
        square = QRectF(x - half, y - half, 2 * half, 2 * half)
        if handle.kind is HandleKind.CORNER:
            painter.drawEllipse(square)
        else:
            painter.drawRect(square)
    painter.restore()


def turning_knob(view: View, regions: Sequence[Region]) -> tuple[float, float]:
    """Where the knob that turns the regions is, in widget px."""
    left, top, right, _ = bounds_of(regions)
    x, y = view.to_widget((left + right) / 2, top)
    up_x, up_y = view.to_widget((left + right) / 2, top - 1)
    length = view.scale or 1.0
    return x + (up_x - x) / length * TURN_ABOVE, y + (up_y - y) / length * TURN_ABOVE


def frame_corners(view: View, regions: Sequence[Region]) -> list[tuple[float, float]]:
    """The corners of the frame around the regions in widget px, clockwise from the top left."""
    left, top, right, bottom = bounds_of(regions)
    places = ((left, top), (right, top), (right, bottom), (left, bottom))
    return [view.to_widget(*place) for place in places]


def paint_frame(painter: QPainter, view: View, regions: Sequence[Region]) -> None:
    """The frame by whose corners the regions are scaled and by whose knob they are turned."""
    corners = [QPointF(x, y) for x, y in frame_corners(view, regions)]
    knob = QPointF(*turning_knob(view, regions))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(accent_pen(1.0, dashed=True))
    painter.drawPolygon(QPolygonF(corners))
    painter.drawLine((corners[0] + corners[1]) / 2, knob)
    painter.setPen(QPen(QColor(ACCENT), 1.5))
    painter.setBrush(QColor("#FFFFFF"))
    for corner in corners:
        painter.drawRect(QRectF(corner.x() - 4, corner.y() - 4, 8, 8))
    painter.drawEllipse(knob, 5, 5)
    painter.restore()


def polygon_of(region: Region) -> QPolygonF:
    """The region's points for Qt."""
    return QPolygonF([QPointF(x, y) for x, y in region.points])
