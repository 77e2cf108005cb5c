"""Judgements: what a person says of items, kept line by line so that a crash loses none of them.

CSV, ``query,page,left,top,right,bottom,judgement`` with a line of names first. A judgement is
``relevant``, ``irrelevant`` or ``none``, which takes an earlier one back; of several lines on one
item the last counts. A line is on the disk before the next is written. What a crash left of a last
line is cut off. An item without a place stands with its name as page, and no sides.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, reason
from spotlab.files import read_file
from spotlab.formats.rows.append_only import AppendOnlyFile
from spotlab.formats.rows.bad_lines import BadLine, bad_line
from spotlab.formats.rows.csv_rows import quote_field
from spotlab.formats.rows.file_content import BYTE_ORDER_MARK
from spotlab.formats.rows.numbers import format_number
from spotlab.model.items import Items
from spotlab.representation import short_repr

COLUMNS = ("query", "page", "left", "top", "right", "bottom", "judgement")
EXPECTED = ",".join(COLUMNS)
WORDS = {True: "relevant", False: "irrelevant", None: "none"}
JUDGEMENTS = {word: judgement for judgement, word in WORDS.items()}
HEADER = (EXPECTED + "\n").encode()

Place = tuple[str, float, float, float, float]
"""Page, left, top, right, bottom; for an item without a place its name and ``NOWHERE``."""

NOWHERE = (-1.0, -1.0, -1.0, -1.0)


def place_of(items: Items, item: int) -> Place:
    """How judgements know an item again: its page and box, or its name."""
    if items.page[item] < 0:
        return (tidy(items.name(item)), *NOWHERE)
    left, top, right, bottom = items.boxes[item].tolist()
    return (tidy(items.page_name(item)), left, top, right, bottom)


@dataclass(frozen=True)
class ReadJudgements:
    """Judgements as they were read.

    Attributes
    ----------
    judged : mapping of str to (mapping of Place to bool)
        By query, the last one of each item; those taken back are not there.
    bad_lines : tuple of BadLine
    whole : int
        So many bytes of the file are whole lines; what follows is the rest of one.
    ended : bool
        Whether the last of them has an end.
    """

    judged: Mapping[str, Mapping[Place, bool]]
    bad_lines: tuple[BadLine, ...] = ()
    whole: int = 0
    ended: bool = True

    __repr__ = short_repr

    def of(self, query: str, items: Items) -> NDArray[np.int8]:
        """(N,) 1 relevant, 0 not, -1 where there is no judgement."""
        known = self.judged.get(tidy(query), {})
        found = np.full(len(items), -1, np.int8)
        left = np.nan_to_num(items.boxes[:, 0], nan=NOWHERE[0])
        for item in np.flatnonzero(np.isin(left, [place[1] for place in known])).tolist():
            found[item] = known.get(place_of(items, item), -1)
        return found


def tidy(query: str) -> str:
    """A query as the file has it: in one line."""
    return " ".join(query.split())


def read_judgements(path: Path | str) -> ReadJudgements:
    """The judgements in a file; the rest of a line at its end is left out.

    Raises
    ------
    BadInput
        It cannot be read, or its first line does not name the columns.
    """
    path = Path(path)
    try:
        content = read_file(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    return _parse(path, content)


def _parse(path: Path, content: bytes) -> ReadJudgements:
    judged: dict[str, dict[Place, bool]] = {}
    bad: list[BadLine] = []
    whole, ended = 0, True
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        ends = line.endswith(b"\n")
        try:
            if number == 1:
                _check_header(path, line.removeprefix(BYTE_ORDER_MARK))
            elif row := _fields(line):
                query, place, judgement = _read_row(row)
                own = judged.setdefault(query, {})
                if judgement is None:
                    own.pop(place, None)
                else:
                    own[place] = judgement
        except ValueError as error:
            if not ends:
                break  # the rest of a line
            bad.append(bad_line(path, number, str(error)))
        if ends or number > 1:
            whole, ended = whole + len(line), ends
    return ReadJudgements(judged, tuple(bad), whole, ended)


def _check_header(path: Path, line: bytes) -> None:
    """See that the first line names the columns, or is the beginning of that."""
    if HEADER.startswith(line):
        return
    try:
        names = [name.strip() for name in _fields(line)]
    except ValueError:
        names = []
    if tuple(names) != COLUMNS:
        raise BadInput(path, "these are no judgements", place="line 1", expected=EXPECTED)


def _fields(line: bytes) -> list[str]:
    try:
        text = line.decode()
        return next(csv.reader([text], strict=True, skipinitialspace=True), [])
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"not a line of CSV; expected {EXPECTED}") from error


def _read_row(row: list[str]) -> tuple[str, Place, bool | None]:
    if len(row) != len(COLUMNS):
        raise ValueError(f"{len(row)} fields, not {len(COLUMNS)}; expected {EXPECTED}")
    query, page, *sides, judgement = (value.strip() for value in row)
    if not page:
        raise ValueError("page is empty")
    if judgement not in JUDGEMENTS:
        expected = ", ".join(JUDGEMENTS)
        raise ValueError(f"judgement is {judgement[:40]!r}; expected one of {expected}")
    return tidy(query), _read_place(page, sides), JUDGEMENTS[judgement]


def _read_place(page: str, sides: list[str]) -> Place:
    if not any(sides):
        return (page, *NOWHERE)
    try:
        left, top, right, bottom = map(float, sides)
    except ValueError:
        left = top = right = bottom = math.nan
    finite = all(map(math.isfinite, (left, top, right, bottom)))
    if not (finite and left < right and top < bottom):
        raise ValueError(
            f"{', '.join(sides)[:60]!r} is not a box; expected left, top, right, bottom"
        )
    return (page, left, top, right, bottom)


class JudgementFile(AppendOnlyFile):
    """A file of judgements that is open for more; close it, or use it in ``with``.

    Examples
    --------
    >>> import tempfile
    >>> items = Items(("270",), [0, 0], [[0, 0, 9, 9], [20, 0, 29, 9]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with JudgementFile(Path(folder) / "judgements.csv") as file:
    ...         file.judge("the", items, 1, True)
    ...         file.of("the", items)
    array([-1,  1], dtype=int8)
    """

    what = "judgement"

    def __init__(self, path: Path | str) -> None:
        """Open a file, make it if it is not there, and cut off the rest of a last line.

        Raises
        ------
        BadInput
            It is there and holds something else.
        NotSaved
            It cannot be written.
        """
        super().__init__(path, HEADER)
        self._make()
        read = read_judgements(self.path)
        self.bad_lines = read.bad_lines
        self._judged = {query: dict(own) for query, own in read.judged.items()}
        self._open(read.whole, read.ended)

    def judge(self, query: str, items: Items, item: int, judgement: bool | None) -> None:
        """Say of an item that it is relevant, not, or (None) nothing any more.

        When this returns, the judgement is on the disk.

        Raises
        ------
        NotSaved
            It could not be written; the file holds what it held before.
        """
        place = place_of(items, item)
        sides = ["", "", "", ""] if items.page[item] < 0 else map(format_number, place[1:])
        values = [tidy(query), place[0], *sides, WORDS[judgement]]
        self._write((",".join(map(quote_field, values)) + "\n").encode("utf-8", "replace"))
        own = self._judged.setdefault(tidy(query), {})
        if judgement is None:
            own.pop(place, None)
        else:
            own[place] = judgement

    def of(self, query: str, items: Items) -> NDArray[np.int8]:
        """(N,) 1 relevant, 0 not, -1 where there is no judgement."""
        return ReadJudgements(self._judged).of(query, items)
