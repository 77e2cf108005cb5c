"""Votes item by item, for collections where almost every item has different voters.

The figures are the same as from Gram matrices, of which there would be almost as many as items.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.libraries import sparse


@dataclass(frozen=True, eq=False)
class VoteRows:
    """Known votes, item by item.

    Attributes
    ----------
    votes : (n, S) sparse array by rows, float64
        All known votes, 0 among them too.
    """

    votes: Any

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.votes.shape[0])

    @cached_property
    def known(self) -> Any:
        """1 where a vote is known, (n, S) sparse array."""
        votes = self.votes
        ones = np.ones(len(votes.data))
        return sparse.csr_array((ones, votes.indices, votes.indptr), votes.shape)

    def probability(self, systems: Floats, top: float, bottom: float) -> Floats:
        """Estimate P(δ) of every item.

        Parameters
        ----------
        systems : (S,) float
            Weights of the systems.
        top, bottom : float
            Weights of ⊤ and ⊥.

        Returns
        -------
        (n,) float
            In [0, 1]; NaN where nobody with a weight voted.

        Notes
        -----
        Lamiroy & Sun (2013), eq. 13.

        Examples
        --------
        >>> rows = VoteRows(sparse.csr_array([[1.0, 1.0], [1.0, 0.0]]))
        >>> rows.probability(np.array([0.5, 0.25]), 0.0, 0.25).tolist()
        [0.75, 0.6666666666666666]
        """
        chances = np.full(self.items, np.nan)
        weight = self.known @ systems + (top + bottom)
        np.divide(self.votes @ systems + top, weight, out=chances, where=weight > 0)
        return chances

    def sums(self, systems: Floats, top: float, bottom: float) -> tuple[Floats, Floats, Floats]:
        """Sum ΣP·S_k, ΣS_k and ΣP over the items that each system knows and where P is defined.

        Parameters
        ----------
        systems : (S,) float
            Weights of the systems.
        top, bottom : float
            Weights of ⊤ and ⊥.

        Returns
        -------
        relevant, retrieved, possible : (S + 1,) float
            Of every system, ⊤ last.

        Notes
        -----
        The terms of Lamiroy & Sun (2013), eqs. 11 and 12.

        Examples
        --------
        >>> rows = VoteRows(sparse.csr_array([[1.0, 1.0], [1.0, 0.0]]))
        >>> [part.round(2).tolist() for part in rows.sums(np.array([0.5, 0.25]), 0.0, 0.25)]
        [[1.42, 0.75, 1.42], [2.0, 1.0, 2.0], [1.42, 0.75, 1.42]]
        """
        chance = self.probability(systems, top, bottom)
        defined = ~np.isnan(chance)
        retrieved = self.counts
        if not defined.all():
            retrieved = np.append(self.votes.T @ defined.astype(np.float64), defined.sum())
            chance = np.where(defined, chance, 0.0)
        return (
            np.append(self.votes.T @ chance, chance.sum()),
            retrieved,
            np.append(self.known.T @ chance, chance.sum()),
        )

    @cached_property
    def counts(self) -> Floats:
        """ΣS_k over all items, (S + 1,), ⊤ last."""
        return np.append(self.votes.sum(axis=0), self.items)

    def only(self, systems: Ints) -> VoteRows:
        """Keep some systems.

        Parameters
        ----------
        systems : (K,) int
            Indices of the systems in their new order.

        Returns
        -------
        VoteRows
            Of these systems.
        """
        return VoteRows(self.votes[:, systems])

    def __add__(self, other: VoteRows) -> VoteRows:
        return VoteRows(sparse.vstack([self.votes, other.votes], format="csr"))


def number_by_voters(votes: Any, seed: int = 0) -> tuple[Ints, Ints]:
    """Number the items by the set of systems that voted on them.

    Parameters
    ----------
    votes : (n, S) sparse array by rows
        All known votes.
    seed : int
        Seed of the hash keys; the numbering depends on it.

    Returns
    -------
    first : (B,) int
        An item of each different set of voters.
    pattern : (n,) int
        Number of every item's set of voters, from 0.

    Examples
    --------
    >>> votes = sparse.csr_array(([1.0, 0.0, 1.0], [0, 1, 0], [0, 1, 2, 3]), (3, 2))
    >>> number_by_voters(votes)[1].tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    keys = np.random.default_rng(seed).integers(0, 2**64, votes.shape[1], np.uint64)
    summed = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keys[votes.indices])])
    _, first, pattern = np.unique(
        summed[votes.indptr[1:]] - summed[votes.indptr[:-1]], return_index=True, return_inverse=True
    )
    # Patterns with the same sum of random keys are the same but once in 2^64; to be exact, look.
    length = np.diff(votes.indptr)
    model = first[pattern]
    if (length == length[model]).all():
        offset = np.repeat(votes.indptr[model] - votes.indptr[:-1], length)
        there = votes.indices[np.arange(len(votes.indices)) + offset]
        if (there == votes.indices).all():
            return first.astype(np.int64), pattern.astype(np.int64)
    return number_by_voters(votes, seed + 1)
