"""Reads lines of words with spaces between, as those of TREC's files, with every bad line named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput
from spotlab.formats.rows.bad_lines import BadLine, bad_line
from spotlab.formats.rows.columns import Floats, Names, Numbers, names_of, read_bytes, read_columns
from spotlab.formats.rows.numbers import read_number
from spotlab.progress import Progress

LINES_A_STEP = 20_000
LARGEST = 2.0**53  # up to which every whole number has a float of its own


@dataclass(frozen=True)
class Layout:
    """What the words of a line are.

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
        """What a line looks like, for messages."""
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
    line: Numbers
    bad_lines: list[BadLine]


def read_words(path: Path, layout: Layout, progress: Progress) -> WordLines:
    """The words of a file.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    content = read_bytes(path, layout.expected)
    progress(0, len(content), f"reading {path.name}")
    found = _read_quickly(content, layout) or _read_lines(path, content, layout, progress)
    if not len(found.line):
        first = found.bad_lines[0]
        raise BadInput(path, first.problem, place=f"line {first.line}", expected=layout.expected)
    progress(len(content), len(content), f"reading {path.name}")
    return found


def _read_quickly(content: bytes, layout: Layout) -> WordLines | None:
    first = content.partition(b"\n")[0]
    delimiter = "\t" if b"\t" in first else " "
    columns = read_columns(
        content, layout.names, tuple(layout.numbers), delimiter=delimiter, quote=None, header=False
    )
    if columns is None:
        return None
    names = {name: value for name, value in columns.items() if isinstance(value, Names)}
    numbers = {name: value for name, value in columns.items() if isinstance(value, np.ndarray)}
    # a tab or a space left in a word, or none there: lines that have to be looked at one by one
    if any(not text or len(text.split()) > 1 for value in names.values() for text in value.names):
        return None
    if any(np.isnan(values).any() for values in numbers.values()):
        return None
    whole = [numbers[name] for name in layout.whole]
    if any(((np.floor(n) != n) | (np.abs(n) > LARGEST)).any() for n in whole):
        return None
    count = len(next(iter(names.values())).code)
    return WordLines(names, numbers, np.arange(1, count + 1), [])


def _read_lines(path: Path, content: bytes, layout: Layout, progress: Progress) -> WordLines:
    rows: list[list[str]] = []
    lines: list[int] = []
    bad: list[BadLine] = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not number % LINES_A_STEP:
            progress(number, None, f"reading {path.name}")
        try:
            row = [word.decode() for word in line.split()]
            if row:
                _check(row, layout)
                rows.append(row)
                lines.append(number)
        except UnicodeDecodeError as error:
            bad.append(
                bad_line(path, number, f"not UTF-8: the byte 0x{error.object[error.start]:02X}")
            )
        except ValueError as error:
            bad.append(bad_line(path, number, f"{error}; expected {layout.expected}"))
    columns = dict(zip(layout.names, zip(*rows, strict=True), strict=True)) if rows else {}
    return WordLines(
        {name: names_of(texts) for name, texts in columns.items() if name not in layout.numbers},
        {name: np.array(columns[name], np.float64) for name in layout.numbers if rows},
        np.array(lines, np.int64),
        bad,
    )


def _check(row: Sequence[str], layout: Layout) -> None:
    """See that a line is right; ValueError if not."""
    if len(row) != len(layout.names):
        words = "1 word" if len(row) == 1 else f"{len(row)} words"
        raise ValueError(f"{words}, not {len(layout.names)}")
    for name, text in zip(layout.names, row, strict=True):
        if name in layout.numbers:
            number = read_number(name, text)
            if name in layout.whole and not (number.is_integer() and abs(number) <= LARGEST):
                raise ValueError(f"{name} is {text[:40]!r}, not a whole number")
