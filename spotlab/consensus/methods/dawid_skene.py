"""Relevance and the accuracies of the systems, estimated together (Dawid & Skene, 1979)."""

from __future__ import annotations

from spotlab.consensus.accuracy import INDEPENDENCE, dawid_skene
from spotlab.consensus.figures import SystemFigures
from spotlab.consensus.method import ConsensusMethod, Evidence, MethodEstimate
from spotlab.consensus.precision import against_truth
from spotlab.progress import Progress


def _estimate(evidence: Evidence, progress: Progress) -> MethodEstimate:
    accuracy = dawid_skene(evidence.votes, 2, progress=progress)
    figures = against_truth(evidence.votes, accuracy.probability, evidence.beta)
    rounds = "1 round" if accuracy.iterations == 1 else f"{accuracy.iterations} rounds"
    still = "" if accuracy.converged else "; it did not come to rest"
    return MethodEstimate(
        SystemFigures(*figures),
        expected_relevant=float(accuracy.probability.sum()),
        remark=f"{rounds}, prevalence {accuracy.prevalence:.3f}{still}",
    )


METHOD = ConsensusMethod(
    name="dawid_skene",
    title="Dawid & Skene, two coins",
    definition="Relevance, and how often each system is right about relevant and other items, are "
    "learnt together.",
    assumption=INDEPENDENCE,
    estimate=_estimate,
    order=30,
)
