"""Paints the page: tiles of the level that suits the zoom, coarser ones until they are there."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from copy import copy
from itertools import count

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QRegion,
    QTransform,
)

from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.region_tiles import Address, Light, MakeTile, TileCache
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit import theme
from spotlab.imaging.page_ink import PageInk, ink_tile
from spotlab.imaging.reading.pyramid import TILE, Pixels, Pyramid

# Smooth scaling reads two pixels each way; from more than this many a thin line could fall between.
_MOST_PIXELS = 1.5
_numbers = count()


class PageLayer:
    """The page's pixels, or its ink, as the bottom of the canvas."""

    def __init__(self, arrived: Callable[[], object]) -> None:
        self._tiles = TileCache(self._came)
        self._arrived = arrived
        self._damage: list[Address] | None = None
        self._pyramid: Pyramid | None = None
        self._size = (1, 1)
        self._make: MakeTile | None = None
        self._source: Hashable = 0
        self._before: tuple[Pyramid, Hashable] | None = None  # a preview, until all tiles are there
        self.light = Light()

    @property
    def busy(self) -> bool:
        """Tell whether tiles are still being made."""
        return self._tiles.busy

    @property
    def shown(self) -> bool:
        """Tell whether there are pixels to show."""
        return self._pyramid is not None

    def use(self, pyramid: Pyramid | None, size: tuple[int, int]) -> None:
        """Show another page's pixels; ``size`` is the page's, ``pyramid`` may be a preview's.

        A preview of the same page is seen until the tiles that take its place are there.
        """
        if pyramid and self._pyramid and self._is_preview(self._pyramid) and self._size == size:
            self._before = (self._pyramid, self._source)
        else:
            self._before = None
            self._tiles.clear()
        self._pyramid, self._size = pyramid, size
        self._make = pyramid.tile if pyramid else None
        self._renew()

    def show_ink(self, ink: PageInk | None, coloured: bool) -> None:
        """Show ink instead of the page, or with None the page again."""
        if self._pyramid is None:
            return
        self._before = None
        if ink is None:
            self._make = self._pyramid.tile
        else:
            self._make = _ink_tiles(ink, coloured)
        self._tiles.forget_wishes()
        self._renew()

    def set_light(self, light: Light) -> None:
        """Show the pixels brighter or with more contrast."""
        if light != self.light:
            self.light = light
            self._before = None
            self._tiles.forget_wishes()
            self._renew()

    def take_damage(self, view: ViewTransform) -> list[QRectF] | None:
        """Places in screen px that look otherwise than at the last call; None: everything."""
        damage, self._damage = self._damage, []
        if damage is None or self._pyramid is None:
            return None
        across = self._size[0] / self._pyramid.width
        down = self._size[1] / self._pyramid.height
        to_view = QTransform.fromScale(across, down) * QTransform(*view.matrix)
        return [to_view.mapRect(_place(self._pyramid, address)) for address in damage]

    def _renew(self) -> None:
        """Everything looks otherwise."""
        self._source = next(_numbers)
        self._damage = None

    def _came(self, address: Address) -> None:
        if self._damage is not None:
            self._damage.append(address)
        self._arrived()

    def thumbnail(self) -> QImage | None:
        """The whole page as one small image."""
        if self._pyramid is None or self._make is None:
            return None
        return self._tiles.make_now(
            self._source, self._make, (self._pyramid.levels - 1, 0, 0), self.light
        )

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint what the window shows of the page."""
        width, height = self._size
        _paper(painter, view, width, height)
        painter.save()
        painter.setTransform(QTransform(*view.matrix), True)
        if self._pyramid is not None and self._make is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            smooth = view.scale * view.ratio < 1 or self._is_preview(self._pyramid)
            painter.setRenderHint(
                QPainter.RenderHint.SmoothPixmapTransform, smooth or view.angle % 90 != 0
            )
            if self._before is not None:
                pyramid, source = self._before
                self._paint_tiles(painter, view, pyramid, pyramid.tile, source)
            if self._paint_tiles(painter, view, self._pyramid, self._make, self._source):
                self._before = None
        else:
            painter.fillRect(QRectF(0, 0, width, height), QColor("#ffffff"))
        theme.shade(painter, QRectF(0, 0, width, height))
        painter.restore()

    def _is_preview(self, pyramid: Pyramid) -> bool:
        return pyramid.width != self._size[0]

    def _paint_tiles(
        self,
        painter: QPainter,
        view: ViewTransform,
        pyramid: Pyramid,
        make: MakeTile,
        source: Hashable,
    ) -> bool:
        """Paint the tiles that are there, and coarser ones for others; whether all are."""
        across, down = self._size[0] / pyramid.width, self._size[1] / pyramid.height
        level = _level(view.scale * view.ratio * across, pyramid.levels)
        side = TILE * 2**level
        left, top, right, bottom = view.visible()
        last_column, last_row = (pyramid.width - 1) // side, (pyramid.height - 1) // side
        columns = range(max(0, int(left / across) // side),
                        min(last_column, int(right / across) // side) + 1)  # fmt: skip
        rows = range(max(0, int(top / down) // side),
                     min(last_row, int(bottom / down) // side) + 1)  # fmt: skip
        painter.save()
        painter.scale(across, down)
        self._tiles.forget_wishes()
        if source == self._source:  # the tiles of a preview before it are fewer
            self._tiles.make_room(len(rows) * len(columns) * (2 if self._before else 1))
        missing = []
        for row in rows:
            for column in columns:
                if self._tiles.get(source, (level, column, row)) is None:
                    missing.append((level, column, row))
        if missing:
            coarse = pyramid.levels - 1
            self._tiles.make_now(source, make, (coarse, 0, 0), self.light)
            centre = ((columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2)
            missing.sort(key=lambda at: math.hypot(at[1] - centre[0], at[2] - centre[1]))
        preview = self._is_preview(pyramid)
        for address in missing:
            if preview:  # it has few tiles, and may have gone when they come
                self._tiles.make_now(source, make, address, self.light)
                continue
            if self._before is None:
                self._stand_in(painter, pyramid, address)
            self._tiles.want(source, make, address, self.light)
        for row in rows:
            for column in columns:
                image = self._tiles.get(source, (level, column, row))
                if image is not None:
                    _draw(painter, pyramid, image, (level, column, row))
        self._tiles.start()
        painter.restore()
        return preview or not missing

    def _stand_in(self, painter: QPainter, pyramid: Pyramid, address: tuple[int, int, int]) -> None:
        """A part of the next coarser tile that is there."""
        level, column, row = address
        for coarse in range(level + 1, pyramid.levels):
            shift = coarse - level
            image = self._tiles.get(self._source, (coarse, column >> shift, row >> shift))
            if image is None:
                continue
            place = _place(pyramid, address)
            share = 2**coarse
            origin = QPointF((column >> shift) * TILE, (row >> shift) * TILE)
            part = QRectF(
                place.x() / share, place.y() / share, place.width() / share, place.height() / share
            ).translated(-origin)
            painter.drawImage(place, image, part)
            return


def _level(scale: float, levels: int) -> int:
    """The finest level that smooth scaling does not lose lines of."""
    level = 0
    while level < levels - 1 and 1 / (scale * 2**level) > _MOST_PIXELS:
        level += 1
    return level


def _place(pyramid: Pyramid, address: tuple[int, int, int]) -> QRectF:
    """Tell where on the page a tile lies, in px; the page's edge cuts the last ones."""
    level, column, row = address
    side = TILE * 2**level
    left, top = column * side, row * side
    right, bottom = min(left + side, pyramid.width), min(top + side, pyramid.height)
    return QRectF(left, top, right - left, bottom - top)


