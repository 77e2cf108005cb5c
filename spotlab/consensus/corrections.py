"""Corrections that keep a group of systems that err together from confirming itself.

A correction is applied only when a person chooses it: systems may agree because they are good, and
then a correction does harm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.estimates import Estimates, estimate
from spotlab.consensus.grouped_model import fit_grouped
from spotlab.consensus.groups import Groups
from spotlab.consensus.patterns import find_patterns
from spotlab.consensus.votes import Votes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ACROSS_TWO = "With two groups nothing can order systems across them: compare only within a group."
WITHOUT_OTHERS = "There is one group only, so nothing is corrected."


@dataclass(frozen=True)
class Correction:
    """An estimate of relevance that takes groups of systems into account.

    Attributes
    ----------
    name : str
        Name for commands.
    title : str
        Name for people.
    definition : str
        What the correction does, for a tooltip.
    assumption : str
        Assumption behind its figures, for a caption.
    weigh : callable
        From N votes and the group of every system, (S,) int, to probabilities of relevance, (N,) or
        (N, S) float.
    """

    name: str
    title: str
    definition: str
    assumption: str
    weigh: Callable[[Votes, Ints], Floats]

    def estimate(self, votes: Votes, groups: Groups) -> Estimates:
        """See `corrected`."""
        assumption = self.assumption
        if groups.only_two:
            assumption += f" {ACROSS_TWO}"
        elif len(groups.names) == 1:
            assumption += f" {WITHOUT_OTHERS}"
        return estimate(votes, self.weigh(votes, groups.label), assumption)


def corrected(votes: Votes, groups: Groups, method: str) -> Estimates:
    """Estimate the figures of every system under a correction.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    groups : Groups
        Groups of the same systems.
    method : str
        Name of one of `CORRECTIONS`.

    Returns
    -------
    Estimates
        NaN where undefined.

    Raises
    ------
    ValueError
        If there is no such correction.

    Examples
    --------
    >>> from spotlab.consensus.groups import declared_groups
    >>> rows = [[1, 1, 0, 0], [1, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]]
    >>> votes = Votes.of(rows, ["a1", "a2", "b", "c"])
    >>> groups = declared_groups(votes.systems, ["a", "a", "b", "c"])
    >>> corrected(votes, groups, "group_share").probability.round(2).tolist()
    [0.33, 0.67, 0.67, 1.0]
    >>> corrected(votes, groups, "leave_group_out").precision.round(2).tolist()
    [0.5, 0.5, 0.75, 0.67]
    """
    if method not in CORRECTIONS:
        raise ValueError(f"there is no correction {method!r}, but {', '.join(CORRECTIONS)}")
    return CORRECTIONS[method].estimate(votes, groups)


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
    found = np.empty((len(votes), member.shape[1]))
    for start, part in votes.spans():
        known = ~np.isnan(part)
        with np.errstate(invalid="ignore"):
            share = (np.where(known, part, 0.0) @ member) / (known @ member)
        found[start : start + len(part)] = share
    return found


def _mean_share(votes: Votes, label: Ints) -> Floats:
    """Mean of the groups' shares over the groups that voted, (N,)."""
    return _mean(group_shares(votes, label), np.ones(int(label.max(initial=-1)) + 1))


def _share_of_others(votes: Votes, label: Ints) -> Floats:
    """Mean of the other groups' shares, (N, S); with one group, its own share."""
    shares = group_shares(votes, label)
    groups = shares.shape[1]
    if groups < 2:
        return np.repeat(shares, len(votes.systems), axis=1)
    others = np.stack([_mean(shares, row) for row in 1 - np.eye(groups)], axis=1)
    return np.asarray(others[:, label])


def _mean(shares: Floats, weight: Floats) -> Floats:
    seen = (~np.isnan(shares)) @ weight
    with np.errstate(invalid="ignore"):
        return np.asarray((np.nan_to_num(shares) @ weight) / seen)


def _grouped(votes: Votes, label: Ints) -> Floats:
    table = find_patterns(votes)
    return fit_grouped(table, label).probability[table.of_item]


CORRECTIONS = {
    correction.name: correction
    for correction in (
        Correction(
            "leave_group_out",
            "Judged by other groups",
            "Every system is judged by the mean share of the other groups, each counting once.",
            "Stands on groups that err independently of each other.",
            _share_of_others,
        ),
        Correction(
            "group_share",
            "Groups count once",
            "Probability of relevance is the mean of the groups' shares, whatever their size.",
            "Stands on groups that err independently of each other and are equally good.",
            _mean_share,
        ),
        Correction(
            "grouped_latent_class",
            "Groups' opinions",
            "Each group has an opinion that may be wrong; how often, is learnt from all of them.",
            "Stands on three or more groups that err independently of each other and are better "
            "than chance.",
            _grouped,
        ),
    )
}
