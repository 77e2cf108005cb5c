"""Systems of groups: compared with each other only (Lamiroy & Sun, Fig. 4), or counting less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.corrections import CORRECTIONS
from spotlab.consensus.gram import Gram
from spotlab.consensus.groups import Groups
from spotlab.consensus.precision import Weights
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress, track
from spotlab.representation import short_repr
from spotlab.studies.systems.consensus_figures import SystemFigures, at_beta, nearness
from spotlab.studies.systems.consensus_methods import (
    Method,
    MethodResult,
    intervals_of,
    judge_by_weights,
)

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

    __repr__ = short_repr


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
    method: Method,
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
    method : Method
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
        result = judge_by_weights(method, gram.only(columns), own, beta, range(len(systems)))
        real = None if truth is None else truth.only(systems)
        if real is not None:
            result = replace(result, nearness=nearness(result.figures, real))
        found.append(GroupComparison(name, systems, result, real))
    return tuple(found)


def offer_corrections(
    votes: Votes, groups: Groups, truth: SystemFigures | None, beta: float, progress: Progress
) -> tuple[MethodResult, ...]:
    """What every correction for groups makes of the systems; nothing where none share a group."""
    if not groups.together:
        return ()
    found = []
    for each in track(list(CORRECTIONS.values()), progress, "correcting for groups"):
        made = each.estimate(votes, groups)
        figures = at_beta(made.precision, made.recall, beta)
        found.append(
            MethodResult(
                each.name,
                each.title,
                each.definition,
                made.assumption,
                figures,
                expected_relevant=float(np.nansum(made.probability)),
                nearness=None if truth is None else nearness(figures, truth),
                intervals=intervals_of(made, beta),
            )
        )
    return tuple(found)
