"""Knows a word again that is drawn a second time: nobody draws the same box twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from spotlab.formats.lists.place_lines import NOWHERE, Place, tidy
from spotlab.formats.rows.numbers import format_number
from spotlab.geometry.boxes import pair_boxes

SAME_WORD = 0.25
"""Intersection over union from which two boxes are drawn around the same word: a word of
100 × 40 px that is drawn 15 px off in both directions has .36, with 20 px more all around .36."""

_NUMBER = r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)"
_PLACE = re.compile(rf"(.+):{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}")


def place_name(place: Place) -> str:
    """What a place is called: page and box as left, top, width, height; of a typed text the text.

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
