"""Arguments of the public functions, checked and read, and their results in a few lines.

A table is a DataFrame or a mapping of names to columns. It is written as CSV and read like any file
of its kind, so that it is checked by the same rules, and messages name its bad rows.
"""

from __future__ import annotations

import csv
import html
import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, TypeVar

import numpy as np

from spotlab.api.job import unusable
from spotlab.errors import BadArgument, BadInput, BadLines, shortened
from spotlab.extras import MissingPackage, optional_module
from spotlab.files import PathLike
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.numbers import format_number
from spotlab.formats.rows.reading import left_out
from spotlab.geometry.rings import ring_from_geometry
from spotlab.report.figure_text import aligned
from spotlab.representation import visible

if TYPE_CHECKING:
    from pandas import DataFrame


def is_path(value: object) -> TypeGuard[PathLike]:
    """Tell whether a value names a file or folder.

    Parameters
    ----------
    value : object
    """
    return isinstance(value, str | os.PathLike)


def paths_of(value: Any, name: str, expected: str = "a path, or several") -> list[Path]:
    """One path or several as a list; none for None.

    Parameters
    ----------
    value : path, iterable of path or None
    name : str
        Of the argument, for messages.
    expected : str
        What else the argument may be, for messages.

    Raises
    ------
    BadArgument
        It is something else.

    Examples
    --------
    >>> [path.name for path in paths_of(["plans", "more/plan.png"], "pages")]
    ['plans', 'plan.png']
    """
    if value is None:
        return []
    if is_path(value):
        return [Path(value)]
    given = list(value) if isinstance(value, Iterable) else [value]
    wrong = next((each for each in given if not is_path(each)), None)
    if wrong is not None:
        raise unusable(wrong, name, expected)
    return [Path(each) for each in given]


def texts_of(value: str | Sequence[str]) -> list[str]:
    """One text or several as a list.

    Parameters
    ----------
    value : str or sequence of str

    Examples
    --------
    >>> texts_of("plan_0*"), texts_of(["a", "b"])
    (['plan_0*'], ['a', 'b'])
    """
    return [value] if isinstance(value, str) else list(value)


def only_name(name: str | None, known: Collection[str], kind: str) -> str:
    """A name, or the only one that there is where none is given.

    Parameters
    ----------
    name : str or None
    known : collection of str
    kind : str
        What is named: "page".

    Raises
    ------
    BadArgument
        None is given, and there are several.

    Examples
    --------
    >>> only_name(None, ["plan"], "page"), only_name("b", ["a", "b"], "page")
    ('plan', 'b')
    """
    if name is None and len(known) != 1:
        there = ", ".join(known) or "none"
        raise BadArgument(f"`{kind}` is missing; expected one of {shortened(there)}")
    return next(iter(known)) if name is None else name


def path_of(value: PathLike | None) -> Path | None:
    """A path, if one is given.

    Parameters
    ----------
    value : path or None

    Examples
    --------
    >>> path_of("plans").name, path_of(None)
    ('plans', None)
    """
    return None if value is None else Path(value)


def check_choice(value: object, name: str, known: Collection[str]) -> None:
    """See that a text is one of those that are known.

    Parameters
    ----------
    value : object
    name : str
        Of the argument.
    known : collection of str

    Raises
    ------
    BadArgument
        It is not; the text says which there are.

    Examples
    --------
    >>> check_choice("fast", "method", ["a", "b"])
    Traceback (most recent call last):
    spotlab.errors.BadArgument: method is 'fast'; expected one of a, b
    """
    if value not in known:
        text = shortened(repr(value), 80)
        raise BadArgument(f"`{name}` is {text}; expected one of {', '.join(known)}")


def refuse(bad_lines: Iterable[BadLine | str], strict: bool) -> list[str]:
    """Refuse bad lines where reading is strict; else give a remark on each kind of them.

    Parameters
    ----------
    bad_lines : iterable of BadLine or str
    strict : bool

    Raises
    ------
    BadLines
        There are some, and reading is strict.

    Examples
    --------
    >>> refuse(["line 3: rank is 'x'", "line 7: rank is 'y'"], strict=False)
    ["line 3: rank is 'x'; left out, as is 1 more like it"]
    """
    lines = [str(line) for line in bad_lines]
    if lines and strict:
        raise BadLines(lines)
    return left_out(lines)


@contextmanager
def as_arguments() -> Iterator[None]:
    """Turn a study's ValueError about a value into the error that names the argument.

    Raises
    ------
    BadArgument
        In place of a ValueError.
    """
    try:
        yield
    except BadArgument:
        raise
    except ValueError as error:
        raise BadArgument(str(error)) from error


Table: TypeAlias = (
    "DataFrame | Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]] | SupportsColumns"
)


