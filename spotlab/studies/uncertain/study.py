"""Compare systems' answers with the judgements of subjects who disagree.

Santini, Benchmarking without ground truth, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.formats.lists.rankings import Ranking
from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.uncertain.comparison import SystemMean, SystemPair, compare_all, mean_all
from spotlab.studies.uncertain.judged_answers import (
    CategoryRelevance,
    JudgedAnswer,
    UncertainSettings,
    judge_answer,
)
from spotlab.studies.words.displacement import DisplacementStudy
from spotlab.studies.words.displacement import as_json as displacement_json
from spotlab.uncertain_truth.answers import Band
from spotlab.uncertain_truth.judgements import Judgements


@dataclass(frozen=True, eq=False)
class UncertainStudy:
    """All answers, and the systems compared.

    Attributes
    ----------
    relevance : CategoryRelevance
        Judgements, and the relevance of all items.
    settings : UncertainSettings
        Settings of the study.
    answers : tuple of JudgedAnswer
        Answers to queries that subjects judged.
    systems : tuple of str
        Names of the systems.
    compared_at : int or None
        Cut-off at which systems are compared; None if there is none.
    means : tuple of SystemMean
        Mean of each system over its queries.
    comparisons : tuple of SystemPair
        Comparison of each pair of systems.
    captions : tuple of str
        Sentences that have to stand beside the figures.
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

    __repr__ = short_repr


def study_uncertainty(
    judgements: Judgements,
    rankings: Sequence[Ranking],
    settings: UncertainSettings | None = None,
    progress: Progress = silent,
) -> UncertainStudy:
    """Compute precision and recall of answers as distributions, and compare the systems.

    Parameters
    ----------
    judgements : Judgements
        Categories to which subjects assigned items.
    rankings : sequence of Ranking
        Answers of systems, one per system and query. A query is an item, or the name of a category.
    settings : UncertainSettings, optional
        Settings of the study.
    progress : callable
        Called with the number of answers done.

    Returns
    -------
    UncertainStudy
        Answers to queries that nobody judged are left out, with a remark.

    Raises
    ------
    ValueError
        If there is no answer, or a system answers a query twice.
    """
    chosen = settings or UncertainSettings()
    if not rankings:
        raise ValueError("there is no answer")
    named = [(ranking.who, ranking.query) for ranking in rankings]
    if len(set(named)) < len(named):
        system, query = next(pair for at, pair in enumerate(named) if pair in named[:at])
        raise ValueError(f"{system} answers {query} twice")
    relevance = CategoryRelevance.of(judgements, chosen.relevance)
    answers = []
    for done, ranking in enumerate(rankings):
        progress(done, len(rankings), "computing distributions")
        answer = judge_answer(relevance, ranking, chosen)
        if answer is not None:
            answers.append(answer)
    progress(len(rankings), len(rankings), "computing distributions")
    systems = tuple(dict.fromkeys(ranking.who for ranking in rankings))
    cut_off = chosen.compare_at or min((len(answer.items) for answer in answers), default=0) or None
    comparisons = compare_all(systems, answers, cut_off, chosen.shift, progress) if cut_off else ()
    means = mean_all(systems, answers, cut_off, chosen.shift, progress) if cut_off else ()
    return UncertainStudy(
        relevance,
        chosen,
        tuple(answers),
        systems,
        cut_off,
        means,
        comparisons,
        tuple(_captions(chosen)),
        tuple(_remarks(relevance, rankings, answers, chosen)),
    )


