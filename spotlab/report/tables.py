"""Tables of figures: made once, then set as HTML, LaTeX or CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spotlab.formats.rows.csv_rows import are_wanted, safe_csv
from spotlab.measures.figures import figures_by_page
from spotlab.measures.measure import known_figures
from spotlab.report.figure_text import written, written_interval

if TYPE_CHECKING:
    from spotlab.measures.figures import RunFigures
    from spotlab.measures.intervals import Interval


UNDEFINED = "–"


@dataclass(frozen=True)
class Cell:
    """What stands in a table.

    Attributes
    ----------
    text : str
    value : float or None
        What it is sorted by; None is undefined and comes last.
    note : str
        Below it, small: an interval.
    ends : tuple of float or None
        The ends of the interval, unrounded.
    best : bool
        Whether it is the best of its column.
    stars : str
        How significantly it differs from the table's reference.
    name : str
        Of a row's first cell: what commands call the row, for files; by default, the text.
    """

    text: str
    value: float | None = None
    note: str = ""
    ends: tuple[float, float] | None = None
    best: bool = False
    stars: str = ""
    name: str = ""


@dataclass(frozen=True)
class Column:
    """A column's head: what it is called in tables, in files, and what it means."""

    title: str
    name: str
    definition: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of which names the row.

    ``note`` says what is marked in it; with ``has_ends`` its file has columns for both ends of
    intervals.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    has_ends: bool = False


def runs_table(
    names: Sequence[str],
    runs: Sequence[RunFigures],
    intervals: Sequence[Mapping[str, Interval | None]],
) -> Table:
    """A row for each run: means over its queries, with bootstrap intervals below."""
    rows = []
    for name, run, of_run in zip(names, runs, intervals, strict=True):
        cells = [
            _cell(run.mean[figure.name], figure.unit, of_run.get(figure.name), mean=True)
            for figure in known_figures()
        ]
        rows.append((Cell(name), *cells))
    return Table("Runs: means over queries", _columns("run"), tuple(rows), has_ends=True)


def pooled_table(names: Sequence[str], runs: Sequence[RunFigures]) -> Table:
    """A row for each run: the figures of all queries' areas together."""
    rows = [
        (Cell(name), *(_cell(run.pooled[figure.name], figure.unit) for figure in known_figures()))
        for name, run in zip(names, runs, strict=True)
    ]
    return Table("Runs: all areas together", _columns("run"), tuple(rows))


def queries_table(name: str, run: RunFigures) -> Table:
    """A row for each of the truth's queries; `outside_table` has the others."""
    rows = []
    for number, query in enumerate(run.tally.queries):
        if not run.in_truth[number]:
            continue
        values = [float(run.columns[figure.name][number]) for figure in known_figures()]
        cells = [
            _cell(value, figure.unit) for value, figure in zip(values, known_figures(), strict=True)
        ]
        rows.append((Cell(query), *cells))
    return Table(f"{name}: every query", _columns("query"), tuple(rows))


def pages_table(name: str, run: RunFigures) -> Table:
    """A row for each page: the figures of the truth's queries there together."""
    columns = figures_by_page(run)
    shown = [figure for figure in known_figures() if figure.name in columns]
    rows = [
        (Cell(page), *(_cell(float(columns[each.name][place]), each.unit) for each in shown))
        for place, page in enumerate(run.tally.pages)
    ]
    heads = (Column("Page", "page"), *(Column(each.title, each.name, each.definition)
             for each in shown))  # fmt: skip
    return Table(f"{name}: every page", heads, tuple(rows))


def outside_table(name: str, run: RunFigures) -> Table | None:
    """A row for each query of a run that the truth does not have; None where there is none."""
    columns = (
        Column("Query", "query"),
        Column("Spots", "spots", "Number of spots on evaluated pages."),
        Column(
            "False area (px²)", "false_area", "Area that the spots retrieve; all of it is false."
        ),
        Column("Fall-out", "fall_out", "Retrieved area as a share of the area of all pages."),
        Column("False positives", "false_positives", "Number of false spots: all of them."),
    )
    rows = tuple(
        (
            Cell(each.name),
            Cell(f"{each.spots:,}", each.spots),
            Cell(f"{each.area:,.0f}", each.area),
            _cell(each.fall_out, ""),
            Cell(f"{each.false_positives:,}", each.false_positives),
        )
        for each in run.outside
    )
    title = f"{name}: queries without truth, left out of the means"
    return Table(title, columns, rows) if rows else None


