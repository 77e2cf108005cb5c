"""Methods for systems that form groups, within which errors are shared."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.accuracy import find_patterns
from spotlab.consensus.agreement import fit_grouped
from spotlab.consensus.method import correction
from spotlab.consensus.votes import Votes


def group_shares(votes: Votes, label: Ints) -> Floats:
    """Share of every group's known votes that are for an item.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    (N, G) float
        In [0, 1]; NaN where the group has no known vote.

    Examples
    --------
    >>> votes = Votes.of([[1, 0, 1], [0, 0, np.nan]], ["a1", "a2", "b"])
    >>> group_shares(votes, np.array([0, 0, 1])).tolist()
    [[0.5, 1.0], [0.0, nan]]
    """
    member = np.eye(int(label.max(initial=-1)) + 1)[label]
    shares = np.empty((len(votes), member.shape[1]))
    for start, part in votes.spans():
        known = ~np.isnan(part)
        with np.errstate(invalid="ignore"):
            share = (np.where(known, part, 0.0) @ member) / (known @ member)
        shares[start : start + len(part)] = share
    return shares


def leave_group_out_probability(votes: Votes, label: Ints) -> Floats:
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
    >>> votes = Votes.of([[1, 0, 1]], ["a1", "a2", "b"])
    >>> leave_group_out_probability(votes, np.array([0, 0, 1])).tolist()
    [[1.0, 1.0, 0.5]]
    """
    shares = group_shares(votes, label)
    groups = shares.shape[1]
    if groups < 2:
        return np.repeat(shares, len(votes.systems), axis=1)
    voted, known = ~np.isnan(shares), np.nan_to_num(shares)
    with np.errstate(invalid="ignore"):
        others = (known.sum(axis=1, keepdims=True) - known) / (voted.sum(1, keepdims=True) - voted)
    return np.asarray(np.clip(others, 0, 1)[:, label])


LEAVE_GROUP_OUT = correction(
    "leave_group_out",
    "Judged by other groups",
    "Every system is judged by the mean share of votes of the other groups, each counting once.",
    "Assumes that groups err independently of each other.",
    leave_group_out_probability,
    order=110,
)


def grouped_latent_class_probability(votes: Votes, label: Ints) -> Floats:
    """Probability of relevance under the model of `fit_grouped`.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    label : (S,) int
        Group of every system, from 0 to G − 1.

    Returns
    -------
    (N,) float
        In [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> votes = Votes.of([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0]], ["a1", "a2", "b", "c"])
    >>> grouped_latent_class_probability(votes, np.array([0, 0, 1, 2])).round(1).tolist()
    [1.0, 0.2, 0.0]
    """
    table = find_patterns(votes)
    return fit_grouped(table, label).probability[table.of_item]


GROUPED_LATENT_CLASS = correction(
    "grouped_latent_class",
    "Groups' opinions",
    "Each group has an opinion that may be wrong; all groups together show how often.",
    "Assumes three or more groups that err independently of each other and are better than chance.",
    grouped_latent_class_probability,
    order=130,
)
