"""Queries by example: boxes on pages, and the regions that models were made from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from spotlab.representation import short_repr


@dataclass(frozen=True)
class QueryModel:
    """The place on a page that a query was made from.

    Attributes
    ----------
    query : str
        What was searched with it.
    page : str
        The page, as the run names it.
    points : tuple of (x, y)
        Open ring in px, origin top left.
    """

    query: str
    page: str
    points: tuple[tuple[float, float], ...]

    __repr__ = short_repr


Box = tuple[float, float, float, float]
Place = tuple[str, Box]

_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*"
_PLACE = re.compile(rf"(.+):{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}")


def place_of(query: Any) -> tuple[str, Box] | None:
    """The page and box of a query; None where it is something else.

    Parameters
    ----------
    query : str or (page, (x, y, width, height))
        As a text ``PAGE:x,y,width,height``, in px.

    Returns
    -------
    (str, (float, float, float, float)) or None
        The page, and left, top, right, bottom in px.

    Examples
    --------
    >>> place_of("plan_1.png:10,20,30,40")
    ('plan_1.png', (10.0, 20.0, 40.0, 60.0))
    >>> place_of(("plan_1", (10, 20, 30, 40)))
    ('plan_1', (10.0, 20.0, 40.0, 60.0))
    >>> place_of("sofa") is None
    True
    """
    if isinstance(query, str):
        match = _PLACE.fullmatch(query)
        if match is None:
            return None
        page, numbers = match[1], match.groups()[1:]
    elif isinstance(query, tuple) and len(query) == 2 and np.shape(query[1]) == (4,):
        page, numbers = str(query[0]), query[1]
    else:
        return None
    x, y, width, height = map(float, numbers)
    return page, (x, y, x + width, y + height)
