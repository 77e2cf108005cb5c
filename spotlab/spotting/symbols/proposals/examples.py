"""What a lesson shows: the region of its crop that the person meant, described like a candidate."""

from __future__ import annotations

import cv2
import numpy as np

from spotlab.geometry import convexity, polygon
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import Points
from spotlab.spotting.symbols.engine.page_features import Query
from spotlab.spotting.symbols.proposals.candidates import Candidates, candidate_hulls, described

_MEANT = 0.6  # overlap from which a candidate is what the outline is about


def example_of(query: Query) -> Candidates:
    """The one region that a query is about, described once.

    Around a symbol people draw boxes and outlines that are wide or narrow; what counts is the
    candidate that fits best. Where none does, it is the outline.
    """

    def make() -> Candidates:
        outline = convexity.convex_hull(query.outline)
        if not len(outline):
            outline = query.outline
        hulls = candidate_hulls(query.seen)
        boxes = is_box(query.outline)
        fits = [_fit(hulls[number], outline, boxes) for number in range(len(hulls))]
        best = int(np.argmax(fits)) if fits else -1
        meant = hulls[best] if fits and fits[best] >= _MEANT else outline
        return described(query.seen, Outlines.of([meant]))

    return query.seen.made("example", make)


def is_box(outline: Points) -> bool:
    """Whether all edges of a region of four corners are upright or level."""
    if len(outline) != 4:
        return False
    edges = np.abs(np.roll(outline, -1, axis=0) - outline)
    return bool((edges.min(1) < 1e-6).all())


def boxed(outline: Points) -> Points:
    """The upright box around an outline."""
    left, top, right, bottom = polygon.bounds(outline)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _fit(hull: Points, outline: Points, boxes: bool) -> float:
    """Overlap of two convex outlines, or of the boxes around them."""
    return overlap(boxed(hull), boxed(outline)) if boxes else overlap(hull, outline)


def overlap(first: Points, second: Points) -> float:
    """IoU of two convex outlines; 0 where one of them has no area."""
    one, other = first.astype(np.float32), second.astype(np.float32)
    areas = cv2.contourArea(one), cv2.contourArea(other)
    if min(areas) <= 0:
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    return float(shared / (sum(areas) - shared))
