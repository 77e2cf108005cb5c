"""A template: the strokes of a query model as few points, and where it has no ink."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.spotting.symbols.engine.page_features import Arrays, QueryFeatures

POINTS, BLANKS = 144, 144  # at most: more hardly change a score
LOOSE = 0.5  # what a point counts that may be of a letter
_MOSTLY = 0.7  # share of loose ink from which a template is nothing else
_CLEAR = 2.5  # small px from all strokes, or
_CLOSE = 1.5  # where that leaves next to nothing
ELONGATED = 1.3  # ratio of its sides from which a template may have any length
_END = 0.15  # share of its half length that is its end
_ALONG = 6  # of 64 directions: strokes that run along it
_RUNNING = 0.85  # share of the points between its ends whose strokes do
_SAME = 0.95  # share of the points that fit where a template looks the same when it is turned
_SPREAD = 2.4  # as much wider strokes are where blanks look for them


@dataclass(frozen=True, eq=False)
class Template:
    """The strokes of a query model as few points, and where it has no ink.

    Attributes
    ----------
    outline : (M, 2) float
        Open ring around the model, in px of the model from its middle, as are points and blanks.
    middle : (2,) float
        In px of the model.
    points : (N, 2) float
        Places on its strokes, of which any first few are spread widely.
    directions : (N,) int
        Of the points, of 64 over half a turn.
    anchors : tuple of int
        Numbers of the points that have one direction, rising.
    weights : (N,) float
        How much each point counts: less in ink that is no larger than a letter; those come last.
    blanks : (B, 2) float
        Places inside the outline without ink, in an order like that of the points.
    unexplained : float
        How much ink there is if all blanks are inked, per ink of the template.
    radius : float
        Half of its longer side, in px.
    chance : float
        Score that refined poses reach by chance, in [0, 1].
    distinct_turns : tuple of (int, int)
        Right angles to turn by, and -1 where it is mirrored before, of which no two look the same.
    free_axis : int or None
        0 or 1 where it may have any length along x or y, as a window in a wall: its strokes run
        that way, but for those at its ends.
    """

    outline: Floats
    middle: Floats
    points: Floats
    directions: Ints
    anchors: tuple[int, ...]
    weights: Floats
    blanks: Floats
    unexplained: float
    radius: float
    chance: float
    distinct_turns: tuple[tuple[int, int], ...]
    free_axis: int | None = None


def make_template(query: QueryFeatures, kept: Arrays) -> Template:
    """Make the template of a query model.

    Parameters
    ----------
    query : QueryFeatures
    kept : mapping of str to array
        Its arrays of shapes (h, w), (N, 2), …, see `StrokeAlignment.extract`.

    Returns
    -------
    Template
        Without points where the model has no strokes.
    """
    outline = np.asarray(query.outline, np.float64).reshape(-1, 2)
    strokes, places = kept["strokes"], kept["points"].astype(np.float64) + 0.5
    grow = np.array(query.features.size) / strokes.shape[::-1]
    corners = outline if len(outline) else np.zeros((1, 2))
    middle = (corners.min(0) + corners.max(0)) / 2
    x, y = kept["points"].T
    loose = (strokes[y, x] >> np.uint32(24)) & np.uint32(1) > 0
    if loose.mean() > _MOSTLY if len(loose) else True:
        loose[:] = False
    chosen = _thinned(places, POINTS)
    chosen = np.concatenate(
        [_spread(places, chosen[~loose[chosen]]), _spread(places, chosen[loose[chosen]])]
    )
    points = places[chosen] * grow - middle
    directions = kept["directions"][chosen].astype(np.int64)
    blanks, area = _blanks(strokes >> np.uint32(24), outline / grow)
    half = np.ptp(corners, axis=0) / 2
    axis = free_axis(points, directions, half)
    return Template(
        outline - middle,
        middle,
        points,
        directions,
        tuple(np.flatnonzero(~is_mixed(strokes, kept["points"][chosen])).tolist()),
        _point_weights(np.where(loose[chosen], LOOSE, 1.0), points, half, axis),
        blanks * grow - middle,
        area / (_SPREAD * max(len(places), 1)),
        float(np.ptp(corners, axis=0).max() / 2),
        _chance(len(places)),
        _distinct_turns(strokes, points, directions, middle, grow),
        axis,
    )


def free_axis(points: Floats, directions: Ints, half: Floats) -> int | None:
    """Find the axis along which a template may have any length.

    Parameters
    ----------
    points : (N, 2) float
        x, y from the middle.
    directions : (N,) int
        Of 64 over half a turn.
    half : (2,) float
        The halves of its sides.

    Returns
    -------
    int or None
        0 for x, 1 for y; None for a template that is not `ELONGATED` or whose strokes do not
        nearly all run along its longer side, but for those at the ends.

    Examples
    --------
    >>> points = np.array([(x, 5) for x in range(-20, 21)])
    >>> free_axis(points, np.zeros(41, int), np.array([20, 5]))
    0
    >>> free_axis(points, np.full(41, 32), np.array([20, 5])) is None
    True
    """
    axis = int(np.argmax(half))
    if not len(points) or half[axis] < ELONGATED * half[1 - axis]:
        return None
    off = np.abs((directions - 32 * axis + 32) % 64 - 32)
    runs = off <= _ALONG
    inner = np.abs(points[:, axis]) <= (1 - _END) * half[axis]
    return axis if inner.any() and runs[inner].mean() >= _RUNNING else None


def _point_weights(weights: Floats, points: Floats, half: Floats, axis: int | None) -> Floats:
    """Tell how much each point counts: of what has any length, the ends as much as all between
    them.

    Otherwise any piece of it would fit nearly as well as the whole.
    """
    if axis is None:
        return weights
    at_end = np.abs(points[:, axis]) > (1 - _END) * half[axis]
    ends, between = weights[at_end].sum(), weights[~at_end].sum()
    return np.where(at_end & (ends < between), weights * between / max(ends, 1e-9), weights)


def is_mixed(strokes: NDArray[np.uint32], points: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Say where strokes of several directions meet.

    Parameters
    ----------
    strokes : (h, w) uint32
        See `spotlab.spotting.symbols.drawing.strokes.pack`.
    points : (N, 2) uint16
        x, y in the small page.

    Returns
    -------
    (N,) bool

    Examples
    --------
    >>> is_mixed(np.array([[0xFF, 0x01]], np.uint32), np.array([(0, 0), (1, 0)], np.uint16))
    array([ True, False])
    """
    return np.asarray(strokes[points[:, 1], points[:, 0]] & np.uint32(0xFF) == 0xFF)


