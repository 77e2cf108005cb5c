"""Holds systems' answers against what subjects, who don't agree, find relevant.

Santini, Benchmarking without ground truth, section 4. A query is an item that the subjects have
judged too, and is mixed over its categories; or it is the name of a category.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spotlab.formats.lists.rankings import Ranking
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.uncertain.uncertain_comparison import (
    Between,
    SystemMean,
    compare_all,
    mean_all,
)
from spotlab.uncertain.answers import Answer, Bands, bands_of
from spotlab.uncertain.judged import Floats, Judged, direct_shares, expected_size, relevance

Mixture = Literal["direct", "whole_tree"]
Unjudged = Literal["undefined", "left_out"]


@dataclass(frozen=True)
class Settings:
    """How answers are held against judgements.

    Attributes
    ----------
    cut_offs : tuple of int
        Ascending; empty for each rank to 200, then steps of 2 %.
    mixture : "direct" or "whole_tree"
        Over which categories a query is mixed: those that subjects assigned it to, with shares
        that sum to 1; or all above them too, whose shares pass 1 and are divided by their sum.
    shift : float
        Standard deviation of a shift that all items' log odds share; 0 for none.
    unjudged : "undefined" or "left_out"
        What an item that nobody judged makes of an answer: undefined from it on, or as if the
        system had not returned it.
    compare_at : int or None
        The cut-off at which systems are compared; None for the longest that all answers reach.
    """

    cut_offs: tuple[int, ...] = ()
    mixture: Mixture = "direct"
    shift: float = 0.0
    unjudged: Unjudged = "undefined"
    compare_at: int | None = None

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.mixture not in ("direct", "whole_tree"):
            raise ValueError(f"neither direct nor whole_tree: {self.mixture}")
        if self.unjudged not in ("undefined", "left_out"):
            raise ValueError(f"neither undefined nor left_out: {self.unjudged}")
        if not self.shift >= 0:
            raise ValueError("a standard deviation is not negative")
        if any(cut < 1 for cut in (*self.cut_offs, self.compare_at or 1)):
            raise ValueError("a cut-off is 1 or more")


@dataclass(frozen=True, eq=False)
class Judging:
    """The judgements, and what follows from them for all items.

    Attributes
    ----------
    judged : Judged
        Of N items and C categories.
    probability : (N, C) float
        p(ω|q), NaN for an item that nobody judged.
    direct : (N, C) float
        The share that assigned it to just this category.
    size : (C,) float
        |ω|.
    """

    judged: Judged
    probability: Floats
    direct: Floats
    size: Floats

    __repr__ = short_repr

    @staticmethod
    def of(judged: Judged) -> Judging:
        """Compute everything."""
        probability = relevance(judged)
        return Judging(judged, probability, direct_shares(judged), expected_size(probability))

    def weights(self, query: str, mixture: Mixture) -> Floats | None:
        """(C,) the weight of each category for a query; None if nobody has judged it."""
        item = self.judged.number.get(query)
        if item is not None:
            shares = (self.direct if mixture == "direct" else self.probability)[item]
            return None if np.isnan(shares).any() else shares
        category = self.judged.tree.number.get(query)
        return None if category is None else np.eye(len(self.size))[category]


@dataclass(frozen=True, eq=False)
class JudgedAnswer:
    """A system's answer to a query, before the judgements.

    Attributes
    ----------
    system, query : str
    items : tuple of str
        Best first; without those that are left out.
    unjudged : tuple of str
        What the answer holds that nobody judged.
    categories : tuple of str
        Those of the query, whose weights and sizes ``answer`` has.
    weight_sum : float
        Passes 1 over the whole tree.
    answer : Answer
    bands : Bands
    """

    system: str
    query: str
    items: tuple[str, ...]
    unjudged: tuple[str, ...]
    categories: tuple[str, ...]
    weight_sum: float
    answer: Answer
    bands: Bands

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class UncertainStudy:
    """All answers, and the systems beside each other.

    Attributes
    ----------
    judging : Judging
    settings : Settings
    answers : tuple of JudgedAnswer
    systems : tuple of str
    compared_at : int or None
        At which cut-off; None if there is none.
    means : tuple of SystemMean
        Of each system, over its queries.
    comparisons : tuple of Between
        Of each two systems.
    captions : tuple of str
        What has to stand beside the figures.
    remarks : tuple of str
        Queries that nobody judged, items that nobody judged, and so on.
    """

    judging: Judging
    settings: Settings
    answers: tuple[JudgedAnswer, ...]
    systems: tuple[str, ...]
    compared_at: int | None
    means: tuple[SystemMean, ...]
    comparisons: tuple[Between, ...]
    captions: tuple[str, ...]
    remarks: tuple[str, ...]

    __repr__ = short_repr


def study_uncertainty(
    judged: Judged,
    rankings: Sequence[Ranking],
    settings: Settings | None = None,
    progress: Progress = silent,
) -> UncertainStudy:
    """Precision and recall of answers as distributions, and which system is better.

    Parameters
    ----------
    judged : Judged
    rankings : sequence of Ranking
        Systems' answers, one a system and query.
    settings : Settings, optional

    Raises
    ------
    ValueError
        There is no answer, or a system answers a query twice.
    """
    chosen = settings or Settings()
    if not rankings:
        raise ValueError("there is no answer")
    named = [(each.who, each.query) for each in rankings]
    if len(set(named)) < len(named):
        system, query = next(each for at, each in enumerate(named) if each in named[:at])
        raise ValueError(f"{system} answers {query} twice")
    judging = Judging.of(judged)
    answers = []
    for done, ranking in enumerate(rankings):
        progress(done, len(rankings), "computing distributions")
        answer = judge_answer(judging, ranking, chosen)
        if answer is not None:
            answers.append(answer)
    progress(len(rankings), len(rankings), "computing distributions")
    systems = tuple(dict.fromkeys(each.who for each in rankings))
    at = chosen.compare_at or min((len(each.items) for each in answers), default=0) or None
    comparisons = compare_all(systems, answers, at, chosen.shift, progress) if at else ()
    means = mean_all(systems, answers, at, chosen.shift, progress) if at else ()
    return UncertainStudy(
        judging,
        chosen,
        tuple(answers),
        systems,
        at,
        means,
        comparisons,
        tuple(_captions(chosen)),
        tuple(_remarks(judging, rankings, answers, chosen)),
    )


def judge_answer(judging: Judging, ranking: Ranking, settings: Settings) -> JudgedAnswer | None:
    """One answer before the judgements; None if nobody has judged its query."""
    weights = judging.weights(ranking.query, settings.mixture)
    if weights is None:
        return None
    number = judging.judged.number
    known = {
        item
        for item in ranking.items
        if item in number and judging.judged.judgements_of[number[item]]
    }
    unjudged = tuple(item for item in ranking.items if item not in known)
    items = ranking.items
    if settings.unjudged == "left_out":
        items = tuple(item for item in items if item in known)
    taken = np.flatnonzero(weights)
    probability = np.full((len(taken), len(items)), np.nan)
    there = [at for at, item in enumerate(items) if item in known]
    rows = [number[items[at]] for at in there]
    probability[:, there] = judging.probability[rows][:, taken].T
    answer = Answer(probability, weights[taken], judging.size[taken])
    return JudgedAnswer(
        ranking.who,
        ranking.query,
        items,
        unjudged,
        tuple(judging.judged.tree.categories[at] for at in taken),
        float(weights.sum()),
        answer,
        bands_of(answer, settings.cut_offs or None, settings.shift),
    )


def _captions(settings: Settings) -> Iterator[str]:
    yield (
        "The distributions describe how far the subjects agree on what is relevant, not how far "
        "they are right."
    )
    yield "Items are taken to be relevant independently of each other, given the category."
    yield "Recall is k/|ω|, and |ω| is an expected number of items: recall can pass 1."
    if settings.mixture == "whole_tree":
        yield (
            "A query is mixed over all categories of the tree. Their weights pass 1, as a category "
            "counts again in all above it; they are divided by their sum."
        )
    if settings.shift:
        yield (
            f"All items' log odds share a shift with the standard deviation {settings.shift:g}, as "
            "if the subjects erred to the same side; what all or none of them assigned stays."
        )


def _remarks(
    judging: Judging,
    rankings: Sequence[Ranking],
    answers: Sequence[JudgedAnswer],
    settings: Settings,
) -> Iterator[str]:
    judged = judging.judged
    lost = dict.fromkeys(
        each.query for each in rankings if judging.weights(each.query, settings.mixture) is None
    )
    if lost:
        yield f"no item that a subject judged, and no category: the query {_list(lost)}; left out"
    items = dict.fromkeys(item for each in answers for item in each.unjudged)
    if items:
        what = "undefined from there on" if settings.unjudged == "undefined" else "left out"
        yield f"nobody judged {_list(items)}: answers are {what}"
    both = [each.query for each in rankings if each.query in judged.number]
    both = [query for query in dict.fromkeys(both) if query in judged.tree.number]
    if both:
        yield f"{_list(both)} is the name of an item and of a category: taken as the item"
    empty = dict.fromkeys(
        name
        for each in answers
        for name, size in zip(each.categories, each.answer.size, strict=True)
        if size == 0
    )
    if empty:
        yield f"no subject assigned anything to {_list(empty)}: recall is undefined"


def _list(names: Sequence[str] | dict[str, None]) -> str:
    every = list(names)
    more = f" and {len(every) - 10:,} more" if len(every) > 10 else ""
    return ", ".join(every[:10]) + more
