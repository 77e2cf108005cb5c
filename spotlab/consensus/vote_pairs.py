"""Votes that are listed one by one, where most systems say nothing about most items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from spotlab.consensus.vote_bits import Floats, Ints


@dataclass(frozen=True, eq=False)
class ListedVotes:
    """Votes in a sparse matrix; nothing of the size of items times systems is ever made.

    Attributes
    ----------
    votes : (N, S) sparse array by rows, float32
        Those that are listed, a 0 among them too.
    complete : bool
        Whether a vote that is not listed is a no; otherwise it is unknown.
    """

    votes: Any
    complete: bool

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.votes.shape[0])

    def rows(self, items: Ints) -> Floats:
        """(K, S) votes on these items, NaN where unknown."""
        return _dense(self.votes[items], self.complete)

    def span(self, start: int, stop: int) -> Floats:
        """(stop − start, S) votes on the items from start to stop, NaN where unknown."""
        return _dense(self.votes[start:stop], self.complete)

    def take(self, items: Ints) -> ListedVotes:
        """The votes on these items only, in this order."""
        return ListedVotes(self.votes[items], self.complete)

    def only(self, systems: Ints) -> ListedVotes:
        """The votes of these systems only, in this order."""
        return ListedVotes(self.votes[:, systems], self.complete)

    def votes_for(self) -> Floats:
        """(S,) the sum of every system's votes."""
        found = np.bincount(self.votes.indices, self.votes.data, self.votes.shape[1])
        return found.astype(np.float64)

    def votes_known(self) -> Floats:
        """(S,) on how many items every system's vote is known."""
        if self.complete:
            return np.full(self.votes.shape[1], float(self.items))
        return np.bincount(self.votes.indices, minlength=self.votes.shape[1]).astype(np.float64)

    def matrix(self) -> Floats:
        """(S, S) the sum over items of the product of each two systems' votes."""
        votes = self.votes.astype(np.float64)
        return np.asarray((votes.T @ votes).toarray(), np.float64)


def listed(item: Ints, system: Ints, vote: Floats | None, shape: tuple[int, int]) -> ListedVotes:
    """Votes from (item, system) pairs that are all different and within the shape."""
    values = np.ones(len(item), np.float32) if vote is None else vote.astype(np.float32)
    order = np.lexsort((system, item))
    starts = np.concatenate([[0], np.cumsum(np.bincount(item, minlength=shape[0]))])
    index = np.int32 if len(item) < np.iinfo(np.int32).max else np.int64  # half the memory
    places = system[order].astype(index), starts.astype(index)
    votes = sparse.csr_array((values[order], *places), shape)
    return ListedVotes(votes, vote is None)


def _dense(votes: Any, complete: bool) -> Floats:
    found = np.full(votes.shape, 0.0 if complete else np.nan)
    item = np.repeat(np.arange(votes.shape[0]), np.diff(votes.indptr))
    found[item, votes.indices] = votes.data
    return found
