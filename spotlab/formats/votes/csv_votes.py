"""Votes in CSV: ``item,<system>,…[,truth][,page]``, a line an item.

A vote is 0, 1, a probability between, or empty where it is unknown; a truth 0, 1 or empty. A line
whose item begins with ``#`` tells something of the systems: ``#engine,tess,tess,ocro``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput, counted, shortened
from spotlab.files import is_folder
from spotlab.formats.rows.csv_rows import is_remark, quote_field, read_rows, split_names, tidy_name
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import plain_numbers
from spotlab.formats.rows.taken_rows import TakenRows
from spotlab.formats.rows.text_files import content_name
from spotlab.formats.votes.crowd import said_vote, words_remark
from spotlab.formats.votes.csv_long import tells_truth, with_truths
from spotlab.formats.votes.format import (
    TRUTH,
    VoteFormat,
    VoteOptions,
    VoteTable,
    first_names,
    is_above_head,
)
from spotlab.progress import Progress, silent
from spotlab.representation import utf8

ITEM, PAGE = "item", "page"
EXPECTED_HEAD = "item,<system>,…, with truth and page where they are known"


@dataclass
class Head:
    """Positions of the columns in a table of votes.

    Attributes
    ----------
    systems : tuple of str
    places : tuple of int
        The column of each system; that of the item is 0.
    truth, page : int or None
        Their columns.
    width : int
        Of all columns.
    factors : dict of str to tuple of str
        Those that were told of the systems so far.
    """

    systems: tuple[str, ...]
    places: tuple[int, ...]
    truth: int | None
    page: int | None
    width: int
    factors: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add_factor(self, row: Sequence[str]) -> None:
        """Take a line that tells something of the systems; ValueError if it is not right.

        Examples
        --------
        >>> head = read_head(["item", "a", "b"], Path("votes.csv"), "line 1")
        >>> head.add_factor(["#engine", "tess", "ocro"])
        >>> head.factors
        {'engine': ('tess', 'ocro')}
        """
        name = row[0].strip().removeprefix("#").strip()
        if not name:
            raise ValueError("a factor has no name; expected #name and one value per system")
        if name in self.factors:
            raise ValueError(f"the factor {name!r} occurs twice; expected it once")
        if not max(self.places) < len(row) <= self.width:
            columns = f"{self.width} as the first line has"
            raise ValueError(f"{counted(len(row), 'column')}; expected {columns}")
        self.factors[name] = tuple(row[place].strip() for place in self.places)


def read_head(names: Sequence[str], path: Path, place: str) -> Head:
    """Return what the first line says.

    Raises
    ------
    BadInput
        It does not begin with ``item``, names no system, or one twice, or one not at all.
    """
    plain = list(map(tidy_name, names))
    folded = [name.casefold() for name in plain]
    if folded[0] != ITEM:
        problem = f"the first column is {plain[0][:40]!r}"
        raise BadInput(path, problem, place=place, expected=EXPECTED_HEAD)
    special: dict[str, int] = {}
    for name in (TRUTH, PAGE):
        if name in folded:
            special[name] = folded.index(name)
    places = tuple(at for at in range(1, len(plain)) if at not in special.values())
    systems = tuple(plain[at] for at in places)
    if not systems:
        raise BadInput(path, "the file has no system", place=place, expected=EXPECTED_HEAD)
    if "" in systems:
        column = places[systems.index("")] + 1
        problem = f"column {column} has no name"
        raise BadInput(path, problem, place=place, expected="a name for every system")
    twice = next((name for name in systems if systems.count(name) > 1), None)
    again = next((name for name in special if folded.count(name) > 1), twice)
    if again is not None:
        problem = f"the column {again!r} occurs twice"
        raise BadInput(path, problem, place=place, expected="every name once")
    return Head(systems, places, special.get(TRUTH), special.get(PAGE), len(plain))


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
    lines = _VoteLines(path)
    read_rows(path, lines, expected, progress)
    return lines.finish()


class _VoteLines(TakenRows):
    """Takes lines, thousands at once; where one is not right one by one, the bad as bad lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._head: Head | None = None
        self._lines: dict[str, int] = {}  # where each item is named
        self._items: list[str] = []
        self._pages: list[str] = []
        self._vote_of = _VoteOf()
        self._truth: list[Values] = []
        self._votes: list[Values] = []
        self._above: list[str] = []  # lines above the names of the columns

    def comment(self, line: str) -> bool:
        """Keep what may tell of the systems; pass over remarks."""
        if not is_above_head(line):
            return False
        if not is_remark(line):
            self._above.append(line.strip())
        return True

    @property
    def head(self) -> Head:
        assert self._head is not None  # the reader begins with it
        return self._head

    def begin(self, names: Sequence[str], place: str) -> None:
        """Take the names of the columns."""
        self._head = read_head(names, self.path, place)
        self.number_columns = self._head.places
        for line in self._above:
            try:
                self._head.add_factor(split_names(line))
            except ValueError:
                remark = f"{self.path}: the line {shortened(line)} above the names of the columns"
                self.remarks.append(f"{remark} tells nothing of the systems; left out")

    def take(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> bool:
        """Take lines at once; False where one is not right or tells of the systems."""
        head, count = self.head, len(lines)
        items = list(map(tidy_name, columns[0]))
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
                item = tidy_name(row[0])
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
        item = tidy_name(row[0])
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
        if self._vote_of.words:
            self.remarks.append(words_remark(self._vote_of.words, "vote"))
        return VoteTable(
            Votes.of(np.concatenate(self._votes), self.head.systems),
            tuple(self._items),
            tuple(self._pages),
            None if self.head.truth is None else truth,
            self.head.factors,
            bad_lines=tuple(self.bad_lines),
            remarks=tuple(self.remarks),
            name=content_name(self.path).stem,
        )


class _VoteOf(dict[str, float]):
    """The vote that each text is, NaN for nothing; most files have few different ones.

    ``words`` has those that are words of yes and no.
    """

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[str, float] = {}

    def __missing__(self, text: str) -> float:
        number = plain_numbers([text.strip()], _are_votes)
        said = said_vote(text) if number is None else None
        if said is not None:
            self.words[text.strip()] = said
            number = np.array([said])
        if number is None:
            raise ValueError(f"{text[:40]!r} is not a vote; expected {VOTE}")
        if len(self) >= MOST_TEXTS:
            self.clear()
        self[text] = float(number[0])
        return self[text]


def _is_right(text: str, are_right: Callable[[Floats], NDArray[np.bool_]]) -> bool:
    return said_vote(text) is not None or plain_numbers([text.strip()], are_right) is not None


def _are_votes(numbers: Floats) -> NDArray[np.bool_]:
    return np.asarray((numbers >= 0) & (numbers <= 1), np.bool_)


def _are_truths(numbers: Floats) -> NDArray[np.bool_]:
    return np.asarray((numbers == 0) | (numbers == 1), np.bool_)


EXPECTED = "a first line item,<system>,… and lines of 0, 1, a number between, or nothing"


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of one file, and the truth of those that tell only that.

    Raises
    ------
    BadInput
        It cannot be read, its first line is not right, or no line of it is.
    """
    tables = [path for path in paths if not tells_truth(path)]
    if len(tables) != 1:
        path = tables[1] if tables else paths[0]
        problem = "a second table of votes" if tables else "there are no votes, only truth"
        raise BadInput(path, problem, expected="one file item,<system>,…")
    path = tables[0]
    table = read_lines(path, EXPECTED, progress)
    return with_truths(table, [other for other in paths if other != path], options, progress)


def _sniff(paths: Sequence[Path]) -> bool:
    tables = [path for path in paths if not tells_truth(path)]
    if len(tables) != 1 or is_folder(tables[0]) or len(first_names(tables[0])) < 2:
        return False
    return first_names(tables[0])[0] == ITEM


FORMAT = VoteFormat("csv", "table of votes", _sniff, read)


PLAIN = {0.0: "0", 1.0: "1"}


def write_votes(table: VoteTable, path: Path | str, progress: Progress = silent) -> None:
    """Write votes, truth, pages and factors.

    Raises
    ------
    ValueError
        A name cannot be told in such a file: it is empty, has spaces around it or several lines, an
        item begins with ``#``, or a system is called truth or page.
    NotSaved
        The file could not be written.
    """
    _check_names(table)
    head = [ITEM, *table.systems, *([TRUTH] if table.truth is not None else [])]
    head += [PAGE] if table.pages else []
    lines = [_line(head)]
    blank = [""] * (len(head) - 1 - len(table.systems))
    for factor, values in table.factors.items():
        lines.append(_line([f"#{factor}", *values, *blank]))
    for start, votes in table.votes.spans():
        progress(start, len(table), "writing votes")
        lines.extend(_rows(table, start, votes))
    write_atomically(Path(path), utf8("".join(lines)))


def _rows(table: VoteTable, start: int, votes: NDArray[np.float64]) -> Iterator[str]:
    for item, row in enumerate(votes.tolist(), start):
        values = [table.items[item], *map(format_vote, row)]
        if table.truth is not None:
            values.append(format_vote(float(table.truth[item])))
        if table.pages:
            values.append(table.pages[item])
        yield _line(values)


def format_vote(vote: float) -> str:
    """A vote as short as it can be read back to the same float32; empty where it is unknown.

    Examples
    --------
    >>> format_vote(1.0), format_vote(float(np.float32(0.1))), format_vote(math.nan)
    ('1', '0.1', '')
    """
    if math.isnan(vote):
        return ""
    return PLAIN.get(vote) or str(np.float32(vote))


def _line(values: list[str]) -> str:
    return ",".join(map(quote_field, values)) + "\n"


def _check_names(table: VoteTable) -> None:
    for name in (*table.systems, *table.items, *table.pages, *table.factors):
        if not name or name != name.strip() or len(name.splitlines()) > 1:
            raise ValueError(f"{name!r} cannot be written as a name")
    for name in table.items:
        if name.startswith("#"):
            raise ValueError(f"the item {name!r} would be read as a factor")
    for name in table.systems:
        if name.casefold() in (TRUTH, PAGE):
            raise ValueError(f"the system {name!r} would be read as another column")
