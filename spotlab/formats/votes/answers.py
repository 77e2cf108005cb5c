"""What a person said of some items, in CSV: ``item,relevant[,inclusion]``.

``relevant`` is 1 or 0, or empty where the item was asked for and is not answered; ``inclusion`` is
the probability with which it was drawn to be asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.formats.atomic import write_atomically
from spotlab.formats.csv_rows import quote_field, read_rows
from spotlab.formats.lists.base import bad_line
from spotlab.formats.runs.base import BadLine
from spotlab.formats.votes.base import TRUTH
from spotlab.formats.votes.sniffing import first_names
from spotlab.progress import Progress, silent

Floats = NDArray[np.float64]
ITEM, RELEVANT, INCLUSION = "item", "relevant", "inclusion"
EXPECTED = f"the columns {ITEM}, {RELEVANT}, and {INCLUSION} where it is known"


@dataclass(frozen=True, eq=False)
class ReadAnswers:
    """Answers as they were read.

    Attributes
    ----------
    items : tuple of str
        K items, all different.
    relevant : (K,) float
        1 or 0.
    inclusion : (K,) float
        In (0, 1]; NaN where it is not known.
    bad_lines : tuple of BadLine
    remarks : tuple of str
    """

    items: tuple[str, ...]
    relevant: Floats
    inclusion: Floats
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()


def are_answers(path: Path) -> bool:
    """Whether a file is of this kind: an item and whether it is relevant, but no votes."""
    if path.is_dir():
        return False
    names = first_names(path)
    known = {ITEM, RELEVANT, TRUTH, INCLUSION}
    return names[0] == ITEM and bool({RELEVANT, TRUTH} & set(names)) and set(names) <= known


def read_answers(
    path: Path | str, known: Sequence[str] | None = None, progress: Progress = silent
) -> ReadAnswers:
    """Read answers; a column ``truth`` is as good as ``relevant``.

    Parameters
    ----------
    path : Path
    known : sequence of str, optional
        The items there are; lines of others are bad.

    Raises
    ------
    BadInput
        It cannot be read, or a column is missing.
    """
    rows = _Rows(Path(path), None if known is None else frozenset(known))
    read_rows(rows.path, rows, EXPECTED, progress)
    kept = list(rows.found.items())
    return ReadAnswers(
        tuple(item for item, _ in kept),
        np.array([relevant for _, (relevant, _) in kept], np.float64),
        np.array([inclusion for _, (_, inclusion) in kept], np.float64),
        tuple(sorted(rows.bad_lines)),
        tuple(rows.remarks),
    )


def write_answers(answers: ReadAnswers, path: Path | str) -> None:
    """Write answers.

    Raises
    ------
    NotSaved
        They could not be written.
    """
    lines = [f"{ITEM},{RELEVANT},{INCLUSION}\n"]
    for item, relevant, inclusion in zip(
        answers.items, answers.relevant.tolist(), answers.inclusion.tolist(), strict=True
    ):
        drawn = "" if math.isnan(inclusion) else repr(inclusion)
        lines.append(f"{quote_field(item)},{relevant:.0f},{drawn}\n")
    write_atomically(Path(path), "".join(lines).encode())


class _Rows:
    """Takes rows one by one, the bad ones as bad lines."""

    def __init__(self, path: Path, known: frozenset[str] | None) -> None:
        self.path = path
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self.found: dict[str, tuple[float, float]] = {}
        self._known = known
        self._lines: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._width = 0

    def begin(self, names: Sequence[str], place: str) -> None:
        """Take the names of the columns."""
        plain = [name.strip().casefold() for name in names]
        plain = [RELEVANT if name == TRUTH else name for name in plain]
        missing = [name for name in (ITEM, RELEVANT) if plain.count(name) != 1]
        if missing:
            often = "twice" if missing[0] in plain else "not there"
            problem = f"the column {missing[0]} is {often}"
            raise BadInput(self.path, problem, place=place, expected=EXPECTED)
        self._columns = {name: plain.index(name) for name in (ITEM, RELEVANT)}
        if INCLUSION in plain:
            self._columns[INCLUSION] = plain.index(INCLUSION)
        self._width = len(names)

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        """Take lines, with the number of each."""
        for values, line in zip(rows, lines.tolist(), strict=True):
            try:
                self._add(values, line)
            except ValueError as error:
                self.bad(line, str(error))

    def check(self, row: Sequence[str]) -> None:
        """See that a line over several lines is right; ValueError if not."""
        self._row(row)

    def bad(self, line: int, problem: str) -> None:
        """Take a bad line."""
        self.bad_lines.append(bad_line(self.path, line, problem))

    def _add(self, values: Sequence[str], line: int) -> None:
        item, relevant, inclusion = self._row(values)
        if item in self._lines:
            first = self._lines[item]
            raise ValueError(f"the item {item[:60]!r} is on line {first} already; expected it once")
        if self._known is not None and item not in self._known:
            raise ValueError(f"the item {item[:60]!r} is not among those that are voted on")
        self._lines[item] = line
        if not math.isnan(relevant):
            self.found[item] = (relevant, inclusion)

    def _row(self, values: Sequence[str]) -> tuple[str, float, float]:
        if len(values) != self._width:
            raise ValueError(f"{len(values)} columns; expected {self._width}")
        row = {name: values[at].strip() for name, at in self._columns.items()}
        if not row[ITEM]:
            raise ValueError("the item has no name; expected one")
        relevant = _number(row[RELEVANT])
        if relevant is None or (relevant not in (0, 1) and not math.isnan(relevant)):
            raise ValueError(f"relevant is {row[RELEVANT][:40]!r}; expected 1, 0 or nothing")
        inclusion = _number(row.get(INCLUSION, ""))
        if inclusion is None or inclusion <= 0 or inclusion > 1:
            text = row[INCLUSION][:40]
            raise ValueError(f"inclusion is {text!r}; expected above 0, at most 1, or nothing")
        return row[ITEM], relevant, inclusion


def _number(text: str) -> float | None:
    """The number, NaN for nothing, None for anything else."""
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value
