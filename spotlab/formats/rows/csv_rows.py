"""Reads the rows of a table of text, with a line of names first, and names every bad line.

Commas, semicolons, tabs or bars divide the columns; the line of names says which. In columns of
numbers a comma may stand for the decimal point.

A file is read in blocks of lines, each at once; where something in a block is not right, smaller
and smaller parts of it are, until the bad lines are found. A field in quotes may run over several
lines; where its quote is never closed, only its first line is bad.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.errors import BadInput, reason, shortened
from spotlab.formats.rows.files import BYTE_ORDER_MARK
from spotlab.formats.rows.text_files import TextFile
from spotlab.progress import Progress

if TYPE_CHECKING:
    from _csv import Reader as CsvReader


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names, each stored once.

    Attributes
    ----------
    names : tuple of str
    code : (N,) int
        Position in ``names``.
    """

    names: tuple[str, ...]
    code: Ints


def plain_columns(block: bytes, width: int, delimiter: bytes = b",") -> list[list[str]] | None:
    """The columns of whole lines of as many values each; None where they are anything else.

    Examples
    --------
    >>> plain_columns(b"a,1\\nb,2\\n", 2), plain_columns(b"a,1\\nb\\n", 2)
    ([['a', 'b'], ['1', '2']], None)
    """
    codes = np.frombuffer(block, np.uint8)
    line = codes == ord("\n")
    ends = line[line | (codes == ord(delimiter))]
    count, rest = divmod(len(ends), width)
    if rest or not block.endswith(b"\n") or np.count_nonzero(ends) != count:
        return None
    if not ends[width - 1 :: width].all():
        return None
    try:
        values = block.decode().replace("\n", delimiter.decode()).split(delimiter.decode())
    except UnicodeDecodeError:
        return None
    return [values[at:-1:width] for at in range(width)]


def names_of(texts: Sequence[str]) -> Names:
    """A column of texts, without spaces around, in Unicode's composed form.

    Examples
    --------
    >>> names_of(["b", " a", "b "])
    Names(names=('b', 'a'), code=array([0, 1, 0]))
    """
    given, (code,) = _numbered([texts])
    tidy = tuple(map(tidy_name, given))
    if tidy == given:
        return Names(given, code)
    names, (again,) = _numbered([tidy])
    return Names(names, again[code])


def tidy_name(text: str) -> str:
    """A name as it is compared: without spaces around, in Unicode's composed form.

    Examples
    --------
    >>> tidy_name(" Tu\u0308r ") == "T\u00fcr"
    True
    """
    return text.strip() if text.isascii() else unicodedata.normalize("NFC", text.strip())


def no_names(count: int) -> Names:
    """A column of nothing."""
    return Names(("",), np.zeros(count, np.int64))


def join_names(columns: Sequence[Names]) -> Names:
    """One column of several, in which equal names have one number."""
    names, translations = _numbered([column.names for column in columns])
    codes = [each[column.code] for each, column in zip(translations, columns, strict=True)]
    return Names(names, np.concatenate(codes))


def _numbered(parts: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[Ints]]:
    """All different texts in their order, and the number of each text of the parts."""
    number: dict[str, int] = {}
    for part in parts:
        for text in dict.fromkeys(part):
            number.setdefault(text, len(number))
    codes = [np.fromiter(map(number.__getitem__, part), np.int64, len(part)) for part in parts]
    return tuple(number), codes


_wanted: ContextVar[bool] = ContextVar("safe_cells", default=False)
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def safe_cells() -> Iterator[None]:
    """Have all reports that are written meanwhile, in this thread, use the safe form."""
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


def are_wanted() -> bool:
    """Tell whether reports use the safe form now."""
    return _wanted.get()


def safe_cell(text: str) -> str:
    """The cell, with an apostrophe before what a spreadsheet would run.

    Examples
    --------
    >>> [safe_cell(text) for text in ("sofa", "=1+1", "-0.5", "-sofa", "+1e-5", "@x")]
    ['sofa', "'=1+1", '-0.5', "'-sofa", '+1e-5', "'@x"]
    """
    if not text.lstrip(" ").startswith(_FORMULAS):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text  # a number below 0, which stays one