class SupportsColumns(Protocol):
    """A table of another library, such as polars or pyarrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give its columns as Arrow has them."""


_LINE = re.compile(r"\bline (\d+)")


def is_table(value: object, *needed: str) -> bool:
    """Tell whether a value is a table: a mapping of columns that has the needed ones, or another.

    Another one is a DataFrame of pandas or polars, a table of pyarrow or of any library that speaks
    Arrow, or a list of records: a mapping for each row.

    Parameters
    ----------
    value : object
    *needed : str
        Names of columns, one of which a mapping has to have; case does not matter.

    Examples
    --------
    >>> is_table({"query": ["sofa"]}, "query"), is_table({"mine": "mine.csv"}, "query")
    (True, False)
    """
    if isinstance(value, Mapping):
        names = {str(name).strip().casefold() for name in value}
        return not needed or not names.isdisjoint(needed)
    if _are_records(value) or hasattr(value, "__arrow_c_stream__"):
        return True
    return hasattr(value, "columns") and hasattr(value, "__getitem__")


def _are_records(value: object) -> bool:
    """Tell whether it is a list of rows: mappings with a text or a number, not only columns."""
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(
            isinstance(row, Mapping)
            and any(isinstance(each, str | Number | None) for each in row.values())
            for row in value
        )
    )


def columns_of(table: Table, what: str) -> dict[str, list[Any]]:
    """The columns of a table as lists.

    Parameters
    ----------
    table : DataFrame, mapping of str to sequence, list of mapping, or table of Arrow
    what : str
        What the table is, for messages.

    Raises
    ------
    BadArgument
        The columns have different lengths.

    Examples
    --------
    >>> columns_of({"query": ["sofa"], "score": [0.5]}, "the run")
    {'query': ['sofa'], 'score': [0.5]}
    """
    if _are_records(table):
        rows: Any = table
        every = dict.fromkeys(name for row in rows for name in row)
        return {str(name): [row.get(name) for row in rows] for name in every}
    if not isinstance(table, Mapping) and hasattr(table, "__arrow_c_stream__"):
        is_frame = hasattr(table, "columns") and hasattr(table, "__getitem__")
        if not is_frame or hasattr(table, "to_pydict"):  # pandas and polars need no pyarrow
            table = optional_module("pyarrow").table(table).to_pydict()
    frame: Any = table
    names = frame if isinstance(frame, Mapping) else frame.columns
    columns = {str(name): _values(frame[name]) for name in names}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in lengths.items())
        raise BadArgument(f"{what} has columns of different lengths ({told}); expected one length")
    return columns


def _values(column: Any) -> list[Any]:
    """The values of a column; polars has lists in cells as columns of their own."""
    to_list = getattr(column, "to_list", None)
    return list(column) if to_list is None else list(to_list())


def ring_of_shape(value: Any) -> Any:
    """A polygon of shapely as one ring by the even-odd rule; anything else as it is.

    Parameters
    ----------
    value : object

    Examples
    --------
    >>> from shapely import box
    >>> ring_of_shape(box(0, 0, 9, 5)).tolist()
    [[9.0, 0.0], [9.0, 5.0], [0.0, 5.0], [0.0, 0.0]]
    """
    return ring_from_geometry(value) if hasattr(value, "geom_type") else value


def pixels_of(image: Any) -> Any:
    """The pixels of an image of Pillow or of a bilevel array as uint8; anything else as it is.

    Parameters
    ----------
    image : object

    Examples
    --------
    >>> pixels_of(np.array([[True, False]])).tolist()
    [[255, 0]]
    """
    if hasattr(image, "convert") and hasattr(image, "mode"):
        image = np.asarray(image.convert("RGB" if image.mode not in ("1", "L") else "L"))
    is_bilevel = isinstance(image, np.ndarray) and image.dtype == np.bool_
    return image.astype(np.uint8) * 255 if is_bilevel else image


def cell_text(value: Any) -> str:
    """A value of a table as CSV has it; empty for None, NaN and pandas.NA.

    Parameters
    ----------
    value : object
        A text, a number, a truth value, or points: (N, 2) float in px, or a polygon of shapely.

    Examples
    --------
    >>> points = [(0, 0), (9, 0), (9, 9)]
    >>> cell_text(0.5), cell_text(True), cell_text(float("nan")), cell_text(points)
    ('0.5', '1', '', '0,0 9,0 9,9')
    """
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return format_number(float(value))
    value = ring_of_shape(value)
    if isinstance(value, Sequence | np.ndarray) and np.ndim(value) == 2:
        return " ".join(",".join(cell_text(number) for number in point) for point in value)
    return str(value)


