"""Regions in a list: which are selected, hidden, locked or copied, and the rows of a panel."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from spotlab.editing.document import Document
from spotlab.editing.operations import bounds_of, move_all
from spotlab.editing.operations.outline import named
from spotlab.errors import SpotlabError
from spotlab.formats.rows.json_values import parse_json
from spotlab.model import Attributes, Ignore, Page, Primitive, Region, new_id
from spotlab.signal import Signal


class Selection:
    """An ordered set of region ids; ``changed`` is emitted when it has become another.

    Examples
    --------
    >>> selection = Selection()
    >>> selection.set(["a", "b"])
    >>> selection.toggle("a")
    >>> selection.ids, selection.primary
    (('b',), 'b')
    """

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}
        self._order: tuple[str, ...] = ()
        self._known: tuple[Document, int, tuple[str, ...], tuple[Region, ...]] | None = None
        self.changed = Signal[[]]()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __contains__(self, id: object) -> bool:
        return id in self._ids

    @property
    def ids(self) -> tuple[str, ...]:
        """The selected ids, the one selected last at the end; the same tuple until they change."""
        return self._order

    @property
    def primary(self) -> str | None:
        """The one selected last, which has the handles; None where nothing is selected."""
        return next(reversed(self._ids), None)

    def regions(self, document: Document) -> tuple[Region, ...]:
        """The selected regions that the document has, in the order of selection.

        They are looked up once for all who ask until the document or the selection is another.
        """
        if self._known is not None:
            of, version, ids, regions = self._known
            if of is document and version == document.version and ids is self._order:
                return regions
        found = document.regions_of(self._order)
        self._known = document, document.version, self._order, found
        return found

    def set(self, ids: Iterable[str]) -> None:
        """Select these and no others."""
        self._become(dict.fromkeys(ids))

    def add(self, *ids: str) -> None:
        """Select these, too; they come last in the order, even if they were in already."""
        added = dict.fromkeys(ids)
        self._become({**{id: None for id in self._ids if id not in added}, **added})

    def toggle(self, *ids: str) -> None:
        """Select those of them that are not, unselect those that are."""
        toggled = dict.fromkeys(ids)
        kept = {id: None for id in self._ids if id not in toggled}
        self._become({**kept, **{id: None for id in toggled if id not in self._ids}})

    def remove(self, *ids: str) -> None:
        """Unselect these."""
        gone = set(ids)
        self._become({id: None for id in self._ids if id not in gone})

    def clear(self) -> None:
        """Select nothing."""
        self._become({})

    def prune(self, document: Document) -> None:
        """Unselect what the document no longer has."""
        there = document.regions_of(self._order)
        if len(there) < len(self):
            self._become({region.id: None for region in there})

    def _become(self, ids: dict[str, None]) -> None:
        order = tuple(ids)
        if order != self._order:
            self._ids, self._order = ids, order
            self.changed.emit()


class RegionMarks:
    """A mark on labels, and on single regions of a page that differ from their label.

    The marks are of the program, not of the truth: no file has them.

    Attributes
    ----------
    only : str or None
        The label that alone is not marked; None while labels are marked one by one.

    Examples
    --------
    >>> sofa, bed = (Region(((0, 0), (9, 0), (9, 9)), label) for label in ("sofa", "bed"))
    >>> marks = RegionMarks()
    >>> marks.set_label("sofa", True)
    >>> marks.set_regions([bed], True)
    >>> marks.has(sofa), marks.has(bed), marks.has_label("bed")
    (True, True, False)
    """

    def __init__(self) -> None:
        self.only: str | None = None
        self._labels: set[str] = set()
        self._own: dict[Hashable, dict[str, tuple[str, bool]]] = {}
        self._page: Hashable = None

    def __bool__(self) -> bool:
        return self.only is not None or bool(self._labels) or any(self._own.values())

    def use_page(self, page: Hashable) -> None:
        """The regions that are asked for are those of this page from now on."""
        self._page = page

    def has(self, region: Region) -> bool:
        """Tell whether the region is marked: by itself, or else by its label."""
        own = self._own.get(self._page)
        if own and region.id in own:
            return own[region.id][1]
        return self.has_label(region.label)

    def has_label(self, label: str) -> bool:
        """Tell whether regions of a label are marked; "" stands for those without one."""
        return label != self.only if self.only is not None else label in self._labels

    def set_label(self, label: str, marked: bool, known: Iterable[str] = ()) -> None:
        """Mark all regions of a label, or none, those with a mark of their own included.

        Parameters
        ----------
        label : str
        marked : bool
        known : iterable of str
            The labels that stay marked where all but one were.
        """
        if self.only is not None:
            self._labels = {name for name in known if name != self.only}
            self.only = None
        self._forget([label])
        if marked:
            self._labels.add(label)
        else:
            self._labels.discard(label)

    def set_only(self, label: str) -> None:
        """Mark the regions of all labels but this one."""
        self.clear()
        self.only = label

    def set_regions(self, regions: Iterable[Region], marked: bool) -> None:
        """Mark these regions of the page, or not, whatever their labels are."""
        own = self._own.setdefault(self._page, {})
        for region in regions:
            if self.has_label(region.label) == marked:
                own.pop(region.id, None)
            else:
                own[region.id] = (region.label, marked)

    def rename(self, old: str, new: str) -> None:
        """A label has another name, or has joined one."""
        self._forget([old])
        if self.only == old:
            self.only = new
        if old in self._labels:
            self._labels.discard(old)
            self._labels.add(new)

    def clear(self) -> None:
        """Nothing is marked."""
        self.only = None
        self._labels.clear()
        self._own.clear()

    def _forget(self, labels: Iterable[str]) -> None:
        """Single regions of these labels have no mark of their own any more."""
        gone = set(labels)
        for own in self._own.values():
            for id in [id for id, (label, _) in own.items() if label in gone]:
                del own[id]


class RegionColumn(StrEnum):
    """The columns by which rows can be ordered."""

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
        """Name of the person who drew, changed or decided on the region last; empty if unknown."""
        return self.region.history[-1].author if self.region.history else ""

    @property
    def changed(self) -> datetime | None:
        """Tell when that was."""
        return self.region.history[-1].time if self.region.history else None

    @property
    def marks(self) -> str:
        """The region's marks in words; empty where there are none."""
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


