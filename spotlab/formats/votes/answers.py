"""Answers of a person about some items, in CSV: ``item,[inclusion,][round,]relevant``.

``relevant`` is 1 or 0, ``unknown`` where nobody can tell, or empty where the item was asked for and
is not answered; ``inclusion`` is the chance with which it was drawn to be asked for, empty where it
was picked by hand; ``round`` counts the draws from 0. Of several lines on one item the last counts:
people change their mind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import BadInput, counted
from spotlab.files import is_folder
from spotlab.formats.rows.csv_rows import BadLine, quote_field, read_rows
from spotlab.formats.rows.numbers import format_number
from spotlab.formats.rows.taken_rows import TakenRows
from spotlab.formats.shared.line_form import LineForm
from spotlab.formats.votes.format import TRUTH, first_names
from spotlab.progress import Progress, silent
from spotlab.representation import utf8

ITEM, RELEVANT, INCLUSION, ROUND = "item", "relevant", "inclusion", "round"
UNKNOWN = "unknown"
NOBODY = -1.0  # can tell
COLUMNS = (ITEM, INCLUSION, ROUND, RELEVANT)  # a torn line has no answer, and is left out
EXPECTED = f"the columns {ITEM}, {RELEVANT}, and {INCLUSION} and {ROUND} where they are known"


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
        In (0, 1]; NaN where a person picked the item.
    round : (K,) int
    bad_lines : tuple of BadLine
    remarks : tuple of str
    unknown : mapping of str to (float, int)
        Further items of which nobody can tell: inclusion and round of each.
    """

    items: tuple[str, ...]
    relevant: Floats
    inclusion: Floats
    round: NDArray[np.int64]
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    unknown: Mapping[str, tuple[float, int]] = field(default_factory=dict)


def are_answers(path: Path) -> bool:
    """Tell whether a file is of this kind: an item and whether it is relevant, but no votes."""
    if is_folder(path):
        return False
    names = first_names(path)
    known = {ITEM, RELEVANT, TRUTH, INCLUSION, ROUND}
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
    rows = AnswerRows(Path(path), None if known is None else frozenset(known))
    read_rows(rows.path, rows, EXPECTED, progress)
    relevant, inclusion, number = np.array(list(rows.found.values())).reshape(-1, 3).T
    return ReadAnswers(
        tuple(rows.found),
        relevant,
        inclusion,
        number.astype(np.int64),
        tuple(sorted(rows.bad_lines)),
        tuple(rows.remarks),
        rows.unknown,
    )


def answer_line(
    item: str, relevant: bool | None, inclusion: float, number: int, unknown: bool = False
) -> str:
    """A line of such a file; without an answer, ``unknown`` says that nobody can tell.

    Examples
    --------
    >>> answer_line("a, b", True, 0.25, 0), answer_line("c", None, math.nan, 1)
    ('"a, b",0.25,0,1\\n', 'c,,1,\\n')
    >>> answer_line("c", None, math.nan, 1, unknown=True)
    'c,,1,unknown\\n'
    """
    answer = (UNKNOWN if unknown else "") if relevant is None else str(int(relevant))
    return f"{quote_field(item)},{format_number(inclusion)},{number},{answer}\n"


class AnswerRows(TakenRows):
    """Takes rows one by one, the bad ones as bad lines."""

    def __init__(self, path: Path, known: frozenset[str] | None) -> None:
        super().__init__(path)
        self.found: dict[str, tuple[float, float, float]] = {}
        self.unknown: dict[str, tuple[float, int]] = {}
        self._known = known
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
        for name in (INCLUSION, ROUND):
            if name in plain:
                self._columns[name] = plain.index(name)
        self._width = len(names)
        self.number_columns = [at for name, at in self._columns.items() if name != ITEM]

    def check(self, row: Sequence[str]) -> None:
        """See that a line over several lines is right; ValueError if not."""
        self.parse(row)

    def add_row(self, row: Sequence[str], line: int) -> None:
        """Take a row; ValueError if it is not right."""
        item, *told = self.parse(row)
        if self._known is not None and item not in self._known:
            raise ValueError(f"the item {item[:60]!r} is not among those that are voted on")
        self.found.pop(item, None)
        self.unknown.pop(item, None)
        if told[0] == NOBODY:
            self.unknown[item] = (told[1], int(told[2]))
        elif not math.isnan(told[0]):
            self.found[item] = (told[0], told[1], told[2])

    def parse(self, values: Sequence[str]) -> tuple[str, float, float, float]:
        """Item, answer, inclusion and round of a line; ValueError if it makes no sense."""
        if len(values) != self._width:
            raise ValueError(f"{counted(len(values), 'column')}; expected {self._width}")
        row = {name: values[at].strip() for name, at in self._columns.items()}
        if not row[ITEM]:
            raise ValueError("the item has no name; expected one")
        relevant = _relevant(row[RELEVANT])
        inclusion = _number(row.get(INCLUSION, ""))
        if inclusion is None or inclusion <= 0 or inclusion > 1:
            text = row[INCLUSION][:40]
            raise ValueError(f"inclusion is {text!r}; expected above 0, at most 1, or nothing")
        number = _number(row.get(ROUND) or "0")
        if number is None or number < 0 or not number.is_integer():
            raise ValueError(f"round is {row[ROUND][:40]!r}; expected a whole number from 0 on")
        return row[ITEM], relevant, inclusion, number