@contextmanager
def as_file(columns: Mapping[str, Sequence[Any]], what: str) -> Iterator[Path]:
    """The columns as a CSV file, for as long as the block runs.

    Parameters
    ----------
    columns : mapping of str to sequence
        Equally long, as `columns_of` gives them.
    what : str
        What the table is, for messages: "the run 'mine'".

    Raises
    ------
    BadInput
        Where the block raises it about the file; it names the table and its rows instead.

    Examples
    --------
    >>> with as_file({"query": ["sofa"], "score": [0.5]}, "the run") as path:
    ...     path.read_text().split()
    ['query,score', 'sofa,0.5']
    """
    with tempfile.TemporaryDirectory(prefix="spotlab-") as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            rows = zip(*columns.values(), strict=True)
            writer.writerows([_in_a_line(cell_text(value)) for value in row] for row in rows)
        try:
            yield path
        except BadInput as error:
            place, problem = (_of_rows(text, path, what) for text in (error.place, error.problem))
            raise BadInput(
                what, problem, place="" if place == "row 0" else place, expected=error.expected
            ) from None


def rows_of(bad_lines: Sequence[BadLine], path: Path, what: str) -> tuple[BadLine, ...]:
    """Bad lines of a table that was written to a file, as bad rows of the table.

    Parameters
    ----------
    bad_lines : sequence of BadLine
    path : Path
        The file.
    what : str
        What the table is.

    Examples
    --------
    >>> str(rows_of([BadLine(3, "score is 'x'")], Path("table.csv"), "the run")[0])
    "the run, row 2: score is 'x'"
    """
    found = []
    for bad in bad_lines:
        place, problem = (_of_rows(text, path, what) for text in (bad.place, bad.problem))
        place = place if place.startswith(what) else f"{what}, {place}"
        found.append(replace(bad, line=bad.line - 1, place=place, problem=problem))
    return tuple(found)


def remarks_of(remarks: Sequence[str], path: Path, what: str) -> tuple[str, ...]:
    """Remarks on a file that stands for a table, as remarks on the table.

    Parameters
    ----------
    remarks : sequence of str
    path : Path
        The file.
    what : str
        What the table is.

    Examples
    --------
    >>> remarks_of(["table.csv: ignored columns: 'id'"], Path("table.csv"), "the run")
    ("the run: ignored columns: 'id'",)
    """
    return tuple(_of_rows(remark, path, what) for remark in remarks)


Read = TypeVar("Read")  # with bad_lines and remarks


def read_table(
    columns: Mapping[str, Sequence[Any]], what: str, read: Callable[[Path], Read]
) -> Read:
    """Read a table as the file that it would be; bad lines and remarks name its rows.

    Parameters
    ----------
    columns : mapping of str to sequence
        Equally long, as `columns_of` gives them.
    what : str
        What the table is.
    read : callable
        Reads a file into a dataclass with ``bad_lines`` and ``remarks``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Found:
    ...     bad_lines: list
    ...     remarks: list
    >>> def read(path):
    ...     return Found([BadLine(3, "score is 'x'")], [f"{path}: 2 lines"])
    >>> found = read_table({"query": ["bed", "sofa"], "score": [0.5, "x"]}, "the run", read)
    >>> str(found.bad_lines[0]), found.remarks
    ("the run, row 2: score is 'x'", ('the run: 2 lines',))
    """
    with as_file(columns, what) as path:
        found: Any = read(path)
    rows, remarks = rows_of(found.bad_lines, path, what), remarks_of(found.remarks, path, what)
    told: Read = replace(found, bad_lines=rows, remarks=remarks)
    return told


def read_source(
    source: Any,
    name: str,
    expected: str,
    read: Callable[[Path], Read],
    defaults: Mapping[str, Any] | None = None,
) -> Read:
    """Read an argument that is a path or a table.

    Parameters
    ----------
    source : path, DataFrame or mapping
    name : str
        Of the argument.
    expected : str
        What a table has to have.
    read : callable
        See `read_table`.
    defaults : mapping of str to object, optional
        Values of columns that the table need not have.

    Raises
    ------
    BadArgument
        It is neither.

    Examples
    --------
    >>> read_source("mine.csv", "run", "scores", read=lambda path: path.stem)
    'mine'
    >>> read_source(3, "run", "scores", read=lambda path: path.stem)
    Traceback (most recent call last):
    spotlab.errors.BadArgument: run is 3 (of type int); expected a path, or a table with scores
    """
    if is_path(source):
        return read(Path(source))
    if not is_table(source):
        raise unusable(source, name, f"a path, or a table with {expected}")
    columns = columns_of(source, f"the {name}")
    for column, value in (defaults or {}).items():
        columns.setdefault(column, [value] * len(next(iter(columns.values()), [])))
    return read_table(columns, f"the {name}", read)


