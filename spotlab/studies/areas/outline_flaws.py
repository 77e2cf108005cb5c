"""Finds outlines that may surprise: those that enclose nothing and those that cross themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.geometry import coverage
from spotlab.geometry.outlines import Outlines
from spotlab.representation import short_repr

SAME_AREA = 1e-9  # of the area of an outline's bounds


@dataclass(frozen=True, eq=False)
class OutlineFlaws:
    """Which of some outlines are odd.

    Attributes
    ----------
    without_area : (n,) int
        Fewer than three corners, all on one line, or covered an even number of times.
    crossing : (n,) int
        Those whose area depends on the even-odd rule: they cross themselves or wind around some
        place more than once.
    """

    without_area: Ints
    crossing: Ints

    __repr__ = short_repr


def outline_flaws(outlines: Outlines) -> OutlineFlaws:
    """Look for outlines without area and for those that cross themselves.

    An outline that winds around everything in it once has the area of the shoelace formula; where
    the even-odd rule gives another one, it does not.

    Examples
    --------
    >>> square, bow_tie = [(0, 0), (2, 0), (2, 2), (0, 2)], [(0, 0), (2, 2), (2, 0), (0, 2)]
    >>> found = outline_flaws(Outlines.of([square, bow_tie, [(0, 0), (1, 1), (2, 2)]]))
    >>> found.without_area.tolist(), found.crossing.tolist()
    ([2], [1])
    """
    areas = coverage.areas(outlines)
    left, top, right, bottom = outlines.bounds.T
    tolerance = SAME_AREA * np.nan_to_num((right - left) * (bottom - top))
    crossing = np.abs(np.abs(_shoelace(outlines)) - areas) > tolerance
    return OutlineFlaws(np.flatnonzero(areas <= 0), np.flatnonzero(crossing))


def _shoelace(outlines: Outlines) -> NDArray[np.float64]:
    """(N,) half the sum of cross products of neighbours, each ring seen from its first corner."""
    found = np.zeros(len(outlines))
    starts, ends = outlines.offsets[:-1], outlines.offsets[1:]
    filled = np.flatnonzero(ends > starts)
    if not len(filled):
        return found
    lengths = np.diff(outlines.offsets)[filled]
    points = outlines.points - np.repeat(outlines.points[starts[filled]], lengths, axis=0)
    following = np.arange(1, len(points) + 1)
    following[ends[filled] - 1] = starts[filled]
    x, y = points.T
    found[filled] = np.add.reduceat(x * y[following] - x[following] * y, starts[filled]) / 2
    return found
