"""A consensus method, and the corrections that keep a group from confirming itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.agreement import Groups
from spotlab.consensus.comparison import (
    SystemFigures,
    SystemIntervals,
    at_beta,
    describe_pool,
    shared_error,
)
from spotlab.consensus.precision import (
    Estimates,
    Gram,
    Weights,
    consensus_of,
    estimate,
    intervals_of_sums,
    sums_of,
)
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress
from spotlab.registry import discover, guarded
from spotlab.representation import short_repr

COMMON = "Assumes that systems err in different ways, so that what most of them believe is true."
# what else can be looked at beside the methods: figures with truth, by given weights, with answers
RESERVED = frozenset({"truth", "weights", "weighted", "answers"})


@dataclass(frozen=True, eq=False)
class VoteEvidence:
    """Evidence about S systems that is available without truth.

    Attributes
    ----------
    votes : Votes
        Votes of the systems on N items.
    gram : Gram
        Sums of the same votes.
    groups : Groups
        Systems that err together, declared or found; each by itself where none do.
    beta : float
        β of F, a ratio; above 1 recall weighs more.
    """

    votes: Votes
    gram: Gram
    groups: Groups
    beta: float = 1.0

    __repr__ = short_repr

    @cached_property
    def shared_error(self) -> float:
        """Variance that any number of items leaves; see `consensus.comparison.shared_error`."""
        return shared_error(describe_pool(self.votes))


@dataclass(frozen=True, eq=False)
class MethodEstimate:
    """Estimates of a method for S systems.

    Attributes
    ----------
    figures : SystemFigures
        Of the systems, in the order of the votes.
    top : (precision, recall), each float or None
        Of ⊤, which votes for everything, in [0, 1]; None if the method does not say.
    expected_relevant : float or None
        Expected number of relevant items; None if the method does not say.
    remark : str
        Remark on this estimate, for people.
    intervals : SystemIntervals or None
        Intervals of the figures, if the method gives them.
    assumption : str
        Assumption behind this estimate; empty for that of the method.
    """

    figures: SystemFigures
    top: tuple[float | None, float | None] | None = None
    expected_relevant: float | None = None
    remark: str = ""
    intervals: SystemIntervals | None = None
    assumption: str = ""


@dataclass(frozen=True)
class ConsensusMethod:
    """A way to judge systems without truth.

    Attributes
    ----------
    name : str
        Name in commands and files.
    title : str
        Name for people.
    definition : str
        What it does, in one sentence with the source, for a tooltip.
    assumption : str
        Assumption behind its figures, for a caption.
    estimate : callable
        ``estimate(evidence, progress) -> MethodEstimate``.
    corrects_groups : bool
        Whether it is a correction for groups of systems that err together. A correction is only
        offered, where systems share groups: they may agree because they are good, and then it does
        harm.
    order : int
        Position among the methods; smaller comes first.
    """

    name: str
    title: str
    definition: str
    assumption: str
    estimate: Callable[[VoteEvidence, Progress], MethodEstimate]
    corrects_groups: bool = False
    order: int = 100

    def run(self, evidence: VoteEvidence, progress: Progress) -> MethodEstimate | None:
        """Estimate the figures of the systems.

        Parameters
        ----------
        evidence : VoteEvidence
            What is known of S systems.
        progress : callable
            Called with the steps done.

        Returns
        -------
        MethodEstimate or None
            None if the method comes from another package and fails; `registry.problems` says why.

        Examples
        --------
        >>> from spotlab.consensus.precision import gram_of
        >>> from spotlab.consensus.agreement import find_groups
        >>> from spotlab.progress import silent
        >>> votes = Votes.of([[1, 1], [1, 0], [0, 1]], ["a", "b"])
        >>> evidence = VoteEvidence(votes, gram_of(votes), find_groups(votes))
        >>> consensus_methods()["share"].run(evidence, silent).figures.precision.tolist()
        [0.75, 0.75]
        """
        estimate: MethodEstimate | None = guarded(self, lambda: self._checked(evidence, progress))
        return estimate

    def _checked(self, evidence: VoteEvidence, progress: Progress) -> MethodEstimate:
        estimate = self.estimate(evidence, progress)
        if not isinstance(estimate, MethodEstimate):
            raise TypeError(f"gives {type(estimate).__name__}, expected MethodEstimate")
        size = len(evidence.votes.systems)
        figures = estimate.figures
        for column in (figures.precision, figures.recall, figures.f):
            if np.shape(column) != (size,):
                raise ValueError(f"gives figures of shape {np.shape(column)}, expected ({size},)")
        return estimate


def consensus_methods(corrects_groups: bool = False) -> dict[str, ConsensusMethod]:
    """List the consensus methods; one file each in `spotlab.consensus.methods`.

    Parameters
    ----------
    corrects_groups : bool
        True for the corrections for groups, False for all other methods.

    Returns
    -------
    dict of str to ConsensusMethod
        By name, in the order in which they are shown.
    """
    every = discover("spotlab.consensus.methods", ConsensusMethod, RESERVED).values()
    chosen = [method for method in every if method.corrects_groups == corrects_groups]
    return {method.name: method for method in sorted(chosen, key=lambda method: method.order)}


def estimate_by_weights(
    gram: Gram,
    weights: Weights,
    beta: float = 1.0,
    systems: Sequence[int] | None = None,
    shared: float = 0.05,
) -> MethodEstimate:
    """Estimate the figures of systems by the weighted share of votes.

    Parameters
    ----------
    gram : Gram
        Votes of S systems, oracles among them.
    weights : Weights
        Weights of the systems, ⊤ and ⊥.
    beta : float
        β of F; above 1 recall weighs more.
    systems : sequence of int, optional
        Indices of the systems to report; by default all.
    shared : float
        As for `estimate`, of errors that systems share. What systems that are not reported are
        given in weight lessens it: they are oracles.

    Returns
    -------
    MethodEstimate
        NaN where undefined, as in `consensus_of`. Intervals (95 %) of F for β = 1 only.

    Notes
    -----
    Lamiroy & Sun (2013), eqs. 11 to 13.

    Examples
    --------
    >>> from spotlab.consensus.precision import gram_of
    >>> from spotlab.consensus.precision import vote_share_weights
    >>> gram = gram_of(Votes.of([[1, 1], [1, 0], [0, 1]], ["a", "b"]))
    >>> estimate_by_weights(gram, vote_share_weights(2), systems=[0]).figures.precision.tolist()
    [0.75]
    """
    consensus = consensus_of(gram, weights, beta)
    index = np.arange(len(gram.systems)) if systems is None else np.asarray(systems, np.int64)
    figures = SystemFigures(consensus.precision, consensus.recall, consensus.f).only(index)
    left_out = consensus.undefined_items
    of_oracles = np.delete(consensus.weights.columns(len(gram.systems)), index).sum()
    relevant, retrieved, possible = (part[index] for part in sums_of(gram, consensus.weights))
    shared *= max(1 - float(of_oracles), 0.0)
    precision, recall, f = intervals_of_sums(relevant, retrieved, possible, shared)
    return MethodEstimate(
        figures,
        (consensus.top.precision, consensus.top.recall),
        consensus.expected_relevant,
        f"items on which nobody with a weight voted are left out: {left_out:,}" if left_out else "",
        SystemIntervals(precision, recall, f if beta == 1 else np.full_like(f, np.nan)),
    )


Probability = Callable[[Votes, Ints], Floats]

ACROSS_TWO = "Two groups cannot be ranked against each other: compare systems only within a group."
WITHOUT_OTHERS = "There is only one group, so nothing is corrected."


def correction(
    name: str,
    title: str,
    definition: str,
    assumption: str,
    probability: Probability,
    order: int = 200,
) -> ConsensusMethod:
    """Make a consensus method of a probability of relevance that takes groups into account.

    Parameters
    ----------
    name, title, definition, assumption : str
        As for `ConsensusMethod`.
    probability : callable
        From N votes and the group of every system, (S,) int, to probabilities of relevance, (N,)
        or (N, S) float in [0, 1].
    order : int
        Position among the methods; smaller comes first.

    Returns
    -------
    ConsensusMethod
        With intervals of 95 %; those of F only for β = 1.

    Examples
    --------
    >>> correction("half", "Half", "", "", lambda votes, _: np.full(len(votes), 0.5)).name
    'half'
    """

    def run(evidence: VoteEvidence, _: Progress) -> MethodEstimate:
        shared = evidence.shared_error
        found = correct(evidence.votes, evidence.groups, probability, assumption, shared)
        return method_estimate(found, evidence.beta)

    return ConsensusMethod(name, title, definition, assumption, run, True, order)


def method_estimate(estimates: Estimates, beta: float, remark: str = "") -> MethodEstimate:
    """Give estimates from probabilities as those of a method.

    Parameters
    ----------
    estimates : Estimates
        Of S systems.
    beta : float
        β of F.
    remark : str
        Remark for people.

    Returns
    -------
    MethodEstimate
        With intervals of 95 %; those of F only for β = 1.

    Examples
    --------
    A system that returns the first of two items, of which 1.5 are relevant on average:

    >>> estimates = estimate(Votes.of([[1], [0]], ["a"]), [1, 0.5], "")
    >>> found = method_estimate(estimates, beta=1.0)
    >>> found.expected_relevant, found.figures.recall.round(2).tolist()
    (1.5, [0.67])
    """
    return MethodEstimate(
        at_beta(estimates.precision, estimates.recall, beta),
        estimates.top,
        expected_relevant=float(np.nansum(estimates.probability)),
        remark=remark,
        intervals=intervals_of(estimates, beta),
        assumption=estimates.assumption,
    )


def correct(
    votes: Votes, groups: Groups, probability: Probability, assumption: str, shared: float = 0.05
) -> Estimates:
    """Estimate the figures of every system under a correction.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    groups : Groups
        Groups of the same systems.
    probability : callable
        As for `correction`.
    assumption : str
        Assumption behind the probabilities, for a caption.
    shared : float
        As for `estimate`.

    Returns
    -------
    Estimates
        NaN where undefined. The assumption says so where there are only one or two groups.

    Examples
    --------
    >>> from spotlab.consensus.agreement import declared_groups
    >>> from spotlab.consensus.methods.of_groups import leave_group_out_probability
    >>> rows = [[1, 1, 0, 0], [1, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]]
    >>> votes = Votes.of(rows, ["a1", "a2", "b", "c"])
    >>> groups = declared_groups(votes.systems, ["a", "a", "b", "c"])
    >>> correct(votes, groups, leave_group_out_probability, "").precision.round(2).tolist()
    [0.5, 0.5, 0.75, 0.67]
    """
    if groups.only_two:
        assumption += f" {ACROSS_TWO}"
    elif len(groups.names) == 1:
        assumption += f" {WITHOUT_OTHERS}"
    return estimate(votes, probability(votes, groups.label), assumption, shared)


def intervals_of(estimates: Estimates, beta: float) -> SystemIntervals:
    """Take the intervals of estimates.

    Parameters
    ----------
    estimates : Estimates
        Of S systems.
    beta : float
        β of F.

    Returns
    -------
    SystemIntervals
        Lower and upper ends, (S, 2) each, in [0, 1]; NaN for F if β is not 1.

    Examples
    --------
    >>> estimates = estimate(Votes.of([[1], [0]], ["a"]), [1, 0.5], "")
    >>> intervals_of(estimates, 2.0).f.tolist()
    [[nan, nan]]
    """
    interval = estimates.f_interval
    f = interval if beta == 1 else np.full_like(interval, np.nan)
    return SystemIntervals(estimates.precision_interval, estimates.recall_interval, f)
