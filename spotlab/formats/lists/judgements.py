"""Judgements: what a person says of items, kept line by line so that a crash loses none of them.

CSV, ``query,page,left,top,right,bottom,judgement`` with a line of names first. A judgement is
``relevant``, ``irrelevant`` or ``none``, which takes an earlier one back; of several lines on one
item the last counts. A line is on the disk before the next is written. What a crash left of a last
line is cut off. An item without a place stands with its name as page, and no sides.

A judgement belongs to the item that lies on its place (`match_places`). One of a query that is
called by its place, ``270:10,20,100,40``, belongs to a query that is drawn there again, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.place_lines import (
    Place,
    match_places,
    nearest_place,
    place_of,
    read_place,
    sides_of,
    tidy,
)
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.shared.line_form import LineForm, line_of
from spotlab.model.ranked_list import Items
from spotlab.representation import short_repr

COLUMNS = ("query", "page", "left", "top", "right", "bottom", "judgement")
Judged = Mapping[tuple[str, Place], bool]
"""Judgements by query and place."""

WORDS = {True: "relevant", False: "irrelevant", None: "none"}
_JUDGEMENTS = {word: judgement for judgement, word in WORDS.items()}


@dataclass(frozen=True)
class ReadJudgements:
    """Judgements as they were read.

    Attributes
    ----------
    judged : mapping of str to (mapping of Place to bool)
        By query, the last one of each item; those taken back are not there.
    bad_lines : tuple of BadLine
    """

    judged: Mapping[str, Mapping[Place, bool]]
    bad_lines: tuple[BadLine, ...] = ()

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
    """Read the judgements in a file; the rest of a line at its end is left out.

    Raises
    ------
    BadInput
        It cannot be read, or its first line does not name the columns.
    """
    read = JUDGEMENTS.read_file(Path(path))
    return ReadJudgements(by_query(read.values), read.bad_lines)


def by_query(judged: Judged) -> dict[str, dict[Place, bool]]:
    """Group judgements by query.

    Examples
    --------
    >>> by_query({("the", ("270", 0, 0, 9, 9)): True})
    {'the': {('270', 0, 0, 9, 9): True}}
    """
    grouped: dict[str, dict[Place, bool]] = {}
    for (query, place), judgement in judged.items():
        grouped.setdefault(query, {})[place] = judgement
    return grouped


def with_judgement(
    judged: Judged, query: str, items: Items, item: int, judgement: bool | None
) -> dict[tuple[str, Place], bool]:
    """Say of an item that it is relevant, not, or (None) nothing any more.

    Parameters
    ----------
    judged : mapping
        All judgements so far, which stay as they are.
    query : str
    items : Items
    item : int
        Index of the item.
    judgement : bool or None

    Returns
    -------
    dict
        All judgements, this one last.
    """
    name = known_name(query, {name for name, _ in judged})
    known = [place for other, place in judged if other == name]
    meant = np.flatnonzero(match_places(known, items) == item)
    place = known[int(meant[0])] if len(meant) else place_of(items, item)
    others = {key: value for key, value in judged.items() if key != (name, place)}
    return others if judgement is None else {**others, (name, place): judgement}


def with_name(
    judged: Judged, query: str, name: str, *, keep: bool = False
) -> dict[tuple[str, Place], bool]:
    """Give a query's judgements to another name, which keeps those that it has of a place.

    Parameters
    ----------
    judged : mapping
        All judgements so far, which stay as they are.
    query, name : str
        The old name and the new one.
    keep : bool
        Whether the old name keeps them, too.
    """
    old, new = known_name(query, {other for other, _ in judged}), tidy(name)
    if old == new:
        return dict(judged)
    kept = {key: value for key, value in judged.items() if keep or key[0] != old}
    moved = {(new, place): value for (other, place), value in judged.items() if other == old}
    return {**kept, **moved, **{key: value for key, value in kept.items() if key[0] == new}}


def _taker(judged: dict[tuple[str, Place], bool]) -> Callable[[list[str]], object]:
    def take(row: list[str]) -> None:
        query, place, judgement = _read_row(row)
        if judgement is None:
            judged.pop((query, place), None)
        else:
            judged[query, place] = judgement

    return take


def _line(key: tuple[str, Place], judgement: bool | None) -> bytes:
    query, place = key
    return line_of([tidy(query), place[0], *sides_of(place), WORDS[judgement]])


JUDGEMENTS = LineForm("judgement", COLUMNS, "these are no judgements", _taker, _line)


def _read_row(row: list[str]) -> tuple[str, Place, bool | None]:
    query, page, *sides, judgement = row
    if not page:
        raise ValueError("page is empty")
    if judgement not in _JUDGEMENTS:
        expected = ", ".join(_JUDGEMENTS)
        raise ValueError(f"judgement is {judgement[:40]!r}; expected one of {expected}")
    return tidy(query), read_place(page, sides), _JUDGEMENTS[judgement]
