"""The mean of the groups' shares of votes, so that every group counts once."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.method import correction, group_shares, mean_share
from spotlab.consensus.votes import Votes


def probability(votes: Votes, label: Ints) -> Floats:
    """Mean of the groups' shares of votes, over the groups that voted.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    (N,) float
        In [0, 1]; NaN where nobody voted.

    Examples
    --------
    >>> probability(Votes.of([[1, 0, 1]], ["a1", "a2", "b"]), np.array([0, 0, 1])).tolist()
    [0.75]
    """
    return mean_share(group_shares(votes, label), np.ones(int(label.max(initial=-1)) + 1))


METHOD = correction(
    "group_share",
    "Groups count once",
    "Probability of relevance: the mean of the groups' shares of votes, whatever their size.",
    "Assumes that groups err independently of each other and are equally good.",
    probability,
    order=120,
)
