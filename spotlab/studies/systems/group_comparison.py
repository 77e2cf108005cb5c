"""Compare the systems of each group among themselves (Lamiroy & Sun, 2013, Fig. 4), or correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.figures import SystemFigures, nearness
from spotlab.consensus.gram import Gram
from spotlab.consensus.groups import Groups
from spotlab.consensus.method import (
    ConsensusMethod,
    Evidence,
    consensus_methods,
    estimate_by_weights,
)
from spotlab.consensus.weights import Weights
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.systems.method_results import MethodResult, result_of, results_of

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
        estimate = estimate_by_weights(gram.only(columns), own, beta, range(len(systems)))
        result = result_of(method, estimate)
        real = None if truth is None else truth.only(systems)
        if real is not None:
            result = replace(result, nearness=nearness(result.figures, real))
        comparisons.append(GroupComparison(name, systems, result, real))
    return tuple(comparisons)


def offer_corrections(evidence: Evidence, progress: Progress) -> tuple[MethodResult, ...]:
    """Run every correction for groups.

    Parameters
    ----------
    evidence : Evidence
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
