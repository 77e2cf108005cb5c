"""Runs in CSV: ``query,page,rank,score,points[,label]``, in any order, names in the first line.

Lines ``# key: value`` before the names say what made the run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.errors import BadInput, reason
from spotlab.files import open_file
from spotlab.formats.rows.csv_rows import (
    RowTaker,
    is_separator_line,
    quote_field,
    read_blocks,
    read_rows,
    split_names,
)
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import (
    Codes,
    are_scores,
    format_number,
    parse_decimals,
    plain_numbers,
)
from spotlab.formats.runs.format import EXPECTED, Naming, ReadRun, RunFormat, find_roles
from spotlab.formats.runs.gather import (
    COLUMNS,
    Block,
    Columns,
    Gathered,
    add_rows,
    are_ranks,
    find_columns,
    plain_block,
    read_row,
    shared_ranks,
)
from spotlab.formats.runs.outline_columns import format_point_lists, plain_outlines
from spotlab.formats.runs.side_files import comment_lines, entry_of, is_comment, write_models
from spotlab.geometry.polygon import concatenate_ranges
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.representation import utf8

BLOCK_BYTES = 2**22
HEAD_BYTES = 2**14  # of the file, in which the names of its columns stand
MOST = 0.25  # of the file that lines of one page may be; more would take as long as all of it


def lines_with(path: Path, name: str, progress: Progress) -> tuple[bytes, list[bytes], list[int]]:
    """The beginning of a file, and all lines in which a name occurs.

    Parameters
    ----------
    path : Path
    name : str
        Searched as it is written, in any column.
    progress : Progress

    Returns
    -------
    head : bytes
        Whole lines.
    lines : list of bytes
        Each with its end; empty if they are too many to be read before the rest.
    numbers : list of int
        Of these lines, from 1.
    """
    wanted = utf8(name)
    lines: list[bytes] = []
    numbers: list[int] = []
    head, before, size, taken = b"", 1, path.stat().st_size, 0
    for block in _blocks(path):
        head = head or block[: block.rfind(b"\n", 0, HEAD_BYTES) + 1]
        counted = at = 0
        while (at := block.find(wanted, at)) >= 0:
            start = block.rfind(b"\n", 0, at) + 1
            end = block.find(b"\n", at) + 1 or len(block)
            before += block.count(b"\n", counted, start)
            counted = start
            lines.append(block[start:end])
            numbers.append(before)
            at, taken = end, taken + end - start
        before += block.count(b"\n", counted)
        if taken > MOST * size:
            return head, [], []
        progress(0, None, f"reading spots of {name}")
    return head, lines, numbers


def read_lines(
    path: Path, taker: RowTaker, head: bytes, lines: list[bytes], progress: Progress
) -> None:
    """Give the names of the columns, and then these lines, to who wants rows.

    Raises
    ------
    BadInput
        The beginning names no columns.
    """
    names = next(
        (line for line in head.splitlines(keepends=True)
         if line.strip() and not line.startswith(b"# ")), b"",
    )  # fmt: skip
    some = (b"".join(lines[at : at + 4096]) for at in range(0, len(lines), 4096))
    read_blocks(path, taker, EXPECTED, chain([names], some), lambda: progress(0, None, path.name))


def with_numbers(run: Run, numbers: list[int]) -> Run:
    """A run that was read by `read_lines`, with the lines' numbers in the whole file."""
    places = np.array([0, 0, *numbers], np.int64)  # from 1, and the names are the first
    return replace(run, line=places[run.line])


def _blocks(path: Path) -> Iterator[bytes]:
    """Pieces of the file that end where a line ends."""
    try:
        with open_file(path) as file:
            left = b""
            while piece := file.read(BLOCK_BYTES):
                end = piece.rfind(b"\n") + 1
                if end:
                    yield left + piece[:end]
                    left = b""
                left += piece[end:]
            if left:
                yield left
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error


_COMMA, _LINE = b",\n"
_Rule = Callable[[Floats], NDArray[np.bool_]]


