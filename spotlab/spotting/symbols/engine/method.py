"""Interfaces of methods of symbol spotting, and the extraction of what they need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink, InkMethod, InkSettings, binarise
from spotlab.imaging.reading.pyramid import Pixels
from spotlab.imaging.stroke_outline import pen_width
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.drawing.contours import Primitives, find_primitives
from spotlab.spotting.symbols.engine.page_features import (
    INK,
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
    SymbolModel,
    pack_ink,
)


class SymbolMethod(ABC):
    """Base class of all methods; its two kinds are `SpottingMethod` and `LearningMethod`.

    Attributes
    ----------
    name : str
        One word, for commands and runs.
    title, definition : str
        For people: what it is called, and in a sentence what it does.
    min_score : float
        Spots with a lower score, from 0 to 1, are kept out of runs by default.
    """

    name: str
    title: str
    definition: str
    min_score: float = 0.0


class SpottingMethod(SymbolMethod):
    """A method that compares pages with query models, one at a time.

    It extracts features of a page once, then answers many queries.
    """

    @abstractmethod
    def extract(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """Extract the arrays that are kept of a page or query model.

        Parameters
        ----------
        ink : (H, W) bool
        primitives : Primitives
            Of this ink.
        pen : float
            Width of a usual line in px.

        Returns
        -------
        mapping of str to array
            Of any shape; they go into a file. `PageFeatures.arrays` has them under `name`.
        """

    def is_sound(self, kept: Arrays, primitives: Primitives) -> bool:
        """Say whether arrays that were read from a file can be those of `extract`.

        Parameters
        ----------
        kept : mapping of str to array
            Of any shape: the file may be damaged.
        primitives : Primitives
            From the same file.
        """
        return True

    @abstractmethod
    def spot(self, page: PageFeatures, query: QueryFeatures) -> QuerySpots:
        """Find a query on a page.

        Parameters
        ----------
        page : PageFeatures
            With the arrays of `extract`.
        query : QueryFeatures
            Likewise; it may have no ink and no primitives.

        Returns
        -------
        QuerySpots
            Best first, the same whenever and wherever it is called; empty where the query is not
            found. Outlines in px of the page, of shape (N, 2), where a pixel is a square from its
            whole number to the next.
        """


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
    keeps_page : bool
        The lesson may keep the page's features: few pages of all do.
    """

    page: str
    outlines: Outlines
    labels: tuple[str, ...]
    unknown: Outlines
    complete: bool = True
    keeps_page: bool = False


class LearnedSymbols(ABC):
    """Knowledge learned by a `LearningMethod`; it is sent to other processes and should be small.

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
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
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
            For `learn`; small, and without the page unless it may be kept: there may be thousands.
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


EVEN = "even"  # what ink in even light is called, beside the names of `InkMethod`


@dataclass(frozen=True)
class SymbolSettings:
    """Settings for extracting features from pages.

    Attributes
    ----------
    ink : InkSettings, optional
        How ink is told from paper; by default by Otsu's threshold for the page in even light. That
        suits plans and photos of hand-drawn pages alike. Sauvola's and Wolf's find fainter strokes,
        and on grainy paper thousands of specks.
    mend : bool
        Bridge broken strokes and remove walls; without, only what is closed as drawn is found.
    """

    ink: InkSettings | None = None
    mend: bool = True


def extract_features(
    pixels: Pixels, methods: Sequence[SpottingMethod], settings: SymbolSettings | None = None
) -> PageFeatures:
    """Extract the features of a page.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    methods : sequence of SpottingMethod
        Whose arrays to extract.
    settings : SymbolSettings, optional

    Returns
    -------
    PageFeatures
        Without primitives where nothing is ink.

    Examples
    --------
    >>> import numpy as np
    >>> page = np.full((60, 80), 255, np.uint8)
    >>> page[10:40, 20:60] = 0
    >>> page[13:37, 23:57] = 255
    >>> features = extract_features(page, methods=[])
    >>> features.size, features.pen, len(features.primitives)
    ((80, 60), 3.0, 2)
    """
    settings = settings or SymbolSettings()
    return features_of_ink(page_ink(pixels, settings), methods, settings.mend)


def named_ink_settings(name: str) -> InkSettings | None:
    """Look up the ink settings of a name, for `SymbolSettings`.

    Parameters
    ----------
    name : {"even", "otsu", "sauvola", "wolf"}

    Returns
    -------
    InkSettings or None
        None for "even".
    """
    return None if name == EVEN else InkSettings(InkMethod(name))


def ink_for_symbols(settings: InkSettings) -> InkSettings | None:
    """Choose ink for symbols where the threshold is the default: that of even light.

    Parameters
    ----------
    settings : InkSettings
        As chosen for drawing.

    Returns
    -------
    InkSettings or None
        None where nothing has been chosen, for `SymbolSettings`.

    Examples
    --------
    >>> ink_for_symbols(InkSettings(specks=4)).method
    <InkMethod.EVEN: 'even'>
    >>> print(ink_for_symbols(InkSettings()))
    None
    """
    plain = InkSettings()
    if settings == plain:
        return None
    is_default = (settings.method, settings.offset) == (plain.method, plain.offset)
    return replace(settings, method=InkMethod.EVEN) if is_default else settings


def page_ink(pixels: Pixels, settings: SymbolSettings) -> Ink:
    """Binarise a page; query models are cropped from the result.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    settings : SymbolSettings

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> import numpy as np
    >>> paper = np.full((60, 60), 230, np.uint8)
    >>> paper[20:40, 20:23] = 30
    >>> int(page_ink(paper, SymbolSettings()).sum())
    60
    """
    return binarise(pixels, settings.ink or InkSettings(InkMethod.EVEN))


def features_of_model(
    model: SymbolModel, methods: Sequence[SpottingMethod], mend: bool = True
) -> QueryFeatures:
    """Extract the features of a query model.

    Parameters
    ----------
    model : SymbolModel
    methods : sequence of SpottingMethod
        Whose arrays to extract.
    mend : bool
        Bridge broken strokes, as on pages.

    Examples
    --------
    >>> from spotlab.spotting.symbols.engine.page_features import draw_model
    >>> box = draw_model("box", [[(0, 0), (30, 0), (30, 20), (0, 20), (0, 0)]], pen=3)
    >>> query = features_of_model(box, methods=[])
    >>> query.name, len(query.features.primitives)
    ('box', 2)
    """
    features = features_of_ink(model.ink, methods, mend, frames=True)
    return QueryFeatures(model.name, model.outline, features)


def features_of_ink(
    ink: Ink, methods: Sequence[SpottingMethod], mend: bool = True, frames: bool = False
) -> PageFeatures:
    """Extract the features of an ink image.

    Parameters
    ----------
    ink : (H, W) bool
    methods : sequence of SpottingMethod
        Whose arrays to extract.
    mend, frames : bool
        As in `find_primitives`.

    Examples
    --------
    >>> import numpy as np
    >>> len(features_of_ink(np.zeros((40, 40), bool), methods=[]).primitives)
    0
    """
    pen = pen_width(ink)
    primitives = find_primitives(ink, pen, mend, frames)
    height, width = ink.shape
    arrays = {method.name: method.extract(ink, primitives, pen) for method in methods}
    return PageFeatures((width, height), pen, primitives, {**arrays, INK: pack_ink(ink)})
