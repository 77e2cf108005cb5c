"""Puts a run together from blocks of spots, and finds what is wrong with it as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.formats.rows.bad_lines import BadLine
from spotlab.formats.rows.growing import Growing
from spotlab.formats.runs.format import ReadRun
from spotlab.formats.runs.point_lists import open_rings
from spotlab.geometry.narrow_outlines import outlines_of
from spotlab.geometry.outlines import Outlines
from spotlab.model.run import Column, Run

Codes = NDArray[np.int32]
MOST_RANGES = 20  # of line numbers that one message names


@dataclass(frozen=True, eq=False)
class Block:
    """Some spots of a file, a place of each column a spot; NaN for a rank or score not given.

    Names are the numbers that `Gathered.tidy` gives them.
    """

    queries: Codes
    pages: Codes
    rank: Floats
    score: Floats
    outlines: Outlines
    labels: Codes
    lines: NDArray[np.int64]


class Names:
    """Numbers names, so that a million of them cost no more than their numbers; 0 is no name."""

    def __init__(self, *, spaces: bool) -> None:
        self._spaces = spaces
        self._number = {"": 0}  # of names as they are written
        self.names = [""]  # tidied, by number

    def take(self, names: Sequence[str]) -> Codes:
        """The number of each name, tidied: labels as regions have them, others without spaces."""
        number = self._number
        for name in set(names) - number.keys():
            tidy = name.strip() if self._spaces else " ".join(name.split())
            if tidy not in number:
                number[tidy] = len(self.names)
                self.names.append(tidy)
            number[name] = number[tidy]
        return np.fromiter(map(number.__getitem__, names), np.int32, len(names))

    def column(self, codes: Codes) -> Column:
        """The names with these numbers."""
        return Column(tuple(self.names), codes)


class Gathered:
    """All spots and bad lines of a run so far."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.name = path.stem if name is None else name
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self.provenance: dict[str, str] = {}
        self._blocks: list[Block] = []
        self._points = Growing()
        self._queries = Names(spaces=False)
        self._pages = Names(spaces=True)
        self._labels = Names(spaces=False)

    def tidy(
        self, queries: Sequence[str], pages: Sequence[str], labels: Sequence[str]
    ) -> tuple[Codes, Codes, Codes]:
        """The numbers of names; the run has each as it is tidied."""
        return self._queries.take(queries), self._pages.take(pages), self._labels.take(labels)

    def add(self, block: Block) -> None:
        """Take spots in."""
        if len(block.queries):
            outlines = open_rings(block.outlines)
            self._points.add(outlines.points)
            # the corners are in one place already, and are not there twice
            offsets_only = Outlines(np.empty((0, 2)), outlines.offsets)
            self._blocks.append(replace(block, outlines=offsets_only))

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
        queries, pages, labels = (
            np.concatenate([np.empty(0, np.int32), *codes])
            for codes in (
                [block.queries for block in blocks],
                [block.pages for block in blocks],
                [block.labels for block in blocks],
            )
        )
        outlines = outlines_of(self._points.taken(), _joined_offsets(blocks))
        del blocks
        good = self._ordered(queries, rank, score, lines, unit)
        if good is not None:
            queries, pages, labels = queries[good], pages[good], labels[good]
            rank, score, lines = rank[good], score[good], lines[good]
            outlines = outlines.arranged(good)
        run = Run.of_columns(
            self.name, self._queries.column(queries), self._pages.column(pages), outlines,
            rank=rank, score=score, labels=self._labels.column(labels) if labels.any() else None,
            line=lines, source=self.path, provenance=self.provenance,
        )  # fmt: skip
        self._compare_orders(run, bool(len(rank)) and not np.isnan(rank).all())
        bad_lines = self.bad_lines if several_files else sorted(self.bad_lines)
        return ReadRun(run, tuple(bad_lines), tuple(self.remarks))

    def _ordered(
        self,
        queries: Codes,
        rank: Floats,
        score: Floats,
        lines: NDArray[np.int64],
        unit: str,
    ) -> NDArray[np.int64] | None:
        """The spots of queries that have an order; None for all of them."""
        unranked, unscored = np.isnan(rank), np.isnan(score)
        if not unranked.any() or not unscored.any():
            return None
        names = self._queries.names
        mixed = np.zeros(len(names), np.bool_)
        mixed[queries[unranked]] = True
        some_unscored = np.zeros(len(names), np.bool_)
        some_unscored[queries[unscored]] = True
        mixed &= some_unscored
        for index in sorted(np.flatnonzero(mixed).tolist(), key=names.__getitem__):
            own = queries == index
            without_rank, without_score = lines[own & unranked], lines[own & unscored]
            self.bad(
                int(lines[own].min()),
                f"the query {names[index]!r} has no order and is left out: no rank in "
                f"{unit} {ranges(without_rank)}, no score in {unit} {ranges(without_score)}",
                f"{unit} {ranges(lines[own])}",
            )
        return np.flatnonzero(~mixed[queries]) if mixed.any() else None

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


def _joined_offsets(blocks: Sequence[Block]) -> NDArray[np.int64]:
    lengths = [np.diff(block.outlines.offsets) for block in blocks]
    return np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum()
