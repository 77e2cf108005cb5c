"""Compares each two systems over the queries that both answer, where truth is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from spotlab.progress import Progress, track
from spotlab.studies.uncertain.judged_answers import JudgedAnswer
from spotlab.uncertain.answers import measures_at
from spotlab.uncertain.comparison import AnswerPair, Comparison, compare
from spotlab.uncertain.distributions import Distribution


@dataclass(frozen=True, eq=False)
class SystemPair:
    """System a beside system b.

    Attributes
    ----------
    a, b : str
    comparison : Comparison or None
        None where undefined: no query that both answer long enough, or an item that nobody judged
        among those that only one of them returns.
    left_out : tuple of str
        Queries that do not count: one of both answers is too short or there is none.
    """

    a: str
    b: str
    comparison: Comparison | None
    left_out: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SystemMean:
    """A system's mean over the queries that it answers long enough.

    Attributes
    ----------
    system : str
    precision : Distribution or None
        Of the mean; None where it is undefined for a query.
    recall : float or None
        The mean of the expected recalls; None where one is undefined.
    queries : int
    left_out : tuple of str
        Queries that it answers too short or not at all.
    """

    system: str
    precision: Distribution | None
    recall: float | None
    queries: int
    left_out: tuple[str, ...]


def compare_all(
    systems: Sequence[str],
    answers: Sequence[JudgedAnswer],
    cut_off: int,
    shift: float,
    progress: Progress,
) -> tuple[SystemPair, ...]:
    """Each two systems by their precision at a cut-off, over the queries that both answer."""
    named = {(each.system, each.query): each for each in answers}
    queries = list(dict.fromkeys(each.query for each in answers))
    compared = []
    for a, b in track(list(combinations(systems, 2)), progress, "comparing systems"):
        both = {
            query: [
                each
                for each in (named.get((a, query)), named.get((b, query)))
                if each and len(each.items) >= cut_off
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
    """Each system's mean precision and recall at a cut-off."""
    queries = dict.fromkeys(each.query for each in answers)
    means = []
    for system in track(systems, progress, "computing means"):
        own = [each for each in answers if each.system == system and len(each.items) >= cut_off]
        answered = {each.query for each in own}
        left_out = tuple(query for query in queries if query not in answered)
        recalls = [measures_at(each.answer, cut_off, shift)[1] for each in own]
        known = [each.mean for each in recalls if each is not None]
        recall = sum(known) / len(known) if known and len(known) == len(own) else None
        precision = _mean_precision(own, cut_off, shift)
        means.append(SystemMean(system, precision, recall, len(own), left_out))
    return tuple(means)


def _mean_precision(
    answers: Sequence[JudgedAnswer], cut_off: int, shift: float
) -> Distribution | None:
    """The difference from a system that finds nothing: with a shift, all queries share it."""
    pairs = []
    for each in answers:
        found = each.answer.probability[:, :cut_off]
        both = np.concatenate([found, np.zeros_like(found)], axis=1)
        own = np.arange(cut_off)
        pairs.append(AnswerPair(both, each.answer.weight, own, own + cut_off))
    comparison = compare(pairs, shift)
    if comparison is None:
        return None
    whole = comparison.difference
    from_zero = whole.values >= 0
    return Distribution(whole.values[from_zero], whole.mass[from_zero])


def _pair(a: JudgedAnswer, b: JudgedAnswer, cut_off: int) -> AnswerPair:
    """Both answers to a query, with the items of both numbered."""
    chances: dict[str, NDArray[np.float64]] = {}
    for each in (a, b):
        chances.update(zip(each.items[:cut_off], each.answer.probability.T, strict=False))
    number = {item: at for at, item in enumerate(chances)}
    first, second = (
        np.array([number[item] for item in each.items[:cut_off]], np.int64) for each in (a, b)
    )
    return AnswerPair(np.array(list(chances.values())).T, a.answer.weight, first, second)
