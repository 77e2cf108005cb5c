"""A study as a folder: one HTML page that needs nothing but itself, its tables and its plots.

Tables are written as CSV and LaTeX, too, plots as SVG and PDF, and all numbers as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from spotlab.formats.rows.json_values import json_text
from spotlab.report import plots
from spotlab.report.page import made_line, templates
from spotlab.report.tables import Table, as_csv, as_latex
from spotlab.report.write import write_together

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
    figures : mapping of str to Figure
        By the name of their files.
    notes : sequence of str
        In a list at its end.
    """

    title: str
    paragraphs: Sequence[str]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]
    notes: Sequence[str] = ()


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
    contents: dict[str, bytes] = {}
    for section in sections:
        for name, table in section.tables.items():
            contents[f"{name}.csv"] = as_csv(table).encode()
            contents[f"{name}.tex"] = as_latex(table).encode()
        for name, figure in section.figures.items():
            for kind in ("svg", "pdf"):
                contents[f"{name}.{kind}"] = plots.file(figure, kind)
    contents["study.json"] = json_text(numbers).encode()
    contents[PAGE] = render_study(title, summary, sections, made or datetime.now(UTC)).encode()
    write_together(directory, contents)
    return directory / PAGE


def render_study(title: str, summary: str, sections: Sequence[StudySection], made: datetime) -> str:
    """The page as text."""
    shown = [
        {
            "title": section.title,
            "paragraphs": section.paragraphs,
            "tables": list(section.tables.values()),
            "drawn": [Markup(plots.svg(figure)) for figure in section.figures.values()],
            "notes": section.notes,
        }
        for section in sections
    ]
    page = templates().get_template("study.html")
    return page.render(title=title, summary=summary, sections=shown, made=made_line(made))