KIND = "spotlab regions"
VERSION = 1


@dataclass(frozen=True)
class Clipboard:
    """Copied regions and the size in px of the page that they come from.

    Examples
    --------
    >>> from pathlib import Path
    >>> page = Page(Path("one.png"), 100, 100)
    >>> copied = Clipboard.of([Region(((0, 0), (4, 0), (4, 4)), "sofa")], page)
    >>> pasted = Clipboard.from_text(copied.text()).paste(page)[0]
    >>> pasted.label, pasted.points == copied.regions[0].points, pasted.id == copied.regions[0].id
    ('sofa', True, False)
    """

    regions: tuple[Region, ...]
    page_size: tuple[int, int]

    @classmethod
    def of(cls, regions: Iterable[Region], page: Page) -> Clipboard:
        """Copy regions of a page.

        Raises
        ------
        SpotlabError
            There are none.
        """
        copied = tuple(regions)
        if not copied:
            raise SpotlabError("There is nothing to copy: select a region first")
        return cls(copied, (page.width, page.height))

    def paste(self, page: Page, step: tuple[float, float] = (0, 0)) -> list[Region]:
        """The regions with ids of their own, at the place where they were copied, plus a step.

        Sizes in px are kept, as pages of one collection mostly have one scale. On a smaller page
        all are moved together as little as puts them on it; where they are too far apart for that,
        each by itself.

        Parameters
        ----------
        page : Page
            Where they go.
        step : (dx, dy), optional
            In px; to see copies on the page that they come from.

        Raises
        ------
        SpotlabError
            One of them is larger than the page; none is pasted.
        """
        for region in self.regions:
            left, top, right, bottom = region.bounds
            if right - left > page.width or bottom - top > page.height:
                raise SpotlabError(
                    f"{named(region).capitalize()} of {right - left:g} × {bottom - top:g} px is "
                    f"larger than this page of {page.width} × {page.height} px; nothing was pasted"
                )
        left, top, right, bottom = bounds_of(self.regions)
        if right - left <= page.width and bottom - top <= page.height:
            placed = move_all(self.regions, *step, page)
        else:
            placed = [move_all([region], *step, page)[0] for region in self.regions]
        return [replace(region, id=new_id(), history=()) for region in placed]

    def text(self) -> str:
        """JSON for the system's clipboard."""
        regions = [
            {
                "points": region.points,
                "label": region.label,
                "primitive": region.primitive,
                "uncertain": region.uncertain,
                "comment": region.comment,
                "text": region.text,
                "ignore": region.ignore,
                "attributes": region.attributes,
            }
            for region in self.regions
        ]
        content = {"kind": KIND, "version": VERSION, "page": self.page_size, "regions": regions}
        return json.dumps(content, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> Clipboard:
        """Read what `text` wrote, in this or another window.

        Raises
        ------
        SpotlabError
            The text is something else, or of a newer version.
        """
        try:
            content = parse_json(text)
        except ValueError:
            content = None
        if not isinstance(content, dict) or content.get("kind") != KIND:
            raise SpotlabError("The clipboard holds no regions")
        if content.get("version") != VERSION:
            raise SpotlabError("The regions in the clipboard are from another version of spotlab")
        try:
            width, height = content["page"]
            regions = tuple(_region(value) for value in content["regions"])
            size = int(width), int(height)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise SpotlabError("The regions in the clipboard are damaged") from error
        if not regions:
            raise SpotlabError("The clipboard holds no regions")
        return cls(regions, size)


def _region(value: dict[str, Any]) -> Region:
    return Region(
        tuple((float(x), float(y)) for x, y in value["points"]),
        label=str(value["label"]),
        primitive=Primitive(value["primitive"]),
        uncertain=bool(value["uncertain"]),
        comment=str(value["comment"]),
        text=str(value["text"]),
        ignore=Ignore(value.get("ignore", Ignore.NO)),  # earlier versions have none
        attributes=Attributes((str(name), it) for name, it in value.get("attributes", ())),
    )