def quoted_block(block: bytes, first: int, columns: Columns, gathered: Gathered) -> Block | None:
    """The spots in whole lines of a CSV file.

    Parameters
    ----------
    block : bytes
        The lines, each with its end.
    first : int
        The number of the first one.
    columns : Columns
        What the file has.
    gathered : Gathered
        Numbers the names.

    Returns
    -------
    Block or None
        None where anything but the points is in quotes, or where a line is not right or unusual.
    """
    pieces = block.split(b'"')
    rest, points = b"".join(pieces[::2]), pieces[1::2]
    if any(mark in rest for mark in (b"\r", b"\0", b", ", b"\n ")) or rest[:1] == b" ":
        return None
    fields = _Fields.of(rest, columns.count)
    if fields is None or len(points) != fields.count or len(pieces) != 2 * fields.count + 1:
        return None
    start, end = fields.spans(columns.places["points"])
    cut = np.cumsum(np.fromiter(map(len, pieces[:-1:2]), np.int64, fields.count))
    if (start != cut).any() or (end != cut).any():  # they are in quotes, and nothing else is
        return None
    nothing = np.full(fields.count, np.nan)
    rank, score = (
        fields.numbers(columns.places[name], are_right) if name in columns.places else nothing
        for name, are_right in (("rank", are_ranks), ("score", are_scores))
    )
    if rank is None or score is None or (np.isnan(rank) & np.isnan(score)).any():
        return None
    names = [
        fields.texts(columns.places[name]) if name in columns.places else [""] * fields.count
        for name in ("query", "page", "label")
    ]
    queries, pages, labels = gathered.tidy(*names)
    if not (queries.all() and pages.all()):
        return None
    outlines = plain_outlines(b"\n".join(points), len(points))
    lines = np.arange(first, first + fields.count)
    return None if outlines is None else Block(queries, pages, rank, score, outlines, labels, lines)


class _Fields:
    """The fields of lines without quotes."""

    def __init__(self, codes: Codes, values: Sequence[str], ends: Ints, width: int) -> None:
        self._codes, self._values, self._width = codes, values, width
        self._ends = ends  # of the fields, one line after the other
        self.count = len(ends) // width

    @classmethod
    def of(cls, lines: bytes, width: int) -> _Fields | None:
        """None where a line has another number of fields, or is not UTF-8."""
        codes = np.frombuffer(lines, np.uint8)
        ends = np.flatnonzero((codes == _COMMA) | (codes == _LINE))
        is_line = codes[ends] == _LINE
        if (
            not lines.endswith(b"\n")
            or len(ends) % width
            or not is_line[width - 1 :: width].all()
            or np.count_nonzero(is_line) != len(ends) // width
        ):
            return None
        try:
            values = lines.decode().replace("\n", ",").split(",")
        except UnicodeDecodeError:
            return None
        return cls(codes, values, ends, width)

    def texts(self, place: int) -> Sequence[str]:
        """A column as it is written."""
        return self._values[place : -1 : self._width]

    def spans(self, place: int) -> tuple[Ints, Ints]:
        """Tell where each value of a column begins and ends."""
        before = np.concatenate([[-1], self._ends[:-1]])
        return before[place :: self._width] + 1, self._ends[place :: self._width]

    def numbers(self, place: int, are_right: _Rule) -> Floats | None:
        """A column of numbers, NaN where it is empty; None where one is none or not right."""
        start, end = self.spans(place)
        given = end > start
        lengths = (end - start + 1)[given]  # each with the comma behind it
        codes = self._codes[concatenate_ranges(start[given], lengths)]
        values = parse_decimals(codes, np.cumsum(lengths) - 1)
        if values is None:
            return plain_numbers(self.texts(place), are_right)
        if not are_right(values).all():
            return None
        numbers = np.full(self.count, np.nan)
        numbers[given] = values
        return numbers


