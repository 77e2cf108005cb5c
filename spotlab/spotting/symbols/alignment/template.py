"""A template: the strokes of a query model as few points, and where it has no ink."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.engine.page_features import Arrays, QueryFeatures

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINTS, BLANKS = 144, 144  # at most: more hardly change a score
LOOSE = 0.5  # what a point counts that may be of a letter
_MOSTLY = 0.7  # share of loose ink from which a template is nothing else
_CLEAR = 2.5  # small px from all strokes, or
_CLOSE = 1.5  # where that leaves next to nothing
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
    return Template(
        outline - middle,
        middle,
        points,
        directions,
        tuple(np.flatnonzero(~is_mixed(strokes, kept["points"][chosen])).tolist()),
        np.where(loose[chosen], LOOSE, 1.0),
        blanks * grow - middle,
        area / (_SPREAD * max(len(places), 1)),
        float(np.ptp(corners, axis=0).max() / 2),
        _chance(len(places)),
        _distinct_turns(strokes, points, directions, middle, grow),
    )


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
