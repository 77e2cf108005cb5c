"""Curves of ranked lists: precision over recall, and score over rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.own_instance import ItemTruth, without_item
from spotlab.report.charts import Chart, Line, LinePlot
from spotlab.report.colours import run_colour
from spotlab.studies.words.query_means import QueryComparison
from spotlab.studies.words.studied_queries import StudiedQuery

LEVELS = np.linspace(0.0, 1.0, 101)
FOUND, FALSE = "#009E73", "#D55E00"
COLUMNS = 3


def precision_recall(queries: Sequence[StudiedQuery], comparison: QueryComparison) -> Chart:
    """The mean of interpolated precision over queries, a line for each list."""
    lines = []
    for number, each in enumerate(comparison.lists):
        curves = [
            interpolated(query.truth, listed.ranked.item)
            for query in queries
            for listed in query.lists
            if listed.name == each.name and query.relevant
        ]
        if curves:
            y = np.mean(curves, axis=0)
            lines.append(Line(each.title, run_colour(number), y, link=f"list:{each.name}"))
    return Chart([LinePlot("Precision", "Recall", LEVELS, lines, x_end=1.0)], 1, (5.2, 3.6))


def interpolated(truth: ItemTruth, items: NDArray[np.int64]) -> NDArray[np.float64]:
    """(101,) the highest precision at each recall of `LEVELS` or a higher one; 0 beyond the last.

    Examples
    --------
    >>> truth = ItemTruth(np.array([1, 0, 1], np.int8), 4)
    >>> interpolated(truth, np.array([0, 1, 2]))[[0, 25, 26, 50, 51]].round(3).tolist()
    [1.0, 1.0, 0.667, 0.667, 0.0]
    """
    others = truth.without_own()
    ranked = items if truth.own is None else items[items != truth.own]
    hits = np.cumsum(others.relevance[ranked] == 1)
    if not len(ranked) or not others.relevant:
        return np.zeros(len(LEVELS))
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / others.relevant
    best = np.maximum.accumulate(precision[::-1])[::-1]
    first = np.searchsorted(recall, LEVELS - 1e-12)
    return np.where(first < len(best), best[np.minimum(first, len(best) - 1)], 0.0)


def score_lines(queries: Sequence[StudiedQuery]) -> Chart:
    """Score over rank, a plot for each query and a line for each list, right words marked."""
    plots = []
    for query in queries:
        longest = max((len(each.ranked) for each in query.lists), default=1)
        ranks, lines = np.arange(1.0, longest + 1), []
        for number, each in enumerate(query.lists):
            ranked, link = without_item(each.ranked, query.truth.own), f"list:{each.name}"
            x, kinds = ranks[: len(ranked)], query.truth.relevance[ranked.item]
            lines.append(
                Line(each.title, run_colour(number), ranked.score, x, link=link, width=1.4)
            )
            for kind, colour, marks in ((1, FOUND, "full"), (0, FALSE, "hollow")):
                y = np.where(kinds == kind, ranked.score, np.nan)
                lines.append(Line("", colour, y, x, link=link, marks=marks))
        plots.append(LinePlot(query.name, "Rank", ranks, lines, top=None))
    return Chart(plots, COLUMNS, (3.5, 2.9))
