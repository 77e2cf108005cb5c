"""The error types of TIDE, and what average precision would gain if one of them were mended.

What average precision would gain if one kind of error were mended: TIDE.

The kinds, their order and what mending means follow Bolya et al. (2020) and their package tidecv
1.0.1, figure for figure. They differ from those of `spotlab.measures.matching`: here badly placed
is tested before wrong label and duplicate, and a spot that overlaps a region of another label too
little is *both*. Regions without a label take no part.

On each page spots choose regions of their query by falling score. A spot without one is

1. *badly placed* if its highest IoU with a region of its query is in [.1, t];
2. of the *wrong label* if its IoU with a region of another label reaches t;
3. a *duplicate* if its IoU with a region of its query that an earlier spot has taken reaches t;
4. *background* if its IoU with every region is at most .1;
5. else *both*, of the wrong label and badly placed.

Spots on ignored regions (`ignored_spots`) take no part, as in tidecv. A region is *missed* if
no spot has taken it, and no spot of kinds 1 and 2 is about it. Mending kinds 1 and 2 makes the
first spot about a free region right, under that region's label, and drops the others; mending kinds
3 to 5 drops the spot; a missed region is no longer to be found. ΔAP is the mean AP afterwards less
the one before, never below 0. AP is the mean over 101 recalls. Labels with neither spots nor
regions take no part in the mean; a label without regions has AP 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.matching import ignored_spots, iou_pairs, match_pairs, match_spots
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr


class TideKind(StrEnum):
    """A kind of error of TIDE, or one of its two special ones."""

    WRONG_LABEL = "wrong_label"
    BADLY_PLACED = "badly_placed"
    BOTH = "both"
    DUPLICATE = "duplicate"
    BACKGROUND = "background"
    MISSED = "missed"
    FALSE_POSITIVE = "false_positive"
    FALSE_NEGATIVE = "false_negative"

    @property
    def words(self) -> str:
        """The kind in words.

        Examples
        --------
        >>> TideKind.FALSE_POSITIVE.words
        'false positive'
        """
        return self.value.replace("_", " ")

    @property
    def short(self) -> str:
        """The kind as TIDE's own tables name it.

        Examples
        --------
        >>> [kind.short for kind in TideKind]
        ['Cls', 'Loc', 'Both', 'Dupe', 'Bkg', 'Miss', 'FalsePos', 'FalseNeg']
        """
        return _SHORT[TIDE_KINDS.index(self)]

    @property
    def meaning(self) -> str:
        """The kind and its mending, described for a person.

        Examples
        --------
        >>> TideKind.DUPLICATE.meaning
        'A spot on a region that a better spot has taken. Mended: the spot is dropped.'
        """
        return _MEANINGS[TIDE_KINDS.index(self)]


TIDE_KINDS = tuple(TideKind)
MAIN_KINDS = TIDE_KINDS[:6]
_SHORT = ("Cls", "Loc", "Both", "Dupe", "Bkg", "Miss", "FalsePos", "FalseNeg")
_MEANINGS = (
    "A spot that reaches the IoU with a region of another label. Mended: it has that label.",
    "A spot that overlaps a region of its query with too low an IoU. Mended: the IoU is reached.",
    "A spot that overlaps a region of another label with too low an IoU. Mended: it is dropped.",
    "A spot on a region that a better spot has taken. Mended: the spot is dropped.",
    "A spot on no region, with an IoU of .1 at most. Mended: the spot is dropped.",
    "A region that no spot is about. Mended: it is no longer to be found.",
    "All spots that are not right. Mended: they come after all that are right.",
    "All regions that no spot has taken. Mended: they are no longer to be found.",
)
NUMBERS = {kind: number for number, kind in enumerate(TIDE_KINDS)}


@dataclass(frozen=True, eq=False)
class TidePairs:
    """Overlapping pairs with a label, later regions first, so that the earliest of equals wins.

    Attributes
    ----------
    spot, region : (K,) int
        Places in the tally.
    iou : (K,) float
        Intersection over union of each pair.
    own : (K,) bool
        Whether the region is of the spot's query.
    place : (N,) int
        Of each spot in the order of pages and scores; -1 for one that takes no part.
    spots, regions : int
        Their numbers.
    """

    spot: Ints
    region: Ints
    iou: Floats
    own: NDArray[np.bool_]
    place: Ints
    spots: int
    regions: int

    @classmethod
    def of(cls, tally: Tally, place: Ints) -> TidePairs:
        """The pairs of a tally.

        Parameters
        ----------
        tally : Tally
        place : (N,) int
            See the attribute.

        Examples
        --------
        A spot of 100 px² that shares 80 px² with a region of 100 px²:

        >>> class Example:
        ...     area, region_area = np.array([100.0]), np.array([100.0])
        ...     pair_spot, pair_region, pair_shared = np.array([0]), np.array([0]), np.array([80.0])
        ...     own, region_query = np.array([True]), np.array([0])
        ...     def __len__(self): return 1
        >>> TidePairs.of(Example(), np.array([0])).iou.round(2).tolist()
        [0.67]
        >>> len(TidePairs.of(Example(), np.array([-1])).iou)  # the spot takes no part
        0
        """
        used = (place[tally.pair_spot] >= 0) & (tally.region_query[tally.pair_region] >= 0)
        at = np.flatnonzero(used)
        at = at[np.argsort(-tally.pair_region[at], kind="stable")]
        return cls(
            tally.pair_spot[at], tally.pair_region[at], iou_pairs(tally)[at], tally.own[at], place,
            len(tally), len(tally.region_area),
        )  # fmt: skip

    def match(self, threshold: float, ordered: int) -> Ints:
        """The region of each spot, by its place in the order.

        Parameters
        ----------
        threshold : float
            Smallest IoU in (0, 1].
        ordered : int
            Number of spots that take part.

        Returns
        -------
        (ordered,) int
            -1 for none.

        Notes
        -----
        As tidecv 1.0.1 matches (Bolya et al., 2020).

        Examples
        --------
        Two spots on one region: the first in the order takes it, though the second fits better.

        >>> pairs = TidePairs(np.array([0, 1]), np.array([0, 0]), np.array([0.6, 0.9]),
        ...                   np.array([True, True]), np.array([0, 1]), spots=2, regions=1)
        >>> pairs.match(0.5, 2).tolist(), pairs.match(0.75, 2).tolist()
        ([0, -1], [-1, 0])
        """
        able = np.flatnonzero(self.own & (self.iou >= threshold))
        backwards = self.regions - 1 - self.region[able]  # matching prefers the later of equals
        asked = match_pairs(
            self.place[self.spot[able]], backwards, self.iou[able], ordered, self.regions
        )
        return np.where(asked >= 0, self.regions - 1 - asked, -1)

    def best(self, chosen: NDArray[np.bool_]) -> tuple[Floats, Ints]:
        """Each spot's highest IoU among some pairs, and the region.

        Parameters
        ----------
        chosen : (K,) bool
            The pairs.

        Returns
        -------
        (N,) float, (N,) int
            0 and -1 for none.
        """
        pairs = np.flatnonzero(chosen)
        pairs = pairs[np.argsort(self.iou[pairs], kind="stable")]  # the highest is written last
        best, region = np.zeros(self.spots), np.full(self.spots, -1, np.int64)
        best[self.spot[pairs]] = self.iou[pairs]
        region[self.spot[pairs]] = self.region[pairs]
        return best, region


BACKGROUND = 0.1  # IoU up to which a spot is about no region
RECALLS = np.arange(101) / 100  # as tidecv has them; ten differ from numpy's linspace by rounding


@dataclass(frozen=True, eq=False)
class TideErrors:
    """TIDE's errors of a run of N spots, T regions and Q queries; `tide_errors` makes it.

    Attributes
    ----------
    tally : Tally
        What was classified.
    iou : float
        Intersection over union from which a spot is right.
    kind : (N,) int
        Place in `TIDE_KINDS`; -1 for a spot that is right or takes no part.
    region : (N,) int
        The region that a spot has taken or is about; -1 for none.
    missed, unmatched : (T,) bool
        Regions that no spot is about, and that no spot has taken.
    average_precision : (Q,) float
        Of each query, in [0, 1]; NaN for one with neither spots nor regions.
    mended : mapping of TideKind to (Q,) float
        The same after mending each kind.
    """

    tally: Tally
    iou: float
    kind: NDArray[np.int8]
    region: Ints
    missed: NDArray[np.bool_]
    unmatched: NDArray[np.bool_]
    average_precision: Floats
    mended: Mapping[TideKind, Floats]

    __repr__ = short_repr

    def count(self, kind: TideKind) -> Ints:
        """Count the errors of a kind for every query.

        Parameters
        ----------
        kind : TideKind
            What to count.

        Returns
        -------
        (Q,) int
            0 for a query that has none.
        """
        tally, queries = self.tally, len(self.tally.queries)
        regions = {TideKind.MISSED: self.missed, TideKind.FALSE_NEGATIVE: self.unmatched}
        if kind in regions:
            return np.bincount(tally.region_query[regions[kind]], minlength=queries)
        if kind is TideKind.FALSE_POSITIVE:
            return np.bincount(tally.query[self.kind >= 0], minlength=queries)
        return np.bincount(tally.query[self.kind == NUMBERS[kind]], minlength=queries)

    def mean(self, query: int | None = None) -> float | None:
        """Average precision of a query, or the mean over all that have spots or regions.

        Parameters
        ----------
        query : int, optional
            Place in the tally's queries.

        Returns
        -------
        float or None
            In [0, 1]; None where undefined.
        """
        return _mean(self.average_precision, query)

    def gain(self, kind: TideKind, query: int | None = None) -> float | None:
        """ΔAP: what average precision gains if this kind is mended.

        Parameters
        ----------
        kind : TideKind
            What is mended, in the spots of all queries.
        query : int, optional
            Place in the tally's queries; by default the mean over queries.

        Returns
        -------
        float or None
            In [0, 1]; None where average precision is undefined before or afterwards.

        Notes
        -----
        Bolya et al. (2020), §2.3. As in tidecv the six main kinds gain no less than 0. Queries
        with neither spots nor regions, also when all of them were mended away, take no part in the
        mean.

        Examples
        --------
        Two queries, of which one has duplicates:

        >>> nothing = np.zeros(0, np.int64)
        >>> mended = {TideKind.DUPLICATE: np.array([0.75, 1.0])}
        >>> errors = TideErrors(
        ...     None, 0.5, nothing, nothing, nothing, nothing, np.array([0.5, 1.0]), mended)
        >>> errors.gain(TideKind.DUPLICATE), errors.gain(TideKind.DUPLICATE, query=0)
        (0.125, 0.25)
        """
        before, after = self.mean(query), _mean(self.mended[kind], query)
        if before is None or after is None:
            return None
        return max(after - before, 0.0) if kind in MAIN_KINDS else after - before


def tide_errors(
    tally: Tally, iou: float = 0.5, counts: Ints | None = None, most: int | None = None
) -> TideErrors:
    """Classify the spots of a run as TIDE does, and compute ΔAP for each kind.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    iou : float
        Intersection over union in (0, 1] from which a spot is right.
    counts : (Q,) int, optional
        Consider only the first spots of each query; by default all.
    most : int, optional
        Consider only so many spots of each page, those with the highest scores. tidecv takes 100;
        by default all take part.

    Returns
    -------
    TideErrors
        Average precision is NaN for a query with neither spots nor regions.

    Notes
    -----
    Bolya et al. (2020), "TIDE: A General Toolbox for Identifying Object Detection Errors", ECCV,
    §2. Scores of different queries are compared where spots get another label. A run without
    scores, or one whose ranks contradict them, is ordered by rank instead.

    Examples
    --------
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> from spotlab.geometry.polygon import Outlines
    >>> tide = tide_errors(Tally.of(Run.ordered("none", [], [], Outlines.of([])), {}, []))
    >>> print(tide.mean())
    None
    """
    order, score = _page_order(tally, iou, counts, most)
    place = np.full(len(tally), -1, np.int64)
    place[order] = np.arange(len(order))
    pairs = TidePairs.of(tally, place)
    matched = pairs.match(iou, len(order))[place] if len(order) else place
    matched = np.where(place >= 0, matched, -1)
    kind, region = _classify(tally, pairs, matched, iou)
    kind[place < 0] = -1
    labelled = tally.region_query >= 0
    taken = np.zeros(len(tally.region_area), np.bool_)
    taken[matched[matched >= 0]] = True
    mends = _mending_spots(kind, region, taken, order)
    about = np.zeros_like(taken)
    about[region[mends]] = True
    unmatched = labelled & ~taken
    missed = unmatched & ~about
    mender = _Mender(tally, order, score, kind, matched, region, mends)
    return TideErrors(
        tally, iou, kind, np.where(kind >= 0, region, matched), missed, unmatched,
        mender.average_precision(None, unmatched, missed),
        {each: mender.average_precision(each, unmatched, missed) for each in TIDE_KINDS},
    )  # fmt: skip


def _page_order(
    tally: Tally, iou: float, counts: Ints | None, most: int | None
) -> tuple[Ints, Floats]:
    """The spots that take part, page by page, best first; and (N,) what orders them."""
    kept = ~ignored_spots(tally, iou, match_spots(tally, iou))
    if counts is not None:
        kept = tally.rank <= np.asarray(counts)[tally.query]
    score = tally.score
    same = tally.query[1:] == tally.query[:-1]
    if np.isnan(score).any() or (np.diff(score)[same] > 0).any():
        score = -tally.rank.astype(np.float64)
    order = np.lexsort((np.arange(len(tally)), -score, tally.page))
    order = order[kept[order]]
    if most is not None:
        first = np.searchsorted(tally.page[order], tally.page[order])
        order = order[np.arange(len(order)) - first < most]
    return order, score


def _classify(
    tally: Tally, pairs: TidePairs, matched: Ints, iou: float
) -> tuple[NDArray[np.int8], Ints]:
    """(N,) the kind of each spot and the region that it is about."""
    taken = np.zeros(len(tally.region_area), np.bool_)
    taken[matched[matched >= 0]] = True
    own, own_region = pairs.best(pairs.own)
    other, other_region = pairs.best(~pairs.own)
    used, used_region = pairs.best(pairs.own & taken[pairs.region])
    choices = [
        (matched >= 0, -1, matched),
        ((own >= BACKGROUND) & (own <= iou), NUMBERS[TideKind.BADLY_PLACED], own_region),
        (other >= iou, NUMBERS[TideKind.WRONG_LABEL], other_region),
        (used >= iou, NUMBERS[TideKind.DUPLICATE], used_region),
        (np.maximum(own, other) <= BACKGROUND, NUMBERS[TideKind.BACKGROUND], matched),
    ]
    conditions = [condition for condition, _, _ in choices]
    kind = np.select(conditions, [kind for _, kind, _ in choices], NUMBERS[TideKind.BOTH])
    region = np.select(conditions, [region for _, _, region in choices], other_region)
    return kind.astype(np.int8), region


def _mending_spots(
    kind: NDArray[np.int8], region: Ints, taken: NDArray[np.bool_], order: Ints
) -> Ints:
    """Of the spots about each free region, badly placed or of the wrong label, the best one."""
    mendable = (NUMBERS[TideKind.BADLY_PLACED], NUMBERS[TideKind.WRONG_LABEL])
    able = order[np.isin(kind[order], mendable)]
    able = able[~taken[region[able]]]
    _, first = np.unique(region[able], return_index=True)
    return able[np.sort(first)]


class _Mender:
    """Average precision with one kind of error mended.

    As in tidecv, spots of equal scores keep their order of pages, errors before what is right.
    """

    def __init__(
        self,
        tally: Tally,
        order: Ints,
        score: Floats,
        kind: NDArray[np.int8],
        matched: Ints,
        region: Ints,
        mends: Ints,
    ) -> None:
        self._tally = tally
        self._order = order
        self._score = score[order]
        self._kind = kind[order]
        self._right = matched[order] >= 0
        self._mends = np.isin(order, mends)
        self._label = np.append(tally.region_query, -1)[region[order]]  # -1 takes the last

    def average_precision(
        self, mended: TideKind | None, unmatched: NDArray[np.bool_], missed: NDArray[np.bool_]
    ) -> Floats:
        tally = self._tally
        query, right = tally.query[self._order], self._right.copy()
        score, stays = self._score, np.ones(len(right), np.bool_)
        regions = np.bincount(
            tally.region_query[tally.region_query >= 0], minlength=len(tally.queries)
        )
        gone = {TideKind.MISSED: missed, TideKind.FALSE_NEGATIVE: unmatched}.get(mended)  # type: ignore[arg-type]
        if gone is not None:
            regions = regions - np.bincount(tally.region_query[gone], minlength=len(regions))
        elif mended is TideKind.FALSE_POSITIVE:
            score = right.astype(np.float64)
        elif mended is not None:
            own = self._kind == NUMBERS[mended]
            turned = own & self._mends
            stays = ~own | turned
            right |= turned
            query = np.where(turned, self._label, query)
        late = self._right if mended is not None else np.zeros(len(right), np.bool_)
        order = np.lexsort((np.arange(len(right)), late, -score, query))
        order = order[stays[order]]
        return _average_precisions(query[order], right[order], regions)


def _average_precisions(query: Ints, right: NDArray[np.bool_], regions: Ints) -> Floats:
    """(Q,) average precision of lists that stand one after the other."""
    found = np.full(len(regions), np.nan)
    starts = np.searchsorted(query, np.arange(len(regions) + 1))
    for number, (start, stop) in enumerate(pairwise(starts.tolist())):
        if regions[number] == 0:
            found[number] = np.nan if start == stop else 0.0
            continue
        hits = np.cumsum(right[start:stop])
        precision = hits / np.arange(1, stop - start + 1)
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        at = np.searchsorted(hits / regions[number], RECALLS, side="left")
        found[number] = np.append(envelope, 0.0)[at].mean()
    return found


def _mean(values: Floats, query: int | None) -> float | None:
    chosen = values if query is None else values[query : query + 1]
    known = chosen[~np.isnan(chosen)]
    return float(known.mean()) if len(known) else None
