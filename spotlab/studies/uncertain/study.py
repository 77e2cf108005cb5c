"""Holds systems' answers against what subjects, who don't agree, find relevant.

Santini, Benchmarking without ground truth, section 4. A query is an item that the subjects have
judged too, and is mixed over its categories; or it is the name of a category.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spotlab.formats.lists.rankings import Ranking
from spotlab.progress import Progress, silent
from spotlab.studies.uncertain.comparison import SystemMean, SystemPair, compare_all, mean_all
from spotlab.studies.uncertain.judged_answers import (
    CategoryRelevance,
    JudgedAnswer,
    UncertainSettings,
    judge_answer,
)
from spotlab.uncertain.judgements import Judgements


@dataclass(frozen=True, eq=False)
class UncertainStudy:
    """All answers, and the systems beside each other.

    Attributes
    ----------
    relevance : CategoryRelevance
    settings : UncertainSettings
    answers : tuple of JudgedAnswer
    systems : tuple of str
    compared_at : int or None
        At which cut-off; None if there is none.
    means : tuple of SystemMean
        Of each system, over its queries.
    comparisons : tuple of SystemPair
        Of each two systems.
    captions : tuple of str
        What has to stand beside the figures.
    remarks : tuple of str
        Queries that nobody judged, items that nobody judged, and so on.
    """

    relevance: CategoryRelevance
    settings: UncertainSettings
    answers: tuple[JudgedAnswer, ...]
    systems: tuple[str, ...]
    compared_at: int | None
    means: tuple[SystemMean, ...]
    comparisons: tuple[SystemPair, ...]
    captions: tuple[str, ...]
    remarks: tuple[str, ...]


def study_uncertainty(
    judgements: Judgements,
    rankings: Sequence[Ranking],
    settings: UncertainSettings | None = None,
    progress: Progress = silent,
) -> UncertainStudy:
    """Precision and recall of answers as distributions, and which system is better.

    Parameters
    ----------
    judgements : Judgements
    rankings : sequence of Ranking
        Systems' answers, one a system and query.
    settings : UncertainSettings, optional

    Raises
    ------
    ValueError
        There is no answer, or a system answers a query twice.
    """
    chosen = settings or UncertainSettings()
    if not rankings:
        raise ValueError("there is no answer")
    named = [(each.who, each.query) for each in rankings]
    if len(set(named)) < len(named):
        system, query = next(each for at, each in enumerate(named) if each in named[:at])
        raise ValueError(f"{system} answers {query} twice")
    relevance = CategoryRelevance.of(judgements)
    answers = []
    for done, ranking in enumerate(rankings):
        progress(done, len(rankings), "computing distributions")
        answer = judge_answer(relevance, ranking, chosen)
        if answer is not None:
            answers.append(answer)
    progress(len(rankings), len(rankings), "computing distributions")
    systems = tuple(dict.fromkeys(each.who for each in rankings))
    at = chosen.compare_at or min((len(each.items) for each in answers), default=0) or None
    comparisons = compare_all(systems, answers, at, chosen.shift, progress) if at else ()
    means = mean_all(systems, answers, at, chosen.shift, progress) if at else ()
    return UncertainStudy(
        relevance,
        chosen,
        tuple(answers),
        systems,
        at,
        means,
        comparisons,
        tuple(_captions(chosen)),
        tuple(_remarks(relevance, rankings, answers, chosen)),
    )


def _captions(settings: UncertainSettings) -> Iterator[str]:
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
    relevance: CategoryRelevance,
    rankings: Sequence[Ranking],
    answers: Sequence[JudgedAnswer],
    settings: UncertainSettings,
) -> Iterator[str]:
    judgements = relevance.judgements
    lost = dict.fromkeys(
        each.query for each in rankings if relevance.weights(each.query, settings.mixture) is None
    )
    if lost:
        yield f"no item that a subject judged, and no category: the query {_list(lost)}; left out"
    items = dict.fromkeys(item for each in answers for item in each.unjudged)
    if items:
        what = "undefined from there on" if settings.unjudged == "undefined" else "left out"
        yield f"nobody judged {_list(items)}: answers are {what}"
    both = [each.query for each in rankings if each.query in judgements.number]
    both = [query for query in dict.fromkeys(both) if query in judgements.tree.number]
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
