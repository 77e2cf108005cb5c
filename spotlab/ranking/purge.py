"""Scores on a common scale, and the purge of lists at a threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.displacement import average_precision
from spotlab.ranking.fusion import Choices, Evidence, Fusion, ItemScores
from spotlab.ranking.fusions.query_expansion import cr as consensus
from spotlab.ranking.list_scale import ListScale, by_rank, rising_steps
from spotlab.representation import short_repr, short_threshold

RELEVANT, IRRELEVANT = 1, 0
NO_SEARCH = "no search made the list"
BELOW = 0.5  # of how far the best score is above τ: the drop is searched as far below τ


@dataclass(frozen=True)
class PurgePoint:
    """Figures of the part of a list that remains after a cut.

    Attributes
    ----------
    kept, true, false, unknown : int
        Number of items that remain; how many of them are relevant, not relevant, and not judged.
    precision : float or None
        Share of relevant items among the judged ones that remain; None if there are none.
    recall : float or None
        Share of all relevant items that remain; None if nothing is relevant, or their number is not
        known.
    f : float or None
        Harmonic mean of both, 0 if both are 0; None if one of them is None.
    lost : int
        Number of relevant items of the list that do not remain.
    lost_share : float or None
        Their share of the relevant items of the list; None if it has none.
    removed : float or None
        Share of the false items of the list that do not remain; None if it has none.
    tied : int
        Number of items with the score at the cut, on both sides of it: any of them might have
        remained. Always 0 for a cut at a score.
    """

    kept: int
    true: int
    false: int
    unknown: int
    precision: float | None
    recall: float | None
    f: float | None
    lost: int
    lost_share: float | None
    removed: float | None
    tied: int


@dataclass(frozen=True)
class Suggestion:
    """A score to cut at.

    Attributes
    ----------
    name : {"tau", "best_f", "largest_drop"}
        Which rule suggests it.
    title : str
        The rule's name for people.
    threshold : float or None
        Items with this score or more remain; None if the rule suggests no score.
    reason : str
        Why this score, or why none.
    """

    name: str
    title: str
    threshold: float | None
    reason: str


@dataclass(frozen=True, eq=False)
class Purge:
    """A ranked list of K items, prepared so that any cut is known at once.

    Attributes
    ----------
    score : (K,) float
        Decreasing.
    true, false : (K + 1,) int
        Number of relevant and of irrelevant items among the first 0 to K.
    relevant_total : int or None
        Number of relevant items, in the list or not; None if it is not known.
    aside : int
        Number of items of the list that are not to be judged: 1 if it has the query itself.
    """

    score: NDArray[np.float64]
    true: NDArray[np.int64]
    false: NDArray[np.int64]
    relevant_total: int | None
    aside: int = 0

    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        ranked: RankedList,
        relevance: NDArray[np.int8],
        relevant_total: int | None,
        aside: int = 0,
    ) -> Purge:
        """Count the relevant and irrelevant items of a list.

        Parameters
        ----------
        ranked : RankedList
            The list, of K of the N items.
        relevance : (N,) int
            1 for a relevant item, 0 for an irrelevant one, anything else if it is not known.
        relevant_total : int or None
            Number of relevant items, in the list or not; None if it is not known.
        aside : int
            Number of items of the list that are not to be judged.

        Returns
        -------
        Purge
            Empty for an empty list.

        Raises
        ------
        ValueError
            The list has more than ``relevant_total`` relevant items.

        Examples
        --------
        >>> ranked = RankedList.ordered("CR", np.array([0.9, 0.5, 0.8, 0.6]))
        >>> purge = Purge.of(ranked, np.array([1, 0, 1, -1]), 4)
        >>> purge.at(0.6).kept, purge.at(0.6).precision, purge.at(0.6).recall
        (3, 1.0, 0.5)
        """
        listed = np.asarray(relevance)[ranked.item]
        true, false = (
            np.concatenate([[0], np.cumsum(listed == kind)]) for kind in (RELEVANT, IRRELEVANT)
        )
        if relevant_total is not None and true[-1] > relevant_total:
            raise ValueError(
                f"{true[-1]} relevant items in the list, but only {relevant_total} in all"
            )
        return cls(ranked.score, true, false, relevant_total, aside)

    def __len__(self) -> int:
        return len(self.score)

    @property
    def judged(self) -> int:
        """Tell how many items of the list are known to be relevant or not."""
        return int(self.true[-1] + self.false[-1])

    @property
    def judgeable(self) -> int:
        """Tell how many items of the list may be judged: all but the query itself."""
        return len(self) - self.aside

    @property
    def one_sided(self) -> bool:
        """Tell whether relevant items are judged alone, and others not yet: precision is 1
        anywhere.
        """
        return bool(self.true[-1] and not self.false[-1] and self.judged < self.judgeable)

    def at(self, threshold: float) -> PurgePoint:
        """Return what remains if the list is cut at a score, in O(log K).

        Parameters
        ----------
        threshold : float
            Items with this score or more remain.

        Returns
        -------
        PurgePoint
            Of an empty list nothing remains.

        Raises
        ------
        ValueError
            The threshold is NaN.
        """
        if np.isnan(threshold):
            raise ValueError("a threshold that is not a number")
        return self._cut(self._above(threshold))

    def at_rank(self, rank: int) -> PurgePoint:
        """Return what remains if the list is cut after a rank.

        Parameters
        ----------
        rank : int
            Number of first items that remain; limited to 0 … K.

        Returns
        -------
        PurgePoint
            ``tied`` counts the items with the score at the cut, if it separates equal scores.
        """
        return self._cut(min(max(rank, 0), len(self)))

    def threshold_after(self, rank: int) -> float | None:
        """The score to cut at so that the first items remain, about halfway to the next item's.

        Parameters
        ----------
        rank : int
            Number of first items that shall remain.

        Returns
        -------
        float or None
            Of few decimals, see `short_threshold`. None for an empty list, or if the items on both
            sides have the same score.

        Examples
        --------
        >>> ranked = RankedList.ordered("NN", np.array([0.75, 0.25]))
        >>> Purge.of(ranked, np.zeros(2), 0).threshold_after(1)
        0.5
        """
        if not 0 < rank < len(self):
            return None if not len(self) else self._beside(rank)
        above, below = float(self.score[rank - 1]), float(self.score[rank])
        if above == below:
            return None
        half = below + (above - below) / 2
        return short_threshold(half if below < half <= above else above, below)

    def suggestions(self, tau: float | None) -> tuple[Suggestion, ...]:
        """Tell where the list may be cut: at τ, where F is best, and at the largest drop below τ.

        Parameters
        ----------
        tau : float or None
            The score from which on an item counts as found in a search; None where no search made
            the list.

        Returns
        -------
        tuple of Suggestion
            Always three; their threshold is None if there is nothing to suggest.

        Notes
        -----
        Hast (2020), §6, sees the curve of scores drop where the true items end, advises against
        looking for that drop, and recommends a cut at τ "or a bit below".

        So the *largest drop* is searched only a bit below τ: it is the widest fall between two
        successive scores of which the lower one is below τ, and the upper one no farther below it
        than half as far as the best score is above it. Its cut never loses more than the one at τ.

        Without that limit the drop lay above τ in most lists of a search: on words of George
        Washington it lost a quarter of the true items where τ loses a twentieth.
        """
        reason = "the score from which on a search takes a word"
        at_tau = Suggestion("tau", "τ", tau, NO_SEARCH if tau is None else reason)
        return at_tau, self._best_f(), self._largest_drop(tau)

    def _above(self, threshold: float) -> int:
        return int(np.searchsorted(self._rising, -threshold, side="right"))

    @cached_property
    def _rising(self) -> NDArray[np.float64]:
        return -self.score

    def _beside(self, rank: int) -> float:
        """A score that keeps all items, or none."""
        if rank > 0:
            return short_threshold(float(self.score[-1]))
        return float(np.nextafter(self.score[0], np.inf))

    def _cut(self, kept: int) -> PurgePoint:
        true, false = int(self.true[kept]), int(self.false[kept])
        judged = true + false
        precision = true / judged if judged else None
        recall = true / self.relevant_total if self.relevant_total else None
        f = None
        if precision is not None and recall is not None:
            f = 2 * precision * recall / (precision + recall) if true else 0.0
        every_true, every_false = int(self.true[-1]), int(self.false[-1])
        lost = every_true - true
        return PurgePoint(
            kept, true, false, kept - judged, precision, recall, f, lost,
            lost / every_true if every_true else None,
            1 - false / every_false if every_false else None,
            self._tied(kept),
        )  # fmt: skip

    def _tied(self, kept: int) -> int:
        if not 0 < kept < len(self) or self.score[kept - 1] != self.score[kept]:
            return 0
        first = np.searchsorted(self._rising, -self.score[kept], side="left")
        return self._above(float(self.score[kept])) - int(first)

    def _best_f(self) -> Suggestion:
        def suggestion(threshold: float | None, reason: str) -> Suggestion:
            return Suggestion("best_f", "best F", threshold, reason)

        if self.relevant_total is None:
            return suggestion(None, "it is not known how many items are relevant")
        if not self.true[-1]:
            judged = bool(self.false[-1])
            kind = "is relevant" if judged else "has been judged"
            return suggestion(None, f"no item of the list {kind}")
        # a cut at a score lies only between different scores; F = 2 TP / (judged + relevant)
        ends = np.append(np.flatnonzero(self.score[1:] != self.score[:-1]) + 1, len(self))
        true = self.true[ends]
        f = 2 * true / (true + self.false[ends] + self.relevant_total)
        best = int(np.argmax(f))
        count = int(ends[best])
        return suggestion(
            self.threshold_after(count), f"F is {f[best]:.3f} with {count} items kept"
        )

    def _largest_drop(self, tau: float | None) -> Suggestion:
        def suggestion(threshold: float | None, reason: str) -> Suggestion:
            return Suggestion("largest_drop", "largest drop below τ", threshold, reason)

        if tau is None:
            return suggestion(None, NO_SEARCH)
        known = np.flatnonzero(np.isfinite(self.score))
        score = self.score[known]
        if not len(score) or score[0] < tau:
            return suggestion(None, "no score reaches τ")
        lowest = tau - BELOW * (float(score[0]) - tau)
        fall = np.where((score[1:] < tau) & (score[:-1] >= lowest), score[:-1] - score[1:], 0.0)
        if not fall.any():
            return suggestion(None, "no score is below τ")
        best = int(np.argmax(fall))
        kept = int(known[best]) + 1
        after = self.threshold_after(kept)
        assert after is not None  # scores differ there
        reason = f"the score falls by {fall[best]:.3f} after rank {kept}"
        return suggestion(min(after, tau), reason)


@dataclass(frozen=True, eq=False)
class ItemTruth:
    """Relevance of N items to a query.

    Attributes
    ----------
    relevance : (N,) int8
        1 relevant, 0 not, -1 unknown.
    relevant : int or None
        Number of relevant items in the collection, found or not; None if it is not known.
    own : int or None
        The item that is the query itself; None if it is none of them, or that is not known.
    more : tuple of int
        Further items that are the query, where it has several examples.
    """

    relevance: NDArray[np.int8]
    relevant: int | None
    own: int | None = None
    more: tuple[int, ...] = ()

    __repr__ = short_repr

    def without_own(self) -> ItemTruth:
        """The same, where the query itself is neither right nor wrong, and is not to be found.

        Returns
        -------
        ItemTruth
            ``own`` stays, so that lists can be judged without it.

        Examples
        --------
        >>> truth = ItemTruth(np.array([1, 0, 1], np.int8), 4, own=0).without_own()
        >>> truth.relevance.tolist(), truth.relevant
        ([-1, 0, 1], 3)
        """
        own = self._own
        if not own:
            return self
        counted = int(np.count_nonzero(self.relevance[own] == 1))
        relevance = self.relevance.copy()
        relevance[own] = -1
        relevant = None if self.relevant is None else self.relevant - counted
        return ItemTruth(relevance, relevant, self.own, self.more)

    @property
    def _own(self) -> list[int]:
        """All items that are the query, each once."""
        return list(dict.fromkeys([*(() if self.own is None else (self.own,)), *self.more]))

    def average_precision(self, ranked: RankedList) -> float | None:
        """Average precision of a list; the query itself takes no rank and is not counted.

        Parameters
        ----------
        ranked : RankedList
            Of these N items.

        Returns
        -------
        float or None
            The mean, over all relevant items, of the precision at their ranks; those outside the
            list count as 0. In [0, 1]; None if nothing is relevant or that is not known.

        Raises
        ------
        ValueError
            The list has more than ``relevant`` relevant items.

        Notes
        -----
        Hast (2020), eq. 3.

        Examples
        --------
        >>> ranked = RankedList.ordered("WS", np.array([1.0, 0.9, 0.8]))
        >>> ItemTruth(np.array([1, 0, 1], np.int8), 2, own=0).average_precision(ranked)
        0.5
        >>> ItemTruth(np.array([1, 0, 1], np.int8), 2).average_precision(ranked)
        0.8333333333333333
        """
        truth = self.without_own()
        if truth.relevant is None:
            return None
        others = ranked
        for item in self._own:
            others = without_item(others, item)
        return average_precision(truth.relevance[others.item] == 1, truth.relevant)

    def purge(self, ranked: RankedList) -> Purge:
        """Prepare a list to be cut; the query itself is kept, but counts neither true nor false.

        Parameters
        ----------
        ranked : RankedList
            Of these N items.

        Raises
        ------
        ValueError
            The list has more than ``relevant`` relevant items.

        Examples
        --------
        >>> ranked = RankedList.ordered("WS", np.array([1.0, 0.9, 0.8]))
        >>> point = ItemTruth(np.array([1, 0, 1], np.int8), 2, own=0).purge(ranked).at(0.5)
        >>> point.kept, point.true, point.false, point.recall
        (3, 1, 1, 1.0)
        """
        truth = self.without_own()
        aside = int(np.isin(ranked.item, self._own).sum())
        return Purge.of(ranked, truth.relevance, truth.relevant, aside)


def without_item(ranked: RankedList, item: int | None) -> RankedList:
    """A list without one of its items; the list itself if it does not have it.

    Parameters
    ----------
    ranked : RankedList
        A list.
    item : int or None
        An item, or none.

    Examples
    --------
    >>> without_item(RankedList("WS", [2, 0], [0.9, 0.5]), 2).item
    array([0])
    """
    if item is None:
        return ranked
    others = ranked.item != item
    if others.all():
        return ranked
    return RankedList(ranked.name, ranked.item[others], ranked.score[others])


ORDER = 1e-9  # of the scale: keeps scores apart that the regression makes equal


def common_scores(
    fusion: Fusion,
    evidence: Evidence,
    choices: Choices,
    own: NDArray[np.float64] | None = None,
    scale: ListScale = ListScale.SCORE,
) -> NDArray[np.float64]:
    """The scores of a fusion on the scale of the query's scores.

    Parameters
    ----------
    fusion : Fusion
    evidence : Evidence
        Of N items.
    choices : Choices
    own : (N,) float, optional
        The fusion's own scores, where they are known already.
    scale : ListScale
        Of the lists in ``evidence``.

    Returns
    -------
    (N,) float
        The fusion's own scores where they are on that scale; else `to_common_scale` of them, by the
        scores of consensus ranking, or of the query where the scores between items are not known;
        on the scale of probabilities by the largest that a list gives an item. On the scale of
        ranks 1 / rank. NaN for items that are not in its list.

    Examples
    --------
    >>> from spotlab.ranking.fusion import fusions
    >>> query = np.array([0.9, 0.8, 0.4])
    >>> lists = np.array([[0.9, 0.8, 0.4], [5.0, 7.0, np.nan]])
    >>> votes = Evidence(query, None, lists, query > 0.5)
    >>> fusions()["borda"].fuse(votes, Choices())
    array([5., 5., 2.])
    >>> common_scores(fusions()["borda"], votes, Choices()).round(3)
    array([0.85, 0.85, 0.4 ])
    """
    own = fusion.fuse(evidence, choices) if own is None else own
    if scale is ListScale.RANK:
        ranked, ranks = by_rank(RankedList.ordered(fusion.name, own)), np.full(len(own), np.nan)
        ranks[ranked.item] = ranked.score
        return ranks
    if scale is ListScale.PROBABILITY:
        return to_common_scale(own, np.fmax.reduce(evidence.lists, axis=0, initial=-np.inf))
    return own if fusion.comparable else to_common_scale(own, consensus(evidence, choices))


def to_common_scale(
    scores: NDArray[np.float64], reference: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Map scores to those that a reference gives on average to items of the same rank.

    Parameters
    ----------
    scores : (N,) float
        On any scale; NaN for an item that is not in the list.
    reference : (N,) float
        Scores of the same items on the wanted scale; NaN or infinite where unknown.

    Returns
    -------
    (N,) float
        In the same order as ``scores``, with the same ties, and within the range of the reference.
        The scores themselves where no item of the list has a reference.

    Notes
    -----
    Isotonic regression of the reference on the rank: the rising steps of least squares (Barlow et
    al. 1972). Only ranks count, so that a power or a logarithm of the scores gives the same. So
    that a threshold can cut within a step, a step rises through its mean from its lowest to its
    highest reference, but not beyond halfway to the step before or after it. A sharp fall of the
    reference stays sharp.

    Examples
    --------
    >>> to_common_scale(np.array([8.0, 1e-3, 1e-6]), np.array([0.9, 0.7, 0.3])).round(3)
    array([0.9, 0.7, 0.3])
    >>> to_common_scale(np.array([8.0, 1e-3, np.nan]), np.array([0.5, 0.7, 0.3])).round(3)
    array([0.7, 0.5, nan])
    """
    listed = ~np.isnan(scores)
    known = np.isfinite(reference[listed])
    if not known.any():
        return np.array(scores, dtype=np.float64)
    _, level, count = np.unique(scores[listed], return_inverse=True, return_counts=True)
    rank = np.cumsum(count) - (count + 1) / 2  # the middle of those that are tied, from 0
    places, values = _knots(level[known], rank, reference[listed][known])
    height = np.interp(rank, places, values) + ORDER * (rank / len(level) - 1)
    mapped = np.full(len(scores), np.nan)
    mapped[listed] = height[level]
    return mapped


