"""The nearest neighbours of every item, computed once, for re-ranking on a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spotlab.libraries import sparse
from spotlab.ranking.item_scores import ItemScores

Made = TypeVar("Made")

BLOCK = 128  # rows of scores at a time, so that what is in between stays in the cache
KEPT = 32  # so that graphs of fewer neighbours share one search

_made: WeakKeyDictionary[ItemScores, dict[Hashable, object]] = WeakKeyDictionary()


def remember(between: ItemScores, key: Hashable, make: Callable[[], Made]) -> Made:
    """Compute what does not depend on a query once, and keep it as long as the scores exist.

    Parameters
    ----------
    between : ItemScores
        The scores that it is computed from.
    key : hashable
        What it is, with all settings that it depends on.
    make : callable
        Computes it.

    Returns
    -------
    object
        What ``make`` returned the first time.

    Examples
    --------
    >>> from spotlab.ranking.item_scores import MatrixScores
    >>> between = MatrixScores(np.eye(2))
    >>> remember(between, "size", lambda: 2), remember(between, "size", lambda: 3)
    (2, 2)
    """
    kept = _made.setdefault(between, {})
    if key not in kept:
        kept[key] = make()
    return cast(Made, kept[key])


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The k nearest neighbours of each of N items, without the item itself.

    Attributes
    ----------
    item : (N, k) int
        Places of the neighbours, best first.
    score : (N, k) float
        Their scores; −inf if there is no such neighbour because its score is unknown.
    """

    item: NDArray[np.int64]
    score: NDArray[np.float64]

    def first(self, count: int) -> Neighbours:
        """Keep the nearest neighbours only.

        Parameters
        ----------
        count : int
            How many, at most.

        Returns
        -------
        Neighbours
            Of shape (N, count), or (N, k) if k is smaller.
        """
        return Neighbours(self.item[:, :count], self.score[:, :count])

    def with_itself(self, score: float = np.inf) -> Neighbours:
        """Put each item first among its own neighbours.

        Parameters
        ----------
        score : float
            The score of an item with itself.

        Returns
        -------
        Neighbours
            Of shape (N, k + 1).
        """
        count = len(self.item)
        return Neighbours(
            np.hstack([np.arange(count)[:, None], self.item]),
            np.hstack([np.full((count, 1), score), self.score]),
        )

    def matrix(self, values: NDArray[np.float64]) -> sparse.csr_array:
        """Put values of the neighbours into a sparse matrix.

        Parameters
        ----------
        values : (N, k) float
            One for each neighbour of each item.

        Returns
        -------
        (N, N) csr_array
            Zeros and values of unknown neighbours are left out.
        """
        count, width = self.item.shape
        starts = np.arange(count + 1) * width
        matrix = sparse.csr_array(
            (np.where(np.isneginf(self.score), 0.0, values).ravel(), self.item.ravel(), starts),
            shape=(count, count),
        )
        matrix.sort_indices()
        matrix.eliminate_zeros()
        return matrix


def find_neighbours(between: ItemScores, count: int) -> Neighbours:
    """Find the nearest neighbours of each item.

    Parameters
    ----------
    between : ItemScores
        Scores of N items. The neighbours are kept as long as this exists.
    count : int
        k; no item has more than N − 1 neighbours.

    Returns
    -------
    Neighbours
        Of shape (N, k); empty for a single item.

    Examples
    --------
    >>> from spotlab.ranking.item_scores import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> find_neighbours(between, 1).item.ravel()
    array([1, 0, 1])
    """
    searched = max(count, KEPT)
    neighbours = remember(between, ("nearest", searched), lambda: _search(between, searched))
    return neighbours.first(count)


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
    """The scores of pairs of items.

    Parameters
    ----------
    between : ItemScores
        Scores of N items.
    one, other : (P,) int
        Places of the items of each pair.

    Returns
    -------
    (P,) float
        An unknown score is −inf, and 1 of an item with itself.

    Notes
    -----
    Rows are computed a block at a time, so the whole matrix is never in memory.

    Examples
    --------
    >>> from spotlab.ranking.item_scores import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8], [0.8, 1]]))
    >>> pair_scores(between, np.array([0, 1]), np.array([1, 1]))
    array([0.8, 1. ])
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
