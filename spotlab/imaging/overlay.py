"""Paints found, false, missed and compared areas over a page, with hatching and outlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines, concatenate_ranges
from spotlab.imaging import outlines as filling
from spotlab.imaging.outlines import Grid, Spans

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class OverlayRaster:
    """The pixels that an overlay is painted on, and how the page lies on them.

    Attributes
    ----------
    matrix : (float, float, float, float, float, float)
        From px of the page to pixels: x' = a x + c y + dx, y' = b x + d y + dy.
    width, height : int
        In pixels.
    ratio : float
        Pixels per px of the screen; lines and hatching grow with it.
    """

    matrix: Matrix
    width: int
    height: int
    ratio: float = 1.0


def on_raster(outlines: Outlines, raster: OverlayRaster) -> Outlines:
    """Return outlines in pixels of a raster, with fractions.

    Parameters
    ----------
    outlines : Outlines
        In px of the page.
    raster : OverlayRaster

    Returns
    -------
    Outlines
        In pixels of the raster, with fractions.

    Examples
    --------
    >>> line = Outlines.of([[(0, 0), (3, 0)]])
    >>> on_raster(line, OverlayRaster((2, 0, 0, 2, 1, 0), 9, 9)).points.tolist()
    [[1.0, 0.0], [7.0, 0.0]]
    """
    a, b, c, d, dx, dy = raster.matrix
    points = outlines.points @ np.array([[a, b], [c, d]]) + (dx, dy)
    return Outlines(points, outlines.offsets)


Pixels = NDArray[np.uint8]

PERIOD = 8  # screen px between two lines of a hatching
TINT, LINES = 0.42, 0.95  # how much of the paper tints and lines hide


class AreaKind(IntEnum):
    """Kind of a place on a page. The kinds divide the page: each place is of exactly one kind.

    They are tested in the order of `PRECEDENCE`. Of a place where several queries differ, the first
    kind that holds for some query is shown:

    ``FOUND``
        Some query retrieves truth of its own label.
    ``OTHER_LABEL``
        It is retrieved and is truth, but only of labels other than those that retrieve it. It is
        false for the query and, where that label is looked at, missed for the label.
    ``FALSE``
        It is retrieved and no truth of any label.
    ``MISSED``
        It is truth and not retrieved.
    ``IGNORED``
        It is ignored for some query that is looked at, and none of the above. What is ignored for a
        query is neither retrieved nor truth of it, see `spotlab.measures.tally`.
    ``NOTHING``
        Neither retrieved nor truth.
    """

    NOTHING = 0
    FALSE = 1
    MISSED = 2
    FOUND = 3
    OTHER_LABEL = 4
    IGNORED = 5

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> AreaKind.OTHER_LABEL.words
        'other label'
        """
        return self.name.lower().replace("_", " ")


PRECEDENCE = (
    AreaKind.FOUND,
    AreaKind.OTHER_LABEL,
    AreaKind.FALSE,
    AreaKind.MISSED,
    AreaKind.IGNORED,
)
COLOURS = {
    AreaKind.FOUND: "#009E73",
    AreaKind.OTHER_LABEL: "#F0E442",
    AreaKind.FALSE: "#D55E00",
    AreaKind.MISSED: "#0072B2",
    AreaKind.IGNORED: "#808080",
}


class Hatch(StrEnum):
    """The lines of a hatching."""

    RISING = "rising"
    FALLING = "falling"
    LEVEL = "level"
    UPRIGHT = "upright"
    CROSSED = "crossed"
    DOTS = "dots"


@dataclass(frozen=True)
class FillStyle:
    """Fill style of a kind of area.

    Attributes
    ----------
    colour : str
        Such as "#009E73".
    hatch : Hatch
        The lines of its hatching.
    tint : float
        How much of the paper its colour hides between the lines, in [0, 1].
    """

    colour: str
    hatch: Hatch
    tint: float = TINT


FillStyles = tuple[tuple[int, FillStyle], ...]
FILL_STYLES: FillStyles = (
    (AreaKind.FALSE, FillStyle(COLOURS[AreaKind.FALSE], Hatch.RISING)),
    (AreaKind.MISSED, FillStyle(COLOURS[AreaKind.MISSED], Hatch.FALLING)),
    (AreaKind.IGNORED, FillStyle(COLOURS[AreaKind.IGNORED], Hatch.LEVEL, 0.18)),
    (AreaKind.OTHER_LABEL, FillStyle(COLOURS[AreaKind.OTHER_LABEL], Hatch.CROSSED, 0.6)),
    (AreaKind.FOUND, FillStyle(COLOURS[AreaKind.FOUND], Hatch.DOTS)),
)


