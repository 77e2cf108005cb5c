"""What the methods have seen of a page or of a query model: all that they need to search it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import Points
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.drawing.primitives import Primitives

Arrays = Mapping[str, NDArray[Any]]
Made = TypeVar("Made")
INK = "ink"  # among the arrays, no method is called so


def packed(ink: Ink) -> Arrays:
    """Ink as it is kept: eight pixels a byte.

    Examples
    --------
    >>> packed(np.array([[True, False, True]]))["bits"].tolist()
    [[160]]
    """
    return {"bits": np.packbits(ink, axis=1)}


@dataclass(frozen=True, eq=False)
class Seen:
    """A page, or the ink of a query model, as the methods see it.

    Attributes
    ----------
    size : (int, int)
        Width and height in px.
    pen : float
        How wide a usual line is, in px.
    primitives : Primitives
    arrays : mapping of str to mapping of str to array
        What each method keeps of it, by the method's name, and the ink; all of it goes into a file.
    """

    size: tuple[int, int]
    pen: float
    primitives: Primitives
    arrays: Mapping[str, Arrays]
    _made: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def ink(self) -> Ink:
        """(H, W) bool; unpacked anew each time, since whole pages are large."""
        bits = np.unpackbits(self.arrays[INK]["bits"], axis=1, count=self.size[0])
        return bits.view(np.bool_)

    def made(self, name: str, make: Callable[[], Made]) -> Made:
        """What ``make`` returns, made once: trees and the like that do not go into a file."""
        if name not in self._made:
            self._made[name] = make()
        found: Made = self._made[name]
        return found


@dataclass(frozen=True, eq=False)
class Query:
    """What is searched: a query model that has been seen.

    Attributes
    ----------
    name : str
        A label.
    outline : (N, 2) float
        Open ring around what is meant, in the px of ``seen``.
    seen : Seen
    """

    name: str
    outline: Points
    seen: Seen


@dataclass(frozen=True, eq=False)
class Found:
    """The places of a page where a query seems to be, best first.

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
