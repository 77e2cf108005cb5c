"""The word queries of a collection, kept line by line so that a crash loses none of them.

CSV, ``text,page,left,top,right,bottom,state`` with a line of names first. The box is where the
query was drawn, the text is what is written there, or empty. A text that was typed has neither page
nor box. A state is ``listed`` or ``removed``; of several lines on one place, or with one typed
text, the last counts. Lines with the state ``example`` follow the one that lists their query, and
have the boxes of its further examples. A query is on the disk before the next is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from spotlab.formats.lists.place_lines import (
    NOWHERE,
    Place,
    nearest,
    place_name,
    read_place,
    sides_of,
    tidy,
)
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.shared.line_form import LineForm, line_of
from spotlab.representation import short_repr

COLUMNS = ("text", "page", "left", "top", "right", "bottom", "state")
LISTED, REMOVED, EXAMPLE = "listed", "removed", "example"


@dataclass(frozen=True)
class ListedQuery:
    """A query that was searched.

    Attributes
    ----------
    text : str
        What is written there; empty where nobody has said it.
    place : Place
        Page, left, top, right, bottom of the box, in px; of a typed query the text and ``NOWHERE``.
    examples : tuple of Place
        Further examples of the word.
    """

    text: str
    place: Place
    examples: tuple[Place, ...] = ()

    @property
    def typed(self) -> bool:
        """Tell whether the text itself is searched, not a box.

        Examples
        --------
        >>> ListedQuery("orders", typed_place("orders")).typed
        True
        """
        return self.place[1:] == NOWHERE

    @property
    def name(self) -> str:
        """Return what its judgements are kept under: the text, or the place.

        Examples
        --------
        >>> ListedQuery("", ("270", 10, 20, 110, 60)).name
        '270:10,20,100,40'
        """
        return self.text or place_name(self.place)


@dataclass(frozen=True)
class ReadQueries:
    """Queries as they were read.

    Attributes
    ----------
    queries : tuple of ListedQuery
        In the order in which they were first searched; those that were removed are not there.
    bad_lines : tuple of BadLine
    """

    queries: tuple[ListedQuery, ...]
    bad_lines: tuple[BadLine, ...] = ()

    __repr__ = short_repr


def typed_place(text: str) -> Place:
    """Return what stands for the place of a typed text.

    Examples
    --------
    >>> typed_place("orders ")
    ('orders', -1.0, -1.0, -1.0, -1.0)
    """
    return (tidy(text), *NOWHERE)


def read_queries(path: Path | str) -> ReadQueries:
    """Read the queries in a file; the rest of a line at its end is left out.

    Raises
    ------
    BadInput
        It cannot be read, or its first line does not name the columns.
    """
    read = QUERIES.read_file(Path(path))
    return ReadQueries(tuple(read.values.values()), read.bad_lines)


def _taker(found: dict[Place, ListedQuery]) -> Callable[[list[str]], object]:
    last: Place | None = None  # that examples belong to

    def take(row: list[str]) -> None:
        text, page, *sides, state = row
        is_typed = bool(text) and not page and not any(sides) and state != EXAMPLE
        place = typed_place(text) if is_typed else read_place(page, sides)
        if place[1:] == NOWHERE and not is_typed:
            raise ValueError("the box is missing")
        nonlocal last
        if state == EXAMPLE:
            if last is None:
                raise ValueError("an example of no query")
            query = found[last]
            found[last] = replace(query, examples=(*query.examples, place))
            return
        last = None
        if state == REMOVED:
            found.pop(place, None)
        elif state == LISTED:
            found[place] = ListedQuery(tidy(text), place)
            last = None if is_typed else place
        else:
            states = f"{LISTED}, {EXAMPLE} or {REMOVED}"
            raise ValueError(f"state is {state[:40]!r}; expected {states}")

    return take


def _line(place: Place, query: ListedQuery | None) -> bytes:
    text = query.text if query is not None else place[0] if place[1:] == NOWHERE else ""
    if query is None:
        return _place_line(text, place, REMOVED)
    places = [(place, LISTED), *((example, EXAMPLE) for example in query.examples)]
    return b"".join(_place_line(text, each, state) for each, state in places)


def _place_line(text: str, place: Place, state: str) -> bytes:
    page = "" if place[1:] == NOWHERE else place[0]
    return line_of([tidy(text), page, *sides_of(place), state])


def same_query(place: Place, queries: tuple[ListedQuery, ...]) -> ListedQuery | None:
    """The query that is drawn around the same word, or that typed the same; None where none is.

    Examples
    --------
    >>> typed = ListedQuery("orders", typed_place("orders"))
    >>> same_query(typed_place("orders"), (typed,)) is typed
    True
    """
    if place[1:] == NOWHERE:
        return next((query for query in queries if query.place == place), None)
    at = nearest(place, [query.place for query in queries])
    return None if at is None else queries[at]


QUERIES = LineForm("query", COLUMNS, "these are no queries", _taker, _line)
"""The queries of a collection by their place; see `SharedFile`."""
