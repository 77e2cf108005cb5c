"""Results of the consensus methods, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from spotlab.consensus.answers import Answers, estimate_with_answers
from spotlab.consensus.estimates import Estimates
from spotlab.consensus.figures import Nearness, SystemFigures, SystemIntervals, at_beta
from spotlab.consensus.gram import Gram
from spotlab.consensus.group_correction import intervals_of
from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    Evidence,
    MethodEstimate,
    estimate_by_weights,
)
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.progress import Progress
from spotlab.representation import short_repr

Pair = tuple[float | None, float | None]


@dataclass(frozen=True, eq=False)
class MethodResult:
    """What one way to judge says of S systems.

    Attributes
    ----------
    name, title, definition : str
        Name in files, name for people, and what the method does.
    assumption : str
        Assumption behind the figures, for a caption.
    figures : SystemFigures
        Of the systems.
    top : (precision, recall) or None
        Of ⊤, which votes for everything, in [0, 1]; None if the method does not say.
    expected_relevant : float or None
        Expected number of relevant items, ΣP(δ).
    nearness : Nearness or None
        How close the figures are to those with truth, where that is known.
    remark : str
        Remark for people.
    intervals : SystemIntervals or None
        Intervals of the figures, if the method gives them.
    """

    name: str
    title: str
    definition: str
    assumption: str
    figures: SystemFigures
    top: Pair | None = None
    expected_relevant: float | None = None
    nearness: Nearness | None = None
    remark: str = ""
    intervals: SystemIntervals | None = None

    __repr__ = short_repr


def result_of(method: ConsensusMethod, estimate: MethodEstimate) -> MethodResult:
    """Join a method and its estimate."""
    return MethodResult(
        method.name,
        method.title,
        method.definition,
        estimate.assumption or method.assumption,
        estimate.figures,
        estimate.top,
        estimate.expected_relevant,
        remark=estimate.remark,
        intervals=estimate.intervals,
    )


def results_of(
    methods: Iterable[ConsensusMethod], evidence: Evidence, progress: Progress
) -> list[MethodResult]:
    """Run methods; those of other packages that fail are left out."""
    pairs = [(method, method.run(evidence, progress)) for method in methods]
    return [result_of(method, estimate) for method, estimate in pairs if estimate is not None]


def weighted_method(gram: Gram, weights: Weights) -> ConsensusMethod:
    """Make the method that judges systems by given weights.

    Parameters
    ----------
    gram : Gram
        Votes of the systems, then of the oracle if there is one.
    weights : Weights
        Weights of all these, ⊤ and ⊥.

    Returns
    -------
    ConsensusMethod
        Named "weighted".
    """

    def estimate(evidence: Evidence, _: Progress) -> MethodEstimate:
        systems = range(len(evidence.votes.systems))
        return estimate_by_weights(gram, weights, evidence.beta, systems)

    return ConsensusMethod(
        "weighted",
        "Given weights",
        "Probability of relevance: the weighted share of votes for an item, including those of ⊤, "
        "⊥ and an oracle (Lamiroy & Sun 2013, eq. 13).",
        COMMON,
        estimate,
    )


def judge_by_answers(
    votes: Votes, answers: Answers, beta: float, seed: int, progress: Progress
) -> MethodResult:
    """Estimate figures from the votes and items whose relevance is known.

    Parameters
    ----------
    votes : Votes
        Votes of S systems.
    answers : Answers
        Items whose relevance is known.
    beta : float
        β of F.
    seed : int
        Seed of the repetitions for the intervals.
    progress : callable
        Called with the parts done.

    Returns
    -------
    MethodResult
        F has intervals for β = 1 only.
    """
    estimates = estimate_with_answers(votes, answers, seed=seed, progress=progress)
    return answered_result(estimates, len(answers), beta)


def answered_result(estimates: Estimates, answers: int, beta: float = 1.0) -> MethodResult:
    """Make a result of estimates from votes and answers.

    Parameters
    ----------
    estimates : Estimates
        From votes and answers.
    answers : int
        Number of answers.
    beta : float
        β of F.

    Returns
    -------
    MethodResult
        Named "answers".
    """
    return MethodResult(
        "answers",
        "With answers",
        "Probability of relevance: a model that is fitted to the items of known relevance.",
        estimates.assumption,
        at_beta(estimates.precision, estimates.recall, beta),
        expected_relevant=float(np.nansum(estimates.probability)),
        remark=f"answers: {answers:,}",
        intervals=intervals_of(estimates, beta),
    )
