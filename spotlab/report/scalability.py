"""Scalability as files: Table 3 as CSV and LaTeX, Figs. 9 and 10 as SVG and PDF, all of it as JSON.

Rusiñol & Lladós, §4.4 and §5.4.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from spotlab.formats.rows.json_values import json_text
from spotlab.measures.scalability import CurveFamily
from spotlab.progress import Progress, silent
from spotlab.report.colours import run_style
from spotlab.report.plots import STYLE, dashes_of, file
from spotlab.report.tables import Cell, Column, Table, as_csv, as_latex
from spotlab.report.write import write_together
from spotlab.studies.areas.scalability import RunScalability, Scalability
from spotlab.studies.areas.scalability_json import as_json

EVERY = 5  # of the samples has error bars


def write_scalability(
    scalability: Scalability, directory: Path, progress: Progress = silent
) -> Path:
    """Write all files, or none.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    NotSaved
        They could not be written; what was there before is untouched.
    """
    progress(0, 2, "drawing curves")
    drawn = {
        "curves": curves(scalability),
        "sizes": sizes(scalability),
    }
    contents = {
        f"{name}.{kind}": file(figure, kind)
        for name, figure in drawn.items()
        for kind in ("svg", "pdf")
    }
    progress(1, 2, "writing tables")
    for name, table in (
        ("deviations", deviations_table(scalability)),
        ("parts", parts_table(scalability)),
    ):
        contents[f"{name}.csv"] = as_csv(table).encode()
        contents[f"{name}.tex"] = as_latex(table).encode()
    write_together(
        directory, {**contents, "scalability.json": json_text(as_json(scalability)).encode()}
    )
    progress(2, 2, "writing tables")
    return directory


def deviations_table(scalability: Scalability) -> Table:
    """Table 3: mean and maximum of the deviations between numbers of classes, in percent."""
    columns = [Column("Run", "run")]
    for name, title in (("recall", "Recall"), ("precision", "Precision"), ("f", "F")):
        columns += [
            Column(f"{title}, mean", f"{name}_mean", "Mean standard deviation, in %"),
            Column(f"{title}, max", f"{name}_maximum", "Largest standard deviation, in %"),
            Column(
                f"{title}, by chance",
                f"{name}_by_chance",
                "Deviation by chance (random drawing alone), in %",
            ),
        ]
    rows = [
        (
            Cell(run.name),
            *(
                _percent(value)
                for each in (run.recall, run.precision, run.f)
                for value in (each.mean_deviation, each.largest_deviation, each.mean_by_chance)
            ),
        )
        for run in scalability.runs
    ]
    title = "Standard deviation between numbers of classes, in percent"
    return Table(title, tuple(columns), tuple(rows))


def parts_table(scalability: Scalability) -> Table:
    """Fig. 10 in numbers: a row for each run and part of the collection."""
    columns = tuple(
        Column(title, name)
        for title, name in (
            ("Run", "run"),
            ("Classes", "classes"),
            ("Pages", "pages"),
            ("Recognition rate (%)", "recognition_rate"),
            ("± (%)", "recognition_spread"),
            ("False positives per query", "false_positives"),
            ("±", "false_positives_spread"),
        )
    )
    rows = [
        (
            Cell(run.name),
            Cell(f"{each.classes:,}", each.classes),
            Cell(f"{each.pages:,}", each.pages),
            _number(each.recognition_rate, 1),
            _number(each.recognition_spread, 1),
            _number(each.false_positives, 2),
            _number(each.false_positives_spread, 2),
        )
        for run in scalability.runs
        for each in run.sizes
    ]
    return Table("Growing parts of the collection", columns, tuple(rows))


def curves(scalability: Scalability) -> Figure:
    """Fig. 9, a row a run: the averaged P–R curves, their centre with both error bars, F(r)."""
    figure, rows = _axes(len(scalability.runs), 3)
    for number, (run, (averaged, centre, f)) in enumerate(zip(scalability.runs, rows, strict=True)):
        colour = run_style(number).colour
        for recall, precision in zip(run.recall.mean, run.precision.mean, strict=True):
            averaged.plot(recall, precision, color=colour, alpha=0.5, linewidth=1)
        _label(averaged, f"{run.name}: each number of classes", "Recall")
        _with_bars(centre, run.recall.centre, run.precision, colour, run.recall)
        _label(centre, "Precision, between numbers of classes", "Recall")
        _with_bars(f, scalability.recalls, run.f, colour)
        _label(f, "F at recall r, between numbers of classes", "Recall r")
    return figure


def sizes(scalability: Scalability) -> Figure:
    """Fig. 10: recognition rate and false positives of growing parts of the collection."""
    figure, rows = _axes(1, 2)
    rate, false = rows[0]
    for number, run in enumerate(scalability.runs):
        style = run_style(number)
        colour, dashes = style.colour, dashes_of(style)
        places = range(len(run.sizes))
        rates = [_defined(each.recognition_rate) for each in run.sizes]
        spreads = [_defined(each.recognition_spread) for each in run.sizes]
        rate.errorbar(
            places, rates, spreads, color=colour, linestyle=dashes, capsize=3, label=run.name
        )
        false.errorbar(
            places,
            [each.false_positives for each in run.sizes],
            [each.false_positives_spread for each in run.sizes],
            color=colour,
            linestyle=dashes,
            capsize=3,
        )
    rate.legend(fontsize=8)
    for axis, title in ((rate, "Recognition rate (%)"), (false, "False positives per query")):
        axis.set_title(title, fontsize=9.5, loc="left")
        axis.set_ylim(bottom=0)
        _name_parts(axis, scalability.runs[0])
    return figure


def _name_parts(axis: Axes, run: RunScalability) -> None:
    names = [f"{each.classes:,} classes\n{each.pages:,} pages" for each in run.sizes]
    axis.set_xticks(range(len(names)), names)


def _with_bars(
    axis: Axes, x: np.ndarray, each: CurveFamily, colour: str, across: CurveFamily | None = None
) -> None:
    axis.plot(x, each.centre, color=colour, linewidth=1.5)
    some = slice(EVERY - 1, None, EVERY)
    sideways = None if across is None else np.nan_to_num(across.deviation[some])
    axis.errorbar(
        x[some], each.centre[some], np.nan_to_num(each.deviation[some]), sideways,
        fmt="none", ecolor=colour, elinewidth=1, capsize=2,
    )  # fmt: skip


def _axes(rows: int, columns: int) -> tuple[Figure, list[list[Axes]]]:
    with rc_context(STYLE):
        figure = Figure(figsize=(3.5 * columns, 3.2 * rows), layout="constrained")
        FigureCanvasAgg(figure)
        return figure, [list(row) for row in figure.subplots(rows, columns, squeeze=False)]


def _label(axis: Axes, title: str, x: str) -> None:
    axis.set_title(title, fontsize=9.5, loc="left")
    axis.set_xlabel(x)
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1.02)


def _percent(value: float | None) -> Cell:
    return _number(None if value is None else 100 * value, 2)


def _number(value: float | None, places: int) -> Cell:
    return Cell("–") if value is None else Cell(f"{value:,.{places}f}", value)


def _defined(value: float | None) -> float:
    return np.nan if value is None else value