def _draw(
    painter: QPainter, pyramid: Pyramid, image: QImage, address: tuple[int, int, int]
) -> None:
    place = _place(pyramid, address)
    share = 2 ** address[0]
    painter.drawImage(place, image, QRectF(0, 0, place.width() / share, place.height() / share))


def _ink_tiles(ink: PageInk, coloured: bool) -> MakeTile:
    def make(level: int, column: int, row: int) -> Pixels:
        return ink_tile(ink, level, column, row, coloured)

    return make


def _paper(painter: QPainter, view: ViewTransform, width: int, height: int) -> None:
    """The sheet: a soft shadow and a thin edge around it, and white where pixels are to come."""
    painter.save()
    painter.resetTransform()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    corners = view.points_to_view([(0, 0), (width, 0), (width, height), (0, height)])
    sheet = QPolygonF([QPointF(x, y) for x, y in corners.tolist()])
    shape = QPainterPath()
    shape.addPolygon(sheet)
    shape.closeSubpath()
    outside = QRegion(painter.window()) - QRegion(sheet.toPolygon())
    painter.setClipRegion(outside, Qt.ClipOperation.IntersectClip)
    upright = view.angle % 90 == 0
    for spread, alpha in ((18, 8), (12, 12), (7, 18), (2, 70)):
        colour = QColor(0, 0, 0, alpha)
        if upright:  # ten times as quick as a smooth stroke
            reach = spread / 2
            shadow = sheet.boundingRect().translated(0, spread / 6)
            painter.fillRect(shadow.adjusted(-reach, -reach, reach, reach), colour)
        else:
            pen = QPen(colour, spread)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.strokePath(shape.translated(0, spread / 6), pen)
    painter.restore()


