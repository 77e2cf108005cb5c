"""The ignored regions of a page, and what lies outside them; see `spotlab.measures.tally`.

`coverage.new_coverage` gets the ignored regions as spots that come before all others: what they
cover, no later outline newly covers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.geometry.rings import ring_from_geometry
from spotlab.libraries import shapely

EVERY = -1  # the query of an ignored region that concerns every query
INSIDE = 1e-9  # share of an area up to which a rest outside ignored area is rounding


@dataclass(frozen=True, eq=False)
class IgnoredOutlines:
    """The I ignored regions of a page.

    Attributes
    ----------
    outlines : Outlines
        Their outlines, clipped to the page.
    query : (I,) int
        The number of the query that each one concerns, or `EVERY`.
    engine : Engine
        What computes areas.
    """

    outlines: Outlines
    query: Ints
    engine: Engine

    def area(self, query: int) -> float:
        """The area in px² that is ignored for a query; `EVERY` for one without a region of its own.

        Parameters
        ----------
        query : int
            The number of the query.
        """
        own = np.flatnonzero((self.query == query) | (self.query == EVERY))
        group = np.zeros(len(own), np.int64)
        return float(coverage.union_areas(self.outlines.take(own), group, 1, self.engine)[0])

    def new_coverage(
        self, outlines: Outlines, query: Ints, regions: Outlines, region_query: Ints
    ) -> tuple[Floats, Floats]:
        """What each outline covers that neither an ignored region nor an earlier outline covers.

        Parameters
        ----------
        outlines : Outlines
            N of them, in order of rank within their query.
        query : (N,) int
            Their queries.
        regions : Outlines
            T truth regions.
        region_query : (T,) int
            Their queries.

        Returns
        -------
        new_area, new_relevant : (N,) float
            In px², see `coverage.NewCoverage`.
        """
        queries = np.unique(query)
        concerned = (self.query == queries[:, None]) | (self.query == EVERY)
        of_query, which = np.nonzero(concerned)
        new = coverage.new_coverage(
            self.outlines.take(which).followed_by(outlines),
            np.concatenate([queries[of_query], query]),
            regions,
            region_query,
            self.engine,
        )
        return new.new_area[len(which) :], new.new_relevant[len(which) :]

    def outside(
        self, outlines: Outlines, query: Ints, areas: Floats, within: Outlines | None = None
    ) -> Floats:
        """The part of each outline outside what is ignored for its query.

        Parameters
        ----------
        outlines : Outlines
            N of them.
        query : (N,) int
            Their queries.
        areas : (N,) float
            Their whole areas in px², or what each shares with its other one.
        within : Outlines, optional
            N others; of each outline only what lies in its other one is measured.

        Returns
        -------
        (N,) float
            In px²: exactly the whole where no ignored region is near, and exactly 0 where at most
            a 10⁻⁹ of it is outside.
        """
        pairs = coverage.overlapping_bounds(outlines, self.outlines)
        concerned = self.query[pairs[:, 1]]
        pairs = pairs[(concerned == EVERY) | (concerned == query[pairs[:, 0]])]
        near = np.unique(pairs[:, 0])
        if not len(near):
            return areas
        # every outline is a query of its own here
        number = np.arange(len(near))
        new = coverage.new_coverage(
            self.outlines.take(pairs[:, 1]).followed_by(outlines.take(near)),
            np.concatenate([np.searchsorted(near, pairs[:, 0]), number]),
            Outlines.of([]) if within is None else within.take(near),
            [] if within is None else number,
            self.engine,
        )
        rest = (new.new_area if within is None else new.new_relevant)[len(pairs) :]
        parts = areas.copy()
        parts[near] = np.where(rest > INSIDE * areas[near], np.minimum(rest, areas[near]), 0.0)
        return parts

    def cut_off(self, outlines: Outlines, query: Ints) -> Outlines:
        """The outlines without what is ignored for their queries.

        Parameters
        ----------
        outlines : Outlines
            N of them.
        query : (N,) int
            Their queries.

        Returns
        -------
        Outlines
            N rings whose parts and holes are joined by edges that run there and back; without
            corners where nothing is left.
        """
        pairs = coverage.overlapping_bounds(outlines, self.outlines)
        concerned = self.query[pairs[:, 1]]
        pairs = pairs[(concerned == EVERY) | (concerned == query[pairs[:, 0]])]
        rings = [outlines[at] for at in range(len(outlines))]
        for at in np.unique(pairs[:, 0]).tolist():
            off = pairs[pairs[:, 0] == at, 1].tolist()
            covers = shapely.union_all([even_odd_geometry(self.outlines[one]) for one in off])
            rest = shapely.difference(even_odd_geometry(rings[at]), covers)
            rings[at] = ring_from_geometry(rest)
        return Outlines.of(rings)


def ignored_areas(ignored: IgnoredOutlines, numbers: Mapping[str, int]) -> dict[str, float]:
    """A(I) in px² by label; under "" for every query without an ignored region of its own.

    Parameters
    ----------
    ignored : IgnoredOutlines
        Of a page.
    numbers : mapping of str to int
        The query of each label that an ignored region has.
    """
    areas = {label: ignored.area(number) for label, number in numbers.items() if label}
    return {**areas, "": ignored.area(EVERY)}
