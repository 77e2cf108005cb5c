"""Which items make good queries, from the scores of all items with each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
