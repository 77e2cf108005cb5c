"""Where a query's model was taken from, so that finding it again can be left out."""

from __future__ import annotations

from dataclasses import dataclass

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
