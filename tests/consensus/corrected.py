"""Figures under a correction of its name."""

from __future__ import annotations

from spotlab.consensus.agreement import Groups
from spotlab.consensus.method import consensus_methods, correct
from spotlab.consensus.methods import group_share, grouped_latent_class, leave_group_out
from spotlab.consensus.precision import Estimates
from spotlab.consensus.votes import Votes

PROBABILITIES = {
    module.METHOD.name: module.probability
    for module in (leave_group_out, group_share, grouped_latent_class)
}


def corrected(votes: Votes, groups: Groups, name: str) -> Estimates:
    method = consensus_methods(corrects_groups=True)[name]
    return correct(votes, groups, PROBABILITIES[name], method.assumption)
