"""Judgements: what a person says of items, kept line by line so that a crash loses none of them.

CSV, ``query,page,left,top,right,bottom,judgement`` with a line of names first. A judgement is
``relevant``, ``irrelevant`` or ``none``, which takes an earlier one back; of several lines on one
item the last counts. A line is on the disk before the next is written. What a crash left of a last
line is cut off. An item without a place stands with its name as page, and no sides.

A judgement belongs to the item that lies on its place (`match_places`). One of a query that is
called by its place, ``270:10,20,100,40``, belongs to a query that is drawn there again, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.drawn_places import nearest_place
from spotlab.formats.lists.place_lines import (
    Place,
    header,
    line_of,
    match_places,
    place_of,
    read_lines,
    read_place,
    sides_of,
    tidy,
)
from spotlab.formats.rows.append_only import AppendOnlyFile
from spotlab.formats.rows.bad_lines import BadLine
from spotlab.model.items import Items
from spotlab.representation import short_repr

COLUMNS = ("query", "page", "left", "top", "right", "bottom", "judgement")
WORDS = {True: "relevant", False: "irrelevant", None: "none"}
JUDGEMENTS = {word: judgement for judgement, word in WORDS.items()}


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
        known = self.judged.get(known_name(query, self.judged), {})
        found = np.full(len(items), -1, np.int8)
        for item, judgement in zip(
            match_places(tuple(known), items).tolist(), known.values(), strict=True
        ):
            if item >= 0:
                found[item] = judgement
        return found


def known_name(query: str, names: Iterable[str]) -> str:
    """The name under which a query is known: its own, else that of the place it is drawn at.

    Parameters
    ----------
    query : str
    names : iterable of str
        Names of queries.

    Examples
    --------
    >>> known_name("270:12,9,100,40", ["orders", "270:0,0,100,40"])
    '270:0,0,100,40'
    >>> known_name("letters", ["orders"])
    'letters'
    """
    names = tuple(names)
    query = tidy(query)
    return query if query in names else nearest_place(query, names) or query


def read_judgements(path: Path | str) -> ReadJudgements:
    """The judgements in a file; the rest of a line at its end is left out.

    Raises
    ------
    BadInput
        It cannot be read, or its first line does not name the columns.
    """
    judged: dict[str, dict[Place, bool]] = {}

    def take(row: list[str]) -> None:
        query, place, judgement = _read_row(row)
        _note(judged, query, place, judgement)

    read = read_lines(Path(path), COLUMNS, "these are no judgements", take)
    return ReadJudgements(judged, read.bad_lines, read.whole, read.ended)


def _note(
    judged: dict[str, dict[Place, bool]], query: str, place: Place, judgement: bool | None
) -> None:
    own = judged.setdefault(query, {})
    if judgement is None:
        own.pop(place, None)
    else:
        own[place] = judgement


def _read_row(row: list[str]) -> tuple[str, Place, bool | None]:
    query, page, *sides, judgement = row
    if not page:
        raise ValueError("page is empty")
    if judgement not in JUDGEMENTS:
        expected = ", ".join(JUDGEMENTS)
        raise ValueError(f"judgement is {judgement[:40]!r}; expected one of {expected}")
    return tidy(query), read_place(page, sides), JUDGEMENTS[judgement]


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
        super().__init__(path, header(COLUMNS))
        self._make()
        read = read_judgements(self.path)
        self.bad_lines = read.bad_lines
        self._judged = {query: dict(own) for query, own in read.judged.items()}
        self._open(read.whole, read.ended)

    @property
    def judged(self) -> Mapping[str, Mapping[Place, bool]]:
        """By query, the last judgement of each item."""
        return self._judged

    def judge(self, query: str, items: Items, item: int, judgement: bool | None) -> None:
        """Say of an item that it is relevant, not, or (None) nothing any more.

        When this returns, the judgement is on the disk.

        Raises
        ------
        NotSaved
            It could not be written; the file holds what it held before.
        """
        name = known_name(query, self._judged)
        known = tuple(self._judged.get(name, ()))
        meant = np.flatnonzero(match_places(known, items) == item)
        place = known[int(meant[0])] if len(meant) else place_of(items, item)
        self.judge_place(name, place, judgement)

    def judge_place(self, query: str, place: Place, judgement: bool | None) -> None:
        """Say it of a place; see `judge`."""
        query = tidy(query)
        self._write(line_of([query, place[0], *sides_of(place), WORDS[judgement]]))
        _note(self._judged, query, place, judgement)

    def rename(self, query: str, name: str, *, keep: bool = False) -> None:
        """Give a query's judgements to another name, which keeps those that it has of a place.

        Parameters
        ----------
        query, name : str
            The old name and the new one.
        keep : bool
            Whether the old name keeps them, too.

        Raises
        ------
        NotSaved
            They could not all be written; those that were are with both names.
        """
        query = known_name(query, self._judged)
        if query == tidy(name):
            return
        known = self._judged.get(tidy(name), {})
        moving = dict(self._judged.get(query, {}))
        for place, judgement in moving.items():
            if place not in known:
                self.judge_place(name, place, judgement)
        for place in () if keep else moving:
            self.judge_place(query, place, None)

    def of(self, query: str, items: Items) -> NDArray[np.int8]:
        """(N,) 1 relevant, 0 not, -1 where there is no judgement."""
        return ReadJudgements(self._judged).of(query, items)
