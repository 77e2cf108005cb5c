"""Runs in CSV: ``query,page,rank,score,points[,label]``, in any order, with a line of names first.

A file is read in blocks of lines, each at once; where something in a block is not right, smaller
and smaller parts of it are, so that every bad line is found and every good one read. A field in
quotes may run over several lines; where its quote is never closed, only its first line is bad.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spotlab.errors import BadInput, reason
from spotlab.formats.atomic import write_atomically
from spotlab.formats.runs.base import EXPECTED, Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import Gathered, shared_ranks
from spotlab.formats.runs.point_lists import format_number, format_point_lists
from spotlab.formats.runs.rows import COLUMNS, Columns, add_rows, find_columns, read_row
from spotlab.model.run import Run
from spotlab.progress import Progress, silent

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

BLOCK_BYTES = 2**19  # short enough not to keep a window waiting
BLOCK_ROWS = 10_000
MOST_LINES_OF_A_FIELD = 1000
LONGEST_FIELD = 2**26  # characters; Python's own limit is met by a traced outline

csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a CSV file.

    Raises
    ------
    BadInput
        It cannot be read at all: it is empty, or its first line does not name the columns.
    """
    gathered = Gathered(path)
    reader = _Reader(gathered)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            for block in _blocks(file):
                reader.add(block)
                progress(min(file.tell(), size), size, f"reading {path.name}")
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    reader.finish()
    return gathered.finish()


def _blocks(file: io.BufferedReader) -> Iterator[bytes]:
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

    def __init__(self, gathered: Gathered) -> None:
        self.gathered = gathered
        self.columns: Columns | None = None
        self.lines: list[str] = []  # what is not taken in yet
        self.first = 1  # the number of the first of them
        self.ends = ""  # how the last of all lines ends

    def add(self, block: bytes) -> None:
        """Take some more lines of the file in."""
        if self.first == 1 and not self.lines:
            block = self._check_beginning(block)
        self.lines += self._decode(block)
        self.ends = self.lines[-1][-2:] if self.lines else ""
        self._take(last=False)

    def finish(self) -> None:
        """Take in what is left when the file is at its end."""
        self._take(last=True)
        if self.columns is None:
            raise BadInput(self.gathered.path, "the file is empty", expected=EXPECTED)
        told = any(each.line == self.first - 1 for each in self.gathered.bad_lines[-1:])
        if self.ends[-1:] not in ('"', "\n", "\r", "") and not told:
            remark = "the last line does not end; if the file was cut off, its last value was too"
            self.gathered.remarks.append(remark)

    def _check_beginning(self, block: bytes) -> bytes:
        if block.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise BadInput(self.gathered.path, "the file is in UTF-16", expected="UTF-8")
        return block.removeprefix(b"\xef\xbb\xbf")

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
            if self.columns is None and number == 1:
                raise BadInput(
                    self.gathered.path, problem, place="line 1", expected=EXPECTED
                ) from error
            self.gathered.bad(number, problem)
            return "\n"

    def _take(self, *, last: bool) -> None:
        if self.columns is None:
            self._take_header()
        if self.columns is None or not self.lines:
            return
        try:
            rows = list(_csv(self.lines))
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
            add_rows(rows, numbers, self.columns, self.gathered)

    def _take_header(self) -> None:
        blank = next((i for i, line in enumerate(self.lines) if line.strip()), len(self.lines))
        self._drop(blank)
        if not self.lines:
            return
        place = f"line {self.first}"
        try:
            names = next(_csv(self.lines[:1]))
        except csv.Error as error:
            raise BadInput(
                self.gathered.path, _explain(error), place=place, expected=EXPECTED
            ) from error
        self.columns = find_columns(names, self.gathered, place)
        self._drop(1)

    def _drop(self, count: int) -> None:
        self.lines = self.lines[count:]
        self.first += count

    def _one_by_one(self, last: bool) -> Iterator[tuple[list[str], int]]:
        """Each row with the number of its first line; bad ones are left out."""
        at = 0
        while at < len(self.lines):
            number, used = self.first + at, 1
            try:
                yield next(_csv(self.lines[at : at + 1])), number
            except csv.Error as error:
                left = len(self.lines) - at
                open = _is_open(error)
                if open and not last and left < MOST_LINES_OF_A_FIELD:
                    break  # the rest of it may be in the next block
                row, used = self._several(at) if open else ([], 1)
                if row:
                    yield row, number
                else:
                    cut = "; the file may be cut off" if open and left == 1 else ""
                    self.gathered.bad(number, _explain(error) + cut)
            at += used
        self._drop(at)

    def _several(self, at: int) -> tuple[list[str], int]:
        """A row that runs over several lines and how many they are; empty if it is not right."""
        reader = _csv(self.lines[at : at + MOST_LINES_OF_A_FIELD])
        assert self.columns is not None
        try:
            row = next(reader)
            read_row(row, self.columns)
        except (csv.Error, ValueError):
            return [], 1
        return row, reader.line_num


def _csv(lines: Sequence[str]) -> CsvReader:
    return csv.reader(lines, strict=True, skipinitialspace=True)


def _is_open(error: csv.Error) -> bool:
    return str(error) == "unexpected end of data"


def _explain(error: csv.Error) -> str:
    if _is_open(error):
        return "a quote is never closed"
    if "expected after" in str(error):
        return "a quote ends in the middle of a field"
    return str(error)


def write_csv(run: Run, path: Path, progress: Progress = silent) -> None:
    """Write a run so that it reads back as the same one.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    labelled = bool((run.label >= 0).any())
    names = COLUMNS if labelled else COLUMNS[:-1]
    queries, pages = [_quoted(name) for name in run.queries], [_quoted(name) for name in run.pages]
    labels = [*(_quoted(name) for name in run.labels), ""]  # -1, none, is the last
    ranks = shared_ranks(run)
    pieces = [",".join(names) + "\n"]
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
    write_atomically(path, "".join(pieces).encode("utf-8", "replace"))
    progress(len(run), len(run), f"writing {path.name}")


def _quoted(name: str) -> str:
    if any(each in name for each in ',"\r\n') or name != name.strip():
        return '"' + name.replace('"', '""') + '"'
    return name


def _sniff(path: Path, head: bytes) -> bool:
    return path.suffix.lower() == ".csv" or (
        b"query" in head.lower().split(b"\n")[0] and b"points" in head.lower().split(b"\n")[0]
    )


FORMAT = RunFormat("csv", "CSV", (".csv",), _sniff, read)
