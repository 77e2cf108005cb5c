"""The methods of the paper: relational indexing of primitives, and voting.

Rusiñol & Lladós (2009), "A performance evaluation protocol for symbol spotting systems in terms of
recognition and location indices", IJDAR 12(2), §5.2.
"""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints, Points
from spotlab.extras import cv2, spatial
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.engine.method import SpottingMethod
from spotlab.spotting.symbols.engine.page_features import (
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
)
from spotlab.spotting.symbols.voting.descriptor import Descriptor
from spotlab.spotting.symbols.voting.pose_hypotheses import (
    PoseHypotheses,
    best_without_overlaps,
    find_poses,
    pair_votes,
    primitive_weights,
    single_votes,
)
from spotlab.spotting.symbols.voting.relations import (
    MIRRORED,
    RADIUS,
    ROUND,
    PairTable,
    PrimitiveLayout,
    Tolerances,
    affordable_radius,
)

COMPLETE = 0.97  # share of the query's primitives, by weight, from which none is missing
PIXEL = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)  # contours name pixels' corners


def regions_of(
    poses: PoseHypotheses, page: Primitives, outline: Points, middle: complex, weights: Floats
) -> Outlines:
    """Find the region of each pose: a hull, or the outline where primitives are missing.

    Parameters
    ----------
    poses : PoseHypotheses
    page : Primitives
        Of the page.
    outline : (N, 2) float
        The query's, in px of the query model.
    middle : complex
        Middle o of the query, x + iy in px, see `spotlab.spotting.symbols.voting.relations`.
    weights : (Q,) float
        How much each primitive of the query counts.

    Returns
    -------
    Outlines
        In px of the page, one for each pose.

    Notes
    -----
    Measured on floor plans (method a): the hulls of what is left of incomplete symbols are too
    small; laying the outline there instead raises the recognition rate from 91 to 98 %. Where
    nothing is missing the hull fits better, as it does not depend on the pose.
    """
    share = np.bincount(poses.owner, weights[poses.query], len(poses))
    # a round pose does not say how the outline would lie
    whole = (share >= COMPLETE) | (poses.kind == ROUND)
    hulls = page.hulls.take(poses.page)
    ends = hulls.offsets[np.searchsorted(poses.owner, np.arange(len(poses) + 1))].tolist()
    rings = []
    for number, is_whole in enumerate(whole.tolist()):
        if is_whole:
            rings.append(_hull(hulls.points[ends[number] : ends[number + 1]]))
        else:
            rings.append(transfer_ring(poses, number, outline, middle))
    return Outlines.of(rings)


def _hull(points: Points) -> Points:
    squares = (points[:, None] + PIXEL).reshape(-1, 1, 2).astype(np.float32)
    return np.asarray(cv2.convexHull(squares)[:, 0], np.float64)


def transfer_ring(poses: PoseHypotheses, number: int, ring: Points, middle: complex) -> Points:
    """Transfer a ring from the query to the page.

    Parameters
    ----------
    poses : PoseHypotheses
    number : int
        Of the pose.
    ring : (N, 2) float
        In px of the query model.
    middle : complex
        Middle o of the query, x + iy in px.

    Returns
    -------
    (N, 2) float
        In px of the page.

    Examples
    --------
    >>> nothing = np.zeros(0, np.int64)
    >>> upright = PoseHypotheses(np.array([50 + 20j]), np.array([2j]), np.zeros(1, np.int64),
    ...                          np.ones(1), nothing, nothing, nothing)
    >>> transfer_ring(upright, 0, np.array([[0.5, 0.5], [10.5, 0.5]]), 0j).tolist()
    [[50.5, 20.5], [50.5, 40.5]]
    """
    # poses are those of contours, which name pixels by their corner, not by their middle
    offset = ring[:, 0] + 1j * ring[:, 1] - (0.5 + 0.5j) - middle
    if poses.kind[number] == MIRRORED:
        offset = offset.conj()
    there = poses.place[number] + poses.factor[number] * offset + (0.5 + 0.5j)
    return np.stack([there.real, there.imag], 1)


MIN_SCORE = 0.25  # of a spot
ALONE = 0.5  # a primitive that weighs so much of a query votes alone
MAX_PRIMITIVES = 12  # of a query are searched, the largest


