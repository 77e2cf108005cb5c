"""The paper's method: equal weights of the systems, ⊤ and ⊥ (Lamiroy & Sun, 2013, eq. 10)."""

from __future__ import annotations

from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    MethodEstimate,
    VoteEvidence,
    estimate_by_weights,
)
from spotlab.consensus.precision import uniform_weights
from spotlab.progress import Progress


def _estimate(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    return estimate_by_weights(
        evidence.gram, uniform_weights(len(evidence.votes.systems)), evidence.beta
    )


METHOD = ConsensusMethod(
    name="paper",
    title="Lamiroy & Sun",
    definition="Probability of relevance: the share of votes for an item, including those of ⊤ and "
    "⊥ (Lamiroy & Sun 2013, eq. 10).",
    assumption=COMMON,
    estimate=_estimate,
    order=10,
)
