"""A study as a folder: one HTML page that needs nothing but itself, its tables and its plots.

Tables are written as CSV and LaTeX, too, plots as SVG and PDF, and all numbers as JSON.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from spotlab.errors import NotSaved, reason
from spotlab.files import is_folder
from spotlab.formats.rows.csv_rows import are_wanted, safe_csv
from spotlab.formats.rows.json_values import json_text
from spotlab.interruption import undisturbed
from spotlab.report.charts import Chart, as_figure, files
from spotlab.report.page import render_page, templates
from spotlab.report.tables import CSV, LATEX, Table, TableFormat
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
    numbers_file: str = "study.json",
) -> Path:
    """Write all files, or none.

    Parameters
    ----------
    directory : Path
    title, summary : str
    sections : sequence of StudySection
        Their tables and figures have names of their own.
    numbers : mapping
        Written as JSON; None is undefined.
    made : datetime, optional
        When; now by default.
    numbers_file : str

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
    contents[numbers_file] = utf8(json_text(numbers))
    contents[PAGE] = render_study(title, summary, sections, made or datetime.now(UTC)).encode(
        "utf-8", "replace"
    )
    write_together(directory, contents)
    return directory / PAGE


def study_files(sections: Sequence[StudySection]) -> dict[str, bytes]:
    """Tables as CSV and LaTeX, figures as SVG and PDF, by the names of the files."""
    contents: dict[str, bytes] = {}
    for section in sections:
        contents |= table_files(section.tables)
        for name, figure in section.figures.items():
            contents |= files(as_figure(figure), name, "svg", "pdf")
        for name, sheet in section.files.items():
            contents |= files(sheet, name, "pdf", "png")
    return contents


def table_files(
    tables: Mapping[str, Table], formats: Sequence[TableFormat] = (CSV, LATEX)
) -> dict[str, bytes]:
    """Tables as CSV and LaTeX, by the names of the files."""
    return {
        f"{name}{each.suffix}": utf8(each.make(table))
        for name, table in tables.items()
        for each in formats
    }


def file_name(name: str, otherwise: str) -> str:
    """A name without what file systems do not take.

    Examples
    --------
    >>> file_name("270:10,20,100,40", "query"), file_name("my run/v2", "run"), file_name("?", "run")
    ('270_10_20_100_40', 'my_run_v2', 'run')
    """
    return re.sub(r"[^\w.\-]+", "_", name).strip("._") or otherwise


def free_name(name: str, taken: Container[str]) -> str:
    """The name, or the first of NAME-2, NAME-3 … that is not taken.

    Examples
    --------
    >>> free_name("a", ["b"]), free_name("a", ["a", "a-2"])
    ('a', 'a-3')
    """
    others = (f"{name}-{times}" for times in count(2))
    return next(each for each in chain([name], others) if each not in taken)


def render_study(title: str, summary: str, sections: Sequence[StudySection], made: datetime) -> str:
    """The page as text: the summary, then the sections."""
    environment = templates()
    opening = Markup("<h2>Summary</h2><p>{}</p>").format(summary)
    template = environment.get_template("study_section.html")
    rendered = [Markup(template.render(section=section)) for section in sections]
    return render_page(title, [opening, *rendered], made, environment)


@undisturbed
def write_together(directory: Path, contents: dict[str, bytes]) -> None:
    """Write all files, or none: they are made beside their place and moved there at the end."""
    there = is_folder(directory)
    if are_wanted():
        contents = {
            name: utf8(safe_csv(content.decode())) if name.endswith(".csv") else content
            for name, content in contents.items()
        }
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    except OSError as error:
        raise NotSaved(f"{directory} was not written: {reason(error)}") from error
    try:
        for name, content in contents.items():
            (made / name).write_bytes(content)
        if there:
            for name in contents:
                os.replace(made / name, directory / name)
            made.rmdir()
        else:
            made.chmod(0o755)
            made.rename(directory)
    except OSError as error:
        raise NotSaved(f"{directory} was not written: {reason(error)}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
