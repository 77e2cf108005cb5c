"""Reads what a CSV file says about one page, long before all of the file could be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, reason
from spotlab.files import open_file
from spotlab.formats.rows.csv_rows import RowTaker, read_blocks
from spotlab.formats.runs.format import EXPECTED
from spotlab.model.run import Run
from spotlab.progress import Progress
from spotlab.quoting import utf8

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
