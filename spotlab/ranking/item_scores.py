"""Similarities between items: score matrices, nearest neighbours, good queries."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from spotlab.libraries import sparse


class ItemScores(Protocol):
    """The symmetric scores of N items with each other; a larger score means more alike."""

    def __len__(self) -> int:
        """N."""

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of some items with all items.

        Parameters
        ----------
        items : (K,) int
            Places of items.

        Returns
        -------
        (K, N) float
            NaN where a score is unknown.
        """

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """Restrict the scores to some items.

        Parameters
        ----------
        items : (K,) int
            Places of items, which are numbered anew in this order.

        Returns
        -------
        ItemScores
            The scores of these K items with each other.
        """


@dataclass(frozen=True, eq=False)
class MatrixScores:
    """Scores that are stored.

    Attributes
    ----------
    matrix : (N, N) float
        Symmetric; NaN where a score is unknown.

    Raises
    ------
    ValueError
        The matrix is not square.
    """

    matrix: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            raise ValueError(f"a score matrix is square, not {self.matrix.shape}")

    def __len__(self) -> int:
        return len(self.matrix)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        return self.matrix[items]

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return MatrixScores(self.matrix[np.ix_(items, items)])


@dataclass(frozen=True, eq=False)
class FeatureScores:
    """Cosines of descriptors, computed where they are needed.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.

    Examples
    --------
    >>> FeatureScores(np.eye(2)).rows(np.array([1]))
    array([[0., 1.]])
    """

    features: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        return np.asarray(self.features[items] @ self.features.T, dtype=np.float64)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return FeatureScores(self.features[items])


@dataclass(frozen=True, eq=False)
class PartialScores:
    """Scores that are known for some of N items only.

    Attributes
    ----------
    scores : ItemScores
        Of all N items; those of unknown items mean nothing.
    known : (N,) bool
        Whether the scores of each item are known.

    Examples
    --------
    >>> PartialScores(MatrixScores(np.eye(2)), np.array([True, False])).rows(np.array([0]))
    array([[ 1., nan]])
    """

    scores: ItemScores
    known: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.scores)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `ItemScores.rows`."""
        rows = np.array(self.scores.rows(items), np.float64)
        rows[:, ~self.known] = np.nan
        rows[~self.known[items]] = np.nan
        return rows

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """See `ItemScores.among`."""
        return PartialScores(self.scores.among(items), self.known[items])


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


def representative_queries(matrix: NDArray[np.float64], count: int = 3) -> NDArray[np.int64]:
    """The items that are most similar to the others.

    Parameters
    ----------
    matrix : (n, n) float
        Scores of items with each other; a larger score means more alike. NaN is unknown.
    count : int
        How many items, at most.

    Returns
    -------
    (k,) int
        The columns of highest mean, without the diagonal, highest first; equal ones in order. Items
        without any score with another one are never among them.

    Notes
    -----
    Hast (2020), §4.

    Examples
    --------
    >>> matrix = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> representative_queries(matrix, 1)
    array([1])
    """
    means = column_means(matrix)
    return _first(-means, count)


def difficult_queries(matrix: NDArray[np.float64], count: int = 3) -> NDArray[np.int64]:
    """The items that are least similar to the others.

    Parameters
    ----------
    matrix : (n, n) float
        See `representative_queries`.
    count : int
        How many items, at most.

    Returns
    -------
    (k,) int
        The columns of lowest mean, lowest first; otherwise as `representative_queries`.

    Notes
    -----
    Hast (2020), §4.

    Examples
    --------
    >>> matrix = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> difficult_queries(matrix, 1)
    array([2])
    """
    return _first(column_means(matrix), count)


def column_means(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean score of each item with the others.

    Parameters
    ----------
    matrix : (n, n) float
        Scores of items with each other; NaN is unknown.

    Returns
    -------
    (n,) float
        NaN for an item without any score with another one.

    Raises
    ------
    ValueError
        The matrix is not square.

    Examples
    --------
    >>> column_means(np.array([[1, 0.5], [np.nan, 1]]))
    array([nan, 0.5])
    """
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a score matrix is square, not {matrix.shape}")
    there = ~np.isnan(matrix) & ~np.eye(len(matrix), dtype=bool)
    total = np.where(there, matrix, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = total / there.sum(axis=0)
    return means


def _first(means: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    order = np.argsort(means, kind="stable")  # NaN goes last
    return order[: min(max(count, 0), np.count_nonzero(~np.isnan(means)))]
