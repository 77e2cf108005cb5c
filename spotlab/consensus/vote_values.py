"""Votes between no and yes, as a confidence from 0 to 1 (Lamiroy & Sun, §5.2), or unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.vote_bits import PACKED, Floats, Ints, spans


@dataclass(frozen=True, eq=False)
class SoftVotes:
    """Confidences as they are.

    Attributes
    ----------
    values : (N, S) float32
        From 0 to 1, NaN where unknown.
    complete : bool
        Whether every vote is known.
    """

    values: NDArray[np.float32]
    complete: bool

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.values)

    def rows(self, items: Ints) -> Floats:
        """(K, S) votes on these items, NaN where unknown."""
        return self.values[items].astype(np.float64)

    def span(self, start: int, stop: int) -> Floats:
        """(stop − start, S) votes on the items from start to stop, NaN where unknown."""
        return self.values[start:stop].astype(np.float64)

    def take(self, items: Ints) -> SoftVotes:
        """The votes on these items only, in this order."""
        return soft(self.values[items])

    def only(self, systems: Ints) -> SoftVotes:
        """The votes of these systems only, in this order."""
        return soft(np.ascontiguousarray(self.values[:, systems]))

    def votes_for(self) -> Floats:
        """(S,) the sum of every system's votes."""
        found = np.zeros(self.values.shape[1])
        for start, stop in spans(self.items, PACKED):
            found += np.nansum(self.values[start:stop], axis=0, dtype=np.float64)
        return found

    def votes_known(self) -> Floats:
        """(S,) on how many items every system's vote is known."""
        return np.asarray((~np.isnan(self.values)).sum(axis=0), np.float64)

    def matrix(self) -> Floats:
        """(S, S) the sum over items of the product of each two systems' votes."""
        found = np.zeros((self.values.shape[1],) * 2)
        for start, stop in spans(self.items, PACKED):
            part = self.span(start, stop)
            found += part.T @ part
        return found


def soft(values: NDArray[np.float32]) -> SoftVotes:
    """Keep these (N, S) votes as they are."""
    return SoftVotes(values, not np.isnan(values).any())
