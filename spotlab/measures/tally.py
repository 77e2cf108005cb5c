"""The tally: what each spot of a run adds, area by area; every figure is algebra on it.

Pages are tallied one by one and put together, so an edit on one page costs that page only, and
pages can be tallied by different processes. Areas are in px².
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.model.run import Run
from spotlab.representation import short_repr

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Overlap(StrEnum):
    """How a place that several regions of a set cover is counted (Rusiñol & Lladós, eq. 7)."""

    UNION = "union"  # once: the area of a set is that of its union
    SUM = "sum"  # as often as it is covered: the sum of the regions' areas, as printed


@dataclass(frozen=True, eq=False)
class PageTally:
    """One page of a run.

    Attributes
    ----------
    page : str
        The page's name.
    spot : (N,) int
        Which spots of the run are here, rising.
    area : (N,) float
        Area of each.
    new_area : (N,) float
        The part that no earlier spot of the same query covers here.
    new_relevant : (N,) float
        What of that lies in the union of the query's truth.
    region_id, region_label : tuple of str
        The truth regions of all labels; a label is empty where there is none.
    region_area : (T,) float
    truth_area : mapping of str to float
        Area of the union of each label's regions.
    pair_spot, pair_region : (K,) int
        A spot of the run and a region (its place here) that overlap, whatever their labels; sorted
        by spot.
    pair_shared : (K,) float
        The area that they share.
    pair_new : (K,) float
        The part of it that no earlier spot of the same query covers; 0 where the region is of
        another label.
    """

    page: str
    spot: Ints
    area: Floats
    new_area: Floats
    new_relevant: Floats
    region_id: tuple[str, ...]
    region_label: tuple[str, ...]
    region_area: Floats
    truth_area: Mapping[str, float]
    pair_spot: Ints
    pair_region: Ints
    pair_shared: Floats
    pair_new: Floats

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class Tally:
    """All pages of a run; spots are in order of query and rank.

    Attributes
    ----------
    run : Run
    queries, pages : tuple of str
        All that are evaluated, searched or not, found on or not.
    page_area : (P,) float
        Areas of whole pages.
    starts : (Q + 1,) int
        Where each query's spots begin and end in the columns below.
    spot : (N,) int
        Place in the run; spots on pages that are not evaluated are missing.
    query, page : (N,) int
        Places in ``queries`` and ``pages``.
    score : (N,) float
        NaN where the run gives none.
    area, new_area, new_relevant : (N,) float
        See `PageTally`.
    region_query, region_page : (T,) int
        Of the truth regions; query -1 where a region has no label.
    region_area : (T,) float
    region_id : tuple of str
    truth_area : (Q, P) float
        Area of the union of each query's truth on each page.
    pair_spot, pair_region : (K,) int
        Places in the columns above of spots and regions that overlap, whatever their labels; sorted
        by spot.
    pair_shared, pair_new : (K,) float
        See `PageTally`.
    parts : dict of str to PageTally
        By page.
    """

    run: Run
    queries: tuple[str, ...]
    pages: tuple[str, ...]
    page_area: Floats
    starts: Ints
    spot: Ints
    query: Ints
    page: Ints
    score: Floats
    area: Floats
    new_area: Floats
    new_relevant: Floats
    region_query: Ints
    region_page: Ints
    region_area: Floats
    region_id: tuple[str, ...]
    truth_area: Floats
    pair_spot: Ints
    pair_region: Ints
    pair_shared: Floats
    pair_new: Floats
    parts: Mapping[str, PageTally]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.spot)

    @cached_property
    def rank(self) -> Ints:
        """(N,) place in the query's list of evaluated spots, from 1."""
        return np.arange(1, len(self) + 1) - self.starts[self.query]

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """(K,) whether a pair's region is one of the spot's query."""
        return np.asarray(self.query[self.pair_spot] == self.region_query[self.pair_region])

    @cached_property
    def shared_relevant(self) -> Floats:
        """(N,) Σ_j A(R_i ∩ T_j): what a spot shares with each region of its query, summed."""
        own = self.own
        found = np.bincount(self.pair_spot[own], self.pair_shared[own], len(self))
        return found.astype(np.float64)

    @cached_property
    def hit(self) -> NDArray[np.bool_]:
        """(N,) r(n) of eq. 8: whether a spot overlaps some region of its query."""
        hit = np.zeros(len(self), np.bool_)
        hit[self.pair_spot[self.own]] = True
        return hit

    @cached_property
    def symbols(self) -> Ints:
        """(Q, P) how many regions each query has on each page."""
        return self._counted(np.ones(len(self.region_area))).astype(np.int64)

    def steps(self, overlap: Overlap) -> tuple[Floats, Floats]:
        """(N,) what each spot adds to A(R) and to A(R ⊕ T)."""
        if overlap is Overlap.UNION:
            return self.new_area, self.new_relevant
        return self.area, self.shared_relevant

    def relevant(self, overlap: Overlap) -> Floats:
        """(Q, P) A(T) of each query on each page."""
        return self.truth_area if overlap is Overlap.UNION else self._counted(self.region_area)

    def with_page(self, part: PageTally) -> Tally:
        """The tally with another one of this page."""
        areas = dict(zip(self.pages, self.page_area.tolist(), strict=True))
        parts = {**self.parts, part.page: part}
        return Tally.of(self.run, areas, parts.values(), self.queries)

    def _counted(self, weights: Floats) -> Floats:
        shape = len(self.queries), len(self.pages)
        known = self.region_query >= 0
        cell = self.region_query[known] * shape[1] + self.region_page[known]
        counted = np.bincount(cell, weights[known], shape[0] * shape[1])
        return counted.astype(np.float64).reshape(shape)

    @classmethod
    def of(
        cls,
        run: Run,
        page_areas: Mapping[str, float],
        parts: Iterable[PageTally],
        queries: Iterable[str] = (),
    ) -> Tally:
        """Put pages together.

        Parameters
        ----------
        run : Run
        page_areas : mapping of str to float
            The area of every page that is evaluated, in order.
        parts : iterable of PageTally
            One for each page.
        queries : iterable of str
            Queries to evaluate besides those of the run and the labels of the truth.
        """
        by_page = {part.page: part for part in parts}
        return _put_together(run, page_areas, [by_page[page] for page in page_areas], queries)


