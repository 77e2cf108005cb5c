"""Paints all regions: a few directly, many as tiles that threads have drawn at this zoom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QRegion, QTransform

from spotlab.editing.document import MANY, Edit, size_of
from spotlab.editing.region_index import Rectangle, RegionIndex
from spotlab.gui.canvas.region_tiles import SIDE, Sheet, SheetAddress, TileDrawing, draw, place_of
from spotlab.gui.canvas.view import (
    SELECTED,
    RegionStyle,
    ViewTransform,
    casing_pen,
    dashed,
    faint,
    line_pen,
    path_of,
    stroke_of,
)
from spotlab.gui.kit import background
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.model import Region


class RegionIndexes:
    """One index while nothing is hidden or locked, else two.

    Attributes
    ----------
    shown, reachable : RegionIndex
    """

    def __init__(self, visibility: RegionVisibility) -> None:
        self._visibility = visibility
        self.shown = self.reachable = RegionIndex()

    @property
    def outdated(self) -> bool:
        """Tell whether all regions are in one index though some are hidden, or the reverse."""
        return (self.shown is not self.reachable) != self._visibility.in_force

    def use(self, regions: Iterable[Region]) -> None:
        """Take these regions."""
        regions, visibility = list(regions), self._visibility
        if not visibility.in_force:
            self.shown = self.reachable = RegionIndex(regions)
            return
        self.shown = RegionIndex(region for region in regions if not visibility.is_hidden(region))
        self.reachable = RegionIndex(filter(visibility.is_reachable, self.shown))

    def apply(self, edits: Sequence[Edit]) -> None:
        """Follow the document."""
        if self.shown is self.reachable:
            self.shown.apply(edits)
            return
        self.shown.apply(edits, lambda region: not self._visibility.is_hidden(region))
        self.reachable.apply(edits, self._visibility.is_reachable)


_FEW = 4  # regions, and
_FEW_POINTS = 400  # points of them, that are painted directly within a frame
_MANY = 200  # regions of a tile, whose lines are drawn first, without the insides
_AT_ONCE = 3  # tiles: one more than there are threads, which then need not wait for the window
_STILL_FOR = 20  # ms without a change of zoom until tiles are drawn for it
_SHOWN_EVERY = 40  # ms, tiles that have come meanwhile, if there are more to come
_MARGIN = 4.0  # screen px that a line may stick out of a region's bounds


class RegionLayer:
    """The regions of a page between its pixels and what the tools paint.

    ``hidden`` regions are left out: a gesture shows them elsewhere.
    """

    def __init__(self, index: RegionIndex, style: RegionStyle, arrived: Callable[[], object]):
        self.index = index
        self._style = style
        self._arrived = arrived
        self.hidden: frozenset[str] = frozenset()
        self.visible = True
        self._sheet = Sheet(0, 0, 1)
        self._before: Sheet | None = None
        self._wanted: list[SheetAddress] = []
        self._jobs: dict[SheetAddress, background.Job] = {}
        self._changed_under_way: set[SheetAddress] = set()
        self._damage: set[SheetAddress] | None = None
        self._direct = False  # how it was painted last, and
        self._redrawn: list[Rectangle] = []  # where on the page regions are others since then
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)
        self._soon = QTimer(singleShot=True, interval=_SHOWN_EVERY)
        self._soon.timeout.connect(self._arrived)

    @property
    def busy(self) -> bool:
        """Tell whether tiles are still being drawn."""
        return bool(self._jobs) or self._timer.isActive()

    def lacks(self, view: ViewTransform) -> bool:
        """Tell whether lines of regions in sight are not drawn yet."""
        if not self.visible or self._direct:
            return False
        images = self._sheet.images
        return not self._sheet.fits(view) or any(at not in images for at in self._addresses(view))

    def reset(self, index: RegionIndex) -> None:
        """Show other regions."""
        self.index = index
        self.hidden = frozenset()
        self._before = None
        self._restart(Sheet(0, 0, 1))

    def use(self, index: RegionIndex) -> None:
        """Show others of the same page; what was drawn is shown until they are."""
        self.index = index
        self.restyle()

    def stop(self) -> None:
        """Draw nothing more."""
        self.reset(RegionIndex())

    def restyle(self) -> None:
        """Draw everything again; what was drawn is shown until then."""
        if self._direct:  # else it looks so when the tiles have arrived
            self._damage = None
        self._sheet.stale.update(self._sheet.images)
        self._changed_under_way.update(self._jobs)

    def follow(self, edits: Sequence[Edit]) -> None:
        """Draw again where edits have changed something."""
        if size_of(edits) >= MANY:
            self.restyle()
            return
        for edit in edits:
            for region in (*edit.before, *edit.after):
                self._touch(region)

    def hide(self, ids: Iterable[str]) -> None:
        """Leave these regions out, and no others."""
        ids = frozenset(ids)
        for id in ids ^ self.hidden:
            region = self.index.get(id)
            if region is not None:
                self._touch(region)
        self.hidden = ids

    def take_damage(self, view: ViewTransform) -> list[QRectF] | None:
        """Places in screen px that look otherwise than at the last call; None: everything."""
        damage, self._damage = self._damage, set()
        redrawn, self._redrawn = self._redrawn, []
        if damage is None or (damage and not self._sheet.fits(view)):
            return None
        if redrawn and (view.angle % 90 or not _are_few(self._shown(view))):
            return None  # pixels of a turned part are rounded otherwise, or tiles take its place
        corners = [view.box_to_view(*_grown(box, _MARGIN / view.scale)) for box in redrawn]
        boxes = [QRectF(QPointF(*low), QPointF(*high)) for low, high in corners]
        return [place_of(view, address) for address in damage] + boxes

    def look(self, view: ViewTransform) -> None:
        """Draw soon what the window shows and is no longer true; nothing need be painted."""
        if self.visible and not self._direct and self._sheet.fits(view):
            self._want(self._addresses(view))

    def _came(self, address: SheetAddress) -> None:
        if self._damage is not None:
            self._damage.add(address)
        if self._jobs:
            if not self._soon.isActive():
                self._soon.start()
        else:
            self._soon.stop()
            self._arrived()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint what the window shows of the regions."""
        if not self.visible:
            return
        shown = self._shown(view)
        if _are_few(shown):
            self._direct = True
            self._paint_directly(painter, view, shown)
        else:
            self._direct = False
            self._paint_tiles(painter, view)

    def _shown(self, view: ViewTransform) -> list[Region]:
        return self.index.visible(_grown(view.visible(), _MARGIN / view.scale))

    def _paint_directly(self, painter: QPainter, view: ViewTransform, shown: list[Region]) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setTransform(QTransform(*view.matrix), True)
        kept = [region for region in shown if region.id not in self.hidden]
        kept.sort(key=lambda region: -_box_area(region))
        for region in kept:
            painter.fillPath(path_of(region), faint(self._style.colour(region), self._style.fill))
        for region in kept:
            painter.strokePath(stroke_of(region), casing_pen(view.ratio))
            colour, dash = self._style.colour(region), self._style.dash
            pen = line_pen(colour, view.ratio, dashes=dashed(region), dash=dash)
            painter.strokePath(stroke_of(region), pen)
        painter.restore()

    # Tiles

    def _paint_tiles(self, painter: QPainter, view: ViewTransform) -> None:
        if not self._sheet.fits(view):
            old = self._sheet
            if old.images and (self._before is None or len(old.images) >= self._needed(view) / 2):
                self._before = old
            self._restart(Sheet(view.scale, view.angle, view.ratio))
            self._damage = set()  # this paints everything
            self._timer.start(_STILL_FOR)
        addresses = self._addresses(view)
        missing = [address for address in addresses if address not in self._sheet.images]
        if missing and self._before:
            self._paint_before(painter, view, missing)
        for address in addresses:
            image = self._sheet.images.get(address)
            if image is not None and not image.isNull():
                painter.drawImage(place_of(view, address), image)
        self._want(addresses)

    def _want(self, addresses: list[SheetAddress]) -> None:
        self._wanted = addresses
        images, stale = self._sheet.images, self._sheet.stale
        if all(address in images and address not in stale for address in addresses):
            self._before = None
        if not self._timer.isActive() and self._next() is not None:
            self._timer.start(0)  # once this frame is painted, which threads would hold up

    def _next(self) -> SheetAddress | None:
        """The tile to be drawn next: one that is missing, else one that is stale; None if none."""
        images, stale = self._sheet.images, self._sheet.stale
        waiting = [address for address in self._wanted if address not in self._jobs]
        missing = (address for address in waiting if address not in images)
        return next(missing, next((address for address in waiting if address in stale), None))

    def _paint_before(
        self, painter: QPainter, view: ViewTransform, missing: list[SheetAddress]
    ) -> None:
        """The tiles of the zoom before, where there are none of this one."""
        before = self._before
        assert before is not None
        painter.save()
        clip = QRegion()
        for address in missing:
            place = place_of(view, address)
            clip += QRect(math.floor(place.x()), math.floor(place.y()),
                          math.ceil(place.width()), math.ceil(place.height()))  # fmt: skip
        painter.setClipRegion(clip, Qt.ClipOperation.IntersectClip)
        painter.setTransform(QTransform(*view.matrix), True)
        painter.rotate(-before.angle)
        painter.scale(1 / before.scale / before.ratio, 1 / before.scale / before.ratio)
        shown = painter.transform().inverted()[0].mapRect(QRectF(painter.viewport()))
        for (column, row), image in before.images.items():
            place = QRectF(column * SIDE, row * SIDE, SIDE, SIDE)
            if not image.isNull() and place.intersects(shown):
                painter.drawImage(place, image)
        painter.restore()

    def _addresses(self, view: ViewTransform) -> list[SheetAddress]:
        """The tiles that the window shows of where the page has regions, the middle ones first."""
        side = SIDE / view.ratio
        width, height = view.size
        first_column, first_row = math.floor(-view.x / side), math.floor(-view.y / side)
        columns = range(first_column, math.floor((width - view.x) / side) + 1)
        rows = range(first_row, math.floor((height - view.y) / side) + 1)
        middle = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
        found = [(column, row) for row in rows for column in columns]
        found.sort(key=lambda at: math.hypot(at[0] - middle[0], at[1] - middle[1]))
        return found

    def _needed(self, view: ViewTransform) -> int:
        side = SIDE / view.ratio
        return math.ceil(view.size[0] / side) * math.ceil(view.size[1] / side)

    def _restart(self, sheet: Sheet) -> None:
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()
        self._changed_under_way.clear()
        self._wanted = []
        self._timer.stop()
        self._soon.stop()
        self._sheet = sheet
        self._damage = None

    def _start(self) -> None:
        """Draw the next wanted tiles in threads."""
        while len(self._jobs) < _AT_ONCE and (address := self._next()) is not None:
            drawing = self._drawing(address)
            arrive = partial(self._arrive, address, whole=drawing.fills)
            self._sheet.stale.discard(address)
            if not drawing.regions:
                self._sheet.images[address] = QImage()
                self._came(address)
                continue
            self._jobs[address] = background.run(draw, drawing, done=arrive, urgent=True)

    def _arrive(self, address: SheetAddress, image: QImage, whole: bool) -> None:
        self._jobs.pop(address, None)
        if not image.isNull():
            image.setDevicePixelRatio(self._sheet.ratio)
        self._sheet.images[address] = image
        if address in self._changed_under_way or not whole:
            self._changed_under_way.discard(address)
            self._sheet.stale.add(address)
        if len(self._sheet.images) > 400:
            self._sheet.images.pop(next(iter(self._sheet.images)))
        self._start()
        self._came(address)

    def _drawing(self, address: SheetAddress) -> TileDrawing:
        """Return what one tile takes, as values that a thread may read."""
        sheet = self._sheet
        view = ViewTransform()
        view.scale, view.angle = sheet.scale * sheet.ratio, sheet.angle
        view.x, view.y = -address[0] * SIDE, -address[1] * SIDE
        view.size = (SIDE, SIDE)
        margin = _MARGIN / sheet.scale
        regions = self.index.visible(_grown(view.visible(), margin))
        if self.hidden:
            regions = [region for region in regions if region.id not in self.hidden]
        style = self._style
        return TileDrawing(
            regions, style.colours(), view.matrix, sheet.ratio, dash=style.dash, fill=style.fill,
            fills=len(regions) <= _MANY or address in sheet.images,
        )  # fmt: skip

    def _touch(self, region: Region) -> None:
        """Have the place of a region drawn again."""
        if self._direct and self._damage is not None:
            self._redrawn.append(region.bounds)
        sheet = self._sheet
        if not sheet.images and not self._jobs:
            return
        view = ViewTransform()
        view.scale, view.angle = sheet.scale * sheet.ratio, sheet.angle
        box = _grown(region.bounds, _MARGIN / max(sheet.scale, 1e-9))
        low, high = (corner // SIDE for corner in view.box_to_view(*box))

        def touched(at: SheetAddress) -> bool:
            return bool(low[0] <= at[0] <= high[0] and low[1] <= at[1] <= high[1])

        sheet.stale.update(filter(touched, sheet.images))
        self._changed_under_way.update(filter(touched, self._jobs))


def _are_few(regions: Sequence[Region]) -> bool:
    """Tell whether regions can be painted directly."""
    return len(regions) <= _FEW and sum(len(region.points) for region in regions) <= _FEW_POINTS


def _grown(rectangle: Rectangle, margin: float) -> Rectangle:
    left, top, right, bottom = rectangle
    return left - margin, top - margin, right + margin, bottom + margin


def _box_area(region: Region) -> float:
    left, top, right, bottom = region.bounds
    return (right - left) * (bottom - top)


class _SelectedStyle(RegionStyle):
    """One colour for all."""

    def colour(self, region: Region) -> QColor:
        return QColor(SELECTED)


class SelectedLayer:
    """The outlines of more selected regions than are painted one by one.

    Parameters
    ----------
    arrived : callable
        Called when more is drawn.
    """

    def __init__(self, arrived: Callable[[], object]) -> None:
        self._layer = RegionLayer(RegionIndex(), _SelectedStyle(), arrived)
        self._selected: Sequence[str] = ()

    @property
    def index(self) -> RegionIndex:
        """The regions, in the order of selection."""
        return self._layer.index

    @property
    def busy(self) -> bool:
        """Tell whether tiles are still being drawn."""
        return self._layer.busy

    def clear(self) -> None:
        """There are few or none now."""
        if self._selected:
            self._selected = ()
            self._layer.stop()

    def paint(
        self,
        painter: QPainter,
        view: ViewTransform,
        index: RegionIndex,
        selected: Sequence[str],
        hidden: frozenset[str],
    ) -> None:
        """Paint what the window shows of them; ``hidden`` ones are left out."""
        part = index.part(selected)
        if part is not self._layer.index:
            if self._selected and part.holds_all(self._layer.index):
                self._layer.use(part)
            else:
                self._layer.reset(part)
            self._selected = selected
        if hidden != self._layer.hidden:
            self._layer.hide(hidden)
        self._layer.paint(painter, view)
