"""One table of real systems beside their truth: how far each way to judge them can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.accuracy import dawid_skene
from spotlab.consensus.answers import KnownAnswers, estimate_with_answers, next_items
from spotlab.consensus.comparison import Nearness, SystemFigures, nearness
from spotlab.consensus.precision import (
    Weights,
    figures_with_truth,
    item_probability,
    uniform_weights,
    vote_share_weights,
)
from spotlab.consensus.votes import Votes
from spotlab.formats.votes import VoteTable
from spotlab.progress import Progress, silent

LEAST = 20  # known votes of a system that is compared: figures from fewer are mostly chance
ANSWERS = 50
SEEDS = 15  # draws of these answers, of which the median is told

Judge = Callable[[Votes], Floats]


@dataclass(frozen=True, eq=False)
class RealCase:
    """Systems on items whose truth is known.

    Attributes
    ----------
    name : str
    parts : tuple of VoteTable
        The votes and truth of the same systems; several where items are of several categories,
        each asked of every object: systems may be good at one and bad at another, so what is
        learnt of systems is learnt for each part, and their figures are over all.
    least : int
        Systems with fewer known votes are not compared; they do vote. Votes on one object count
        once, however many parts there are.

    Raises
    ------
    ValueError
        For parts of different systems, or without truth.
    """

    name: str
    parts: tuple[VoteTable, ...]
    least: int = LEAST

    def __post_init__(self) -> None:
        if len({part.systems for part in self.parts}) != 1:
            raise ValueError(f"{self.name}: the parts are not of the same systems")
        if any(part.truth is None for part in self.parts):
            raise ValueError(f"{self.name}: there is no truth")

    @cached_property
    def judged(self) -> tuple[tuple[Votes, Floats], ...]:
        """Votes and truth of every part, on the items whose truth is known."""
        found = []
        for part in self.parts:
            truth = np.asarray(part.truth, np.float64)
            known = np.flatnonzero(~np.isnan(truth))
            whole = len(known) == len(truth)
            found.append((part.votes if whole else part.votes.take(known), truth[known]))
        return tuple(found)

    @cached_property
    def votes(self) -> Votes:
        """Of all parts together."""
        if len(self.judged) == 1:
            return self.judged[0][0]
        rows = np.concatenate([votes.dense() for votes, _ in self.judged])
        return Votes.of(rows, self.judged[0][0].systems)

    @cached_property
    def truth(self) -> Floats:
        """(N,) of all parts together."""
        return np.concatenate([truth for _, truth in self.judged])

    @property
    def compared(self) -> NDArray[np.int64]:
        """The systems that voted often enough."""
        return np.flatnonzero(self.votes.counts_known >= self.least * len(self.parts))


@dataclass(frozen=True, eq=False)
class RealRow:
    """How near a method comes to the truth in one case."""

    case: str
    items: int
    method: str
    nearness: Nearness


@dataclass(frozen=True, eq=False)
class RealTable:
    """All cases under all methods."""

    rows: tuple[RealRow, ...]

    def at(self, case: str, method: str) -> RealRow:
        """One cell."""
        return next(row for row in self.rows if (row.case, row.method) == (case, method))


def compare_with_truth(
    cases: Sequence[RealCase],
    *,
    answers: int = ANSWERS,
    seeds: int = SEEDS,
    progress: Progress = silent,
) -> RealTable:
    """Judge systems without truth, and hold that against the truth.

    Parameters
    ----------
    cases : sequence of RealCase
    answers : int
        How many items the method with answers may ask about.
    seeds : int
        How often it draws them; 0 leaves it out.

    Returns
    -------
    RealTable
        Kendall's τ of F and mean absolute errors of precision and recall, of the systems that
        voted often enough; with answers the medians over the draws.
    """
    rows = []
    for done, case in enumerate(cases):
        progress(done, len(cases), f"holding {case.name} against its truth")
        truth = SystemFigures(*figures_with_truth(case.votes, case.truth)).only(case.compared)
        for name, judge in JUDGES.items():
            p = np.concatenate([judge(votes) for votes, _ in case.judged])
            figures = SystemFigures(*figures_with_truth(case.votes, p)).only(case.compared)
            rows.append(RealRow(case.name, len(case.truth), name, nearness(figures, truth)))
        if seeds:
            draws = [_answered(case, truth, answers, seed) for seed in range(seeds)]
            rows.append(RealRow(case.name, len(case.truth), "answers", _median(draws)))
    return RealTable(tuple(rows))


def _answered(case: RealCase, truth: SystemFigures, count: int, seed: int) -> Nearness:
    share = item_probability(case.votes, vote_share_weights(len(case.votes.systems)))
    draw = next_items(case.votes, share, [], count, seed)
    answers = KnownAnswers.none().with_draw(draw, case.truth[draw.items])
    found = estimate_with_answers(case.votes, answers, draws=0)
    figures = SystemFigures(found.precision, found.recall, found.f).only(case.compared)
    return nearness(figures, truth)


def _median(draws: Sequence[Nearness]) -> Nearness:
    def middle(name: str) -> float | None:
        values = [value for near in draws if (value := getattr(near, name)) is not None]
        return float(np.median(values)) if values else None

    names = ("kendall", "spearman", "precision_error", "recall_error", "f_error")
    return Nearness(draws[0].systems, *(middle(name) for name in names))


def _by_weights(weights: Callable[[int], Weights], votes: Votes) -> Floats:
    return item_probability(votes, weights(len(votes.systems)))


def _by_accuracy(votes: Votes) -> Floats:
    return dawid_skene(votes).probability


JUDGES: dict[str, Judge] = {
    "paper": partial(_by_weights, uniform_weights),
    "share": partial(_by_weights, vote_share_weights),
    "dawid_skene": _by_accuracy,
}