def _put_together(
    run: Run,
    page_areas: Mapping[str, float],
    parts: Sequence[PageTally],
    queries: Iterable[str],
) -> Tally:
    labels = {label for part in parts for label in part.region_label if label}
    names = tuple(sorted({*queries, *run.queries, *labels}))
    number = {each: index for index, each in enumerate(names)} | {"": -1}
    unsorted = _joined([part.spot for part in parts], np.int64)
    order = np.argsort(unsorted, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    spot = unsorted[order]
    # a run's queries are in alphabetical order too, so its order stays
    query = np.array([number[name] for name in run.queries], np.int64)[run.query[spot]]
    regions = [len(part.region_id) for part in parts]
    spots = [len(part.spot) for part in parts]
    first_region, first_spot = _starts(regions), _starts(spots)
    pair_spot = _joined(
        [
            place[first + np.searchsorted(part.spot, part.pair_spot)]
            for first, part in zip(first_spot, parts, strict=True)
        ],
        np.int64,
    )
    pair_region = _joined(
        [first + part.pair_region for first, part in zip(first_region, parts, strict=True)],
        np.int64,
    )
    pairs = np.argsort(pair_spot, kind="stable")
    region_labels = [label for part in parts for label in part.region_label]
    truth_area = np.zeros((len(names), len(parts)))
    for index, part in enumerate(parts):
        for label, area in part.truth_area.items():
            truth_area[number[label], index] = area
    return Tally(
        run=run,
        queries=names,
        pages=tuple(page_areas),
        page_area=np.fromiter(page_areas.values(), np.float64, len(page_areas)),
        starts=np.searchsorted(query, np.arange(len(names) + 1)),
        spot=spot,
        query=query,
        page=np.repeat(np.arange(len(parts)), spots)[order],
        score=run.score[spot],
        area=_joined([part.area for part in parts])[order],
        new_area=_joined([part.new_area for part in parts])[order],
        new_relevant=_joined([part.new_relevant for part in parts])[order],
        region_query=np.array([number[label] for label in region_labels], np.int64),
        region_page=np.repeat(np.arange(len(parts)), regions),
        region_area=_joined([part.region_area for part in parts]),
        region_id=tuple(id for part in parts for id in part.region_id),
        truth_area=truth_area,
        pair_spot=pair_spot[pairs],
        pair_region=pair_region[pairs],
        pair_shared=_joined([part.pair_shared for part in parts])[pairs],
        pair_new=_joined([part.pair_new for part in parts])[pairs],
        parts={part.page: part for part in parts},
    )


def _starts(counts: Sequence[int]) -> list[int]:
    return list(accumulate(counts, initial=0))[:-1]


def _joined(arrays: Sequence[Any], kind: type = np.float64) -> Any:
    return np.concatenate([np.empty(0, kind), *arrays]).astype(kind, copy=False)
