"""Pages with their truth, and runs of spots on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.files import composed
from spotlab.geometry.polygon import Outlines
from spotlab.model.reading_order import OrderGroup
from spotlab.model.region import LabelSet, Region
from spotlab.representation import short_repr


class PageState(StrEnum):
    """Completeness of a page's truth."""

    UNTOUCHED = "untouched"  # nothing has been drawn
    DRAFT = "draft"  # regions are there, nobody has said that they are all
    CHECKED = "checked"  # somebody has said so
    UNCERTAIN = "uncertain"  # some region is flagged uncertain


def tags_have(tags: Iterable[str], wanted: str) -> bool:
    """Tell whether a tag is among these, or one of this key; see `Page.has_tag`."""
    folded = wanted.casefold()
    names = (tag.casefold() for tag in tags)
    return any(folded in (name, name.partition(":")[0]) for name in names)


@dataclass(frozen=True)
class Page:
    """One document image.

    Attributes
    ----------
    image : Path
        The image file.
    width, height : int
        Size in px as displayed, after any EXIF rotation.
    frame : int
        Index of the page in the file, from 0.
    frames : int
        Number of pages in the file.
    checked : bool
        Whether somebody marked the truth as complete.
    order : OrderGroup or None
        The order in which the regions are read; it may name regions that are not there.
    tags : tuple of str
        What somebody says of the page, such as "difficult", or with a value: "hand:B". White space
        is collapsed; none is empty or there twice.
    called : str
        What the collection calls the image, where its stem alone does not tell it from others:
        its path below the collection.
    image_id : int, str or None
        Id of the image in the COCO file that the page was read from, by which results of detectors
        name it. It makes no page another one.

    Raises
    ------
    ValueError
        If the page has no area, or ``frame`` is not within the file.
    """

    image: Path
    width: int
    height: int
    frame: int = 0
    frames: int = 1
    checked: bool = False
    order: OrderGroup | None = None
    tags: tuple[str, ...] = ()
    called: str = field(default="", compare=False)
    image_id: int | str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError(f"a page of {self.width} × {self.height} px has no area")
        if not 0 <= self.frame < self.frames:
            raise ValueError(f"there is no page {self.frame + 1} among {self.frames}")
        if self.tags:
            tidy = (" ".join(tag.split()) for tag in self.tags)
            object.__setattr__(self, "tags", tuple(dict.fromkeys(filter(None, tidy))))

    @property
    def name(self) -> str:
        """File name without extension in Unicode's composed form, or what the collection calls it;
        pages of a file with several are numbered from 1.

        Examples
        --------
        >>> Page(Path("plans/one.png"), 10, 10).name
        'one'
        >>> Page(Path("scan.tif"), 10, 10, frame=1, frames=3).name
        'scan_p2'
        >>> Page(Path("a/scan.tif"), 10, 10, called="a/scan").name
        'a/scan'
        """
        name = self.called or composed(self.image.stem)
        return name if self.frames == 1 else f"{name}_p{self.frame + 1}"

    def has_tag(self, wanted: str) -> bool:
        """Tell whether the page has a tag, or one of this key.

        Parameters
        ----------
        wanted : str
            Case does not count.

        Examples
        --------
        >>> page = Page(Path("one.png"), 9, 9, tags=("hand:B",))
        >>> page.has_tag("hand:b"), page.has_tag("hand"), page.has_tag("B")
        (True, True, False)
        """
        return tags_have(self.tags, wanted)

    @property
    def area(self) -> int:
        """Area in px²."""
        return self.width * self.height


@dataclass(frozen=True)
class Truth:
    """The truth of one page, as read from a file and written to one.

    Attributes
    ----------
    page : Page
        The page; its image may be missing.
    regions : tuple of Region
        In the order of the file.
    labels : LabelSet
        Colours and digits of labels that the file contains; may be empty.
    source : bytes
        The PAGE file it was read from, so that a save keeps elements that are not understood; empty
        if there is none.

    Raises
    ------
    ValueError
        If two regions have the same id.
    """

    page: Page
    regions: tuple[Region, ...] = ()
    labels: LabelSet = field(default_factory=LabelSet)
    source: bytes = field(default=b"", repr=False)

    __repr__ = short_repr

    def __post_init__(self) -> None:
        ids = {region.id for region in self.regions}
        if len(ids) != len(self.regions):
            raise ValueError("two regions of a page have the same id")

    @property
    def state(self) -> PageState:
        """Completeness of the truth, derived from its regions and the mark of the page."""
        if any(region.uncertain for region in self.regions):
            return PageState.UNCERTAIN
        if self.page.checked:
            return PageState.CHECKED
        return PageState.DRAFT if self.regions else PageState.UNTOUCHED


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


