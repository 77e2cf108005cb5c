"""A first probability of relevance for every item, which answers then correct."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.accuracy import dawid_skene
from spotlab.consensus.recommendation import FEWEST_ITEMS, FEWEST_SYSTEMS, describe_pool
from spotlab.consensus.votes import Votes


@lru_cache(maxsize=1)
def guess_relevance(votes: Votes) -> Floats:
    """Guess the probability of relevance of every item from the votes alone.

    Parameters
    ----------
    votes : Votes
        N items, S systems.

    Returns
    -------
    (N,) float
        In (0, 1); ½ for an item without votes.

    Notes
    -----
    (votes for + ½) / (known votes + 1). Where systems judge given items, the mean of that and of
    the probability of Dawid & Skene (1979): on people's answers it leaves answers less to correct
    than either of them. Not so where the items are what the systems returned.

    Examples
    --------
    >>> guess_relevance(Votes.of([[1, 1], [1, 0], [0, 0]], ["a", "b"])).round(3).tolist()
    [0.833, 0.5, 0.167]
    """
    share = np.empty(len(votes))
    for start, part in votes.spans():
        known = ~np.isnan(part)
        for_ = np.where(known, part, 0.0).sum(axis=1)
        share[start : start + len(part)] = (for_ + 0.5) / (known.sum(axis=1) + 1)
    few = len(votes) < FEWEST_ITEMS or len(votes.systems) < FEWEST_SYSTEMS
    if few or describe_pool(votes).pooled:
        return share
    return np.asarray((share + dawid_skene(votes).probability) / 2)
