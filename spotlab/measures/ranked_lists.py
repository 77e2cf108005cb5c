"""The ranked lists of a run, whole and on drawn pages, as measures of rankings read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.area import ratio
from spotlab.measures.iou import ignored_spots, match_spots
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Floats, Ints, Tally
from spotlab.representation import short_repr

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RankedLists:
    """The lists of all queries of a run; spots are in order of query and rank.

    Attributes
    ----------
    tally : Tally
        Of Q queries and N spots; ``tally.starts`` says where the list of each query begins and
        ends.
    settings : MeasureSettings
        How figures are computed.
    precision, recall : (N,) float
        Area precision and area recall of a list that ends after each spot, as shares; NaN where
        undefined.
    """

    tally: Tally
    settings: MeasureSettings
    precision: Floats
    recall: Floats

    __repr__ = short_repr

    @cached_property
    def symbols(self) -> Ints:
        """(Q,) how many truth regions each query has."""
        counts: Ints = self.tally.symbols.sum(axis=1)
        return counts

    @cached_property
    def last(self) -> Ints:
        """(Q,) the place of each query's last spot; -1 where it has none."""
        starts = self.tally.starts
        last: Ints = np.where(np.diff(starts) > 0, starts[1:] - 1, -1)
        return last

    @cached_property
    def right(self) -> Flags:
        """(N,) whether a spot is matched with a region at the IoU of the settings."""
        return np.asarray(self._matched >= 0)

    @cached_property
    def ignored(self) -> Flags:
        """(N,) whether a spot lies on an ignored region, so that it is neither right nor false."""
        return ignored_spots(self.tally, self.settings.iou, self._matched)

    @cached_property
    def first_counted(self) -> Ints:
        """(Q,) the place of each query's first spot outside ignored area; -1 where it has none."""
        query, place = np.unique(self.tally.query[self.tally.is_counted], return_index=True)
        first = np.full(len(self.tally.queries), -1, np.int64)
        first[query] = np.flatnonzero(self.tally.is_counted)[place]
        return first

    @cached_property
    def _matched(self) -> Ints:
        return match_spots(self.tally, self.settings.iou)

    @cached_property
    def steps(self) -> tuple[Floats, Floats]:
        """(N,) what each spot adds to A(R) and to A(R ⊕ T), in px²."""
        return self.tally.steps(self.settings.overlap)


@dataclass(frozen=True, eq=False)
class DrawnList:
    """The list of one query on D draws of pages.

    A page that is drawn twice counts twice: the copies of a spot share its rank, and precision
    there is that after all of them.

    Attributes
    ----------
    lists : RankedLists
        The lists that it is one of.
    spots : slice
        The n spots of this query in the arrays of ``lists``.
    weight : (D, n) float
        How often the page of each spot was drawn.
    symbols : (D,) float
        Number of truth regions on the drawn pages.
    """

    lists: RankedLists
    spots: slice
    weight: Floats
    symbols: Floats

    __repr__ = short_repr

    @cached_property
    def detected(self) -> Floats:
        """(D, n) the weight of each spot in average precision at IoU: 0 for an ignored one."""
        ignored = self.lists.ignored[self.spots]
        return np.where(ignored, 0.0, self.weight) if ignored.any() else self.weight

    @cached_property
    def hits(self) -> Ints:
        """(h,) places in this list of the spots that overlap some truth of the query."""
        return np.flatnonzero(self.lists.tally.hit[self.spots])

    @cached_property
    def precision_sum(self) -> Floats:
        """(D,) the sum of area precision after each spot that overlaps some truth."""
        retrieved, relevant = self.lists.steps
        precision = ratio(
            np.cumsum(self.weight * relevant[self.spots], axis=1)[:, self.hits],
            np.cumsum(self.weight * retrieved[self.spots], axis=1)[:, self.hits],
        )
        total: Floats = (np.nan_to_num(precision) * self.weight[:, self.hits]).sum(axis=1)
        return total
