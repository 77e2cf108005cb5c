"""Figures under a correction of its name."""

from __future__ import annotations

from spotlab.consensus.agreement import Groups
from spotlab.consensus.method import consensus_methods, correct
from spotlab.consensus.methods import of_groups
from spotlab.consensus.precision import Estimates
from spotlab.consensus.votes import Votes

PROBABILITIES = {
    "leave_group_out": of_groups.leave_group_out_probability,
    "grouped_latent_class": of_groups.grouped_latent_class_probability,
}


def corrected(votes: Votes, groups: Groups, name: str) -> Estimates:
    method = consensus_methods(corrects_groups=True)[name]
    return correct(votes, groups, PROBABILITIES[name], method.assumption)
