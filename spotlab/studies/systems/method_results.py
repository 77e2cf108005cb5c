"""Results of the consensus methods, side by side, for all systems and for each group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.agreement import Groups
from spotlab.consensus.answers import KnownAnswers, estimate_with_answers
from spotlab.consensus.comparison import Nearness, SystemFigures, SystemIntervals, at_beta, nearness
from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    MethodEstimate,
    VoteEvidence,
    consensus_methods,
    estimate_by_weights,
    intervals_of,
)
from spotlab.consensus.precision import Estimates, Gram, Weights
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

Pair = tuple[float | None, float | None]
GIVEN_WEIGHTS = "weighted"  # name of the method that judges by weights of a user


@dataclass(frozen=True, eq=False)
class MethodResult:
    """Result of one evaluation method for S systems.

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
    methods: Iterable[ConsensusMethod], evidence: VoteEvidence, progress: Progress
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

    def estimate(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
        systems = range(len(evidence.votes.systems))
        return estimate_by_weights(gram, weights, evidence.beta, systems, evidence.shared_error)

    return ConsensusMethod(
        GIVEN_WEIGHTS,
        "Given weights",
        "Probability of relevance: the weighted share of votes for an item, including those of ⊤, "
        "⊥ and an oracle (Lamiroy & Sun 2013, eq. 13).",
        COMMON,
        estimate,
    )


def judge_by_answers(
    votes: Votes, answers: KnownAnswers, beta: float, seed: int, progress: Progress
) -> MethodResult:
    """Estimate figures from the votes and items whose relevance is known.

    Parameters
    ----------
    votes : Votes
        Votes of S systems.
    answers : KnownAnswers
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
        estimates.top,
        expected_relevant=float(np.nansum(estimates.probability)),
        remark=f"answers: {answers:,}",
        intervals=intervals_of(estimates, beta),
    )


NO_VALUE = "without a value"


@dataclass(frozen=True, eq=False)
class GroupComparison:
    """The systems of one group, judged by each other.

    Attributes
    ----------
    name : str
        Name of the group.
    systems : (G,) int
        Indices of its systems among all that are compared.
    result : MethodResult
        Figures, and how close they are to those with truth, within the group.
    truth : SystemFigures or None
        Figures with truth, ranked within the group.
    """

    name: str
    systems: NDArray[np.int64]
    result: MethodResult
    truth: SystemFigures | None

    __repr__ = short_repr


def labels_of(factors: Mapping[str, Sequence[str]], factor: str) -> tuple[str, ...]:
    """Value of a factor for every system.

    Parameters
    ----------
    factors : mapping of str to sequence of str
        Values of each factor.
    factor : str
        Name of one of them.

    Returns
    -------
    tuple of str
        "without a value" where there is none.

    Raises
    ------
    ValueError
        If there is no such factor.
    """
    if factor not in factors:
        there = ", ".join(factors) if factors else "none; a line #name in the votes defines one"
        raise ValueError(f"there is no factor {factor!r}; there are {there}")
    return tuple(value or NO_VALUE for value in factors[factor])


def compare_groups(
    groups: Groups,
    gram: Gram,
    weights: Weights,
    method: ConsensusMethod,
    truth: SystemFigures | None,
    beta: float,
    min_systems: int = 1,
) -> tuple[GroupComparison, ...]:
    """Judge each system by those of its group, ⊤, ⊥ and oracles.

    Parameters
    ----------
    groups : Groups
        Groups of the systems that are compared.
    gram : Gram
        Votes of the systems, then of the oracles.
    weights : Weights
        Weights of all these; they are renormalised within a group.
    method : ConsensusMethod
        Name and definition of the result.
    truth : SystemFigures or None
        Figures with truth.
    beta : float
        β of F.
    min_systems : int
        Minimum number of systems; smaller groups are left out.

    Returns
    -------
    tuple of GroupComparison
        In the order of the groups.
    """
    oracles = np.arange(len(groups.systems), len(gram.systems))
    comparisons = []
    for number, name in enumerate(groups.names):
        systems = np.flatnonzero(groups.label == number)
        if len(systems) < min_systems:
            continue
        columns = np.concatenate([systems, oracles])
        own = Weights(weights.systems[columns], weights.top, weights.bottom)
        estimate = replace(
            estimate_by_weights(gram.only(columns), own, beta, range(len(systems))), intervals=None
        )
        result = result_of(method, estimate)
        real = None if truth is None else truth.only(systems)
        if real is not None:
            result = replace(result, nearness=nearness(result.figures, real))
        comparisons.append(GroupComparison(name, systems, result, real))
    return tuple(comparisons)


def offer_corrections(evidence: VoteEvidence, progress: Progress) -> tuple[MethodResult, ...]:
    """Run every correction for groups.

    Parameters
    ----------
    evidence : VoteEvidence
        Votes and groups of the systems.
    progress : callable
        Called with the number of corrections done.

    Returns
    -------
    tuple of MethodResult
        Empty where no systems share a group.
    """
    if not evidence.groups.together:
        return ()
    methods = track(
        list(consensus_methods(corrects_groups=True).values()), progress, "correcting for groups"
    )
    return tuple(results_of(methods, evidence, silent))