def safe_csv(text: str) -> str:
    r"""The same table with safe cells.

    Examples
    --------
    >>> safe_csv('run,f\n"=HYPERLINK(1,2)",-0.5\n')
    'run,f\n"\'=HYPERLINK(1,2)",-0.5\n'
    """
    safe = io.StringIO()
    writer = csv.writer(safe, lineterminator="\n")
    rows = csv.reader(io.StringIO(text, newline=""))
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return safe.getvalue()


BLOCK_BYTES = 2**19  # short enough not to keep a window waiting
MOST_LINES_OF_A_FIELD = 1000
FEW_ROWS = 16  # which are not halved any more to find the bad one
LONGEST_FIELD = 2**26  # characters; Python's own limit is met by a traced outline

MARKS = (",", ";", "\t", "|")  # that divide columns
_SEPARATOR_LINE = re.compile(r'"?sep=.?"?')  # above the names, without the tab that is stripped
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_COMMA_NUMBER = re.compile(r"[-+]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+")  # or three decimals: nobody can tell

csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))


class RowTaker(Protocol):
    """Receiver of the rows of a file."""

    bad_lines: list[BadLine]
    remarks: list[str]
    number_columns: Collection[int]  # known after `begin`
    # first_is_row, where it is there: whether the first line is a row, as somebody numbers columns

    def begin(self, names: Sequence[str], place: str) -> None:
        """Take the first line's names; raise `BadInput` if a column is missing."""

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        """Take rows and the line of each, one by one, the bad ones as bad lines."""

    def check(self, row: Sequence[str]) -> None:
        """Raise ValueError if a row over several lines is not right."""

    def bad(self, line: int, problem: str) -> None:
        """Take a bad line."""


@runtime_checkable
class ColumnTaker(RowTaker, Protocol):
    """Receiver that accepts many rows at once."""

    def take(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> bool:
        """Take rows as columns; False, and none of them taken, where one is not right."""


@runtime_checkable
class BlockTaker(RowTaker, Protocol):
    """Receiver that accepts whole lines not yet split into fields."""

    def take_lines(self, block: bytes, first: int) -> int:
        """Take lines, of which the first has this number; how many, or 0 where one is unusual."""


@runtime_checkable
class CommentTaker(RowTaker, Protocol):
    """Receiver that recognises lines that may precede the column names."""

    def comment(self, line: str) -> bool:
        """Take a line that is not the names; False where it is."""


def read_rows(path: Path, taker: RowTaker, expected: str, progress: Progress) -> None:
    """Give all rows of a file to who wants them.

    Raises
    ------
    BadInput
        It cannot be read at all, or is empty.
    """
    try:
        with TextFile(path, taker.remarks.append) as file:

            def read() -> None:
                progress(file.tell(), file.size, f"reading {path.name}")

            read_blocks(path, taker, expected, _blocks(file), read)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error


def read_blocks(
    path: Path,
    taker: RowTaker,
    expected: str,
    blocks: Iterable[bytes],
    after_each: Callable[[], object],
) -> None:
    """Give rows in pieces of a file, which end where a line ends, to who wants them.

    Raises
    ------
    BadInput
        The first line does not name the columns, or there is none.
    """
    reader = _Reader(path, taker, expected)
    for block in blocks:
        reader.add(block)
        after_each()
    reader.finish()


def _blocks(file: TextFile) -> Iterator[bytes]:
    """Pieces of the file that end where a line ends."""
    pieces: list[bytes] = []
    while piece := file.read(BLOCK_BYTES):
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*pieces, piece[:end]])
            pieces = []
        pieces.append(piece[end:])
    if any(pieces):
        yield b"".join(pieces)


