"""Matching of spots with regions, and the errors that remain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures.area import ratio
from spotlab.measures.tally import KINDS, Tally
from spotlab.model.region import Ignore
from spotlab.representation import short_repr

NEVER = np.iinfo(np.int64).max
ROUNDING = 1e-9  # of a region's area: a share that is reached but for rounding is reached


def recognition_rank(tally: Tally, share: float) -> Ints:
    """The rank at which each truth region is recognised.

    Parameters
    ----------
    tally : Tally
        Of T truth regions.
    share : float
        t in [0, 1]; with 0 every region that a spot touches is recognised.

    Returns
    -------
    (T,) int
        The rank, from 1, in the list of the region's query; `NEVER` for a region that is not
        recognised. A region without area is never recognised.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3 and eq. 12: A(T_i ∩ ∪R) ≥ t · A(T_i).

    Examples
    --------
    A region of 100 px², of which the first spot covers a half and the second spot the rest:

    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     own=np.array([True, True]), pair_gained_area=np.array([50.0, 50.0]),
    ...     pair_spot=np.array([0, 1]), pair_region=np.array([0, 0]),
    ...     region_area=np.array([100.0]), rank=np.array([1, 2]))
    >>> recognition_rank(tally, 0.5).tolist(), recognition_rank(tally, 0.75).tolist()
    ([1], [2])
    """
    own = tally.own & (tally.pair_gained_area > 0)
    spot, region, new = tally.pair_spot[own], tally.pair_region[own], tally.pair_gained_area[own]
    order = np.argsort(region, kind="stable")  # pairs are in order of rank within a query
    spot, region, new = spot[order], region[order], new[order]
    ranks = np.full(len(tally.region_area), NEVER, np.int64)
    if not len(region):
        return ranks
    first = np.flatnonzero(np.diff(region, prepend=-1))
    # in shares of the region, so that large regions do not cost small ones their digits
    covered = np.cumsum(new / tally.region_area[region])
    before = np.concatenate([[0.0], covered])[first]
    covered -= np.repeat(before, np.diff(first, append=len(region)))
    reached = np.flatnonzero(covered >= share - ROUNDING)
    regions, place = np.unique(region[reached], return_index=True)
    ranks[regions] = tally.rank[spot[reached[place]]]
    return ranks


def first_true_positive_rank(tally: Tally, recognised: Ints) -> Ints:
    """The rank from which each spot is no longer a false positive.

    Parameters
    ----------
    tally : Tally
        Of N spots and T truth regions.
    recognised : (T,) int
        The rank at which each region is recognised; see `recognition_rank`.

    Returns
    -------
    (N,) int
        The rank, from 1, in the list of the spot's query; `NEVER` for a spot that stays a false
        positive.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.

    Examples
    --------
    Two spots overlap a region that is recognised at rank 2; a third one overlaps nothing:

    >>> class Example:
    ...     own, rank = np.array([True, True]), np.array([1, 2, 3])
    ...     pair_spot, pair_region = np.array([0, 1]), np.array([0, 0])
    ...     def __len__(self): return 3
    >>> ranks = first_true_positive_rank(Example(), np.array([2]))
    >>> ranks[:2].tolist(), int(ranks[2]) == NEVER
    ([2, 2], True)
    """
    ranks = np.full(len(tally), NEVER, np.int64)
    own = tally.own
    np.minimum.at(ranks, tally.pair_spot[own], recognised[tally.pair_region[own]])
    return np.where(ranks < NEVER, np.maximum(ranks, tally.rank), NEVER)


def count_recognised(tally: Tally, recognised: Ints) -> Ints:
    """Number of recognised regions after each spot.

    Parameters
    ----------
    tally : Tally
        Of N spots and T truth regions.
    recognised : (T,) int
        The rank at which each region is recognised; see `recognition_rank`.

    Returns
    -------
    (N,) int
        How many regions of its query are recognised if the list ends after each spot; empty
        without spots.

    Notes
    -----
    The numerator of the recognition rate in Rusiñol & Lladós (2009), eq. 12.

    Examples
    --------
    Three spots of one query, and a region that is recognised at rank 2:

    >>> class Example:
    ...     region_query, starts = np.array([0]), np.array([0, 3])
    ...     def __len__(self): return 3
    >>> count_recognised(Example(), np.array([2])).tolist()
    [0, 1, 1]
    """
    known = (recognised < NEVER) & (tally.region_query >= 0)
    places = tally.starts[tally.region_query[known]] + recognised[known] - 1
    return _accumulated(tally, np.bincount(places, minlength=len(tally)))


def count_false_positives(tally: Tally, cleared: Ints) -> Ints:
    """Number of false positives after each spot.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    cleared : (N,) int
        The rank from which each spot is no longer a false positive; see
        `first_true_positive_rank`.

    Returns
    -------
    (N,) int
        How many spots of its query are false positives if the list ends after each spot; empty
        without spots.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.

    Examples
    --------
    Three spots of one query; the first stops being false at rank 2, the last one never does:

    >>> class Example:
    ...     query, rank, starts = np.zeros(3, int), np.array([1, 2, 3]), np.array([0, 3])
    ...     def __len__(self): return 3
    >>> count_false_positives(Example(), np.array([2, 2, NEVER])).tolist()
    [1, 0, 1]
    """
    known = cleared < NEVER
    places = tally.starts[tally.query[known]] + cleared[known] - 1
    return tally.rank - _accumulated(tally, np.bincount(places, minlength=len(tally)))


def count_by_page(
    tally: Tally, chosen_regions: NDArray[np.bool_], chosen_spots: NDArray[np.bool_]
) -> tuple[Ints, Ints]:
    """Count chosen regions and chosen spots of every query on every page.

    Parameters
    ----------
    tally : Tally
        Of Q queries, P pages, T truth regions and N spots.
    chosen_regions : (T,) bool
        Regions to count; those without a label belong to no query and are never counted.
    chosen_spots : (N,) bool
        Spots to count.

    Returns
    -------
    of_regions, of_spots : (Q, P) int
        0 where there is none.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     queries=["bed"], pages=["one", "two"], query=np.array([0, 0]), page=np.array([0, 1]),
    ...     region_query=np.array([0, -1]), region_page=np.array([1, 1]))
    >>> of_regions, of_spots = count_by_page(tally, np.array([True, True]), np.array([True, False]))
    >>> of_regions.tolist(), of_spots.tolist()
    ([[0, 1]], [[1, 0]])
    """
    shape = len(tally.queries), len(tally.pages)
    regions = chosen_regions & (tally.region_query >= 0)
    cells = (
        tally.region_query[regions] * shape[1] + tally.region_page[regions],
        tally.query[chosen_spots] * shape[1] + tally.page[chosen_spots],
    )
    of_regions, of_spots = (np.bincount(cell, minlength=shape[0] * shape[1]) for cell in cells)
    return of_regions.reshape(shape), of_spots.reshape(shape)


def _accumulated(tally: Tally, counts: Ints) -> Ints:
    """(N,) cumulative sums within each query; exact, because counts are whole numbers."""
    sums = np.cumsum(counts)
    before = np.concatenate([[0], sums])[tally.starts[:-1]]
    accumulated: Ints = sums - np.repeat(before, np.diff(tally.starts))
    return accumulated


Interpolation = Literal["coco", "exact"]
RECALLS = np.linspace(0.0, 1.0, 101)
THRESHOLDS = tuple(np.linspace(0.5, 0.95, 10).tolist())  # of COCO
ROUNDS = 12  # of matching all spots at once


def iou_pairs(tally: Tally) -> Floats:
    """Intersection over union of each pair of a spot and a region that overlap.

    Parameters
    ----------
    tally : Tally
        Of N spots and K overlapping pairs.

    Returns
    -------
    (K,) float
        Shares in [0, 1].
    """
    whole = tally.area[tally.pair_spot] + tally.region_area[tally.pair_region] - tally.pair_shared
    iou = ratio(tally.pair_shared, whole)
    return np.minimum(iou, 1.0)


def match_spots(tally: Tally, threshold: float = 0.5) -> Ints:
    """Match each spot with at most one region of its query on its page.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    threshold : float
        IoU in (0, 1] that a match has to reach.

    Returns
    -------
    (N,) int
        The place of the region in the tally; -1 for a spot without a match.

    Notes
    -----
    The matching of Lin et al. (2014): spots choose in rank order. See `match_pairs`.

    Examples
    --------
    Two spots that share 80 of 100 px² with the same region:

    >>> class Example:
    ...     area, region_area = np.array([100.0, 100.0]), np.array([100.0])
    ...     pair_spot, pair_region = np.array([0, 1]), np.array([0, 0])
    ...     pair_shared, own = np.array([80.0, 80.0]), np.array([True, True])
    ...     def __len__(self): return 2
    >>> match_spots(Example(), 0.5), match_spots(Example(), 0.75)
    (array([ 0, -1]), array([-1, -1]))
    """
    iou = iou_pairs(tally)
    able = np.flatnonzero(tally.own & (iou >= min(threshold, 1 - 1e-10)))
    pairs = tally.pair_spot[able], tally.pair_region[able], iou[able]
    return match_pairs(*pairs, len(tally), len(tally.region_area))


def ignored_spots(tally: Tally, threshold: float, matched: Ints) -> NDArray[np.bool_]:
    """Find the spots that are neither right nor false, because they lie on an ignored region.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    threshold : float
        Share in (0, 1] that has to be reached: of the spot's area on an ignored *area*, of
        intersection over union with an ignored *symbol*.
    matched : (N,) int
        The region that each spot is matched with, see `match_spots`; these are never ignored.

    Returns
    -------
    (N,) bool
        All False where no region is ignored.

    Notes
    -----
    The crowd rule of Lin et al. (2014), as computed by pycocotools, and the difficult objects of
    Everingham et al. (2010); see `spotlab.measures.tally`.
    """
    found = np.zeros(len(tally), np.bool_)
    found[_pairs_with_ignored(tally, threshold)[0]] = True
    return found & (matched < 0)


def _pairs_with_ignored(tally: Tally, threshold: float) -> tuple[Ints, Ints, Floats]:
    """Spots, regions that are ignored for them, and the share that reaches the threshold."""
    if tally.ignored is None:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    concerned = tally.ignored.concerns(tally.pair_region, tally.query[tally.pair_spot])
    pairs = np.flatnonzero(concerned)
    spot, region = tally.pair_spot[pairs], tally.pair_region[pairs]
    of_spot = ratio(tally.pair_shared[pairs], tally.area[spot])
    is_area = tally.ignored.kind[region] == KINDS.index(Ignore.AREA)
    share = np.where(is_area, of_spot, iou_pairs(tally)[pairs])
    reached = share >= min(threshold, 1 - 1e-10)
    return spot[reached], region[reached], share[reached]


def match_sizes(tally: Tally, threshold: float, bounds: tuple[float, float]) -> tuple[Flags, Flags]:
    """Match spots with the regions of some size, where others neither cost nor count.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    threshold : float
        IoU in (0, 1] that a match has to reach.
    bounds : (float, float)
        Smallest and largest area of these regions in px².

    Returns
    -------
    right, ignored : (N,) bool
        Spots that are matched with a region of this size, and spots that do not count: those
        matched with a region of another size or on an ignored one, and those of another size that
        are matched with nothing.

    Notes
    -----
    The area ranges of pycocotools: a spot takes a region that counts before one that does not.

    Examples
    --------
    Two spots, each on a region of its own size; regions of up to 500 px² are sought:

    >>> class Example:
    ...     area, region_area = np.array([100.0, 900.0]), np.array([100.0, 900.0])
    ...     pair_spot, pair_region = np.array([0, 1]), np.array([0, 1])
    ...     pair_shared, own = np.array([100.0, 900.0]), np.array([True, True])
    ...     ignored = None
    ...     def __len__(self): return 2
    >>> right, ignored = match_sizes(Example(), 0.5, (0.0, 500.0))
    >>> right.tolist(), ignored.tolist()
    ([True, False], [False, True])
    """
    low, high = bounds
    inside = (tally.region_area >= low) & (tally.region_area <= high)
    iou = iou_pairs(tally)
    able = np.flatnonzero(tally.own & (iou >= min(threshold, 1 - 1e-10)))
    spot, region, iou = tally.pair_spot[able], tally.pair_region[able], iou[able]
    size = len(tally), len(tally.region_area)
    counts = inside[region]
    right = match_pairs(spot[counts], region[counts], iou[counts], *size) >= 0
    others = [
        np.concatenate(columns)
        for columns in zip(
            (spot[~counts], region[~counts], iou[~counts]),
            _pairs_with_ignored(tally, threshold),
            strict=True,
        )
    ]
    spot, region, iou = (column[~right[others[0]]] for column in others)
    shared = None if tally.ignored is None else tally.ignored.kind > 0
    matched = match_pairs(spot, region, iou, *size, shared) >= 0
    return right, ~right & (matched | (tally.area < low) | (tally.area > high))


def match_pairs(
    spot: Ints, region: Ints, iou: Floats, spots: int, regions: int, shared: Flags | None = None
) -> Ints:
    """Match spots with regions, given the pairs that reach the threshold.

    Parameters
    ----------
    spot, region : (K,) int
        The pairs; spots are numbered in rank order.
    iou : (K,) float
        Intersection over union of each pair, in (0, 1].
    spots, regions : int
        Number of spots and of regions.
    shared : (regions,) bool, optional
        Regions that any number of spots may have; by default none.

    Returns
    -------
    (spots,) int
        The region of each spot; -1 for a spot without a match.

    Notes
    -----
    Spots choose one after the other. Every region prefers the earlier spot, so this is the only
    stable matching, and the deferred acceptance of Gale & Shapley (1962) finds it for all spots
    at once: each spot asks for its best region, and a spot that asks for the same region as an
    earlier one goes on to its next best.

    Examples
    --------
    >>> match_pairs(np.array([0, 1, 1]), np.array([5, 5, 6]), np.array([0.6, 0.9, 0.7]), 3, 7)
    array([ 5,  6, -1])
    """
    matched = np.full(spots, -1, np.int64)
    shared = np.zeros(regions, np.bool_) if shared is None else shared
    for _ in range(ROUNDS):
        asks = _best_of_each(spot, region, iou, spots)
        earliest = np.full(regions, spots, np.int64)
        np.minimum.at(earliest, region[asks], spot[asks])
        stays = (spot <= earliest[region]) | shared[region]
        if stays.all():
            matched[spot[asks]] = region[asks]
            return matched
        spot, region, iou = spot[stays], region[stays], iou[stays]
    # long chains, in which each spot displaces the next, are rare and go one by one
    order = np.lexsort((-region, -iou, spot))
    free = np.ones(regions, np.bool_)
    for at, wanted in zip(spot[order].tolist(), region[order].tolist(), strict=True):
        if free[wanted] and matched[at] < 0:
            matched[at] = wanted
            free[wanted] = shared[wanted]
    return matched


def _best_of_each(spot: Ints, region: Ints, iou: Floats, spots: int) -> Ints:
    """The place of the pair with each spot's highest IoU, with the later region of equal ones."""
    highest = np.zeros(spots)
    np.maximum.at(highest, spot, iou)
    best = np.flatnonzero(iou == highest[spot])
    latest = np.zeros(spots, np.int64)
    np.maximum.at(latest, spot[best], region[best])
    asked: Ints = best[region[best] == latest[spot[best]]]
    return asked


