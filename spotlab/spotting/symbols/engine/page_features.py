"""What is known of a page or of a query model before it is searched, and the spots found there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.drawing.primitives import Primitives

Arrays = Mapping[str, NDArray[Any]]
Value = TypeVar("Value")
INK = "ink"  # among the arrays, no method is called so


def pack_ink(ink: Ink) -> Arrays:
    """Pack ink for a file, eight pixels a byte.

    Parameters
    ----------
    ink : (H, W) bool

    Returns
    -------
    mapping of str to (H, ceil(W / 8)) uint8

    Examples
    --------
    >>> pack_ink(np.array([[True, False, True]]))["bits"].tolist()
    [[160]]
    """
    return {"bits": np.packbits(ink, axis=1)}


@dataclass(frozen=True, eq=False)
class PageFeatures:
    """What has been extracted from a page, or from the ink of a query model.

    Attributes
    ----------
    size : (int, int)
        Width and height in px.
    pen : float
        Width of a usual line in px.
    primitives : Primitives
    arrays : mapping of str to mapping of str to array
        What each method keeps, by the method's name, and the ink; all of it goes into a file.
    """

    size: tuple[int, int]
    pen: float
    primitives: Primitives
    arrays: Mapping[str, Arrays]
    _cached: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ink(self) -> Ink:
        """(H, W) bool; unpacked anew each time, since whole pages are large."""
        bits = np.unpackbits(self.arrays[INK]["bits"], axis=1, count=self.size[0])
        return bits.view(np.bool_)

    def cached(self, name: str, make: Callable[[], Value]) -> Value:
        """Return what ``make`` returns, called once for each name.

        For trees and the like, which do not go into a file.

        Parameters
        ----------
        name : str
            What is made; it says all that the result depends on besides the page.
        make : callable

        Examples
        --------
        >>> page = PageFeatures((9, 9), 1.0, Primitives(Outlines.of([]), np.zeros(0, int)), {})
        >>> page.cached("answer", lambda: 42), page.cached("answer", lambda: 43)
        (42, 42)
        """
        if name not in self._cached:
            self._cached[name] = make()
        value: Value = self._cached[name]
        return value


@dataclass(frozen=True, eq=False)
class QueryFeatures:
    """What has been extracted from a query model.

    Attributes
    ----------
    name : str
        The label that is searched.
    outline : (N, 2) float
        Open ring around the symbol, in px of ``features``.
    features : PageFeatures
    """

    name: str
    outline: Points
    features: PageFeatures


@dataclass(frozen=True, eq=False)
class QuerySpots:
    """The spots of one query on one page, best first.

    Attributes
    ----------
    outlines : Outlines
        Regions of the page, in px.
    scores : (N,) float
        0 to 1, falling.
    """

    outlines: Outlines
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def none(cls) -> QuerySpots:
        """Spots of a query that is nowhere on the page."""
        return cls(Outlines.of([]), np.zeros(0))

    @classmethod
    def concatenated(cls, parts: Sequence[QuerySpots]) -> QuerySpots:
        """Join lists of spots one after the other, without sorting them.

        Parameters
        ----------
        parts : sequence of QuerySpots
            May be empty.
        """
        scores = np.concatenate([np.empty(0), *(part.scores for part in parts)])
        return cls(Outlines.joined([part.outlines for part in parts]), scores)
