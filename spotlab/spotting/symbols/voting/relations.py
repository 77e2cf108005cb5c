"""How pairs of primitives lie to each other, and all pairs of a page sorted by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from spotlab.geometry.spans import concatenate_ranges
from spotlab.spotting.symbols.drawing.primitives import Primitives

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

REACH = 2.0  # how far apart pairs usually are at most, in sums of their sizes; far ones add nothing
RATIO = 4.0  # how unlike their sizes may be: the logarithm of the ratio
BESIDE = 0.3  # from here on, in sums of their sizes, distances are compared by their ratio
NEAR = 0.12  # nearer than this the two count as concentric: their direction says nothing
ROUND = 0.8  # a primitive that is no longer than wide by this ratio has no direction of its own
MANY = 4_000_000  # pairs of a page; so many take 130 MB
BIN = 0.15  # width of a drawer of the cabinet, in both coordinates


@dataclass(frozen=True, eq=False)
class Layout:
    """Where primitives are, how large and which way they lie.

    Attributes
    ----------
    places : (P,) complex
        Centroids, x + iy in px.
    sizes : (P,) float
        Square roots of areas in px.
    axes : (P,) float
        Directions of the long axes in radians, known but for half turns; NaN for round ones.
    """

    places: NDArray[np.complex128]
    sizes: Floats
    axes: Floats

    @classmethod
    def of(cls, primitives: Primitives) -> Layout:
        """The layout of these primitives."""
        centres, moments = primitives.centres, primitives.moments
        long, mixed, wide = moments[:, 10], moments[:, 11], moments[:, 12]
        spread = np.hypot(long - wide, 2 * mixed)
        total = np.maximum(long + wide, 1e-9)
        # the ratio of the eigenvalues is that of the squared axes
        elongated = (total - spread) < ROUND**2 * (total + spread)
        axes = np.where(elongated, np.arctan2(2 * mixed, long - wide) / 2, np.nan)
        return cls(centres[:, 0] + 1j * centres[:, 1], primitives.sizes, axes)

    def take(self, chosen: NDArray[Any]) -> Layout:
        """These primitives in this order."""
        return Layout(self.places[chosen], self.sizes[chosen], self.axes[chosen])

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, eq=False)
class Relations:
    """How the second of each pair lies to the first, whatever the drawing's scale and turn.

    Attributes
    ----------
    first, second : (M,) int
        Numbers of primitives.
    apart : (M,) float
        How far apart: asinh(distance / (BESIDE · sum of sizes)), which grows by the same amount
        for the same ratio of distances, but for near ones for the same difference.
    ratio : (M,) float
        Logarithm of the second's size over the first's.

    Examples
    --------
    >>> layout = Layout(np.array([0, 60, 600j]), np.array([10.0, 20, 200]), np.full(3, np.nan))
    >>> pairs = Relations.of(layout, np.array([0, 0]), np.array([1, 2]))
    >>> pairs.apart.round(3).tolist(), np.exp(pairs.ratio).round().tolist()
    ([2.596, 2.95], [2.0, 20.0])
    """

    first: Ints
    second: Ints
    apart: Floats
    ratio: Floats

    @classmethod
    def of(cls, layout: Layout, first: Ints, second: Ints) -> Relations:
        """The relations of these pairs."""
        one, other = layout.sizes[first], layout.sizes[second]
        distance = np.abs(layout.places[second] - layout.places[first])
        return cls(
            first, second, np.arcsinh(distance / (BESIDE * (one + other))), np.log(other / one)
        )

    def take(self, chosen: NDArray[Any]) -> Relations:
        """These pairs in this order."""
        return Relations(
            self.first[chosen], self.second[chosen], self.apart[chosen], self.ratio[chosen]
        )

    def __len__(self) -> int:
        return len(self.first)


def warped(reach: float) -> float:
    """What ``apart`` is for a distance in sums of sizes.

    Examples
    --------
    >>> [round(warped(2 * far) - warped(far), 2) for far in (4, 2, 0.01)]  # twice as far
    [0.69, 0.69, 0.03]
    """
    return float(np.arcsinh(reach / BESIDE))


@dataclass(frozen=True, eq=False)
class Cabinet:
    """All ordered pairs of a page within reach, in drawers of pairs that lie alike.

    Attributes
    ----------
    relations : Relations
        Drawer after drawer.
    starts : (R · C + 1,) int
        Where each drawer begins; R rows of ratios, of C distances each.
    columns : int
    reach : float
        How far apart pairs may be, in sums of their sizes.
    """

    relations: Relations
    starts: Ints
    columns: int
    reach: float

    @classmethod
    def of(cls, layout: Layout, reach: float = REACH) -> Cabinet:
        """Sort the pairs of these primitives."""
        first, second = _within(layout, reach)
        pairs = Relations.of(layout, first, second)
        pairs = pairs.take((pairs.apart <= warped(reach)) & (np.abs(pairs.ratio) <= RATIO))
        columns, rows = _drawer(np.array([warped(reach), 2 * RATIO])) + 1
        drawers = _drawer(pairs.ratio + RATIO) * columns + _drawer(pairs.apart)
        order = np.lexsort((pairs.second, pairs.first, drawers))
        starts = np.searchsorted(drawers[order], np.arange(rows * columns + 1))
        return cls(pairs.take(order), starts, int(columns), reach)

    def covers(self, wanted: Relations, apart: float, ratio: float) -> NDArray[np.bool_]:
        """Of which pairs all that differ by no more than this are in the drawers."""
        near: NDArray[np.bool_] = wanted.apart + apart <= warped(self.reach)
        return near & (np.abs(wanted.ratio) + ratio <= RATIO)

    def ranges(self, wanted: Relations, apart: float, ratio: float) -> tuple[Ints, Ints, Ints]:
        """Which runs of pairs hold all those that differ by no more than this, and some more.

        Returns
        -------
        which, begin, end : (K,) int
            The wanted pair's number, and the run of the page's pairs.
        """
        rows = len(self.starts) // self.columns
        lowest = _drawer(wanted.ratio - ratio + RATIO)
        count = _drawer(wanted.ratio + ratio + RATIO) - lowest + 1
        which = np.repeat(np.arange(len(wanted)), count)
        row = concatenate_ranges(lowest, count)
        inside = (row >= 0) & (row < rows)
        which, row = which[inside], row[inside]
        left = np.maximum(_drawer(wanted.apart - apart), 0)[which]
        right = np.minimum(_drawer(wanted.apart + apart) + 1, self.columns)[which]
        left = np.minimum(left, self.columns)
        begin, end = self.starts[row * self.columns + left], self.starts[row * self.columns + right]
        return which, begin, np.maximum(begin, end)


def affordable(layout: Layout, reach: float, most: int = MANY) -> float:
    """The reach, halved until so many ordered pairs at most may be within; the usual one always is.

    Examples
    --------
    >>> row = Layout(np.arange(100) * 10 + 0j, np.ones(100), np.full(100, np.nan))
    >>> affordable(row, 64.0), affordable(row, 64.0, most=1_000), affordable(row, 64.0, most=0)
    (64.0, 16.0, 2.0)
    """
    while reach > REACH and _count_within(layout, reach) > most:
        reach /= 2
    return reach


def _drawer(value: Floats) -> Ints:
    return np.asarray(np.floor(value / BIN), np.int64)


def _within(layout: Layout, reach: float) -> tuple[Ints, Ints]:
    """All ordered pairs that may be within reach, found octave by octave of sizes."""
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for one_octave, other_octave, farthest in _octaves(layout, reach):
        found = one_octave.tree.sparse_distance_matrix(
            other_octave.tree, farthest, output_type="ndarray"
        )
        one, other = one_octave.members[found["i"]], other_octave.members[found["j"]]
        kept = one != other
        one, other = one[kept], other[kept]
        first.append(one)
        second.append(other)
        if one_octave is not other_octave:
            first.append(other)
            second.append(one)
    return np.concatenate(first), np.concatenate(second)


def _count_within(layout: Layout, reach: float) -> int:
    """How many pairs `_within` finds, and each primitive with itself."""
    return sum(
        int(one.tree.count_neighbors(other.tree, farthest)) * (1 if one is other else 2)
        for one, other, farthest in _octaves(layout, reach)
    )


class _Octave(NamedTuple):
    """Primitives of about one size."""

    members: Ints
    tree: cKDTree


def _octaves(layout: Layout, reach: float) -> Iterator[tuple[_Octave, _Octave, float]]:
    """Each two octaves of sizes, also each with itself, and how far pairs may be apart, in px."""
    points = np.stack([layout.places.real, layout.places.imag], 1)
    octave = np.floor(np.log2(np.maximum(layout.sizes, 1e-9)))
    members = [np.flatnonzero(octave == each) for each in np.unique(octave)]
    octaves = [_Octave(each, cKDTree(points[each])) for each in members]
    for number, one in enumerate(octaves):
        for other in octaves[: number + 1]:
            yield (
                one,
                other,
                reach * float(layout.sizes[one.members].max() + layout.sizes[other.members].max()),
            )
