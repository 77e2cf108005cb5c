"""Different rows of votes, each with the number of items that are voted on like that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.votes import Votes
from spotlab.libraries import sparse

ALONE = 200_000  # operations of a product of matrices up to which OpenBLAS starts no threads
ALONE_VECTOR = 9_000  # of a product with a vector


def multiply(table: Any, values: Floats) -> Floats:
    """Multiply ``table @ values``, piece by piece.

    Parameters
    ----------
    table : (M, S) float array or sparse array
        Many rows, few columns.
    values : (S,) or (S, G) float
        One factor, or several, per column.

    Returns
    -------
    (M,) or (M, G) float
        Equal to ``table @ values`` up to rounding.

    Examples
    --------
    >>> multiply(np.ones((3, 2)), np.array([1.0, 2.0])).tolist()
    [3.0, 3.0, 3.0]
    """
    if not isinstance(table, np.ndarray):
        return np.asarray(table @ values)
    rows, columns = table.shape
    size = _size(columns, values)
    whole = rows - rows % size
    if whole < size:
        return np.asarray(table @ values)
    pieces = table[:whole].reshape(-1, size, columns) @ values
    product = np.empty((rows, *values.shape[1:]))
    product[:whole] = pieces.reshape(whole, *values.shape[1:])
    product[whole:] = table[whole:] @ values
    return product


def multiply_transposed(table: Any, values: Floats) -> Floats:
    """Multiply ``table.T @ values``, piece by piece.

    Parameters
    ----------
    table : (M, S) float array or sparse array
        Many rows, few columns.
    values : (M,) or (M, G) float
        One factor, or several, per row.

    Returns
    -------
    (S,) or (S, G) float
        Equal to ``table.T @ values`` up to rounding.

    Examples
    --------
    >>> multiply_transposed(np.ones((3, 2)), np.array([1.0, 2.0, 3.0])).tolist()
    [6.0, 6.0]
    """
    if not isinstance(table, np.ndarray):
        return np.asarray(table.T @ values)
    rows, columns = table.shape
    size = _size(columns, values)
    whole = rows - rows % size
    if whole < size:
        return np.asarray(table.T @ values)
    flat = values.reshape(rows, -1)
    turned = table[:whole].reshape(-1, size, columns).transpose(0, 2, 1)
    product = (turned @ flat[:whole].reshape(-1, size, flat.shape[1])).sum(axis=0)
    product += table[whole:].T @ flat[whole:]
    return np.asarray(product.reshape(columns, *values.shape[1:]))


def _size(columns: int, values: Floats) -> int:
    """Number of rows of a piece."""
    if values.ndim == 1 or values.shape[1] == 1:
        return max(ALONE_VECTOR // max(columns, 1), 1)
    return max(ALONE // max(columns * int(values.shape[1]), 1), 1)


CODED = 32  # systems whose yes, no or unknown fits a word of 64 bits
THIN = 0.2  # votes are listed where fewer than this share of them is known


@dataclass(frozen=True, eq=False)
class Patterns:
    """The M different rows of the votes of S systems on N items.

    Attributes
    ----------
    yes : (M, S) float array or sparse array
        The votes, 0 where unknown.
    known : (M, S) float array or sparse array, or None
        1 where the vote is known; None if all are.
    count : (M,) float
        Number of items with each row.
    of_item : (N,) int
        Row of every item.
    """

    yes: Any
    known: Any
    count: Floats
    of_item: Ints

    def sums(self, values: Floats) -> tuple[Floats, Floats]:
        """Sum values over each system's votes, and over its known votes.

        Parameters
        ----------
        values : (M,) or (M, G) float
            A value, or several, per row.

        Returns
        -------
        over_votes, over_known : (S,) or (S, G) float
            Σ value · vote, and Σ value where the vote is known.

        Examples
        --------
        >>> table = find_patterns(Votes.of([[1, 0], [1, 0], [1, np.nan]], ["a", "b"]))
        >>> [part.tolist() for part in table.sums(table.count)]
        [[3.0, 0.0], [3.0, 2.0]]
        """
        for_ = multiply_transposed(self.yes, values)
        if self.known is None:
            return for_, np.broadcast_to(values.sum(axis=0), for_.shape)
        return for_, multiply_transposed(self.known, values)

    @cached_property
    def totals(self) -> tuple[Floats, Floats]:
        """Number of items that each system votes for, and on which its vote is known, (S,) each."""
        return self.sums(self.count)

    def weighted(self, yes: Floats, no: Floats) -> Floats:
        """Sum a value of each system over each row, one value for a yes and another for a no.

        Parameters
        ----------
        yes, no : (S,) or (S, G) float
            Value for a vote of 1 and of 0; soft votes are in between.

        Returns
        -------
        (M,) or (M, G) float
            0 for a row without known votes.

        Examples
        --------
        >>> table = find_patterns(Votes.of([[1, 0]], ["a", "b"]))
        >>> table.weighted(np.array([5.0, 7.0]), np.array([-1.0, -2.0])).tolist()
        [3.0]
        """
        against = no.sum(axis=0) if self.known is None else multiply(self.known, no)
        return np.asarray(multiply(self.yes, yes - no) + against)

    def shares(self) -> Floats:
        """Share of the known votes that are for each row, (M,) in [0, 1]; NaN without any."""
        one = np.ones(self.yes.shape[1])
        known = np.full(len(self.count), one.sum())
        if self.known is not None:
            known = multiply(self.known, one)
        with np.errstate(invalid="ignore"):
            return np.asarray(multiply(self.yes, one) / known)


def find_patterns(votes: Votes, apart: Ints | None = None) -> Patterns:
    """Find the different rows of votes, where that is possible and saves time.

    Parameters
    ----------
    votes : Votes
        N items. Soft votes, and votes of more than 32 systems, give one row per item.
    apart : (K,) int, optional
        Indices of items that get a row of their own, because more is known about them.

    Returns
    -------
    Patterns
        Without rows if there are no items.

    Examples
    --------
    >>> table = find_patterns(Votes.of([[1, 0], [0, 1], [1, 0]], ["a", "b"]))
    >>> table.yes.tolist(), table.count.tolist(), table.of_item.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [2.0, 1.0], [0, 1, 0])
    """
    keys = _keys(votes)
    if keys is None:
        return _one_by_one(votes)
    together = np.ones(len(votes), bool)
    if apart is not None:
        together[apart] = False
    _, first, inverse, count = np.unique(
        keys[together], return_index=True, return_inverse=True, return_counts=True
    )
    alone = np.flatnonzero(~together)
    of_item = np.empty(len(votes), np.int64)
    of_item[together] = inverse
    of_item[alone] = len(first) + np.arange(len(alone))
    rows = votes.rows(np.concatenate([np.flatnonzero(together)[first], alone]))
    counts = np.concatenate([count, np.ones(len(alone))]).astype(np.float64)
    return Patterns(*_split(rows), counts, of_item)


def _keys(votes: Votes) -> NDArray[np.uint64] | None:
    """A number for every different row, (N,); None for soft votes or too many systems."""
    systems = len(votes.systems)
    if systems > CODED:
        return None
    step = 1 if votes.complete else 2
    place = (1 << np.arange(0, systems * step, step, dtype=np.uint64)).astype(np.uint64)
    keys = np.empty(len(votes), np.uint64)
    for start, part in votes.spans():
        unknown = np.isnan(part)
        if not ((part == 0) | (part == 1) | unknown).all():
            return None
        part_keys = np.zeros(len(part), np.uint64)
        for system in range(systems):  # a column at a time stays in integers and in the cache
            code = (part[:, system] == 1).astype(np.uint64)
            if step > 1:
                code[unknown[:, system]] = 2
            part_keys |= code * place[system]
        keys[start : start + len(part)] = part_keys
    return keys


def _one_by_one(votes: Votes) -> Patterns:
    items, systems = len(votes), len(votes.systems)
    ones, rows = np.ones(items), np.arange(items)
    if votes.counts_known.sum() >= THIN * items * systems:
        return Patterns(*_split(votes.dense()), ones, rows)
    yes, known = [], []
    for _, part in votes.spans():
        there = ~np.isnan(part)
        known.append(sparse.csr_array(there.astype(np.float64)))
        yes.append(sparse.csr_array(np.where(there, part, 0.0)))
    return Patterns(sparse.vstack(yes, "csr"), sparse.vstack(known, "csr"), ones, rows)


def _split(rows: Floats) -> tuple[Floats, Floats | None]:
    unknown = np.isnan(rows)
    if not unknown.any():
        return rows, None
    return np.where(unknown, 0.0, rows), (~unknown).astype(np.float64)
