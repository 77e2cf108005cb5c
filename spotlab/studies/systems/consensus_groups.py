"""Systems of groups: compared with each other only (Lamiroy & Sun, Fig. 4), or counting less."""

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
from spotlab.studies.systems.consensus_methods import MethodResult, result_of, results_of

NO_VALUE = "without a value"


@dataclass(frozen=True, eq=False)
class GroupComparison:
    """The systems of one group, judged by each other.

    Attributes
    ----------
    name : str
        A value of the factor.
    systems : (G,) int
        Among all that are compared.
    result : MethodResult
        Figures and nearness to the truth within the group.
    truth : SystemFigures or None
        Those with truth, ranked within the group.
    """

    name: str
    systems: NDArray[np.int64]
    result: MethodResult
    truth: SystemFigures | None


def labels_of(factors: Mapping[str, Sequence[str]], factor: str) -> tuple[str, ...]:
    """The value of a factor for every system.

    Raises
    ------
    ValueError
        There is no such factor.
    """
    if factor not in factors:
        there = ", ".join(factors) if factors else "none; a line #name in the votes tells one"
        raise ValueError(f"there is no factor {factor!r}; there are {there}")
    return tuple(value or NO_VALUE for value in factors[factor])


def compare_groups(
    groups: Groups,
    gram: Gram,
    weights: Weights,
    method: ConsensusMethod,
    truth: SystemFigures | None,
    beta: float,
    fewest: int = 1,
) -> tuple[GroupComparison, ...]:
    """Judge each system by those of its group, ⊤, ⊥ and oracles.

    Parameters
    ----------
    groups : Groups
        Of the systems that are compared.
    gram : Gram
        Their votes first, then those of oracles.
    weights : Weights
        One for every column of these; they are renormalised within a group.
    method : ConsensusMethod
        What to call this.
    truth : SystemFigures or None
    beta : float
        Of F.
    fewest : int
        Groups of fewer systems are left out.
    """
    oracles = np.arange(len(groups.systems), len(gram.systems))
    found = []
    for number, name in enumerate(groups.names):
        systems = np.flatnonzero(groups.label == number)
        if len(systems) < fewest:
            continue
        columns = np.concatenate([systems, oracles])
        own = Weights(weights.systems[columns], weights.top, weights.bottom)
        estimate = estimate_by_weights(gram.only(columns), own, beta, range(len(systems)))
        result = result_of(method, estimate)
        real = None if truth is None else truth.only(systems)
        if real is not None:
            result = replace(result, nearness=nearness(result.figures, real))
        found.append(GroupComparison(name, systems, result, real))
    return tuple(found)


def offer_corrections(
    evidence: Evidence, truth: SystemFigures | None, progress: Progress
) -> tuple[MethodResult, ...]:
    """What every correction for groups makes of the systems; nothing where none share a group."""
    if not evidence.groups.together:
        return ()
    methods = track(
        list(consensus_methods(corrects_groups=True).values()), progress, "correcting for groups"
    )
    results = results_of(methods, evidence, silent)
    if truth is None:
        return tuple(results)
    return tuple(replace(each, nearness=nearness(each.figures, truth)) for each in results)
