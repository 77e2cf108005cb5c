"""Compare systems by their votes: with and without truth, by several methods side by side.

The method of Lamiroy & Sun (2013), and others where these may say more. The assumption behind the
figures goes with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.agreement import Agreement, measure_agreement
from spotlab.consensus.answers import Answers
from spotlab.consensus.comparison import Bootstrap, bootstrap
from spotlab.consensus.figures import SystemFigures, nearness
from spotlab.consensus.gram import gram_of
from spotlab.consensus.groups import Groups, declared_groups, find_groups
from spotlab.consensus.method import (
    ConsensusMethod,
    Evidence,
    consensus_methods,
)
from spotlab.consensus.methods.lamiroy_sun import METHOD as PAPER
from spotlab.consensus.precision import figures_with_truth
from spotlab.consensus.recommendation import Recommendation
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.systems.comparison_warnings import warnings_of
from spotlab.studies.systems.disputed_items import DisputedItems, most_disputed
from spotlab.studies.systems.group_comparison import (
    GroupComparison,
    compare_groups,
    labels_of,
    offer_corrections,
)
from spotlab.studies.systems.method_disagreement import Disagreement, disagreements
from spotlab.studies.systems.method_results import (
    MethodResult,
    judge_by_answers,
    results_of,
    weighted_method,
)
from spotlab.studies.systems.recommended_result import recommend_result
from spotlab.studies.systems.voters import Voters, arrange_voters, unfound_by

MOST_DISPUTED = 20


@dataclass(frozen=True, eq=False)
class SystemComparison:
    """Systems, with all that is known of how good they are.

    Attributes
    ----------
    table : VoteTable
        The votes as they were read.
    votes : Votes
        Votes of the S systems that are compared: all but the oracle.
    weights : mapping of str to float
        Weights κ of systems, oracle, ⊤ and ⊥, in [0, 1]; they sum to 1.
    oracle : str or None
        Name of the oracle.
    beta : float
        β of F.
    seed : int
        Seed of all draws.
    methods : tuple of MethodResult
        Results of the methods, the main one first.
    truth : SystemFigures or None
        The same figures with truth; recall is of all that is relevant, found or not.
    agreement : Agreement
        Agreement between the systems.
    found : Groups
        Systems that seem to err together.
    declared : Groups or None
        Groups by a factor of the systems.
    group_by : str or None
        Name of that factor.
    grouped : tuple of GroupComparison
        Each group by itself: those declared, else those found where systems share them.
    intervals : Bootstrap or None
        Intervals of the paper's method, or by the weights given. With only two groups, nothing is
        said of which of two systems of different groups is better.
    disputed : DisputedItems
        Items on which the systems disagree most.
    recommendation : Recommendation
        The method to look at first, and why.
    recommended : MethodResult
        Its result.
    corrections : tuple of MethodResult
        Results if groups count less; these are offered and applied nowhere.
    warnings : tuple of str
        What a reader has to know first.
    """

    table: VoteTable
    votes: Votes
    weights: Mapping[str, float]
    oracle: str | None
    beta: float
    seed: int
    methods: tuple[MethodResult, ...]
    truth: SystemFigures | None
    agreement: Agreement
    found: Groups
    declared: Groups | None
    group_by: str | None
    grouped: tuple[GroupComparison, ...]
    intervals: Bootstrap | None
    disputed: DisputedItems
    recommendation: Recommendation
    recommended: MethodResult
    corrections: tuple[MethodResult, ...] = ()
    warnings: tuple[str, ...] = ()

    __repr__ = short_repr

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems that are compared."""
        return self.votes.systems

    @cached_property
    def between(self) -> tuple[Disagreement, ...]:
        """Disagreement of each pair of methods."""
        return disagreements(self.methods)

    @property
    def judged(self) -> int | None:
        """Number of items whose truth is known; None if there is no truth."""
        truth = self.table.truth
        return None if truth is None else int((~np.isnan(truth)).sum())

    @property
    def groups(self) -> Groups:
        """Declared groups, else those found."""
        return self.found if self.declared is None else self.declared

    @property
    def main(self) -> MethodResult:
        """Result of the main method."""
        return self.methods[0]


