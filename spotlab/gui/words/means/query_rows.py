"""Means and queries as rows of tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.errors import counted
from spotlab.gui.kit.table_model import Note, Rows
from spotlab.gui.words.state.word_lists import colour_of
from spotlab.gui.words.state.word_naming import short_title
from spotlab.measures.measure import Figure
from spotlab.ranking.fusion import fusions
from spotlab.report.figure_text import (
    correction_note,
    written,
    written_difference,
    written_interval,
)
from spotlab.studies.words.query_means import FIGURES, ListMean, QueryComparison

NO_TRUTH = "no word of any query is known to be relevant."
LEVEL = 0.05


def list_rows(comparison: QueryComparison, *, differences: bool) -> Rows:
    """A row for each list: means, with intervals or with differences from the reference."""
    lists = comparison.lists
    values = [[_number(each.mean[figure.name]) for figure in FIGURES] for each in lists]
    notes, ends = {}, {}
    for row, each in enumerate(lists):
        for figure in FIGURES:
            interval = each.interval[figure.name]
            if interval is not None:
                ends[row, figure.name] = (interval.low, interval.high)
            note = _difference(each, figure, comparison) if differences else _interval(each, figure)
            if note is not None:
                notes[row, figure.name] = note
    return Rows(
        names=tuple(short_title(each.title) for each in lists),
        keys=tuple(each.name for each in lists),
        values=np.array(values, np.float64).reshape(-1, len(FIGURES)),
        colours=_colours([each.name for each in lists]),
        notes=notes,
        reasons=(NO_TRUTH,) * len(lists),
        ends=ends,
    )


def _colours(names: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns of words."""
    known = fusions()
    given = [name for name in names if name not in known]
    return tuple(
        colour_of(name if name in known else f"given {given.index(name)}") for name in names
    )


def _interval(each: ListMean, figure: Figure) -> Note | None:
    interval = each.interval[figure.name]
    if interval is None:
        return None
    tip = f"95 % bootstrap interval over {counted(each.defined[figure.name], 'query')}"
    return Note(written_interval(interval), tip)


def _difference(each: ListMean, figure: Figure, comparison: QueryComparison) -> Note | None:
    difference = each.difference.get(figure.name)
    if difference is None:
        return None
    title = next(one.title for one in comparison.lists if one.name == comparison.reference)
    sure = difference.p_holm is not None and difference.p_holm < LEVEL
    tip = (
        f"Difference from {title}, paired by query: {written_difference(difference)}. "
        f"{correction_note(comparison.tests)}"
    )
    return Note(written(difference.value, "change") + (" *" if sure else ""), tip, strong=sure)


def query_figures(comparison: QueryComparison) -> tuple[Figure, ...]:
    """A column of average precision for each list, after the number of relevant words."""
    relevant = Figure(
        "relevant", "Relevant", "count", 0, "Words to be found, without the query itself."
    )
    definition = FIGURES[0].definition.removeprefix("Mean over queries of average precision: ")
    return (
        relevant,
        *(
            Figure(
                f"ap_{each.name}", short_title(each.title), "", 1,
                f"Average precision of {each.title}: {definition}",
            )
            for each in comparison.lists
        ),
    )  # fmt: skip


def query_rows(comparison: QueryComparison, titles: Sequence[str]) -> Rows:
    """A row for each query; its key is its place among the open ones."""
    values = [
        [
            _number(query.relevant),
            *(_number(query.value(each.name, "average_precision")) for each in comparison.lists),
        ]
        for query in comparison.queries
    ]
    return Rows(
        names=tuple(titles),
        keys=tuple(range(len(titles))),
        values=np.array(values, np.float64).reshape(len(titles), 1 + len(comparison.lists)),
        reasons=("no word is known to be relevant.",) * len(titles),
    )


def mean_row(comparison: QueryComparison) -> Rows:
    """What stands above the queries: mean average precision of each list."""
    means = [_number(each.mean["average_precision"]) for each in comparison.lists]
    return Rows(
        names=("mean",),
        keys=(None,),
        values=np.array([[np.nan, *means]], np.float64),
        means=frozenset([0]),
        reasons=(NO_TRUTH,),
    )


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
