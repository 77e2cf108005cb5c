"""A template: the strokes of a query model as few points, and where it has no ink."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.seen import Arrays, Query

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINTS, BLANKS = 144, 144  # at most: more hardly change a score
_CLEAR = 2.5  # small px from all strokes, or
_CLOSE = 1.5  # where that leaves next to nothing
_SPREAD = 2.4  # as much wider strokes are where blanks look for them


@dataclass(frozen=True, eq=False)
class Template:
    """What is laid onto pages.

    Attributes
    ----------
    outline : (M, 2) float
        Open ring around the model; like all others from its middle, in px of the model.
    middle : (2,) float
        In px of the model.
    points : (N, 2) float
        Places on its strokes, any first few of them spread over all of it.
    turns : (N,) int
        Their directions, of 64.
    blanks : (B, 2) float
        Places inside the outline without ink.
    unexplained : float
        How much ink there is if all blanks are inked, per ink of the template.
    radius : float
        Half of its longer side, in px.
    """

    outline: Floats
    middle: Floats
    points: Floats
    turns: Ints
    blanks: Floats
    unexplained: float
    radius: float


def make_template(query: Query, kept: Arrays) -> Template:
    """The template of a query model, of which alignment keeps these arrays."""
    outline = np.asarray(query.outline, np.float64).reshape(-1, 2)
    strokes, places = kept["strokes"], kept["points"].astype(np.float64) + 0.5
    grow = np.array(query.seen.size) / strokes.shape[::-1]
    corners = outline if len(outline) else np.zeros((1, 2))
    middle = (corners.min(0) + corners.max(0)) / 2
    chosen = _spread(places, _thinned(places, POINTS))
    blanks, area = _blanks(strokes >> np.uint32(24), outline / grow)
    return Template(
        outline - middle,
        middle,
        places[chosen] * grow - middle,
        kept["turns"][chosen].astype(np.int64),
        blanks * grow - middle,
        area / (_SPREAD * max(len(places), 1)),
        float(np.ptp(corners, axis=0).max() / 2),
    )


def _thinned(places: Floats, most: int) -> Ints:
    """At most so many of the places, each as far from the others as goes; the first stay."""
    chosen = np.arange(len(places))
    side = 1.0
    while len(chosen) > most:
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
    return places[_thinned(places, BLANKS)], float(len(places))
