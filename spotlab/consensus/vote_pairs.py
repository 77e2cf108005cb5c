"""Votes in a list, where most systems vote on few items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.libraries import sparse


@dataclass(frozen=True, eq=False)
class ListedVotes:
    """Votes in a sparse array, without memory for those that are not listed.

    Attributes
    ----------
    votes : (N, S) sparse array by rows, float32
        The listed votes, 0 among them too.
    complete : bool
        Whether a vote that is not listed is a no; otherwise it is unknown.
    """

    votes: Any
    complete: bool

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.votes.shape[0])

    def rows(self, items: Ints) -> Floats:
        """See `VoteStorage.rows`."""
        return _dense(self.votes[items], self.complete)

    def span(self, start: int, stop: int) -> Floats:
        """See `VoteStorage.span`."""
        return _dense(self.votes[start:stop], self.complete)

    def take(self, items: Ints) -> ListedVotes:
        """See `VoteStorage.take`."""
        return ListedVotes(self.votes[items], self.complete)

    def only(self, systems: Ints) -> ListedVotes:
        """See `VoteStorage.only`."""
        return ListedVotes(self.votes[:, systems], self.complete)

    def votes_for(self) -> Floats:
        """See `VoteStorage.votes_for`."""
        sums = np.bincount(self.votes.indices, self.votes.data, self.votes.shape[1])
        return sums.astype(np.float64)

    def votes_known(self) -> Floats:
        """See `VoteStorage.votes_known`."""
        if self.complete:
            return np.full(self.votes.shape[1], float(self.items))
        return np.bincount(self.votes.indices, minlength=self.votes.shape[1]).astype(np.float64)

    def matrix(self) -> Floats:
        """See `VoteStorage.matrix`."""
        votes = self.votes.astype(np.float64)
        return np.asarray((votes.T @ votes).toarray(), np.float64)


def listed(item: Ints, system: Ints, vote: Floats | None, shape: tuple[int, int]) -> ListedVotes:
    """Make a list of votes.

    Parameters
    ----------
    item, system : (K,) int
        Indices of the item and of the system of every vote, no pair twice and all within the shape.
    vote : (K,) float or None
        The votes; those not listed are unknown. None if every listed vote is a yes and every other
        a no.
    shape : (int, int)
        Number of items and of systems.

    Returns
    -------
    ListedVotes
        In the order of items, then systems.

    Examples
    --------
    >>> listed(np.array([2, 0]), np.array([0, 1]), None, (3, 2)).span(0, 3).tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    values = np.ones(len(item), np.float32) if vote is None else vote.astype(np.float32)
    order = np.lexsort((system, item))
    starts = np.concatenate([[0], np.cumsum(np.bincount(item, minlength=shape[0]))])
    index = np.int32 if len(item) < np.iinfo(np.int32).max else np.int64  # half the memory
    places = system[order].astype(index), starts.astype(index)
    votes = sparse.csr_array((values[order], *places), shape)
    return ListedVotes(votes, vote is None)


def _dense(votes: Any, complete: bool) -> Floats:
    dense = np.full(votes.shape, 0.0 if complete else np.nan)
    item = np.repeat(np.arange(votes.shape[0]), np.diff(votes.indptr))
    dense[item, votes.indices] = votes.data
    return dense
