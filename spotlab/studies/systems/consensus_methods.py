"""The ways to judge systems by their votes alone, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.accuracy import INDEPENDENCE, dawid_skene
from spotlab.consensus.answers import Answers, with_answers
from spotlab.consensus.estimates import Estimates
from spotlab.consensus.gram import Gram
from spotlab.consensus.precision import (
    Weights,
    against_truth,
    consensus_of,
    uniform,
    vote_share,
)
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress
from spotlab.representation import short_repr
from spotlab.studies.systems.consensus_figures import Nearness, SystemFigures, at_beta

Floats = NDArray[np.float64]
Pair = tuple[float | None, float | None]


@dataclass(frozen=True, eq=False)
class SystemIntervals:
    """(S, 2) lower and upper ends of intervals of 95 %; NaN where undefined."""

    precision: Floats
    recall: Floats
    f: Floats

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class MethodResult:
    """What one way to judge says of all systems.

    Attributes
    ----------
    name, title, definition : str
    assumption : str
        What it stands on.
    figures : SystemFigures
    top : (precision, recall) or None
        Of ⊤, which votes for everything; None where a method has none.
    expected_relevant : float or None
        ΣP(δ).
    nearness : Nearness or None
        To the truth, where that is known.
    remark : str
    intervals : SystemIntervals or None
        Of its own, where it gives some.
    """

    name: str
    title: str
    definition: str
    assumption: str
    figures: SystemFigures
    top: Pair | None = None
    expected_relevant: float | None = None
    nearness: Nearness | None = None
    remark: str = ""
    intervals: SystemIntervals | None = None

    __repr__ = short_repr


@dataclass(frozen=True)
class Method:
    """A way to judge; ``judge`` takes it, votes, their Gram matrix, β of F and whom to tell."""

    name: str
    title: str
    definition: str
    assumption: str
    judge: Callable[[Method, Votes, Gram, float, Progress], MethodResult]


COMMON = "Stands on systems that err in different ways: what most of them believe counts as true."


def judge_by_weights(
    method: Method, gram: Gram, weights: Weights, beta: float, systems: Sequence[int] | None = None
) -> MethodResult:
    """Precision and recall by weights, of all columns of the votes or of some, by index."""
    found = consensus_of(gram, weights, beta)
    figures = SystemFigures(found.precision, found.recall, found.f)
    left_out = found.undefined_items
    return MethodResult(
        method.name,
        method.title,
        method.definition,
        method.assumption,
        figures if systems is None else figures.only(systems),
        (found.top.precision, found.top.recall),
        found.expected_relevant,
        remark=f"items on which nobody with a weight voted are left out: {left_out:,}"
        if left_out
        else "",
    )


def _paper(method: Method, _: Votes, gram: Gram, beta: float, __: Progress) -> MethodResult:
    return judge_by_weights(method, gram, uniform(len(gram.systems)), beta)


def _share(method: Method, _: Votes, gram: Gram, beta: float, __: Progress) -> MethodResult:
    return judge_by_weights(method, gram, vote_share(len(gram.systems)), beta)


def _dawid_skene(
    method: Method, votes: Votes, _: Gram, beta: float, progress: Progress
) -> MethodResult:
    learnt = dawid_skene(votes, 2, progress=progress)
    rounds = "1 round" if learnt.iterations == 1 else f"{learnt.iterations} rounds"
    still = "" if learnt.converged else "; it did not come to rest"
    return MethodResult(
        method.name,
        method.title,
        method.definition,
        method.assumption,
        SystemFigures(*against_truth(votes, learnt.probability, beta)),
        expected_relevant=float(learnt.probability.sum()),
        remark=f"{rounds}, prevalence {learnt.prevalence:.3f}{still}",
    )


def intervals_of(found: Estimates, beta: float) -> SystemIntervals:
    """The intervals of estimates; those of F are known for β = 1 only."""
    f = found.f_interval if beta == 1 else np.full_like(found.f_interval, np.nan)
    return SystemIntervals(found.precision_interval, found.recall_interval, f)


def judge_by_answers(
    votes: Votes, answers: Answers, beta: float, seed: int, progress: Progress
) -> MethodResult:
    """Figures from the votes and what is known of a few items; β other than 1 has no interval."""
    found = with_answers(votes, answers, seed=seed, progress=progress)
    return MethodResult(
        "answers",
        "With answers",
        "How likely items are relevant is fitted to what is known of a few.",
        found.assumption,
        at_beta(found.precision, found.recall, beta),
        expected_relevant=float(np.nansum(found.probability)),
        remark=f"answers: {len(answers):,}",
        intervals=intervals_of(found, beta),
    )


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method(
            "paper",
            "Lamiroy & Sun",
            "An item is relevant with the share of votes for it, ⊤ and ⊥ voting too (eq. 10).",
            COMMON,
            _paper,
        ),
        Method(
            "share",
            "Vote share",
            "An item is relevant with the share of the systems that vote for it, without ⊤ and ⊥.",
            COMMON,
            _share,
        ),
        Method(
            "dawid_skene",
            "Dawid & Skene, two coins",
            "Relevance, and how often each system is right about relevant and other items, are "
            "learnt together.",
            INDEPENDENCE,
            _dawid_skene,
        ),
    )
}
