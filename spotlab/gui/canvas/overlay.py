"""Paints what stands out: hovered and selected regions, labels, and what a gesture moves."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPixmap, QTransform

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
from spotlab.gui.canvas.region_tiles import Drawing, draw
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region

_MOST_LABELS = 150  # at once
_MOST_OUTLINED = 8  # selected regions that are painted one by one
_MOST_CHIPS = 1000  # kept
_PADDING = 5.0  # screen px
_GAP, _GAP_FRAMED = 3.0, 17.0  # screen px between a region, or the frame around it, and its label


class Overlay:
    """The regions that are not like the others."""

    def __init__(self, style: RegionStyle) -> None:
        self._style = style
        self.captions = True  # labels also of regions that are neither selected nor pointed at
        self.hovered: str | None = None
        self.instead: list[Region] = []
        self._chips: dict[tuple[str, int, float], QPixmap] = {}
        self._many: tuple[object, QImage, list[Region]] | None = None

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

    def _chip(
        self, region: Region, font: QFont, metrics: QFontMetricsF, ratio: float
    ) -> QPixmap | None:
        """The label's picture, drawn once."""
        text, colour = _text(region), self._style.colour(region)
        if not text:
            return None
        key = (text, colour.rgb(), ratio)
        if key not in self._chips:
            if len(self._chips) > _MOST_CHIPS:
                self._chips.clear()
            self._chips[key] = _drawn_chip(text, colour, font, metrics, ratio)
        return self._chips[key]

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
        if len(shown) > _MOST_OUTLINED:
            painter.restore()
            painter.drawImage(0, 0, self._drawn_together(view, shown))
            return
        for region in shown:
            path = path_of(region)
            painter.fillPath(path, faint(self._style.colour(region), FILL_SELECTED))
            painter.strokePath(path, line_pen(faint(QColor(SELECTED), 70), view.ratio, width=9))
            painter.strokePath(path, casing_pen(view.ratio, 5))
            pen = line_pen(self._style.colour(region), view.ratio, dashes=dashed(region), width=2.5)
            painter.strokePath(path, pen)
        painter.restore()

    def _drawn_together(self, view: ViewTransform, regions: list[Region]) -> QImage:
        """Many selected regions as one image, kept while neither they nor the view change."""
        key = (view.key, tuple(map(id, regions)))
        if self._many is None or self._many[0] != key:
            accent = QColor(SELECTED)
            a, b, c, d, dx, dy = (value * view.ratio for value in view.matrix)
            size = (math.ceil(view.size[0] * view.ratio), math.ceil(view.size[1] * view.ratio))
            colours = [(accent.red(), accent.green(), accent.blue())] * len(regions)
            image = draw(Drawing(regions, colours, (a, b, c, d, dx, dy), view.ratio, size))
            image.setDevicePixelRatio(view.ratio)
            self._many = (key, image, regions)  # alive, so that their ids stay theirs
        return self._many[1]

    def _paint_hovered(self, painter: QPainter, view: ViewTransform, region: Region) -> None:
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        path = path_of(region)
        painter.fillPath(path, faint(self._style.colour(region), FILL_HOVERED))
        painter.strokePath(path, casing_pen(view.ratio, 5))
        pen = line_pen(self._style.colour(region), view.ratio, dashes=dashed(region), width=3)
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
        metrics = QFontMetricsF(font)
        always = outlined[:_MOST_LABELS] + ([hovered] if hovered else [])
        ids = {region.id for region in always} | hidden
        shown = index.visible(view.visible())
        if self.captions and len(shown) <= 4 * _MOST_LABELS:
            roomy = [
                region
                for region in shown
                if region.id not in ids and _room_for(region, view, metrics)
            ]
            always = roomy[:_MOST_LABELS] + always
        raised = {region.id for region in outlined}
        for region in always:
            gap = _GAP_FRAMED if region.id in raised else _GAP
            _place_chip(painter, view, region, self._chip(region, font, metrics, view.ratio), gap)


def _drawn_chip(
    text: str, colour: QColor, font: QFont, metrics: QFontMetricsF, ratio: float
) -> QPixmap:
    """A label on its colour."""
    width = metrics.horizontalAdvance(text) + 2 * _PADDING
    height = metrics.height() + 2
    chip = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
    chip.setDevicePixelRatio(ratio)
    chip.fill(Qt.GlobalColor.transparent)
    with QPainter(chip) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(0.5, 0.5, width - 1, height - 1)
        painter.setPen(QColor(255, 255, 255, 170))
        painter.setBrush(faint(colour, 235))
        painter.drawRoundedRect(place, 4, 4)
        painter.setFont(font)
        painter.setPen(text_colour(colour))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    return chip


def _text(region: Region) -> str:
    mark = "?" if region.uncertain else ""
    ignored = "(ignored)" if region.ignored else ""
    return " ".join(part for part in (region.label, mark, ignored) if part)


def _room_for(region: Region, view: ViewTransform, metrics: QFontMetricsF) -> bool:
    """Whether the region is so large on the screen that its label hides little of it."""
    left, top, right, bottom = region.bounds
    width, height = (right - left) * view.scale, (bottom - top) * view.scale
    text = _text(region)
    return bool(text) and height >= 44 and width >= metrics.horizontalAdvance(text) + 16


def _place_chip(
    painter: QPainter, view: ViewTransform, region: Region, chip: QPixmap | None, gap: float
) -> None:
    """A label at the region's upper left, inside the window."""
    left, top, right, bottom = region.bounds
    corners = view.points_to_view([(left, top), (right, top), (right, bottom), (left, bottom)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    if chip is None or (high < 0).any() or (low > view.size).any():
        return
    size = chip.deviceIndependentSize()
    x = min(max(low[0], 2.0), view.size[0] - size.width() - 2)
    y = min(max(low[1] - size.height() - gap, 2.0), view.size[1] - size.height() - 2)
    painter.drawPixmap(QPointF(round(x), round(y)), chip)


def banner(painter: QPainter, view: ViewTransform, text: str, colour: QColor) -> None:
    """A few words in the middle of an empty canvas."""
    font = QFont(painter.font())
    font.setPixelSize(15)
    painter.setFont(font)
    painter.setPen(colour)
    width, height = view.size
    place = QRectF(QPointF(24, 24), QPointF(max(25.0, width - 24), max(25.0, height - 24)))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