@dataclass(frozen=True, eq=False)
class PageAreas:
    """Truth and spots of one page.

    Attributes
    ----------
    truth, spots : Outlines
        T and N outlines by the even-odd rule, in px of the page.
    truth_query, spot_query : (T,) and (N,) int
        Query of each; a spot finds only what is of its own query.
    query : int or None
        The only query that is looked at: truth of other labels cannot be missed then. None looks
        at all.
    ignored : Outlines
        I ignored regions; empty by default.
    ignored_query : (I,) int
        The query that each one concerns; -1 for all queries.
    """

    truth: Outlines
    spots: Outlines
    truth_query: NDArray[np.int64]
    spot_query: NDArray[np.int64]
    query: int | None = None
    ignored: Outlines = field(default_factory=lambda: Outlines.of([]))
    ignored_query: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def looked_at(self) -> NDArray[np.bool_]:
        """(I,) which ignored regions concern the query that is looked at, or some query."""
        if self.query is None:
            return np.full(len(self.ignored), True)
        return np.asarray((self.ignored_query == self.query) | (self.ignored_query == -1))

    def ignored_of_queries(self) -> tuple[Outlines, NDArray[np.int64]]:
        """Ignored regions once for each query that they concern, and these queries, (J,) int."""
        queries = np.union1d(self.spot_query, self.truth_query)
        return _of_queries(self.ignored, self.ignored_query, queries)

    @property
    def sought(self) -> NDArray[np.bool_]:
        """(T,) which truth is looked for, and is missed where it is not retrieved."""
        if self.query is None:
            return np.full(len(self.truth), True)
        return np.asarray(self.truth_query == self.query)


def _of_queries(
    ignored: Outlines, concerned: NDArray[np.int64], queries: NDArray[np.int64]
) -> tuple[Outlines, NDArray[np.int64]]:
    """Ignored regions once for each query that they concern, and these queries."""
    of_query, which = np.nonzero((concerned == queries[:, None]) | (concerned == -1))
    return ignored.take(which), queries[of_query].astype(np.int64)


def area_kinds(page: PageAreas, raster: OverlayRaster) -> Pixels:
    """Classify every pixel of an overlay.

    Parameters
    ----------
    page : PageAreas
        Truth and spots.
    raster : OverlayRaster
        The pixels.

    Returns
    -------
    (H, W) uint8
        The `AreaKind` of each pixel, that of its centre.

    Examples
    --------
    >>> square, beside = [(1, 1), (3, 1), (3, 3), (1, 3)], [(5, 1), (7, 1), (7, 3), (5, 3)]
    >>> page = PageAreas(Outlines.of([square]), Outlines.of([beside]), np.zeros(1, int),
    ...                  np.zeros(1, int))
    >>> kinds = area_kinds(page, OverlayRaster((1, 0, 0, 1, 0, 0), 8, 4))
    >>> AreaKind(kinds[2, 2]).name, AreaKind(kinds[2, 6]).name, AreaKind(kinds[0, 0]).name
    ('MISSED', 'FALSE', 'NOTHING')
    """
    grid = Grid(raster.width, raster.height)
    sets = (page.spots, page.spot_query), (page.truth, page.truth_query)
    spots, truth = _counted(sets, page.ignored_of_queries(), raster)
    ignored = page.ignored.take(np.flatnonzero(page.looked_at))
    off = filling.spans(on_raster(ignored, raster), np.zeros(len(ignored), np.int64), grid)
    sought = truth if page.query is None else truth.of_group(page.query)
    covered = filling.fill(
        [
            filling.unite(spots.ungrouped()),
            filling.unite(truth.ungrouped()),
            filling.unite(sought.ungrouped()),
            filling.unite(filling.intersect(spots, truth).ungrouped()),
            filling.unite(off),
        ],
        grid,
    )
    return np.asarray(cv2.LUT(covered, _KIND_OF), np.uint8)


