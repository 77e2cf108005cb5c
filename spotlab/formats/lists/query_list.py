"""The word queries of a collection, kept line by line so that a crash loses none of them.

CSV, ``text,page,left,top,right,bottom,state`` with a line of names first. The box is where the
query was drawn, the text is what is written there, or empty. A state is ``listed`` or ``removed``;
of several lines on one place the last counts. A line is on the disk before the next is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spotlab.formats.lists.drawn_places import nearest, place_name
from spotlab.formats.lists.place_lines import (
    NOWHERE,
    Place,
    header,
    line_of,
    read_lines,
    read_place,
    sides_of,
    tidy,
)
from spotlab.formats.rows.append_only import AppendOnlyFile
from spotlab.formats.rows.bad_lines import BadLine
from spotlab.representation import short_repr

COLUMNS = ("text", "page", "left", "top", "right", "bottom", "state")
LISTED, REMOVED = "listed", "removed"


@dataclass(frozen=True)
class ListedQuery:
    """A query that was searched.

    Attributes
    ----------
    text : str
        What is written there; empty where nobody has said it.
    place : Place
        Page, left, top, right, bottom of the box, in px.
    """

    text: str
    place: Place

    @property
    def name(self) -> str:
        """What its judgements are kept under: the text, or the place.

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
    whole : int
        So many bytes of the file are whole lines; what follows is the rest of one.
    ended : bool
        Whether the last of them has an end.
    """

    queries: tuple[ListedQuery, ...]
    bad_lines: tuple[BadLine, ...] = ()
    whole: int = 0
    ended: bool = True

    __repr__ = short_repr


def read_queries(path: Path | str) -> ReadQueries:
    """The queries in a file; the rest of a line at its end is left out.

    Raises
    ------
    BadInput
        It cannot be read, or its first line does not name the columns.
    """
    texts: dict[Place, str] = {}

    def take(row: list[str]) -> None:
        text, page, *sides, state = row
        place = read_place(page, sides)
        if place[1:] == NOWHERE:
            raise ValueError("the box is missing")
        if state == REMOVED:
            texts.pop(place, None)
        elif state == LISTED:
            texts[place] = tidy(text)
        else:
            raise ValueError(f"state is {state[:40]!r}; expected {LISTED} or {REMOVED}")

    read = read_lines(Path(path), COLUMNS, "these are no queries", take)
    queries = tuple(ListedQuery(text, place) for place, text in texts.items())
    return ReadQueries(queries, read.bad_lines, read.whole, read.ended)


class QueryListFile(AppendOnlyFile):
    """A file of queries that is open for more; close it, or use it in ``with``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with QueryListFile(Path(folder) / "queries.csv") as file:
    ...         file.put(ListedQuery("", ("270", 10, 20, 110, 60)))
    ...         file.put(ListedQuery("orders", ("270", 10, 20, 110, 60)))
    ...     read_queries(Path(folder) / "queries.csv").queries
    (ListedQuery(text='orders', place=('270', 10.0, 20.0, 110.0, 60.0)),)
    """

    what = "query"

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
        read = read_queries(self.path)
        self.bad_lines = read.bad_lines
        self._open(read.whole, read.ended)

    def put(self, query: ListedQuery) -> None:
        """List a query, or give the one at its place this text; it is on the disk then.

        Raises
        ------
        NotSaved
            It could not be written; the file holds what it held before.
        """
        self._put(query, LISTED)

    def remove(self, query: ListedQuery) -> None:
        """List a query no more; see `put`."""
        self._put(query, REMOVED)

    def _put(self, query: ListedQuery, state: str) -> None:
        place = query.place
        self._write(line_of([tidy(query.text), place[0], *sides_of(place), state]))


def same_query(place: Place, queries: tuple[ListedQuery, ...]) -> ListedQuery | None:
    """The query that is drawn around the same word; None where none is."""
    at = nearest(place, [query.place for query in queries])
    return None if at is None else queries[at]
