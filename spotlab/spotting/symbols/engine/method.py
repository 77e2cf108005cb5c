"""The interface of a method of symbol spotting.

Other packages offer methods under two entry point groups: a `SpottingMethod` or a
`spotlab.spotting.symbols.engine.learning_method.LearningMethod` (an instance) in
``spotlab.spotting.symbols.methods``, or a `Descriptor` in ``spotlab.spotting.symbols.descriptors``,
from which a method of the paper's kind is made::

    [project.entry-points."spotlab.spotting.symbols.methods"]
    mine = "my_package.spotting:mine"

``spotlab spot symbols --method mine`` then uses it, and the window lists it. Its ``extract`` and
``spot`` are called in other processes, on a cluster too, where the package has to be installed as
well; features are extracted anew after its release or its module has changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from spotlab.imaging.ink import Ink
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.engine.page_features import (
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
)


class SymbolMethod(ABC):
    """What all methods have in common: `SpottingMethod` and `LearningMethod` are the two kinds.

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

    def get_ready(self, progress: Progress = silent) -> None:  # noqa: B027 - most have nothing to do
        """Prepare what takes long, once, in another process so that the window stays responsive.

        Parameters
        ----------
        progress : Progress

        Raises
        ------
        Cancelled
            From ``progress``.
        """


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
