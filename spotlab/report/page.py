"""The report as one HTML page that needs nothing but itself: plots, tables that sort, overlays."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from spotlab import __version__
from spotlab.measures.errors import KINDS
from spotlab.measures.measure import known_figures
from spotlab.report import plots
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import written_difference
from spotlab.report.overlays import Overlaid
from spotlab.report.tables import (
    Cell,
    Column,
    Table,
    outside_table,
    pooled_table,
    queries_table,
    runs_table,
)
from spotlab.resources import report_folder

if TYPE_CHECKING:
    from spotlab.studies.areas.evaluate import Evaluation, RunEvaluation


@dataclass(frozen=True)
class RunSection:
    """What the page says of one run."""

    name: str
    colour: str
    remarks: Sequence[str]
    plot: Markup
    queries: Table
    outside: Table | None
    errors: Table
    pages: Sequence[Mapping[str, str]]
    listed: Sequence[str]


def render(
    evaluation: Evaluation,
    overlaid: Mapping[str, Sequence[Overlaid]],
    made: datetime,
) -> str:
    """The page as text.

    Parameters
    ----------
    evaluation : Evaluation
    overlaid : mapping of str to sequence of Overlaid
        The worst pages of each run, by its name.
    made : datetime
        The same arguments give the same page.
    """
    names = [run.name for run in evaluation.runs]
    figures = [run.figures for run in evaluation.runs]
    intervals = [run.intervals_over_queries for run in evaluation.runs]
    return (
        templates()
        .get_template("report.html")
        .render(
            title="Evaluation of " + ", ".join(names) if names else "Evaluation",
            summary=_summary(evaluation),
            run_tables=[runs_table(names, figures, intervals), pooled_table(names, figures)],
            intervals_note="In brackets 95 % bootstrap intervals over queries.",
            comparisons=_comparisons(evaluation),
            curves=Markup(plots.svg(plots.curves(names, figures))),
            missing_note=_missing_note(evaluation),
            runs=[
                _section(run, number, overlaid.get(run.name, ()))
                for number, run in enumerate(evaluation.runs)
            ],
            figures=known_figures(),
            made=made_line(made),
        )
    )


def templates() -> Environment:
    """The pages' templates, which may ask for tables that sort."""
    environment = Environment(
        loader=FileSystemLoader(report_folder()), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals["sortable"] = sortable
    return environment


def made_line(made: datetime) -> str:
    """When a page was made, and by what."""
    return f"Made by spotlab {__version__} on {made:%Y-%m-%d %H:%M}."


def sortable(table: Table) -> Markup:
    """A table whose heads sort it."""
    heads = Markup("").join(
        Markup('<th title="{}"><button>{}</button></th>').format(column.definition, column.title)
        for column in table.columns
    )
    rows = Markup("").join(Markup("<tr>{}</tr>").format(_cells(row)) for row in table.rows)
    return Markup(
        '<div class="wide"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(heads, rows)


def _cells(row: Sequence[Cell]) -> Markup:
    return Markup("").join(
        Markup('<td data-value="{}">{}{}</td>').format(
            "" if cell.value is None else cell.value,
            cell.text,
            Markup('<span class="note">{}</span>').format(cell.note) if cell.note else "",
        )
        for cell in row
    )


def _summary(evaluation: Evaluation) -> str:
    settings = evaluation.settings
    pages = len(evaluation.truths)
    symbols = sum(len(truth.regions) for truth in evaluation.truths.values())
    primitive = evaluation.primitive
    return (
        f"{pages:,} pages with {symbols:,} symbols. Overlap: {settings.overlap}; "
        f"β = {settings.beta:g}; recognised from {settings.recognised:.0%} of a symbol's area; "
        f"IoU threshold {settings.iou:g}; outlines "
        + (f"turned into {primitive}" if primitive else "as they are")
        + "."
    )


def _missing_note(evaluation: Evaluation) -> str:
    if evaluation.settings.missing == "zero":
        return (
            "Where a query's recall never gets so far it counts as 0, in fall-out with that of its "
            "whole list."
        )
    return "Where a query's recall never gets so far it is left out of the mean."


def _comparisons(evaluation: Evaluation) -> Table | None:
    if not evaluation.comparisons:
        return None
    columns = (Column("Runs", "runs"), *(Column(each.title, each.name, each.definition)
               for each in known_figures()))  # fmt: skip
    rows = []
    for (first, second), differences in evaluation.comparisons.items():
        cells = [Cell(f"{first} – {second}")]
        for figure in known_figures():
            found = differences.get(figure.name)
            if found is None:
                cells.append(Cell("–"))
                continue
            text, *rest = written_difference(found, figure.unit).split(" ", 1)
            cells.append(Cell(text, found.value, " ".join(rest)))
        rows.append(tuple(cells))
    return Table("Differences", columns, tuple(rows))


def _section(run: RunEvaluation, number: int, overlaid: Sequence[Overlaid]) -> RunSection:
    return RunSection(
        run.name,
        run_colour(number),
        run.remarks,
        Markup(plots.svg(plots.queries(run.figures, number))),
        queries_table(run.name, run.figures),
        outside_table(run.name, run.figures),
        _errors(run),
        [
            {
                "name": each.page,
                "caption": each.caption,
                "png": base64.b64encode(each.png).decode(),
            }
            for each in overlaid
        ],
        run.listed,
    )


def _errors(run: RunEvaluation) -> Table:
    columns = (Column("Query", "query"), *(Column(kind.words, kind.value) for kind in KINDS))
    counts = {kind: run.errors.count(kind) for kind in KINDS}
    rows = [
        (Cell(query), *(Cell(f"{counts[kind][number]:,}", float(counts[kind][number]))
                        for kind in KINDS))
        for number, query in enumerate(run.tally.queries)
    ]  # fmt: skip
    return Table("Errors by kind", columns, tuple(rows))
