"""Relevance and the accuracies of the systems, estimated together (Dawid & Skene, 1979)."""

from __future__ import annotations

from spotlab.consensus.accuracy import INDEPENDENCE, dawid_skene
from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.method import ConsensusMethod, MethodEstimate, VoteEvidence
from spotlab.consensus.precision import figures_with_truth
from spotlab.errors import counted
from spotlab.progress import Progress


def _estimate(evidence: VoteEvidence, progress: Progress) -> MethodEstimate:
    accuracy = dawid_skene(evidence.votes, 2, progress=progress)
    figures = figures_with_truth(evidence.votes, accuracy.probability, evidence.beta)
    rounds = counted(accuracy.iterations, "round")
    still = "" if accuracy.converged else "; it did not converge"
    return MethodEstimate(
        SystemFigures(*figures),
        expected_relevant=float(accuracy.probability.sum()),
        remark=f"{rounds}, prevalence {accuracy.prevalence:.3f}{still}",
    )


METHOD = ConsensusMethod(
    name="dawid_skene",
    title="Dawid & Skene, two coins",
    definition="Relevance, and the accuracy of each system on relevant and on other items, are "
    "learnt together (Dawid & Skene 1979).",
    assumption=INDEPENDENCE,
    estimate=_estimate,
    order=30,
)
