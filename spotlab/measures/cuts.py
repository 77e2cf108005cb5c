"""Cuts of a run's lists: precision, recall and F at every rank and score, and what is found there.

Precision, recall and F at every place where a run's lists can be cut: each rank, each score.

A run is used with one threshold for all queries. Its operating points are the figures at each such
threshold, as means over queries or of all queries' areas together. The best threshold and those of
a given recall or precision are looked up in them; nothing is intersected again.

What one spot adds, and how much of one truth region is covered, read off the tally.

`Tally` explains the areas; precision and recall are those of Rusiñol & Lladós (2009), eq. 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures import area
from spotlab.measures.figures import ListFigures, RunFigures, page_sums
from spotlab.measures.matching import NEVER, iou_pairs, match_spots
from spotlab.measures.measure import Sums
from spotlab.measures.tally import Tally
from spotlab.representation import short_repr, short_threshold

By = Literal["rank", "score"]
ROUNDING = 1e-9  # by which a sum over queries may be short
AT_ONCE = 32_768  # spots


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """The figures at K thresholds, from the one that keeps nothing to the one that keeps all.

    Attributes
    ----------
    by : {"rank", "score"}
        What is cut by. A list that is cut at a rank keeps its first spots; one that is cut at a
        score keeps those before the first whose score is below it. Spots without a score do not
        end a list.
    value : (K,) float
        The thresholds: ranks from 0 on, or falling scores, the first of them above all. Empty for
        scores if no spot has one.
    precision, recall, f : (K,) float
        Shares in [0, 1] for unions; NaN where undefined.
    """

    by: By
    value: Floats
    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr

    def threshold(self, place: int) -> float:
        """The threshold at a place, of as few decimals as possible; see `short_threshold`.

        Parameters
        ----------
        place : int
            Place among the K thresholds.

        Returns
        -------
        float
            A rank or a score, as ``by`` says.

        Examples
        --------
        >>> scores, nothing = np.array([0.641174, 0.58]), np.zeros(2)
        >>> OperatingPoints("score", scores, nothing, nothing, nothing).threshold(0)
        0.6
        """
        value = float(self.value[place])
        if self.by == "rank":
            return value
        return short_threshold(value, *self.value[place + 1 : place + 2].tolist())

    def best_f(self) -> int | None:
        """The threshold with the highest F; of equal ones, the one that keeps fewest spots.

        Returns
        -------
        int or None
            Its place; None where F is nowhere defined.

        Examples
        --------
        >>> points = OperatingPoints("rank", np.arange(4.0), *np.array([
        ...     [np.nan, 1, 1, 0.7], [0, 0.5, 0.9, 0.9], [0, 0.67, 0.95, 0.79]]))
        >>> points.best_f(), points.reaching_recall(0.6), points.holding_precision(0.7)
        (2, 2, 3)
        """
        if not len(self.f) or np.isnan(self.f).all():
            return None
        return int(np.argmax(self.f >= np.nanmax(self.f) - ROUNDING))

    def reaching_recall(self, level: float) -> int | None:
        """The first threshold at which recall is at least this.

        Parameters
        ----------
        level : float
            A recall, as a share.

        Returns
        -------
        int or None
            Its place; None where recall never gets there.
        """
        places = np.flatnonzero(self.recall >= level - ROUNDING)
        return int(places[0]) if len(places) else None

    def holding_precision(self, level: float) -> int | None:
        """The last threshold at which precision is at least this: the one of highest recall.

        Parameters
        ----------
        level : float
            A precision, as a share.

        Returns
        -------
        int or None
            Its place; None where precision never is that high.
        """
        places = np.flatnonzero(self.precision >= level - ROUNDING)
        return int(places[-1]) if len(places) else None


def operating_points(
    figures: ListFigures, by: By = "rank", query: str | None = None, *, pooled: bool = False
) -> OperatingPoints:
    """Precision, recall and F of a run at every rank or every score.

    Parameters
    ----------
    figures : ListFigures
        The run, by area or by numbers.
    by : {"rank", "score"}
        What all lists are cut by.
    query : str, optional
        Only this query; by default all of the truth's.
    pooled : bool
        The figures of all queries' areas together, instead of the means over queries. A query that
        lacks a figure at a threshold is left out of the mean there.

    Returns
    -------
    OperatingPoints
        Computed once for the same figures. All NaN for a query that the run does not know.

    Examples
    --------
    A run without spots has one operating point, at which nothing is kept:

    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> operating_points(figures).value.tolist(), operating_points(figures, "score").value.tolist()
    ([0.0], [])
    """
    known = _KNOWN.setdefault(figures, {})
    key = by, query, pooled
    if key not in known:
        known[key] = _computed(figures, by, query, pooled)
    return known[key]


def prepare_points(figures: ListFigures, earlier: ListFigures | None = None) -> None:
    """Compute now, where nobody waits, the operating points that are likely to be asked for.

    Parameters
    ----------
    figures : RunFigures
    earlier : RunFigures, optional
        Of the same run before something changed: what was asked of them last is computed. By
        default, the means over all queries by rank.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> prepare_points(figures)
    >>> operating_points(figures) is operating_points(figures, "rank")
    True
    """
    asked = list(_KNOWN.get(earlier, {})) if earlier is not None else []
    by, query, pooled = asked[-1] if asked else ("rank", None, False)
    operating_points(figures, by, query, pooled=pooled)


_KNOWN: WeakKeyDictionary[ListFigures, dict[tuple[By, str | None, bool], OperatingPoints]]
_KNOWN = WeakKeyDictionary()


def _computed(figures: ListFigures, by: By, query: str | None, pooled: bool) -> OperatingPoints:
    queries = figures.tally.queries
    chosen = figures.in_truth if query is None else np.array([name == query for name in queries])
    chosen = np.asarray(chosen, np.bool_)
    every = bool(chosen.all())
    spots = slice(None) if every else np.flatnonzero(chosen[figures.tally.query])
    value, place = _ranks(figures, spots) if by == "rank" else _scores(figures, spots)
    if not len(value):
        return OperatingPoints(by, *(np.zeros(0) for _ in range(4)))
    sums = _Sums(figures, spots, place, len(value))
    if pooled:
        whole = float(figures.truth[chosen].sum())
        retrieved, relevant = sums.of(figures.retrieved, figures.relevant)
        precision, recall = area.ratio(relevant, retrieved), area.ratio(relevant, whole)
        f = area.f_score(relevant, retrieved, whole, figures.settings.beta)
        return OperatingPoints(by, value, precision, recall, f)
    has_truth = figures.truth > 0  # an empty list has recall and F 0 then, and no precision
    there = int((has_truth & chosen).sum())
    columns = figures.precision, figures.recall, figures.f
    empty = np.stack([np.zeros_like(has_truth), has_truth, has_truth])
    return OperatingPoints(by, value, *sums.means_of(columns, empty, np.array([0, there, there])))


def _ranks(figures: ListFigures, spots: Ints | slice) -> tuple[Floats, Ints]:
    """All ranks, and the place among them from which each spot is kept."""
    rank = figures.tally.rank[spots]
    return np.arange(int(rank.max(initial=0)) + 1, dtype=np.float64), rank


def _scores(figures: ListFigures, spots: Ints | slice) -> tuple[Floats, Ints]:
    """All scores at which lists end, falling, and the place from which each spot is kept."""
    score = cut_scores(figures.tally)
    falling, place = np.unique(-score[spots], return_inverse=True)
    value = -falling
    if not np.isfinite(value).any():
        return np.zeros(0), place
    if value[0] == np.inf:  # kept whatever the threshold is
        return np.concatenate([[_above(value[1])], value[1:]]), place
    return np.concatenate([[_above(value[0])], value]), place + 1


def cut_scores(tally: Tally) -> Floats:
    """The highest score at which a cut keeps each spot: the lowest in its list up to there.

    Parameters
    ----------
    tally : Tally
        Of N spots.

    Returns
    -------
    (N,) float
        Infinite for spots that no score cuts off, as neither they nor those before them have one.
    """
    score = np.where(np.isnan(tally.score), np.inf, tally.score)
    for start, stop in pairwise(tally.starts.tolist()):
        np.minimum.accumulate(score[start:stop], out=score[start:stop])
    return np.asarray(score)


def _above(score: float) -> float:
    """A little more than the best score: nothing is kept there."""
    return float(score + max(abs(score), 1.0) * 1e-6)


class _Sums:
    """Sums over queries at every threshold, from what each spot adds to its query's figure."""

    def __init__(self, figures: ListFigures, spots: Ints | slice, place: Ints, count: int) -> None:
        self._place, self._count, self._spots = place, count, spots  # of n spots
        tally = figures.tally
        if isinstance(spots, slice):  # all of them
            self._query = np.flatnonzero(np.diff(tally.starts))
            self._first = tally.starts[self._query]
        else:
            query = tally.query[spots]
            self._first = np.flatnonzero(np.diff(query, prepend=-1))
            self._query = query[self._first]

    def of(self, *columns: Floats) -> Floats:
        """(C, K) the sum of the queries' values in each column; that of an empty list is 0."""
        return self._totals(columns, np.zeros((len(columns), len(self._first)), np.bool_))[0]

    def means_of(self, columns: Sequence[Floats], when_empty: Flags, there: Ints) -> Floats:
        """(C, K) the mean of each column over the queries whose value is defined.

        ``when_empty`` (C, Q) says for which it is so when their list is empty: 0, for ``there``
        (C,) of those that are looked at.
        """
        totals, more = self._totals(columns, when_empty[:, self._query])
        return area.ratio(totals, there[:, None] + more)

    def _totals(self, columns: Sequence[Floats], empty: Flags) -> tuple[Floats, Floats]:
        """(C, K) the sum over queries, and how many queries more than at first have something.

        Parts of the spots are looked at one after the other, so that they stay where the processor
        has them at hand.
        """
        shape, length = (len(columns), self._count), len(self._place)
        totals, more = np.zeros(shape), np.zeros(shape)
        last, had = np.zeros((len(columns), 1)), np.zeros((len(columns), 1), np.bool_)
        for begin in range(0, length, AT_ONCE):
            end = min(begin + AT_ONCE, length)
            value = np.stack([column[self._spots][begin:end] for column in columns])
            defined = ~np.isnan(value)
            value = np.where(defined, value, 0.0)
            added = np.diff(value, axis=1, prepend=last)
            changes = np.diff(defined, axis=1, prepend=had)
            lists = slice(*np.searchsorted(self._first, (begin, end)).tolist())
            first = self._first[lists] - begin
            added[:, first], changes[:, first] = (
                value[:, first],
                defined[:, first] != empty[:, lists],
            )
            place = self._place[begin:end]
            for number in range(len(columns)):
                np.add.at(totals[number], place, added[number])
                at = np.flatnonzero(changes[number])
                np.add.at(more[number], place[at], np.where(defined[number, at], 1.0, -1.0))
            last, had = value[:, -1:], defined[:, -1:]
        return np.cumsum(totals, axis=1), np.cumsum(more, axis=1)


