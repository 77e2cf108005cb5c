"""The three inverse edits of a page's truth, each of one region."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.model import Page, Region


@dataclass(frozen=True)
class Insert:
    """The region comes in at this place in the order."""

    region: Region
    index: int


@dataclass(frozen=True)
class Remove:
    """The region goes from this place in the order."""

    region: Region
    index: int


@dataclass(frozen=True)
class Replace:
    """A region, or the page's own value, becomes another one; a region keeps its id."""

    before: Region | Page
    after: Region | Page


Edit = Insert | Remove | Replace


def inverse(edit: Edit) -> Edit:
    """The edit that takes this one back.

    Examples
    --------
    >>> region = Region(((0, 0), (1, 0), (1, 1)))
    >>> inverse(Insert(region, 0)) == Remove(region, 0)
    True
    """
    if isinstance(edit, Replace):
        return Replace(edit.after, edit.before)
    if isinstance(edit, Insert):
        return Remove(edit.region, edit.index)
    return Insert(edit.region, edit.index)
