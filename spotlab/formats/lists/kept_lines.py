"""Queries, judgements and places, kept line by line so that a crash loses none of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.numbers import format_number
from spotlab.formats.shared.line_form import LineForm, line_of
from spotlab.geometry.polygon import pair_boxes
from spotlab.model.ranked_list import Items
from spotlab.representation import short_repr

Place = tuple[str, float, float, float, float]
"""Page, left, top, right, bottom; for an item without a place its name and ``NOWHERE``."""

NOWHERE = (-1.0, -1.0, -1.0, -1.0)
SAME_ITEM = 0.5  # intersection over union of a place and the item that it means
SAME_WORD = 0.25
"""Intersection over union from which two boxes are drawn around the same word: a word of
100 × 40 px that is drawn 15 px off in both directions has .36, with 20 px more all around .36."""

_NUMBER = r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)"
_PLACE = re.compile(rf"(.+):{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}")


def place_of(items: Items, item: int) -> Place:
    """Tell how a line knows an item again: its page and box, or its name."""
    if items.page[item] < 0:
        return (tidy(items.name(item)), *NOWHERE)
    left, top, right, bottom = items.boxes[item].tolist()
    return (tidy(items.page_name(item)), left, top, right, bottom)


def tidy(text: str) -> str:
    """A text as a file has it: in one line."""
    return " ".join(text.split())


def match_places(places: Sequence[Place], items: Items) -> NDArray[np.int64]:
    """Find the item that each place means: the one just there, else the one that it lies on best.

    Items of the same words have other boxes where ink was separated from paper in another way.

    Parameters
    ----------
    places : sequence of Place
        P places.
    items : Items
        N items. Each belongs to one place at most.

    Returns
    -------
    (P,) int
        -1 where no item overlaps the place by an intersection over union of `SAME_ITEM`.

    Examples
    --------
    >>> items = Items(("270",), [0, 0], [[0, 0, 40, 20], [50, 0, 90, 20]])
    >>> match_places([("270", 50, 0, 90, 20), ("270", 3, 1, 43, 22), ("270", 25, 0, 65, 20)], items)
    array([ 1,  0, -1])
    """
    item_of = np.full(len(places), -1, np.int64)
    if not len(places):
        return item_of
    exact = {place: number for number, place in enumerate(places)}
    left = np.nan_to_num(items.boxes[:, 0], nan=NOWHERE[0])
    for item in np.flatnonzero(np.isin(left, [place[1] for place in places])).tolist():
        number = exact.get(place_of(items, item), -1)
        if number >= 0:
            item_of[number] = item
    is_free = np.ones(len(items), np.bool_)
    is_free[item_of[item_of >= 0]] = False
    for page, name in enumerate(items.pages):
        wanted = np.array(
            [at for at in np.flatnonzero(item_of < 0).tolist() if _is_on(places[at], name)],
            np.int64,
        )
        here = np.flatnonzero((items.page == page) & is_free)
        if len(wanted) and len(here):
            boxes = np.array([places[at][1:] for at in wanted])
            first, second = _best_pairs(boxes, items.boxes[here])
            item_of[wanted[first]] = here[second]
    return item_of


def _is_on(place: Place, page: str) -> bool:
    return place[0] == tidy(page) and place[1:] != NOWHERE


def _best_pairs(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[list[int], list[int]]:
    """Pairs of boxes that are one, the best first, each box in one pair at most."""
    pairs = pair_boxes(first, second)
    iou = pairs.iou
    ones: dict[int, int] = {}
    taken: set[int] = set()
    for pair in np.argsort(-iou, kind="stable").tolist():
        one, other = int(pairs.first[pair]), int(pairs.second[pair])
        if iou[pair] >= SAME_ITEM and one not in ones and other not in taken:
            ones[one] = other
            taken.add(other)
    return list(ones), list(ones.values())


def sides_of(place: Place) -> list[str]:
    """The fields of a place's sides; empty where it has none."""
    return [""] * 4 if place[1:] == NOWHERE else [format_number(side) for side in place[1:]]


def read_place(page: str, sides: Sequence[str]) -> Place:
    """The place that fields say.

    Raises
    ------
    ValueError
        The sides are those of no box, or there is no page.
    """
    if not page:
        raise ValueError("page is empty")
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


def place_name(place: Place) -> str:
    """Return what a place is called: page and box as left, top, width, height.

    Of a typed text the text.

    Examples
    --------
    >>> place_name(("270", 10, 20, 110, 60.5)), place_name(("orders", *NOWHERE))
    ('270:10,20,100,40.5', 'typed orders')
    """
    if place[1:] == NOWHERE:
        return f"typed {place[0]}"
    page, left, top, right, bottom = place
    numbers = (left, top, right - left, bottom - top)
    return f"{page}:{','.join(map(format_number, numbers))}"