def data_frame(columns: Mapping[str, Any]) -> DataFrame:
    """A DataFrame of pandas; where that is not installed, a dict of the columns as lists.

    Parameters
    ----------
    columns : mapping of str to sequence
        Equally long.

    Examples
    --------
    >>> list(data_frame({"run": ["a", "b"]})["run"])
    ['a', 'b']
    """
    try:
        frame: DataFrame = optional_module("pandas").DataFrame(dict(columns))
    except MissingPackage:
        plain: Any = {
            name: values.tolist() if isinstance(values, np.ndarray) else list(values)
            for name, values in columns.items()
        }
        return plain
    return frame


def stacked(tables: Sequence[Mapping[str, Sequence[Any]]], names: Sequence[str]) -> DataFrame:
    """Tables of the same columns one below the other, as a DataFrame.

    Parameters
    ----------
    tables : sequence of mapping of str to sequence
    names : sequence of str
        The columns; they stand there for no table, too.

    Examples
    --------
    >>> stacked([{"query": ["sofa"]}, {"query": ["bed"]}], ["query"])["query"].tolist()
    ['sofa', 'bed']
    """
    return data_frame(
        {name: list(chain.from_iterable(table[name] for table in tables)) for name in names}
    )


def frame_of_rows(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> DataFrame:
    """Make a DataFrame of rows.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.
    rows : iterable of sequence
        A value for each column in every row.

    Returns
    -------
    DataFrame
        With these columns also where there are no rows.

    Examples
    --------
    >>> frame_of_rows(["run", "f"], [("a", 0.5), ("b", 0.7)])["f"].tolist()
    [0.5, 0.7]
    """
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return data_frame({name: list(column) for name, column in zip(names, columns, strict=True)})


def _in_a_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def _of_rows(text: str, path: Path, what: str) -> str:
    """A message on the file as one on the table, whose first row is the file's second line."""
    told = text.replace(str(path), what)
    return _LINE.sub(lambda line: f"row {int(line[1]) - 1}", told)


MOST_ROWS = 10
MOST_NOTES = 4
LONGEST = 60  # characters of a name
LONGEST_NOTE = 160


class Result(Protocol):
    """Result of a job, with a summary."""

    @property
    def summary(self) -> ResultSummary:
        """The result in short."""


@dataclass(frozen=True)
class ResultSummary:
    """A result in at most 20 lines.

    Attributes
    ----------
    title : str
        One line.
    heads : tuple of str
        The columns of the table; the first names the rows.
    rows : tuple of tuple of str
        All of them; the first ones are shown.
    notes : tuple of str
        What a reader has to know besides; the first ones are shown.
    """

    title: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal.

        Examples
        --------
        >>> print(ResultSummary("1 run", ("run", "F"), (("mine", ".831"),)).text())
        1 run
        run      F
        mine  .831
        """
        lines = [shortened(self.title, LONGEST_NOTE)]
        if self.rows:
            lines += aligned([self.heads, *self._rows()])
        return "\n".join(map(visible, [*lines, *self._left(), *self._notes()]))

    def html(self) -> str:
        """For a notebook.

        Examples
        --------
        >>> ResultSummary("no run", notes=("nothing was <found>",)).html()
        '<p><b>no run</b></p><p>nothing was &lt;found&gt;</p>'
        """
        parts = [f"<p><b>{html.escape(shortened(self.title, LONGEST_NOTE))}</b></p>"]
        if self.rows:
            lines = [_html_row(self.heads, "th"), *(_html_row(row, "td") for row in self._rows())]
            parts.append(f"<table>{''.join(lines)}</table>")
        notes = [*self._left(), *self._notes()]
        return "".join([*parts, *(f"<p>{html.escape(note)}</p>" for note in notes)])

    def _rows(self) -> list[list[str]]:
        return [[shortened(cell, LONGEST) for cell in row] for row in self.rows[:MOST_ROWS]]

    def _left(self) -> list[str]:
        more = len(self.rows) - MOST_ROWS
        return [f"… and {more:,} more"] if more > 0 else []

    def _notes(self) -> list[str]:
        notes = [
            shortened(" ".join(note.split()), LONGEST_NOTE) for note in self.notes[:MOST_NOTES]
        ]
        more = len(self.notes) - MOST_NOTES
        return [*notes, f"… and {more:,} more notes"] if more > 0 else notes


def text_of(result: Result) -> str:
    """Return what `repr` says of a result.

    Parameters
    ----------
    result : Result
    """
    return result.summary.text()


def html_of(result: Result) -> str:
    """Return what a notebook shows of a result.

    Parameters
    ----------
    result : Result
    """
    return result.summary.html()


def _html_row(cells: Sequence[str], kind: str) -> str:
    first, *others = (html.escape(cell) for cell in cells)
    numbers = "".join(f'<{kind} style="text-align: right">{cell}</{kind}>' for cell in others)
    return f'<tr><{kind} style="text-align: left">{first}</{kind}>{numbers}</tr>'
