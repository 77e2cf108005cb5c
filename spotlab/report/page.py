"""The report as one HTML page that needs nothing but itself: plots, tables, pages and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from matplotlib.figure import Figure

from spotlab import __version__
from spotlab.progress import Progress, silent
from spotlab.report.charts import Chart, as_figure, svg
from spotlab.report.figure_text import UNDEFINED
from spotlab.report.section import Evaluated, render_sections
from spotlab.report.tables import Cell, Column, Table
from spotlab.resources import report_folder

if TYPE_CHECKING:
    from spotlab.report.pictures import Pictures
    from spotlab.studies.evaluate.evaluation import Evaluation

NAMED = 3  # runs that a title still names
HEAD = re.compile(r"<h2[^>]*>(.*?)</h2>", re.DOTALL)


def render(
    evaluation: Evaluation, pictures: Pictures, made: datetime, progress: Progress = silent
) -> str:
    """The page as text.

    Parameters
    ----------
    evaluation : Evaluation
    pictures : Pictures
        Of pages and errors.
    made : datetime
        The same arguments give the same page.
    progress : callable
    """
    environment = templates()
    evaluated = Evaluated(evaluation, pictures.overlaid, environment, pictures)
    sections = render_sections(evaluated, progress)
    return render_page(_title(evaluation), sections, made, environment)


def _title(evaluation: Evaluation) -> str:
    names = [run.name for run in evaluation.runs]
    if not names:
        return "Evaluation"
    return "Evaluation of " + (", ".join(names) if len(names) <= NAMED else f"{len(names)} runs")


def render_page(
    title: str, sections: Sequence[Markup], made: datetime, environment: Environment
) -> str:
    """A page with a place for each section in its contents, named by the section's heading."""
    contents = [
        (f"section-{number}", section, _heading(section))
        for number, section in enumerate(sections, 1)
    ]
    return environment.get_template("base.html").render(
        title=title, contents=contents, made=made_line(made)
    )


def templates() -> Environment:
    """The templates, which may ask for tables that sort, and for charts."""
    environment = Environment(
        loader=FileSystemLoader(report_folder()), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    environment.globals["sortable"] = sortable
    environment.globals["chart"] = chart
    environment.globals["shipped"] = shipped
    return environment


def made_line(made: datetime) -> str:
    """Tell when a page was made, and by what."""
    return f"Made by spotlab {__version__} on {made:%Y-%m-%d %H:%M}."


def chart(drawn: Figure | Chart) -> Markup:
    """A plot: an image as it is; curves with a read-out, and drawn for paper."""
    still = Markup(svg(as_figure(drawn)))
    if not isinstance(drawn, Chart):
        return Markup('<div class="plot">{}</div>').format(still)
    template = _own_templates().get_template("chart.html")
    return Markup(template.render(still=still, plots=drawn.data(), columns=drawn.columns))


@cache
def shipped(name: str) -> Markup:
    """A script, a style or a licence that stands in every page as it is."""
    text = (report_folder() / name).read_text("utf-8")
    ends = ("</script", "</style", "*/") if name.endswith("LICENSE") else ("</script", "</style")
    if any(end in text for end in ends):
        raise ValueError(f"{name} would end the element that it stands in")
    return Markup(text)


@cache
def _own_templates() -> Environment:
    return templates()


def _heading(section: Markup) -> str:
    found = HEAD.search(section)
    return Markup(found[1]).striptags() if found else ""


LINKED = frozenset({"run", "query", "system", "word", "page"})  # columns that name such a thing
PAPER = 104  # letters that stand beside each other on a page of A4, with gaps
GAP = 2
NAME = 26  # letters of a row's name; longer ones are broken
SMALL = 0.8  # the size of an interval
BEST = ' class="best"'
NO_FOOT = Markup("")
UPRIGHT = 12  # columns from which heads are set upright on paper, if that is narrower


def link(kind: str, name: str) -> str:
    """Return what all that belongs to a run, query, … is found by.

    Examples
    --------
    >>> link("run", "mine")
    'run:mine'
    """
    return f"{kind}:{name}"


def sortable(table: Table, samples: Mapping[str, Markup] | None = None) -> Markup:
    """A table whose heads sort it, and its form for paper where it is too wide for that.

    Parameters
    ----------
    table : Table
    samples : mapping of str to Markup, optional
        What stands before the names of rows.
    """
    shown = _screen_table(table, samples or {})
    note = Markup('<p class="quiet">{}</p>').format(table.note) if table.note else Markup("")
    if _width(table.columns, table.rows) <= PAPER:
        return Markup('<div class="wide">{}</div>{}').format(shown, note)
    return Markup('<div class="wide screen">{}</div><div class="paper">{}</div>{}').format(
        shown, Markup("").join(paper_tables(table)), note
    )


def paper_tables(table: Table) -> Iterator[Markup]:
    """The table as several that fit on paper: rows and columns swapped, or columns in groups."""
    columns: Sequence[Column] = table.columns
    rows: Sequence[Sequence[Cell]] = (*table.rows, *table.foot)
    if len(rows) < len(columns):
        turned_columns, turned_rows = _turned(table)
        if _width(turned_columns, turned_rows) < _width(columns, rows):
            columns, rows = turned_columns, turned_rows
    upright = len(columns) > UPRIGHT
    for group in _groups(columns, rows, upright):
        lines = [Markup("<tr>{}</tr>").format(_cells([row[at] for at in group])) for row in rows]
        start = '<table class="turned">' if upright else "<table>"
        yield _table(start, [columns[at] for at in group], lines)


def _turned(table: Table) -> tuple[list[Column], list[list[Cell]]]:
    first, *others = table.columns
    heads = [first, *(Column(row[0].text, row[0].text) for row in table.rows)]
    lines = [
        [Cell(column.title), *(row[place] for row in table.rows)]
        for place, column in enumerate(others, 1)
    ]
    return heads, lines


def _groups(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], upright: bool
) -> list[list[int]]:
    """Places of the columns that stand together; the first column stands in each group."""
    widths = [_column_width(columns, rows, at, upright) for at in range(len(columns))]
    groups: list[list[int]] = []
    left = 0.0
    for at in range(1, len(columns)):
        if not groups or widths[at] > left:
            groups.append([0])
            left = PAPER - widths[0]
        groups[-1].append(at)
        left -= widths[at]
    return groups or [[0]]


