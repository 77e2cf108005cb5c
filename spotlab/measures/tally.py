r"""Tallies: what each spot of a run adds on a page and on all pages, in px².

Every figure is algebra on tallies. Pages are tallied one by one, so an edit costs one
page, and processes can share the pages.

What ignored regions take off a tally: their part is neither found nor missed nor false.

An ignored region with a label concerns the query of that label; one without a label concerns every
query, like the *don't care* regions of KITTI (Geiger et al. 2012). I is the union of the ignored
regions that concern a query on a page.

Areas: what lies in I is taken off. A(R) becomes A(R \ I), A(T) becomes A(T \ I), A(R ⊕ T) is that
of what remains, and the page has A(page) − A(I). With `Overlap.SUM`, every region of R and of T
loses I by itself.

Symbols: an ignored region is not counted. Spots are first matched with the regions that count. A
spot that is matched with none is itself *ignored*, neither right nor false, if it lies on an
ignored region that concerns it. On an *area* (``iscrowd`` of COCO, Lin et al. 2014) it does if the
intersection reaches the threshold as a share of the spot; on a *symbol* (``difficult`` of PASCAL
VOC, Everingham et al. 2010) if their IoU does. Any number of spots may lie on one ignored region.
The other regions are judged as ever, whether they lie in ignored area or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.polygon import Outlines
from spotlab.model.region import Ignore
from spotlab.model.run import Run
from spotlab.representation import short_repr

KINDS = tuple(Ignore)  # the numbers that stand for them in arrays
ALL, NONE = -1, -2  # queries that an ignored region concerns, where it is not a single one


@dataclass(frozen=True, eq=False)
class PageIgnored:
    """Ignored regions of one page, of N spots, T truth regions and K overlapping pairs.

    Attributes
    ----------
    kind : (T,) int
        Place of each region's `Ignore` in `KINDS`; 0 for a region that counts.
    spot_area : (N,) float
        The part of each spot outside I, in px².
    region_area : (T,) float
        The part of each region outside I, in px²; 0 for an ignored one.
    pair_shared : (K,) float
        The part outside I of the area that spot and region share, in px².
    area : mapping of str to float
        A(I) in px² for every label that an ignored region has; under "" for all other queries.
    outlines : Outlines
        The ignored regions in their order, as they are measured.
    """

    kind: NDArray[np.int8]
    spot_area: Floats
    region_area: Floats
    pair_shared: Floats
    area: Mapping[str, float]
    outlines: Outlines

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class IgnoredArea:
    """Ignored regions of a tally; sizes are those of the tally.

    Attributes
    ----------
    kind : (T,) int
        Place of each region's `Ignore` in `KINDS`; 0 for a region that counts.
    query : (T,) int
        The query that an ignored region concerns: its place, `ALL`, or `NONE` if the tally has no
        such query; `NONE` for a region that counts.
    spot_area, region_area, pair_shared : (N,), (T,) and (K,) float
        The parts outside I, in px²; see `PageIgnored`.
    area : (Q, P) float
        A(I) of each query on each page, in px².
    """

    kind: NDArray[np.int8]
    query: Ints
    spot_area: Floats
    region_area: Floats
    pair_shared: Floats
    area: Floats

    __repr__ = short_repr

    def concerns(self, region: Ints, query: Ints) -> NDArray[np.bool_]:
        """Tell which regions are ignored for queries.

        Parameters
        ----------
        region, query : (n,) int
            Places of regions and of queries in the tally.

        Returns
        -------
        (n,) bool
            False for a region that counts.

        Examples
        --------
        >>> none = np.zeros(0)
        >>> kinds, queries = np.array([1, 1, 0]), np.array([0, ALL, NONE])
        >>> ignored = IgnoredArea(kinds, queries, none, none, none, none)
        >>> ignored.concerns(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1])).tolist()
        [True, False, True, False]
        """
        of_region = self.query[region]
        return np.asarray((of_region == query) | (of_region == ALL))


@dataclass(frozen=True, eq=False)
class PageTally:
    """The tally of one page, of N spots, T truth regions and K overlapping pairs.

    Attributes
    ----------
    page : str
        The page's name.
    spot : (N,) int
        The places in the run of the spots on this page, increasing.
    area : (N,) float
        The area of each spot in px².
    gained_area : (N,) float
        The part in px² that no earlier spot of the same query covers on this page.
    gained_true_area : (N,) float
        What of that part lies in the union of the query's truth, in px².
    region_id, region_label : tuple of str
        The truth regions of all labels; the label of a region without one is empty.
    region_area : (T,) float
        The area of each region in px².
    truth_area : mapping of str to float
        The area in px² of the union of each label's regions.
    pair_spot, pair_region : (K,) int
        Spots and regions of this page that overlap, whatever their labels; sorted by spot.
    pair_shared : (K,) float
        The area that they share, in px².
    pair_gained_area : (K,) float
        The part of it in px² that no earlier spot of the same query covers; 0 where the region
        has another label.
    ignored : PageIgnored or None
        What ignored regions take off; None where no region is ignored. ``gained_area``,
        ``gained_true_area`` and ``truth_area`` are without ignored area, all others with it.
    """

    page: str
    spot: Ints
    area: Floats
    gained_area: Floats
    gained_true_area: Floats
    region_id: tuple[str, ...]
    region_label: tuple[str, ...]
    region_area: Floats
    truth_area: Mapping[str, float]
    pair_spot: Ints
    pair_region: Ints
    pair_shared: Floats
    pair_gained_area: Floats
    ignored: PageIgnored | None = None

    __repr__ = short_repr

    @property
    def ignored_ids(self) -> frozenset[str]:
        """The ids of the regions that are ignored."""
        return frozenset(self._ignored(self.region_id))

    @property
    def ignored_labels(self) -> tuple[str, ...]:
        """The labels of the regions that are ignored, in their order."""
        return self._ignored(self.region_label)

    def _ignored(self, values: tuple[str, ...]) -> tuple[str, ...]:
        if self.ignored is None:
            return ()
        kinds = self.ignored.kind.tolist()
        return tuple(value for value, kind in zip(values, kinds, strict=True) if kind)

    @property
    def counted_labels(self) -> tuple[str, ...]:
        """The labels of the regions that are not ignored."""
        if self.ignored is None:
            return self.region_label
        kinds = self.ignored.kind.tolist()
        return tuple(
            label for label, kind in zip(self.region_label, kinds, strict=True) if not kind
        )


def joined_ignored(
    parts: Sequence[PageTally], names: Sequence[str], region_query: Ints, order: Ints, pairs: Ints
) -> IgnoredArea | None:
    """Put together what ignored regions take off single pages.

    Parameters
    ----------
    parts : sequence of PageTally
        The pages.
    names : sequence of str
        All queries.
    region_query : (T,) int
        The query that each region's label names; -1 without label, `NONE` for another label.
    order : (N,) int
        The spots of all pages in the order of the tally.
    pairs : (K,) int
        The pairs of all pages in the order of the tally.

    Returns
    -------
    IgnoredArea or None
        None where no region is ignored.
    """
    if all(part.ignored is None for part in parts):
        return None
    kind, spot_area, region_area, shared = [], [], [], []
    area = np.zeros((len(names), len(parts)))
    for place, part in enumerate(parts):
        off = part.ignored
        kind.append(np.zeros(len(part.region_id), np.int8) if off is None else off.kind)
        spot_area.append(part.area if off is None else off.spot_area)
        region_area.append(part.region_area if off is None else off.region_area)
        shared.append(part.pair_shared if off is None else off.pair_shared)
        if off is not None:
            area[:, place] = [off.area.get(name, off.area[""]) for name in names]
    kinds = joined(kind, np.int8)
    return IgnoredArea(
        kind=kinds,
        query=np.where(kinds > 0, np.where(region_query == -1, ALL, region_query), NONE),
        spot_area=joined(spot_area)[order],
        region_area=joined(region_area),
        pair_shared=joined(shared)[pairs],
        area=area,
    )


def joined(arrays: Sequence[Any], kind: type = np.float64) -> Any:
    """Join columns of single pages.

    Parameters
    ----------
    arrays : sequence of (n,) array
        A column of each page.
    kind : type
        Its type.

    Returns
    -------
    (N,) array
        Empty without pages.

    Examples
    --------
    >>> joined([np.array([1, 2]), np.array([3])], np.int64).tolist()
    [1, 2, 3]
    """
    return np.concatenate([np.empty(0, kind), *arrays]).astype(kind, copy=False)


class Overlap(StrEnum):
    """Ways to count area that several regions of a set cover (Rusiñol & Lladós (2009), eq. 7).

    ``UNION`` counts it once; ``SUM``, as in the paper, counts it once per region that covers it.
    """

    UNION = "union"
    SUM = "sum"


@dataclass(frozen=True, eq=False)
class Tally:
    """The tally of a run on all pages; spots are in order of query and rank.

    Its sizes are Q queries, P pages, N spots, T truth regions and K overlapping pairs.

    Attributes
    ----------
    run : Run
        The run that is tallied.
    queries, pages : tuple of str
        All that are evaluated: the run's queries and the truth's labels, and every page that has
        truth.
    page_area : (P,) float
        The area of each page in px².
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    spot : (N,) int
        The place of each spot in the run; spots on pages that are not evaluated are missing.
    query, page : (N,) int
        Places in ``queries`` and ``pages``.
    score : (N,) float
        The run's scores; NaN where it gives none.
    area, gained_area, gained_true_area : (N,) float
        In px²; see `PageTally`.
    region_query, region_page : (T,) int
        Places of the truth regions; the query of a region without a label is -1.
    region_area : (T,) float
        The area of each region in px².
    region_id : tuple of str
        The id of each region on its page.
    truth_area : (Q, P) float
        The area in px² of the union of each query's truth on each page.
    pair_spot, pair_region : (K,) int
        Places in the columns above of spots and regions that overlap, whatever their labels; sorted
        by spot.
    pair_shared, pair_gained_area : (K,) float
        In px²; see `PageTally`.
    parts : mapping of str to PageTally
        The single pages, by name.
    ignored : IgnoredArea or None
        What ignored regions take off; None where no region is ignored. An ignored region belongs
        to no query: its ``region_query`` is -1. ``gained_area``, ``gained_true_area`` and
        ``truth_area`` are without ignored area, all others with it.
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
    gained_area: Floats
    gained_true_area: Floats
    region_query: Ints
    region_page: Ints
    region_area: Floats
    region_id: tuple[str, ...]
    truth_area: Floats
    pair_spot: Ints
    pair_region: Ints
    pair_shared: Floats
    pair_gained_area: Floats
    parts: Mapping[str, PageTally]
    ignored: IgnoredArea | None = None

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.spot)

    @cached_property
    def rank(self) -> Ints:
        """(N,) the rank of each spot among the evaluated spots of its query, from 1."""
        return np.arange(1, len(self) + 1) - self.starts[self.query]

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """(K,) True for pairs whose region is one of the spot's query."""
        return np.asarray(self.query[self.pair_spot] == self.region_query[self.pair_region])

    @property
    def counted_area(self) -> Floats:
        """(N,) the area of each spot outside ignored area, in px²."""
        return self.area if self.ignored is None else self.ignored.spot_area

    @property
    def counted_region_area(self) -> Floats:
        """(T,) the area of each region outside ignored area, in px²; 0 for an ignored one."""
        return self.region_area if self.ignored is None else self.ignored.region_area

    @cached_property
    def counted_page_area(self) -> Floats:
        """(Q, P) the area of each page outside what is ignored for each query, in px²."""
        whole = np.broadcast_to(self.page_area, (len(self.queries), len(self.pages)))
        return whole if self.ignored is None else np.maximum(whole - self.ignored.area, 0.0)

    @cached_property
    def evaluated_area(self) -> Floats:
        """(Q,) the area of all pages outside what is ignored for each query, in px²."""
        total: Floats = self.counted_page_area.sum(axis=1)
        return total

    @cached_property
    def is_counted(self) -> NDArray[np.bool_]:
        """(N,) True for spots in area measures: those that do not lie in ignored area only."""
        if self.ignored is None:
            return np.ones(len(self), np.bool_)
        return np.asarray((self.ignored.spot_area > 0) | (self.area <= 0))

    @cached_property
    def shared_relevant(self) -> Floats:
        """(N,) Σ_j A(R_i ∩ T_j) in px²: what a spot shares with the regions of its query."""
        own, shared = self.own, self._counted_shared
        of_spot = np.bincount(self.pair_spot[own], shared[own], len(self))
        return of_spot.astype(np.float64)

    @cached_property
    def hit(self) -> NDArray[np.bool_]:
        """(N,) True for spots that overlap some region of their query.

        This is r(n) in Rusiñol & Lladós (2009), eq. 8.
        """
        hit = np.zeros(len(self), np.bool_)
        hit[self.pair_spot[self.own & (self._counted_shared > 0)]] = True
        return hit

    @cached_property
    def symbols(self) -> Ints:
        """(Q, P) number of regions of each query on each page."""
        return self.regions_of(np.ones(len(self.region_area), np.bool_))

    def regions_of(self, chosen: NDArray[np.bool_]) -> Ints:
        """(Q, P) number of some regions of each query on each page.

        Parameters
        ----------
        chosen : (T,) bool
            Regions to count; those of no query are never counted.
        """
        return self._counted(chosen.astype(np.float64)).astype(np.int64)

    @cached_property
    def page_rank(self) -> Ints:
        """(N,) the rank of each spot among the spots of its query on its page, from 1."""
        cell = self.query * len(self.pages) + self.page
        order = np.argsort(cell, kind="stable")  # in order of rank within a cell
        begun = np.flatnonzero(np.diff(cell[order], prepend=-1))
        rank = np.empty(len(self), np.int64)
        rank[order] = np.arange(len(self)) - np.repeat(begun, np.diff(begun, append=len(self))) + 1
        return rank

    def steps(self, overlap: Overlap) -> tuple[Floats, Floats]:
        """The steps of the retrieved and of the relevant area at each spot.

        Parameters
        ----------
        overlap : Overlap
            How area that several spots cover is counted.

        Returns
        -------
        retrieved, relevant : (N,) float
            The steps of A(R) and of A(R ⊕ T) in px² (Rusiñol & Lladós (2009), eq. 7).
        """
        if overlap is Overlap.UNION:
            return self.gained_area, self.gained_true_area
        return self.counted_area, self.shared_relevant

    def relevant(self, overlap: Overlap) -> Floats:
        """A(T) of each query on each page.

        Parameters
        ----------
        overlap : Overlap
            How area that several regions cover is counted.

        Returns
        -------
        (Q, P) float
            In px²; 0 where a query has no region on a page.
        """
        if overlap is Overlap.UNION:
            return self.truth_area
        return self._counted(self.counted_region_area)

    def with_page(self, part: PageTally) -> Tally:
        """The tally with another one of this page, as if all pages had been tallied again.

        Parameters
        ----------
        part : PageTally
            The new tally of the page.
        """
        areas = dict(zip(self.pages, self.page_area.tolist(), strict=True))
        parts = {**self.parts, part.page: part}
        return Tally.of(self.run, areas, parts.values(), self.queries)

    @property
    def _counted_shared(self) -> Floats:
        return self.pair_shared if self.ignored is None else self.ignored.pair_shared

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
        """Put the tallies of single pages together.

        Parameters
        ----------
        run : Run
            The run that is tallied.
        page_areas : mapping of str to float
            The area in px² of every evaluated page, in order.
        parts : iterable of PageTally
            One for each of these pages.
        queries : iterable of str
            Queries to evaluate besides those of the run and the labels of the truth.

        Returns
        -------
        Tally
            Its arrays have as many rows as there are spots on these pages, ``(N,)``; it is empty
            without pages.

        Examples
        --------
        A page of 10 000 px² with a bed of 400 px², half of which a spot of 300 px² covers:

        >>> from spotlab.geometry.polygon import Outlines
        >>> spot = Outlines.of([[(0, 0), (30, 0), (30, 20)]])
        >>> run = Run.ordered("mine", ["bed"], ["page"], spot, rank=[1])
        >>> part = PageTally(
        ...     page="page", spot=np.array([0]), area=np.array([300.0]),
        ...     gained_area=np.array([300.0]), gained_true_area=np.array([200.0]),
        ...     region_id=("r1",), region_label=("bed",),
        ...     region_area=np.array([400.0]), truth_area={"bed": 400.0},
        ...     pair_spot=np.array([0]), pair_region=np.array([0]),
        ...     pair_shared=np.array([200.0]), pair_gained_area=np.array([200.0]))
        >>> tally = Tally.of(run, {"page": 10_000.0}, [part])
        >>> tally.queries, tally.hit.tolist(), tally.truth_area.tolist()
        (('bed',), [True], [[400.0]])
        """
        by_page = {part.page: part for part in parts}
        return _put_together(run, page_areas, [by_page[page] for page in page_areas], queries)


