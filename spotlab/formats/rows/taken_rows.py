"""Base of what takes the rows of a table one by one, the bad ones as bad lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, shortened
from spotlab.formats.rows.csv_rows import BadLine, bad_line


class TakenRows:
    """Rows of a file as far as they have been taken; a `RowTaker`.

    A subclass implements `begin`, `check`, and `add_row` unless it has an `add` of its own.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    bad_lines : list of BadLine
    remarks : list of str
    number_columns : collection of int
        Places of columns of numbers, in which a decimal comma may stand.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self.number_columns: Collection[int] = ()

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        """Take rows and the line of each, one by one, the bad ones as bad lines."""
        for row, line in zip(rows, lines.tolist(), strict=True):
            try:
                self.add_row(row, line)
            except ValueError as error:
                self.bad(line, str(error))

    def add_row(self, row: Sequence[str], line: int) -> None:
        """Take a row; ValueError if it is not right."""
        raise NotImplementedError

    def bad(self, line: int, problem: str) -> None:
        """Take a bad line."""
        self.bad_lines.append(bad_line(self.path, line, problem))

    def remark_on_others(self, names: Sequence[str]) -> None:
        """Name columns that are passed over, if there are any."""
        if names:
            self.remarks.append("ignored columns: " + shortened(", ".join(map(repr, names))))

    def find_columns(
        self, names: Sequence[str], place: str, needed: Sequence[str], known: Sequence[str],
        expected: str,
    ) -> dict[str, int]:  # fmt: skip
        """Places of the known columns, by name; the others are passed over, with a remark.

        Parameters
        ----------
        names : sequence of str
            As they stand in the first line.
        place : str
            Where they stand, for a message.
        needed : sequence of str
            Names without which the file cannot be read.
        known : sequence of str
            These and those that may be there.
        expected : str
            The columns, in words.

        Raises
        ------
        BadInput
            A needed column is missing, or a known one occurs twice.
        """
        plain = [name.strip().casefold() for name in names]
        missing = [name for name in needed if name not in plain]
        if missing:
            problem = "there is no column " + ", ".join(missing)
            raise BadInput(self.path, problem, place=place, expected=expected)
        twice = [name for name in known if plain.count(name) > 1]
        if twice:
            problem = f"the column {twice[0]} occurs twice"
            raise BadInput(self.path, problem, place=place, expected="once")
        self.remark_on_others(
            [n for n, name in zip(names, plain, strict=True) if name not in known]
        )
        return {name: plain.index(name) for name in known if name in plain}
