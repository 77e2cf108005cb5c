"""Corrections that keep a group of systems that err together from confirming itself.

A correction is applied only when a person chooses it: systems may agree because they are good, and
then a correction does harm.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.estimates import Estimates, estimate
from spotlab.consensus.figures import SystemIntervals, at_beta
from spotlab.consensus.groups import Groups
from spotlab.consensus.method import ConsensusMethod, Evidence, MethodEstimate
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress

Probability = Callable[[Votes, Ints], Floats]

ACROSS_TWO = "Two groups cannot be ranked against each other: compare systems only within a group."
WITHOUT_OTHERS = "There is only one group, so nothing is corrected."


def correction(
    name: str,
    title: str,
    definition: str,
    assumption: str,
    probability: Probability,
    order: int = 200,
) -> ConsensusMethod:
    """Make a consensus method of a probability of relevance that takes groups into account.

    Parameters
    ----------
    name, title, definition, assumption : str
        As for `ConsensusMethod`.
    probability : callable
        From N votes and the group of every system, (S,) int, to probabilities of relevance, (N,)
        or (N, S) float in [0, 1].
    order : int
        Position among the methods; smaller comes first.

    Returns
    -------
    ConsensusMethod
        With intervals of 95 %; those of F only for β = 1.

    Examples
    --------
    >>> correction("half", "Half", "", "", lambda votes, _: np.full(len(votes), 0.5)).name
    'half'
    """

    def run(evidence: Evidence, _: Progress) -> MethodEstimate:
        estimates = correct(evidence.votes, evidence.groups, probability, assumption)
        return MethodEstimate(
            at_beta(estimates.precision, estimates.recall, evidence.beta),
            expected_relevant=float(np.nansum(estimates.probability)),
            intervals=intervals_of(estimates, evidence.beta),
            assumption=estimates.assumption,
        )

    return ConsensusMethod(name, title, definition, assumption, run, True, order)


def correct(votes: Votes, groups: Groups, probability: Probability, assumption: str) -> Estimates:
    """Estimate the figures of every system under a correction.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    groups : Groups
        Groups of the same systems.
    probability : callable
        As for `correction`.
    assumption : str
        Assumption behind the probabilities, for a caption.

    Returns
    -------
    Estimates
        NaN where undefined. The assumption says so where there are only one or two groups.

    Examples
    --------
    >>> from spotlab.consensus.groups import declared_groups
    >>> from spotlab.consensus.methods import group_share, leave_group_out
    >>> rows = [[1, 1, 0, 0], [1, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]]
    >>> votes = Votes.of(rows, ["a1", "a2", "b", "c"])
    >>> groups = declared_groups(votes.systems, ["a", "a", "b", "c"])
    >>> correct(votes, groups, group_share.probability, "").probability.round(2).tolist()
    [0.33, 0.67, 0.67, 1.0]
    >>> correct(votes, groups, leave_group_out.probability, "").precision.round(2).tolist()
    [0.5, 0.5, 0.75, 0.67]
    """
    if groups.only_two:
        assumption += f" {ACROSS_TWO}"
    elif len(groups.names) == 1:
        assumption += f" {WITHOUT_OTHERS}"
    return estimate(votes, probability(votes, groups.label), assumption)


def intervals_of(estimates: Estimates, beta: float) -> SystemIntervals:
    """Take the intervals of estimates.

    Parameters
    ----------
    estimates : Estimates
        Of S systems.
    beta : float
        β of F.

    Returns
    -------
    SystemIntervals
        Lower and upper ends, (S, 2) each, in [0, 1]; NaN for F if β is not 1.

    Examples
    --------
    >>> estimates = estimate(Votes.of([[1], [0]], ["a"]), [1, 0.5], "")
    >>> intervals_of(estimates, 2.0).f.tolist()
    [[nan, nan]]
    """
    interval = estimates.f_interval
    f = interval if beta == 1 else np.full_like(interval, np.nan)
    return SystemIntervals(estimates.precision_interval, estimates.recall_interval, f)


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


def mean_share(shares: Floats, weight: Floats) -> Floats:
    """Weighted mean of the groups' shares, over the groups that voted.

    Parameters
    ----------
    shares : (N, G) float
        Result of `group_shares`.
    weight : (G,) float
        Weight of every group.

    Returns
    -------
    (N,) float
        In [0, 1]; NaN where no group with a weight voted.

    Examples
    --------
    >>> mean_share(np.array([[0.5, 1.0], [0.0, np.nan]]), np.ones(2)).tolist()
    [0.75, 0.0]
    """
    voted = (~np.isnan(shares)) @ weight
    with np.errstate(invalid="ignore"):
        return np.asarray((np.nan_to_num(shares) @ weight) / voted)