def average_precision_at_iou(
    tally: Tally, threshold: float = 0.5, interpolation: Interpolation = "coco"
) -> Floats:
    """Average precision of every query at an IoU threshold.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    threshold : float
        IoU in (0, 1] from which a spot is right.
    interpolation : {"coco", "exact"}
        "coco" averages the non-increasing precision over 101 recalls; "exact" takes the area
        under it.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN for a query without truth, 0 for a query with truth and no spots.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.

    Examples
    --------
    The second of two spots has an IoU of .67 with the only region:

    >>> class Example:
    ...     area, region_area = np.array([100.0, 100.0]), np.array([100.0])
    ...     pair_spot, pair_region = np.array([1]), np.array([0])
    ...     pair_shared, own = np.array([80.0]), np.array([True])
    ...     starts, symbols, ignored = np.array([0, 2]), np.array([[1]]), None
    ...     def __len__(self): return 2
    >>> average_precision_at_iou(Example(), 0.5).round(9).tolist()
    [0.5]
    >>> average_precision_at_iou(Example(), 0.75).tolist()
    [0.0]
    """
    matched = match_spots(tally, threshold)
    counted = np.where(ignored_spots(tally, threshold, matched), 0.0, 1.0)
    symbols = tally.symbols.sum(axis=1)
    return average_precision_of(matched >= 0, counted, tally.starts, symbols, interpolation)