BLOCK_ROWS = 10_000  # short enough not to keep a window waiting


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a CSV file.

    Raises
    ------
    BadInput
        It cannot be read at all: it is empty, or its first line does not name the columns.
    """
    table = _RunTable(path, naming)
    read_rows(path, table, EXPECTED, progress)
    return table.gathered.finish()


def read_page(path: Path, page: str, progress: Progress) -> Run | None:
    """The spots in lines in which the name of a page occurs; other pages may be among theirs.

    Returns
    -------
    Run or None
        None where they are too many to be read before the rest. Lines that are not right are left
        out, and nothing is said of them.

    Raises
    ------
    BadInput
        As in `read`.
    """
    head, lines, numbers = lines_with(path, page, progress)
    if not lines:
        return None
    table = _RunTable(path, Naming())
    read_lines(path, table, head, lines, progress)
    if table.columns.box is not None:
        return None
    return with_numbers(table.gathered.finish().run, numbers)


class _RunTable:
    """Makes spots of the rows."""

    def __init__(self, path: Path, naming: Naming) -> None:
        self.gathered = Gathered(path, naming=naming)
        self.bad_lines, self.remarks = self.gathered.bad_lines, self.gathered.remarks
        self.columns = Columns({}, 0)
        self.number_columns: Collection[int] = ()
        self.first_is_row = False

    def comment(self, line: str) -> bool:
        if not is_comment(line):
            return False
        entry = entry_of(line)
        if entry is not None:
            self.gathered.provenance.setdefault(*entry)
        return True

    def begin(self, names: Sequence[str], place: str) -> None:
        self.columns = find_columns(names, self.gathered, place)
        choice = self.gathered.naming.columns
        self.first_is_row = choice is not None and choice.numbers_columns_of(names)
        self.number_columns = self.columns.numbers

    def take_lines(self, block: bytes, first: int) -> int:
        if self.columns.box is not None or self.columns.values:
            return 0
        found = quoted_block(block, first, self.columns, self.gathered)
        if found is not None:
            self.gathered.add(found)
        return 0 if found is None else len(found.lines)

    def take(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> bool:
        block = plain_block(columns, lines, self.columns, self.gathered)
        if block is not None:
            self.gathered.add(block)
        return block is not None

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        add_rows(rows, lines, self.columns, self.gathered)

    def check(self, row: Sequence[str]) -> None:
        read_row(row, self.columns)

    def bad(self, line: int, problem: str) -> None:
        self.gathered.bad(line, problem)


def write_csv(run: Run, path: Path, progress: Progress = silent) -> None:
    """Write a run so that it reads back as the same one.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    labelled = bool((run.label >= 0).any())
    names = COLUMNS if labelled else COLUMNS[:-1]
    queries, pages = (
        [quote_field(name) for name in run.queries],
        [quote_field(name) for name in run.pages],
    )
    labels = [*(quote_field(name) for name in run.labels), ""]  # -1, none, is the last
    ranks = shared_ranks(run)
    pieces = [comment_lines(run.provenance), ",".join(names) + "\n"]
    for start in range(0, len(run), BLOCK_ROWS):
        progress(start, len(run), f"writing {path.name}")
        part = slice(start, start + BLOCK_ROWS)
        columns = [
            [queries[index] for index in run.query[part].tolist()],
            [pages[index] for index in run.page[part].tolist()],
            map(str, ranks[part].tolist()),
            [format_number(score) for score in run.score[part].tolist()],
            [f'"{points}"' for points in format_point_lists(
                run.outlines.take(np.arange(len(run))[part]))],
        ]  # fmt: skip
        if labelled:
            columns.append([labels[index] for index in run.label[part].tolist()])
        pieces += [",".join(row) + "\n" for row in zip(*columns, strict=True)]
    write_atomically(path, utf8("".join(pieces)))
    write_models(run, path)
    progress(len(run), len(run), f"writing {path.name}")


def _sniff(path: Path, head: bytes) -> bool:
    if path.suffix.lower() in (".csv", ".tsv"):
        return True
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("# ") and not is_separator_line(line)]
    if not lines or lines[0][:1] in "[{<":
        return False
    names = split_names(lines[0])
    roles = find_roles(names)
    return (
        len(names) > 2
        and "query" in roles.places
        and (roles.box is not None or "points" in roles.places)
    )


FORMAT = RunFormat("csv", "CSV", (".csv", ".tsv"), _sniff, read, read_page)
