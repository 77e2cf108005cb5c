"""Tables of figures as values, and as HTML, LaTeX, CSV, Parquet or JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from spotlab.errors import NotSaved
from spotlab.extras import optional_module
from spotlab.report.figure_text import (
    UNDEFINED,
    aligned,
    digits_of,
    written,
    written_difference,
    written_interval,
)
from spotlab.representation import utf8, well_formed

if TYPE_CHECKING:
    from spotlab.measures.intervals import Difference, Interval


@dataclass(frozen=True)
class Cell:
    """Cell of a table.

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
    over : frozenset of str or None
        Of a mean: the questions that it is taken over, such as queries. Only means over the same
        ones are compared.
    part : str
        How many of the questions these are, where they are not all of them: "n = 12".
    """

    text: str
    value: float | None = None
    note: str = ""
    ends: tuple[float, float] | None = None
    best: bool = False
    stars: str = ""
    name: str = ""
    over: frozenset[str] | None = None
    part: str = ""

    @property
    def notes(self) -> str:
        """Everything that stands below the value."""
        return ", ".join(each for each in (self.note, self.part) if each)


@dataclass(frozen=True)
class Column:
    """Head of a column, and what is known of its figures.

    Attributes
    ----------
    title, name : str
        In tables, and in files.
    definition : str
    unit : str
        Of `Figure`.
    threshold : float or None
        At which the figure is taken, such as an IoU.
    over : {"", "mean", "pooled"}
        Whether the figures are means over questions, such as queries, or those of all of them
        together; empty for single ones.
    n : int or None
        Number of these questions.
    better : {1, -1, 0}
        1 if high values are good, -1 if low ones are.
    """

    title: str
    name: str
    definition: str = ""
    unit: str = ""
    threshold: float | None = None
    over: Literal["", "mean", "pooled"] = ""
    n: int | None = None
    better: int = 0

    @property
    def digits(self) -> int:
        """Tell how many digits after the point its figures have; see `digits_of`."""
        return digits_of(self.unit, mean=self.over == "mean")

    def cell(
        self, value: float | None, interval: Interval | None = None, *, mean: bool = False
    ) -> Cell:
        """A figure of the column as a cell, see `figure_cell`."""
        return figure_cell(value, self.unit, interval, mean=mean or self.over == "mean")


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of which names the row.

    ``note`` says what is marked in it; with ``has_ends`` its file has columns for both ends of
    intervals. ``foot`` has rows for people, such as means: files of data leave them out.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    has_ends: bool = False
    foot: tuple[tuple[Cell, ...], ...] = ()


def figure_cell(
    value: float | None,
    unit: str = "",
    interval: Interval | None = None,
    *,
    mean: bool = False,
    spec: str = "",
) -> Cell:
    """A figure as a cell, written as everywhere; None and NaN are undefined.

    Parameters
    ----------
    value : float or None
    unit, mean
        See `written`.
    interval : Interval, optional
        Is written below the figure.
    spec : str
        A format such as ",.2f", where the figure is not written by its unit.

    Examples
    --------
    >>> figure_cell(0.5).text, figure_cell(1204, "count").text, figure_cell(3.142, spec=".1f").text
    ('.500', '1,204', '3.1')
    >>> figure_cell(None) == Cell("–")
    True
    """
    if value is None or math.isnan(value):
        return Cell(UNDEFINED)
    text = format(value, spec) if spec else written(value, unit, mean=mean)
    ends = None if interval is None else (interval.low, interval.high)
    return Cell(text, value, written_interval(interval, unit), ends)


def difference_cell(difference: Difference | None, unit: str = "") -> Cell:
    """A difference as a cell: its interval and significance stand below it."""
    if difference is None:
        return Cell(UNDEFINED)
    text, _, rest = written_difference(difference, unit).partition(" ")
    interval = difference.interval
    ends = None if interval is None else (interval.low, interval.high)
    return Cell(text, difference.value, rest, ends)


def as_text(table: Table, corner: str | None = None, most: int | None = None) -> list[str]:
    """The table as lines for a terminal, its notes behind the figures.

    Parameters
    ----------
    table : Table
    corner : str, optional
        What stands above the names of rows; by default, the title of their column.
    most : int, optional
        Number of rows, at most.

    Examples
    --------
    >>> columns = (Column("Run", "run"), Column("F", "f"))
    >>> as_text(Table("", columns, ((Cell("mine"), Cell(".5", 0.5, "[.4, .6]")),)))
    ['Run             F', 'mine  .5 [.4, .6]']
    """
    shown = (*table.rows[:most], *table.foot)
    rows = [[f"{each.text} {each.notes}".strip() for each in row] for row in shown]
    first, *others = (column.title for column in table.columns)
    heads = [[first if corner is None else corner], *map(_head_lines, others)]
    height = max(map(len, heads))
    above = zip(*([""] * (height - len(head)) + head for head in heads), strict=True)
    return aligned([*map(list, above), *rows])


def as_csv(table: Table) -> str:
    """The table's values in full precision; what is undefined is empty.

    A table with intervals has two more columns for each figure, for instance f_low and f_high, and
    one more if it has means: f_n, over how many queries each is taken.

    Examples
    --------
    >>> columns = (Column("Run", "run"), Column("F", "f"))
    >>> rows = ((Cell("A", name="a"), Cell(".333", 1 / 3)), (Cell("b"), Cell("–", None)))
    >>> print(as_csv(Table("", columns, rows)), end="")
    run,f
    a,0.3333333333333333
    b,
    """
    names, rows = _values(table)
    return _safe(csv_text([names, *rows]))


def as_json(table: Table) -> str:
    """The table's values in full precision, an object for each row; null is undefined.

    Examples
    --------
    >>> columns = (Column("Run", "run"), Column("F", "f"))
    >>> as_json(Table("", columns, ((Cell("A"), Cell("–")),))).split()
    ['[', '{', '"run":', '"A",', '"f":', 'null', '}', ']']
    """
    from spotlab.formats.rows.json_values import json_text  # noqa: PLC0415 - numpy

    names, rows = _values(table)
    return json_text([dict(zip(names, row, strict=True)) for row in rows]) + "\n"


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; None is empty.

    Examples
    --------
    >>> csv_text([["query", "score"], ["sofa, red", None]])
    'query,score\\n"sofa, red",\\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _values(table: Table) -> tuple[list[str], list[list[str | float | None]]]:
    """The names of the columns of a file, and its rows."""
    first, *figures = (column.name for column in table.columns)
    ends = [""]
    if table.has_ends:
        ends += ["_low", "_high", *(["_n"] if _has_means(table) else [])]
    names = [first, *(f"{name}{end}" for name in figures for end in ends)]
    rows = []
    for name, *cells in table.rows:
        values = [value for cell in cells for value in _plain_values(cell)[: len(ends)]]
        rows.append([name.name or name.text, *values])
    return names, rows


def _safe(text: str) -> str:
    """A table in CSV as it is, or as `--csv-safe` asks."""
    from spotlab.formats.rows.csv_rows import are_wanted, safe_csv  # noqa: PLC0415 - numpy

    return safe_csv(text) if are_wanted() else text


def _has_means(table: Table) -> bool:
    return any(cell.over is not None for row in table.rows for cell in row)


def _plain_values(cell: Cell) -> tuple[str | float | None, ...]:
    """A number, or a text that is none; the ends of its interval; over how many it is a mean."""
    text = None if cell.text in ("", UNDEFINED) else cell.text
    value = text if cell.value is None else cell.value
    return (value, *(cell.ends or (None, None)), None if cell.over is None else len(cell.over))


def are_comparable(cells: Sequence[Cell]) -> bool:
    """Tell whether none of these is a mean over other questions than another one.

    Examples
    --------
    >>> one, two = Cell("1", 1.0, over=frozenset("a")), Cell(".5", 0.5, over=frozenset("ab"))
    >>> are_comparable([two, two]), are_comparable([one, two])
    (True, False)
    """
    return len({cell.over for cell in cells}) < 2


LONG = 40  # rows from which a table goes over several pages
ONE_COLUMN, TWO_COLUMNS = 50, 98  # letters beside each other in print
HEAD = 16  # letters of a line of a head


def as_latex(table: Table) -> str:
    r"""The table as LaTeX with booktabs, numbers rounded as everywhere.

    The best of a column is bold, significance is shown by stars, and the caption says what they
    mean. A table that has no room in one column of a page is set across both, and the columns that
    have no room there below the others. A long one is a ``longtable``, which goes over several
    pages and needs ``\onecolumn`` where the text has two.

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
    caption = escaped(f"{table.title}. {table.note}" if table.note else table.title)
    groups = _column_groups(table)
    if len(table.rows) > LONG:
        lines = [r"% \usepackage{booktabs,longtable}"]
        for number, group in enumerate(groups):
            more = caption if not number else f"{caption} (more columns)"
            lines += _long_table(_of_columns(table, group), more)
        return "\n".join(lines) + "\n"
    wide = len(groups) > 1 or _letters(table, groups[0]) > ONE_COLUMN
    kind = "table*" if wide else "table"
    lines = [
        r"% \usepackage{booktabs}",
        rf"\begin{{{kind}}}",
        r"  \centering",
        rf"  \caption{{{caption}}}",
    ]
    for number, group in enumerate(groups):
        lines += [r"  \par\medskip"] if number else []
        lines += _tabular(_of_columns(table, group))
    return "\n".join([*lines, rf"\end{{{kind}}}"]) + "\n"