def average_precision_of(
    right: np.ndarray[tuple[int], np.dtype[np.bool_]],
    weight: Floats,
    starts: Ints,
    symbols: Floats | Ints,
    interpolation: Interpolation = "coco",
) -> Floats:
    """Average precision of ranked lists of right and wrong spots.

    Parameters
    ----------
    right : (N,) bool
        Whether each spot is right; the spots of one query stand together, in rank order.
    weight : (N,) float
        How often each spot counts; 1 for once, 0 for a spot that is left out.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    symbols : (Q,) float
        How many regions there are to be found.
    interpolation : {"coco", "exact"}
        See `average_precision_at_iou`.

    Returns
    -------
    (Q,) float
        Shares in [0, 1]; NaN where there is nothing to be found.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools.

    Examples
    --------
    >>> average_precision_of(np.array([True, False, True]), np.ones(3), np.array([0, 3]),
    ...                      np.array([2]), "exact").round(3).tolist()
    [0.833]
    """
    precisions = np.full(len(starts) - 1, np.nan)
    for query, (start, stop) in enumerate(pairwise(starts.tolist())):
        if symbols[query] <= 0:
            continue
        of_spot = weight[start:stop]
        places = np.flatnonzero(right[start:stop])  # precision falls, and recall stays, elsewhere
        hits = np.cumsum(of_spot[places])
        precision = np.nan_to_num(ratio(hits, np.cumsum(of_spot)[places]))
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        recall = hits / symbols[query]
        if interpolation == "exact":
            precisions[query] = float(np.diff(recall, prepend=0.0) @ envelope)
        else:
            place = np.searchsorted(recall, RECALLS, side="left")
            precisions[query] = np.append(envelope, 0.0)[place].mean()
    return precisions


