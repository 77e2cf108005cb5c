"""Votes of which every few items were voted on by others, as crowds do: figures by a pass over all.

The same figures as from Gram matrices, of which there would be about as many as items.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from spotlab.consensus.vote_bits import Floats, Ints


@dataclass(frozen=True, eq=False)
class VoteRows:
    """Known votes, item by item.

    Attributes
    ----------
    votes : (n, S) sparse array by rows, float64
        All votes that are known, a 0 among them too.
    """

    votes: Any

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.votes.shape[0])

    @cached_property
    def known(self) -> Any:
        """(n, S) sparse array: 1 where a vote is known."""
        votes = self.votes
        ones = np.ones(len(votes.data))
        return sparse.csr_array((ones, votes.indices, votes.indptr), votes.shape)

    def probability(self, systems: Floats, top: float, bottom: float) -> Floats:
        """(n,) P(δ) with these (S,) weights of systems, NaN where nobody with a weight voted."""
        found = np.full(self.items, np.nan)
        weight = self.known @ systems + (top + bottom)
        np.divide(self.votes @ systems + top, weight, out=found, where=weight > 0)
        return found

    def sums(self, systems: Floats, top: float, bottom: float) -> tuple[Floats, Floats, Floats]:
        """(S + 1,) ΣP·S_k, ΣS_k and ΣP over what each system knows, where P is defined."""
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
        """(S + 1,) ΣS_k over all items, ⊤ last."""
        return np.append(self.votes.sum(axis=0), self.items)

    def only(self, systems: Ints) -> VoteRows:
        """The votes of these systems only."""
        return VoteRows(self.votes[:, systems])

    def __add__(self, other: VoteRows) -> VoteRows:
        return VoteRows(sparse.vstack([self.votes, other.votes], format="csr"))


def same_voters(votes: Any, seed: int = 0) -> tuple[Ints, Ints]:
    """Number the items of sparse votes by who voted on them.

    Returns
    -------
    first : (B,) int
        An item of every pattern of voters.
    pattern : (n,) int
        The number of every item's pattern.

    Examples
    --------
    >>> votes = sparse.csr_array(([1.0, 0.0, 1.0], [0, 1, 0], [0, 1, 2, 3]), (3, 2))
    >>> same_voters(votes)[1].tolist() in ([0, 1, 0], [1, 0, 1])
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
    return same_voters(votes, seed + 1)