class _Reader:
    """Takes the blocks of a file in one after the other."""

    def __init__(self, path: Path, taker: RowTaker, expected: str) -> None:
        self.path = path
        self.taker = taker
        self.expected = expected
        self.columns = taker if isinstance(taker, ColumnTaker) else None
        self.width = 0  # of the first line
        self.mark = ","  # between columns
        self.begun = False
        self.lines: list[str] = []  # what is not taken in yet
        self.first = 1  # the number of the first of them
        self.ends = ""  # how the last of all lines ends

    def add(self, block: bytes) -> None:
        """Take some more lines of the file in."""
        if self.first == 1 and not self.lines:
            block = self._check_beginning(block)
        while not self.begun and not self.lines and b"\n" in block:
            end = block.index(b"\n") + 1
            self.lines, block = self._decode(block[:end]), block[end:]
            self.ends = self.lines[-1][-2:]
            self._take_header()
        if not block:
            return
        if not self.lines and self.begun and (self._take_lines(block) or self._take_plain(block)):
            return
        self.lines += self._decode(block)
        self.ends = self.lines[-1][-2:] if self.lines else ""
        self._take(last=False)

    def finish(self) -> None:
        """Take in what is left when the file is at its end."""
        self._take(last=True)
        if not self.begun:
            raise BadInput(self.path, "the file is empty", expected=self.expected)
        told = any(each.line == self.first - 1 for each in self.taker.bad_lines[-1:])
        if self.ends[-1:] not in ('"', "\n", "\r", "") and not told:
            remark = (
                "the last line has no line end; if the file was truncated, the last value "
                "may be incomplete"
            )
            self.taker.remarks.append(remark)

    def _check_beginning(self, block: bytes) -> bytes:
        return block.removeprefix(BYTE_ORDER_MARK)

    def _decode(self, block: bytes) -> list[str]:
        """The lines of a block, each with its end; a bad one is empty."""
        try:
            # not str.splitlines, for which a line ends at a form feed too
            return list(io.StringIO(block.decode("utf-8"), newline=""))
        except UnicodeDecodeError:
            return [self._decode_line(line, number) for number, line in enumerate(
                block.splitlines(keepends=True), self.first + len(self.lines))]  # fmt: skip

    def _decode_line(self, line: bytes, number: int) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"not UTF-8: the byte 0x{line[error.start]:02X} at {error.start + 1}"
            if not self.begun and number == 1:
                raise BadInput(
                    self.path, problem, place="line 1", expected=self.expected
                ) from error
            self.taker.bad(number, problem)
            return "\n"

    def _take(self, *, last: bool) -> None:
        if not self.begun:
            self._take_header()
        if not self.begun or not self.lines:
            return
        try:
            rows = list(_csv(self.lines, self.mark))
        except csv.Error:
            rows = []
        if len(rows) == len(self.lines):
            numbers = np.arange(self.first, self.first + len(rows))
            self._drop(len(rows))
        else:  # something is not right, or a field runs over several lines
            rows, taken = [], []
            for row, number in self._one_by_one(last):
                rows.append(row)
                taken.append(number)
            numbers = np.array(taken, np.int64)
        if not all(rows):  # an empty line is none
            numbers = numbers[list(map(bool, rows))]
            rows = [row for row in rows if row]
        if rows:
            self._add(self._with_points(rows), numbers)

    def _with_points(self, rows: list[list[str]]) -> list[list[str]]:
        """The rows with points for decimal commas in columns of numbers."""
        for column in self.taker.number_columns:
            for row in rows:
                if column < len(row) and "," in row[column]:
                    thousands = self.mark == "," and _THOUSANDS.fullmatch(row[column].strip())
                    row[column] = row[column] if thousands else with_decimal_point(row[column])
        return rows

    def _take_lines(self, block: bytes) -> bool:
        """Hand a block over as it is."""
        if not isinstance(self.taker, BlockTaker) or len(block) > LONGEST_FIELD:
            return False
        if self.mark != ",":
            return False
        taken = self.taker.take_lines(block, self.first)
        if taken:
            self.first += taken
            self.ends = "\n"
        return taken > 0

    def _take_plain(self, block: bytes) -> bool:
        """Take a block in which nothing is in quotes and no value has a space before it."""
        if self.columns is None or self.width == 1 or len(block) > LONGEST_FIELD:
            return False
        mark = self.mark.encode()
        if block[:1] == b" " or any(each in block for each in (b'"', b"\r", mark + b" ", b"\n ")):
            return False
        columns = plain_columns(block, self.width, mark)
        if columns is None:
            return False
        if mark != b",":
            for place in self.taker.number_columns:
                columns[place] = [with_decimal_point(text) if "," in text else text
                                  for text in columns[place]]  # fmt: skip
        numbers = np.arange(self.first, self.first + len(columns[0]))
        if not self.columns.take(columns, numbers):
            self._add(list(zip(*columns, strict=True)), numbers)
        self.first += len(numbers)
        self.ends = "\n"
        return True

    def _add(self, rows: Sequence[Sequence[str]], numbers: NDArray[np.int64]) -> None:
        """Hand rows over at once; where one of them is not right, halves, until it is found."""
        if self.columns is None or len(rows) <= FEW_ROWS:
            self.taker.add(rows, numbers)
            return
        if set(map(len, rows)) == {self.width}:
            # zip(*rows) would make an iterator of every row, and the garbage collector look at each
            columns = [[row[at] for row in rows] for at in range(self.width)]
            if self.columns.take(columns, numbers):
                return
        half = len(rows) // 2
        self._add(rows[:half], numbers[:half])
        self._add(rows[half:], numbers[half:])

    def _take_header(self) -> None:
        taker = self.taker
        comment = taker.comment if isinstance(taker, CommentTaker) else is_remark
        passed = (at for at, line in enumerate(self.lines) if line.strip() and not comment(line))
        self._drop(next(passed, len(self.lines)))
        if not self.lines:
            return
        place = f"line {self.first}"
        if is_separator_line(self.lines[0]):
            self._drop(1)
            self._take_header()
            return
        errors: list[BadInput] = []
        for mark in marks_in(self.lines[0]):
            try:
                names = next(_csv(self.lines[:1], mark))
                self.taker.begin(names, place)
            except csv.Error as error:
                problem = _explain(error)
                errors.append(BadInput(self.path, problem, place=place, expected=self.expected))
            except BadInput as error:
                errors.append(error)
            else:
                self.begun, self.width, self.mark = True, len(names), mark
                if not getattr(self.taker, "first_is_row", False):
                    self._drop(1)
                return
        raise errors[0]

    def _drop(self, count: int) -> None:
        self.lines = self.lines[count:]
        self.first += count

    def _one_by_one(self, last: bool) -> Iterator[tuple[list[str], int]]:
        """Each row with the number of its first line; bad ones are left out."""
        at = 0
        while at < len(self.lines):
            number, used = self.first + at, 1
            try:
                yield next(_csv(self.lines[at : at + 1], self.mark)), number
            except csv.Error as error:
                left = len(self.lines) - at
                open = _is_open(error)
                if open and not last and left < MOST_LINES_OF_A_FIELD:
                    break  # the rest of it may be in the next block
                row, used = self._several(at) if open else ([], 1)
                if row:
                    yield row, number
                else:
                    cut = "; the file may be truncated" if open and left == 1 else ""
                    self.taker.bad(number, _explain(error) + cut)
            at += used
        self._drop(at)

    def _several(self, at: int) -> tuple[list[str], int]:
        """A row that runs over several lines and how many they are; empty if it is not right."""
        reader = _csv(self.lines[at : at + MOST_LINES_OF_A_FIELD], self.mark)
        try:
            row = next(reader)
            self.taker.check(row)
        except (csv.Error, ValueError):
            return [], 1
        return row, reader.line_num


