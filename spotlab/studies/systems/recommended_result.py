"""The result of the method that is recommended for the votes."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.consensus.method import Evidence, consensus_methods
from spotlab.consensus.recommendation import Recommendation, recommend
from spotlab.progress import Progress
from spotlab.studies.systems.method_results import MethodResult, results_of


def recommend_result(
    evidence: Evidence, results: Sequence[MethodResult], answers: int, progress: Progress
) -> tuple[Recommendation, MethodResult]:
    """Recommend a method and give its result.

    Parameters
    ----------
    evidence : Evidence
        Votes and groups of the systems.
    results : sequence of MethodResult
        Results of methods and corrections; those that are needed and missing are computed.
    answers : int
        Number of items whose relevance is known.

    Returns
    -------
    recommendation : Recommendation
        The method and the reason for it.
    recommended : MethodResult
        Its result.
    """
    named = {result.name: result for result in results}
    answers = answers if "answers" in named else 0
    first = recommend(evidence.votes, evidence.groups, answers=answers)
    every = {**consensus_methods(), **consensus_methods(corrects_groups=True)}
    missing = [
        every[name]
        for name in ("majority", "dawid_skene", first.method)
        if name not in named and name in every
    ]
    named.update({each.name: each for each in results_of(missing, evidence, progress)})
    figures = {name: result.figures for name, result in named.items()}
    recommendation = recommend(evidence.votes, evidence.groups, figures, answers)
    return recommendation, named[recommendation.method]
