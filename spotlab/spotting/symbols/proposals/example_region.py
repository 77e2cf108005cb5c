"""The region that a labelled example is about, described like a candidate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.geometry import polygon
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import convex_hull
from spotlab.spotting.symbols.embedding.network import SymbolNetwork
from spotlab.spotting.symbols.embedding.pictures import cut_pictures
from spotlab.spotting.symbols.engine.page_features import QueryFeatures
from spotlab.spotting.symbols.proposals.candidates import (
    Candidates,
    candidate_hulls,
    describe_regions,
)

_MEANT = 0.6  # overlap from which a candidate is what the outline is about


def example_region(query: QueryFeatures) -> Candidates:
    """Find the one region that a query is about, and describe it once.

    People draw boxes and outlines around a symbol that are wide or narrow; what counts is the
    candidate that fits best. Where none fits, it is the outline.

    Parameters
    ----------
    query : QueryFeatures

    Returns
    -------
    Candidates
        Only one.
    """

    def make() -> Candidates:
        outline = convex_hull(query.outline)
        if not len(outline):
            outline = query.outline
        hulls = candidate_hulls(query.features)
        boxes = is_box(query.outline)
        fits = [_fit(hulls[number], outline, boxes) for number in range(len(hulls))]
        best = int(np.argmax(fits)) if fits else -1
        meant = hulls[best] if fits and fits[best] >= _MEANT else outline
        return describe_regions(query.features, Outlines.of([meant]))

    return query.features.cached("example", make)


def is_box(outline: Points) -> bool:
    """Say whether an outline has four corners and only upright and level edges.

    Parameters
    ----------
    outline : (N, 2) float
        Open ring in px.
    """
    if len(outline) != 4:
        return False
    edges = np.abs(np.roll(outline, -1, axis=0) - outline)
    return bool((edges.min(1) < 1e-6).all())


def bounding_ring(outline: Points) -> Points:
    """Make the ring of the upright box around an outline.

    Parameters
    ----------
    outline : (N, 2) float
        In px.

    Returns
    -------
    (4, 2) float
        Open ring.
    """
    left, top, right, bottom = polygon.bounds(outline)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _fit(hull: Points, outline: Points, boxes: bool) -> float:
    """Overlap of two convex outlines, or of the boxes around them, 0 to 1."""
    return overlap(bounding_ring(hull), bounding_ring(outline)) if boxes else overlap(hull, outline)


def overlap(first: Points, second: Points) -> float:
    """Compute the intersection over union of two convex outlines.

    Parameters
    ----------
    first, second : (N, 2) float
        Open rings in px.

    Returns
    -------
    float
        In [0, 1]; 0 where one of them has no area.

    Examples
    --------
    >>> square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    >>> overlap(square, square + (5, 0))
    0.3333333333333333
    """
    one, other = first.astype(np.float32), second.astype(np.float32)
    areas = cv2.contourArea(one), cv2.contourArea(other)
    if min(areas) <= 0:
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    return float(shared / (sum(areas) - shared))


def described_example(query: QueryFeatures, network: SymbolNetwork) -> NDArray[np.float32]:
    """Describe an example in the eight poses of a square, once.

    Parameters
    ----------
    query : QueryFeatures
        Keeps the result.
    network : SymbolNetwork

    Returns
    -------
    (8, E) float32
        Unit vectors, first the pose in which it is drawn.

    Examples
    --------
    >>> from spotlab.spotting.symbols.embedding.network import shipped_network
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
    >>> from spotlab.spotting.symbols.engine.query_model import draw_model
    >>> triangle = draw_model("slope", [[(0, 0), (40, 0), (40, 20), (0, 0)]], pen=2)
    >>> poses = described_example(features_of_model(triangle, []), shipped_network())
    >>> poses.shape, bool(poses[0] @ poses[2] < 0.9)  # upside down it is another one
    ((8, 128), True)
    """

    def make() -> NDArray[np.float32]:
        [picture] = cut_pictures(query.features.ink, example_region(query).boxes)
        poses = [np.rot90(each, k) for each in (picture, picture[:, ::-1]) for k in range(4)]
        return network.describe_pictures(np.stack(poses)).embedding

    return query.features.cached(f"described by {network.digest}", make)
