"""Methods that estimate relevance from the votes of all systems."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.accuracy import INDEPENDENCE, dawid_skene
from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    MethodEstimate,
    VoteEvidence,
    estimate_by_weights,
)
from spotlab.consensus.precision import (
    figures_with_truth,
    item_probability,
    uniform_weights,
    vote_share_weights,
)
from spotlab.consensus.votes import Votes
from spotlab.errors import counted
from spotlab.progress import Progress


def _estimate_lamiroy_sun(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    return estimate_by_weights(
        evidence.gram, uniform_weights(len(evidence.votes.systems)), evidence.beta
    )


LAMIROY_SUN = ConsensusMethod(
    name="paper",
    title="Lamiroy & Sun",
    definition="Probability of relevance: the share of votes for an item, including those of ⊤ and "
    "⊥ (Lamiroy & Sun 2013, eq. 10).",
    assumption=COMMON,
    estimate=_estimate_lamiroy_sun,
    order=10,
)


def _estimate_vote_share(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    weights = vote_share_weights(len(evidence.votes.systems))
    return estimate_by_weights(evidence.gram, weights, evidence.beta)


VOTE_SHARE = ConsensusMethod(
    name="share",
    title="Vote share",
    definition="Probability of relevance: the share of the systems that vote for an item, without "
    "⊤ and ⊥.",
    assumption=COMMON,
    estimate=_estimate_vote_share,
    order=20,
)


HALF = 1e-9  # shares this close to one half are ties


def majority_probability(votes: Votes) -> Floats:
    """Opinion of the majority on every item.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes are ignored.

    Returns
    -------
    (N,) float
        1 if more than half of the votes are for the item, 0 if fewer, ½ for a tie; NaN where
        nobody voted.

    Examples
    --------
    >>> rows = [[1, 1, 0], [1, 0, np.nan], [0, 0, 1]]
    >>> majority_probability(Votes.of(rows, ["a", "b", "c"])).tolist()
    [1.0, 0.5, 0.0]
    """
    share = item_probability(votes, vote_share_weights(len(votes.systems)))
    tie = np.abs(share - 0.5) < HALF
    return np.where(tie | np.isnan(share), np.where(tie, 0.5, np.nan), share > 0.5)


def _estimate_majority(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    relevant = majority_probability(evidence.votes)
    return MethodEstimate(
        SystemFigures(*figures_with_truth(evidence.votes, relevant, evidence.beta)),
        expected_relevant=float(np.nansum(relevant)),
    )


MAJORITY = ConsensusMethod(
    name="majority",
    title="Majority",
    definition="An item is relevant if more than half of the systems vote for it; a tie counts as "
    "half relevant.",
    assumption=COMMON,
    estimate=_estimate_majority,
    order=25,
)


def _estimate_dawid_skene(evidence: VoteEvidence, progress: Progress) -> MethodEstimate:
    accuracy = dawid_skene(evidence.votes, 2, progress=progress)
    figures = figures_with_truth(evidence.votes, accuracy.probability, evidence.beta)
    rounds = counted(accuracy.iterations, "round")
    still = "" if accuracy.converged else "; it did not converge"
    return MethodEstimate(
        SystemFigures(*figures),
        expected_relevant=float(accuracy.probability.sum()),
        remark=f"{rounds}, prevalence {accuracy.prevalence:.3f}{still}",
    )


DAWID_SKENE = ConsensusMethod(
    name="dawid_skene",
    title="Dawid & Skene, two coins",
    definition="Relevance, and the accuracy of each system on relevant and on other items, are "
    "learnt together (Dawid & Skene 1979).",
    assumption=INDEPENDENCE,
    estimate=_estimate_dawid_skene,
    order=30,
)
