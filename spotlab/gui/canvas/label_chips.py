"""Paints the labels of regions beside them: none covers another, small regions have none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap, QRegion

from spotlab.gui.canvas.view import RegionStyle, ViewTransform, faint, text_colour
from spotlab.model import Region

_CELL = 4  # px; places are free or taken in cells of this size

Place = tuple[float, float]


class FreePlaces:
    """A window in which places are taken one after the other.

    Parameters
    ----------
    width, height : float
        Of the window in px.

    Examples
    --------
    >>> places = FreePlaces(100, 50)
    >>> places.take([(10, 10)], 30, 12), places.take([(20, 12), (20, 30)], 30, 12)
    ((10, 10), (20, 30))
    >>> print(places.take([(20, 12)], 30, 12))
    None
    """

    def __init__(self, width: float, height: float) -> None:
        self._rows = [0] * (math.ceil(max(height, 1) / _CELL) + 1)  # a bit for each taken cell

    def take(
        self, places: Iterable[Place], width: float, height: float, *, always: bool = False
    ) -> Place | None:
        """Take the first of these places that is free.

        Parameters
        ----------
        places : iterable of (x, y)
            Upper left corners in px, the best one first.
        width, height : float
            Of the box in px.
        always : bool
            Whether the first place is taken where none is free.

        Returns
        -------
        (x, y) or None
            None where no place is free.
        """
        first = None
        for place in places:
            if self._take(place, width, height, always=False):
                return place
            first = first or place
        if always and first is not None:
            self._take(first, width, height, always=True)
            return first
        return None

    def _take(self, place: Place, width: float, height: float, *, always: bool) -> bool:
        x, y = place
        left, top = int(x) // _CELL if x > 0 else 0, int(y) // _CELL if y > 0 else 0
        right, bottom = math.ceil((x + width) / _CELL), math.ceil((y + height) / _CELL)
        cells = ((1 << max(right - left, 0)) - 1) << left
        rows = self._rows
        if not always:
            for row in rows[top:bottom]:
                if row & cells:
                    return False
        for at in range(top, min(bottom, len(rows))):
            rows[at] |= cells
        return True


PADDING = 5.0  # screen px
_MOST = 1000  # pictures that are kept


class ChipPictures:
    """A picture for each text and colour."""

    def __init__(self) -> None:
        self._chips: dict[tuple[str, int, float], QPixmap] = {}

    def of(self, text: str, colour: QColor, font: QFont, ratio: float) -> QPixmap:
        """The picture of a label in a colour, with so many device px a screen px."""
        key = (text, colour.rgb(), ratio)
        if key not in self._chips:
            if len(self._chips) > _MOST:
                self._chips.clear()
            colours = QColor(255, 255, 255, 170), faint(colour, 235), text_colour(colour)
            self._chips[key] = drawn_chip(text, font, 2, colours, ratio)
        return self._chips[key]


def font_of(painter: QPainter) -> QFont:
    """The font of labels."""
    font = QFont(painter.font())
    font.setPixelSize(11)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def drawn_chip(
    text: str, font: QFont, above: int, colours: tuple[QColor, QColor, QColor], ratio: float
) -> QPixmap:
    """A few words in a box that is so many px higher than they are.

    ``colours`` are those of its line, of itself and of the words.
    """
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text) + 2 * PADDING
    height = metrics.height() + above
    chip = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
    chip.setDevicePixelRatio(ratio)
    chip.fill(Qt.GlobalColor.transparent)
    with QPainter(chip) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(0.5, 0.5, width - 1, height - 1)
        painter.setPen(colours[0])
        painter.setBrush(colours[1])
        painter.drawRoundedRect(place, 4, 4)
        painter.setFont(font)
        painter.setPen(colours[2])
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    return chip


ROOM = 44.0  # screen px that a region is high at least to have a label
AROUND = 16.0  # screen px that it is wider than the text


class LabelPositions:
    """Positions of labels beside their regions, for views other than that of their placement.

    Parameters
    ----------
    view : ViewTransform
        In which they were placed.
    placed : sequence of (Region, str, (x, y))
        Regions, their labels, and where these are, in screen px.
    widths : mapping of str to float
        Of the labels in screen px.
    """

    def __init__(
        self,
        view: ViewTransform,
        placed: Sequence[tuple[Region, str, Place]],
        widths: Mapping[str, float],
    ) -> None:
        bounds = np.array([region.bounds for region, _, _ in placed]).reshape(-1, 4)
        self._corners = bounds[:, :2]
        self._sides = bounds[:, 2:] - bounds[:, :2]
        places = np.array([place for _, _, place in placed]).reshape(-1, 2)
        self._offsets = places - view.points_to_view(self._corners)
        self._widths = np.array([widths[text] for _, text, _ in placed])
        self._always = ~self._have_room(view)  # they stand out, or the view is turned

    def moved(self, view: ViewTransform) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Upper left corners in px, and which labels are in the window and have room."""
        corners = np.rint(view.points_to_view(self._corners) + self._offsets)
        x, y = corners.T
        shown = (x < view.size[0]) & (y < view.size[1]) & (y > -ROOM)
        shown &= x > -self._widths - AROUND
        return corners, shown & (self._always | self._have_room(view))

    def _have_room(self, view: ViewTransform) -> NDArray[np.bool_]:
        width, height = (self._sides * view.scale).T
        room: NDArray[np.bool_] = (height >= ROOM) & (width >= self._widths + AROUND)
        return room