def paint_areas(
    kinds: Pixels, raster: OverlayRaster, opacity: float = 1.0, looks: FillStyles = FILL_STYLES
) -> Pixels:
    """Paint the kinds of areas in their colours and hatchings.

    Parameters
    ----------
    kinds : (H, W) uint8
        What `area_kinds` returns.
    raster : OverlayRaster
        The pixels.
    opacity : float
        From 0, invisible, to 1.
    looks : tuple of (int, FillStyle)
        How each kind is painted; others are not.

    Returns
    -------
    (H, W, 4) uint8
        Premultiplied blue, green, red and alpha; all 0 where there is nothing.

    Examples
    --------
    >>> kinds = np.array([[AreaKind.NOTHING, AreaKind.FOUND]], np.uint8)
    >>> paint_areas(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), 2, 1))[0, 0].tolist()
    [0, 0, 0, 0]
    """
    pattern = _pattern(raster.ratio, opacity, raster.width, raster.height, looks)
    period = _period(raster.ratio)
    left, top = (-round(shift) % period for shift in raster.matrix[4:])
    painted = np.zeros((*kinds.shape, 4), np.uint8)
    for area, _ in looks:
        part = pattern[area][top : top + raster.height, left : left + raster.width]
        cv2.copyTo(part, (kinds == area).view(np.uint8), painted)
    return painted


def paint_square(kind: int, side: int, ratio: float, looks: FillStyles = FILL_STYLES) -> Pixels:
    """A square that is wholly of one kind, (side, side, 4) uint8 as in `paint_areas`.

    Parameters
    ----------
    kind : int
    side : int
        In pixels.
    ratio : float
        Pixels of a px on the screen.
    looks : tuple of (int, FillStyle)

    Examples
    --------
    >>> paint_square(AreaKind.FOUND, 2, 1.0).shape
    (2, 2, 4)
    """
    return _pattern(ratio, 1.0, side, side, looks)[kind][:side, :side]


def _counted(
    sets: Sequence[tuple[Outlines, NDArray[np.int64]]],
    off: tuple[Outlines, NDArray[np.int64]],
    raster: OverlayRaster,
) -> list[Spans]:
    """The pixels of outlines by query, without what is ignored for the query."""
    grid = Grid(raster.width, raster.height)
    filled = [filling.spans(on_raster(each, raster), query, grid) for each, query in sets]
    if not len(off[0]):
        return filled
    ignored = filling.spans(on_raster(off[0], raster), off[1], grid)
    return [filling.subtract(spans, ignored) for spans in filled]


def _kind(retrieved: bool, truth: bool, sought: bool, found: bool, ignored: bool) -> AreaKind:
    """The kind of a place, from what holds there for some query."""
    holds = {
        AreaKind.FOUND: found,
        AreaKind.OTHER_LABEL: retrieved and truth,
        AreaKind.FALSE: retrieved,
        AreaKind.MISSED: sought,
        AreaKind.IGNORED: ignored,
    }
    return next((kind for kind in PRECEDENCE if holds[kind]), AreaKind.NOTHING)


_KIND_OF = np.array(
    [_kind(*(bool(bits >> bit & 1) for bit in range(5))) for bits in range(256)], np.uint8
)


def _period(ratio: float) -> int:
    return max(4, round(PERIOD * ratio))


