"""Descriptors: what a closed contour looks like, as numbers that can be compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.registry import discover
from spotlab.spotting.symbols.drawing.contours import Primitives

Features = NDArray[np.float64]


@dataclass(frozen=True)
class Descriptor:
    """One way to describe primitives.

    Attributes
    ----------
    name : str
        One word, also that of the spotting method that uses it.
    title, definition : str
        For people: what it is called, and in a sentence what it measures.
    describe : callable
        Takes `Primitives` and returns (P, D) float: rows whose Euclidean distance says how unlike
        two contours are. The same for a contour that is shifted, turned, scaled or mirrored, as far
        as the descriptor can. Defined for every contour, however small or thin.
    radius : float
        Distance within which two contours look alike.
    """

    name: str
    title: str
    definition: str
    describe: Callable[[Primitives], Features]
    radius: float


def descriptors() -> dict[str, Descriptor]:
    """All descriptors by name, those of entry points last."""
    return discover("spotlab.spotting.symbols.descriptors", Descriptor)
