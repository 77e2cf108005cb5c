"""Reads the lines of a table of votes, and names bad lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput, counted
from spotlab.formats.rows.bad_lines import BadLine, bad_line
from spotlab.formats.rows.csv_rows import read_rows
from spotlab.formats.rows.numbers import plain_numbers
from spotlab.formats.votes.csv_head import Head, read_head
from spotlab.formats.votes.format import VoteTable
from spotlab.progress import Progress

VOTE = "0, 1, a number between, or nothing where it is unknown"
TRUTHS = ("", "0", "1")
MOST_TEXTS = 100_000  # whose numbers are remembered
Values = NDArray[np.float32]


def read_lines(path: Path, expected: str, progress: Progress) -> VoteTable:
    """The votes of a file.

    Raises
    ------
    BadInput
        It cannot be read, its first line is not right, or no line of it is.
    """
    lines = _Lines(path)
    read_rows(path, lines, expected, progress)
    return lines.finish()


class _Lines:
    """Takes lines, thousands at once; where one is not right one by one, the bad as bad lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self._head: Head | None = None
        self._lines: dict[str, int] = {}  # where each item is named
        self._items: list[str] = []
        self._pages: list[str] = []
        self._vote_of = _VoteOf()
        self._truth: list[Values] = []
        self._votes: list[Values] = []

    @property
    def head(self) -> Head:
        assert self._head is not None  # the reader begins with it
        return self._head

    def begin(self, names: Sequence[str], place: str) -> None:
        """Take the names of the columns."""
        self._head = read_head(names, self.path, place)

    def bad(self, line: int, problem: str) -> None:
        """Take a bad line."""
        self.bad_lines.append(bad_line(self.path, line, problem))

    def take(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> bool:
        """Take lines at once; False where one is not right or tells of the systems."""
        head, count = self.head, len(lines)
        items = list(map(str.strip, columns[0]))
        pages = [] if head.page is None else list(map(str.strip, columns[head.page]))
        if not all(items) or not all(pages) or "#" in set(map(itemgetter(0), items)):
            return False
        if len(set(items)) < count or not self._lines.keys().isdisjoint(items):
            return False
        truths = [""] * count if head.truth is None else columns[head.truth]
        if not all(text in TRUTHS or _is_right(text, _are_truths) for text in set(truths)):
            return False
        votes = np.empty((count, len(head.places)), np.float32)
        number = self._vote_of.__getitem__
        try:
            for system, place in enumerate(head.places):
                votes[:, system] = np.fromiter(map(number, columns[place]), np.float32, count)
        except ValueError:
            return False
        self._lines.update(zip(items, lines.tolist(), strict=True))
        self._items += items
        self._pages += pages
        self._votes.append(votes)
        self._truth.append(np.fromiter(map(number, truths), np.float32, count))
        return True

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        """Take lines, with the number of each."""
        found: list[tuple[list[float], float]] = []
        for row, line in zip(rows, lines.tolist(), strict=True):
            try:
                if row[0].lstrip().startswith("#"):
                    self.head.add_factor(row)
                    continue
                self._check_names(row)
                item = row[0].strip()
                self._lines[item] = line
                found.append(self._numbers(row))
            except ValueError as error:
                self.bad(line, str(error))
                continue
            self._items.append(item)
            if self.head.page is not None:
                self._pages.append(row[self.head.page].strip())
        if found:
            self._votes.append(np.array([votes for votes, _ in found], np.float32))
            self._truth.append(np.array([truth for _, truth in found], np.float32))

    def check(self, row: Sequence[str]) -> None:
        """See that a line is right; ValueError if not."""
        self._check_names(row)
        self._numbers(row)

    def _check_names(self, row: Sequence[str]) -> None:
        if len(row) != self.head.width:
            columns = counted(len(row), "column")
            raise ValueError(f"{columns}; expected {self.head.width} as the first line has")
        item = row[0].strip()
        if not item:
            raise ValueError("the item has no name; expected one")
        if item in self._lines:
            line = self._lines[item]
            raise ValueError(f"the item {item[:60]!r} is on line {line} already; expected it once")
        if self.head.page is not None and not row[self.head.page].strip():
            raise ValueError("the page is empty; expected a name")

    def _numbers(self, row: Sequence[str]) -> tuple[list[float], float]:
        """Votes and truth of a line; ValueError if one is not right."""
        votes, head = self._vote_of, self.head
        try:
            numbers = [votes[row[place]] for place in head.places]
        except ValueError:
            for name, place in zip(head.systems, head.places, strict=True):
                if not _is_right(row[place], _are_votes):
                    problem = f"the vote of {name} is {row[place].strip()[:40]!r}"
                    raise ValueError(f"{problem}; expected {VOTE}") from None
            raise
        text = "" if head.truth is None else row[head.truth]
        if text not in TRUTHS and not _is_right(text, _are_truths):
            raise ValueError(f"the truth is {text.strip()[:40]!r}; expected 0, 1 or nothing")
        return numbers, votes[text]

    def finish(self) -> VoteTable:
        """All that was read."""
        self.bad_lines.sort()
        if not self._votes:
            first = self.bad_lines[0] if self.bad_lines else None
            problem = first.problem if first else "the file has no item"
            place = f"line {first.line}" if first else ""
            raise BadInput(self.path, problem, place=place)
        truth = np.concatenate(self._truth).astype(np.float64)
        return VoteTable(
            Votes.of(np.concatenate(self._votes), self.head.systems),
            tuple(self._items),
            tuple(self._pages),
            None if self.head.truth is None else truth,
            self.head.factors,
            bad_lines=tuple(self.bad_lines),
            remarks=tuple(self.remarks),
            name=self.path.stem,
        )


class _VoteOf(dict[str, float]):
    """The vote that each text is, NaN for nothing; most files have few different ones."""

    def __missing__(self, text: str) -> float:
        number = plain_numbers([text.strip()], _are_votes)
        if number is None:
            raise ValueError(f"{text[:40]!r} is not a vote; expected {VOTE}")
        if len(self) >= MOST_TEXTS:
            self.clear()
        self[text] = float(number[0])
        return self[text]


def _is_right(text: str, are_right: Callable[[Floats], NDArray[np.bool_]]) -> bool:
    return plain_numbers([text.strip()], are_right) is not None


def _are_votes(numbers: Floats) -> NDArray[np.bool_]:
    return np.asarray((numbers >= 0) & (numbers <= 1), np.bool_)


def _are_truths(numbers: Floats) -> NDArray[np.bool_]:
    return np.asarray((numbers == 0) | (numbers == 1), np.bool_)
