"""The items on which systems disagree most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.votes import Votes
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class DisputedItems:
    """Items, the most disputed first.

    Attributes
    ----------
    items : (K,) int
        Indices of the items.
    share : (K,) float
        Share of the known votes that are for the item, in [0, 1].
    known : (K,) int
        Number of systems that voted.
    votes : (K, S) float
        Their votes, NaN where unknown.
    """

    items: NDArray[np.int64]
    share: Floats
    known: NDArray[np.int64]
    votes: Floats

    __repr__ = short_repr


def most_disputed(votes: Votes, count: int) -> DisputedItems:
    """Find the items whose votes are split most evenly; among equals, those with most votes.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    count : int
        Maximum number of items.

    Returns
    -------
    DisputedItems
        Without items on which all known votes are the same yes or no.

    Examples
    --------
    >>> votes = Votes.of([[1, 1, 1], [1, 0, np.nan], [1, 0, 0], [0, 0, 1]], ["a", "b", "c"])
    >>> most_disputed(votes, 2).items.tolist()
    [1, 2]
    """
    share, known = _shares(votes)
    split = np.nan_to_num(share * (1 - share))
    order = np.lexsort((np.arange(len(share)), -known, -np.round(split, 12)))[:count]
    items = order[split[order] > 0].astype(np.int64)
    return DisputedItems(items, share[items], known[items], votes.rows(items))


def _shares(votes: Votes) -> tuple[Floats, NDArray[np.int64]]:
    share, known = np.full(len(votes), np.nan), np.zeros(len(votes), np.int64)
    for start, part in votes.spans():
        here = slice(start, start + len(part))
        there = ~np.isnan(part)
        known[here] = there.sum(axis=1)
        for_ = np.where(there, part, 0.0).sum(axis=1)
        np.divide(for_, known[here], out=share[here], where=known[here] > 0)
    return share, known
