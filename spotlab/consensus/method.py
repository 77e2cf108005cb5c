"""What a consensus method is: it judges systems by their votes, without truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.consensus.figures import SystemFigures, SystemIntervals
from spotlab.consensus.gram import Gram
from spotlab.consensus.groups import Groups
from spotlab.consensus.precision import consensus_of
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.progress import Progress
from spotlab.registry import discover, guarded
from spotlab.representation import short_repr

COMMON = "Assumes that systems err in different ways, so that what most of them believe is true."
# what else can be looked at beside the methods: figures with truth, by given weights, with answers
RESERVED = frozenset({"truth", "weights", "weighted", "answers"})


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of S systems without truth.

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


@dataclass(frozen=True, eq=False)
class MethodEstimate:
    """What a method estimates for S systems.

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
    estimate: Callable[[Evidence, Progress], MethodEstimate]
    corrects_groups: bool = False
    order: int = 100

    def run(self, evidence: Evidence, progress: Progress) -> MethodEstimate | None:
        """Estimate the figures of the systems.

        Parameters
        ----------
        evidence : Evidence
            What is known of S systems.
        progress : callable
            Called with the steps done.

        Returns
        -------
        MethodEstimate or None
            None if the method comes from another package and fails; `registry.problems` says why.

        Examples
        --------
        >>> from spotlab.consensus.gram import gram_of
        >>> from spotlab.consensus.groups import find_groups
        >>> from spotlab.progress import silent
        >>> votes = Votes.of([[1, 1], [1, 0], [0, 1]], ["a", "b"])
        >>> evidence = Evidence(votes, gram_of(votes), find_groups(votes))
        >>> consensus_methods()["share"].run(evidence, silent).figures.precision.tolist()
        [0.75, 0.75]
        """
        estimate: MethodEstimate | None = guarded(self, lambda: self._checked(evidence, progress))
        return estimate

    def _checked(self, evidence: Evidence, progress: Progress) -> MethodEstimate:
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
    gram: Gram, weights: Weights, beta: float = 1.0, systems: Sequence[int] | None = None
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

    Returns
    -------
    MethodEstimate
        NaN where undefined, as in `consensus_of`.

    Notes
    -----
    Lamiroy & Sun (2013), eqs. 11 to 13.

    Examples
    --------
    >>> from spotlab.consensus.gram import gram_of
    >>> from spotlab.consensus.weights import vote_share_weights
    >>> gram = gram_of(Votes.of([[1, 1], [1, 0], [0, 1]], ["a", "b"]))
    >>> estimate_by_weights(gram, vote_share_weights(2), systems=[0]).figures.precision.tolist()
    [0.75]
    """
    consensus = consensus_of(gram, weights, beta)
    figures = SystemFigures(consensus.precision, consensus.recall, consensus.f)
    left_out = consensus.undefined_items
    return MethodEstimate(
        figures if systems is None else figures.only(systems),
        (consensus.top.precision, consensus.top.recall),
        consensus.expected_relevant,
        f"items on which nobody with a weight voted are left out: {left_out:,}" if left_out else "",
    )
