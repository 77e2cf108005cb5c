"""Labelled examples: the regions that a person drew or accepted, and those that they rejected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.spotting.symbols.engine.page_features import QueryFeatures


@dataclass(frozen=True, eq=False)
class LabelledExample:
    """One region that is known to be, or not to be, of a label.

    Attributes
    ----------
    label : str
    query : QueryFeatures
        Of the ink in the region alone.
    is_positive : bool
        It is of the label: drawn or accepted. Otherwise it was rejected: it is not of this label,
        and nothing is known of other labels.
    page : str
        The name of the page where it is.
    outline : (N, 2) float
        Open ring in px of that page.
    """

    label: str
    query: QueryFeatures
    is_positive: bool
    page: str
    outline: Points


@dataclass(frozen=True, eq=False)
class LabelledExamples:
    """All examples, in the order in which they were given.

    Attributes
    ----------
    all : tuple of LabelledExample

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
    >>> from spotlab.spotting.symbols.engine.query_model import draw_model
    >>> query = features_of_model(draw_model("bed", [[(0, 0), (20, 0), (20, 10)]], pen=2), [])
    >>> ring = [(0, 0), (20, 0), (20, 10)]
    >>> examples = LabelledExamples().with_accepted("bed", query, "page", ring)
    >>> len(examples), examples.labels, len(examples.without("page", ring))
    (1, ('bed',), 0)
    """

    all: tuple[LabelledExample, ...] = ()

    def __len__(self) -> int:
        return len(self.all)

    def with_accepted(
        self, label: str, query: QueryFeatures, page: str, outline: ArrayLike
    ) -> LabelledExamples:
        """Add a region that is of the label: it was drawn, or a proposal was accepted.

        Parameters
        ----------
        label : str
        query : QueryFeatures
            Of the ink in the region.
        page : str
        outline : (N, 2) array_like
            In px of the page.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
        >>> from spotlab.spotting.symbols.engine.query_model import draw_model
        >>> ring = [(0, 0), (20, 0), (20, 10)]
        >>> query = features_of_model(draw_model("bed", [ring], pen=2), [])
        >>> LabelledExamples().with_accepted("bed", query, "page", ring).labels
        ('bed',)
        """
        return self._and(LabelledExample(label, query, True, page, polygon.as_points(outline)))

    def with_rejected(
        self, label: str, query: QueryFeatures, page: str, outline: ArrayLike
    ) -> LabelledExamples:
        """Add a region that is not of the label: a proposal was rejected.

        Parameters
        ----------
        label : str
        query : QueryFeatures
            Of the ink in the region.
        page : str
        outline : (N, 2) array_like
            In px of the page.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
        >>> from spotlab.spotting.symbols.engine.query_model import draw_model
        >>> ring = [(0, 0), (20, 0), (20, 10)]
        >>> query = features_of_model(draw_model("bed", [ring], pen=2), [])
        >>> LabelledExamples().with_rejected("bed", query, "page", ring).labels
        ()
        """
        return self._and(LabelledExample(label, query, False, page, polygon.as_points(outline)))

    def without(self, page: str, outline: ArrayLike) -> LabelledExamples:
        """Remove the examples with exactly this outline, as when an answer is undone.

        Parameters
        ----------
        page : str
        outline : (N, 2) array_like
            In px of the page.

        Examples
        --------
        >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_model
        >>> from spotlab.spotting.symbols.engine.query_model import draw_model
        >>> ring = [(0, 0), (20, 0), (20, 10)]
        >>> query = features_of_model(draw_model("bed", [ring], pen=2), [])
        >>> examples = LabelledExamples().with_accepted("bed", query, "page", ring)
        >>> len(examples.without("page", ring)), len(examples.without("another page", ring))
        (0, 1)
        """
        points = polygon.as_points(outline)
        return LabelledExamples(
            tuple(
                example
                for example in self.all
                if example.page != page or not np.array_equal(example.outline, points)
            )
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels with a positive example, in alphabetical order; "" is none."""
        return tuple(
            sorted({example.label for example in self.all if example.is_positive and example.label})
        )

    def _and(self, example: LabelledExample) -> LabelledExamples:
        return LabelledExamples((*self.all, example))