def at_right_angle(points: Floats, turn: int, mirror: int) -> Floats:
    """Mirror points, then turn them by right angles.

    Parameters
    ----------
    points : (N, 2) float
    turn : int
        Number of right angles, from x towards y.
    mirror : {1, -1}
        -1 mirrors x to -x.

    Examples
    --------
    >>> at_right_angle(np.array([[2.0, 1.0]]), turn=1, mirror=-1).tolist()
    [[-1.0, -2.0]]
    """
    cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn % 4]
    x, y = mirror * points[:, 0], points[:, 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], 1)


def _distinct_turns(
    strokes: NDArray[np.uint32], points: Floats, directions: Ints, middle: Floats, grow: Floats
) -> tuple[tuple[int, int], ...]:
    """Of the eight ways to turn and mirror it, the first of those that look alike."""
    ways = [(turn, mirror) for mirror in (1, -1) for turn in range(4)]
    height, width = strokes.shape
    same = []
    for turn, mirror in ways:
        x, y = np.floor((at_right_angle(points, turn, mirror) + middle) / grow).astype(int).T
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        word = strokes[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        channel = ((mirror * directions + 32 * turn + 4) >> 3) & 7
        fits = inside & ((word >> (8 + channel).astype(np.uint32)) & 1 > 0)
        same.append(fits.mean() >= _SAME if len(fits) else True)
    distinct: list[tuple[int, int]] = []
    for turn, mirror in ways:
        # laid as one before, then as the symmetry that leads here
        steps = [((before * (turn - start)) % 4, mirror * before) for start, before in distinct]
        if not any(same[ways.index(step)] for step in steps):
            distinct.append((turn, mirror))
    return tuple(distinct)


def _chance(strokes: int) -> float:
    """Measured on 34 kinds of furniture: it falls with the number of small px of strokes."""
    return float(np.clip(0.7 - 0.3 * np.log10(max(strokes, 1) / 130), 0.25, 0.8))


def _thinned(places: Floats, max_count: int) -> Ints:
    """At most this many of the places, spread evenly; of near ones the first stays."""
    chosen = np.arange(len(places))
    side = 1.0
    while len(chosen) > max_count:
        cells = np.floor(places / side).astype(np.int64)
        chosen = np.sort(np.unique(cells, axis=0, return_index=True)[1])
        side *= 1.1
    return chosen


def _spread(places: Floats, chosen: Ints) -> Ints:
    """These in an order in which each is the farthest from all before it."""
    if not len(chosen):
        return chosen
    points = places[chosen]
    order = [int(np.argmin(((points - points.mean(0)) ** 2).sum(1)))]
    distance = np.full(len(points), np.inf)
    while len(order) < len(points):
        distance = np.minimum(distance, ((points - points[order[-1]]) ** 2).sum(1))
        order.append(int(np.argmax(distance)))
    return np.asarray(chosen[order], np.int64)


def _blanks(ink: NDArray[np.uint32], outline: Floats) -> tuple[Floats, float]:
    """Places of the small model that are inside and far from ink, and the area they stand for."""
    inside = np.zeros(ink.shape, np.uint8)
    if len(outline) > 2:
        cv2.fillPoly(inside, [np.round(outline * 8).astype(np.int32)], 1, cv2.LINE_8, 3)
    free = np.pad((ink < 76).astype(np.uint8), 1, constant_values=1)
    distance = cv2.distanceTransform(free, cv2.DIST_L2, 5)[1:-1, 1:-1]
    clear = (inside > 0) & (distance > _CLEAR)
    if clear.sum() < 0.1 * inside.sum():
        clear = (inside > 0) & (distance > _CLOSE)
    y, x = np.nonzero(clear)
    places = np.asarray(np.stack([x, y], 1) + 0.5, np.float64)
    return places[_spread(places, _thinned(places, BLANKS))], float(len(places))