@lru_cache(maxsize=8)
def _pattern(
    ratio: float, opacity: float, width: int, height: int, looks: FillStyles
) -> dict[int, Pixels]:
    """Each kind's hatching for a raster of this size, a period larger so that it can be moved."""
    period = _period(ratio)
    line = max(1, round(1.4 * ratio))
    y, x = np.mgrid[:period, :period]
    middle = (period - 1) / 2
    hatched = {
        Hatch.RISING: (x + y) % period < line,
        Hatch.FALLING: (x - y) % period < line,
        Hatch.LEVEL: y % period < line,
        Hatch.UPRIGHT: x % period < line,
        Hatch.CROSSED: ((x + y) % period < line) | ((x - y) % period < line),
        Hatch.DOTS: (abs(x - middle) <= line / 2) & (abs(y - middle) <= line / 2),
    }
    patterns = {}
    for area, look in looks:
        red, green, blue = _rgb(look.colour)
        alpha = np.where(hatched[look.hatch], LINES, look.tint)[..., None] * opacity
        tile = np.rint(alpha * (blue, green, red, 255)).astype(np.uint8)
        times = (height // period + 2, width // period + 2, 1)
        patterns[area] = np.tile(tile, times)
    return patterns


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


FIRST_COLOUR, SECOND_COLOUR = "#E69F00", "#8000CC"
TRUTH_LINE = (
    "#20242a"  # fills tell what was found: an outline in one of their colours would contradict
)
PALE = 0.12  # of the paper, between the lines of what is false


class ComparedKind(IntEnum):
    """Kind of a place when two runs, A and B, are compared; each place is of exactly one kind.

    ``FIRST``, ``SECOND``, ``BOTH``, ``NEITHER``
        Truth that only A found, only B, both, or neither. A place is found where some query
        retrieves truth of its own label.
    ``FALSE_FIRST``, ``FALSE_SECOND``, ``FALSE_BOTH``
        No truth that is looked at, retrieved by A only, by B only, or by both.
    ``NOTHING``
        Neither retrieved nor truth, or ignored.
    """

    NOTHING = 0
    FIRST = 1
    SECOND = 2
    BOTH = 3
    NEITHER = 4
    FALSE_FIRST = 5
    FALSE_SECOND = 6
    FALSE_BOTH = 7

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> ComparedKind.FALSE_SECOND.words, ComparedKind.NEITHER.words
        ('only B false', 'neither')
        """
        match self:
            case ComparedKind.FIRST | ComparedKind.FALSE_FIRST:
                words = "only A"
            case ComparedKind.SECOND | ComparedKind.FALSE_SECOND:
                words = "only B"
            case _:
                words = self.name.lower().removeprefix("false_")
        return f"{words} false" if self in FALSE_KINDS else words


TRUTH_KINDS = (ComparedKind.FIRST, ComparedKind.SECOND, ComparedKind.BOTH, ComparedKind.NEITHER)
FALSE_KINDS = (ComparedKind.FALSE_FIRST, ComparedKind.FALSE_SECOND, ComparedKind.FALSE_BOTH)
COMPARED_STYLES: FillStyles = (
    (ComparedKind.FIRST, FillStyle(FIRST_COLOUR, Hatch.RISING)),
    (ComparedKind.SECOND, FillStyle(SECOND_COLOUR, Hatch.FALLING, 0.5)),
    (ComparedKind.BOTH, FillStyle("#009E73", Hatch.DOTS)),
    (ComparedKind.NEITHER, FillStyle("#0072B2", Hatch.LEVEL)),
    (ComparedKind.FALSE_FIRST, FillStyle(FIRST_COLOUR, Hatch.UPRIGHT, PALE)),
    (ComparedKind.FALSE_SECOND, FillStyle(SECOND_COLOUR, Hatch.UPRIGHT, PALE)),
    (ComparedKind.FALSE_BOTH, FillStyle("#666666", Hatch.UPRIGHT, PALE)),
)


@dataclass(frozen=True, eq=False)
class ComparedAreas:
    """Truth of one page, and the spots of two runs on it.

    Attributes
    ----------
    truth, first, second : Outlines
        T, N and M outlines by the even-odd rule, in px of the page: the truth that is looked at,
        the spots of run A and those of run B.
    truth_query, first_query, second_query : (T,), (N,) and (M,) int
        Query of each; a spot finds only what is of its own query.
    ignored : Outlines
        I ignored regions: what is ignored for a query is neither retrieved nor truth of it.
    ignored_query : (I,) int
        The query that each one concerns; -1 for all queries.
    """

    truth: Outlines
    first: Outlines
    second: Outlines
    truth_query: NDArray[np.int64]
    first_query: NDArray[np.int64]
    second_query: NDArray[np.int64]
    ignored: Outlines = field(default_factory=lambda: Outlines.of([]))
    ignored_query: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def ignored_of_queries(self) -> tuple[Outlines, NDArray[np.int64]]:
        """Ignored regions once for each query that they concern, and these queries, (J,) int."""
        queries = np.concatenate([self.truth_query, self.first_query, self.second_query])
        return _of_queries(self.ignored, self.ignored_query, np.unique(queries))


def compared_kinds(areas: ComparedAreas, raster: OverlayRaster) -> Pixels:
    """Classify every pixel of an overlay.

    Parameters
    ----------
    areas : ComparedAreas
        Truth and the spots of both runs.
    raster : OverlayRaster
        The pixels.

    Returns
    -------
    (H, W) uint8
        The `ComparedKind` of each pixel, that of its centre.

    Examples
    --------
    Run A finds the left half of a region, run B all of it:

    >>> whole, half = [(0, 0), (4, 0), (4, 2), (0, 2)], [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> query = np.zeros(1, int)
    >>> areas = ComparedAreas(Outlines.of([whole]), Outlines.of([half]), Outlines.of([whole]),
    ...                       query, query, query)
    >>> kinds = compared_kinds(areas, OverlayRaster((1, 0, 0, 1, 0, 0), 5, 2))
    >>> [ComparedKind(kind).words for kind in kinds[0]]
    ['both', 'both', 'only B', 'only B', 'nothing']
    """
    sets = (
        (areas.truth, areas.truth_query),
        (areas.first, areas.first_query),
        (areas.second, areas.second_query),
    )
    truth, first, second = _counted(sets, areas.ignored_of_queries(), raster)
    found = (filling.intersect(spots, truth) for spots in (first, second))
    united = [filling.unite(spans.ungrouped()) for spans in (truth, first, second, *found)]
    return _COMPARED_KIND_OF[filling.fill(united, Grid(raster.width, raster.height))]


def _compared_kind(truth: bool, first: bool, second: bool, one: bool, other: bool) -> ComparedKind:
    """The kind of a place, from what holds there: what is retrieved, and what is found."""
    if truth:
        of_truth = {
            (True, False): ComparedKind.FIRST,
            (False, True): ComparedKind.SECOND,
            (True, True): ComparedKind.BOTH,
        }
        return of_truth.get((one, other), ComparedKind.NEITHER)
    of_false = {
        (True, False): ComparedKind.FALSE_FIRST,
        (False, True): ComparedKind.FALSE_SECOND,
        (True, True): ComparedKind.FALSE_BOTH,
    }
    return of_false.get((first, second), ComparedKind.NOTHING)


_COMPARED_KIND_OF = np.array(
    [_compared_kind(*(bool(bits >> bit & 1) for bit in range(5))) for bits in range(32)], np.uint8
)


_BITS = 4  # of the fractions of a pixel that OpenCV is given
_FARTHEST = 1 << 24  # px; OpenCV counts in 32 bits
_MARGIN = 8.0  # pixels beyond the raster on which dashes are still drawn


def paint_outlines(
    painted: Pixels, outlines: Outlines, raster: OverlayRaster, colour: str, width: float = 1.0
) -> None:
    """Draw outlines into a painted overlay, with smooth edges.

    Parameters
    ----------
    painted : (H, W, 4) uint8
        What `paint_areas` returns; it is changed.
    outlines : Outlines
        In px of the page.
    raster : OverlayRaster
        The pixels.
    colour : str
        Such as "#009E73".
    width : float
        Width of the lines in px of the screen.

    Examples
    --------
    A square of 3 px, whose middle stays clear:

    >>> painted = np.zeros((5, 5, 4), np.uint8)
    >>> square = Outlines.of([[(0.5, 0.5), (4.5, 0.5), (4.5, 4.5), (0.5, 4.5)]])
    >>> paint_outlines(painted, square, OverlayRaster((1, 0, 0, 1, 0, 0), 5, 5), "#FF0000")
    >>> (painted[0, 2] > 0).tolist(), painted[2, 2].tolist()
    ([False, False, True, True], [0, 0, 0, 0])
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    thickness = max(1, round(width * raster.ratio))
    placed = on_raster(outlines, raster)
    points = np.clip(placed.points - 0.5, -_FARTHEST, _FARTHEST)
    fixed = np.rint(points * 2**_BITS).astype(np.int32)
    rings = [ring for ring in np.split(fixed, placed.offsets[1:-1]) if len(ring)]
    cv2.polylines(painted, rings, True, (blue, green, red, 255), thickness, cv2.LINE_AA, _BITS)


def paint_dashes(
    painted: Pixels,
    outlines: Outlines,
    raster: OverlayRaster,
    colour: str,
    width: float,
    dashes: Sequence[float],
) -> None:
    """Draw outlines in dashes into a painted overlay, with smooth edges.

    Parameters
    ----------
    painted : (H, W, 4) uint8
        Premultiplied blue, green, red and alpha; it is changed.
    outlines : Outlines
        In px of the page.
    raster : OverlayRaster
        The pixels.
    colour : str
        Such as "#009E73".
    width : float
        Width of the lines in px of the screen.
    dashes : sequence of float
        Lengths of dashes and gaps in turn, in px of the screen.

    Examples
    --------
    Dashes of 4 px with gaps of 4 px:

    >>> painted = np.zeros((9, 17, 4), np.uint8)
    >>> line = Outlines.of([[(0.5, 4.5), (16.5, 4.5), (16.5, 40.5)]])
    >>> raster = OverlayRaster((1, 0, 0, 1, 0, 0), 17, 9)
    >>> paint_dashes(painted, line, raster, "#FF0000", 1.0, (4.0, 4.0))
    >>> (painted[4, [2, 6, 10, 14], 2] > 0).tolist()
    [True, False, True, False]
    """
    placed = on_raster(outlines, raster)
    pattern = [length * raster.ratio for length in dashes]
    pieces = dash(placed, pattern, (raster.width, raster.height))
    fixed = np.rint((pieces - 0.5) * 2**_BITS).astype(np.int32)
    thickness = max(1, round(width * raster.ratio))
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    pen = (blue, green, red, 255)
    cv2.polylines(painted, list(fixed), False, pen, thickness, cv2.LINE_AA, _BITS)


def dash(outlines: Outlines, pattern: Sequence[float], size: tuple[int, int]) -> Floats:
    """Cut the edges of outlines into dashes.

    Parameters
    ----------
    outlines : Outlines
        Rings in pixels.
    pattern : sequence of float
        Lengths of dashes and gaps in turn, in pixels; they begin anew with each ring and go round
        its corners.
    size : (width, height)
        Of the raster in pixels; dashes that lie beyond it are left out.

    Returns
    -------
    (K, 2, 2) float
        Both ends of each piece of a dash.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (4, 0), (4, 4), (0, 4)]])
    >>> dash(square, [3, 2], (9, 9)).tolist()[:3]
    [[[0.0, 0.0], [3.0, 0.0]], [[4.0, 1.0], [4.0, 4.0]], [[2.0, 4.0], [0.0, 4.0]]]
    """
    lengths = np.diff(outlines.offsets)
    following = np.arange(1, len(outlines.points) + 1)
    filled = lengths > 0
    following[outlines.offsets[1:][filled] - 1] = outlines.offsets[:-1][filled]
    here, there = outlines.points, outlines.points[following]
    along = np.hypot(*(there - here).T)
    ends = np.cumsum(along)
    before = (ends - along)[outlines.offsets[:-1][filled]]
    from_start = ends - along - np.repeat(before, lengths[filled])
    low, high = _visible(here, there, size)
    seen = np.flatnonzero((low < high) & (along > 0))
    first, last = (from_start[seen] + share[seen] * along[seen] for share in (low, high))
    period = sum(pattern)
    rounds = np.floor(first / period).astype(np.int64)
    counts = np.floor(last / period).astype(np.int64) - rounds + 1
    edge = np.repeat(seen, counts)
    begin = concatenate_ranges(rounds, counts) * period
    first, last = np.repeat(first, counts), np.repeat(last, counts)
    pieces = []
    for number in range(0, len(pattern), 2):
        start = np.maximum(first, begin + sum(pattern[:number]))
        stop = np.minimum(last, begin + sum(pattern[: number + 1]))
        there_is = start < stop
        own = edge[there_is]
        shares = [(at[there_is] - from_start[own]) / along[own] for at in (start, stop)]
        pieces.append(np.stack(
            [here[own] + (there[own] - here[own]) * share[:, None] for share in shares], axis=1
        ))  # fmt: skip
    return np.concatenate(pieces) if pieces else np.empty((0, 2, 2))


def _visible(here: Floats, there: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """The shares of edges between which they lie on the raster (Liang and Barsky, 1984)."""
    low, high = np.zeros(len(here)), np.ones(len(here))
    for axis in (0, 1):
        way = there[:, axis] - here[:, axis]
        for side, sign in ((-_MARGIN, 1.0), (size[axis] + _MARGIN, -1.0)):
            inside = (here[:, axis] - side) * sign  # how far the beginning is inside
            grows = way * sign
            share = np.divide(-inside, grows, out=np.zeros(len(here)), where=grows != 0)
            low = np.where(grows > 0, np.maximum(low, share), low)
            high = np.where(grows < 0, np.minimum(high, share), high)
            high = np.where((grows == 0) & (inside < 0), -1.0, high)
    return low, high
