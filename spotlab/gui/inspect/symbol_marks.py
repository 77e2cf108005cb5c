"""Draws the states of symbols: each has an outline of its own dashes and a mark of its own shape.

Marks stand at the centres of symbols and have the same size on the screen at every zoom. Several of
one state in one place have one mark with their number; those of other states stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen, QPolygonF

from spotlab.geometry.coverage_reference import polygons_of
from spotlab.geometry.polygon import Outlines
from spotlab.gui.canvas.view import UNLABELED
from spotlab.imaging.overlay import (
    COLOURS,
    AreaKind,
    OverlayRaster,
    Pixels,
    on_raster,
    paint_dashes,
    paint_outlines,
)
from spotlab.libraries import shapely
from spotlab.model import LabelSet
from spotlab.studies.tally.page_view import PageSymbols, SymbolState


def query_colours(labels: LabelSet, queries: Sequence[str]) -> tuple[str, ...]:
    """The colour of each query: grey, as on the page, where the set has no such label.

    Where it has none of them, such as those of words, the colours are empty.

    Examples
    --------
    >>> labels = LabelSet().with_label("sofa", "#123456")
    >>> query_colours(labels, ["sofa", "bed"])
    ('#123456', '#64748b')
    >>> query_colours(labels, ["the", "and"])
    ('', '')
    """
    colours = {label.name: label.colour for label in labels}
    missing = "" if colours.keys().isdisjoint(queries) else UNLABELED
    return tuple(colours.get(query, missing) for query in queries)


SIDE = 14.0  # px of the screen, of a mark
BESIDE = SIDE + 2.0  # px from a mark to the next one of the same place
MOST_BESIDE = 4  # marks that another one makes room for
LINE, THIN = 1.4, 0.8  # px of the screen
MARK_COLOURS = {
    SymbolState.RECOGNISED: COLOURS[AreaKind.FOUND],
    SymbolState.PARTLY: "#E69F00",
    SymbolState.MISSED: COLOURS[AreaKind.MISSED],
    SymbolState.FALSE: COLOURS[AreaKind.FALSE],
}
_DASHES: dict[SymbolState, list[float]] = {  # dashes and gaps, px of the screen
    SymbolState.RECOGNISED: [],
    SymbolState.PARTLY: [12, 4, 2, 4],
    SymbolState.MISSED: [8, 6],
    SymbolState.FALSE: [5, 3],
}


def draw_mark(painter: QPainter, state: SymbolState, place: QRectF) -> None:
    """Draw the mark of a state into a square.

    A disc with a tick is recognised, a diamond that is half full is partly found, an empty square
    is missed, and a cross is a false spot.
    """
    side = place.width()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(place.center())
    painter.scale(side / SIDE, side / SIDE)
    colour = QColor(MARK_COLOURS[state])
    if state is SymbolState.RECOGNISED:
        _disc(painter, colour)
    elif state is SymbolState.PARTLY:
        _diamond(painter, colour)
    elif state is SymbolState.MISSED:
        _square(painter, colour)
    else:
        _cross(painter, colour)
    painter.restore()


def paint_symbol_outlines(painted: Pixels, symbols: PageSymbols, sheet: OverlayRaster) -> None:
    """Draw the outlines into a painted overlay, those of recognised symbols on top.

    Parameters
    ----------
    painted : (H, W, 4) uint8
        What `paint_areas` returns; it is changed.
    symbols : PageSymbols
    sheet : OverlayRaster
        How the page lies on the overlay.
    """
    for state, outlines in reversed(list(_parts(symbols))):
        colour, width = MARK_COLOURS[state], LINE
        if state is SymbolState.FALSE:
            width = THIN  # there may be very many
        else:
            paint_outlines(painted, outlines, sheet, "#ffffff", LINE + 2)
        if _DASHES[state]:
            paint_dashes(painted, outlines, sheet, colour, width, _DASHES[state])
        else:
            paint_outlines(painted, outlines, sheet, colour, width)


def paint_marks(painter: QPainter, symbols: PageSymbols, sheet: OverlayRaster) -> None:
    """Draw the marks onto an image in device pixels.

    Parameters
    ----------
    painter : QPainter
        Of the image.
    symbols : PageSymbols
    sheet : OverlayRaster
        How the page lies on the image.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = SIDE * sheet.ratio
    for x, y, state, number in marks(symbols, sheet):
        place = QRectF(x - side / 2, y - side / 2, side, side)
        painter.drawImage(round(x - side / 2) - 1, round(y - side / 2) - 1, _mark(state, side))
        if number > 1:
            _draw_number(painter, number, QColor(MARK_COLOURS[state]), place)


class SymbolMark(NamedTuple):
    """A mark on an image.

    Attributes
    ----------
    x, y : float
        Its centre in device pixels.
    state : SymbolState
    number : int
        How many symbols or spots it stands for.
    """

    x: float
    y: float
    state: SymbolState
    number: int


def marks(symbols: PageSymbols, sheet: OverlayRaster) -> list[SymbolMark]:
    """Tell where marks stand on an image; what is in one place has one mark for each state.

    Parameters
    ----------
    symbols : PageSymbols
    sheet : OverlayRaster
        How the page lies on the image.
    """
    side = SIDE * sheet.ratio
    placed = _Marks(side)
    for state, outlines in _parts(symbols):
        for x, y in _centres(outlines, sheet):
            if -side < x < sheet.width + side and -side < y < sheet.height + side:
                placed.add(x, y, state)
    return placed.all


