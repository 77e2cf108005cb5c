"""The rows of the frames that an evaluation gives, run by run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spotlab.api.summary import Summary
from spotlab.errors import counted
from spotlab.measures.figures import RunFigures, figures_by_page
from spotlab.measures.measure import known_figures
from spotlab.report.figure_text import written
from spotlab.studies.evaluate.evaluation import (
    SPOT_COLUMNS,
    Evaluation,
    RunEvaluation,
    spot_columns,
)

SHOWN = ("area_precision", "area_recall", "f", "iou_precision", "recognition_rate")
NAMES = tuple(figure.name for figure in known_figures())
DIFFERENCES = ("first", "second", "figure", "difference", "low", "high", "p", "p_holm")
COUNTS = frozenset(figure.name for figure in known_figures() if figure.unit == "count")


def query_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each query of the truth.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    figures, tally = run.figures, run.tally
    own = figures.in_truth.nonzero()[0]
    spots = tally.starts[1:] - tally.starts[:-1]
    columns: dict[str, list[Any]] = {
        "run": [run.name] * len(own),
        "query": [tally.queries[place] for place in own.tolist()],
        "spots": spots[own].tolist(),
    }
    for name in NAMES:
        values = figures.columns[name][own]
        columns[name] = (values.astype(int) if name in COUNTS else values).tolist()
    return columns


def mean_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each figure.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    figures: RunFigures = run.figures
    intervals = [run.intervals_over_queries.get(name) for name in NAMES]
    return {
        "run": [run.name] * len(NAMES),
        "figure": list(NAMES),
        "mean": _numbers(figures.mean),
        "low": [None if each is None else each.low for each in intervals],
        "high": [None if each is None else each.high for each in intervals],
        "queries": [figures.defined[name] for name in NAMES],
        "pooled": _numbers(figures.pooled),
    }


def _numbers(values: Mapping[str, float | None]) -> list[float | None]:
    return [values.get(name) for name in NAMES]


def rank_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each spot, with what a list that ends there has.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    tally, figures = run.tally, run.figures
    return {
        "run": [run.name] * len(tally),
        "query": [tally.queries[place] for place in tally.query.tolist()],
        "page": [tally.pages[place] for place in tally.page.tolist()],
        "rank": tally.rank.tolist(),
        "score": tally.score.tolist(),
        "precision": figures.precision.tolist(),
        "recall": figures.recall.tolist(),
        "fall_out": figures.fall_out.tolist(),
        "f": figures.f.tolist(),
        "recognised": figures.recognised.tolist(),
        "false_positives": figures.false_positives.tolist(),
    }


def page_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each page.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    return {
        "run": [run.name] * len(run.tally.pages),
        "page": list(run.tally.pages),
        **{name: each.tolist() for name, each in figures_by_page(run.figures).items()},
    }


def difference_rows(evaluation: Evaluation) -> list[dict[str, list[Any]]]:
    """A row for each two runs and figure.

    Parameters
    ----------
    evaluation : Evaluation
        All runs.
    """
    rows = [
        (first, second, name, found.value, found.low, found.high, found.p, found.p_holm)
        for (first, second), differences in evaluation.comparisons.items()
        for name, found in differences.items()
        if found is not None
    ]
    return [dict(zip(DIFFERENCES, ([value] for value in row), strict=True)) for row in rows]


def summary_of(evaluation: Evaluation, remarks: tuple[str, ...]) -> Summary:
    """Means over the queries, of the best-known figures.

    Parameters
    ----------
    evaluation : Evaluation
        All runs.
    remarks : tuple of str
        Lines below the table.
    """
    truths, runs = evaluation.truths, evaluation.runs
    titles = {figure.name: figure for figure in known_figures()}
    shown = [titles[name] for name in SHOWN]
    heads = ("run", *(f"{each.title} (%)" if each.unit else each.title for each in shown))
    rows = tuple(
        (run.name, *(written(run.figures.mean[each.name], each.unit, mean=True) for each in shown))
        for run in runs
    )
    regions = evaluation.truth_notes.regions
    title = ", ".join(
        (counted(len(runs), "run"), counted(len(truths), "page"), counted(regions, "region"))
    )
    return Summary(f"{title}: means over queries", heads, rows, remarks)


def spot_table(evaluation: Evaluation) -> dict[str, list[Any]]:
    """A row for each spot of each run, with its kind of error and what it lies on.

    Parameters
    ----------
    evaluation : Evaluation
        All runs.
    """
    found: dict[str, list[Any]] = {name: [] for name in SPOT_COLUMNS}
    for run in evaluation.runs:
        areas = evaluation.confusion(run).areas
        assert areas is not None  # an evaluation measures them
        for name, values in spot_columns(run.name, run.errors, areas).items():
            found[name] += values
    return found
