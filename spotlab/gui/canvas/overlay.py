"""Paints what stands out: hovered and selected regions, labels, and what a gesture moves."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTransform

from spotlab.editing.hit import RegionIndex
from spotlab.gui.canvas.region_style import (
    FILL_HOVERED,
    FILL_SELECTED,
    SELECTED,
    RegionStyle,
    casing_pen,
    dashed,
    faint,
    line_pen,
    path_of,
    text_colour,
)
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region

_MOST_LABELS = 150  # at once
_MOST_OUTLINED = 600  # selected regions with a casing and an accent
_PADDING = 5.0  # screen px
_GAP, _GAP_FRAMED = 3.0, 17.0  # screen px between a region, or the frame around it, and its label


class Overlay:
    """The regions that are not like the others."""

    def __init__(self, style: RegionStyle) -> None:
        self._style = style
        self.hovered: str | None = None
        self.instead: list[Region] = []

    def paint(
        self,
        painter: QPainter,
        view: ViewTransform,
        index: RegionIndex,
        selected: Iterable[Region],
        hidden: frozenset[str],
    ) -> None:
        """Paint them over the page."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        standing = [region for region in selected if region.id not in hidden]
        outlined = standing + self.instead
        self._paint_outlines(painter, view, outlined)
        hovered = index.get(self.hovered) if self.hovered else None
        if hovered is not None and hovered.id in {region.id for region in outlined}:
            hovered = None
        if hovered is not None and hovered.id not in hidden:
            self._paint_hovered(painter, view, hovered)
        self._paint_labels(painter, view, index, hidden, outlined, hovered)
        painter.restore()

    def _paint_outlines(
        self, painter: QPainter, view: ViewTransform, regions: list[Region]
    ) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        left, top, right, bottom = view.visible()
        shown = [
            region
            for region in regions
            if region.bounds[0] <= right and region.bounds[2] >= left
            and region.bounds[1] <= bottom and region.bounds[3] >= top
        ]  # fmt: skip
        many = len(shown) > _MOST_OUTLINED
        for region in shown:
            path = path_of(region)
            painter.fillPath(path, faint(self._style.colour(region), FILL_SELECTED))
            if not many:
                painter.strokePath(path, line_pen(faint(QColor(SELECTED), 70), width=9))
                painter.strokePath(path, casing_pen(5))
            colour = QColor(SELECTED) if many else self._style.colour(region)
            painter.strokePath(path, line_pen(colour, dashes=dashed(region), width=2.5))
        painter.restore()

    def _paint_hovered(self, painter: QPainter, view: ViewTransform, region: Region) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        path = path_of(region)
        painter.fillPath(path, faint(self._style.colour(region), FILL_HOVERED))
        painter.strokePath(path, casing_pen(5))
        pen = line_pen(self._style.colour(region), dashes=dashed(region), width=3)
        painter.strokePath(path, pen)
        painter.restore()

    def _paint_labels(
        self,
        painter: QPainter,
        view: ViewTransform,
        index: RegionIndex,
        hidden: frozenset[str],
        outlined: list[Region],
        hovered: Region | None,
    ) -> None:
        font = QFont(painter.font())
        font.setPixelSize(11)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        always = outlined[:_MOST_LABELS] + ([hovered] if hovered else [])
        ids = {region.id for region in always} | hidden
        shown = index.visible(view.visible())
        if len(shown) <= 4 * _MOST_LABELS:
            roomy = [
                region
                for region in shown
                if region.id not in ids and _room_for(region, view, metrics)
            ]
            always = roomy[:_MOST_LABELS] + always
        raised = {region.id for region in outlined}
        for region in always:
            gap = _GAP_FRAMED if region.id in raised else _GAP
            _chip(painter, view, region, self._style.colour(region), metrics, gap)


def _text(region: Region) -> str:
    return (region.label + " ?").strip() if region.uncertain else region.label


def _room_for(region: Region, view: ViewTransform, metrics: QFontMetricsF) -> bool:
    """Whether the region is so large on the screen that its label hides little of it."""
    left, top, right, bottom = region.bounds
    width, height = (right - left) * view.scale, (bottom - top) * view.scale
    text = _text(region)
    return bool(text) and height >= 44 and width >= metrics.horizontalAdvance(text) + 16


def _chip(
    painter: QPainter,
    view: ViewTransform,
    region: Region,
    colour: QColor,
    metrics: QFontMetricsF,
    gap: float,
) -> None:
    """The label on its colour, at the region's upper left and inside the window."""
    text = _text(region)
    if not text:
        return
    left, top, right, bottom = region.bounds
    corners = view.points_to_view([(left, top), (right, top), (right, bottom), (left, bottom)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    width = metrics.horizontalAdvance(text) + 2 * _PADDING
    height = metrics.height() + 2
    if (high < 0).any() or low[0] > view.size[0] or low[1] > view.size[1]:
        return
    x = min(max(low[0], 2.0), view.size[0] - width - 2)
    y = min(max(low[1] - height - gap, 2.0), view.size[1] - height - 2)
    place = QRectF(x, y, width, height)
    painter.setPen(QColor(255, 255, 255, 170))
    painter.setBrush(faint(colour, 235))
    painter.drawRoundedRect(place, 4, 4)
    painter.setPen(text_colour(colour))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)


def banner(painter: QPainter, view: ViewTransform, text: str, colour: QColor) -> None:
    """A few words in the middle of an empty canvas."""
    font = QFont(painter.font())
    font.setPixelSize(15)
    painter.setFont(font)
    painter.setPen(colour)
    width, height = view.size
    place = QRectF(QPointF(24, 24), QPointF(max(25.0, width - 24), max(25.0, height - 24)))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