MOST_RAISED = 150  # labels at once of regions that are selected
_GAP, _GAP_FRAMED = 3.0, 17.0  # screen px between a region, or the frame around it, and its label
_INSIDE = 4.0  # screen px between a region's corner and its label where this is inside
_MARGIN = 2.0  # screen px between a label and the window's edge


_Spot = tuple[int, str, Place]  # the id of a region object, its label, and where this is


class LabelChips:
    """The labels' pictures, each drawn once, and where they stand."""

    def __init__(self, style: RegionStyle) -> None:
        self._style = style
        self._pictures = ChipPictures()
        self._widths: dict[str, float] = {}
        self._look: object = None  # of the view in which `_resting` was placed, and its offset
        self._offset = (0.0, 0.0)
        self._resting: dict[int, tuple[Region, str, float, Place | None]] = {}
        self._placed: tuple[tuple[object, ...], list[tuple[Region, str, Place]], object] | None = (
            None
        )
        self._painted: dict[_Spot, tuple[QPointF, QPixmap]] = {}  # the last one lies on top
        self._font: QFont | None = None  # of what was painted last
        self._placed_in: ViewTransform | None = None
        self._where: LabelPositions | None = None  # they are, while the view is moved
        self._picture: QPixmap | None = (
            None  # of all of them, while it is neither zoomed nor turned
        )
        self._outdated = False  # other regions are shown than when they were placed

    def paint(
        self,
        painter: QPainter,
        view: ViewTransform,
        raised: Sequence[Region],
        hovered: Region | None,
        others: Sequence[Region],
        exposed: QRegion | None = None,
    ) -> None:
        """Paint the labels of regions that stand out, then of others that are large enough.

        Parameters
        ----------
        painter : QPainter
        view : ViewTransform
        raised : sequence of Region
            With a frame around them, the one selected last at the end.
        hovered : Region or None
            Under the pointer, and not among the raised ones.
        others : sequence of Region
            The larger ones come first where labels have no room.
        exposed : QRegion, optional
            What is painted of the window; without it, everything.
        """
        self._font = font_of(painter)
        self._place(view, QFontMetricsF(self._font), raised, hovered, others)
        self.paint_again(painter, exposed)

    def paint_again(self, painter: QPainter, exposed: QRegion | None = None) -> None:
        """Paint the same labels in the same view as before."""
        for corner, chip in self._painted.values():
            if exposed is None or exposed.intersects(_covered(corner, chip)):
                painter.drawPixmap(corner, chip)

    def place(
        self,
        view: ViewTransform,
        raised: Sequence[Region],
        hovered: Region | None,
        others: Sequence[Region],
    ) -> QRegion | None:
        """Find places without painting; see `paint`.

        Returns
        -------
        QRegion or None
            Where labels come, go or become others; None where that is not known.
        """
        if self._font is None or self._placed_in is None or self._placed_in.key != view.key:
            return None
        before = self._painted
        self._place(view, QFontMetricsF(self._font), raised, hovered, others)
        changed = QRegion()
        for spot in before.keys() ^ self._painted.keys():
            changed += _covered(*(before.get(spot) or self._painted[spot]))
        return changed

    def paint_moved(self, painter: QPainter, view: ViewTransform, raised: Sequence[Region]) -> bool:
        """Paint the same labels beside their regions in another view; none looks for a place.

        Parameters
        ----------
        painter : QPainter
        view : ViewTransform
        raised : sequence of Region
            With a frame around them.

        Returns
        -------
        bool
            False, and nothing is painted, where other regions have frames than when the labels were
            placed.
        """
        before = self._placed_in
        if self._placed is None or before is None or self._outdated:
            return False
        key, placed, _ = self._placed
        if key[2] != tuple(map(id, raised)):
            return False
        if self._where is None:
            self._where = LabelPositions(before, placed, self._widths)
        if _look(view) == _look(before):
            if self._picture is None:
                self._picture = QPixmap(*(math.ceil(side * view.ratio) for side in view.size))
                self._picture.setDevicePixelRatio(view.ratio)
                self._picture.fill(Qt.GlobalColor.transparent)
                with QPainter(self._picture) as drawing:
                    drawing.setFont(painter.font())
                    self._paint_beside(drawing, before, placed, self._where)
            painter.drawPixmap(QPointF(view.x - before.x, view.y - before.y), self._picture)
        else:
            self._paint_beside(painter, view, placed, self._where)
        return True

    def _paint_beside(
        self,
        painter: QPainter,
        view: ViewTransform,
        placed: Sequence[tuple[Region, str, Place]],
        where: LabelPositions,
    ) -> None:
        font = font_of(painter)
        corners, shown = where.moved(view)
        for at in np.flatnonzero(shown)[::-1].tolist():
            region, text, _ = placed[at]
            chip = self._pictures.of(text, self._style.colour(region), font, view.ratio)
            painter.drawPixmap(QPointF(*corners[at].tolist()), chip)

    def forget(self) -> None:
        """All regions are others, or the same ones look otherwise."""
        self._placed = self._placed_in = self._where = self._picture = None
        self._painted = {}

    def look_again(self) -> None:
        """Some regions are others: labels look for places, but keep their pictures."""
        self._outdated = True

    def _place(
        self,
        view: ViewTransform,
        metrics: QFontMetricsF,
        raised: Sequence[Region],
        hovered: Region | None,
        others: Sequence[Region],
    ) -> None:
        """Find out which labels are painted where; once for the same view of the same regions."""
        self._outdated = False
        key = (view.key, id(hovered), tuple(map(id, raised)), tuple(map(id, others)))
        if self._placed is not None and self._placed[0] == key:
            return
        height = metrics.height() + 2
        free = FreePlaces(view.size[0], view.size[1])
        first = [] if hovered is None else [hovered]
        kept = list(reversed(raised[-MOST_RAISED:]))
        sure = {region.id for region in (*first, *kept[:1])}
        placed: list[tuple[Region, str, Place]] = []
        for regions, gap in ((first, _GAP), (kept, _GAP_FRAMED)):
            for region, text, width, box in self._boxes(regions, view, metrics, False):
                places = _places(box, width, height, gap, view)
                place = free.take(places, width, height, always=region.id in sure)
                if place is not None:
                    placed.append((region, text, place))
        placed += self._place_others(view, metrics, others, free)
        self._placed = (
            key,
            placed,
            (raised, hovered, others),
        )  # alive, so that their ids stay theirs
        same = self._placed_in is not None and self._placed_in.key == view.key
        self._placed_in = copy(view)
        self._where = self._picture = None
        self._painted = self._drawn(placed, view.ratio, self._painted if same else {})

    def _drawn(
        self,
        placed: Sequence[tuple[Region, str, Place]],
        ratio: float,
        before: Mapping[_Spot, tuple[QPointF, QPixmap]],
    ) -> dict[_Spot, tuple[QPointF, QPixmap]]:
        """The labels as they are painted; those that were there before are taken as they are."""
        drawn: dict[_Spot, tuple[QPointF, QPixmap]] = {}
        assert self._font is not None
        for region, text, place in reversed(placed):
            spot = (id(region), text, place)
            known = before.get(spot)
            if known is None:
                colour = self._style.colour(region)
                chip = self._pictures.of(text, colour, self._font, ratio)
                known = QPointF(round(place[0]), round(place[1])), chip
            drawn[spot] = known
        return drawn

    def _place_others(
        self,
        view: ViewTransform,
        metrics: QFontMetricsF,
        others: Sequence[Region],
        free: FreePlaces,
    ) -> list[tuple[Region, str, Place]]:
        """Labels beside regions that do not stand out: where they were, moved with the page.

        Only those of regions that have come into sight, or whose place has left it, look for one.
        """
        height = metrics.height() + 2
        look = _look(view)
        before = self._resting if look == self._look else {}
        dx, dy = view.x - self._offset[0], view.y - self._offset[1]
        self._look, self._offset = look, (view.x, view.y)
        most_x, most_y = view.size[0] - _MARGIN, view.size[1] - height - _MARGIN
        now: dict[int, tuple[Region, str, float, Place | None]] = {}
        new: list[Region] = []
        placed: list[tuple[Region, str, Place]] = []
        for other in others:
            known = before.get(id(other))
            if known is None:
                new.append(other)
                continue
            region, text, width, place = known
            if place is None:
                now[id(other)] = known
                continue
            x, y = place[0] + dx, place[1] + dy
            if not (_MARGIN <= x <= most_x - width and _MARGIN <= y <= most_y):
                new.append(other)
                continue
            now[id(other)] = (region, text, width, (x, y))
            if free.take([(x, y)], width, height):
                placed.append((region, text, (x, y)))
        for region, text, width, box in self._boxes(new, view, metrics, True):
            place = free.take(_places(box, width, height, _GAP, view), width, height)
            if place is not None:
                placed.append((region, text, place))
            if place is not None or _is_inside(box, view):
                now[id(region)] = (region, text, width, place)
        self._resting = now
        return placed

    def _boxes(
        self, regions: Sequence[Region], view: ViewTransform, metrics: QFontMetricsF, roomy: bool
    ) -> Iterator[tuple[Region, str, float, tuple[float, float, float, float]]]:
        """Regions whose labels may be painted, these and their widths, and where the regions are.

        ``roomy`` leaves out what is too small on the screen, and puts the largest first.
        """
        if not regions:
            return
        bounds = np.array([region.bounds for region in regions])
        corners = view.points_to_view(bounds[:, [0, 1, 2, 1, 2, 3, 0, 3]]).reshape(-1, 4, 2)
        low, high = corners.min(axis=1), corners.max(axis=1)
        boxes = np.hstack([low, high - low])
        x, y, width, height = boxes.T
        seen = (x + width >= 0) & (y + height >= 0) & (x <= view.size[0]) & (y <= view.size[1])
        order = np.arange(len(regions))
        if roomy:
            seen &= (height >= ROOM) & (width >= AROUND)
            order = np.argsort(-width * height, kind="stable")
        for at in order[seen[order]].tolist():
            region = regions[at]
            text = _text(region)
            if not text:
                continue
            if text not in self._widths:
                self._widths[text] = metrics.horizontalAdvance(text)
            if not roomy or width[at] >= self._widths[text] + AROUND:
                box = tuple(boxes[at].tolist())
                yield region, text, self._widths[text] + 2 * PADDING, box


