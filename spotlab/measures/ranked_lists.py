"""The ranked lists of a run, whole and on drawn pages, as measures of rankings read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures.area import ratio
from spotlab.measures.errors import Errors, classify_errors
from spotlab.measures.iou import ignored_spots, match_spots
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr


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
        return self.right_at(self.settings.iou)

    def right_at(self, iou: float) -> Flags:
        """Whether each spot is matched with a region at an IoU threshold; computed once for each.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].

        Returns
        -------
        (N,) bool
            In the order of the tally.

        Notes
        -----
        The matching of Lin et al. (2014); see `iou.match_spots`.
        """
        return self._judged(iou)[0]

    @cached_property
    def ignored(self) -> Flags:
        """(N,) whether a spot lies on an ignored region, at the IoU of the settings."""
        return self.ignored_at(self.settings.iou)

    def ignored_at(self, iou: float) -> Flags:
        """Whether each spot is neither right nor false, because it lies on an ignored region.

        Parameters
        ----------
        iou : float
            The threshold, in (0, 1].

        Returns
        -------
        (N,) bool
            In the order of the tally; all False where no region is ignored.

        Notes
        -----
        The crowds of Lin et al. (2014); see `iou.ignored_spots`.
        """
        return self._judged(iou)[1]

    @cached_property
    def errors(self) -> Errors:
        """The kinds of all spots and the missed regions, at the IoU of the settings."""
        return classify_errors(self.tally, self.settings.iou)

    @cached_property
    def first_counted(self) -> Ints:
        """(Q,) the place of each query's first spot outside ignored area; -1 where it has none."""
        places = np.flatnonzero(self.tally.is_counted)
        query, first = np.unique(self.tally.query[places], return_index=True)
        of_query = np.full(len(self.tally.queries), -1, np.int64)
        of_query[query] = places[first]
        return of_query

    def _judged(self, iou: float) -> tuple[Flags, Flags]:
        """(N,) whether spots are right, and whether they are ignored; computed once for each."""
        if iou not in self._judged_at:
            matched = match_spots(self.tally, iou)
            none = self.tally.ignored is None
            ignored = self._no_spots if none else ignored_spots(self.tally, iou, matched)
            self._judged_at[iou] = np.asarray(matched >= 0), ignored
        return self._judged_at[iou]

    @cached_property
    def _no_spots(self) -> Flags:
        """(N,) False: one array for all thresholds where no region is ignored."""
        return np.zeros(len(self.tally), np.bool_)

    @cached_property
    def _judged_at(self) -> dict[float, tuple[Flags, Flags]]:
        return {}

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
    truth : (D,) float
        A(T) on the drawn pages, in px².
    """

    lists: RankedLists
    spots: slice
    weight: Floats
    symbols: Floats
    truth: Floats

    __repr__ = short_repr

    @cached_property
    def hits(self) -> Ints:
        """(h,) places in this list of the spots that overlap some truth of the query."""
        return np.flatnonzero(self.lists.tally.hit[self.spots])

    @cached_property
    def ranks(self) -> Floats:
        """(D, n) number of drawn spots up to and including each one."""
        counts: Floats = np.cumsum(self.weight, axis=1)
        return counts

    def ranks_at(self, iou: float) -> Floats:
        """Number of drawn spots up to and including each one, without ignored ones.

        Parameters
        ----------
        iou : float
            The threshold from which a spot is ignored, in (0, 1].

        Returns
        -------
        (D, n) float
            `ranks` where no spot of the list is ignored.
        """
        ignored = self.lists.ignored_at(iou)[self.spots]
        if not ignored.any():
            return self.ranks
        counts: Floats = np.cumsum(np.where(ignored, 0.0, self.weight), axis=1)
        return counts

    @cached_property
    def areas(self) -> tuple[Floats, Floats]:
        """(D, n) A(R) and A(R ⊕ T) of a list that ends after each spot, in px²."""
        retrieved, relevant = self.lists.steps
        return (
            np.cumsum(self.weight * retrieved[self.spots], axis=1),
            np.cumsum(self.weight * relevant[self.spots], axis=1),
        )

    @cached_property
    def precision_sum(self) -> Floats:
        """(D,) the sum of area precision after each spot that overlaps some truth."""
        retrieved, relevant = self.areas
        precision = ratio(relevant[:, self.hits], retrieved[:, self.hits])
        total: Floats = (np.nan_to_num(precision) * self.weight[:, self.hits]).sum(axis=1)
        return total
