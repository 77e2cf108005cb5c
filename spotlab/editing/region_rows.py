"""The regions of a page as rows of a table: in an order, and only those that hold some words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from spotlab.model import Ignore, Region


class RegionColumn(StrEnum):
    """What rows can be ordered by."""

    HIDDEN = "hidden"
    LOCKED = "locked"
    NUMBER = "number"
    LABEL = "label"
    AREA = "area"
    SIZE = "size"
    MARKS = "marks"
    COMMENT = "comment"
    AUTHOR = "author"
    CHANGED = "changed"


@dataclass(frozen=True, eq=False, slots=True)
class RegionRow:
    """A region in a table.

    Attributes
    ----------
    number : int
        Its place on the page, from 1.
    region : Region
    hidden, locked : bool
    """

    number: int
    region: Region
    hidden: bool = False
    locked: bool = False

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the bounds in px."""
        left, top, right, bottom = self.region.bounds
        return right - left, bottom - top

    @property
    def author(self) -> str:
        """Who drew, changed or decided on the region last; empty where nobody is known."""
        return self.region.history[-1].author if self.region.history else ""

    @property
    def changed(self) -> datetime | None:
        """When that was."""
        return self.region.history[-1].time if self.region.history else None

    @property
    def marks(self) -> str:
        """What is marked about the region, in words; empty where nothing is."""
        words = ["uncertain"] if self.region.uncertain else []
        if self.region.ignore is Ignore.SYMBOL:
            words.append("ignored symbol")
        elif self.region.ignore is Ignore.AREA:
            words.append("ignored area")
        return ", ".join(words)


def list_regions(
    rows: Iterable[RegionRow],
    text: str = "",
    column: RegionColumn = RegionColumn.NUMBER,
    *,
    falling: bool = False,
) -> list[RegionRow]:
    """Order rows, and leave out those without some words.

    Parameters
    ----------
    rows : iterable of RegionRow
        In the order of the page.
    text : str
        Words in any case; each has to be in the label, the marks, the comment, the transcription or
        the author of a region, or to be its number after a "#". "unlabeled" finds regions without
        a label.
    column : RegionColumn
        Rows without a label, mark, comment or author come last, whichever way they are ordered.
    falling : bool
        Whether the largest comes first. Equal rows keep their order.

    Returns
    -------
    list of RegionRow

    Examples
    --------
    >>> square = ((0, 0), (2, 0), (2, 2))
    >>> rows = [RegionRow(n, Region(square, label)) for n, label in enumerate(("sofa", "bed"), 1)]
    >>> [row.region.label for row in list_regions(rows, column=RegionColumn.LABEL)]
    ['bed', 'sofa']
    >>> [row.number for row in list_regions(rows, "BED")]
    [2]
    """
    words = text.casefold().split()
    kept = [row for row in rows if _holds(row, words)] if words else list(rows)
    if column is RegionColumn.NUMBER:
        return kept[::-1] if falling else kept
    key = _KEYS[column]
    full: list[RegionRow] = []
    blank: list[RegionRow] = []
    for row in kept:
        (blank if key(row) == "" else full).append(row)
    full.sort(key=key, reverse=falling)
    return full + blank


def _holds(row: RegionRow, words: list[str]) -> bool:
    region = row.region
    label = region.label or "unlabeled"
    text = " ".join((label, row.marks, region.comment, region.text, row.author)).casefold()
    return all(word in text or word == f"#{row.number}" for word in words)


_KEYS: dict[RegionColumn, Callable[[RegionRow], Any]] = {
    RegionColumn.HIDDEN: lambda row: row.hidden,
    RegionColumn.LOCKED: lambda row: row.locked,
    RegionColumn.LABEL: lambda row: row.region.label.casefold(),
    RegionColumn.AREA: lambda row: row.region.area,
    RegionColumn.SIZE: lambda row: row.size,
    RegionColumn.MARKS: lambda row: row.marks,
    RegionColumn.COMMENT: lambda row: row.region.comment.casefold(),
    RegionColumn.AUTHOR: lambda row: row.author.casefold(),
    RegionColumn.CHANGED: lambda row: row.changed or "",
}