class Relational(SpottingMethod):
    """Finds primitives that look alike and lie to each other alike.

    1. The page's primitives within the descriptor's radius of each of the query's are similar.
    2. Pairs of similar primitives that lie to each other as the query's do (distance relative to
       size, ratio of sizes, direction relative to the long axes) vote for a pose of the query; the
       page's pairs are kept sorted by how they lie. A primitive that is half of the query votes
       alone too: it may be all that is left.
    3. Votes that agree make a pose, which scores the share of the query's primitives found there,
       less for those that look different or lie off.
    4. Of poses that share most of their primitives the best stays. Its region is the hull of its
       primitives, or the query's outline where some are missing.

    Work is bounded: only the `MAX_PRIMITIVES` largest primitives of a query are searched (measured
    on worn plans, more of them lower recall, as small ones break first); queries whose pairs would
    take more than `Tolerances.max_comparisons` use the rarest ones, see `choose_pairs`; where its
    primitives lie so far apart that a page has more than `MANY` pairs as near, only its nearer ones
    vote; and poses that score below `MIN_SCORE` are left out.

    Parameters
    ----------
    descriptor : Descriptor
        What looks alike.
    tolerances : Tolerances, optional
    """

    def __init__(self, descriptor: Descriptor, tolerances: Tolerances | None = None) -> None:
        self.name = descriptor.name
        self.title = descriptor.title
        self.definition = (
            f"{descriptor.definition} Pairs of contours that are alike in this and in how they "
            "lie to each other vote for places."
        )
        self.descriptor = descriptor
        self.tolerances = tolerances or Tolerances()

    def extract(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """Describe the primitives.

        Parameters
        ----------
        ink : (H, W) bool
            Not used.
        primitives : Primitives
        pen : float
            Width of a usual line in px; not used.

        Returns
        -------
        mapping of str to array
            "features" (P, D) float.
        """
        return {"features": self.descriptor.describe(primitives)}

    def is_sound(self, kept: Arrays, primitives: Primitives) -> bool:
        """Say whether there is a row of features for each primitive.

        Parameters
        ----------
        kept : mapping of str to array
            Of any shape: the file may be damaged.
        primitives : Primitives
        """
        features = kept["features"]
        return (
            features.ndim == 2 and len(features) == len(primitives) and features.dtype.kind == "f"
        )

    def spot(self, page: PageFeatures, query: QueryFeatures) -> QuerySpots:
        """Find a query on a page, after Rusiñol & Lladós (2009), §5.2.

        Parameters
        ----------
        page : PageFeatures
        query : QueryFeatures

        Returns
        -------
        QuerySpots
            With scores of shape (N,), falling; none where the query has no primitives.
        """
        there = page.cached("layout", lambda: PrimitiveLayout.of(page.primitives))
        chosen = query.features.cached("largest", lambda: _largest(query.features.primitives.sizes))
        if not len(there) or not len(chosen):
            return QuerySpots.none()
        wanted = query.features.cached(
            "layout", lambda: PrimitiveLayout.of(query.features.primitives)
        ).take(chosen)
        closeness = self._closeness(page, query, chosen)
        middle, radius = _extent(query)
        alike, weight = closeness > 0, primitive_weights(wanted)
        alone = alike & (weight[:, None] >= ALONE)
        votes = single_votes(wanted, there, alone, middle, self.tolerances)
        if len(wanted) > 1:
            needed = _pair_radius(wanted, self.tolerances.apart)
            farthest = page.cached(f"radius for {needed}", lambda: affordable_radius(there, needed))
            table = page.cached(f"pairs within {farthest}", lambda: PairTable.of(there, farthest))
            pairs = pair_votes(wanted, there, table, alike, middle, self.tolerances)
            votes = pairs.joined(votes)
        poses = find_poses(votes, (wanted, there), closeness, middle, radius, MIN_SCORE)
        poses = poses.take(best_without_overlaps(poses))
        outlines = regions_of(poses, page.primitives, query.outline, middle, weight)
        return QuerySpots(outlines, poses.scores)

    def _closeness(self, page: PageFeatures, query: QueryFeatures, chosen: Ints) -> Floats:
        """(Q, P) how much primitives look alike: from 1 for the same to 0."""
        # comparing to all is quicker than a tree or a hash grid for hundreds of primitives, see
        # tests/benchmarks/test_symbol_spot_benchmark.py
        features = page.arrays[self.name]["features"]
        wanted = query.features.arrays[self.name]["features"][chosen]
        return np.asarray(
            np.maximum(1 - spatial.distance.cdist(wanted, features) / self.descriptor.radius, 0)
        )


def _largest(sizes: Floats) -> Ints:
    """Numbers of the primitives that are searched, rising."""
    return np.sort(np.argsort(-sizes, kind="stable")[:MAX_PRIMITIVES])


def _pair_radius(query: PrimitiveLayout, tolerance: float) -> float:
    """Tell how far apart pairs may be so that every primitive of a query has one.

    `RADIUS` or more.
    """
    distance = np.abs(query.centres[:, None] - query.centres)
    apart = distance / (query.sizes[:, None] + query.sizes)
    np.fill_diagonal(apart, np.inf)
    needed = float(apart.min(1).max()) * np.exp(2 * tolerance)
    return float(RADIUS * 2.0 ** max(np.ceil(np.log2(max(needed, 1e-9) / RADIUS)), 0))


def _extent(query: QueryFeatures) -> tuple[complex, float]:
    """The middle of a query's primitives, and how far they reach from there."""
    points = query.features.primitives.contours.points
    low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    return complex(*middle), float(max(np.hypot(*(high - low)) / 2, 1))