def _captions(settings: UncertainSettings) -> Iterator[str]:
    if settings.relevance == "shares":
        yield (
            "The distributions describe how far the subjects agree on what is relevant, not how "
            "far they are right."
        )
    else:
        yield (
            "The distributions describe what is true, as far as it can be learned from how the "
            "subjects agree (Dawid & Skene 1979) and from the ranks of the items. They assume that "
            "most subjects are right more often than not."
        )
        yield (
            "Recall has no bands: how many items are relevant in all is uncertain too, so "
            "bands would hold the truth too rarely."
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
        ranking.query
        for ranking in rankings
        if relevance.weights(ranking.query, settings.mixture) is None
    )
    if lost:
        yield f"neither a judged item nor a category: the query {_list(lost)}; left out"
    items = dict.fromkeys(item for answer in answers for item in answer.unjudged)
    if items:
        what = "undefined from there on" if settings.unjudged == "undefined" else "left out"
        yield f"nobody judged {_list(items)}: answers are {what}"
    both = [ranking.query for ranking in rankings if ranking.query in judgements.number]
    both = [query for query in dict.fromkeys(both) if query in judgements.tree.number]
    if both:
        yield f"{_list(both)} names both an item and a category: used as the item"
    empty = dict.fromkeys(
        name
        for answer in answers
        for name, size in zip(answer.categories, answer.answer.size, strict=True)
        if size == 0
    )
    if empty:
        yield f"no subject assigned anything to {_list(empty)}: recall is undefined"


def _list(names: Sequence[str] | dict[str, None]) -> str:
    every = list(names)
    more = f" and {len(every) - 10:,} more" if len(every) > 10 else ""
    return ", ".join(every[:10]) + more


SETTINGS = ("mixture", "shift", "relevance", "unjudged", "cut_offs")


def as_json(
    study: UncertainStudy,
    displacements: Sequence[DisplacementStudy] = (),
    remarks: Sequence[str] = (),
) -> Any:
    """All of a study, with remarks on what was read.

    ``items`` has the probability of each category above 0; ``answers`` the bands over
    ``cut_off``; a band is ``[low, high]``.
    """
    relevance = study.relevance
    tree = relevance.judgements.tree
    return to_builtins(
        {
            "settings": {
                **attributes(study.settings, *SETTINGS),
                "compared_at": study.compared_at,
            },
            "captions": study.captions,
            "remarks": [*remarks, *study.remarks],
            "subjects": relevance.judgements.subjects,
            "categories": [
                {
                    "category": name,
                    "parent": tree.categories[above] if above >= 0 else None,
                    "expected_size": size,
                }
                for name, above, size in zip(
                    tree.categories, tree.parent.tolist(), relevance.size, strict=True
                )
            ],
            "items": {
                item: {tree.categories[at]: row[at] for at in np.flatnonzero(np.nan_to_num(row))}
                if not np.isnan(row).any()
                else None
                for item, row in zip(relevance.judgements.items, relevance.probability, strict=True)
            },
            "answers": [_answer(each) for each in study.answers],
            "systems": [_mean(each) for each in study.means],
            "comparisons": [_between(each) for each in study.comparisons],
            "displacement": {each.missing: displacement_json(each) for each in displacements},
        }
    )


def _answer(each: JudgedAnswer) -> dict[str, Any]:
    return {
        **attributes(each, "system", "query"),
        "returned": len(each.items),
        "unjudged": each.unjudged,
        "categories": {
            name: {"weight": weight, "expected_size": size}
            for name, weight, size in zip(
                each.categories, each.answer.weight, each.answer.size, strict=True
            )
        },
        "weight_sum": each.weight_sum,
        "cut_off": each.bands.cut_off,
        "precision": _band(each.bands.precision),
        "recall": _band(each.bands.recall),
    }


def _band(band: Band) -> dict[str, Any]:
    return attributes(band, "mean", "median", half="middle_50", most="middle_95")


def _mean(each: SystemMean) -> dict[str, Any]:
    precision = each.precision
    return {
        "system": each.system,
        "precision": precision
        and {
            **attributes(precision, "mean", "median"),
            "half": precision.band(0.5),
            "most": precision.band(0.95),
        },
        "recall": None if each.recall is None else {"mean": each.recall},
        **attributes(each, "queries", "left_out"),
    }


def _between(each: SystemPair) -> dict[str, Any]:
    found = each.comparison
    return {
        **attributes(each, "a", "b", "left_out"),
        "difference": found
        and {
            **attributes(found, better="superiority", equal="equality", worse="inferiority"),
            **attributes(found, "mean", "interval", "common", "queries"),
        },
    }
