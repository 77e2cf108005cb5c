"""Scales of ranked lists: scores of a search, probabilities of being relevant, or ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.fusion import ListRanks
from spotlab.representation import written_threshold

HIT_SCORE, LIKELY, FIRST = 0.7, 0.5, 12
ONE_SCALE = 0.3  # between the usual best scores of lists on one scale, at most
FOLDS = 5  # parts of the queries; those of the other parts calibrate the lists of each
ROUNDED = 1e-6  # by which a score of single precision may exceed 1
ORDER = 1e-9  # of probability, by which equal ones are kept in their order


class ListScale(StrEnum):
    """Scale of a query's lists: what one threshold means for all of them."""

    SCORE = "score"
    """Similarities on the scale of a search; 1 is the same word."""
    PROBABILITY = "probability"
    """Probabilities of being relevant, as judgements of other queries have it."""
    RANK = "rank"
    """1 / rank: nothing is known of the scores."""

    @property
    def usual_cut(self) -> float:
        """The threshold of scores before anybody sets one."""
        cuts = {ListScale.SCORE: HIT_SCORE, ListScale.PROBABILITY: LIKELY}
        return cuts.get(self, cut_after(FIRST))


def cut_after(rank: int) -> float:
    """The threshold on the scale of ranks that keeps so many items.

    Parameters
    ----------
    rank : int

    Examples
    --------
    >>> cut_after(12)
    0.08
    """
    return 1 / (max(rank, 0) + 0.5)


def rank_of_cut(threshold: float) -> int:
    """The last rank that a threshold on the scale of ranks keeps.

    Parameters
    ----------
    threshold : float

    Examples
    --------
    >>> rank_of_cut(cut_after(12)), rank_of_cut(1.0), rank_of_cut(2.0)
    (12, 1, 0)
    """
    return int(1 / threshold + 1e-9) if threshold > 0 else 1 << 31


def written_cut(threshold: float, scale: ListScale) -> str:
    """Write a threshold: a rank as a whole number.

    Parameters
    ----------
    threshold : float
    scale : ListScale

    Examples
    --------
    >>> written_cut(0.7, ListScale.SCORE), written_cut(cut_after(12), ListScale.RANK)
    ('0.7', '12')
    """
    if scale is ListScale.RANK:
        return f"{rank_of_cut(threshold):,}"
    return written_threshold(threshold)


def by_rank(ranked: RankedList) -> RankedList:
    """The list with 1 / rank as its scores; items of equal score share the mean of their ranks.

    Parameters
    ----------
    ranked : RankedList

    Examples
    --------
    >>> by_rank(RankedList("a", [2, 0, 3], [302.0, 44.0, 44.0])).score
    array([1. , 0.4, 0.4])
    """
    return RankedList(ranked.name, ranked.item, 1 / ListRanks.of(ranked).rank)


def share_a_scale(lists: Iterable[Sequence[RankedList]], apart: float = ONE_SCALE) -> bool:
    """Tell whether lists of several systems may have scores on the scale of a search.

    Parameters
    ----------
    lists : iterable of sequence of RankedList
        Those of each system.
    apart : float
        By which usual best scores may differ.

    Returns
    -------
    bool
        Whether the best scores of all lie from 0 to 1, and usually not far from each other.

    Examples
    --------
    >>> mine, other = (RankedList("a", [0, 1], scores) for scores in ([0.9, 0.3], [302.0, 44.0]))
    >>> share_a_scale([[mine], [mine]]), share_a_scale([[mine], [other]])
    (True, False)
    """
    best = [[float(each.score[0]) for each in own if len(each)] for own in lists]
    best = [own for own in best if own]
    if not all(0 < score <= 1 + ROUNDED for own in best for score in own):
        return False
    usual = [median(own) for own in best]
    return not usual or max(usual) - min(usual) <= apart


def rising_steps(values: Floats, weights: Floats) -> tuple[Floats, Ints]:
    """Fit steps that rise to values, by least squares: isotonic regression.

    Parameters
    ----------
    values, weights : (n,) float

    Returns
    -------
    height : (b,) float
        Of each step, rising.
    bounds : (b + 1,) int
        The first value of each step, then n.

    Notes
    -----
    Neighbours in the wrong order are pooled (Barlow et al. 1972).

    Examples
    --------
    >>> height, bounds = rising_steps(np.array([1.0, 3.0, 2.0]), np.ones(3))
    >>> height.tolist(), bounds.tolist()
    ([1.0, 2.5], [0, 1, 3])
    """
    steps: list[tuple[float, float, int]] = []
    for at, (value, weight) in enumerate(zip(values.tolist(), weights.tolist(), strict=True)):
        height, heavy, first = value, weight, at
        while steps and steps[-1][0] >= height:
            before, more, first = steps.pop()
            height = (before * more + height * heavy) / (more + heavy)
            heavy += more
        steps.append((height, heavy, first))
    bounds = [*(first for _, _, first in steps), len(values)]
    return np.array([height for height, _, _ in steps]), np.array(bounds, np.int64)


@dataclass(frozen=True, eq=False)
class RankProbability:
    """The probability that an item of a list is relevant, by its rank.

    Attributes
    ----------
    rank, probability : (K,) float
        Knots; the ranks rise, the probabilities do not.
    """

    rank: NDArray[np.float64]
    probability: NDArray[np.float64]

    @classmethod
    def fit(cls, judged: Sequence[NDArray[np.int8]]) -> RankProbability | None:
        """Fit it to judged lists of other queries.

        Parameters
        ----------
        judged : sequence of (K,) int8
            For the items of each list, best first: 1 relevant, 0 not, -1 not known.

        Returns
        -------
        RankProbability or None
            None where not both relevant and other items are judged.

        Notes
        -----
        Isotonic regression of relevance on the rank (Barlow et al. 1972), and straight lines
        between the middles of its steps.

        Examples
        --------
        >>> RankProbability.fit([np.array([1, 0]), np.array([1, 1])]).probability
        array([1. , 0.5])
        """
        longest = max(map(len, judged), default=0)
        known, right = np.zeros(longest), np.zeros(longest)
        for relevance in judged:
            known[: len(relevance)] += relevance >= 0
            right[: len(relevance)] += relevance == 1
        used = np.flatnonzero(known)
        if not 0 < right.sum() < known.sum():
            return None
        falling, bounds = rising_steps(-right[used] / known[used], known[used])
        starts, ends = bounds[:-1], bounds[1:] - 1
        return cls((used[starts] + used[ends]) / 2 + 1, -falling)

    def of(self, ranked: RankedList) -> RankedList:
        """The list with these probabilities as its scores.

        Parameters
        ----------
        ranked : RankedList

        Returns
        -------
        RankedList
            In the same order, with the same ties.
        """
        rank = ListRanks.of(ranked).rank
        scores = np.interp(rank, self.rank, self.probability) - ORDER * rank
        return RankedList(ranked.name, ranked.item, scores)
