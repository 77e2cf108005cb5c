"""Every system judged by the other groups, so that no group confirms its own errors."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.method import correction, group_shares, mean_share
from spotlab.consensus.votes import Votes


def probability(votes: Votes, label: Ints) -> Floats:
    """Mean of the other groups' shares of votes.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    (N, S) float
        In [0, 1]; the group's own share if there is only one; NaN where no other group voted.

    Examples
    --------
    >>> probability(Votes.of([[1, 0, 1]], ["a1", "a2", "b"]), np.array([0, 0, 1])).tolist()
    [[1.0, 1.0, 0.5]]
    """
    shares = group_shares(votes, label)
    groups = shares.shape[1]
    if groups < 2:
        return np.repeat(shares, len(votes.systems), axis=1)
    others = np.stack([mean_share(shares, row) for row in 1 - np.eye(groups)], axis=1)
    return np.asarray(others[:, label])


METHOD = correction(
    "leave_group_out",
    "Judged by other groups",
    "Every system is judged by the mean share of votes of the other groups, each counting once.",
    "Assumes that groups err independently of each other.",
    probability,
    order=110,
)
