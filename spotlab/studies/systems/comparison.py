"""Compare systems by their votes: with and without truth, by several methods side by side.

The method of Lamiroy & Sun (2013), and others where these may say more. The assumption behind the
figures goes with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.agreement import (
    Agreement,
    Groups,
    declared_groups,
    find_groups,
    measure_agreement,
)
from spotlab.consensus.answers import KnownAnswers
from spotlab.consensus.comparison import (
    COMPARED,
    Recommendation,
    SystemFigures,
    kendall,
    nearness,
    recommend,
)
from spotlab.consensus.method import ConsensusMethod, VoteEvidence, consensus_methods
from spotlab.consensus.methods.of_votes import LAMIROY_SUN as PAPER
from spotlab.consensus.precision import figures_with_truth, gram_of
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.systems.method_results import (
    GIVEN_WEIGHTS,
    GroupComparison,
    MethodResult,
    compare_groups,
    judge_by_answers,
    labels_of,
    offer_corrections,
    results_of,
    weighted_method,
)
from spotlab.studies.systems.voters import arrange_voters, unfound_by

FEWEST_SYSTEMS = 3


def warnings_of(
    votes: Votes,
    groups: Groups,
    main: MethodResult,
    truth: Floats | None,
    oracle: str | None,
    min_votes: int = 0,
) -> Iterator[str]:
    """List the warnings, the most important first.

    Parameters
    ----------
    votes : Votes
        Votes of the systems that are compared.
    groups : Groups
        Declared groups, else those found.
    main : MethodResult
        Result of the main method.
    truth : (N,) float or None
        NaN where unknown.
    oracle : str or None
        Name of the oracle.
    min_votes : int
        Minimum number of known votes of a system whose figures are reported.

    Yields
    ------
    str
        One sentence or more.
    """
    if groups.warning is not None:
        yield groups.warning
    if groups.remark:
        yield groups.remark
    if groups.only_two:
        yield (
            "Systems of different groups are not compared with each other, because the members of "
            "each group confirm one another."
        )
    if len(votes.systems) < FEWEST_SYSTEMS and oracle is None:
        count = "one system agrees" if len(votes.systems) == 1 else "two systems agree"
        yield f"There are too few systems: {count} only with each other; three or more are needed."
    voted, counts = votes.counts_known > 0, votes.counts_for
    silent = [name for name, known in zip(votes.systems, voted, strict=True) if not known]
    if silent:
        yield f"{_listed(silent)}: no vote is known, so no figure is defined."
    nothing = [
        name
        for name, known, count in zip(votes.systems, voted, counts, strict=True)
        if known and count == 0
    ]
    if nothing:
        yield f"{_listed(nothing)} votes for nothing: precision is undefined."
    fewer = int((voted & (votes.counts_known < min_votes)).sum())
    if fewer:
        yield (
            f"{fewer:,} of {len(votes.systems):,} systems have fewer than {min_votes:,} known "
            "votes: they still vote, but their figures are not reported."
        )
    if main.remark:
        yield f"{main.title}: {main.remark}."
    if truth is not None:
        judged = int((~np.isnan(truth)).sum())
        if judged < len(truth):
            yield (
                f"Truth is known for {judged:,} of {len(truth):,} items; figures with truth use "
                "only these."
            )


def _listed(names: Sequence[str], most: int = 6) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")


@dataclass(frozen=True, eq=False)
class DisputedItems:
    """Items, the most disputed first.

    Attributes
    ----------
    items : (K,) int
        Indices of the items.
    share : (K,) float
        Share of the known votes that are for the item, in [0, 1].
    known : (K,) int
        Number of systems that voted.
    votes : (K, S) float
        Their votes, NaN where unknown.
    """

    items: NDArray[np.int64]
    share: Floats
    known: NDArray[np.int64]
    votes: Floats

    __repr__ = short_repr


def most_disputed(votes: Votes, count: int) -> DisputedItems:
    """Find the items whose votes are split most evenly; among equals, those with most votes.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    count : int
        Maximum number of items.

    Returns
    -------
    DisputedItems
        Without items on which all known votes are the same yes or no.

    Examples
    --------
    >>> votes = Votes.of([[1, 1, 1], [1, 0, np.nan], [1, 0, 0], [0, 0, 1]], ["a", "b", "c"])
    >>> most_disputed(votes, 2).items.tolist()
    [1, 2]
    """
    share, known = _shares(votes)
    split = np.nan_to_num(share * (1 - share))
    order = np.lexsort((np.arange(len(share)), -known, -np.round(split, 12)))[:count]
    items = order[split[order] > 0].astype(np.int64)
    return DisputedItems(items, share[items], known[items], votes.rows(items))


def _shares(votes: Votes) -> tuple[Floats, NDArray[np.int64]]:
    share, known = np.full(len(votes), np.nan), np.zeros(len(votes), np.int64)
    for start, part in votes.spans():
        here = slice(start, start + len(part))
        there = ~np.isnan(part)
        known[here] = there.sum(axis=1)
        for_ = np.where(there, part, 0.0).sum(axis=1)
        np.divide(for_, known[here], out=share[here], where=known[here] > 0)
    return share, known


def recommend_result(
    evidence: VoteEvidence, results: Sequence[MethodResult], answers: int, progress: Progress
) -> tuple[Recommendation, MethodResult]:
    """Recommend a method and give its result.

    Parameters
    ----------
    evidence : VoteEvidence
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
        every[name] for name in (*COMPARED, first.method) if name not in named and name in every
    ]
    named.update({each.name: each for each in results_of(missing, evidence, progress)})
    figures = {name: result.figures for name, result in named.items()}
    intervals = {name: result.intervals for name, result in named.items()}
    recommendation = recommend(evidence.votes, evidence.groups, figures, answers, intervals)
    return recommendation, named[recommendation.method]


