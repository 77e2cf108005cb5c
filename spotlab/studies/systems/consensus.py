"""Compares systems by their votes: with and without truth, by several methods side by side.

The method of Lamiroy & Sun (2013), and others where these may say more; what the figures stand on
goes with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.agreement import Agreement, agreement
from spotlab.consensus.answers import Answers
from spotlab.consensus.comparison import Bootstrap, bootstrap
from spotlab.consensus.figures import SystemFigures, nearness
from spotlab.consensus.gram import Gram, gram_of
from spotlab.consensus.groups import Groups, declared_groups, find_groups
from spotlab.consensus.method import (
    COMMON,
    ConsensusMethod,
    Evidence,
    MethodEstimate,
    consensus_methods,
    estimate_by_weights,
)
from spotlab.consensus.methods.lamiroy_sun import METHOD as PAPER
from spotlab.consensus.precision import against_truth
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.formats.votes.format import VoteTable
from spotlab.progress import Progress, silent
from spotlab.studies.systems.consensus_between import Disagreement, disagreements
from spotlab.studies.systems.consensus_case import Case, arrange
from spotlab.studies.systems.consensus_groups import (
    GroupComparison,
    compare_groups,
    labels_of,
    offer_corrections,
)
from spotlab.studies.systems.consensus_items import DisputedItems, most_disputed
from spotlab.studies.systems.consensus_methods import (
    MethodResult,
    judge_by_answers,
    results_of,
)
from spotlab.studies.systems.consensus_warnings import warnings_of

MOST_DISPUTED = 20


@dataclass(frozen=True, eq=False)
class SystemComparison:
    """Systems, and all that is known of how good they are.

    Attributes
    ----------
    table : VoteTable
    votes : Votes
        Of the S systems that are compared: all but the oracle.
    weights : dict of str to float
        κ of systems, oracle, ⊤ and ⊥; they sum to 1.
    oracle : str or None
    beta : float
        Of F.
    methods : tuple of MethodResult
        Side by side; the first is the one that is asked for.
    truth : SystemFigures or None
        The same figures with truth.
    agreement : Agreement
    found : Groups
        Systems that seem to err together.
    declared : Groups or None
        By a factor of theirs.
    group_by : str or None
        That factor.
    grouped : tuple of GroupComparison
        Each group by itself: those declared, else those found where systems share them.
    intervals : Bootstrap or None
        Of the paper's method, or by the weights given. Where there are two groups only, nothing is
        said of which of two systems of different groups is better.
    disputed : DisputedItems
    corrections : tuple of MethodResult
        What becomes of the ranking if groups count less: offered, in nothing else applied.
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
    corrections: tuple[MethodResult, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems that are compared."""
        return self.votes.systems

    @cached_property
    def between(self) -> tuple[Disagreement, ...]:
        """Where each two methods disagree."""
        return disagreements(self.methods)

    @property
    def judged(self) -> int | None:
        """Of how many items the truth is known; None where there is none."""
        truth = self.table.truth
        return None if truth is None else int((~np.isnan(truth)).sum())

    @property
    def groups(self) -> Groups:
        """Those declared, else those found."""
        return self.found if self.declared is None else self.declared

    @property
    def main(self) -> MethodResult:
        """What the method that is asked for says."""
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
    least: int = 0,
    progress: Progress = silent,
) -> SystemComparison:
    """Judge systems by what they agree on.

    Parameters
    ----------
    table : VoteTable
    weights : mapping of str to float, optional
        By name, as `weigh` takes them; the paper's where neither these nor an oracle are given.
    oracle : str, optional
        A system whose votes are trusted, or "truth". It is not compared.
    group_by : str, optional
        A factor of the systems: those of the same value are compared among themselves, too.
    methods : sequence of str, optional
        Names of consensus methods, side by side; by default all. Weights that are given come first.
    draws, seed : int
        Of the bootstrap; with 0 draws there are no intervals.
    beta : float
        Of F.
    by_pages : bool
        Draw pages instead of items.
    answers : Answers, optional
        What is known of a few items: one more method, the last, makes the most of them.
    least : int
        Of systems with fewer known votes nothing is said; they vote all the same.
    progress : Progress

    Raises
    ------
    ValueError
        There is no such system, weight, factor or method, or all weights are 0.

    Examples
    --------
    Tables 1 to 3 of the paper:

    >>> found = [[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
    >>> votes = Votes.of(found, ["S1", "S2", "S3"])
    >>> comparison = compare_systems(VoteTable(votes, tuple("1234567")), draws=0)
    >>> comparison.main.figures.precision.round(3).tolist()
    [0.6, 0.667, 0.667]
    >>> [round(value, 3) for value in comparison.main.top]
    [0.486, 1.0]
    """
    chosen = _chosen(methods)
    case = arrange(table, weights, oracle)
    labels = None if group_by is None else labels_of(case.factors, group_by)
    agreed = agreement(case.votes)
    declared = None if labels is None else declared_groups(case.votes.systems, labels, agreed)
    found = find_groups(case.votes, agreed=agreed, seed=seed, progress=progress)
    groups = found if declared is None else declared
    gram = gram_of(case.columns, progress)
    alone = gram.only(range(len(case.votes.systems)))
    evidence = Evidence(case.votes, alone, groups, beta)
    own = weighted_method(gram, case.weights) if case.given else PAPER
    told = case.votes.counts_known >= least
    truth = None
    if table.truth is not None:
        truth = SystemFigures(*against_truth(case.votes, table.truth, beta)).where(told)
    judged = results_of([own, *chosen] if case.given else chosen, evidence, progress)
    if not judged:
        raise ValueError("no method says anything of these votes")
    if answers is not None and len(answers):
        judged.append(judge_by_answers(case.votes, answers, beta, seed, progress))
    judged = [_where(each, told) for each in judged]
    if truth is not None:
        judged = [replace(each, nearness=nearness(each.figures, truth)) for each in judged]
    return SystemComparison(
        table=table,
        votes=case.votes,
        weights=case.by_name,
        oracle=oracle,
        beta=beta,
        seed=seed,
        methods=tuple(judged),
        truth=truth,
        agreement=agreed,
        found=found,
        declared=declared,
        group_by=group_by,
        grouped=tuple(
            replace(each, result=_where(each.result, told[each.systems]))
            for each in compare_groups(
                groups, gram, case.weights, own, truth, beta, fewest=2 if declared is None else 1
            )
        ),
        intervals=_intervals(case, groups, told, draws, seed, beta, by_pages, progress)
        if draws
        else None,
        disputed=most_disputed(case.votes, MOST_DISPUTED),
        corrections=tuple(
            _where(each, told) for each in offer_corrections(evidence, truth, progress)
        ),
        warnings=tuple(
            warnings_of(
                case.votes,
                groups,
                judged[0],
                table.truth,
                oracle,
                least,
                len(set(table.pages)) if by_pages and draws else None,
            )
        ),
    )


def weighted_method(gram: Gram, weights: Weights) -> ConsensusMethod:
    """The method that judges systems by given weights, of all columns of the votes."""

    def estimate(evidence: Evidence, _: Progress) -> MethodEstimate:
        systems = range(len(evidence.votes.systems))
        return estimate_by_weights(gram, weights, evidence.beta, systems)

    return ConsensusMethod(
        "weighted",
        "With the weights given",
        "An item is relevant with the weighted share of votes for it, ⊤, ⊥ and oracle voting too "
        "(eq. 13).",
        COMMON,
        estimate,
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


def _where(result: MethodResult, told: NDArray[np.bool_]) -> MethodResult:
    """Blank the figures of systems that are not reported."""
    own = result.intervals
    return replace(
        result,
        figures=result.figures.where(told),
        intervals=None if own is None else own.where(told),
    )


def _intervals(
    case: Case,
    groups: Groups,
    told: NDArray[np.bool_],
    draws: int,
    seed: int,
    beta: float,
    by_pages: bool,
    progress: Progress,
) -> Bootstrap:
    if by_pages and not case.table.pages:
        raise ValueError("nothing says on which pages the items are; draw items instead")
    page = np.asarray(case.table.pages) if by_pages else None
    found = bootstrap(case.columns, case.weights, draws, seed, page, beta=beta, progress=progress)
    own = len(case.votes.systems)
    better = found.better[:own, :own].copy()
    if groups.only_two:
        better[groups.label[:, None] != groups.label] = np.nan
    better[~told] = better[:, ~told] = np.nan
    return replace(
        found, systems=case.votes.systems,
        precision=np.where(told[:, None], found.precision[:own], np.nan),
        recall=np.where(told[:, None], found.recall[:own], np.nan),
        f=np.where(told[:, None], found.f[:own], np.nan), better=better,
    )  # fmt: skip
