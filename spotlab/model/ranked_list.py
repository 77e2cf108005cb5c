"""Ranked lists: items, such as the word images of a collection, ordered by a system's score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from spotlab.representation import short_repr

MANY = 4_000  # scores from which on sorting by digits is faster


def ascending_order(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Sort as `numpy.argsort` does with ``kind="stable"``, many values in a third of the time.

    Parameters
    ----------
    values : (N,) float
        None is NaN.

    Returns
    -------
    (N,) int
        Equal values keep their order.

    Examples
    --------
    >>> ascending_order(np.array([0.5, 0.2, 0.5, 0.1]))
    array([3, 1, 0, 2])
    """
    if len(values) < MANY:
        return np.argsort(values, kind="stable")
    low, high = values.min(), values.max()
    with np.errstate(all="ignore"):
        scale = (2.0**32 - 1) / (high - low)
    if not 0 < scale < np.inf:  # all are equal, or some infinite
        return np.argsort(values, kind="stable")
    digits = ((values - low) * scale).astype(np.uint32)
    order = np.argsort((digits & 0xFFFF).astype(np.uint16), kind="stable")
    order = order[np.argsort((digits >> 16).astype(np.uint16)[order], kind="stable")]
    ordered = values[order]
    if (ordered[1:] < ordered[:-1]).any():  # few differ by less than a digit
        order = order[np.argsort(ordered, kind="stable")]
    return order


@dataclass(frozen=True, eq=False)
class Items:
    """N places on pages, or things that only have a name.

    Attributes
    ----------
    pages : tuple of str
        Names of the pages.
    page : (N,) int
        Index into ``pages``; -1 for an item without a place.
    boxes : (N, 4) float
        Left, top, right, bottom in px, origin top left; NaN for an item without a place.
    texts : tuple of (str or None)
        Transcription of each item, None where it is unknown; empty if all are unknown.
    names : tuple of str
        Name of each item, such as a document of TREC, or an empty string; empty if no item has one.
    partial : frozenset of str
        Names of pages where there may be more than these items, such as pages of which only some
        words are transcribed.
    line : (N,) int
        The number of the transcribed line that an item is a word of, where nothing but the line's
        place is known and the item's box is an estimate; else -1. Left out: -1 for all.

    Raises
    ------
    ValueError
        If columns have different lengths, a box has no area, or an item has neither place nor name.
    """

    pages: tuple[str, ...]
    page: NDArray[np.int64]
    boxes: NDArray[np.float64]
    texts: tuple[str | None, ...] = ()
    names: tuple[str, ...] = ()
    partial: frozenset[str] = frozenset()
    line: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    __repr__ = short_repr

    def __post_init__(self) -> None:
        page = np.asarray(self.page, dtype=np.int64).reshape(-1)
        boxes = np.asarray(self.boxes, dtype=np.float64).reshape(-1, 4)
        object.__setattr__(self, "page", page)
        object.__setattr__(self, "boxes", boxes)
        line = np.asarray(self.line, dtype=np.int64).reshape(-1)
        line = line if len(line) else np.full(len(page), -1, np.int64)
        object.__setattr__(self, "line", line)
        given = [len(column) for column in (self.texts, self.names) if column]
        if {len(boxes), len(line), *given} != {len(page)}:
            raise ValueError("the columns of items have different lengths")
        if len(page) and not (page.min() >= -1 and page.max() < len(self.pages)):
            raise ValueError("an item is on a page that is not there")
        placed = page >= 0
        if not (boxes[placed, :2] < boxes[placed, 2:]).all():
            raise ValueError("an item's box has no area")
        if not placed.all():
            if not np.isnan(boxes[~placed]).all():
                raise ValueError("an item has a box but no page")
            if not self.names or not all(self.names[at] for at in np.flatnonzero(~placed)):
                raise ValueError("an item has neither a place nor a name")

    def __len__(self) -> int:
        return len(self.page)

    @classmethod
    def named(cls, names: Iterable[str]) -> Items:
        """Make items that have only a name.

        Parameters
        ----------
        names : iterable of str
            N names.

        Returns
        -------
        Items
            Without pages.

        Examples
        --------
        >>> Items.named(["FT923-11593"]).name(0)
        'FT923-11593'
        """
        names = tuple(names)
        return cls((), np.full(len(names), -1), np.full((len(names), 4), np.nan), names=names)

    def name(self, item: int) -> str:
        """Name of an item, or its place as a line of a list has it.

        Parameters
        ----------
        item : int
            Index of the item.

        Returns
        -------
        str
            The name, else "page,x,y,width,height" in px.

        Examples
        --------
        >>> Items(("270",), [0], [[10, 20, 40, 32.5]]).name(0)
        '270,10,20,30,12.5'
        """
        if self.names and self.names[item]:
            return self.names[item]
        left, top, right, bottom = self.boxes[item].tolist()
        numbers = (left, top, right - left, bottom - top)
        return ",".join([self.page_name(item), *(f"{number:.15g}" for number in numbers)])

    def text(self, item: int) -> str | None:
        """Transcription of an item.

        Parameters
        ----------
        item : int
            Index of the item.

        Returns
        -------
        str or None
            None where it is unknown.
        """
        return self.texts[item] if self.texts else None

    def page_name(self, item: int) -> str:
        """Name of the page of an item.

        Parameters
        ----------
        item : int
            Index of the item.

        Returns
        -------
        str
            Empty for an item without a place.
        """
        page = int(self.page[item])
        return self.pages[page] if page >= 0 else ""

    @property
    def exact(self) -> Items:
        """The items whose own boxes are known, not only the line that they are in."""
        is_exact = self.line < 0
        return self if is_exact.all() else self.take(np.flatnonzero(is_exact))

    def take(self, places: Iterable[int] | NDArray[np.int64]) -> Items:
        """Keep some items.

        Parameters
        ----------
        places : (K,) int
            Indices of the items in their new order.

        Returns
        -------
        Items
            On the same pages.

        Examples
        --------
        >>> items = Items(("a", "b"), [0, 1], [[0, 0, 9, 9], [1, 1, 5, 5]], ("one", "two"))
        >>> items.take([1]).texts
        ('two',)
        """
        chosen = np.asarray(places, dtype=np.int64).reshape(-1)
        texts = tuple(self.texts[at] for at in chosen) if self.texts else ()
        names = tuple(self.names[at] for at in chosen) if self.names else ()
        return Items(
            self.pages, self.page[chosen], self.boxes[chosen], texts, names, self.partial,
            self.line[chosen],
        )  # fmt: skip


