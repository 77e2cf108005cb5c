"""Scalability as files: a page, Table 3 as CSV and LaTeX, Figs. 9 and 10 as SVG and PDF, JSON.

Rusiñol & Lladós, §4.4 and §5.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import cycle
from pathlib import Path

import numpy as np

from spotlab.arrays import Floats
from spotlab.errors import counted
from spotlab.measures.measure import known_figures
from spotlab.progress import Progress, silent
from spotlab.report.charts import Chart, ChartLine, ErrorBars, LinePlot
from spotlab.report.colours import DASHES, RunStyle, run_style
from spotlab.report.studies.study import StudySection, write_study
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.studies.evaluate.scalability import RunScalability, Scalability, as_json

EVERY = 5  # of the samples has error bars


def write_scalability(
    scalability: Scalability,
    directory: Path,
    progress: Progress = silent,
    made: datetime | None = None,
    *,
    styles: Sequence[RunStyle] | None = None,
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
            "Deviation between numbers of classes (Table 3, Fig. 9)",
            ["Averaged curves of different numbers of classes, and how far they differ."],
            {"deviations": deviations_table(scalability)},
            curves(scalability, styles),
        ),
        StudySection(
            "Growing parts of the collection (Fig. 10)",
            [],
            {"parts": parts_table(scalability)},
            {"sizes": sizes(scalability, styles)},
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
    classes, times = len(scalability.classes), counted(scalability.draws, "time")
    title = (
        "Standard deviation between numbers of classes, in percent, of "
        f"{classes:,} classes drawn {times} (Rusiñol & Lladós, Table 3)"
    )
    return Table(title, tuple(columns), tuple(rows))


def parts_table(scalability: Scalability) -> Table:
    """Fig. 10 in numbers: a row for each run and part of the collection."""
    columns = tuple(
        Column(title, name)
        for title, name in (
            ("Run", "run"),
            ("Classes", "classes"),
            ("Pages", "pages"),
            (_rate(scalability), "recognition_rate"),
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


def curves(scalability: Scalability, styles: Sequence[RunStyle] | None = None) -> dict[str, Chart]:
    """Fig. 9, a row a run: the averaged P–R curves, their centre with both error bars, F(r).

    Returns
    -------
    dict of str to Chart
        By the name of their files.
    """
    styles = styles or [run_style(number) for number in range(len(scalability.runs))]
    counts, recalls = scalability.counts, scalability.recalls
    averaged, centres, f = [], [], []
    for run, style in zip(scalability.runs, styles, strict=True):
        families = zip(counts, run.recall.mean, run.precision.mean, strict=True)
        lines = [
            ChartLine(_classes(count), shade, precision, recall, width=1.3, dash=dash)
            for (count, recall, precision), shade, dash in zip(
                families, _shades(len(counts)), cycle(DASHES), strict=False
            )
        ]
        recall, link = run.recall.centre, f"run:{run.name}"
        averaged.append(
            LinePlot(run.name, "Area recall", recall, lines, x_end=1.0, y_title="Area precision")
        )
        bars = ErrorBars(run.precision.deviation, EVERY, run.recall.deviation)
        centres.append(
            ChartLine(run.name, style.colour, run.precision.centre, recall, bars=bars, link=link,
                      dash=style.dash)
        )  # fmt: skip
        bars = ErrorBars(run.f.deviation, EVERY)
        f.append(
            ChartLine(run.name, style.colour, run.f.centre, bars=bars, link=link, dash=style.dash)
        )
    x = scalability.runs[0].recall.centre
    between = [
        LinePlot("Area precision", "Area recall", x, centres, x_end=1.0),
        LinePlot("F at recall r", "Area recall r", recalls, f, x_end=1.0),
    ]
    of_all = counted(len(scalability.classes), "class", "classes")
    drawn = f"{counted(scalability.draws, 'draw')} of {of_all} each"
    return {
        "curves-by-number": Chart(averaged, note=f"Means of {drawn}."),
        "curves": Chart(between, 2, note=f"Mean curves of {drawn}.", bars=BARS),
    }


BARS = "standard deviation between numbers of classes"


def _classes(count: int) -> str:
    return counted(count, "class", "classes")


def _shades(number: int) -> list[str]:
    """Colours from light to dark blue, which stay apart in grey."""
    start, end = np.array([150, 190, 230]), np.array([10, 30, 80])
    shares = np.linspace(0.0, 1.0, number) if number > 1 else np.ones(1)
    return ["#{:02x}{:02x}{:02x}".format(*(start + share * (end - start)).astype(int).tolist())
            for share in shares]  # fmt: skip


def sizes(scalability: Scalability, styles: Sequence[RunStyle] | None = None) -> Chart:
    """Fig. 10: recognition rate and false positives of growing parts of the collection."""
    styles = styles or [run_style(number) for number in range(len(scalability.runs))]
    parts = scalability.runs[0].sizes
    names = [f"{_classes(each.classes)}, {counted(each.pages, 'page')}" for each in parts]
    places = np.arange(len(parts), dtype=np.float64)
    plots = []
    for title, value, spread in (
        (_rate(scalability), "recognition_rate", "recognition_spread"),
        ("False positives per query", "false_positives", "false_positives_spread"),
    ):
        lines = [
            ChartLine(
                run.name,
                style.colour,
                _values(run, value),
                dash=style.dash,
                bars=ErrorBars(_values(run, spread)),
                link=f"run:{run.name}",
            )
            for run, style in zip(scalability.runs, styles, strict=True)
        ]
        plots.append(LinePlot(title, "Part of the collection", places, lines, None, x_names=names))
    drawn = counted(scalability.draws, "draw")
    return Chart(plots, 2, note=f"Means of {drawn}.", bars="standard deviation between draws")


def _rate(scalability: Scalability) -> str:
    """The head of the recognition rate: of all symbols of a part."""
    figure = next(each for each in known_figures() if each.name == "recognition_rate")
    return figure.titled(scalability.settings, unit=True)


def _values(run: RunScalability, name: str) -> Floats:
    """Return what each part of the collection has by this name; NaN where it is undefined."""
    return np.array([_defined(getattr(each, name)) for each in run.sizes])


def _percent(value: float | None) -> Cell:
    return figure_cell(None if value is None else 100 * value, spec=",.2f")


def _defined(value: float | None) -> float:
    return np.nan if value is None else value
