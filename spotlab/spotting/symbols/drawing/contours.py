"""Finds the primitives of an ink image: the closed contours of its holes and of its components."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2, spatial
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import Runs, concatenate_runs, runs_from_mask
from spotlab.imaging.reading.pyramid import row_bands

Ring = NDArray[np.int32]

_TIP = 2.0  # pens from the tip of an end back to where its two sides are compared
_WIDTH = 1.5  # pens between the two sides of an end, at most
_FACING = 0.6  # cosine between where an end points and where its bridge goes
# degrees: where a stroke may go on that is bent, or ends at a corner
_TURNS = (0, 25, -25, 50, -50)
_DETOUR = 250.0  # degrees off that count as much as the whole gap
_SHIFT = 4  # OpenCV takes coordinates in 1/16 px
_NEAR = 1.0  # pens: ends as near as this need not face each other as well


@dataclass(frozen=True, eq=False)
class StrokeEnds:
    """Ends of strokes.

    Attributes
    ----------
    tips : (E, 2) float
        Their last px.
    directions : (E, 2) float
        Of length 1, where the stroke would go on.
    """

    tips: Floats
    directions: Floats


def stroke_ends(ink: Ink, rings: Sequence[Ring], pen: float) -> StrokeEnds:
    """Find the ends of all strokes.

    Parameters
    ----------
    ink : (H, W) bool
    rings : sequence of (N, 2) int
        All contours of the ink, every pixel of them.
    pen : float
        Width of a usual line in px.

    Returns
    -------
    StrokeEnds
        In the order of the contours.

    Notes
    -----
    A contour that runs round the end of a stroke comes back on its other side: pixels that are some
    pens apart along the contour lie about a pen apart on the page, with ink in between.

    Examples
    --------
    >>> ink = np.zeros((20, 40), bool)
    >>> ink[9:12, 5:35] = True
    >>> rings = cv2.findContours(ink.view(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]
    >>> stroke_ends(ink, [ring[:, 0] for ring in rings], pen=3).tips[:, 0].tolist()
    [5.0, 34.0]
    """
    long = [ring for ring in rings if len(ring) >= 4]
    if not long:
        return StrokeEnds(np.empty((0, 2)), np.empty((0, 2)))
    points = np.concatenate(long)
    lengths = np.array([len(ring) for ring in long])
    start = np.repeat(np.cumsum(lengths) - lengths, lengths)
    size = np.repeat(lengths, lengths)
    step = np.clip(size // 4, 1, round(_TIP * pen) + 1)
    place = np.arange(len(points))
    back, forth = place - step, place + step
    back += np.where(back < start, size, 0)
    forth -= np.where(forth >= start + size, size, 0)
    across = points[back] - points[forth]
    thin = np.flatnonzero((across * across).sum(1) < (_WIDTH * pen) ** 2)
    middle = (points[back[thin]] + points[forth[thin]]) / 2
    reach = np.hypot(*(points[thin] - middle).T)
    x, y = _nearest(middle).T
    # a narrow hole turns back just so, but there is paper between its sides
    ends = (reach > 0.6 * step[thin]) & (reach > np.hypot(*across[thin].T) / 2) & ink[y, x]
    thin, middle, reach = thin[ends], middle[ends], reach[ends]
    best = _peaks(thin, start[thin], size[thin], reach, step[thin])
    tips = points[thin[best]].astype(np.float64)
    away = tips - middle[best]
    return StrokeEnds(tips, away / np.hypot(*away.T)[:, None])


def _peaks(places: Ints, starts: Ints, sizes: Ints, reach: Floats, step: Ints) -> Ints:
    """Find, in each stretch of places, the one in the middle of the farthest ones.

    Parameters
    ----------
    places : (N,) int
        Rising.
    starts, sizes : (N,) int
        The first place of the contour that each lies on, and how many places that has.
    reach : (N,) float
    step : (N,) int
        Places as near as this are of one stretch.
    """
    if not len(places):
        return places
    group = _stretches(places, starts, step)
    first = np.flatnonzero(np.diff(starts, prepend=-1))
    last = np.append(first[1:], len(starts)) - 1
    # a stretch may end behind the first px of its contour, having begun before the last
    around = (places[first] + sizes[first] - places[last] <= step[last]) & (
        group[first] != group[last]
    )
    unrolled = places - np.where(np.isin(group, group[last[around]]), sizes, 0)
    order = np.lexsort((unrolled, starts))
    group = _stretches(unrolled[order], starts, step[order])
    top = np.full(group[-1] + 1, -np.inf)
    np.maximum.at(top, group, reach[order])
    farthest = np.flatnonzero(reach[order] >= top[group] - 0.5)
    ends = np.searchsorted(group[farthest], np.arange(group[-1] + 2))
    peaks: Ints = order[farthest[(ends[:-1] + ends[1:] - 1) // 2]]
    return peaks


def _stretches(places: Ints, starts: Ints, step: Ints) -> Ints:
    """The number of the stretch of each place, rising."""
    same = (np.diff(places) <= step[:-1]) & (np.diff(starts) == 0)
    return np.concatenate([[0], np.cumsum(~same)])


def bridge_lines(ink: Ink, ends: StrokeEnds, pen: float, gap: float) -> Floats:
    """Find lines that bridge gaps.

    An end is joined with the nearest one that faces it, in line with it or round a corner; where
    there is none, it goes on until it meets ink, straight or bent.

    Parameters
    ----------
    ink : (H, W) bool
    ends : StrokeEnds
    pen : float
        Width of a usual line in px.
    gap : float
        Width of the widest gap in px.

    Returns
    -------
    (L, 2, 2) float
        From x, y to x, y.

    Examples
    --------
    >>> ends = StrokeEnds(np.array([[10.0, 5], [14, 5]]), np.array([[1.0, 0], [-1, 0]]))
    >>> bridge_lines(np.zeros((20, 40), bool), ends, pen=3, gap=6).tolist()
    [[[10.0, 5.0], [14.0, 5.0]]]
    """
    pairs = _facing(ends, pen, gap)
    taken = np.zeros(len(ends.tips), bool)
    taken[pairs.ravel()] = True
    lines = ends.tips[pairs]
    return np.concatenate([lines, _onward(ink, ends, np.flatnonzero(~taken), gap)])


def _facing(ends: StrokeEnds, pen: float, gap: float) -> Ints:
    """(L, 2) pairs of ends, nearest first, no end twice."""
    if len(ends.tips) < 2:
        return np.empty((0, 2), np.int64)
    pairs = spatial.cKDTree(ends.tips).query_pairs(gap + 1, output_type="ndarray").astype(np.int64)
    between = ends.tips[pairs[:, 1]] - ends.tips[pairs[:, 0]]
    distance = np.hypot(*between.T)
    towards = between / np.maximum(distance, 1e-9)[:, None]
    cosine = np.minimum(
        (ends.directions[pairs[:, 0]] * towards).sum(1),
        -(ends.directions[pairs[:, 1]] * towards).sum(1),
    )
    good = np.flatnonzero(cosine >= np.where(distance <= _NEAR * pen, 0, _FACING))
    order = good[np.lexsort((pairs[good, 1], pairs[good, 0], distance[good]))]
    chosen = []
    taken: set[int] = set()
    for a, b in pairs[order].tolist():
        if a not in taken and b not in taken:
            taken |= {a, b}
            chosen.append((a, b))
    return np.array(chosen, np.int64).reshape(-1, 2)


def _onward(ink: Ink, ends: StrokeEnds, free: Ints, gap: float) -> Floats:
    """Lines from free ends to ink before them, as straight on and as near as possible."""
    height, width = ink.shape
    away = np.arange(2.0, np.floor(gap) + 2)
    shortest = np.full(len(free), np.inf)
    lines = np.zeros((len(free), 2, 2))
    for degrees in _TURNS:
        cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        directions = ends.directions[free] @ np.array([[cosine, sine], [-sine, cosine]])
        places = ends.tips[free, None] + away[None, :, None] * directions[:, None]
        x, y = _nearest(places).transpose(2, 0, 1)
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        met = inside & ink[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        first = met.argmax(1)
        length = np.where(met.any(1), away[first] + abs(degrees) * gap / _DETOUR, np.inf)
        better = np.flatnonzero(length < shortest)
        shortest[better] = length[better]
        lines[better] = np.stack([ends.tips[free[better]], places[better, first[better]]], axis=1)
    bridges: Floats = lines[np.isfinite(shortest)]
    return bridges


def draw_bridges(ink: Ink, lines: Floats, pen: float) -> Ink:
    """Draw lines a pen wide.

    Parameters
    ----------
    ink : (H, W) bool
    lines : (L, 2, 2) float
        See `bridge_lines`.
    pen : float
        Width of a usual line in px.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> line = np.array([[[2.0, 2.0], [7.0, 2.0]]])
    >>> int(draw_bridges(np.zeros((5, 10), bool), line, pen=1).sum())
    6
    """
    page = ink.astype(np.uint8)
    along = lines[:, 1] - lines[:, 0]
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    side = np.stack([-along[:, 1], along[:, 0]], axis=1) * (pen - 1) / 2
    # OpenCV's own thick lines are up to two px thicker than asked for
    corners = np.stack(
        [lines[:, 0] - side, lines[:, 1] - side, lines[:, 1] + side, lines[:, 0] + side], axis=1
    )
    for quad in _nearest(corners * 2**_SHIFT).astype(np.int32):
        cv2.fillConvexPoly(page, quad, 1, cv2.LINE_8, _SHIFT)
    return page.view(np.bool_)


def _nearest(values: Floats) -> Ints:
    """Rounded up from halves on: to even numbers, results would change with the page's position."""
    return np.asarray(np.floor(values + 0.5), np.int64)


def part_from_walls(
    ink: Ink, holes: Sequence[Ring], pen: float, limits: Sequence[float]
) -> Iterator[Ink]:
    """Fill the shapes that holes up to a size enclose with their ink, for each limit of size.

    Parameters
    ----------
    ink : (H, W) bool
    holes : sequence of (N, 2) int
        The contours of all of its holes, in px.
    pen : float
        Width of a usual line in px.
    limits : sequence of float
        Rising: px, the larger side of the largest hole, and the length from which on a line that
        runs along or across the page belongs to a wall.

    Yields
    ------
    (H, W) bool

    Examples
    --------
    >>> ink = np.zeros((60, 80), bool)
    >>> ink[38:40] = True  # a wall, and a symbol at it
    >>> ink[10:40, 20:60] = True
    >>> ink[13:37, 23:57] = False
    >>> hole = np.array([(23, 13), (56, 13), (56, 36), (23, 36)], np.int32)
    >>> [shapes] = part_from_walls(ink, [hole], pen=3, limits=[45])
    >>> np.flatnonzero(shapes.any(0))[[0, -1]]
    array([21, 58])
    """
    sizes = np.array([max(cv2.boundingRect(hole)[2:]) for hole in holes], np.int64)
    reach = 2 * max(round(pen) - 1, 1) + 1
    drawn = ink.view(np.uint8)
    walls = [
        long_runs(drawn, limits[0]),
        long_runs(np.asarray(cv2.transpose(drawn), np.uint8), limits[0]),
    ]
    inside = np.zeros(ink.shape, np.uint8)
    below = 0.0
    for limit in limits:
        some = np.flatnonzero((sizes > below) & (sizes <= limit)).tolist()
        cv2.drawContours(inside, [holes[number][:, None] for number in some], -1, 1, cv2.FILLED)
        # how much is near, up to 255: unlike a dilation no slower where lines are wide
        shapes = cv2.boxFilter(
            inside, cv2.CV_8U, (reach, reach), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        cv2.min(shapes, drawn, dst=shapes)
        cv2.bitwise_or(shapes, inside, dst=shapes)
        for runs, image in zip(walls, (shapes, shapes.T), strict=True):
            wall = runs[runs.stops - runs.starts > limit]
            for row, start, stop in zip(wall.rows, wall.starts, wall.stops, strict=True):
                image[row, start:stop] = 0
        yield shapes.view(np.bool_)
        below = limit


def long_runs(ink: NDArray[np.uint8], longer: float) -> Runs:
    """Find all runs of ink that are longer than a limit.

    Parameters
    ----------
    ink : (H, W) uint8
        0 or 1.
    longer : float
        Limit in px.

    Examples
    --------
    >>> long_runs(np.array([[1, 1, 1, 0, 1]], np.uint8), longer=2).stops.tolist()
    [3]
    """
    height, width = ink.shape
    parts = []
    for top, bottom in row_bands(width, height):
        runs = runs_from_mask(ink[top:bottom].view(np.bool_), top)
        parts.append(runs[runs.stops - runs.starts > longer])
    return concatenate_runs(parts)


@dataclass(frozen=True, eq=False)
class Primitives:
    """Closed contours of a page or of a query model, in no particular but a fixed order.

    Attributes
    ----------
    contours : Outlines
        Each contour as an open ring, every pixel of it, not approximated: x, y in px of the
        pixels' left upper corners, so that their middles are half a px farther.
    level : (P,) int
        How much was mended to close it: 0 for nothing, as drawn; 1 and 2 for wider and wider gaps
        that are bridged; from 3 on for larger and larger shapes that are parted from walls.
    """

    contours: Outlines
    level: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.contours)

    def take(self, chosen: NDArray[np.int64]) -> Primitives:
        """Choose contours.

        Parameters
        ----------
        chosen : (M,) int
            Their numbers, in the order wanted.
        """
        return Primitives(self.contours.take(chosen), self.level[chosen])

    @cached_property
    def moments(self) -> NDArray[np.float64]:
        """(P, 24) moments of the area inside, in the order of `cv2.moments` (m00 first)."""
        rows = [list(cv2.moments(_float_ring(ring)).values()) for ring in self._rings]
        return np.array(rows, np.float64).reshape(len(self), 24)

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """(P, 2) centroids x, y in px of the area inside."""
        moments = self.moments
        middle = (self.contours.bounds[:, :2] + self.contours.bounds[:, 2:]) / 2
        area = np.maximum(moments[:, :1], 1e-9)
        return np.where(moments[:, :1] > 0, moments[:, 1:3] / area, middle)

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """(P,) square roots of the areas inside, in px; at least 1."""
        return np.asarray(np.sqrt(np.maximum(self.moments[:, 0], 1)))

    @cached_property
    def hulls(self) -> Outlines:
        """Convex hulls of the contours, in px."""
        return Outlines.of([cv2.convexHull(_float_ring(ring))[:, 0] for ring in self._rings])

    @property
    def _rings(self) -> list[NDArray[np.float64]]:
        return [self.contours[number] for number in range(len(self))]


def _float_ring(points: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(points, np.float32).reshape(-1, 1, 2)


BRIDGES = (1.5, 3.0)  # pens: the widest gap that levels 1 and 2 bridge
SYMBOLS = (30.0, 60.0, 120.0)  # pens: what levels 3 to 5 take for the largest side of a symbol

_FRAME = 0.75  # of the page's width and height: what spans more is no symbol
_HOLE = 2.0  # pens: the larger side of the smallest hole, its rim of ink counted
_COMPONENT = 4.0  # pens: the larger side of the smallest component
_SMALLEST = (6.0, 10.0)  # px: the same; what is smaller has no shape, whatever the pen


def find_primitives(ink: Ink, pen: float, mend: bool = True, frames: bool = False) -> Primitives:
    """Find the closed contours of ink: holes first, then components, from top to bottom.

    Parameters
    ----------
    ink : (H, W) bool
        A page's, or a query model's.
    pen : float
        Width of a usual line in px.
    mend : bool
        Find also contours that close only where broken strokes are bridged, as levels 1 and 2, and
        the outlines of what touches walls, as levels 3 to 5. Without, only level 0: closed as
        drawn.
    frames : bool
        Find also contours that span nearly all of the ink's width and height. On a page these are
        frames and whole buildings; in a query model they are the symbol, which has no walls, so
        that levels end at 2.

    Returns
    -------
    Primitives
        Contours of shape (N, 2), in px; none where there is no ink.

    Examples
    --------
    >>> ink = np.zeros((60, 80), bool)
    >>> ink[10:40, 20:60] = True
    >>> ink[13:37, 23:57] = False
    >>> find_primitives(ink, pen=3).contours.bounds.tolist()
    [[22.0, 12.0, 57.0, 37.0], [20.0, 10.0, 59.0, 39.0]]

    Notes
    -----
    Left out are holes below 2 pens and 6 px, components below 4 pens and 10 px (their larger sides:
    specks, full stops), and of higher levels what differs from all contours of lower ones by less
    than half a pen and a twentieth of its area.
    """
    drawn = _trace(ink)
    levels = [_sensible(drawn, ink.shape, pen, frames)]
    for mended in _mended(ink, drawn, pen, not frames) if mend else ():
        known = [ring for level in levels for ring in level]
        levels.append(_new(_sensible(mended, ink.shape, pen, frames), known, pen))
    rings = [ring for level in levels for ring in level]
    of = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    return Primitives(Outlines.of(rings), of.astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Traced:
    """All contours of an ink image, every pixel of them."""

    holes: list[Ring]
    outer: list[Ring]


def _mended(ink: Ink, drawn: _Traced, pen: float, walls: bool) -> Iterator[_Traced]:
    """The contours of each level above 0."""
    ends = stroke_ends(ink, drawn.holes + drawn.outer, pen)
    whole, traced = ink, drawn
    for gap in BRIDGES:
        del whole  # large pages are not kept twice
        whole = draw_bridges(ink, bridge_lines(ink, ends, pen, gap * pen), pen)
        traced = _trace(whole)
        yield traced
    if not walls:
        return
    for shapes in part_from_walls(whole, traced.holes, pen, [pen * side for side in SYMBOLS]):
        yield _Traced([], _trace(shapes).outer)


def _trace(ink: Ink) -> _Traced:
    contours, tree = cv2.findContours(ink.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return _Traced([], [])
    rings = [np.asarray(ring[:, 0], np.int32) for ring in contours]
    is_hole = (tree[0, :, 3] >= 0).tolist()
    return _Traced(
        _sorted([ring for ring, hole in zip(rings, is_hole, strict=True) if hole]),
        _sorted([ring for ring, hole in zip(rings, is_hole, strict=True) if not hole]),
    )


def _sorted(rings: Sequence[Ring]) -> list[Ring]:
    """From top to bottom, whatever order OpenCV has."""
    return sorted(rings, key=lambda ring: (int(ring[0, 1]), int(ring[0, 0]), len(ring)))


def _sensible(traced: _Traced, shape: tuple[int, int], pen: float, frames: bool) -> list[Ring]:
    """Contours that are neither specks nor frames."""
    groups = (
        (traced.holes, max(_HOLE * pen, _SMALLEST[0])),
        (traced.outer, max(_COMPONENT * pen, _SMALLEST[1])),
    )
    sensible = []
    for rings, smallest in groups:
        for ring in rings:
            _, _, width, height = cv2.boundingRect(ring)
            frame = width > _FRAME * shape[1] and height > _FRAME * shape[0]
            if max(width, height) >= smallest and len(ring) > 3 and (frames or not frame):
                sensible.append(ring)
    return sensible


def _new(rings: Sequence[Ring], known: Sequence[Ring], pen: float) -> list[Ring]:
    """Contours that differ from all known ones by half a pen somewhere, or a twentieth in area."""
    if not rings or not known:
        return list(rings)
    old, new = _extent(known), _extent(rings)
    near = spatial.cKDTree(old[:, :4]).query_ball_point(new[:, :4], max(pen / 2, 1), p=np.inf)
    return [
        ring
        for ring, area, others in zip(rings, new[:, 4], near, strict=True)
        if not (np.abs(old[others, 4] - area) <= 0.05 * area).any()
    ]


def _extent(rings: Sequence[Ring]) -> NDArray[np.float64]:
    """(N, 5) left, top, width, height, area in px."""
    return np.array([[*cv2.boundingRect(ring), cv2.contourArea(ring)] for ring in rings])