def drawn_average_precision(weight: Floats, ranks: Floats, symbols: Floats) -> Floats:
    """Average precision of one list of n spots on D draws of pages, over 101 recalls.

    Parameters
    ----------
    weight : (D, h) float
        How often the page of each of the h right spots was drawn.
    ranks : (D, h) float
        Number of drawn spots, right or wrong, up to and including each right one.
    symbols : (D,) float
        How many regions there are to be found on the drawn pages.

    Returns
    -------
    (D,) float
        Shares in [0, 1]; NaN where there is nothing to be found.

    Notes
    -----
    Lin et al. (2014), as computed by pycocotools. Precision is highest at right spots, so only
    these are computed; each counts for the recalls that it is the first to reach.

    Examples
    --------
    >>> drawn_average_precision(np.array([[1.0], [2.0]]), np.array([[2.0], [4.0]]),
    ...                         np.array([1.0, 0.0])).tolist()
    [0.5, nan]
    """
    hits = np.cumsum(weight, axis=1)
    precision = np.nan_to_num(ratio(hits, ranks))
    envelope = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    reached = np.searchsorted(RECALLS, ratio(hits, symbols[:, None]), side="right")
    values = (np.diff(reached, axis=1, prepend=0) * envelope).sum(axis=1) / len(RECALLS)
    return np.where(symbols > 0, values, np.nan)