def named_place(name: str) -> Place | None:
    """The place that a name says; None where it is another one.

    Examples
    --------
    >>> named_place("270:10,20,100,40.5"), named_place("orders")
    (('270', 10.0, 20.0, 110.0, 60.5), None)
    """
    match = _PLACE.fullmatch(name)
    if match is None:
        return None
    left, top, width, height = map(float, match.groups()[1:])
    if width <= 0 or height <= 0:
        return None
    return (tidy(match.group(1)), left, top, left + width, top + height)


def nearest(place: Place, places: Sequence[Place]) -> int | None:
    """The one of some places that is drawn around the same word; None where none is.

    Examples
    --------
    >>> nearest(("270", 15, 15, 115, 55), [("270", 200, 0, 300, 40), ("270", 0, 0, 100, 40)])
    1
    """
    if place[1:] == NOWHERE:
        return None
    here = [at for at, each in enumerate(places) if each[0] == place[0] and each[1:] != NOWHERE]
    pairs = pair_boxes(place[1:], np.array([places[at][1:] for at in here]))
    if not len(pairs) or pairs.iou.max() < SAME_WORD:
        return None
    return here[int(pairs.second[pairs.iou.argmax()])]


def nearest_place(name: str, names: Sequence[str]) -> str | None:
    """The one of some names that says the place of the same word; None where none does."""
    place = named_place(name)
    if place is None:
        return None
    places = {each: there for each in names if (there := named_place(each)) is not None}
    at = nearest(place, list(places.values()))
    return None if at is None else list(places)[at]


JUDGEMENT_COLUMNS = ("query", "page", "left", "top", "right", "bottom", "judgement")
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


def _judgement_taker(judged: dict[tuple[str, Place], bool]) -> Callable[[list[str]], object]:
    def take(row: list[str]) -> None:
        query, place, judgement = _read_row(row)
        if judgement is None:
            judged.pop((query, place), None)
        else:
            judged[query, place] = judgement

    return take


def _judgement_line(key: tuple[str, Place], judgement: bool | None) -> bytes:
    query, place = key
    return line_of([tidy(query), place[0], *sides_of(place), WORDS[judgement]])


JUDGEMENTS = LineForm(
    "judgement", JUDGEMENT_COLUMNS, "these are no judgements", _judgement_taker, _judgement_line
)


def _read_row(row: list[str]) -> tuple[str, Place, bool | None]:
    query, page, *sides, judgement = row
    if not page:
        raise ValueError("page is empty")
    if judgement not in _JUDGEMENTS:
        expected = ", ".join(_JUDGEMENTS)
        raise ValueError(f"judgement is {judgement[:40]!r}; expected one of {expected}")
    return tidy(query), read_place(page, sides), _JUDGEMENTS[judgement]


QUERY_COLUMNS = ("text", "page", "left", "top", "right", "bottom", "state")
LISTED, REMOVED, EXAMPLE = "listed", "removed", "example"
TYPED = "typed"  # listed, and named otherwise than it was typed, which stands in the page's place


@dataclass(frozen=True)
class ListedQuery:
    """A query that was searched.

    Attributes
    ----------
    text : str
        What is written there; empty where nobody has said it. Of a typed query what was typed,
        until somebody says how it is spelled.
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
    def searched(self) -> str:
        """The text that is searched; empty where only a box is known.

        Examples
        --------
        >>> ListedQuery("légataire", typed_place("legataire")).searched
        'legataire'
        """
        return self.place[0] if self.typed else self.text

    @property
    def is_named(self) -> bool:
        """Tell whether somebody has said what is written there."""
        return bool(self.text) and not (self.typed and self.text == self.searched)

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


def _query_taker(found: dict[Place, ListedQuery]) -> Callable[[list[str]], object]:
    last: Place | None = None  # that examples belong to

    def take(row: list[str]) -> None:
        text, page, *sides, state = row
        is_named = state == TYPED and bool(page)
        is_typed = bool(text) and not any(sides) and (is_named or (not page and state != EXAMPLE))
        place = typed_place(page or text) if is_typed else read_place(page, sides)
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
        elif state == LISTED or (state == TYPED and is_typed):
            found[place] = ListedQuery(tidy(text), place)
            last = None if is_typed else place
        else:
            states = f"{LISTED}, {TYPED}, {EXAMPLE} or {REMOVED}"
            raise ValueError(f"state is {state[:40]!r}; expected {states}")

    return take


def _query_line(place: Place, query: ListedQuery | None) -> bytes:
    text = query.text if query is not None else place[0] if place[1:] == NOWHERE else ""
    if query is None:
        return _place_line(text, place, REMOVED)
    if query.typed and query.is_named:
        return line_of([tidy(text), place[0], *sides_of(place), TYPED])
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


QUERIES = LineForm("query", QUERY_COLUMNS, "these are no queries", _query_taker, _query_line)
"""The queries of a collection by their place; see `SharedFile`."""
