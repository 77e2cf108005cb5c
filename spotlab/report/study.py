"""A study as a folder: one HTML page that needs nothing but itself, its tables and its plots.

Tables are written as CSV and LaTeX, too, plots as SVG and PDF, and all numbers as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from spotlab.formats.rows.json_values import json_text
from spotlab.report.charts import Chart, as_figure
from spotlab.report.figure_files import files
from spotlab.report.page import render_page, templates
from spotlab.report.tables import Table, as_csv, as_latex
from spotlab.report.write import write_together
from spotlab.representation import utf8

PAGE = "report.html"


@dataclass(frozen=True, eq=False)
class StudySection:
    """A part of the page.

    Attributes
    ----------
    title : str
    paragraphs : sequence of str
    tables : mapping of str to Table
        By the name of their files.
    figures : mapping of str to Figure or Chart
        By the name of their files; a chart has a read-out in the browser.
    notes : sequence of str
        In a list at its end.
    blocks : sequence of Markup
        What else stands on the page, such as images, after the figures.
    files : mapping of str to Figure
        Figures that do not stand on the page, by the name of their files: PNG and PDF.
    """

    title: str
    paragraphs: Sequence[str]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure | Chart]
    notes: Sequence[str] = ()
    blocks: Sequence[Markup] = ()
    files: Mapping[str, Figure] = field(default_factory=dict)


def write_study(
    directory: Path,
    title: str,
    summary: str,
    sections: Sequence[StudySection],
    numbers: Mapping[str, Any],
    made: datetime | None = None,
) -> Path:
    """Write all files, or none.

    Parameters
    ----------
    directory : Path
    title, summary : str
    sections : sequence of StudySection
        Their tables and figures have names of their own.
    numbers : mapping
        Written as ``study.json``; None is undefined.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    NotSaved
        They could not be written; what was there before is untouched.
    """
    contents = study_files(sections)
    contents["study.json"] = utf8(json_text(numbers))
    contents[PAGE] = render_study(title, summary, sections, made or datetime.now(UTC)).encode(
        "utf-8", "replace"
    )
    write_together(directory, contents)
    return directory / PAGE


def study_files(sections: Sequence[StudySection]) -> dict[str, bytes]:
    """Tables as CSV and LaTeX, figures as SVG and PDF, by the names of the files."""
    contents: dict[str, bytes] = {}
    for section in sections:
        for name, table in section.tables.items():
            contents[f"{name}.csv"] = utf8(as_csv(table))
            contents[f"{name}.tex"] = utf8(as_latex(table))
        for name, figure in section.figures.items():
            contents |= files(as_figure(figure), name, "svg", "pdf")
        for name, sheet in section.files.items():
            contents |= files(sheet, name, "pdf", "png")
    return contents


def render_study(title: str, summary: str, sections: Sequence[StudySection], made: datetime) -> str:
    """The page as text: the summary, then the sections."""
    environment = templates()
    opening = Markup("<h2>Summary</h2><p>{}</p>").format(summary)
    template = environment.get_template("study_section.html")
    rendered = [Markup(template.render(section=section)) for section in sections]
    return render_page(title, [opening, *rendered], made, environment)
