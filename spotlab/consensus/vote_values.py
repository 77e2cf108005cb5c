"""Votes between no and yes, as a confidence in [0, 1] (Lamiroy & Sun, 2013, §5.2), or unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.vote_bits import PACKED, spans


@dataclass(frozen=True, eq=False)
class SoftVotes:
    """Votes as confidences.

    Attributes
    ----------
    values : (N, S) float32
        In [0, 1], NaN where unknown.
    complete : bool
        Whether every vote is known.
    """

    values: NDArray[np.float32]
    complete: bool

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.values)

    def rows(self, items: Ints) -> Floats:
        """See `VoteStorage.rows`."""
        return self.values[items].astype(np.float64)

    def span(self, start: int, stop: int) -> Floats:
        """See `VoteStorage.span`."""
        return self.values[start:stop].astype(np.float64)

    def take(self, items: Ints) -> SoftVotes:
        """See `VoteStorage.take`."""
        return soft(self.values[items])

    def only(self, systems: Ints) -> SoftVotes:
        """See `VoteStorage.only`."""
        return soft(np.ascontiguousarray(self.values[:, systems]))

    def votes_for(self) -> Floats:
        """See `VoteStorage.votes_for`."""
        sums = np.zeros(self.values.shape[1])
        for start, stop in spans(self.items, PACKED):
            sums += np.nansum(self.values[start:stop], axis=0, dtype=np.float64)
        return sums

    def votes_known(self) -> Floats:
        """See `VoteStorage.votes_known`."""
        return np.asarray((~np.isnan(self.values)).sum(axis=0), np.float64)

    def matrix(self) -> Floats:
        """See `VoteStorage.matrix`."""
        product = np.zeros((self.values.shape[1],) * 2)
        for start, stop in spans(self.items, PACKED):
            part = self.span(start, stop)
            product += part.T @ part
        return product


def soft(values: NDArray[np.float32]) -> SoftVotes:
    """Keep votes as confidences.

    Parameters
    ----------
    values : (N, S) float32
        In [0, 1], NaN where unknown; not copied.

    Returns
    -------
    SoftVotes
        Complete if there is no NaN.
    """
    return SoftVotes(values, not np.isnan(values).any())
