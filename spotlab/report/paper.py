"""Tables of Rusiñol & Lladós (2009) under their names and as they are printed there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from spotlab.errors import counted
from spotlab.measures.area import retrieval_matrix
from spotlab.measures.measure import MeasureSettings
from spotlab.report.run_tables import mean_cell, uneven_note
from spotlab.report.tables import Cell, Column, Table, figure_cell

if TYPE_CHECKING:
    from spotlab.arrays import Floats
    from spotlab.measures.figures import RunFigures

MATRIX_TITLES = {
    "retrieved_relevant": "Retrieved, relevant",
    "retrieved_non_relevant": "Retrieved, non-relevant",
    "retrieved": "Retrieved",
    "not_retrieved_relevant": "Not retrieved, relevant",
    "not_retrieved_non_relevant": "Not retrieved, non-relevant",
    "not_retrieved": "Not retrieved",
    "relevant": "Relevant",
    "non_relevant": "Non-relevant",
    "total": "Total",
}


def matrix_table(name: str, run: RunFigures) -> Table:
    """Table 1 of every query, a row each: the areas of the retrieval matrix in px², and its sums.

    Parameters
    ----------
    name : str
        Of the run.
    run : RunFigures
    """
    columns = [Column(f"{title} (px²)", key, unit="px²") for key, title in MATRIX_TITLES.items()]
    of_queries = _matrix(run)
    rows = [
        (Cell(query), *(column.cell(float(of_queries[column.name][at])) for column in columns))
        for at, query in enumerate(run.tally.queries)
        if run.in_truth[at]
    ]
    pooled = run.pooled_sums
    every = retrieval_matrix(pooled.relevant, pooled.outside, pooled.truth, pooled.pages)
    foot = (Cell("pooled"), *(column.cell(float(every[column.name])) for column in columns))
    title = (
        f"{name}: retrieval matrix of {counted(len(rows), 'query')}, areas in px² "
        "(Rusiñol & Lladós, Table 1)"
    )
    note = f"Overlap: {run.settings.overlap}. Each query is asked of all pages."
    return Table(title, (Column("Query", "query"), *columns), tuple(rows), note, foot=(foot,))


def _matrix(run: RunFigures) -> dict[str, Floats]:
    sums = run.sums
    return retrieval_matrix(sums.relevant, sums.outside, sums.truth, sums.pages)


QUALITY = {
    "average_precision_retrieved": "AveP_A (%)",
    "f": "F_A^{beta:g}-score (%)",
    "recognition_rate": "Rec. rate ({area:.6g} % of the area), in %",
    "false_positives": "AveFP",
    "generality": "AveG_A (%)",
}


def quality_table(names: Sequence[str], runs: Sequence[RunFigures]) -> Table:
    """Table 2: the measures of quality of each run, as they are defined and printed there.

    Parameters
    ----------
    names : sequence of str
    runs : sequence of RunFigures
        One for each name, on the same truth.
    """
    heads = [Column("Method", "run")]
    settings = runs[0].settings if runs else MeasureSettings()
    levels = {"beta": settings.beta, "area": 100 * settings.recognised}
    heads += [
        Column(title.format(**levels), name, unit="count" if name == "false_positives" else "%",
               over="pooled" if name == "recognition_rate" else "mean",
               better={"false_positives": -1, "generality": 0}.get(name, 1))
        for name, title in QUALITY.items()
    ]  # fmt: skip
    rows = [(Cell(name), *_quality(run)) for name, run in zip(names, runs, strict=True)]
    title = "Measures of quality (Rusiñol & Lladós, Table 2)"
    table = Table(title, tuple(heads), tuple(rows), _quality_note(runs))
    return replace(table, note=f"{table.note} {uneven_note(table)}".strip())


def _quality(run: RunFigures) -> list[Cell]:
    cells = []
    for name in QUALITY:
        value = run.overall[name]
        is_share = name not in ("recognition_rate", "false_positives")
        printed = value if value is None or not is_share else 100 * value
        cell = figure_cell(printed, spec=",.2f")
        if name != "recognition_rate":
            known = np.flatnonzero(run.in_truth & ~np.isnan(run.columns[name])).tolist()
            over = [run.tally.queries[place] for place in known]
            cell = mean_cell(cell, over, int(run.in_truth.sum()))
        cells.append(cell)
    return cells


def _quality_note(runs: Sequence[RunFigures]) -> str:
    if not runs:
        return ""
    run = runs[0]
    symbols = counted(int(run.pooled_sums.symbols), "symbol")
    queries = counted(int(run.in_truth.sum()), "query")
    return (
        f"Means over {queries}: AveP_A (eq. 8), F_A (eq. 9), AveFP and AveG_A. Rec. rate: pooled, "
        f"of all {symbols}. Overlap: {run.settings.overlap}."
    )