_MANY_PIXELS = 3_000_000  # of the window, from which a zoom is painted at half the resolution
_SHARP_AFTER = 90  # ms without another zoom


class Backdrop:
    """The page and its regions as they were painted last.

    Parameters
    ----------
    page : PageLayer
    regions : RegionLayer
    refresh : callable
        Called when the picture can be painted better.
    """

    def __init__(
        self, page: PageLayer, regions: RegionLayer, refresh: Callable[[], object]
    ) -> None:
        self._page, self._regions = page, regions
        self._picture = QPixmap()
        self._shows: tuple[Hashable, ...] | None = None
        self._offset = (0, 0)  # of the page in the picture, device px
        self._timer = QTimer(singleShot=True, interval=_SHARP_AFTER)
        self._timer.timeout.connect(refresh)

    @property
    def busy(self) -> bool:
        """Tell whether the picture is not painted in full quality yet."""
        return self._timer.isActive()

    def stop(self) -> None:
        """Keep nothing, and paint nothing any more."""
        self._timer.stop()
        self._picture, self._shows = QPixmap(), None

    def paint(
        self, painter: QPainter, view: ViewTransform, behind: QColor, *, regions: bool
    ) -> None:
        """Paint all of the window.

        Parameters
        ----------
        painter : QPainter
        view : ViewTransform
        behind : QColor
            Around the page.
        regions : bool
            Whether the regions are painted, too.
        """
        scale = (view.scale, view.angle, *view.size, view.ratio)
        zoomed = self._shows is not None and self._shows[0] != scale
        whole = math.ceil(view.size[0] * view.ratio) * math.ceil(view.size[1] * view.ratio)
        if zoomed and whole > _MANY_PIXELS:
            self._timer.start()
        draft = copy(view)
        if self._timer.isActive():
            draft.ratio = view.ratio / 2
        width, height = (math.ceil(side * draft.ratio) for side in view.size)
        shows = (scale, draft.ratio, behind.rgb(), theme.look(), regions, self._regions.visible)
        new = self._new_parts(shows, QRect(0, 0, width, height), draft, view)
        if not new.isEmpty():
            self._paint_parts(new, draft, view, behind, regions)
        elif regions:
            self._regions.look(view)
        painter.drawPixmap(0, 0, self._picture)

    def _new_parts(
        self, shows: tuple[Hashable, ...], window: QRect, draft: ViewTransform, view: ViewTransform
    ) -> QRegion:
        """Return what of the picture has to be painted, in its pixels; the rest is moved there."""
        offset = (round(draft.x * draft.ratio), round(draft.y * draft.ratio))
        dx, dy = offset[0] - self._offset[0], offset[1] - self._offset[1]
        page, regions = self._page.take_damage(draft), self._regions.take_damage(view)
        same = shows == self._shows and self._picture.size() == window.size()
        self._shows, self._offset = shows, offset
        if not same or page is None or regions is None:
            if self._picture.size() != window.size():
                self._picture = QPixmap(window.size())
                self._picture.setDevicePixelRatio(draft.ratio)
            return QRegion(window)
        new = QRegion()
        if dx or dy:
            if abs(dx) >= window.width() or abs(dy) >= window.height():
                return QRegion(window)
            self._picture.scroll(dx, dy, window)
            new = QRegion(window) - QRegion(window.translated(dx, dy))
        for place in (*page, *regions):
            scaled = QRect(
                math.floor(place.x() * draft.ratio) - 1,
                math.floor(place.y() * draft.ratio) - 1,
                math.ceil(place.width() * draft.ratio) + 3,
                math.ceil(place.height() * draft.ratio) + 3,
            )
            new += scaled & window
        return new

    def _paint_parts(
        self,
        parts: QRegion,
        draft: ViewTransform,
        view: ViewTransform,
        behind: QColor,
        regions: bool,
    ) -> None:
        with QPainter(self._picture) as painter:
            painter.scale(1 / draft.ratio, 1 / draft.ratio)
            painter.setClipRegion(parts)
            painter.resetTransform()
            painter.fillRect(0, 0, math.ceil(view.size[0]), math.ceil(view.size[1]), behind)
            self._page.paint(painter, draft)
            if regions:
                self._regions.paint(painter, view)