@dataclass(frozen=True)
class Disagreement:
    """Two methods compared.

    Attributes
    ----------
    first, second : MethodResult
        Their results.
    kendall : float or None
        Rank correlation of their F, in [-1, 1].
    turned, pairs : int
        Number of pairs of systems that they order differently, and that both order.
    system : int or None
        Index of the system whose rank differs most; None if none differs.
    """

    first: MethodResult
    second: MethodResult
    kendall: float | None
    turned: int
    pairs: int
    system: int | None

    def sentence(self, systems: Sequence[str]) -> str:
        """Describe the disagreement.

        Parameters
        ----------
        systems : sequence of str
            Names of the systems.

        Returns
        -------
        str
            One sentence.
        """
        names = f"{self.first.title} and {self.second.title}"
        if not self.pairs:
            return f"{names} have no pair of systems in common to rank."
        if self.system is None:
            return f"{names} rank all systems alike."
        ranks = [method.figures.rank[self.system] for method in (self.first, self.second)]
        tau = "" if self.kendall is None else f" (τ {self.kendall:.2f})".replace("-", "−")
        return (
            f"{names} order {self.turned:,} of {self.pairs:,} pairs differently{tau}; the largest "
            "difference in rank is that of "
            f"{systems[self.system]}, rank {ranks[0]:.0f} and {ranks[1]:.0f}."
        )


def disagreements(methods: Sequence[MethodResult]) -> tuple[Disagreement, ...]:
    """Compare each pair of methods.

    Parameters
    ----------
    methods : sequence of MethodResult
        Results for the same systems.

    Returns
    -------
    tuple of Disagreement
        Empty for fewer than two methods.

    Examples
    --------
    >>> from spotlab.consensus.comparison import SystemFigures
    >>> one, other = (MethodResult(name, name, "", "", SystemFigures(*[np.array(f)] * 3))
    ...               for name, f in (("x", [0.9, 0.5, 0.4]), ("y", [0.3, 0.5, 0.4])))
    >>> disagreements([one, other])[0].sentence("abc").partition(";")[0]
    'x and y order 2 of 3 pairs differently (τ −0.33)'
    """
    return tuple(
        _disagreement(one, other)
        for place, one in enumerate(methods)
        for other in methods[place + 1 :]
    )


