"""Scalability as files: a page, Table 3 as CSV and LaTeX, Figs. 9 and 10 as SVG and PDF, JSON.

Rusiñol & Lladós, §4.4 and §5.4.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np

from spotlab.arrays import Floats
from spotlab.errors import counted
from spotlab.progress import Progress, silent
from spotlab.report.charts import Chart, ChartLine, ErrorBars, LinePlot
from spotlab.report.colours import run_style
from spotlab.report.study import StudySection, write_study
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.studies.evaluate.scalability import RunScalability, Scalability, as_json

EVERY = 5  # of the samples has error bars


def write_scalability(
    scalability: Scalability,
    directory: Path,
    progress: Progress = silent,
    made: datetime | None = None,
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
    sections = [
        StudySection(
            "Deviation between numbers of classes",
            ["Averaged curves of different numbers of classes, and how far they differ."],
            {"deviations": deviations_table(scalability)},
            {"curves": curves(scalability)},
        ),
        StudySection(
            "Growing parts of the collection",
            [],
            {"parts": parts_table(scalability)},
            {"sizes": sizes(scalability)},
        ),
    ]
    progress(1, 2, "writing tables")
    summary, numbers = _summary(scalability), as_json(scalability)
    write_study(directory, "Scalability", summary, sections, numbers, made, "scalability.json")
    progress(2, 2, "writing tables")
    return directory


def _summary(scalability: Scalability) -> str:
    counts = ", ".join(map(str, scalability.counts))
    return (
        f"{counts} classes, each number drawn {counted(scalability.draws, 'time')} "
        "(Rusiñol & Lladós 2009, §4.4 and §5.4)."
    )


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
            figure_cell(each.classes, "count"),
            figure_cell(each.pages, "count"),
            figure_cell(each.recognition_rate, spec=",.1f"),
            figure_cell(each.recognition_spread, spec=",.1f"),
            figure_cell(each.false_positives, spec=",.2f"),
            figure_cell(each.false_positives_spread, spec=",.2f"),
        )
        for run in scalability.runs
        for each in run.sizes
    ]
    return Table("Growing parts of the collection", columns, tuple(rows))


def curves(scalability: Scalability) -> Chart:
    """Fig. 9, a row a run: the averaged P–R curves, their centre with both error bars, F(r)."""
    plots = []
    for number, run in enumerate(scalability.runs):
        colour, link = run_style(number).colour, f"run:{run.name}"
        families = zip(scalability.counts, run.recall.mean, run.precision.mean, strict=True)
        averaged = [
            ChartLine(f"{count} classes", colour, precision, recall, width=1.0, opacity=0.5)
            for count, recall, precision in families
        ]
        bars = ErrorBars(run.precision.deviation, EVERY, run.recall.deviation)
        recall = run.recall.centre
        centre = ChartLine(run.name, colour, run.precision.centre, recall, bars=bars, link=link)
        bars = ErrorBars(run.f.deviation, EVERY)
        f = ChartLine(run.name, colour, run.f.centre, bars=bars, link=link)
        recalls = scalability.recalls
        plots += [
            LinePlot(f"{run.name}: each number of classes", "Recall", recall, averaged, x_end=1.0),
            LinePlot(
                "Precision, between numbers of classes", "Recall", recall, [centre], x_end=1.0
            ),
            LinePlot(
                "F at recall r, between numbers of classes", "Recall r", recalls, [f], x_end=1.0
            ),
        ]
    return Chart(plots)


def sizes(scalability: Scalability) -> Chart:
    """Fig. 10: recognition rate and false positives of growing parts of the collection."""
    parts = scalability.runs[0].sizes
    names = [
        f"{counted(each.classes, 'class', 'classes')}, {counted(each.pages, 'page')}"
        for each in parts
    ]
    places = np.arange(len(parts), dtype=np.float64)
    plots = []
    for title, value, spread in (
        ("Recognition rate (%)", "recognition_rate", "recognition_spread"),
        ("False positives per query", "false_positives", "false_positives_spread"),
    ):
        lines = [
            ChartLine(
                run.name,
                run_style(number).colour,
                _values(run, value),
                dash=run_style(number).dash,
                bars=ErrorBars(_values(run, spread)),
                link=f"run:{run.name}",
            )
            for number, run in enumerate(scalability.runs)
        ]
        plots.append(LinePlot(title, "", places, lines, top=None, x_names=names))
    return Chart(plots, 2)


def _values(run: RunScalability, name: str) -> Floats:
    """Return what each part of the collection has by this name; NaN where it is undefined."""
    return np.array([_defined(getattr(each, name)) for each in run.sizes])


def _percent(value: float | None) -> Cell:
    return figure_cell(None if value is None else 100 * value, spec=",.2f")


def _defined(value: float | None) -> float:
    return np.nan if value is None else value