SPARSE = 16  # items of which one is listed, from which on a mark for each takes longer than sorting


@dataclass(frozen=True, eq=False)
class RankedList:
    """Items by descending score; make it with `RankedList.ordered`.

    Attributes
    ----------
    name : str
        Name of the system or fusion.
    item : (K,) int
        Indices into the `Items` that the list is about, each at most once, best first.
    score : (K,) float
        Descending scores.

    Raises
    ------
    ValueError
        If lengths differ, scores ascend or are NaN, or an item comes twice.
    """

    name: str
    item: NDArray[np.int64]
    score: NDArray[np.float64]

    __repr__ = short_repr

    def __post_init__(self) -> None:
        item = np.asarray(self.item, dtype=np.int64).reshape(-1)
        score = np.asarray(self.score, dtype=np.float64).reshape(-1)
        object.__setattr__(self, "item", item)
        object.__setattr__(self, "score", score)
        if len(item) != len(score):
            raise ValueError("the columns of a ranked list have different lengths")
        if np.isnan(score).any() or (np.diff(score) > 0).any():
            raise ValueError("the scores of a ranked list have to fall")
        if _repeats(item):
            raise ValueError("an item is in a ranked list twice")

    def __len__(self) -> int:
        return len(self.item)

    @classmethod
    def ordered(cls, name: str, scores: NDArray[np.float64]) -> RankedList:
        """Rank items by score; items of equal score keep their order.

        Parameters
        ----------
        name : str
            Name of the list.
        scores : (N,) float
            Score of every item; items with NaN are left out.

        Returns
        -------
        RankedList
            Of at most N items.

        Examples
        --------
        >>> RankedList.ordered("NN", np.array([0.2, np.nan, 0.9, 0.2])).item
        array([2, 0, 3])
        """
        scores = np.asarray(scores, dtype=np.float64)
        listed = np.flatnonzero(~np.isnan(scores))
        order = listed[ascending_order(-scores[listed])]
        return cls(name, order, scores[order])


def _repeats(item: NDArray[np.int64]) -> bool:
    """Tell whether an item comes twice."""
    if not len(item) or item.min() < 0 or item.max() > SPARSE * len(item):
        return len(np.unique(item)) != len(item)
    seen = np.zeros(int(item.max()) + 1, np.bool_)
    seen[item] = True
    return int(np.count_nonzero(seen)) != len(item)


def joined_items(items: Items, more: Items) -> Items:
    """Items, and more behind them.

    Examples
    --------
    >>> one = Items(("a",), [0], [[0, 0, 9, 9]])
    >>> both = joined_items(one, Items(("b", "a"), [1], [[5, 0, 9, 9]], ("own",)))
    >>> [both.page_name(item) for item in (0, 1)], both.texts
    (['a', 'a'], (None, 'own'))
    """
    if not len(more):
        return items
    pages = tuple(dict.fromkeys([*items.pages, *more.pages]))
    number = {name: place for place, name in enumerate(pages)}
    moved = [number[more.pages[page]] if page >= 0 else -1 for page in more.page.tolist()]
    nothing: tuple[None, ...] = (None,)
    texts = (items.texts or nothing * len(items)) + (more.texts or nothing * len(more))
    names = (items.names or ("",) * len(items)) + (more.names or ("",) * len(more))
    return Items(
        pages,
        np.concatenate([items.page, np.array(moved, np.int64)]),
        np.concatenate([items.boxes, more.boxes]),
        texts if items.texts or more.texts else (),
        names if items.names or more.names else (),
    )
