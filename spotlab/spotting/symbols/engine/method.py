"""A way to spot symbols. Every descriptor makes one; others are files of their own.

Other people's come with their packages, under the entry point groups that are named like the
folders: a `Method` (an instance) in ``spotlab.spotting.symbols.methods``, or a `Descriptor` in
``spotlab.spotting.symbols.descriptors``, which makes a method of the paper's kind::

    [project.entry-points."spotlab.spotting.symbols.methods"]
    mine = "my_package.spotting:mine"

``spotlab spot symbols --method mine`` then uses it, in the window it is in the list. Its ``see``
and ``spot`` are called in other processes, on a cluster too, where the package is installed as
well; pages are seen again after its release or its module has changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache

from spotlab.imaging.ink import Ink
from spotlab.progress import Progress, silent
from spotlab.registry import discover
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.engine.page_features import Arrays, Found, Query, Seen
from spotlab.spotting.symbols.voting.descriptor import descriptors


class Method(ABC):
    """A spotting method: sees a page once, is then asked many queries.

    Attributes
    ----------
    name : str
        One word, for commands and runs.
    title, definition : str
        For people: what it is called, and in a sentence what it does.
    usual : float
        Spots with a lower score are kept out of runs unless somebody wants them.
    """

    name: str
    title: str
    definition: str
    usual: float = 0.0

    def get_ready(self, progress: Progress = silent) -> None:  # noqa: B027 - most have nothing to do
        """Do what takes long once and for all, in another process: the window goes on.

        Raises
        ------
        Cancelled
            From ``progress``.
        """

    @abstractmethod
    def see(self, ink: Ink, primitives: Primitives, pen: float) -> Arrays:
        """What it has to keep of a page or query model, whose ink and primitives are these.

        Parameters
        ----------
        ink : (H, W) bool
        primitives : Primitives
        pen : float
            How wide a usual line is, in px.
        """

    def is_sound(self, kept: Arrays, primitives: Primitives) -> bool:
        """Whether what was read from a file can be what `see` has kept of these primitives."""
        return True

    @abstractmethod
    def spot(self, page: Seen, query: Query) -> Found:
        """Where the query is on the page.

        Parameters
        ----------
        page : Seen
            With what `see` has kept of it.
        query : Query
            Likewise; it may have no ink and no primitives.

        Returns
        -------
        Found
            Best first, the same whenever and wherever it is called; empty where it is not. Outlines
            in px of the page, where a pixel is a square from its whole number to the next.
        """


@cache
def methods() -> dict[str, Method]:
    """All methods by name: one for each descriptor, then the folder's, then entry points'."""
    from spotlab.spotting.symbols.voting.relational import Relational  # noqa: PLC0415

    own = {name: Relational(each) for name, each in sorted(descriptors().items())}
    others = discover("spotlab.spotting.symbols.methods", Method, frozenset(own))
    return own | others
