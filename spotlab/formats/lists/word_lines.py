"""Reads lines of words with spaces between, as those of TREC's files, with every bad line named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.errors import BadInput, counted, reason
from spotlab.files import read_file
from spotlab.formats.rows.csv_rows import (
    BadLine,
    Names,
    bad_line,
    join_names,
    names_of,
    plain_columns,
)
from spotlab.formats.rows.files import BYTE_ORDER_MARK
from spotlab.formats.rows.numbers import are_scores, plain_numbers, read_number
from spotlab.progress import Progress

LINES_A_STEP = 20_000
LARGEST = 2.0**53  # up to which every whole number has a float of its own


@dataclass(frozen=True)
class LineLayout:
    """Layout of the words in a line.

    Attributes
    ----------
    names : tuple of str
        Of all words.
    numbers : tuple of str
        Those that are numbers.
    whole : tuple of str
        Those of them that have to be whole.
    """

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    whole: tuple[str, ...]

    @property
    def expected(self) -> str:
        """Return what a line looks like, for messages."""
        return " ".join(self.names)


@dataclass(frozen=True, eq=False)
class WordLines:
    """The words of all lines that are right.

    Attributes
    ----------
    names : dict of str to Names
    numbers : dict of str to (N,) float
    line : (N,) int
    bad_lines : list of BadLine
    """

    names: dict[str, Names]
    numbers: dict[str, Floats]
    line: Ints
    bad_lines: list[BadLine]


def read_words(path: Path, layout: LineLayout, progress: Progress) -> WordLines:
    """The words of a file.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    content = _content(path, layout.expected)
    progress(0, len(content), f"reading {path.name}")
    found = _read_lines(path, content, layout, progress)
    if not len(found.line):
        first = found.bad_lines[0]
        raise BadInput(path, first.problem, place=f"line {first.line}", expected=layout.expected)
    progress(len(content), len(content), f"reading {path.name}")
    return found


def _content(path: Path, expected: str) -> bytes:
    """The content of a file, without a byte order mark.

    Raises
    ------
    BadInput
        It cannot be read, is empty, or in UTF-16.
    """
    try:
        content = read_file(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(path, "the file is in UTF-16", expected="UTF-8")
    content = content.removeprefix(BYTE_ORDER_MARK)
    if not content.strip():
        raise BadInput(path, "the file is empty", expected=expected)
    return content


def _read_lines(path: Path, content: bytes, layout: LineLayout, progress: Progress) -> WordLines:
    every = content.removesuffix(b"\n").split(b"\n")
    parts: list[WordLines] = []
    bad: list[BadLine] = []
    for start in range(0, len(every), LINES_A_STEP):
        progress(start, len(every), f"reading {path.name}")
        step = every[start : start + LINES_A_STEP]
        part = _plain_part(step, start + 1, layout)
        parts.append(part or _part_of_lines(step, start + 1, layout, path, bad))
    texts = [name for name in layout.names if name not in layout.numbers]
    return WordLines(
        {name: join_names([part.names[name] for part in parts]) for name in texts},
        {name: np.concatenate([part.numbers[name] for part in parts]) for name in layout.numbers},
        np.concatenate([part.line for part in parts]),
        bad,
    )


def _plain_part(lines: Sequence[bytes], first: int, layout: LineLayout) -> WordLines | None:
    """The words of lines that are all right and have one space or tab between words, else None."""
    block = b"\n".join(lines) + b"\n"
    delimiter = b"\t" if b"\t" in lines[0] else b" "
    if any(mark in block for mark in (b"\r", b"\v", b"\f", b" \t".replace(delimiter, b""))):
        return None
    columns = plain_columns(block, len(layout.names), delimiter)
    if columns is None or any("" in texts for texts in columns):
        return None
    return _part(columns, np.arange(first, first + len(lines)), layout)


def _part(columns: Sequence[Sequence[str]], lines: Ints, layout: LineLayout) -> WordLines | None:
    """The words in these columns; None where one is not right."""
    names, numbers = {}, {}
    for name, texts in zip(layout.names, columns, strict=True):
        if name in layout.numbers:
            are_right = _are_whole if name in layout.whole else are_scores
            found = plain_numbers(texts, are_right)
            if found is None:
                return None
            numbers[name] = found
        else:
            names[name] = names_of(texts)
    return WordLines(names, numbers, lines, [])


def _part_of_lines(
    lines: Sequence[bytes], first: int, layout: LineLayout, path: Path, bad: list[BadLine]
) -> WordLines:
    """The words of the lines that are right; the others are bad lines."""
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, first):
        try:
            row = [word.decode() for word in line.split()]
            if row:
                _check(row, layout)
                rows.append(row)
                numbers.append(number)
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            bad.append(bad_line(path, number, f"not UTF-8: the byte 0x{byte:02X}"))
        except ValueError as error:
            bad.append(bad_line(path, number, f"{error}; expected {layout.expected}"))
    columns = [[row[at] for row in rows] for at in range(len(layout.names))]
    part = _part(columns, np.array(numbers, np.int64), layout)
    assert part is not None, "lines that were checked one by one are right"
    return part


def _are_whole(values: Floats) -> NDArray[np.bool_]:
    return np.asarray((np.floor(values) == values) & (np.abs(values) <= LARGEST), np.bool_)


def _check(row: Sequence[str], layout: LineLayout) -> None:
    """See that a line is right; ValueError if not."""
    if len(row) != len(layout.names):
        words = counted(len(row), "word")
        raise ValueError(f"{words}, not {len(layout.names)}")
    for name, text in zip(layout.names, row, strict=True):
        if name in layout.numbers:
            number = read_number(name, text)
            if name in layout.whole and not (number.is_integer() and abs(number) <= LARGEST):
                raise ValueError(f"{name} is {text[:40]!r}, not a whole number")