def _width(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> float:
    return sum(_column_width(columns, rows, at) for at in range(len(columns)))


def _column_width(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], at: int, upright: bool = False
) -> float:
    """Letters that a column takes: words of its head and of intervals are set below each other."""
    words = [2] if upright and at else [*(len(word) for word in columns[at].title.split()), 1]
    texts = [len(row[at].text) for row in rows]
    lines = ([row[at].notes] if upright else row[at].notes.split() for row in rows)
    notes = [SMALL * len(word) for words_of_note in lines for word in words_of_note]
    widest = max(*words, *texts, *notes, 1)
    return GAP + (min(widest, NAME) if at == 0 else widest)


def _screen_table(table: Table, samples: Mapping[str, Markup]) -> Markup:
    kind = table.columns[0].name
    rows = [
        Markup("<tr{}>{}</tr>").format(
            _link_attribute(kind, row), _cells(row, samples.get(row[0].text, ""))
        )
        for row in table.rows
    ]
    foot = Markup("").join(Markup("<tr>{}</tr>").format(_cells(row)) for row in table.foot)
    return _table('<table class="sortable n-last">', table.columns, rows, foot)


def _table(
    start: str, columns: Sequence[Column], rows: Sequence[Markup], foot: Markup = NO_FOOT
) -> Markup:
    heads = Markup("").join(
        Markup('<th title="{}"><span>{}</span></th>').format(column.definition, column.title)
        for column in columns
    )
    below = Markup("<tfoot>{}</tfoot>").format(foot) if foot else foot
    return Markup("{}<thead><tr>{}</tr></thead><tbody>{}</tbody>{}</table>").format(
        Markup(start), heads, Markup("").join(rows), below
    )


def _link_attribute(kind: str, row: Sequence[Cell]) -> Markup:
    if kind not in LINKED or not row:
        return Markup("")
    return Markup(' data-link="{}"').format(link(kind, row[0].text))


def _cells(row: Sequence[Cell], sample: str = "") -> Markup:
    """The cells of a row, written as texts: a report has tens of thousands."""
    first = True
    written = []
    for cell in row:
        sort = "" if first else _sort_attribute(cell)  # rows are sorted by their names as texts
        before = escape(sample) if first else ""
        stars = f"<sup>{escape(cell.stars)}</sup>" if cell.stars else ""
        note = f'<span class="note">{escape(cell.notes)}</span>' if cell.notes else ""
        shown = f"{before}{escape(cell.text)}{stars}{note}"
        written.append(f"<td{sort}{BEST if cell.best else ''}>{shown}</td>")
        first = False
    return Markup("".join(written))


def _sort_attribute(cell: Cell) -> str:
    if cell.value is None:
        return ' data-sort=""' if cell.text == UNDEFINED else ""
    return f' data-sort="{escape(cell.value)}"'