@dataclass(frozen=True, eq=False)
class CutRun:
    """A run of which every query keeps only its first spots.

    Its sizes are Q queries, P pages, N spots and T truth regions.

    Attributes
    ----------
    name : str
        What the run is called.
    figures : RunFigures
        The figures of its whole lists.
    counts : (Q,) int
        How many spots each query keeps.
    """

    name: str
    figures: RunFigures
    counts: Ints

    __repr__ = short_repr

    @property
    def tally(self) -> Tally:
        """The run's tally."""
        return self.figures.tally

    @cached_property
    def kept(self) -> Flags:
        """(N,) True for spots that are kept."""
        tally = self.tally
        return np.asarray(tally.rank <= self.counts[tally.query])

    @cached_property
    def cells(self) -> Sums:
        """(Q, P) areas and counts of each query on each page, of what is kept."""
        return page_sums(self.figures, self.counts)

    @cached_property
    def symbols(self) -> SymbolStates:
        """States of the truth regions, by the kept spots."""
        return find_symbols(self)


@dataclass(frozen=True, eq=False)
class SymbolStates:
    """States of T truth regions in a run; make it with `find_symbols`.

    Attributes
    ----------
    covered : (T,) float
        The area of each region in px² that spots of its query cover.
    recognised : (T,) bool
        Whether enough of a region is covered (Rusiñol & Lladós (2009), §4.3).
    matched : (T,) bool
        Whether a spot is matched with a region (Lin et al. 2014).
    spot : (T,) int
        The spot that is matched with a region, else the one of its query that shares most area
        with it, by its place in the tally; -1 where no spot of its query touches it.
    iou : (T,) float
        Intersection over union of this spot and the region, in [0, 1]; 0 where there is none.
    """

    covered: Floats
    recognised: Flags
    matched: Flags
    spot: Ints
    iou: Floats

    __repr__ = short_repr


