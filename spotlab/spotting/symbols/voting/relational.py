"""The spotting system that the paper tests: relational indexing of primitives, and voting.

M. Rusiñol and J. Lladós, "A performance evaluation protocol for symbol spotting systems in terms of
recognition and location indices", IJDAR 12(2), 2009, §5.2.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.engine.method import Method
from spotlab.spotting.symbols.engine.page_features import Arrays, Found, Query, Seen
from spotlab.spotting.symbols.voting.descriptor import Descriptor
from spotlab.spotting.symbols.voting.pose_hypotheses import find_places, weights, without_overlaps
from spotlab.spotting.symbols.voting.regions import regions_of
from spotlab.spotting.symbols.voting.relations import (
    REACH,
    Cabinet,
    Floats,
    Ints,
    Layout,
    affordable,
)
from spotlab.spotting.symbols.voting.voting import Tolerances, pair_votes, single_votes

LEAST = 0.25  # places with a lower score are no places
ALONE = 0.5  # a primitive that weighs so much of a query votes alone
MOST = 12  # of a query's primitives are searched, the largest


class Relational(Method):
    """Finds primitives that look alike and lie alike; a descriptor says what looks alike.

    1. The page's primitives within the descriptor's radius of each of the query's are similar.
    2. Pairs of similar primitives that lie to each other as the query's do (distance relative to
       size, ratio of sizes, direction relative to the long axes) vote for a pose of the query; the
       page's pairs are kept sorted by how they lie. A primitive that is half of the query votes
       alone too: it may be all that is left.
    3. Votes that agree make a place, which scores the share of the query's primitives found there,
       less for those that look different or lie off.
    4. Of places that share most of their primitives the best stays. Its region is the hull of its
       primitives, or the query's outline where some are missing.

    What is bounded: only the `MOST` largest primitives of a query are searched (measured on worn
    plans, more of them lower recall, as small ones break first); queries whose pairs would take
    more than `Tolerances.work` comparisons use the most telling ones, see `chosen_pairs`; where
    its primitives lie so far apart that a page has more than `MANY` pairs as near, its nearer ones
    vote alone; and places that score below `LEAST` are left out.

    Parameters
    ----------
    descriptor : Descriptor
    tolerances : Tolerances
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

    def see(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """The features of the primitives, (P, D)."""
        return {"features": self.descriptor.describe(primitives)}

    def is_sound(self, kept: Arrays, primitives: Primitives) -> bool:
        """Whether there is a row of features for each primitive."""
        features = kept["features"]
        return (
            features.ndim == 2 and len(features) == len(primitives) and features.dtype.kind == "f"
        )

    def spot(self, page: Seen, query: Query) -> Found:
        """Where the query is on the page; nowhere if it has no primitives."""
        there = page.made("layout", lambda: Layout.of(page.primitives))
        chosen = query.seen.made("largest", lambda: _largest(query.seen.primitives.sizes))
        if not len(there) or not len(chosen):
            return Found(Outlines.of([]), np.zeros(0))
        wanted = query.seen.made("layout", lambda: Layout.of(query.seen.primitives)).take(chosen)
        closeness = self._closeness(page, query, chosen)
        middle, radius = _extent(query)
        alike, weight = closeness > 0, weights(wanted)
        alone = alike & (weight[:, None] >= ALONE)
        votes = single_votes(wanted, there, alone, middle, self.tolerances)
        if len(wanted) > 1:
            needed = _reach(wanted, self.tolerances.apart)
            reach = page.made(f"reach for {needed}", lambda: affordable(there, needed))
            cabinet = page.made(f"pairs within {reach}", lambda: Cabinet.of(there, reach))
            pairs = pair_votes(wanted, there, cabinet, alike, middle, self.tolerances)
            votes = pairs.joined(votes)
        places = find_places(votes, (wanted, there), closeness, middle, radius, LEAST)
        places = places.take(without_overlaps(places))
        outlines = regions_of(places, page.primitives, query.outline, middle, weight)
        return Found(outlines, places.scores)

    def _closeness(self, page: Seen, query: Query, chosen: Ints) -> Floats:
        """(Q, P) how much primitives look alike: 1 the same, 0 no more."""
        # comparing to all is quicker than a tree or a hash grid for hundreds of primitives, see
        # tests/benchmarks/test_symbol_spot_benchmark.py
        features = page.arrays[self.name]["features"]
        wanted = query.seen.arrays[self.name]["features"][chosen]
        return np.asarray(np.maximum(1 - cdist(wanted, features) / self.descriptor.radius, 0))


def _largest(sizes: Floats) -> Ints:
    """Which primitives are searched, ascending."""
    return np.sort(np.argsort(-sizes, kind="stable")[:MOST])


def _reach(query: Layout, tolerance: float) -> float:
    """How far pairs have to reach so that every primitive of a query has one; the usual or more."""
    distance = np.abs(query.places[:, None] - query.places)
    apart = distance / (query.sizes[:, None] + query.sizes)
    np.fill_diagonal(apart, np.inf)
    needed = float(apart.min(1).max()) * np.exp(2 * tolerance)
    return float(REACH * 2.0 ** max(np.ceil(np.log2(max(needed, 1e-9) / REACH)), 0))


def _extent(query: Query) -> tuple[complex, float]:
    """The middle of a query's primitives, and how far they reach from there."""
    points = query.seen.primitives.contours.points
    low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    return complex(*middle), float(max(np.hypot(*(high - low)) / 2, 1))