def _relevant(text: str) -> float:
    """1, 0, NaN for nothing, `NOBODY` where nobody can tell."""
    if text.casefold() == UNKNOWN:
        return NOBODY
    value = _number(text)
    if value is None or (value not in (0, 1) and not math.isnan(value)):
        raise ValueError(f"relevant is {text[:40]!r}; expected 1, 0, {UNKNOWN} or nothing")
    return value


def _number(text: str) -> float | None:
    """The number, NaN for nothing, None for anything else."""
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return None if math.isnan(value) else value


@dataclass(frozen=True)
class ItemAnswer:
    """Answer about an item.

    Attributes
    ----------
    relevant : bool or None
        None says that nobody can tell.
    inclusion : float or None
        Probability with which the item was drawn to be asked for; None where it was not drawn.
    round : int
        Round in which it was drawn, from 0.
    """

    relevant: bool | None
    inclusion: float | None = None
    round: int = 0


def read_answers_of(said: Mapping[str, ItemAnswer], known: Sequence[str]) -> ReadAnswers:
    """Return what is said of these items.

    Parameters
    ----------
    said : mapping of str to ItemAnswer
    known : sequence of str
        Items; answers about others are left out.

    Returns
    -------
    ReadAnswers

    Examples
    --------
    >>> said = {"a": ItemAnswer(True, 0.5), "b": ItemAnswer(None), "c": ItemAnswer(False)}
    >>> read = read_answers_of(said, ["a", "b"])
    >>> read.items, read.relevant.tolist(), dict(read.unknown)
    (('a',), [1.0], {'b': (nan, 0)})
    """
    items = frozenset(known)
    own = {item: answer for item, answer in said.items() if item in items}
    told = {item: answer for item, answer in own.items() if answer.relevant is not None}
    return ReadAnswers(
        tuple(told),
        np.array([float(bool(answer.relevant)) for answer in told.values()], np.float64),
        np.array([_inclusion(answer) for answer in told.values()], np.float64),
        np.array([answer.round for answer in told.values()], np.int64),
        unknown={
            item: (_inclusion(answer), answer.round)
            for item, answer in own.items()
            if answer.relevant is None
        },
    )


def _inclusion(answer: ItemAnswer) -> float:
    return math.nan if answer.inclusion is None else answer.inclusion


def _taker(said: dict[str, ItemAnswer]) -> Callable[[list[str]], object]:
    rows = AnswerRows(Path(), None)
    rows.begin(COLUMNS, "line 1")

    def take(fields: list[str]) -> None:
        item, relevant, inclusion, number = rows.parse(fields)
        said.pop(item, None)
        if not math.isnan(relevant):
            answer = None if relevant == NOBODY else bool(relevant)
            drawn = None if math.isnan(inclusion) else inclusion
            said[item] = ItemAnswer(answer, drawn, int(number))

    return take


def _has_answer(values: list[str]) -> bool:
    """Tell whether a line without an end has its answer."""
    return values[-1] in ("0", "1", UNKNOWN)


def _line(item: str, answer: ItemAnswer | None) -> bytes:
    if answer is None:
        return utf8(answer_line(item, None, math.nan, 0))
    is_unknown = answer.relevant is None
    line = answer_line(item, answer.relevant, _inclusion(answer), answer.round, is_unknown)
    return utf8(line)


ANSWERS = LineForm("answer", COLUMNS, "the file has no answers", _taker, _line, _has_answer)
"""Answers by item; see `SharedFile`."""