def find_symbols(run: CutRun) -> SymbolStates:
    """Find out what the kept spots of a run have found of each truth region.

    Parameters
    ----------
    run : CutRun
        The run and its cut.

    Returns
    -------
    SymbolStates
        Of T truth regions. A region without a label belongs to no query, and nothing finds it.

    Notes
    -----
    A cut changes neither at which rank a region is recognised nor what an earlier spot is matched
    with, so nothing is measured again: regions are recognised by Rusiñol & Lladós (2009), §4.3, and
    spots matched as by Lin et al. (2014).

    Examples
    --------
    A run without spots has found nothing of no region:

    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> find_symbols(CutRun("nothing", figures, np.array([0]))).recognised.tolist()
    []
    """
    tally, settings = run.tally, run.figures.settings
    regions = len(tally.region_area)
    own = np.flatnonzero(tally.own & run.kept[tally.pair_spot])
    covered = np.bincount(tally.pair_region[own], tally.pair_gained_area[own], regions)
    rank = run.figures.recognition_rank
    counts = np.append(run.counts, 0)[tally.region_query]  # -1, of no label, takes the 0
    recognised = (rank < NEVER) & (rank <= counts)
    iou_of_pair = iou_pairs(tally)
    matches = match_spots(tally, settings.iou)
    # the pair that is written last stays: that of the largest share, or of the match
    matched_pair = matches[tally.pair_spot[own]] == tally.pair_region[own]
    order = own[np.lexsort((tally.pair_shared[own], matched_pair))]
    spot, iou = np.full(regions, -1, np.int64), np.zeros(regions)
    spot[tally.pair_region[order]] = tally.pair_spot[order]
    iou[tally.pair_region[order]] = iou_of_pair[order]
    matched = np.zeros(regions, np.bool_)
    matched[tally.pair_region[own[matched_pair]]] = True
    return SymbolStates(covered.astype(np.float64), recognised, matched, spot, iou)


