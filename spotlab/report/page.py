"""The report as one HTML page that needs nothing but itself: plots, tables that sort, overlays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from spotlab import __version__
from spotlab.report.overlays import Overlaid
from spotlab.report.section import Evaluated, render_sections
from spotlab.report.tables import (
    Cell,
    Table,
)
from spotlab.resources import report_folder

if TYPE_CHECKING:
    from spotlab.studies.areas.evaluation import Evaluation


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
    environment = templates()
    return environment.get_template("report.html").render(
        title="Evaluation of " + ", ".join(names) if names else "Evaluation",
        summary=_summary(evaluation),
        sections=render_sections(Evaluated(evaluation, overlaid, environment)),
        made=made_line(made),
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
        + (f"turned into {primitive}" if primitive else "not converted")
        + "."
    )