@dataclass(frozen=True)
class Spot:
    """One retrieved region.

    Attributes
    ----------
    query : str
        What was searched.
    page : str
        Where it was found, as the run names it.
    rank : int
        Rank within the query, from 1.
    score : float or None
        None where the run has no score.
    points : (N, 2) float
        Open ring in px, origin top left.
    label : str
        Class that the system assigned; empty where there is none.
    """

    query: str
    page: str
    rank: int
    score: float | None
    points: Points
    label: str = ""


@dataclass(frozen=True, eq=False)
class NameColumn:
    """A name for each spot, each name stored once.

    Attributes
    ----------
    names : tuple of str
        Different names.
    number : (N,) int
        Place in ``names`` of each spot's name.
    """

    names: tuple[str, ...]
    number: NDArray[np.int32]

    __repr__ = short_repr

    def sorted(self) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """The names that occur in alphabetical order, and each spot's place among them.

        Examples
        --------
        >>> names, number = NameColumn(("b", "unused", "a"), np.array([0, 2, 0])).sorted()
        >>> names, number.tolist()
        (('a', 'b'), [1, 0, 1])
        """
        occurs = np.bincount(self.number, minlength=len(self.names)) > 0
        order = sorted(np.flatnonzero(occurs).tolist(), key=self.names.__getitem__)
        place = np.zeros(len(self.names), np.int32)
        place[order] = np.arange(len(order))
        return tuple(self.names[at] for at in order), place[self.number]


