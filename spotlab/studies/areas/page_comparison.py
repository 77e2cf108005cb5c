"""One page of two runs: what only the first found, only the second, both, or neither.

Each query is compared by itself: of its truth, and of the area that it retrieves outside its truth.
Areas are those of unions, in px², exact from geometry, whatever the overlap setting.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.overlay import ComparedAreas, ComparedKind
from spotlab.measures.cuts import CutRun
from spotlab.model.region import Primitive
from spotlab.model.truth import Truth
from spotlab.representation import short_repr
from spotlab.studies.areas.compared_areas import compared_areas, kept_spots
from spotlab.studies.areas.ignored_outlines import IgnoredOutlines


@dataclass(frozen=True, eq=False)
class PageComparison:
    """Two runs on one page, of L labels; make it with `compare_page`.

    Attributes
    ----------
    page : str
        The page's name.
    queries : tuple of str
        All that either run searches or the truth has, on any page.
    areas : mapping of ComparedKind to (L,) float
        The area of each kind of each query in px².
    first_spot, second_spot : (n,) and (m,) int
        The kept spots of each run on this page, by their places in its tally.
    first_lost, second_gained : (n,) and (m,) float
        The false area in px² that each of these spots retrieves and the other run does not, nor an
        earlier spot of its query. Their sums are the areas false in one run only.
    """

    page: str
    queries: tuple[str, ...]
    areas: dict[ComparedKind, Floats]
    first_spot: Ints
    second_spot: Ints
    first_lost: Floats
    second_gained: Floats

    __repr__ = short_repr

    def sums(self, query: str | None = None) -> dict[ComparedKind, float]:
        """The area of each kind in px², of one query or of all, each by itself."""
        if query is None:
            return {kind: float(areas.sum()) for kind, areas in self.areas.items()}
        if query not in self.queries:
            return dict.fromkeys(self.areas, 0.0)
        at = self.queries.index(query)
        return {kind: float(areas[at]) for kind, areas in self.areas.items()}

    @cached_property
    def changed(self) -> float:
        """The area of truth in px² that only one of the runs found, all queries."""
        sums = self.sums()
        return sums[ComparedKind.FIRST] + sums[ComparedKind.SECOND]


def compare_page(
    first: CutRun, second: CutRun, page: str, truth: Truth, primitive: Primitive | None = None
) -> PageComparison:
    """Compare what two runs retrieve on one page.

    Parameters
    ----------
    first, second : CutRun
        Tallied against this truth.
    page : str
        The page's name.
    truth : Truth
        The page's.
    primitive : Primitive, optional
        What all outlines are turned into before; see `compared_areas`.

    Returns
    -------
    PageComparison
        All areas are 0 on a page without truth and spots.

    Notes
    -----
    A(B ∖ A) and A((B ∖ A) ∩ T) are what B newly covers when its spots come after A's. With A(A),
    A(A ∩ T), A(B), A(B ∩ T) and A(T) of the tallies all other parts are differences.
    """
    queries = tuple(sorted({*first.tally.queries, *second.tally.queries}))
    number = {name: at for at, name in enumerate(queries)}
    drawn = compared_areas(first, second, page, truth, None, primitive)
    one = _Side.of(first, page, drawn.first, drawn.first_query)
    other = _Side.of(second, page, drawn.second, drawn.second_query)
    after_first = _newly(one, other, drawn)
    after_second = _newly(other, one, drawn)
    truth_area = np.zeros(len(queries))
    part = first.tally.parts[page]
    for label, area in part.truth_area.items():
        truth_area[number[label]] = area
    only_second = _of_queries(other.query, after_first.relevant, len(queries))
    only_first = _of_queries(one.query, after_second.relevant, len(queries))
    covered = [_of_queries(side.query, side.gained, len(queries)) for side in (one, other)]
    relevant = [_of_queries(side.query, side.gained_true, len(queries)) for side in (one, other)]
    false_second = _of_queries(other.query, after_first.false, len(queries))
    false_first = _of_queries(one.query, after_second.false, len(queries))
    areas = {
        ComparedKind.FIRST: only_first,
        ComparedKind.SECOND: only_second,
        ComparedKind.BOTH: relevant[0] - only_first,
        ComparedKind.NEITHER: truth_area - relevant[0] - only_second,
        ComparedKind.FALSE_FIRST: false_first,
        ComparedKind.FALSE_SECOND: false_second,
        ComparedKind.FALSE_BOTH: covered[0] - relevant[0] - false_first,
    }
    return PageComparison(
        page, queries,
        {kind: np.maximum(values, 0.0) for kind, values in areas.items()},
        one.spot, other.spot, after_second.false, after_first.false,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Side:
    """The kept spots of one run on a page."""

    spot: Ints
    query: Ints  # their places among the queries of both runs
    outlines: Outlines
    gained: Floats
    gained_true: Floats

    @classmethod
    def of(cls, run: CutRun, page: str, outlines: Outlines, query: Ints) -> _Side:
        tally, spot = run.tally, kept_spots(run, page)
        return cls(spot, query, outlines, tally.gained_area[spot], tally.gained_true_area[spot])


@dataclass(frozen=True, eq=False)
class _New:
    """What each spot of the second of two runs covers that the first does not."""

    relevant: Floats
    false: Floats


def _newly(earlier: _Side, later: _Side, drawn: ComparedAreas) -> _New:
    both = earlier.outlines.followed_by(later.outlines)
    query = np.concatenate([earlier.query, later.query])
    ignored = IgnoredOutlines(drawn.ignored, drawn.ignored_query, Engine.AUTO)
    area, relevant = ignored.new_coverage(both, query, drawn.truth, drawn.truth_query)
    added = slice(len(earlier.outlines), None)
    return _New(relevant[added], area[added] - relevant[added])


def _of_queries(query: Ints, values: Floats, queries: int) -> Floats:
    return np.bincount(query, values, queries).astype(np.float64)
