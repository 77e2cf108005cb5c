"""Regions of a page that could be symbols, whatever they show.

Every closed contour's hull is a candidate, and so is every union of neighbours that is made when
the two whose union is smallest are joined again and again. This finds symbols that share lines with
a wall, and symbols of several parts.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.boxes import pair_boxes
from spotlab.geometry.outlines import Outlines
from spotlab.libraries import shapely
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.orientation_histograms import (
    Histograms,
    orientation_histograms,
    upright_frames,
)
from spotlab.spotting.symbols.proposals.region_features import region_features

FARTHEST = 4.0  # pens between neighbours that may be parts of one symbol
LARGEST = 0.1  # of the page: what is larger is not joined
_SAME = 0.85  # overlap from which two candidates are the same

Ring = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Regions with their features.

    Attributes
    ----------
    hulls : Outlines
        Convex, in px.
    boxes : (N, 4) float
        Left, top, right, bottom in px.
    frames : (N, 5) float
        See `upright_frames`.
    features : (N, 12) float
        See `region_features`.
    histograms : (N, LENGTH) float32
        See `orientation_histograms`.
    """

    hulls: Outlines
    boxes: NDArray[np.float64]
    frames: NDArray[np.float64]
    features: NDArray[np.float64]
    histograms: Histograms

    def __len__(self) -> int:
        return len(self.hulls)


def find_candidates(page: PageFeatures) -> Candidates:
    """Find all regions of a page that could be symbols, after Uijlings et al. (2013), §3.1.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.

    Returns
    -------
    Candidates
        None where the page has no contours.

    References
    ----------
    Uijlings et al. (2013), "Selective search for object recognition", International Journal of
    Computer Vision 104, §3.1: neighbours are joined, the smallest union first.
    """
    return page.cached("candidates", lambda: describe_regions(page, candidate_hulls(page)))


def describe_regions(page: PageFeatures, hulls: Outlines) -> Candidates:
    """Extract the features of regions.

    Parameters
    ----------
    page : PageFeatures
    hulls : Outlines
        Convex, in px.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
    >>> page = features_of_ink(np.ones((20, 20), bool), methods=[])
    >>> square = Outlines.of([[(2, 2), (12, 2), (12, 12), (2, 12)]])
    >>> describe_regions(page, square).boxes.tolist()
    [[2.0, 2.0, 12.0, 12.0]]
    """
    ink, frames = page.ink, upright_frames(hulls)
    figures = region_features(ink, page.primitives, page.pen, hulls, frames)
    return Candidates(
        hulls, hulls.bounds, frames, figures, orientation_histograms(ink, hulls, frames)
    )


def candidate_hulls(page: PageFeatures) -> Outlines:
    """Find the outlines of candidates: contours from the outermost inwards, then unions.

    Parameters
    ----------
    page : PageFeatures

    Returns
    -------
    Outlines
        Convex, in px; (N, 2) float32 each.
    """
    single = _outer_hulls(page.primitives, page.pen)
    largest = LARGEST * page.size[0] * page.size[1]
    union = _unions(
        [hull for hull in single if cv2.contourArea(hull) <= largest], page.pen, largest
    )
    return _distinct(single + union)


def _outer_hulls(primitives: Primitives, pen: float) -> list[Ring]:
    """Hulls of the contours with the lines that draw them, those of components first."""
    contours = primitives.contours
    holes: list[Ring] = []
    outer: list[Ring] = []
    for number in range(len(contours)):
        ring = contours[number].astype(np.float32)
        # a contour runs through the centres of px; that of a hole through the inner rim of its line
        is_hole = cv2.contourArea(ring, oriented=True) > 0
        hull = _hull(ring)
        (holes if is_hole else outer).append(_grown(hull, max(pen - 1, 0) if is_hole else 0))
    return outer + holes


def _grown(hull: Ring, by: float) -> Ring:
    """The hull around the squares of the pixels that it joins, wider by this many px."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (1 + 2 * by) - by
    return _hull((hull[:, None] + square.astype(np.float32)).reshape(-1, 2))


def _hull(points: Ring) -> Ring:
    return np.asarray(cv2.convexHull(points)[:, 0], np.float32)


def _unions(hulls: list[Ring], pen: float, largest: float) -> list[Ring]:
    """The hulls of neighbours, joined two by two, the smallest union first."""
    known = list(hulls)
    gone = [False] * len(known)
    beside: list[set[int]] = [set() for _ in known]
    waiting: list[tuple[float, int, int]] = []

    def weigh(one: int, other: int) -> None:
        area = cv2.contourArea(cv2.convexHull(np.concatenate([known[one], known[other]])))
        if area <= largest:
            beside[one].add(other)
            beside[other].add(one)
            heapq.heappush(waiting, (area, one, other))

    for one, other in _neighbours(hulls, FARTHEST * pen):
        weigh(one, other)
    while waiting:
        _, one, other = heapq.heappop(waiting)
        if gone[one] or gone[other]:
            continue
        gone[one] = gone[other] = True
        new = len(known)
        known.append(_hull(np.concatenate([known[one], known[other]])))
        gone.append(False)
        beside.append(set())
        for neighbour in sorted((beside[one] | beside[other]) - {one, other}):
            if not gone[neighbour]:
                weigh(neighbour, new)
    return known[len(hulls) :]


def _neighbours(hulls: list[Ring], distance: float) -> list[tuple[int, int]]:
    """Which hulls are at most this many px from each other."""
    boxes = Outlines.of(hulls).bounds
    out = np.array([distance, distance])
    wide = np.hstack([boxes[:, :2] - out, boxes[:, 2:]])
    pairs = pair_boxes(wide, np.hstack([boxes[:, :2], boxes[:, 2:] + out]))
    one, other = pairs.first, pairs.second
    both = np.unique(np.sort(np.column_stack([one, other])[one != other], 1), axis=0)
    shapes = np.array([shapely.polygons(hull) for hull in hulls], object)
    near = shapely.distance(shapes[both[:, 0]], shapes[both[:, 1]]) <= distance
    return [(int(a), int(b)) for a, b in both[near]]


def _distinct(hulls: list[Ring]) -> Outlines:
    """Hulls without those that are about the same as an earlier one."""
    boxes = Outlines.of(hulls).bounds
    areas = np.array([cv2.contourArea(hull) for hull in hulls])
    pairs = pair_boxes(boxes, boxes)
    alike = (pairs.iou >= _SAME) & (pairs.first < pairs.second)
    one, other = pairs.first[alike], pairs.second[alike]
    similar = np.minimum(areas[one], areas[other]) >= _SAME * np.maximum(areas[one], areas[other])
    kept = np.ones(len(hulls), bool)
    for first, second in zip(one[similar].tolist(), other[similar].tolist(), strict=True):
        if kept[first]:
            kept[second] = False
    return Outlines.of([hull for hull, keep in zip(hulls, kept, strict=True) if keep])
