"""Bridges broken strokes: finds where they end and where they go on beyond the gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.libraries import spatial

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
    """Where strokes end.

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
