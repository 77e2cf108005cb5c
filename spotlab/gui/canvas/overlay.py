"""Paints what stands out: hovered and selected regions, labels, and what a gesture moves."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QTransform

from spotlab.editing.hit import RegionIndex
from spotlab.gui.canvas.label_chips import ROOM, LabelChips
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
)
from spotlab.gui.canvas.region_tiles import Drawing, draw
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region

_MOST_OUTLINED = 8  # selected regions that are painted one by one


class Overlay:
    """The regions that are not like the others."""

    def __init__(self, style: RegionStyle) -> None:
        self._style = style
        self.captions = True  # labels also of regions that are neither selected nor pointed at
        self.hovered: str | None = None
        self.instead: list[Region] = []
        self._labels = LabelChips(style)
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
        ids = {region.id for region in outlined} | hidden | {self.hovered}
        extent = ROOM / view.scale
        shown = index.visible(view.visible(), extent) if self.captions else ()
        others = [region for region in shown if region.id not in ids]
        pointed_at = hovered if hovered is not None and hovered.id not in hidden else None
        self._labels.paint(painter, view, outlined, pointed_at, others)
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


def banner(painter: QPainter, view: ViewTransform, text: str, colour: QColor) -> None:
    """A few words in the middle of an empty canvas."""
    font = QFont(painter.font())
    font.setPixelSize(15)
    painter.setFont(font)
    painter.setPen(colour)
    width, height = view.size
    place = QRectF(QPointF(24, 24), QPointF(max(25.0, width - 24), max(25.0, height - 24)))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