@dataclass(frozen=True, eq=False)
class Run:
    """Ranked spots, sorted by query and rank; make it with `Run.ordered`.

    Attributes
    ----------
    name : str
        Name of the system.
    queries, pages, labels : tuple of str
        Names of queries, of pages as the run names them, and of labels.
    query, page : (N,) int
        Indices into ``queries`` and ``pages``.
    score : (N,) float
        NaN where the run has no score.
    outlines : Outlines
        N retrieved regions.
    label : (N,) int
        Index into ``labels``; -1 where the run has no label.
    tied : (N,) bool
        Whether the order among spots of equal rank or score is only that of the file.
    line : (N,) int
        Line, row or element of the file, from 1; 0 where there is no file.
    source : Path or None
        The file or folder.
    models : tuple of QueryModel
        Where its queries were taken from, as far as that is known.
    provenance : mapping of str to str
        What made the run: method, settings, versions, date, hashes of its input; empty where
        nobody says it.
    """

    name: str
    queries: tuple[str, ...]
    pages: tuple[str, ...]
    labels: tuple[str, ...]
    query: NDArray[np.int32]
    page: NDArray[np.int32]
    score: NDArray[np.float64]
    outlines: Outlines
    label: NDArray[np.int32]
    tied: NDArray[np.bool_]
    line: NDArray[np.int64]
    source: Path | None = None
    models: tuple[QueryModel, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)

    __repr__ = short_repr

    @classmethod
    def ordered(
        cls,
        name: str,
        queries: Sequence[str],
        pages: Sequence[str],
        outlines: Outlines,
        *,
        rank: NDArray[np.float64] | None = None,
        score: NDArray[np.float64] | None = None,
        labels: Sequence[str] | None = None,
        line: NDArray[np.int64] | None = None,
        source: Path | None = None,
        provenance: Mapping[str, str] | None = None,
    ) -> Run:
        """Make a run of spots in any order.

        The spots of a query are sorted by rank if all have one, else by descending score. Equal
        spots keep their order and are marked as tied.

        Parameters
        ----------
        name : str
            Name of the system.
        queries, pages : sequence of str
            Query and page of each of N spots.
        outlines : Outlines
            N retrieved regions.
        rank, score : (N,) float, optional
            NaN where there is none.
        labels : sequence of str, optional
            Class of each spot; empty where there is none.
        line : (N,) int, optional
            Line, row or element of the file, from 1.
        source : Path, optional
            The file or folder.
        provenance : mapping of str to str, optional
            What made the run.

        Returns
        -------
        Run
            Of N spots.

        Raises
        ------
        ValueError
            If a query has spots without rank and spots without score, so that it has no order.

        Examples
        --------
        >>> square = [(0, 0), (1, 0), (1, 1)]
        >>> run = Run.ordered("a", ["x", "x"], ["p", "q"], Outlines.of([square, square]),
        ...                   score=np.array([0.1, 0.9]))
        >>> run.spot(0).page, run.spot(0).rank, run.spot(1).score
        ('q', 1, 0.1)
        """
        return cls.of_columns(
            name, _numbered(queries), _numbered(pages), outlines, rank=rank, score=score,
            labels=None if labels is None else _numbered(labels), line=line, source=source,
            provenance=provenance,
        )  # fmt: skip

    @classmethod
    def of_columns(
        cls,
        name: str,
        queries: NameColumn,
        pages: NameColumn,
        outlines: Outlines,
        *,
        rank: NDArray[np.float64] | None = None,
        score: NDArray[np.float64] | None = None,
        labels: NameColumn | None = None,
        line: NDArray[np.int64] | None = None,
        source: Path | None = None,
        provenance: Mapping[str, str] | None = None,
    ) -> Run:
        """Make a run as `ordered` does, of names that are stored once each.

        Parameters
        ----------
        name : str
            Name of the system.
        queries, pages : NameColumn
            Query and page of each of N spots.
        outlines : Outlines
            N retrieved regions.
        rank, score, line, source, provenance
            See `ordered`.
        labels : NameColumn, optional
            Class of each spot; an empty name where there is none.

        Returns
        -------
        Run
            Of N spots; it keeps ``outlines`` if they are in order.

        Raises
        ------
        ValueError
            See `ordered`.

        Examples
        --------
        >>> square, number = [(0, 0), (1, 0), (1, 1)], np.array([0, 0], np.int32)
        >>> run = Run.of_columns("a", NameColumn(("x",), number), NameColumn(("p",), number),
        ...                      Outlines.of([square] * 2), score=np.array([0.1, 0.9]))
        >>> run.queries, run.score.tolist()
        (('x',), [0.9, 0.1])
        """
        count = len(outlines)
        nothing = np.full(count, np.nan)
        rank = nothing if rank is None else np.asarray(rank, np.float64)
        score = nothing if score is None else np.asarray(score, np.float64)
        query_names, query = queries.sorted()
        page_names, page = pages.sorted()
        label_names, label = (labels or NameColumn(("",), np.zeros(count, np.int32))).sorted()
        ranked = np.bincount(query, np.isnan(rank), len(query_names)) == 0
        scored = np.bincount(query, np.isnan(score), len(query_names)) == 0
        for number in np.flatnonzero(~ranked & ~scored):
            raise ValueError(
                f"query {query_names[number]!r} has spots without rank and spots without score"
            )
        key = np.where(ranked[query], rank, -score) if count else nothing
        order = _order(key, query)
        sorted_key, sorted_query = key[order], query[order]
        equal = (sorted_key[1:] == sorted_key[:-1]) & (sorted_query[1:] == sorted_query[:-1])
        tied = np.zeros(count, np.bool_)
        tied[1:] |= equal
        tied[:-1] |= equal
        unnamed = np.array([not text for text in label_names], np.bool_)
        label = np.where(unnamed[label], -1, label)[order].astype(np.int32)
        if isinstance(order, np.ndarray):
            outlines = outlines.arranged(order)
        return cls(
            name, query_names, page_names, label_names, sorted_query, page[order], score[order],
            outlines, label, tied, np.zeros(count, np.int64) if line is None else line[order],
            source, provenance=dict(provenance or {}),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Index of the first spot of each query, and of the end, (queries + 1,)."""
        return np.searchsorted(self.query, np.arange(len(self.queries) + 1))

    @cached_property
    def page_counts(self) -> tuple[int, ...]:
        """Number of spots on each of ``pages``."""
        return tuple(np.bincount(self.page, minlength=len(self.pages)).tolist())

    @cached_property
    def rank(self) -> NDArray[np.int64]:
        """Rank of each spot within its query, (N,), from 1."""
        return np.arange(1, len(self) + 1) - self.starts[self.query]

    def spot(self, index: int) -> Spot:
        """Look up one spot.

        Parameters
        ----------
        index : int
            Index of the spot.

        Returns
        -------
        Spot
            With names instead of indices.
        """
        score, label = float(self.score[index]), int(self.label[index])
        return Spot(
            self.queries[self.query[index]],
            self.pages[self.page[index]],
            int(self.rank[index]),
            None if np.isnan(score) else score,
            self.outlines[index],
            self.labels[label] if label >= 0 else "",
        )


def _numbered(names: Sequence[str]) -> NameColumn:
    different = tuple(sorted(set(names)))
    number = {name: index for index, name in enumerate(different)}
    return NameColumn(
        different, np.fromiter((number[name] for name in names), np.int32, len(names))
    )


def _order(key: NDArray[np.float64], query: NDArray[np.int32]) -> NDArray[np.int64] | slice:
    """Order of spots by query and then by key; a slice of all where they are in order."""
    further = query[1:] > query[:-1]
    behind = (query[1:] == query[:-1]) & (key[1:] >= key[:-1])
    return slice(None) if (further | behind).all() else np.lexsort((key, query))