def _put_together(
    run: Run, page_areas: Mapping[str, float], parts: Sequence[PageTally], queries: Iterable[str]
) -> Tally:
    labels = {label for part in parts for label in part.counted_labels if label}
    names = tuple(sorted({*queries, *run.queries, *labels}))
    number = {name: index for index, name in enumerate(names)} | {"": -1}
    unsorted = joined([part.spot for part in parts], np.int64)
    order = np.argsort(unsorted, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    spot = unsorted[order]
    # a run's queries are in alphabetical order too, so its order stays
    query = np.array([number[name] for name in run.queries], np.int64)[run.query[spot]]
    regions = [len(part.region_id) for part in parts]
    spots = [len(part.spot) for part in parts]
    first_region, first_spot = _starts(regions), _starts(spots)
    pair_spot = joined(
        [
            place[first + np.searchsorted(part.spot, part.pair_spot)]
            for first, part in zip(first_spot, parts, strict=True)
        ],
        np.int64,
    )
    pair_region = joined(
        [first + part.pair_region for first, part in zip(first_region, parts, strict=True)],
        np.int64,
    )
    pairs = np.argsort(pair_spot, kind="stable")
    region_labels = [label for part in parts for label in part.region_label]
    region_query = np.array([number.get(label, NONE) for label in region_labels], np.int64)
    ignored = joined_ignored(parts, names, region_query, order, pairs)
    if ignored is not None:
        region_query[ignored.kind > 0] = -1
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
        score=run.score if len(spot) == len(run) else run.score[spot],
        area=joined([part.area for part in parts])[order],
        gained_area=joined([part.gained_area for part in parts])[order],
        gained_true_area=joined([part.gained_true_area for part in parts])[order],
        region_query=region_query,
        region_page=np.repeat(np.arange(len(parts)), regions),
        region_area=joined([part.region_area for part in parts]),
        region_id=tuple(id for part in parts for id in part.region_id),
        truth_area=truth_area,
        pair_spot=pair_spot[pairs],
        pair_region=pair_region[pairs],
        pair_shared=joined([part.pair_shared for part in parts])[pairs],
        pair_gained_area=joined([part.pair_gained_area for part in parts])[pairs],
        parts={part.page: part for part in parts},
        ignored=ignored,
    )


def _starts(counts: Sequence[int]) -> list[int]:
    return list(accumulate(counts, initial=0))[:-1]


def tally_of_pages(tally: Tally, names: Collection[str]) -> Tally:
    """The tally as if only these pages had been evaluated; its queries stay.

    Parameters
    ----------
    tally : Tally
    names : collection of str
        Of pages; those that are not tallied are passed over.

    Returns
    -------
    Tally
        Ranks are counted among the spots on these pages.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> tally_of_pages(Tally.of(nothing, {}, []), ["plan"]).pages
    ()
    """
    areas = {
        page: area
        for page, area in zip(tally.pages, tally.page_area.tolist(), strict=True)
        if page in names
    }
    return Tally.of(tally.run, areas, [tally.parts[page] for page in areas], tally.queries)
