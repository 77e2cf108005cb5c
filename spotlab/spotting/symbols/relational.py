"""The spotting system that the paper tests: relational indexing of primitives, and voting.

M. Rusiñol and J. Lladós, "A performance evaluation protocol for symbol spotting systems in terms of
recognition and location indices", IJDAR 12(2), 2009, §5.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from spotlab.geometry import polygon
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.descriptor import Descriptor
from spotlab.spotting.symbols.method import Method
from spotlab.spotting.symbols.places import Places, carried, find_places, without_overlaps
from spotlab.spotting.symbols.primitives import Primitives
from spotlab.spotting.symbols.relations import Cabinet, Floats, Layout
from spotlab.spotting.symbols.seen import Arrays, Found, Query, Seen
from spotlab.spotting.symbols.voting import ROUND, Tolerances, pair_votes, single_votes

LEAST = 0.3  # places with a lower score are no places
COMPLETE = 0.97  # of the primitives, by size


class Relational(Method):
    """Finds primitives that look alike and lie alike; a descriptor says what looks alike.

    Parameters
    ----------
    descriptor : Descriptor
    tolerances : Tolerances
    """

    def __init__(self, descriptor: Descriptor, tolerances: Tolerances | None = None) -> None:
        self.name = descriptor.name
        self.title = descriptor.title
        self.definition = (
            f"Pairs of contours that look and lie alike vote for places; {descriptor.definition}"
        )
        self.descriptor = descriptor
        self.tolerances = tolerances or Tolerances()

    def see(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """The features of the primitives, (P, D)."""
        return {"features": self.descriptor.describe(primitives)}

    def spot(self, page: Seen, query: Query) -> Found:
        """Where the query is on the page."""
        there = page.made("layout", lambda: Layout.of(page.primitives))
        wanted = query.seen.made("layout", lambda: Layout.of(query.seen.primitives))
        if not len(there) or not len(wanted):
            return Found(Outlines.of([]), np.zeros(0))
        closeness = self._closeness(page, query)
        middle, reach = _extent(query)
        alike = closeness > 0
        if len(wanted) > 1:
            cabinet = page.made("pairs", lambda: Cabinet.of(there))
            votes = pair_votes(wanted, there, cabinet, alike, middle, self.tolerances)
        else:
            votes = single_votes(wanted, there, alike, middle, self.tolerances)
        places = find_places(votes, wanted, there, closeness, middle, reach)
        places = places.take(np.flatnonzero(places.scores >= LEAST))
        places = places.take(without_overlaps(places))
        outlines = [_region(places, number, page, query, middle) for number in range(len(places))]
        return Found(Outlines.of(outlines), places.scores)

    def _closeness(self, page: Seen, query: Query) -> Floats:
        """(Q, P) how much primitives look alike: 1 the same, 0 no more."""
        features = page.arrays[self.name]["features"]
        wanted = query.seen.arrays[self.name]["features"]
        tree = page.made(f"tree of {self.name}", lambda: cKDTree(features))
        near = cKDTree(wanted).sparse_distance_matrix(
            tree, self.descriptor.radius, output_type="ndarray"
        )
        closeness = np.zeros((len(wanted), len(features)))
        closeness[near["i"], near["j"]] = 1 - near["v"] / self.descriptor.radius
        return closeness


def _extent(query: Query) -> tuple[complex, float]:
    """The middle of a query's primitives, and how far they reach from there."""
    points = query.seen.primitives.contours.points
    low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    return complex(*middle), float(max(np.hypot(*(high - low)) / 2, 1))


def _region(
    places: Places, number: int, page: Seen, query: Query, middle: complex
) -> NDArray[np.float64]:
    """The hull of the supporting primitives, or the query's outline where some are missing.

    Measured on floor plans (a: 796 symbols): hulls of what is left of incomplete symbols are too
    small, the outline brings the recognition rate from 91 to 98 %; for complete symbols the hull
    fits better, as it knows nothing of the pose.
    """
    own = places.owner == number
    sizes = query.seen.primitives.sizes
    complete = sizes[places.query[own]].sum() >= COMPLETE * sizes.sum()
    if places.kind[number] != ROUND and not complete:
        return carried(places, number, query.outline, middle)
    hulls = page.primitives.hulls
    points = np.concatenate([hulls[each] for each in places.page[own].tolist()])
    hull = polygon.convex_hull(points)
    return hull if len(hull) else points