def _knots(
    level: NDArray[np.intp], rank: NDArray[np.float64], reference: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tell where the map bends: the beginning, the middle and the end of each step."""
    weight = np.bincount(level, minlength=len(rank)).astype(np.float64)
    used = np.flatnonzero(weight)
    mean = np.bincount(level, reference, len(rank))[used] / weight[used]
    height, bounds = rising_steps(mean, weight[used])
    starts, ends = bounds[:-1], bounds[1:] - 1
    between = (height[1:] + height[:-1]) / 2
    low, high = np.minimum.reduceat(mean, starts), np.maximum.reduceat(mean, starts)
    low[1:], high[:-1] = np.maximum(low[1:], between), np.minimum(high[:-1], between)
    share = np.add.reduceat(weight[used], starts)
    middle = np.add.reduceat(weight[used] * rank[used], starts) / share
    places = np.stack([rank[used[starts]], middle, rank[used[ends]]], axis=1)
    return places.ravel(), np.stack([low, height, high], axis=1).ravel()


RANDOM, HIT, TIGHT, IDENTICAL = 0.4, 0.7, 0.8, 1.0
SCALE = (RANDOM, HIT, TIGHT, IDENTICAL)

# Shares of random pairs, and of items by their nearest neighbour, that reach a hit and a tight one;
# chosen on pages of George Washington, where then about a half and a sixth of the items are false
BACKGROUND_SHARES = (0.005, 0.0013)
NEIGHBOUR_SHARES = (0.9, 0.5)
FEWEST = 10


@dataclass(frozen=True, eq=False)
class ScoreCalibration:
    """An increasing, piecewise linear map from raw scores to the common scale.

    Attributes
    ----------
    raw, score : (k,) float
        The knots of the map, k ≥ 2, both increasing. Beyond its ends the map continues with the
        slope of its first or last part, so that different scores stay different.
    source : str
        What it was fitted to: "none", "background" or "neighbours".

    Raises
    ------
    ValueError
        The map does not increase, or has fewer than two knots.
    """

    raw: NDArray[np.float64]
    score: NDArray[np.float64]
    source: str = "none"

    def __post_init__(self) -> None:
        for name in ("raw", "score"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        if self.raw.ndim != 1 or self.raw.shape != self.score.shape or len(self.raw) < 2:
            raise ValueError("a calibration needs two points or more, with a raw score and a score")
        if not all((np.diff(side) > 0).all() for side in (self.raw, self.score)):
            raise ValueError(f"a calibration has to rise, unlike {self.raw.tolist()}")

    @classmethod
    def none(cls) -> ScoreCalibration:
        """The calibration that leaves scores unchanged."""
        return cls(np.array([0.0, 1.0]), np.array([0.0, 1.0]))

    @classmethod
    def fit_background(
        cls, background: ArrayLike, neighbours: ArrayLike | None = None, identical: float = 1.0
    ) -> ScoreCalibration:
        """Fit without truth.

        Parameters
        ----------
        background : (M,) float
            Raw scores between random items of the collection; see `sample_scores`.
        neighbours : (L,) float, optional
            Raw scores of random items with their nearest other item.
        identical : float
            The raw score of an item with itself.

        Returns
        -------
        ScoreCalibration
            Through (median of the background, `RANDOM`), (hit, `HIT`), (tight, `TIGHT`) and
            (``identical``, `IDENTICAL`). One in 200 random pairs is a hit, and one in 770 is tight.
            With ``neighbours`` each knot is halfway between that score and the one that 9 in 10
            items (for a hit) or half of them (for a tight one) reach with their nearest neighbour.

        Raises
        ------
        ValueError
            There are fewer than 10 scores, or they do not tell items apart, as when most items have
            an identical one.

        Notes
        -----
        The share of random pairs alone makes lists too short if much is relevant to each query;
        neighbours alone come closer and closer as a collection grows.

        Examples
        --------
        >>> pairs, nearest = np.linspace(0, 0.6, 1001), np.linspace(0.5, 0.9, 101)
        >>> ScoreCalibration.fit_background(pairs, nearest).raw.round(3)
        array([0.3  , 0.568, 0.65 , 1.   ])
        """
        pairs = _finite(background)
        if len(pairs) < FEWEST:
            raise ValueError(f"{len(pairs)} pairs of items are too few to calibrate scores")
        bends = np.quantile(pairs, [1 - share for share in BACKGROUND_SHARES])
        source = "background"
        if neighbours is not None:
            nearest = _finite(neighbours)
            if len(nearest) < FEWEST:
                raise ValueError(f"{len(nearest)} items are too few to calibrate scores")
            reached = np.quantile(nearest, [1 - share for share in NEIGHBOUR_SHARES])
            bends, source = (bends + reached) / 2, "neighbours"
        return cls(np.array([np.median(pairs), *bends, identical]), np.array(SCALE), source)

    def apply(self, raw: ArrayLike) -> NDArray[np.float64]:
        """Map raw scores to the common scale.

        Parameters
        ----------
        raw : array_like of float
            Raw scores.

        Returns
        -------
        ndarray of float
            Of the shape of ``raw``; NaN stays NaN.

        Examples
        --------
        >>> ScoreCalibration([0.2, 0.6], [0.4, 0.8]).apply([0.0, 0.5, 1.0]).round(9)
        array([0.2, 0.7, 1.2])
        """
        return _along(self.raw, self.score, raw)

    def invert(self, score: ArrayLike) -> NDArray[np.float64]:
        """Map scores of the common scale back to raw scores.

        Parameters
        ----------
        score : array_like of float
            Scores on the common scale.

        Returns
        -------
        ndarray of float
            Of the shape of ``score``; NaN stays NaN.
        """
        return _along(self.score, self.raw, score)

    def as_dict(self) -> dict[str, Any]:
        """The calibration as values for JSON, with the keys "source", "raw" and "score"."""
        return {"source": self.source, "raw": self.raw.tolist(), "score": self.score.tolist()}


def sample_scores(
    between: ItemScores,
    *,
    count: int = 500,
    pairs: int = 400,
    elsewhere: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None = None,
    seed: int = 0,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw the scores of random items of a collection, to calibrate by.

    Parameters
    ----------
    between : ItemScores
        Scores of N items with each other.
    count : int
        Number of items to draw, without repetition; all if there are no more.
    pairs : int
        Number of random other items with which each is compared for the background.
    elsewhere : callable, optional
        For K items, a (K, N) bool array: which items are at another place and may be neighbours.
        Candidates that overlap have to be left out, or each would be the other's neighbour. The
        item itself is always left out.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    background : (M,) float
        Raw scores between random items; undefined ones are left out.
    neighbours : (L,) float
        Raw scores with the nearest other item, of the items that have one.

    Examples
    --------
    >>> from spotlab.ranking.fusion import FeatureScores
    >>> background, neighbours = sample_scores(FeatureScores(np.eye(30)))
    >>> len(neighbours), float(background.max())
    (30, 0.0)
    """
    random = np.random.default_rng(seed)
    drawn = random.permutation(len(between))[:count]
    background, neighbours = [np.zeros(0)], [np.zeros(0)]
    for part in np.array_split(drawn, max(1, len(drawn) // 50)):
        scores = np.array(between.rows(part), dtype=np.float64)
        if elsewhere is not None:
            scores[~elsewhere(part)] = np.nan
        scores[np.arange(len(part)), part] = np.nan
        others = (
            random.integers(0, len(between), (len(part), pairs)) if len(part) else part[:, None]
        )
        background.append(np.take_along_axis(scores, others, axis=1).ravel())
        neighbours.append(np.where(np.isnan(scores), -np.inf, scores).max(axis=1, initial=-np.inf))
    return _finite(np.concatenate(background)), _finite(np.concatenate(neighbours))


def _finite(values: ArrayLike) -> NDArray[np.float64]:
    flat = np.asarray(values, dtype=np.float64).reshape(-1)
    return flat[np.isfinite(flat)]


def _along(
    start: NDArray[np.float64], end: NDArray[np.float64], values: ArrayLike
) -> NDArray[np.float64]:
    given = np.asarray(values, dtype=np.float64)
    slope = (end[1] - end[0]) / (start[1] - start[0]), (end[-1] - end[-2]) / (start[-1] - start[-2])
    reach = 8 * (start[-1] - start[0])
    # numpy goes from point to point in one pass, but not beyond: so there are points far outside
    low, high = start[0] - reach, start[-1] + reach
    points = [low, *start, high], [end[0] - reach * slope[0], *end, end[-1] + reach * slope[1]]
    along: NDArray[np.float64] = np.asarray(np.interp(given, *points))
    for beyond, knot, place, rise in (
        (given < low, start[0], end[0], slope[0]),
        (given > high, start[-1], end[-1], slope[1]),
    ):
        if beyond.any():
            along[beyond] = place + (given[beyond] - knot) * rise
    return along
