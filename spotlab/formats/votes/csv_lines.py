"""Reads a table of votes line by line where something in it is unusual, and names bad lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput
from spotlab.formats.csv_rows import read_rows
from spotlab.formats.lists.base import bad_line
from spotlab.formats.runs.base import BadLine
from spotlab.formats.runs.rows import plain_numbers
from spotlab.formats.votes.base import VoteTable
from spotlab.formats.votes.csv_head import Head, read_head
from spotlab.progress import Progress

VOTE = "0, 1, a number between, or nothing where it is unknown"
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
    """Takes lines, thousands at once; where one is not right, one by one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self._head: Head | None = None
        self._lines: dict[str, int] = {}  # where each item is named
        self._items: list[str] = []
        self._pages: list[str] = []
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

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        """Take lines, with the number of each."""
        good: list[tuple[Sequence[str], int]] = []
        for row, line in zip(rows, lines.tolist(), strict=True):
            try:
                if row[0].lstrip().startswith("#"):
                    self.head.add_factor(row)
                    continue
                self._check_names(row)
                good.append((row, line))
                self._lines[row[0].strip()] = line
            except ValueError as error:
                self.bad(line, str(error))
        if good:
            self._add_good(good)

    def _add_good(self, numbered: Sequence[tuple[Sequence[str], int]]) -> None:
        rows = [row for row, _ in numbered]
        votes, truth = self._numbers(rows)
        if votes is None or truth is None:
            kept, parts = [], []
            for row, line in numbered:
                try:
                    parts.append(self._row_numbers(row))
                    kept.append(row)
                except ValueError as error:
                    self.bad(line, str(error))
            if not kept:
                return
            rows = kept
            votes = np.stack([part[0] for part in parts])
            truth = np.stack([part[1] for part in parts])
        self._items += [row[0].strip() for row in rows]
        self._votes.append(votes)
        self._truth.append(truth)
        if self.head.page is not None:
            self._pages += [row[self.head.page].strip() for row in rows]

    def check(self, row: Sequence[str]) -> None:
        """See that a line is right; ValueError if not."""
        self._check_names(row)
        self._row_numbers(row)

    def _check_names(self, row: Sequence[str]) -> None:
        if len(row) != self.head.width:
            columns = "1 column" if len(row) == 1 else f"{len(row)} columns"
            raise ValueError(f"{columns}; expected {self.head.width} as the first line has")
        item = row[0].strip()
        if not item:
            raise ValueError("the item has no name; expected one")
        if item in self._lines:
            line = self._lines[item]
            raise ValueError(f"the item {item[:60]!r} is on line {line} already; expected it once")
        if self.head.page is not None and not row[self.head.page].strip():
            raise ValueError("the page is empty; expected a name")

    def _numbers(self, rows: Sequence[Sequence[str]]) -> tuple[Values | None, Values | None]:
        """Votes and truth of lines that are all right; None where one is not."""
        head = self.head
        votes = np.empty((len(rows), len(head.places)), np.float32)
        for system, place in enumerate(head.places):
            column = plain_numbers([row[place].strip() for row in rows], _are_votes)
            if column is None:
                return None, None
            votes[:, system] = column
        if head.truth is None:
            return votes, np.full(len(rows), np.nan, np.float32)
        place = head.truth
        truth = plain_numbers([row[place].strip() for row in rows], _are_truths)
        return votes, None if truth is None else truth.astype(np.float32)

    def _row_numbers(self, row: Sequence[str]) -> tuple[Values, Values]:
        """Votes and truth of a line; ValueError if one is not right."""
        head = self.head
        for name, place in zip(head.systems, head.places, strict=True):
            if plain_numbers([row[place].strip()], _are_votes) is None:
                raise ValueError(f"the vote of {name} is {row[place][:40]!r}; expected {VOTE}")
        if head.truth is not None:
            text = row[head.truth].strip()
            if plain_numbers([text], _are_truths) is None:
                raise ValueError(f"the truth is {text[:40]!r}; expected 0, 1 or nothing")
        votes, truth = self._numbers([row])
        assert votes is not None
        assert truth is not None
        return votes[0], truth[0]

    def finish(self) -> VoteTable:
        """All that was read."""
        self.bad_lines.sort()
        if not self._votes:
            first = self.bad_lines[0] if self.bad_lines else None
            problem = first.problem if first else "there is no item in it"
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


def _are_votes(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((numbers >= 0) & (numbers <= 1), np.bool_)


def _are_truths(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((numbers == 0) | (numbers == 1), np.bool_)
