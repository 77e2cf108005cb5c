"""What a session has taught: the regions that a person drew or accepted, and what they rejected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.spotting.symbols.engine.page_features import Query


@dataclass(frozen=True, eq=False)
class Lesson:
    """One region that is known to be, or not to be, of a label.

    Attributes
    ----------
    label : str
    query : Query
        The ink in the region alone, as the methods see it.
    good : bool
        It is of the label: drawn or accepted. Otherwise rejected: it is not of this label, and
        nothing is known of other labels.
    page : str
        The name of the page where it is.
    outline : (N, 2) float
        Open ring in px of that page.
    """

    label: str
    query: Query
    good: bool
    page: str
    outline: Points


@dataclass(frozen=True, eq=False)
class Lessons:
    """All that is known, in the order in which it was learned.

    Attributes
    ----------
    all : tuple of Lesson
    """

    all: tuple[Lesson, ...] = ()

    def __len__(self) -> int:
        return len(self.all)

    def with_accepted(self, label: str, query: Query, page: str, outline: ArrayLike) -> Lessons:
        """And this region is of the label: it was drawn, or a proposal was accepted."""
        return self._and(Lesson(label, query, True, page, polygon.as_points(outline)))

    def with_rejected(self, label: str, query: Query, page: str, outline: ArrayLike) -> Lessons:
        """And this region is not of the label: a proposal was rejected."""
        return self._and(Lesson(label, query, False, page, polygon.as_points(outline)))

    def without(self, page: str, outline: ArrayLike) -> Lessons:
        """All but what was said of this very outline, as when an answer is undone."""
        points = polygon.as_points(outline)
        return Lessons(
            tuple(
                each
                for each in self.all
                if each.page != page or not np.array_equal(each.outline, points)
            )
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels with a good example, in alphabetical order; what has none is unlabelled."""
        return tuple(sorted({each.label for each in self.all if each.good and each.label}))

    def _and(self, lesson: Lesson) -> Lessons:
        return Lessons((*self.all, lesson))
