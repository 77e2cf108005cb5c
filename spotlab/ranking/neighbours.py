"""The nearest neighbours of every item: what re-ranking on a graph needs, made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from spotlab.ranking.item_scores import ItemScores

Made = TypeVar("Made")

BLOCK = 128  # rows of scores at a time, so that what is in between stays in the cache
KEPT = 32  # so that graphs of fewer neighbours share one search

_made: WeakKeyDictionary[ItemScores, dict[Hashable, object]] = WeakKeyDictionary()


def remember(between: ItemScores, key: Hashable, make: Callable[[], Made]) -> Made:
    """Make what does not depend on a query once, and keep it as long as the scores are kept."""
    kept = _made.setdefault(between, {})
    if key not in kept:
        kept[key] = make()
    return cast(Made, kept[key])


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The k nearest neighbours of each of N items, never the item itself.

    Attributes
    ----------
    item : (N, k) int
        Best first.
    score : (N, k) float
        −inf where there is no such neighbour, because its score is not known.
    """

    item: NDArray[np.int64]
    score: NDArray[np.float64]

    def first(self, count: int) -> Neighbours:
        """Fewer of them."""
        return Neighbours(self.item[:, :count], self.score[:, :count])

    def with_itself(self, score: float = np.inf) -> Neighbours:
        """(N, k + 1) each item first among its own neighbours."""
        count = len(self.item)
        return Neighbours(
            np.hstack([np.arange(count)[:, None], self.item]),
            np.hstack([np.full((count, 1), score), self.score]),
        )

    def matrix(self, values: NDArray[np.float64]) -> csr_array:
        """(N, N) sparse, the (N, k) values at each item's neighbours; zeros are left out."""
        count, each = self.item.shape
        starts = np.arange(count + 1) * each
        matrix = csr_array(
            (np.where(np.isneginf(self.score), 0.0, values).ravel(), self.item.ravel(), starts),
            shape=(count, count),
        )
        matrix.sort_indices()
        matrix.eliminate_zeros()
        return matrix


def nearest(between: ItemScores, count: int) -> Neighbours:
    """Find each item's nearest neighbours; remembered as long as ``between`` is.

    Parameters
    ----------
    between : ItemScores
    count : int
        k; of N items none has more than N − 1.

    Examples
    --------
    >>> from spotlab.ranking.item_scores import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> nearest(between, 1).item.ravel()
    array([1, 0, 1])
    """
    searched = max(count, KEPT)
    found = remember(between, ("nearest", searched), lambda: _search(between, searched))
    return found.first(count)


def _search(between: ItemScores, count: int) -> Neighbours:
    total = len(between)
    count = min(count, max(total - 1, 0))
    item = np.empty((total, count), dtype=np.int64)
    score = np.empty((total, count))
    for start in range(0, total, BLOCK) if count else ():
        own = np.arange(start, min(start + BLOCK, total))
        rows = np.array(between.rows(own), dtype=np.float64)
        rows[np.isnan(rows)] = -np.inf
        rows[np.arange(len(own)), own] = -np.inf
        best = np.argpartition(rows, total - count, axis=1)[:, total - count :]
        values = np.take_along_axis(rows, best, axis=1)
        order = np.argsort(-values, axis=1, kind="stable")
        item[own] = np.take_along_axis(best, order, axis=1)
        score[own] = np.take_along_axis(values, order, axis=1)
    return Neighbours(item, score)


def pair_scores(
    between: ItemScores, one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(P,) the scores of P pairs of items; where not known −inf, and 1 of an item with itself.

    Rows are computed a block at a time, so that the whole matrix is never held.
    """
    result = np.empty(len(one))
    order = np.argsort(one, kind="stable")
    for start in range(0, len(between), BLOCK):
        stop = min(start + BLOCK, len(between))
        first, last = np.searchsorted(one, [start, stop], sorter=order)
        if first < last:
            here = order[first:last]
            result[here] = between.rows(np.arange(start, stop))[one[here] - start, other[here]]
    return np.where(np.isnan(result), np.where(one == other, 1.0, -np.inf), result)