@dataclass(frozen=True)
class SpotFacts:
    """Facts about one spot; None is undefined.

    Attributes
    ----------
    rank, count : int
        Its rank in the list of its query, from 1, and the length of that list.
    area, gained_area, gained_true_area : float
        Areas in px²: of the spot, of the part that no earlier spot of the query covers, and of
        what of that part is truth.
    region : int or None
        The region that it is judged by, else the region of its query with which it shares most.
    iou : float or None
        Intersection over union with that region, in [0, 1].
    region_share, spot_share : float or None
        The share of the region that it covers, and the share of the spot inside the region.
    precision, recall : (float or None, float or None)
        Of the query, before and after the spot; shares.
    """

    rank: int
    count: int
    area: float
    gained_area: float
    gained_true_area: float
    region: int | None
    iou: float | None
    region_share: float | None
    spot_share: float | None
    precision: tuple[float | None, float | None]
    recall: tuple[float | None, float | None]

    __repr__ = short_repr


def spot_facts(
    tally: Tally, precision: Floats, recall: Floats, spot: int, region: int = -1
) -> SpotFacts:
    """Collect what is known of a spot.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    precision, recall : (N,) float
        Of the query after each spot, as shares; NaN is undefined. Before the first spot recall is
        0 if there is truth, and precision is undefined.
    spot : int
        Its place in the tally.
    region : int
        The region that it is judged by, by its place in the tally; -1 for none.

    Returns
    -------
    SpotFacts
        What involves a region is None if the spot overlaps none.
    """
    query = int(tally.query[spot])
    first, last = int(tally.starts[query]), int(tally.starts[query + 1])
    after = _defined(precision[spot]), _defined(recall[spot])
    if spot > first:
        before = _defined(precision[spot - 1]), _defined(recall[spot - 1])
    else:
        before = None, None if after[1] is None else 0.0
    area = float(tally.area[spot])
    at = _pair(tally, spot, region)
    if at is None:
        about, iou, region_share, spot_share = (region if region >= 0 else None), None, None, None
    else:
        about, shared = int(tally.pair_region[at]), float(tally.pair_shared[at])
        other = float(tally.region_area[about])
        iou = _ratio(shared, area + other - shared)
        region_share, spot_share = _ratio(shared, other), _ratio(shared, area)
    return SpotFacts(
        spot - first + 1,
        last - first,
        area,
        float(tally.gained_area[spot]),
        float(tally.gained_true_area[spot]),
        about,
        iou,
        region_share,
        spot_share,
        (before[0], after[0]),
        (before[1], after[1]),
    )


def covered_share(tally: Tally, region: int, counts: NDArray[np.int64]) -> float | None:
    """The share of a region that the spots of its query cover together.

    Parameters
    ----------
    tally : Tally
        Of Q queries.
    region : int
        Its place in the tally.
    counts : (Q,) int
        How many spots each query keeps.

    Returns
    -------
    float or None
        In [0, 1]; None if the region has no area.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     rank=np.array([1, 2]), query=np.array([0, 0]), own=np.array([True, True]),
    ...     pair_spot=np.array([0, 1]), pair_region=np.array([0, 0]),
    ...     pair_gained_area=np.array([50.0, 25.0]), region_area=np.array([100.0]))
    >>> covered_share(tally, 0, np.array([1])), covered_share(tally, 0, np.array([2]))
    (0.5, 0.75)
    """
    kept = tally.rank[tally.pair_spot] <= counts[tally.query[tally.pair_spot]]
    here = kept & tally.own & (tally.pair_region == region)
    return _ratio(float(tally.pair_gained_area[here].sum()), float(tally.region_area[region]))


def _pair(tally: Tally, spot: int, region: int) -> int | None:
    """The spot's pair with this region, else with the one of its query that it shares most with."""
    first, last = np.searchsorted(tally.pair_spot, (spot, spot + 1))
    pairs = np.arange(first, last)
    with_it = pairs[tally.pair_region[pairs] == region]
    if len(with_it):
        return int(with_it[0])
    own = pairs[tally.own[pairs]]
    return int(own[np.argmax(tally.pair_shared[own])]) if len(own) and region < 0 else None


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None
