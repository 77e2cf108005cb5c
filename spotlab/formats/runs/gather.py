"""Puts a run together from blocks of spots, and finds what is wrong with it as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.bad_lines import BadLine
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.runs.point_lists import open_rings
from spotlab.geometry.outlines import Outlines
from spotlab.model.run import Run

Floats = NDArray[np.float64]
MOST_RANGES = 20  # of line numbers that one message names


@dataclass(frozen=True, eq=False)
class Block:
    """Some spots of a file, a place of each column a spot; NaN for a rank or score not given."""

    queries: Sequence[str]
    pages: Sequence[str]
    rank: Floats
    score: Floats
    outlines: Outlines
    labels: Sequence[str]
    lines: NDArray[np.int64]


class Names:
    """Makes one object of equal names, so that a million of them cost no more than pointers."""

    def __init__(self, *, spaces: bool) -> None:
        self._spaces = spaces
        self._known: dict[str, str] = {}

    def take(self, names: Sequence[str]) -> list[str]:
        """The names, tidied: labels as regions have them, others without spaces around."""
        known = self._known
        for name in set(names) - known.keys():
            tidy = name.strip() if self._spaces else " ".join(name.split())
            known[name] = known.setdefault(tidy, tidy)
        return list(map(known.__getitem__, names))


class Gathered:
    """All spots and bad lines of a run so far."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.name = path.stem if name is None else name
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self.provenance: dict[str, str] = {}
        self._blocks: list[Block] = []
        self._queries = Names(spaces=False)
        self._pages = Names(spaces=True)
        self._labels = Names(spaces=False)

    def tidy(
        self, queries: Sequence[str], pages: Sequence[str], labels: Sequence[str]
    ) -> tuple[list[str], list[str], list[str]]:
        """The names as the run has them."""
        return self._queries.take(queries), self._pages.take(pages), self._labels.take(labels)

    def add(self, block: Block) -> None:
        """Take spots in."""
        if len(block.queries):
            self._blocks.append(block)

    def bad(self, line: int, problem: str, place: str = "") -> None:
        """Take a bad line in."""
        self.bad_lines.append(BadLine(line, problem, place))

    def finish(self, unit: str = "line", *, several_files: bool = False) -> ReadRun:
        """The run of all good lines.

        A query whose spots are neither all ranked nor all scored has no order and is left out.

        Parameters
        ----------
        unit : str
            What the file is counted in, for messages.
        several_files : bool
            Bad lines of several files stay in the order in which they were found.
        """
        blocks, self._blocks = self._blocks, []
        rank = _joined([block.rank for block in blocks])
        score = _joined([block.score for block in blocks])
        lines = _joined([block.lines for block in blocks]).astype(np.int64)
        queries = [name for block in blocks for name in block.queries]
        pages = [name for block in blocks for name in block.pages]
        labels = [name for block in blocks for name in block.labels]
        outlines = _joined_outlines([block.outlines for block in blocks])
        del blocks
        good = self._ordered(queries, rank, score, lines, unit)
        if good is not None:
            queries, pages, labels = (
                [names[index] for index in good] for names in (queries, pages, labels)
            )
            rank, score, lines = rank[good], score[good], lines[good]
            outlines = outlines.take(good)
        run = Run.ordered(
            self.name, queries, pages, open_rings(outlines), rank=rank, score=score,
            labels=labels if any(labels) else None, line=lines, source=self.path,
            provenance=self.provenance,
        )  # fmt: skip
        self._compare_orders(run, bool(len(rank)) and not np.isnan(rank).all())
        bad_lines = self.bad_lines if several_files else sorted(self.bad_lines)
        return ReadRun(run, tuple(bad_lines), tuple(self.remarks))

    def _ordered(
        self,
        queries: Sequence[str],
        rank: Floats,
        score: Floats,
        lines: NDArray[np.int64],
        unit: str,
    ) -> NDArray[np.int64] | None:
        """The spots of queries that have an order; None for all of them."""
        unranked, unscored = np.isnan(rank), np.isnan(score)
        if not unranked.any() or not unscored.any():
            return None
        names = sorted(set(queries))
        number = {name: index for index, name in enumerate(names)}
        query = np.fromiter(map(number.__getitem__, queries), np.int64, len(queries))
        mixed = np.zeros(len(names), np.bool_)
        mixed[query[unranked]] = True
        some_unscored = np.zeros(len(names), np.bool_)
        some_unscored[query[unscored]] = True
        mixed &= some_unscored
        for index in np.flatnonzero(mixed):
            own = query == index
            without_rank, without_score = lines[own & unranked], lines[own & unscored]
            self.bad(
                int(lines[own].min()),
                f"the query {names[index]!r} has no order and is left out: no rank in "
                f"{unit} {ranges(without_rank)}, no score in {unit} {ranges(without_score)}",
                f"{unit} {ranges(lines[own])}",
            )
        return np.flatnonzero(~mixed[query]) if mixed.any() else None

    def _compare_orders(self, run: Run, ranked: bool) -> None:
        if not ranked:
            return
        rising = (np.diff(run.score) > 0) & (np.diff(run.query) == 0)
        count = len(np.unique(run.query[1:][rising]))
        if count:
            which = "one query" if count == 1 else f"{count} queries"
            self.remarks.append(f"in {which} a better rank has a lower score; the rank is used")


def shared_ranks(run: Run) -> NDArray[np.int64]:
    """(N,) ranks to write: those that are tied share the first one's, so that they stay tied.

    Examples
    --------
    >>> run = Run.ordered("a", ["x"] * 3, ["p"] * 3, Outlines.of([[(0, 0), (1, 0), (1, 1)]] * 3),
    ...                   score=np.array([0.9, 0.5, 0.5]))
    >>> shared_ranks(run).tolist()
    [1, 2, 2]
    """
    if not len(run):
        return np.empty(0, np.int64)
    together = run.tied[1:] & run.tied[:-1] & (run.query[1:] == run.query[:-1])
    loose = np.concatenate([[True], ~together])
    # where several groups of equals stand side by side, the scores tell them apart
    tight = loose | np.concatenate([[True], run.score[1:] < run.score[:-1]])
    alone = run.tied & tight & np.append(tight[1:], True)
    group = np.cumsum(loose) - 1
    doubtful = np.zeros(group[-1] + 1, np.bool_)
    doubtful[group[alone]] = True
    begins = np.flatnonzero(np.where(doubtful[group], loose, tight))
    lengths = np.diff(begins, append=len(run))
    return np.repeat(run.rank[begins], lengths)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in words, those in a row as one.

    Examples
    --------
    >>> ranges([5, 2, 3, 4, 9])
    '2–5, 9'
    """
    found: list[list[int]] = []
    for number in sorted({int(number) for number in numbers}):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    words = [f"{a}–{b}" if b > a else f"{a}" for a, b in found[:MOST_RANGES]]
    more = sum(b - a + 1 for a, b in found[MOST_RANGES:])
    return ", ".join(words) + (f" and {more} more" if more else "")


def _joined(arrays: Sequence[NDArray[np.float64] | NDArray[np.int64]]) -> Floats:
    return np.concatenate([np.empty(0), *arrays]) if arrays else np.empty(0)


def _joined_outlines(parts: Sequence[Outlines]) -> Outlines:
    points = np.concatenate([np.empty((0, 2)), *(part.points for part in parts)])
    lengths = [np.diff(part.offsets) for part in parts]
    offsets = np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum()
    return Outlines(points, offsets)