def _covered(corner: QPointF, chip: QPixmap) -> QRect:
    """Tell where a label is in the window."""
    return QRectF(corner, chip.deviceIndependentSize()).toAlignedRect()


def _look(view: ViewTransform) -> tuple[object, ...]:
    """Equal for views that only differ in which part of the page they show."""
    return (view.scale, view.angle, view.size, view.ratio)


def _is_inside(box: tuple[float, float, float, float], view: ViewTransform) -> bool:
    """Tell whether the window shows all of a region."""
    left, top, width, height = box
    return left >= 0 and top >= 0 and left + width <= view.size[0] and top + height <= view.size[1]


def _places(
    box: tuple[float, float, float, float],
    width: float,
    height: float,
    gap: float,
    view: ViewTransform,
) -> Iterator[Place]:
    """Tell where a label may stand: over its region, under it, or in one of its upper corners."""
    left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
    most_x, most_y = view.size[0] - width - _MARGIN, view.size[1] - height - _MARGIN
    for x, y in (
        (left, top - height - gap),
        (left + _INSIDE, top + _INSIDE),
        (right - width, top - height - gap),
        (left, bottom + gap),
        (right - width, bottom + gap),
        (right - width - _INSIDE, top + _INSIDE),
    ):
        yield min(max(x, _MARGIN), most_x), min(max(y, _MARGIN), most_y)


def _text(region: Region) -> str:
    if not (region.uncertain or region.ignored):
        return region.label
    mark = "?" if region.uncertain else ""
    ignored = "(ignored)" if region.ignored else ""
    return " ".join(part for part in (region.label, mark, ignored) if part)