def _column_groups(table: Table) -> list[list[int]]:
    """Places of the columns that have room beside each other, the first one always among them."""
    groups, left = [[0]], 0
    first = _letters(table, [0])
    for at in range(1, len(table.columns)):
        width = _letters(table, [at])
        if len(groups[-1]) > 1 and width > left:
            groups.append([0])
        if len(groups[-1]) == 1:
            left = TWO_COLUMNS - first
        groups[-1].append(at)
        left -= width
    return groups


def _letters(table: Table, places: Sequence[int]) -> int:
    """Letters that columns take beside each other, with gaps."""
    return sum(
        2 + max(
            *(len(line) for line in _head_lines(table.columns[at].title)),
            *(len(row[at].text) + len(row[at].stars) + len(row[at].part) // 2
              for row in (*table.rows, *table.foot)),
            1,
        )
        for at in places
    )  # fmt: skip


def _head_lines(title: str) -> list[str]:
    whole = title.replace(" %", "\N{NO-BREAK SPACE}%")  # no line begins with a unit
    lines = textwrap.wrap(whole, HEAD, break_long_words=False) or [""]
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _of_columns(table: Table, places: Sequence[int]) -> Table:
    rows, foot = (
        tuple(tuple(row[at] for at in places) for row in rows) for rows in (table.rows, table.foot)
    )
    columns = tuple(table.columns[at] for at in places)
    return replace(table, columns=columns, rows=rows, foot=foot)


