"""The scores of words with each other, in the order in which a matrix of them is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.item_scores import column_means


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of k items with each other, by falling mean.

    Attributes
    ----------
    items : (k,) int
        The item of each row and column.
    scores : (k, k) float
        NaN on the diagonal: that an item is like itself says nothing.
    means : (k,) float
        Of each column, without the diagonal; NaN for an only item.
    representative, difficult : (at most 3,) int
        Columns of highest mean, the highest first, and of lowest mean, the lowest first (Hast
        2020, section 4); fewer where there are so few words that one would be both.
    """

    items: Ints
    scores: Floats
    means: Floats
    representative: Ints
    difficult: Ints

    def __len__(self) -> int:
        return len(self.items)

    @classmethod
    def of(cls, items: Ints, scores: Floats) -> ScoreMatrix:
        """Put items with these scores into order; items of the same mean stay as they are.

        Parameters
        ----------
        items : (k,) int
        scores : (k, k) float

        Examples
        --------
        >>> scores = np.array([[1, 0.2, 0.4], [0.2, 1, 0.9], [0.4, 0.9, 1]])
        >>> matrix = ScoreMatrix.of(np.array([7, 8, 9]), scores)
        >>> matrix.items.tolist(), matrix.means.round(2).tolist()
        ([9, 8, 7], [0.65, 0.55, 0.3])
        >>> matrix.representative.tolist(), matrix.difficult.tolist()
        ([0], [2])
        """
        order = np.argsort(-column_means(scores), kind="stable")  # NaN goes last
        ordered = np.array(scores[np.ix_(order, order)], np.float64)
        means = column_means(ordered)
        known = int(np.count_nonzero(~np.isnan(means)))
        best = np.arange(min(3, known // 2))  # no word is both
        worst = known - 1 - best
        np.fill_diagonal(ordered, np.nan)
        return cls(items[order], ordered, means, best, worst)

    def place_of(self, item: int | None) -> int | None:
        """Its row and column; None where it is not shown."""
        if item is None:
            return None
        found = np.flatnonzero(self.items == item)
        return int(found[0]) if len(found) else None


def instances(relevance: NDArray[np.int8], lists: Sequence[RankedList]) -> Ints:
    """The items that are known to be relevant, those that some list ranks best first.

    Examples
    --------
    >>> ranked = RankedList("WS", np.array([2, 0]), np.array([0.9, 0.5]))
    >>> instances(np.array([1, 1, 1, 0], np.int8), [ranked]).tolist()
    [2, 0, 1]
    """
    items = np.flatnonzero(relevance == 1)
    return items[np.argsort(_best_rank(len(relevance), lists)[items], kind="stable")]


def listed(count: int, lists: Sequence[RankedList]) -> Ints:
    """The items that are in some list, those that some list ranks best first.

    Parameters
    ----------
    count : int
        How many items there are.
    lists : sequence of RankedList

    Examples
    --------
    >>> ranked = RankedList("WS", np.array([2, 0]), np.array([0.9, 0.5]))
    >>> listed(4, [ranked]).tolist()
    [2, 0]
    """
    best = _best_rank(count, lists)
    items = np.flatnonzero(best < count)
    return items[np.argsort(best[items], kind="stable")]


def _best_rank(count: int, lists: Sequence[RankedList]) -> Ints:
    """(N,) counted from 0; N for an item that is in no list."""
    best = np.full(count, count)
    for each in lists:
        best[each.item] = np.minimum(best[each.item], np.arange(len(each)))
    return best
