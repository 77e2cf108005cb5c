"""The share of the systems that vote for an item, without ⊤ and ⊥."""

from __future__ import annotations

from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    MethodEstimate,
    VoteEvidence,
    estimate_by_weights,
)
from spotlab.consensus.precision import vote_share_weights
from spotlab.progress import Progress


def _estimate(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    weights = vote_share_weights(len(evidence.votes.systems))
    return estimate_by_weights(evidence.gram, weights, evidence.beta)


METHOD = ConsensusMethod(
    name="share",
    title="Vote share",
    definition="Probability of relevance: the share of the systems that vote for an item, without "
    "⊤ and ⊥.",
    assumption=COMMON,
    estimate=_estimate,
    order=20,
)