class _Marks:
    """Places marks one after the other, so that none hides another one."""

    def __init__(self, side: float) -> None:
        self.all: list[SymbolMark] = []
        self._side = side
        self._cells: dict[tuple[int, int], list[int]] = {}

    def add(self, x: float, y: float, state: SymbolState) -> None:
        """Place a mark there, beside those of other states, or count it to one of its own."""
        for _ in range(MOST_BESIDE):
            near = self._near(x, y)
            if near is None:
                break
            mark = self.all[near]
            if mark.state is state:
                self.all[near] = mark._replace(number=mark.number + 1)
                return
            x = mark.x + self._side * BESIDE / SIDE
        self._cells.setdefault(self._cell(x, y), []).append(len(self.all))
        self.all.append(SymbolMark(x, y, state, 1))

    def _near(self, x: float, y: float) -> int | None:
        column, row = self._cell(x, y)
        numbers = [
            number
            for right in (-1, 0, 1)
            for down in (-1, 0, 1)
            for number in self._cells.get((column + right, row + down), ())
            if max(abs(self.all[number].x - x), abs(self.all[number].y - y)) < self._side
        ]
        return min(numbers, default=None)

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        return math.floor(x / self._side), math.floor(y / self._side)


def _draw_number(painter: QPainter, number: int, colour: QColor, place: QRectF) -> None:
    """Write how many there are at the lower right of a mark."""
    font = QFont()
    font.setPixelSize(round(place.height() * 0.78))
    font.setBold(True)
    path = QPainterPath()
    path.addText(place.right() - place.width() * 0.2, place.bottom() + place.height() * 0.25,
                 font, f"{number:,}")  # fmt: skip
    painter.strokePath(path, QPen(QColor("#ffffff"), place.height() * 0.24))
    painter.fillPath(path, colour.darker(130))


def centres(outlines: Outlines) -> np.ndarray:
    """Tell where marks stand: the centroids, or a point inside where the centroid is outside.

    Parameters
    ----------
    outlines : Outlines
        N rings in px.

    Returns
    -------
    (M, 2) float
        In px, of those outlines that have an area.

    Examples
    --------
    >>> square, line = [(0, 0), (4, 0), (4, 2), (0, 2)], [(0, 0), (9, 9)]
    >>> centres(Outlines.of([square, line])).tolist()
    [[2.0, 1.0]]
    """
    whole = outlines.take(np.flatnonzero(np.diff(outlines.offsets) >= 3))
    if not len(whole):
        return np.empty((0, 2))
    (shapes,) = polygons_of(whole)
    shapes = shapes[~shapely.is_empty(shapes)]
    points = shapely.centroid(shapes)
    outside = ~shapely.covers(shapes, points)
    points[outside] = shapely.point_on_surface(shapes[outside])
    origin = np.floor(whole.points.min(axis=0))  # what `polygons_of` has moved them by
    return np.asarray(shapely.get_coordinates(points) + origin)


def _centres(outlines: Outlines, sheet: OverlayRaster) -> list[list[float]]:
    points = centres(outlines)
    every = np.arange(len(points) + 1)
    placed: list[list[float]] = on_raster(Outlines(points, every), sheet).points.tolist()
    return placed


def _parts(symbols: PageSymbols) -> Iterator[tuple[SymbolState, Outlines]]:
    for state in SymbolState:  # those of regions have their centres to themselves
        if state is SymbolState.FALSE:
            yield state, symbols.false_outlines
        else:
            yield state, symbols.outlines.take(np.flatnonzero(symbols.state == state))


@lru_cache(maxsize=16)
def _mark(state: SymbolState, side: float) -> QImage:
    """A mark with a border of a pixel."""
    whole = math.ceil(side) + 2
    image = QImage(whole, whole, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        draw_mark(painter, state, QRectF(1, 1, side, side))
    return image


def _disc(painter: QPainter, colour: QColor) -> None:
    painter.setPen(QPen(QColor("#ffffff"), 1))
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(0, 0), 6, 6)
    painter.setPen(QPen(QColor("#ffffff"), 1.8))
    painter.drawPolyline(QPolygonF([QPointF(-3, 0), QPointF(-0.8, 2.4), QPointF(3.2, -2.4)]))


def _diamond(painter: QPainter, colour: QColor) -> None:
    corners = [QPointF(0, -6.5), QPointF(6.5, 0), QPointF(0, 6.5), QPointF(-6.5, 0)]
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(QColor("#ffffff"))
    painter.drawPolygon(QPolygonF(corners))
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([corners[1], corners[2], corners[3]]))


def _square(painter: QPainter, colour: QColor) -> None:
    painter.setPen(QPen(colour, 2))
    painter.setBrush(QColor("#ffffff"))
    painter.drawRect(QRectF(-5, -5, 10, 10))


def _cross(painter: QPainter, colour: QColor) -> None:
    for pen in (QPen(QColor("#ffffff"), 4.6), QPen(colour, 2.6)):
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(-4.5, -4.5), QPointF(4.5, 4.5))
        painter.drawLine(QPointF(-4.5, 4.5), QPointF(4.5, -4.5))