BACKGROUND = 0.1  # IoU below which a spot is not about a region at all


class ErrorKind(StrEnum):
    """The kind of a spot, or of a missed region."""

    CORRECT = "correct"
    MISSED = "missed"
    FALSE = "false"
    BADLY_PLACED = "badly_placed"
    DUPLICATE = "duplicate"
    WRONG_LABEL = "wrong_label"
    IGNORED = "ignored"

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> ErrorKind.BADLY_PLACED.words
        'badly placed'
        """
        return self.value.replace("_", " ")


ERROR_KINDS = tuple(ErrorKind)
_NUMBER = {kind: number for number, kind in enumerate(ERROR_KINDS)}


@dataclass(frozen=True)
class ErrorPlace:
    """One error.

    Attributes
    ----------
    kind : ErrorKind
        What is wrong.
    spot, region : int or None
        The place in the tally of the spot, or of the missed region; the other one is None.
    """

    kind: ErrorKind
    spot: int | None = None
    region: int | None = None


@dataclass(frozen=True, eq=False)
class Errors:
    """The kinds of all spots of a run, and the regions that it missed.

    Attributes
    ----------
    tally : Tally
        Of N spots and T regions.
    kind : (N,) int
        Place in `ERROR_KINDS`.
    region : (N,) int
        The region that a spot is matched with, or that its error refers to; -1 for none.
    iou : (N,) float
        Intersection over union with that region, in [0, 1]; 0 for none.
    missed : (T,) bool
        Labelled regions that no spot is matched with or badly placed on.
    kept : (N,) bool
        Spots that are considered.
    whole : Errors or None
        The same of whole lists, whose columns these share, where lists end earlier.
    """

    tally: Tally
    kind: NDArray[np.int8]
    region: Ints
    iou: Floats
    missed: NDArray[np.bool_]
    kept: NDArray[np.bool_]
    whole: Errors | None = None

    __repr__ = short_repr

    def at(self, counts: Ints) -> Errors:
        """The errors where only the first spots of each query are kept.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        Errors
            Kinds are those of whole lists: earlier spots choose their region first. A region that
            only later spots find is missed.

        Examples
        --------
        >>> from spotlab.measures.tally import Tally
        >>> from spotlab.model.run import Run
        >>> from spotlab.geometry.polygon import Outlines
        >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
        >>> classify_errors(nothing).at(np.zeros(0, int)).worst
        []
        """
        tally = self.tally
        kept = tally.rank <= np.asarray(counts)[tally.query]
        missed = _missed(tally, self.kind, self.region, kept)
        return Errors(
            tally, self.kind, self.region, self.iou, missed, kept, whole=self.whole or self
        )

    def count(self, kind: ErrorKind) -> Ints:
        """Count the spots, or missed regions, of a kind for every query.

        Parameters
        ----------
        kind : ErrorKind
            What to count.

        Returns
        -------
        (Q,) int
            0 for a query that has none.
        """
        queries = len(self.tally.queries)
        if kind is ErrorKind.MISSED:
            return np.bincount(self.tally.region_query[self.missed], minlength=queries)
        chosen = self.kept & (self.kind == _NUMBER[kind])
        return np.bincount(self.tally.query[chosen], minlength=queries)

    def is_missed(self, region: int, counts: Ints) -> bool:
        """Say whether a region is missed where only the first spots of each query are kept.

        Parameters
        ----------
        region : int
            Its place in the tally.
        counts : (Q,) int
            How many spots each query keeps.

        Returns
        -------
        bool
            Always False for an ignored region.

        Examples
        --------
        The only region is found by the spot at rank 2, so it is missed by a list that ends before:

        >>> from types import SimpleNamespace
        >>> tally = SimpleNamespace(
        ...     rank=np.array([1, 2]), query=np.array([0, 0]), region_query=np.array([0]))
        >>> kinds = [ERROR_KINDS.index(kind) for kind in (ErrorKind.FALSE, ErrorKind.CORRECT)]
        >>> errors = Errors(tally, np.array(kinds), np.array([-1, 0]), np.array([0.0, 0.9]),
        ...                 np.array([False]), np.array([True, True]))
        >>> errors.is_missed(0, np.array([1])), errors.is_missed(0, np.array([2]))
        (True, False)
        """
        tally, finds = self.tally, (ErrorKind.CORRECT, ErrorKind.BADLY_PLACED)
        spots = np.flatnonzero(self.region == region)
        found = np.isin(self.kind[spots], [_NUMBER[kind] for kind in finds])
        kept = tally.rank[spots] <= np.asarray(counts)[tally.query[spots]]
        return bool(tally.region_query[region] >= 0 and not (found & kept).any())

    @cached_property
    def wrong_area(self) -> Floats:
        """(N,) the area in px² that is wrong in each spot; see `worst`."""
        if self.whole is not None:
            return self.whole.wrong_area
        tally = self.tally
        counted = tally.counted_area
        outside = counted - np.minimum(tally.shared_relevant, counted)
        placed, twice = self._of(ErrorKind.BADLY_PLACED), self._of(ErrorKind.DUPLICATE)
        shared = self.iou / (1 + self.iou)
        region_area = np.append(tally.region_area, 0.0)[self.region]  # -1 takes the 0
        both = tally.area + region_area
        return np.where(twice, tally.area, np.where(placed, both * (1 - 2 * shared), outside))

    @cached_property
    def is_error(self) -> NDArray[np.bool_]:
        """(N,) the kept spots that are neither correct nor ignored."""
        return self.kept & ~(self._of(ErrorKind.CORRECT) | self._of(ErrorKind.IGNORED))

    @cached_property
    def worst(self) -> Sequence[ErrorPlace]:
        """All errors, the worst first; equal ones in the order of the tally.

        Errors are ordered by the area in px² that is wrong. For a false spot or one of the wrong
        label it is the area outside the truth of its query, for a duplicate its whole area, for a
        badly placed spot the area that it and its region do not share, and for a missed region its
        area.
        """
        spots, regions = np.flatnonzero(self.is_error), np.flatnonzero(self.missed)
        areas = np.concatenate([self.wrong_area[spots], self.tally.region_area[regions]])
        order = np.argsort(-areas, kind="stable").tolist()
        kinds = self.kind[spots].tolist()
        places = [
            *(
                ErrorPlace(ERROR_KINDS[kind], spot=spot)
                for kind, spot in zip(kinds, spots.tolist(), strict=True)
            ),
            *(ErrorPlace(ErrorKind.MISSED, region=region) for region in regions.tolist()),
        ]
        return [places[at] for at in order]

    @property
    def judged(self) -> NDArray[np.bool_]:
        """(N,) spots that were considered and are not ignored: right or some error."""
        return self.kept & ~self._of(ErrorKind.IGNORED)

    def _of(self, kind: ErrorKind) -> NDArray[np.bool_]:
        return np.asarray(self.kind == _NUMBER[kind])


def classify_errors(tally: Tally, iou: float = 0.5) -> Errors:
    """Sort all spots and regions into kinds of errors.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    iou : float
        Intersection over union, a ratio in (0, 1], from which a spot is right.

    Returns
    -------
    Errors
        Of whole lists; `Errors.at` has those of lists that end earlier. Without spots every
        labelled region is missed.

    Notes
    -----
    The kinds of Bolya et al. (2020), see the module.

    Examples
    --------
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> nothing = Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, [])
    >>> classify_errors(nothing).worst
    []
    """
    of_pair = iou_pairs(tally)
    own_best, own_region = best_region(tally, of_pair, tally.own)
    other_best, other_region = best_region(tally, of_pair, of_other_labels(tally))
    matched = match_spots(tally, iou)
    threshold = min(iou, 1 - 1e-10)
    choices = [
        (matched >= 0, ErrorKind.CORRECT, matched),
        (ignored_spots(tally, iou, matched), ErrorKind.IGNORED, np.full(len(tally), -1)),
        (own_best >= threshold, ErrorKind.DUPLICATE, own_region),
        (own_best >= BACKGROUND, ErrorKind.BADLY_PLACED, own_region),
        (other_best >= threshold, ErrorKind.WRONG_LABEL, other_region),
    ]
    conditions = [condition for condition, _, _ in choices]
    kind = np.select(
        conditions, [_NUMBER[error_kind] for _, error_kind, _ in choices], _NUMBER[ErrorKind.FALSE]
    ).astype(np.int8)
    region = np.select(conditions, [regions for _, _, regions in choices], -1)
    kept = np.ones(len(tally), np.bool_)
    missed = _missed(tally, kind, region, kept)
    return Errors(tally, kind, region, iou_with(tally, region), missed, kept)


def best_region(tally: Tally, iou: Floats, chosen: NDArray[np.bool_]) -> tuple[Floats, Ints]:
    """Find the region with which each spot has the highest IoU.

    Parameters
    ----------
    tally : Tally
        Of N spots and K overlapping pairs.
    iou : (K,) float
        Intersection over union of each pair, in [0, 1].
    chosen : (K,) bool
        Pairs to look at.

    Returns
    -------
    iou : (N,) float
        The highest; 0 for a spot without such a pair.
    region : (N,) int
        Place in the tally; -1 for none. The later one of equal regions.

    Notes
    -----
    As the matching of Lin et al. (2014) decides between equal regions.

    Examples
    --------
    >>> class Example:
    ...     pair_spot, pair_region = np.array([0, 0]), np.array([3, 5])
    ...     def __len__(self): return 2
    >>> best, region = best_region(Example(), np.array([0.2, 0.6]), np.array([True, True]))
    >>> best.tolist(), region.tolist()
    ([0.6, 0.0], [5, -1])
    """
    pairs = np.flatnonzero(chosen)
    pairs = pairs[np.argsort(iou[pairs], kind="stable")]  # the highest is written last
    best, region = np.zeros(len(tally)), np.full(len(tally), -1, np.int64)
    best[tally.pair_spot[pairs]] = iou[pairs]
    region[tally.pair_spot[pairs]] = tally.pair_region[pairs]
    return best, region


def of_other_labels(tally: Tally) -> NDArray[np.bool_]:
    """Find the pairs with a region that is not of the spot's query, nor ignored for it.

    Parameters
    ----------
    tally : Tally
        Of K overlapping pairs.

    Returns
    -------
    (K,) bool
        All but the own ones where no region is ignored.
    """
    if tally.ignored is None:
        return ~tally.own
    return np.asarray(~tally.own & (tally.ignored.kind == 0)[tally.pair_region])


def _missed(
    tally: Tally, kind: NDArray[np.int8], region: Ints, kept: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(T,) labelled regions that no kept spot is matched with or badly placed on."""
    finds = kept & np.isin(kind, [_NUMBER[ErrorKind.CORRECT], _NUMBER[ErrorKind.BADLY_PLACED]])
    is_found = np.isin(np.arange(len(tally.region_area)), region[finds])
    return np.asarray(~is_found & (tally.region_query >= 0))  # an ignored region has no query


