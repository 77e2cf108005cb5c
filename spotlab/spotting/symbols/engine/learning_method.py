"""The interface of a method that learns from the truth of pages how symbols look.

Such a method has no query models of its own: all labelled regions are its examples. They are handed
to it page by page, so that a page can be left out of what it is searched with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from spotlab.geometry.outlines import Outlines
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.method import SymbolMethod
from spotlab.spotting.symbols.engine.page_features import (
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
)


@dataclass(frozen=True, eq=False)
class LabelledRegions:
    """The truth of a page, for a method that learns.

    Attributes
    ----------
    page : str
        Its name.
    outlines : Outlines
        The labelled regions, in px.
    labels : tuple of str
        Of each region.
    unknown : Outlines
        Areas of the page of which nothing is known: neither symbols nor background.
    complete : bool
        All symbols of the page are labelled; elsewhere nothing is background otherwise.
    """

    page: str
    outlines: Outlines
    labels: tuple[str, ...]
    unknown: Outlines
    complete: bool = True


class LearnedSymbols(ABC):
    """What a `LearningMethod` has learned; it goes to other processes, and should be small.

    Attributes
    ----------
    labels : tuple of str
        Those that it can find.
    counts : mapping of str to int
        Number of examples of each.
    calibrated : bool
        Scores are probabilities that were compared with what was right.
    """

    labels: tuple[str, ...]
    counts: Mapping[str, int]
    calibrated: bool

    @property
    @abstractmethod
    def digest(self) -> str:
        """Digest of all that decides what is found, for the names of files."""

    @abstractmethod
    def spot(self, page: PageFeatures) -> Mapping[str, QuerySpots]:
        """Find the spots of each label on a page.

        Parameters
        ----------
        page : PageFeatures
            After `LearningMethod.adopt`.

        Returns
        -------
        mapping of str to QuerySpots
            Best first, of every label of ``labels``; scores of shape (N,).
        """


class NothingLearned(LearnedSymbols):
    """Finds nothing: for a page that all lessons are about.

    Examples
    --------
    >>> NothingLearned().labels
    ()
    """

    labels: tuple[str, ...] = ()
    counts: Mapping[str, int] = MappingProxyType({})
    calibrated = True

    @property
    def digest(self) -> str:
        """Always the same."""
        return ""

    def spot(self, page: PageFeatures) -> Mapping[str, QuerySpots]:
        """Find nothing.

        Parameters
        ----------
        page : PageFeatures

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.feature_extraction import features_of_ink
        >>> NothingLearned().spot(features_of_ink(np.zeros((9, 9), bool), methods=[]))
        {}
        """
        return {}


class LearningMethod(SymbolMethod):
    """A method that learns from all labelled regions of pages."""

    def extract(self, page: PageFeatures) -> Arrays:
        """Extract the arrays that are kept of a page in a file; none by default.

        Parameters
        ----------
        page : PageFeatures

        Returns
        -------
        mapping of str to array
            Of any shape.
        """
        return {}

    def adopt(self, page: PageFeatures, kept: Arrays) -> bool:
        """Give a page the arrays that were kept of it, and say whether they can be its own.

        Parameters
        ----------
        page : PageFeatures
        kept : mapping of str to array
            Of any shape: the file may be damaged.
        """
        return True

    @abstractmethod
    def page_lesson(self, page: PageFeatures, truth: LabelledRegions) -> Any:
        """Choose what a page teaches.

        Parameters
        ----------
        page : PageFeatures
        truth : LabelledRegions

        Returns
        -------
        object
            For `learn`; small, and without the page: there may be thousands.
        """

    @abstractmethod
    def model_lesson(self, model: QueryFeatures) -> Any:
        """Choose what a picture of a single symbol teaches.

        Parameters
        ----------
        model : QueryFeatures

        Returns
        -------
        object
            For `learn`.
        """

    @abstractmethod
    def learn(self, lessons: Sequence[Any], progress: Progress = silent) -> LearnedSymbols | None:
        """Learn from lessons.

        Parameters
        ----------
        lessons : sequence
            Of `page_lesson` and `model_lesson`.
        progress : Progress

        Returns
        -------
        LearnedSymbols or None
            None where they teach too little.
        """