def _disagreement(one: MethodResult, other: MethodResult) -> Disagreement:
    first, second = one.figures.rank, other.figures.rank
    above = np.sign(first[:, None] - first), np.sign(second[:, None] - second)
    upper = np.triu(np.ones(above[0].shape, bool), 1)
    ordered = upper & (np.abs(above[0] * above[1]) == 1)  # a tie orders nothing; NaN neither
    turned = ordered & (above[0] != above[1])
    moved = np.nan_to_num(np.abs(first - second))
    most = int(moved.argmax()) if len(moved) and moved.any() else None
    return Disagreement(
        one, other, kendall(one.figures.f, other.figures.f), int(turned.sum()),
        int(ordered.sum()), most,
    )  # fmt: skip


def _once(*results: MethodResult) -> tuple[MethodResult, ...]:
    """Drop results whose name an earlier one has."""
    named: dict[str, MethodResult] = {}
    for each in results:
        named.setdefault(each.name, each)
    return tuple(named.values())


MOST_DISPUTED = 20
SUPERIORITY = (
    "By the recommended estimate. Errors that the systems share are allowed for, as far as sets of "
    "votes with known truth have shown them."
)


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
        """Disagreement of each pair of methods in sight."""
        return disagreements(self.in_sight)

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

    @property
    def leading(self) -> MethodResult:
        """Result that tables lead with: by the weights that were given, else the recommended."""
        return self.main if self.main.name == GIVEN_WEIGHTS else self.recommended

    @property
    def in_sight(self) -> tuple[MethodResult, ...]:
        """Results to show where not all are asked for, the leading one first.

        The recommended, the paper's, the majority, and those by weights and answers that were
        given.
        """
        names = (GIVEN_WEIGHTS, "paper", "majority", "answers")
        named = (each for each in self.methods if each.name in names)
        return _once(self.leading, self.recommended, *named)

    @property
    def every(self) -> tuple[MethodResult, ...]:
        """Results of all methods and corrections, those of `in_sight` first."""
        return _once(*self.in_sight, *self.methods, *self.corrections)

    @cached_property
    def superiority(self) -> NDArray[np.float64] | None:
        """Chance that the row's system has a higher F than the column's, (S, S) in [0, 1].

        By the recommended estimate; None where that has no intervals. NaN for systems of different
        groups if there are only two groups, for no method can tell which group is right.
        """
        found = self.recommended
        if found.intervals is None:
            return None
        chance = found.intervals.superiority(found.figures.f)
        if self.groups.only_two and found.name != "answers":
            chance[self.groups.label[:, None] != self.groups.label] = np.nan
        return chance


def compare_systems(
    table: VoteTable,
    weights: Mapping[str, float] | None = None,
    oracle: str | None = None,
    group_by: str | None = None,
    methods: Sequence[str] | None = None,
    seed: int = 0,
    *,
    beta: float = 1.0,
    answers: KnownAnswers | None = None,
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
        A system whose votes are trusted, "truth", or "answers", the known relevance of some items
        (Lamiroy & Sun 2013, §5.1). It is not compared.
    group_by : str, optional
        A factor of the systems: those with the same value are also compared among themselves.
    methods : sequence of str, optional
        Names of consensus methods, side by side; by default all. Weights that are given come first.
    seed : int
        Seed of all draws.
    beta : float
        β of F; above 1 recall weighs more.
    answers : KnownAnswers, optional
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
    >>> comparison = compare_systems(VoteTable(votes, tuple("1234567")))
    >>> comparison.main.figures.precision.round(3).tolist()
    [0.6, 0.667, 0.667]
    >>> [round(value, 3) for value in comparison.main.top]
    [0.486, 1.0]
    """
    chosen = _chosen(methods)
    voters = arrange_voters(table, weights, oracle, answers)
    labels = None if group_by is None else labels_of(voters.factors, group_by)
    agreement = measure_agreement(voters.votes)
    declared = None if labels is None else declared_groups(voters.votes.systems, labels, agreement)
    found = find_groups(voters.votes, agreement=agreement, seed=seed, progress=progress)
    groups = found if declared is None else declared
    gram = gram_of(voters.columns, progress)
    alone = gram.only(range(len(voters.votes.systems)))
    evidence = VoteEvidence(voters.votes, alone, groups, beta)
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
        disputed=most_disputed(voters.votes, MOST_DISPUTED),
        recommendation=recommendation,
        recommended=seen(recommended),
        corrections=tuple(seen(result) for result in corrections),
        warnings=tuple(
            warnings_of(voters.votes, groups, results[0], table.truth, oracle, min_votes)
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