def iou_with(tally: Tally, region: Ints) -> Floats:
    """Measure how well each spot fits a region.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    region : (N,) int
        A region for each spot, by its place in the tally; -1 for none.

    Returns
    -------
    (N,) float
        Intersection over union in [0, 1]; 0 where they do not overlap, and without a region.

    Examples
    --------
    Two spots of 100 px²; the first shares 80 px² with a region of 100 px²:

    >>> class Example:
    ...     area, region_area = np.array([100.0, 100.0]), np.array([100.0])
    ...     pair_spot, pair_region, pair_shared = np.array([0]), np.array([0]), np.array([80.0])
    ...     def __len__(self): return 2
    >>> iou_with(Example(), np.array([0, -1])).round(2).tolist()
    [0.67, 0.0]
    """
    iou = np.zeros(len(tally))
    on = tally.pair_region == region[tally.pair_spot]
    iou[tally.pair_spot[on]] = iou_pairs(tally)[on]
    return iou


@dataclass(frozen=True, eq=False)
class ErrorList:
    """The errors of a run, one entry each; make it with `list_errors`.

    Attributes
    ----------
    errors : Errors
        The kinds of all spots, and the missed regions.
    kind : (n,) int
        Place in `ERROR_KINDS`.
    spot, region : (n,) int
        Place in the tally. ``spot`` is -1 for a missed region, ``region`` is -1 for a spot.
    query : (n,) int
        Place in the tally's queries.
    """

    errors: Errors
    kind: NDArray[np.int8]
    spot: Ints
    region: Ints
    query: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.kind)

    def within(self, counts: Ints, query: int | None = None) -> Ints:
        """The entries that remain when every query keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.
        query : int, optional
            Keep only the entries of this query, by its place in the tally's queries.

        Returns
        -------
        (m,) int
            Entries in their order; missed regions always remain.

        Examples
        --------
        A false spot at rank 3 and a missed region:

        >>> from types import SimpleNamespace
        >>> errors = SimpleNamespace(tally=SimpleNamespace(rank=np.array([1, 2, 3])))
        >>> false, missed = map(ERROR_KINDS.index, (ErrorKind.FALSE, ErrorKind.MISSED))
        >>> kinds = np.array([false, missed])
        >>> spots, regions = np.array([2, -1]), np.array([-1, 0])
        >>> entries = ErrorList(errors, kinds, spots, regions, np.zeros(2, int))
        >>> entries.within(np.array([3])).tolist(), entries.within(np.array([2])).tolist()
        ([0, 1], [1])
        """
        kept = np.ones(len(self), np.bool_)
        spots = self.spot >= 0
        place = self.spot[spots]
        kept[spots] = self.errors.tally.rank[place] <= counts[self.query[spots]]
        if query is not None:
            kept &= self.query == query
        return np.flatnonzero(kept)

    def of_kinds(self, entries: Ints, kinds: Iterable[ErrorKind]) -> Ints:
        """Those of the given entries that are of the given kinds.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.
        kinds : iterable of ErrorKind
            Kinds to keep.

        Returns
        -------
        (k,) int
            Entries in their order; empty if none is of these kinds.

        Examples
        --------
        >>> false, missed = map(ERROR_KINDS.index, (ErrorKind.FALSE, ErrorKind.MISSED))
        >>> kinds = np.array([false, missed])
        >>> none = np.full(2, -1)
        >>> ErrorList(None, kinds, none, none, none).of_kinds(np.arange(2), [ErrorKind.MISSED])
        array([1])
        """
        wanted = [ERROR_KINDS.index(kind) for kind in kinds]
        return entries[np.isin(self.kind[entries], wanted)]

    def count(self, entries: Ints) -> dict[ErrorKind, int]:
        """Count the given entries by kind.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.

        Returns
        -------
        dict of ErrorKind to int
            All kinds; 0 for a kind that no entry has.
        """
        counts = np.bincount(self.kind[entries], minlength=len(ERROR_KINDS)).tolist()
        return dict(zip(ERROR_KINDS, counts, strict=True))


def list_errors(errors: Errors) -> ErrorList:
    """Put all errors in columns, in the order of `Errors.worst`.

    Parameters
    ----------
    errors : Errors
        The kinds of all spots, and the missed regions.

    Returns
    -------
    ErrorList
        Empty if there are no errors.
    """
    tally = errors.tally
    spots, regions = np.flatnonzero(errors.is_error), np.flatnonzero(errors.missed)
    wrong = np.concatenate([errors.wrong_area[spots], tally.region_area[regions]])
    missed = np.full(len(regions), ERROR_KINDS.index(ErrorKind.MISSED), np.int8)
    none_for_spots, none_for_regions = np.full(len(spots), -1), np.full(len(regions), -1)
    order = np.argsort(-wrong, kind="stable")
    return ErrorList(
        errors,
        np.concatenate([errors.kind[spots], missed])[order],
        np.concatenate([spots, none_for_regions])[order],
        np.concatenate([none_for_spots, regions])[order],
        np.concatenate([tally.query[spots], tally.region_query[regions]])[order],
    )
