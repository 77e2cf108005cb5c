"""Compare each pair of systems over the queries that both answer, where truth is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from spotlab.progress import Progress, track
from spotlab.representation import short_repr
from spotlab.studies.uncertain.judged_answers import JudgedAnswer
from spotlab.uncertain_truth.answers import measures_at
from spotlab.uncertain_truth.comparison import AnswerPair, Comparison, compare
from spotlab.uncertain_truth.distributions import Distribution


@dataclass(frozen=True, eq=False)
class SystemPair:
    """System a compared with system b.

    Attributes
    ----------
    a, b : str
        Names of the systems.
    comparison : Comparison or None
        None where undefined: there is no query that both answer long enough, or nobody judged an
        item that only one of them returns.
    left_out : tuple of str
        Queries that do not count, because an answer is missing or too short.
    """

    a: str
    b: str
    comparison: Comparison | None
    left_out: tuple[str, ...]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class SystemMean:
    """Mean of a system over the queries that it answers long enough.

    Attributes
    ----------
    system : str
        Name of the system.
    precision : Distribution or None
        Distribution of the mean precision; None where it is undefined for a query.
    recall : float or None
        Mean of the expected recalls; can exceed 1. None where one is undefined.
    queries : int
        Number of queries.
    left_out : tuple of str
        Queries that do not count, because the answer is missing or too short.
    """

    system: str
    precision: Distribution | None
    recall: float | None
    queries: int
    left_out: tuple[str, ...]

    __repr__ = short_repr


def compare_all(
    systems: Sequence[str],
    answers: Sequence[JudgedAnswer],
    cut_off: int,
    shift: float,
    progress: Progress,
) -> tuple[SystemPair, ...]:
    """Compare each pair of systems by precision at a cut-off, over the queries that both answer.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.
    answers : sequence of JudgedAnswer
        Answers of all systems.
    cut_off : int
        Number of first items.
    shift : float
        As in `UncertainSettings`.
    progress : callable
        Called with the number of pairs done.

    Returns
    -------
    tuple of SystemPair
        Empty for fewer than two systems.
    """
    named = {(answer.system, answer.query): answer for answer in answers}
    queries = list(dict.fromkeys(answer.query for answer in answers))
    compared = []
    for a, b in track(list(combinations(systems, 2)), progress, "comparing systems"):
        both = {
            query: [
                answer
                for answer in (named.get((a, query)), named.get((b, query)))
                if answer and len(answer.items) >= cut_off
            ]
            for query in queries
        }
        pairs = [_pair(two[0], two[1], cut_off) for two in both.values() if len(two) == 2]
        left_out = tuple(query for query, two in both.items() if len(two) < 2)
        compared.append(SystemPair(a, b, compare(pairs, shift), left_out))
    return tuple(compared)


def mean_all(
    systems: Sequence[str],
    answers: Sequence[JudgedAnswer],
    cut_off: int,
    shift: float,
    progress: Progress,
) -> tuple[SystemMean, ...]:
    """Compute each system's mean precision and recall at a cut-off.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.
    answers : sequence of JudgedAnswer
        Answers of all systems.
    cut_off : int
        Number of first items.
    shift : float
        As in `UncertainSettings`.
    progress : callable
        Called with the number of systems done.

    Returns
    -------
    tuple of SystemMean
        In the order of the systems.
    """
    queries = dict.fromkeys(answer.query for answer in answers)
    means = []
    for system in track(systems, progress, "computing means"):
        own = [
            answer for answer in answers if answer.system == system and len(answer.items) >= cut_off
        ]
        answered = {answer.query for answer in own}
        left_out = tuple(query for query in queries if query not in answered)
        recalls = [measures_at(answer.answer, cut_off, shift)[1] for answer in own]
        known = [recall.mean for recall in recalls if recall is not None]
        mean_recall = sum(known) / len(known) if known and len(known) == len(own) else None
        precision = _mean_precision(own, cut_off, shift)
        means.append(SystemMean(system, precision, mean_recall, len(own), left_out))
    return tuple(means)


def _mean_precision(
    answers: Sequence[JudgedAnswer], cut_off: int, shift: float
) -> Distribution | None:
    """Mean precision, as the difference from a system that finds nothing, with a shared shift."""
    pairs = []
    for answer in answers:
        chances = answer.answer.probability[:, :cut_off]
        both = np.concatenate([chances, np.zeros_like(chances)], axis=1)
        own = np.arange(cut_off)
        pairs.append(AnswerPair(both, answer.answer.weight, own, own + cut_off))
    comparison = compare(pairs, shift)
    if comparison is None:
        return None
    whole = comparison.difference
    from_zero = whole.values >= 0
    return Distribution(whole.values[from_zero], whole.mass[from_zero])


def _pair(a: JudgedAnswer, b: JudgedAnswer, cut_off: int) -> AnswerPair:
    """Both answers to a query, with the items of both numbered."""
    chances: dict[str, NDArray[np.float64]] = {}
    for answer in (a, b):
        chances.update(zip(answer.items[:cut_off], answer.answer.probability.T, strict=False))
    number = {item: at for at, item in enumerate(chances)}
    first, second = (
        np.array([number[item] for item in answer.items[:cut_off]], np.int64) for answer in (a, b)
    )
    return AnswerPair(np.array(list(chances.values())).T, a.answer.weight, first, second)
