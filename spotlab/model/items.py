"""Items: what ranked lists are made of, such as the word images of a collection, in columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Items:
    """Places on pages.

    Attributes
    ----------
    pages : tuple of str
        The names that ``page`` refers to.
    page : (N,) int
        Position in ``pages``.
    boxes : (N, 4) float
        left, top, right, bottom in px, origin top left.
    texts : tuple of (str or None), or empty
        What is written there, where it is known; empty where nothing is.

    Raises
    ------
    ValueError
        The columns do not fit together, or a box has no area.
    """

    pages: tuple[str, ...]
    page: NDArray[np.int64]
    boxes: NDArray[np.float64]
    texts: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        page = np.asarray(self.page, dtype=np.int64).reshape(-1)
        boxes = np.asarray(self.boxes, dtype=np.float64).reshape(-1, 4)
        object.__setattr__(self, "page", page)
        object.__setattr__(self, "boxes", boxes)
        if len(boxes) != len(page) or (self.texts and len(self.texts) != len(page)):
            raise ValueError("the columns of items have different lengths")
        if len(page) and not (page.min() >= 0 and page.max() < len(self.pages)):
            raise ValueError("an item is on a page that is not there")
        if not (boxes[:, :2] < boxes[:, 2:]).all():
            raise ValueError("an item's box has no area")

    def __len__(self) -> int:
        return len(self.page)

    def text(self, item: int) -> str | None:
        """What is written there; None where that is not known."""
        return self.texts[item] if self.texts else None

    def page_name(self, item: int) -> str:
        """The page that it is on."""
        return self.pages[int(self.page[item])]

    def take(self, places: Iterable[int] | NDArray[np.int64]) -> Items:
        """Some of them, in the order given.

        Examples
        --------
        >>> items = Items(("a", "b"), [0, 1], [[0, 0, 9, 9], [1, 1, 5, 5]], ("one", "two"))
        >>> items.take([1]).texts
        ('two',)
        """
        chosen = np.asarray(places, dtype=np.int64).reshape(-1)
        texts = tuple(self.texts[at] for at in chosen) if self.texts else ()
        return Items(self.pages, self.page[chosen], self.boxes[chosen], texts)