def _csv(lines: Sequence[str], mark: str) -> CsvReader:
    return csv.reader(lines, delimiter=mark, strict=True, skipinitialspace=mark != "\t")


def marks_in(line: str) -> list[str]:
    """The marks that may divide the columns of a line of names, the first one in it first.

    Examples
    --------
    >>> marks_in("query;page;points"), marks_in('"a;b",page'), marks_in("name")
    ([';'], [',', ';'], [','])
    """
    outside = _QUOTED.sub("", line)
    found = sorted((mark for mark in MARKS if mark in outside), key=outside.index)
    return [*found, *(mark for mark in MARKS if mark in line and mark not in found)] or [","]


def split_names(line: str) -> list[str]:
    """The fields of a line of names, by the most probable mark; none where it is not one.

    Examples
    --------
    >>> split_names("query;page"), split_names('"a;b", page')
    (['query', 'page'], ['a;b', 'page'])
    """
    try:
        return next(_csv([line], marks_in(line)[0]), [])
    except csv.Error:
        return []


def rows_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a small table and the line of each, its names first; empty ones are left out.

    Raises
    ------
    csv.Error
        It is no table.

    Examples
    --------
    >>> list(rows_of("sep=;\\nname;digit\\n\\nsofa;1"))
    [(2, ['name', 'digit']), (4, ['sofa', '1'])]
    """
    lines = list(io.StringIO(text, newline=""))
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines and is_separator_line(lines[first]):
        first += 1
    mark = marks_in(lines[first])[0] if first < len(lines) else ","
    reader = csv.reader(lines[first:], delimiter=mark, skipinitialspace=mark != "\t")
    for row in reader:
        if any(value.strip() for value in row):
            yield first + reader.line_num, row


def with_decimal_point(text: str) -> str:
    """A number with a point in place of its decimal comma; any other text as it is.

    Examples
    --------
    >>> with_decimal_point("0,95"), with_decimal_point("1.204,5"), with_decimal_point("1,204,5")
    ('0.95', '1204.5', '1,204,5')
    """
    if not _COMMA_NUMBER.fullmatch(text.strip()):
        return text
    return text.replace(".", "").replace(",", ".")


def _is_open(error: csv.Error) -> bool:
    return str(error) == "unexpected end of data"


def _explain(error: csv.Error) -> str:
    if _is_open(error):
        return "a quoted field is not closed"
    if "expected after" in str(error):
        return "a quote ends in the middle of a field"
    return str(error)


def is_remark(line: str) -> bool:
    """Tell whether a line above the names of the columns is a remark and not these names.

    Examples
    --------
    >>> is_remark("# made by hand, 2 May"), is_remark("#"), is_remark("#,item,system")
    (True, True, False)
    """
    text = line.strip()
    return text.startswith("# ") or (
        text.startswith("#") and not any(mark in text for mark in MARKS)
    )


def is_separator_line(line: str) -> bool:
    """Tell whether a line above the names says by what columns are divided, as Excel has it.

    Examples
    --------
    >>> is_separator_line("sep=;"), is_separator_line("item;system")
    (True, False)
    """
    return _SEPARATOR_LINE.fullmatch(line.strip()) is not None


def quote_field(text: str) -> str:
    """Write a value as a line of CSV has it, safe for spreadsheets where that is wanted.

    Examples
    --------
    >>> print(quote_field("sofa"), quote_field('4" pipe, bent'))
    sofa "4"" pipe, bent"
    """
    if are_wanted():
        text = safe_cell(text)
    if any(each in text for each in ',;|\t"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


@dataclass(frozen=True, order=True)
class BadLine:
    """A line of a file that is not read.

    Attributes
    ----------
    line : int
        Line, row or entry of the file, from 1.
    problem : str
        What is wrong with it.
    place : str
        Where it is, for a message: "line 7", "row 7", "plan_1.xml, line 7".

    Examples
    --------
    >>> str(BadLine(7, "score is 'x', which is no number"))
    "line 7: score is 'x', which is no number"
    """

    line: int
    problem: str
    place: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem", shortened(self.problem))
        object.__setattr__(self, "place", self.place or f"line {self.line}")

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def bad_line(path: Path, line: int, problem: str) -> BadLine:
    """A bad line that says of which file it is."""
    return BadLine(line, problem, f"{path}, line {line}")


def repeats_remark(path: Path, count: int, line: int) -> str:
    """Describe lines that say again what an earlier line says.

    Parameters
    ----------
    path : Path
        The file.
    count : int
        Number of such lines.
    line : int
        First of them, from 1.

    Examples
    --------
    >>> repeats_remark(Path("votes.csv"), 2, 7)
    'votes.csv: 2 lines repeat an earlier line exactly, the first is line 7; each counts once'
    """
    lines = "1 line repeats" if count == 1 else f"{count:,} lines repeat"
    first = f"line {line}" if count == 1 else f"the first is line {line}"
    each = "it" if count == 1 else "each"
    return f"{path}: {lines} an earlier line exactly, {first}; {each} counts once"
