"""Runs in CSV: ``query,page,rank,score,points[,label]``, in any order, names in the first line.

Lines ``# key: value`` before the names say what made the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.csv_rows import quote_field, read_rows
from spotlab.formats.rows.numbers import format_number
from spotlab.formats.runs.csv_page import lines_with, read_lines, with_numbers
from spotlab.formats.runs.format import EXPECTED, Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import Gathered, shared_ranks
from spotlab.formats.runs.models_file import write_models
from spotlab.formats.runs.point_lists import format_point_lists
from spotlab.formats.runs.provenance import comment_lines, entry_of, is_comment
from spotlab.formats.runs.quoted_lines import quoted_block
from spotlab.formats.runs.rows import (
    COLUMNS,
    Columns,
    add_rows,
    find_columns,
    plain_block,
    read_row,
)
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.quoting import utf8

BLOCK_ROWS = 10_000  # short enough not to keep a window waiting


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a CSV file.

    Raises
    ------
    BadInput
        It cannot be read at all: it is empty, or its first line does not name the columns.
    """
    table = _RunTable(path)
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
    table = _RunTable(path)
    read_lines(path, table, head, lines, progress)
    return with_numbers(table.gathered.finish().run, numbers)


class _RunTable:
    """Makes spots of the rows."""

    def __init__(self, path: Path) -> None:
        self.gathered = Gathered(path)
        self.bad_lines, self.remarks = self.gathered.bad_lines, self.gathered.remarks
        self.columns = Columns({}, 0)

    def comment(self, line: str) -> bool:
        if not is_comment(line):
            return False
        entry = entry_of(line)
        if entry is not None:
            self.gathered.provenance.setdefault(*entry)
        return True

    def begin(self, names: Sequence[str], place: str) -> None:
        self.columns = find_columns(names, self.gathered, place)

    def take_lines(self, block: bytes, first: int) -> int:
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
    if path.suffix.lower() == ".csv":
        return True
    lines = (line for line in head.lower().split(b"\n") if not line.startswith(b"# "))
    first = next(lines, b"")
    return b"query" in first and b"points" in first


FORMAT = RunFormat("csv", "CSV", (".csv",), _sniff, read, read_page)
