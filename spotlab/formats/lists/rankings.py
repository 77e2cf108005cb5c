"""Rankings in CSV: how subjects would rank items, and how systems do.

Ideal: ``[subject,]query,rank,item,relevance``; answers: ``[system,]query,rank,item[,relevance]``,
each with a line of names first. Without subject or system, a file is one's, named like the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.errors import counted
from spotlab.formats.rows.csv_rows import BadLine, read_rows, repeats_remark
from spotlab.formats.rows.numbers import read_number
from spotlab.formats.rows.taken_rows import TakenRows
from spotlab.formats.rows.text_files import content_name
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

NEEDED = ("query", "rank", "item")


@dataclass(frozen=True)
class Ranking:
    """Items in somebody's order.

    Attributes
    ----------
    who : str
        A subject or a system.
    query : str
    items : tuple of str
        Best first.
    relevance : tuple of float, or empty
        In [0, 1], of each item, where it is given.
    """

    who: str
    query: str
    items: tuple[str, ...]
    relevance: tuple[float, ...] = ()

    __repr__ = short_repr


@dataclass(frozen=True)
class ReadRankings:
    """Rankings as they were read, and all lines that were not."""

    rankings: tuple[Ranking, ...]
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()

    __repr__ = short_repr


def read_ideal(path: Path | str, progress: Progress = silent) -> ReadRankings:
    """The rankings of subjects, with relevances.

    Raises
    ------
    BadInput
        It cannot be read, or a column is missing.
    """
    return _read(Path(path), "subject", (*NEEDED, "relevance"), progress)


def read_answers(path: Path | str, progress: Progress = silent) -> ReadRankings:
    """The rankings of systems; relevances are not needed.

    Raises
    ------
    BadInput
        It cannot be read, or a column is missing.
    """
    return _read(Path(path), "system", NEEDED, progress)


def _read(path: Path, who: str, needed: Sequence[str], progress: Progress) -> ReadRankings:
    rows = _Rows(path, who, needed)
    read_rows(path, rows, rows.expected, progress)
    return rows.finish()


@dataclass(frozen=True)
class _Row:
    who: str
    query: str
    rank: int
    item: str
    relevance: float | None
    line: int


class _Rows(TakenRows):
    """Takes rows one by one, the bad ones as bad lines."""

    def __init__(self, path: Path, who: str, needed: Sequence[str]) -> None:
        super().__init__(path)
        self.expected = f"the columns [{who},]{','.join(needed)}"
        self._who, self._needed = who, needed
        self._columns: dict[str, int] = {}
        self._width = 0
        self._rankings: dict[tuple[str, str], dict[int, _Row]] = {}
        self._lines: dict[tuple[str, str, str], int] = {}
        self._repeated: list[int] = []  # lines that say what an earlier one says

    def begin(self, names: Sequence[str], place: str) -> None:
        self._columns = self.find_columns(
            names, place, self._needed, (self._who, *NEEDED, "relevance"), self.expected
        )
        self._width = len(names)
        self.number_columns = [
            at for name, at in self._columns.items() if name in ("rank", "relevance")
        ]

    def add_row(self, row: Sequence[str], line: int) -> None:
        self._place(self._row(row, line))

    def check(self, row: Sequence[str]) -> None:
        self._row(row, 0)

    def _row(self, values: Sequence[str], line: int) -> _Row:
        if len(values) != self._width:
            raise ValueError(f"{len(values)} fields, not {self._width} as in the first line")
        row = {name: values[at].strip() for name, at in self._columns.items()}
        empty = [name for name in (self._who, "query", "item") if not row.get(name, "-")]
        if empty:
            raise ValueError(f"{empty[0]} is empty; expected a name")
        rank = read_number("rank", row["rank"])
        if rank < 1 or not rank.is_integer():
            raise ValueError(f"rank is {row['rank'][:40]!r}; expected a whole number from 1 on")
        who = row.get(self._who, content_name(self.path).stem)
        return _Row(who, row["query"], int(rank), row["item"], self._relevance(row), line)

    def _relevance(self, row: Mapping[str, str]) -> float | None:
        text = row.get("relevance", "")
        if not text and "relevance" not in self._needed:
            return None
        relevance = read_number("relevance", text)
        if not 0 <= relevance <= 1:
            raise ValueError(f"relevance is {text[:40]!r}; expected a number from 0 to 1")
        return relevance

    def _place(self, row: _Row) -> None:
        ranking = self._rankings.setdefault((row.who, row.query), {})
        before = ranking.get(row.rank)
        if before is not None and replace(before, line=row.line) == row:
            self._repeated.append(row.line)
            return
        if before is not None:
            raise ValueError(f"rank {row.rank} is already used in line {before.line}")
        line = self._lines.setdefault((row.who, row.query, row.item), row.line)
        if line != row.line:
            raise ValueError(f"the item is in this ranking already, in line {line}")
        ranking[row.rank] = row

    def finish(self) -> ReadRankings:
        rankings, gaps = [], 0
        for (who, query), by_rank in self._rankings.items():
            rows = [by_rank[rank] for rank in sorted(by_rank)]
            if not rows:
                continue
            gaps += rows[-1].rank != len(rows)
            given = [row.relevance for row in rows if row.relevance is not None]
            relevance = tuple(given) if len(given) == len(rows) else ()
            rankings.append(Ranking(who, query, tuple(row.item for row in rows), relevance))
        if self._repeated:
            count, first = len(self._repeated), self._repeated[0]
            self.remarks.append(repeats_remark(self.path, count, first))
        if gaps:
            number = counted(gaps, "ranking")
            self.remarks.append(
                f"{self.path}: ranks are missing in {number}; the items after a gap move up"
            )
        return ReadRankings(tuple(rankings), tuple(self.bad_lines), tuple(self.remarks))
