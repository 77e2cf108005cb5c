"""Places on pages that lines of a file name: how items and drawn words are known again by them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.numbers import format_number
from spotlab.geometry.boxes import pair_boxes
from spotlab.model.ranked_list import Items

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