def compare_systems(
    table: VoteTable,
    weights: Mapping[str, float] | None = None,
    oracle: str | None = None,
    group_by: str | None = None,
    methods: Sequence[str] | None = None,
    draws: int = 1000,
    seed: int = 0,
    *,
    beta: float = 1.0,
    by_pages: bool = False,
    answers: Answers | None = None,
    min_votes: int = 0,
    progress: Progress = silent,
) -> SystemComparison:
    """Compare systems by what they agree on.

    Parameters
    ----------
    table : VoteTable
        Votes of the systems, and truth where it is known.
    weights : mapping of str to float, optional
        Weights by name, as `weigh` takes them; by default those of the paper.
    oracle : str, optional
        A system whose votes are trusted, or "truth". It is not compared.
    group_by : str, optional
        A factor of the systems: those with the same value are also compared among themselves.
    methods : sequence of str, optional
        Names of consensus methods, side by side; by default all. Weights that are given come first.
    draws : int
        Number of bootstrap draws for the intervals; 0 leaves them out.
    seed : int
        Seed of all draws.
    beta : float
        β of F; above 1 recall weighs more.
    by_pages : bool
        True to draw pages instead of items.
    answers : Answers, optional
        Items whose relevance is known, for one more method, the last.
    min_votes : int
        Minimum number of known votes of a system whose figures are reported. Other systems still
        vote.
    progress : callable
        Called with the steps done.

    Returns
    -------
    SystemComparison
        NaN where figures are undefined.

    Raises
    ------
    ValueError
        If there is no such system, weight, factor or method, or all weights are 0.

    Examples
    --------
    Tables 1 to 3 of the paper:

    >>> rows = [[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
    >>> votes = Votes.of(rows, ["S1", "S2", "S3"])
    >>> comparison = compare_systems(VoteTable(votes, tuple("1234567")), draws=0)
    >>> comparison.main.figures.precision.round(3).tolist()
    [0.6, 0.667, 0.667]
    >>> [round(value, 3) for value in comparison.main.top]
    [0.486, 1.0]
    """
    chosen = _chosen(methods)
    voters = arrange_voters(table, weights, oracle)
    labels = None if group_by is None else labels_of(voters.factors, group_by)
    agreement = measure_agreement(voters.votes)
    declared = None if labels is None else declared_groups(voters.votes.systems, labels, agreement)
    found = find_groups(voters.votes, agreement=agreement, seed=seed, progress=progress)
    groups = found if declared is None else declared
    gram = gram_of(voters.columns, progress)
    alone = gram.only(range(len(voters.votes.systems)))
    evidence = Evidence(voters.votes, alone, groups, beta)
    own = weighted_method(gram, voters.weights) if voters.given else PAPER
    reported = voters.votes.counts_known >= min_votes
    truth = None
    if table.truth is not None:
        known = figures_with_truth(voters.votes, table.truth, beta, unfound_by(voters))
        truth = SystemFigures(*known).where(reported)
    results = results_of([own, *chosen] if voters.given else chosen, evidence, progress)
    if not results:
        raise ValueError("no consensus method applies to these votes")
    if answers is not None and len(answers):
        results.append(judge_by_answers(voters.votes, answers, beta, seed, progress))
    corrections = offer_corrections(evidence, progress)
    recommendation, recommended = recommend_result(
        evidence, [*results, *corrections], 0 if answers is None else len(answers), progress
    )

    def seen(result: MethodResult) -> MethodResult:
        return _beside(_blank(result, reported), truth)

    results = [seen(result) for result in results]
    return SystemComparison(
        table=table,
        votes=voters.votes,
        weights=voters.by_name,
        oracle=oracle,
        beta=beta,
        seed=seed,
        methods=tuple(results),
        truth=truth,
        agreement=agreement,
        found=found,
        declared=declared,
        group_by=group_by,
        grouped=tuple(
            replace(result, result=_blank(result.result, reported[result.systems]))
            for result in compare_groups(
                groups,
                gram,
                voters.weights,
                own,
                truth,
                beta,
                min_systems=2 if declared is None else 1,
            )
        ),
        intervals=_intervals(voters, groups, reported, draws, seed, beta, by_pages, progress)
        if draws
        else None,
        disputed=most_disputed(voters.votes, MOST_DISPUTED),
        recommendation=recommendation,
        recommended=seen(recommended),
        corrections=tuple(seen(result) for result in corrections),
        warnings=tuple(
            warnings_of(
                voters.votes,
                groups,
                results[0],
                table.truth,
                oracle,
                min_votes,
                len(set(table.pages)) if by_pages and draws else None,
            )
        ),
    )


def _chosen(names: Sequence[str] | None) -> list[ConsensusMethod]:
    """The methods of these names, or all."""
    known = consensus_methods()
    if names is None:
        return list(known.values())
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None or not names:
        raise ValueError(f"there is no method {unknown!r}; there are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)]


def _blank(result: MethodResult, reported: NDArray[np.bool_]) -> MethodResult:
    """Blank the figures of systems that are not reported."""
    own = result.intervals
    return replace(
        result,
        figures=result.figures.where(reported),
        intervals=None if own is None else own.where(reported),
    )


def _beside(result: MethodResult, truth: SystemFigures | None) -> MethodResult:
    """Add how close the figures are to those with truth."""
    return result if truth is None else replace(result, nearness=nearness(result.figures, truth))


def _intervals(
    voters: Voters,
    groups: Groups,
    reported: NDArray[np.bool_],
    draws: int,
    seed: int,
    beta: float,
    by_pages: bool,
    progress: Progress,
) -> Bootstrap:
    if by_pages and not voters.table.pages:
        raise ValueError("the pages of the items are unknown; resample items instead")
    page = np.asarray(voters.table.pages) if by_pages else None
    intervals = bootstrap(
        voters.columns, voters.weights, draws, seed, page, beta=beta, progress=progress
    )
    own = len(voters.votes.systems)
    superiority = intervals.superiority[:own, :own].copy()
    if groups.only_two:
        superiority[groups.label[:, None] != groups.label] = np.nan
    superiority[~reported] = superiority[:, ~reported] = np.nan
    return replace(
        intervals, systems=voters.votes.systems,
        precision=np.where(reported[:, None], intervals.precision[:own], np.nan),
        recall=np.where(reported[:, None], intervals.recall[:own], np.nan),
        f=np.where(reported[:, None], intervals.f[:own], np.nan), superiority=superiority,
    )  # fmt: skip
