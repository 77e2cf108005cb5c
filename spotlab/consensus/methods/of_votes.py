"""Methods that estimate relevance from the votes of all systems."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.consensus.accuracy import INDEPENDENCE, dawid_skene, fit_shared_errors
from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    MethodEstimate,
    VoteEvidence,
    estimate_by_weights,
    method_estimate,
)
from spotlab.consensus.precision import (
    Weights,
    estimate,
    item_probability,
    uniform_weights,
    vote_share_weights,
)
from spotlab.consensus.votes import Votes
from spotlab.errors import counted
from spotlab.progress import Progress, silent


def _judge(
    evidence: VoteEvidence, probability: Floats, assumption: str, remark: str = ""
) -> MethodEstimate:
    found = estimate(evidence.votes, probability, assumption, evidence.shared_error)
    return method_estimate(found, evidence.beta, remark)


def _by_weights(evidence: VoteEvidence, weights: Weights) -> MethodEstimate:
    return estimate_by_weights(evidence.gram, weights, evidence.beta, shared=evidence.shared_error)


def _estimate_lamiroy_sun(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
    return _by_weights(evidence, uniform_weights(len(evidence.votes.systems)))


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
    return _by_weights(evidence, vote_share_weights(len(evidence.votes.systems)))


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
    return _judge(evidence, majority_probability(evidence.votes), COMMON)


MAJORITY = ConsensusMethod(
    name="majority",
    title="Majority",
    definition="An item is relevant if more than half of the systems vote for it; a tie counts as "
    "half relevant.",
    assumption=COMMON,
    estimate=_estimate_majority,
    order=25,
)


LEARNT = 2 / 3  # of the mean; better than half in families of votes that it was not chosen on


def shared_errors_probability(votes: Votes, progress: Progress = silent) -> tuple[Floats, float]:
    """Mean of the majority's opinion and of that of `fit_shared_errors`, which counts twice.

    Parameters
    ----------
    votes : Votes
        N items, S systems; unknown votes are ignored.
    progress : callable
        Called with the number of rounds done.

    Returns
    -------
    probability : (N,) float
        In [0, 1]; the prevalence where nobody voted.
    weight : float
        Weight of a vote, as `fit_shared_errors` finds it.

    Examples
    --------
    >>> rows = [[1, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0], [0, 0, 1]]
    >>> shared_errors_probability(Votes.of(rows, ["a", "b", "c"]))[0].round(1).tolist()
    [0.9, 0.8, 0.9, 0.2, 0.0, 0.2]
    """
    accuracy, weight = fit_shared_errors(votes, progress)
    majority = majority_probability(votes)
    learnt = accuracy.probability
    return np.where(np.isnan(majority), learnt, LEARNT * learnt + (1 - LEARNT) * majority), weight


def _estimate_shared_errors(evidence: VoteEvidence, progress: Progress) -> MethodEstimate:
    probability, weight = shared_errors_probability(evidence.votes, progress)
    said = f"a vote counts for {weight:g} of one that errs by itself"
    return _judge(evidence, probability, SHARED_ERRORS.assumption, said)


SHARED_ERRORS = ConsensusMethod(
    name="shared_errors",
    title="Shared errors",
    definition="The mean of the majority and, with twice its weight, of a model that learns how "
    "often each system is right and how often systems are wrong on the same items.",
    assumption="Assumes that systems are better than chance on average, and that no error is made "
    "by nearly all of them.",
    estimate=_estimate_shared_errors,
    order=15,
)


def _estimate_dawid_skene(evidence: VoteEvidence, progress: Progress) -> MethodEstimate:
    accuracy = dawid_skene(evidence.votes, progress=progress)
    rounds = counted(accuracy.iterations, "round")
    still = "" if accuracy.converged else "; it did not converge"
    said = f"{rounds}, prevalence {accuracy.prevalence:.3f}{still}"
    return _judge(evidence, accuracy.probability, INDEPENDENCE, said)


DAWID_SKENE = ConsensusMethod(
    name="dawid_skene",
    title="Dawid & Skene",
    definition="Relevance, and the accuracy of each system on relevant and on other items, are "
    "learnt together (Dawid & Skene 1979).",
    assumption=INDEPENDENCE,
    estimate=_estimate_dawid_skene,
    order=30,
)