def as_csv(table: Table) -> str:
    """The table's values in full precision; what is undefined is empty.

    A table with intervals has two more columns for each figure, for instance f_low and f_high.

    Examples
    --------
    >>> columns = (Column("Run", "run"), Column("F", "f"))
    >>> rows = ((Cell("A", name="a"), Cell(".333", 1 / 3)), (Cell("b"), Cell("–", None)))
    >>> print(as_csv(Table("", columns, rows)), end="")
    run,f
    a,0.3333333333333333
    b,
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    first, *figures = (column.name for column in table.columns)
    if table.has_ends:
        figures = [f"{name}{end}" for name in figures for end in ("", "_low", "_high")]
    writer.writerow([first, *figures])
    for name, *cells in table.rows:
        values = [value for cell in cells for value in _plain_values(cell, table.has_ends)]
        writer.writerow([name.name or name.text, *values])
    return safe_csv(text.getvalue()) if are_wanted() else text.getvalue()


def _plain_values(cell: Cell, with_ends: bool) -> tuple[str | float, ...]:
    return (_plain(cell), *(cell.ends or ("", ""))) if with_ends else (_plain(cell),)


def _plain(cell: Cell) -> str | float:
    """A number, or a text that is none; nothing for what is undefined."""
    if cell.value is not None:
        return cell.value
    return "" if cell.text == UNDEFINED else cell.text


def as_latex(table: Table) -> str:
    r"""The table as LaTeX with booktabs, numbers rounded as everywhere.

    The best of a column is bold, significance is shown by stars, and the caption says what they
    mean.

    Examples
    --------
    >>> columns = (Column("Run", "run"), Column("F", "f"))
    >>> rows = ((Cell("a_1"), Cell(".500", 0.5, best=True, stars="*")),)
    >>> print(as_latex(Table("Runs", columns, rows, "Bold: best.")), end="")
    % \usepackage{booktabs}
    \begin{table}
      \centering
      \caption{Runs. Bold: best.}
      \begin{tabular}{lr}
        \toprule
        Run & F \\
        \midrule
        a\_1 & \textbf{.500}\textsuperscript{*} \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    caption = f"{table.title}. {table.note}" if table.note else table.title
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escaped(caption)}}}",
        rf"  \begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"    \toprule",
        "    " + " & ".join(escaped(column.title) for column in table.columns) + r" \\",
        r"    \midrule",
        *(f"    {_latex_row(row)}" for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(row: Sequence[Cell]) -> str:
    text = " & ".join(map(_latex_cell, row)) + r" \\"
    return "{}" + text if text.startswith(("[", "*")) else text  # else \\ before it would take it


def _latex_cell(cell: Cell) -> str:
    text = escaped(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    return rf"{text}\textsuperscript{{{escaped(cell.stars)}}}" if cell.stars else text


def escaped(text: str) -> str:
    r"""The text as LaTeX.

    Examples
    --------
    >>> escaped("50 % of a_b – c")
    '50 \\% of a\\_b -- c'
    """
    special = {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
        "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "–": "--", "−": "$-$", "β": r"$\beta$", "²": r"\textsuperscript{2}", "≥": r"$\ge$",
        "<": r"$<$", ">": r"$>$",
    }  # fmt: skip
    return "".join(special.get(letter, letter) for letter in text)


def _columns(of: str) -> tuple[Column, ...]:
    heads = [Column(of.capitalize(), of)]
    for figure in known_figures():
        title = f"{figure.title} (%)" if figure.unit == "%" else figure.title
        heads.append(Column(title, figure.name, figure.definition))
    return tuple(heads)


def _cell(
    value: float | None, unit: str, interval: Interval | None = None, *, mean: bool = False
) -> Cell:
    defined = value is not None and not math.isnan(value)
    return Cell(
        written(value, unit, mean=mean), value if defined else None,
        written_interval(interval, unit),
        None if interval is None else (interval.low, interval.high),
    )  # fmt: skip