def _tabular(table: Table) -> list[str]:
    return [
        rf"  \begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"    \toprule",
        f"    {_latex_heads(table)}",
        r"    \midrule",
        *(f"    {_latex_row(row)}" for row in table.rows),
        *([r"    \midrule"] if table.foot else []),
        *(f"    {_latex_row(row)}" for row in table.foot),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]


def _long_table(table: Table, caption: str) -> list[str]:
    width = len(table.columns)
    heads = [r"  \toprule", f"  {_latex_heads(table)}", r"  \midrule"]
    return [
        rf"\begin{{longtable}}{{l{'r' * (width - 1)}}}",
        rf"  \caption{{{caption}}} \\",
        *heads,
        r"  \endfirsthead",
        *heads,
        r"  \endhead",
        r"  \midrule",
        rf"  \multicolumn{{{width}}}{{r}}{{continued}} \\",
        r"  \endfoot",
        r"  \bottomrule",
        r"  \endlastfoot",
        *(f"  {_latex_row(row)}" for row in table.rows),
        *([r"  \midrule"] if table.foot else []),
        *(f"  {_latex_row(row)}" for row in table.foot),
        r"\end{longtable}",
    ]


def _latex_heads(table: Table) -> str:
    heads = []
    for at, column in enumerate(table.columns):
        lines = [escaped(line) for line in _head_lines(column.title)]
        side = "r" if at else "l"
        stacked = r"\\".join(lines)
        heads.append(stacked if len(lines) == 1 else rf"\shortstack[{side}]{{{stacked}}}")
    return " & ".join(heads) + r" \\"


def _latex_row(row: Sequence[Cell]) -> str:
    text = " & ".join(map(_latex_cell, row)) + r" \\"
    return "{}" + text if text.startswith(("[", "*")) else text  # else \\ before it would take it


def _latex_cell(cell: Cell) -> str:
    text = escaped(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    text += rf" {{\scriptsize({escaped(cell.part)})}}" if cell.part else ""
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
        "–": "--", "−": "$-$", "β": r"$\beta$", "Δ": r"$\Delta$", "Σ": r"$\Sigma$", "∩": r"$\cap$",
        "→": r"$\rightarrow$", "±": r"$\pm$", "≤": r"$\le$", "…": r"\dots{}",
        "²": r"\textsuperscript{2}", "≥": r"$\ge$",
        "<": r"$<$", ">": r"$>$",
    }  # fmt: skip
    return "".join(special.get(letter, letter) for letter in text)


@dataclass(frozen=True)
class TableFormat:
    """A file format of tables: menus, dialogs and reports offer it."""

    title: str
    suffix: str
    make: Callable[[Table], str]


CSV = TableFormat("CSV", ".csv", as_csv)
JSON = TableFormat("JSON", ".json", as_json)
LATEX = TableFormat("LaTeX", ".tex", as_latex)
FORMATS = (CSV, JSON, LATEX)

SUFFIXES = (".csv", ".parquet", ".json")

Columns = Mapping[str, Sequence[Any]]


def write_columns(columns: Columns, path: Path) -> None:
    """Write columns, equally long, to a file that is made whole or not at all.

    Raises
    ------
    NotSaved
        It cannot be written, or its suffix is none of `SUFFIXES`.
    """
    from spotlab.formats.rows.files import write_atomically  # noqa: PLC0415 - takes a while

    write_atomically(path, columns_bytes(columns, path))


def columns_bytes(columns: Columns, path: Path) -> bytes:
    """The content of a file of this name: None is empty in CSV, null in Parquet and JSON.

    Raises
    ------
    NotSaved
        Its suffix is none of `SUFFIXES`.

    Examples
    --------
    >>> columns_bytes({"query": ["sofa"], "score": [None]}, Path("spots.csv"))
    b'query,score\\nsofa,\\n'
    >>> columns_bytes({"query": ["sofa"]}, Path("spots.json"))
    b'[\\n{"query": "sofa"}\\n]\\n'
    """
    check_suffix(path)
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _parquet(columns)
    rows = zip(*columns.values(), strict=True)
    if suffix == ".json":
        objects = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)
                   for row in rows)  # fmt: skip
        return utf8("[\n" + ",\n".join(objects) + "\n]\n")
    return _safe(csv_text([tuple(columns), *rows])).encode("utf-8", "replace")


def check_suffix(path: Path) -> None:
    """Check that a file's name says a format.

    Raises
    ------
    NotSaved
        It does not.
    """
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES[:-1])
        raise NotSaved(f"{path} was not written: its name has to end in {known} or {SUFFIXES[-1]}")


def _parquet(columns: Columns) -> bytes:
    optional_module("pyarrow")
    import pyarrow  # noqa: PLC0415 - a quarter of a second that CSV need not wait
    import pyarrow.parquet  # noqa: PLC0415

    buffer = pyarrow.BufferOutputStream()
    table = pyarrow.table(
        {name: list(map(_well_formed, values)) for name, values in columns.items()}
    )
    pyarrow.parquet.write_table(table, buffer, compression="zstd")
    content: bytes = buffer.getvalue().to_pybytes()
    return content


def _well_formed(value: object) -> object:
    return well_formed(value) if isinstance(value, str) else value
