"""Relations between pairs of primitives, and the query poses that reproduce them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import spatial
from spotlab.geometry.polygon import concatenate_ranges
from spotlab.representation import short_repr
from spotlab.spotting.symbols.drawing.contours import Primitives

RADIUS = 2.0  # how far apart pairs may be by default, in sums of their sizes; far ones add nothing
RATIO = 4.0  # how unlike their sizes may be: the logarithm of the ratio
BESIDE = 0.3  # from here on, in sums of their sizes, distances are compared by their ratio
NEAR = 0.12  # nearer than this the two count as concentric: their direction says nothing
ROUNDNESS = 0.8  # a primitive that is no longer than wide by this ratio has no direction of its own
MANY = 4_000_000  # pairs of a page; so many take 130 MB
BIN = 0.15  # width of a bin of the table, in both coordinates


@dataclass(frozen=True, eq=False)
class PrimitiveLayout:
    """Positions, sizes and orientations of primitives.

    Attributes
    ----------
    centres : (P,) complex
        Centroids, x + iy in px.
    sizes : (P,) float
        Square roots of areas in px.
    axes : (P,) float
        Directions of the long axes in radians, known but for half turns; NaN for round ones.
    """

    centres: NDArray[np.complex128]
    sizes: Floats
    axes: Floats

    @classmethod
    def of(cls, primitives: Primitives) -> PrimitiveLayout:
        """Lay out primitives.

        Parameters
        ----------
        primitives : Primitives
        """
        centres, moments = primitives.centres, primitives.moments
        long, mixed, wide = moments[:, 10], moments[:, 11], moments[:, 12]
        spread = np.hypot(long - wide, 2 * mixed)
        total = np.maximum(long + wide, 1e-9)
        # the ratio of the eigenvalues is that of the squared axes
        elongated = (total - spread) < ROUNDNESS**2 * (total + spread)
        axes = np.where(elongated, np.arctan2(2 * mixed, long - wide) / 2, np.nan)
        return cls(centres[:, 0] + 1j * centres[:, 1], primitives.sizes, axes)

    def take(self, chosen: NDArray[Any]) -> PrimitiveLayout:
        """Choose primitives.

        Parameters
        ----------
        chosen : (M,) int or (P,) bool
        """
        return PrimitiveLayout(self.centres[chosen], self.sizes[chosen], self.axes[chosen])

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, eq=False)
class Relations:
    """Relation of each pair's second primitive to its first, whatever the scale and rotation.

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
    >>> centres, sizes = np.array([0, 60, 600j]), np.array([10.0, 20, 200])
    >>> layout = PrimitiveLayout(centres, sizes, np.full(3, np.nan))
    >>> pairs = Relations.of(layout, np.array([0, 0]), np.array([1, 2]))
    >>> pairs.apart.round(3).tolist(), np.exp(pairs.ratio).round().tolist()
    ([2.596, 2.95], [2.0, 20.0])
    """

    first: Ints
    second: Ints
    apart: Floats
    ratio: Floats

    @classmethod
    def of(cls, layout: PrimitiveLayout, first: Ints, second: Ints) -> Relations:
        """Relate pairs of primitives.

        Parameters
        ----------
        layout : PrimitiveLayout
        first, second : (M,) int
            Numbers of primitives.

        Examples
        --------
        >>> layout = PrimitiveLayout(np.zeros(2) + 0j, np.array([10.0, 10]), np.full(2, np.nan))
        >>> Relations.of(layout, np.array([0]), np.array([1])).apart.tolist()
        [0.0]
        """
        one, other = layout.sizes[first], layout.sizes[second]
        distance = np.abs(layout.centres[second] - layout.centres[first])
        return cls(
            first, second, np.arcsinh(distance / (BESIDE * (one + other))), np.log(other / one)
        )

    def take(self, chosen: NDArray[Any]) -> Relations:
        """Choose pairs.

        Parameters
        ----------
        chosen : (K,) int or (M,) bool
        """
        return Relations(
            self.first[chosen], self.second[chosen], self.apart[chosen], self.ratio[chosen]
        )

    def __len__(self) -> int:
        return len(self.first)


def warp_distance(distance: float) -> float:
    """Convert a distance to the scale of `Relations.apart`.

    Parameters
    ----------
    distance : float
        In sums of the two sizes.

    Returns
    -------
    float
        asinh(distance / BESIDE): near ones grow by differences, far ones by factors.

    Examples
    --------
    >>> [round(warp_distance(2 * near) - warp_distance(near), 2) for near in (4, 2, 0.01)]
    [0.69, 0.69, 0.03]
    """
    return float(np.arcsinh(distance / BESIDE))


@dataclass(frozen=True, eq=False)
class PairTable:
    """All ordered pairs of a page within a radius, in bins of pairs that lie alike.

    Attributes
    ----------
    relations : Relations
        Bin after bin.
    starts : (R · C + 1,) int
        Where each bin begins; R rows of ratios, of C distances each.
    columns : int
    radius : float
        How far apart pairs may be, in sums of their sizes.
    """

    relations: Relations
    starts: Ints
    columns: int
    radius: float

    @classmethod
    def of(cls, layout: PrimitiveLayout, radius: float = RADIUS) -> PairTable:
        """Sort the pairs of a page's primitives into bins.

        Parameters
        ----------
        layout : PrimitiveLayout
            Of P primitives, in arrays of shape (P,).
        radius : float
            How far apart pairs may be, in sums of their sizes.

        Examples
        --------
        >>> centres, sizes = np.array([0, 30, 900]) + 0j, np.full(3, 10.0)
        >>> layout = PrimitiveLayout(centres, sizes, np.full(3, np.nan))
        >>> len(PairTable.of(layout).relations)  # there and back
        2
        """
        first, second = _within(layout, radius)
        pairs = Relations.of(layout, first, second)
        pairs = pairs.take((pairs.apart <= warp_distance(radius)) & (np.abs(pairs.ratio) <= RATIO))
        columns, rows = _bin_of(np.array([warp_distance(radius), 2 * RATIO])) + 1
        bins = _bin_of(pairs.ratio + RATIO) * columns + _bin_of(pairs.apart)
        order = np.lexsort((pairs.second, pairs.first, bins))
        starts = np.searchsorted(bins[order], np.arange(rows * columns + 1))
        return cls(pairs.take(order), starts, int(columns), radius)

    def covers(self, wanted: Relations, apart: float, ratio: float) -> NDArray[np.bool_]:
        """Say of which pairs all similar ones are in the table.

        Parameters
        ----------
        wanted : Relations
            M pairs.
        apart, ratio : float
            How much similar pairs may differ.

        Returns
        -------
        (M,) bool

        Examples
        --------
        Pairs that lie twice as far apart need not be in the table:

        >>> centres, sizes = np.array([0, 30, 900]) + 0j, np.full(3, 10.0)
        >>> layout = PrimitiveLayout(centres, sizes, np.full(3, np.nan))
        >>> table = PairTable.of(layout)
        >>> near = table.relations.take(np.array([0]))
        >>> table.covers(near, 0.1, 0.1).tolist(), table.covers(near, 9.0, 0.1).tolist()
        ([True], [False])
        """
        near: NDArray[np.bool_] = wanted.apart + apart <= warp_distance(self.radius)
        return near & (np.abs(wanted.ratio) + ratio <= RATIO)

    def ranges(self, wanted: Relations, apart: float, ratio: float) -> tuple[Ints, Ints, Ints]:
        """Look up the bins that hold all similar pairs, and some more.

        Parameters
        ----------
        wanted : Relations
            M pairs.
        apart, ratio : float
            How much similar pairs may differ.

        Returns
        -------
        which, begin, end : (K,) int
            The wanted pair's number, and where a run of the page's pairs begins and ends.

        Examples
        --------
        >>> centres, sizes = np.array([0, 30, 900]) + 0j, np.full(3, 10.0)
        >>> layout = PrimitiveLayout(centres, sizes, np.full(3, np.nan))
        >>> table = PairTable.of(layout)
        >>> which, begin, end = table.ranges(table.relations.take(np.array([0])), 0.1, 0.1)
        >>> int((end - begin).sum())
        2
        """
        rows = len(self.starts) // self.columns
        lowest = _bin_of(wanted.ratio - ratio + RATIO)
        count = _bin_of(wanted.ratio + ratio + RATIO) - lowest + 1
        which = np.repeat(np.arange(len(wanted)), count)
        row = concatenate_ranges(lowest, count)
        inside = (row >= 0) & (row < rows)
        which, row = which[inside], row[inside]
        left = np.maximum(_bin_of(wanted.apart - apart), 0)[which]
        right = np.minimum(_bin_of(wanted.apart + apart) + 1, self.columns)[which]
        left = np.minimum(left, self.columns)
        begin, end = self.starts[row * self.columns + left], self.starts[row * self.columns + right]
        return which, begin, np.maximum(begin, end)


def affordable_radius(layout: PrimitiveLayout, radius: float, max_pairs: int = MANY) -> float:
    """Halve a radius until few enough pairs are within.

    Parameters
    ----------
    layout : PrimitiveLayout
        Of P primitives, in arrays of shape (P,).
    radius : float
        In sums of the sizes of two primitives.
    max_pairs : int
        Number of ordered pairs that may be within, at most.

    Returns
    -------
    float
        At least `RADIUS`, however many pairs that has.

    Examples
    --------
    >>> row = PrimitiveLayout(np.arange(100) * 10 + 0j, np.ones(100), np.full(100, np.nan))
    >>> [affordable_radius(row, 64.0, max_pairs) for max_pairs in (10_000, 1_000, 0)]
    [64.0, 16.0, 2.0]
    """
    while radius > RADIUS and _count_within(layout, radius) > max_pairs:
        radius /= 2
    return radius


def _bin_of(value: Floats) -> Ints:
    return np.asarray(np.floor(value / BIN), np.int64)


def _within(layout: PrimitiveLayout, radius: float) -> tuple[Ints, Ints]:
    """All ordered pairs that may be within radius, found octave by octave of sizes."""
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for one_octave, other_octave, farthest in _octaves(layout, radius):
        near = one_octave.tree.sparse_distance_matrix(
            other_octave.tree, farthest, output_type="ndarray"
        )
        one, other = one_octave.members[near["i"]], other_octave.members[near["j"]]
        kept = one != other
        one, other = one[kept], other[kept]
        first.append(one)
        second.append(other)
        if one_octave is not other_octave:
            first.append(other)
            second.append(one)
    return np.concatenate(first), np.concatenate(second)


def _count_within(layout: PrimitiveLayout, radius: float) -> int:
    """Tell how many pairs `_within` finds, and each primitive with itself."""
    return sum(
        int(one.tree.count_neighbors(other.tree, farthest)) * (1 if one is other else 2)
        for one, other, farthest in _octaves(layout, radius)
    )


class _Octave(NamedTuple):
    """Primitives of about one size."""

    members: Ints
    tree: spatial.cKDTree


def _octaves(layout: PrimitiveLayout, radius: float) -> Iterator[tuple[_Octave, _Octave, float]]:
    """Each two octaves of sizes, also each with itself, and how far pairs may be apart, in px."""
    points = np.stack([layout.centres.real, layout.centres.imag], 1)
    octave = np.floor(np.log2(np.maximum(layout.sizes, 1e-9)))
    members = [np.flatnonzero(octave == number) for number in np.unique(octave)]
    octaves = [_Octave(own, spatial.cKDTree(points[own])) for own in members]
    for number, one in enumerate(octaves):
        for other in octaves[: number + 1]:
            yield (
                one,
                other,
                radius * float(layout.sizes[one.members].max() + layout.sizes[other.members].max()),
            )


Complexes = NDArray[np.complex128]

STRAIGHT, MIRRORED, ROUND = 0, 1, 2  # kinds of poses; the turn of round ones is not known
CENTRAL = 0.3  # sizes from the middle within which a turn hardly matters


@dataclass(frozen=True)
class Tolerances:
    """Tolerances for differences between the query and its spots.

    Attributes
    ----------
    apart : float
        The distance of two primitives, as `Relations.apart`: mostly the logarithm of its ratio.
    ratio : float
        The logarithm of the ratio of their sizes.
    axis : float
        The direction of a long primitive, in radians.
    min_scale, max_scale : float
        The scale, as a factor.
    mirrored : bool
        Whether mirrored drawings are the same.
    max_comparisons : int
        Number of pairs of the page that are compared at most; of a query with more, the rarest
        pairs are, and those that every primitive needs, see `choose_pairs`.
    """

    apart: float = 0.15
    ratio: float = 0.2
    axis: float = 0.35
    min_scale: float = 0.4
    max_scale: float = 2.5
    mirrored: bool = True
    max_comparisons: int = 40_000


@dataclass(frozen=True, eq=False)
class PoseVotes:
    """Poses, each with the primitives of the query and of the page that it comes from.

    Attributes
    ----------
    place, factor : (V,) complex
        c and m.
    kind : (V,) int
        `STRAIGHT`, `MIRRORED` or `ROUND`.
    query, page : (V, 2) int
        Numbers of primitives; the same twice where a single one votes.
    """

    place: Complexes
    factor: Complexes
    kind: Ints
    query: Ints
    page: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.place)

    def joined(self, others: PoseVotes) -> PoseVotes:
        """Append other votes.

        Parameters
        ----------
        others : PoseVotes
        """
        return PoseVotes(
            np.concatenate([self.place, others.place]),
            np.concatenate([self.factor, others.factor]),
            np.concatenate([self.kind, others.kind]),
            np.concatenate([self.query, others.query]),
            np.concatenate([self.page, others.page]),
        )


def pair_poses(
    query: PrimitiveLayout,
    page: PrimitiveLayout,
    pairs: Relations,
    similar: Relations,
    middle: complex,
    tolerances: Tolerances,
) -> PoseVotes:
    """Compute the poses that take pairs of the query to pairs of the page.

    Parameters
    ----------
    query, page : PrimitiveLayout
    pairs, similar : Relations
        M pairs of the query, and the M pairs of the page that lie like them.
    middle : complex
        Middle o of the query, x + iy in px.
    tolerances : Tolerances

    Examples
    --------
    >>> disc = PrimitiveLayout(np.array([9 + 9j]), np.array([40.0]), np.array([np.nan]))
    >>> alone = Relations.of(disc, np.zeros(1, np.int64), np.zeros(1, np.int64))
    >>> pair_poses(disc, disc, alone, alone, 9 + 9j, Tolerances()).place.tolist()
    [(9+9j)]
    """
    a, b, i, j = pairs.first, pairs.second, similar.first, similar.second
    wanted, there = query.centres[b] - query.centres[a], page.centres[j] - page.centres[i]
    scale = _scales(query, page, pairs, similar)
    inside = (scale >= tolerances.min_scale) & (scale <= tolerances.max_scale)
    turned = (pairs.apart >= warp_distance(NEAR)) & inside & (np.abs(there) > 0)
    parts = []
    for kind in (STRAIGHT, MIRRORED) if tolerances.mirrored else (STRAIGHT,):
        towards = there * (np.conj(wanted) if kind == STRAIGHT else wanted)
        unit = towards / np.maximum(np.abs(towards), 1e-12)
        fits = turned & _axes_fit(query, page, a, i, kind, unit, tolerances.axis)
        fits &= _axes_fit(query, page, b, j, kind, unit, tolerances.axis)
        parts.append((fits, kind, unit))
        parts += _turns_of_axes(query, page, pairs, similar, kind, inside & ~turned)
    unknown = inside & ~turned & np.isnan(query.axes[a]) & np.isnan(query.axes[b])
    parts.append((unknown, ROUND, np.ones(len(a), np.complex128)))
    start = (query.centres[a] + query.centres[b]) / 2
    stop = (page.centres[i] + page.centres[j]) / 2
    return _collected(parts, (pairs, similar), scale, middle - start, stop)


def _collected(
    parts: list[tuple[NDArray[np.bool_], int, Complexes]],
    pairs: tuple[Relations, Relations],
    scale: Floats,
    offset: Complexes,
    stop: Complexes,
) -> PoseVotes:
    wanted, similar = pairs
    chosen = [np.flatnonzero(fits) for fits, _, _ in parts]
    numbers = np.concatenate(chosen)
    kind = np.repeat([kind for _, kind, _ in parts], [len(own) for own in chosen])
    unit = np.concatenate([unit[own] for own, (_, _, unit) in zip(chosen, parts, strict=True)])
    factor = scale[numbers] * unit
    offset = np.where(kind == MIRRORED, np.conj(offset[numbers]), offset[numbers])
    place = stop[numbers] + np.where(kind == ROUND, 0, factor * offset)
    query = np.stack([wanted.first[numbers], wanted.second[numbers]], 1)
    page = np.stack([similar.first[numbers], similar.second[numbers]], 1)
    return PoseVotes(place, factor, kind.astype(np.int64), query, page)


def _scales(
    query: PrimitiveLayout, page: PrimitiveLayout, pairs: Relations, similar: Relations
) -> Floats:
    """From sizes for primitives that are near each other, else more and more from distances."""
    sizes = query.sizes[pairs.first], query.sizes[pairs.second]
    by_size = (
        np.log(page.sizes[similar.first] / sizes[0] * page.sizes[similar.second] / sizes[1]) / 2
    )
    wanted = np.abs(query.centres[pairs.second] - query.centres[pairs.first])
    there = np.abs(page.centres[similar.second] - page.centres[similar.first])
    by_distance = np.log(np.maximum(there, 1e-9) / np.maximum(wanted, 1e-9))
    trust = wanted**2 / (wanted**2 + sizes[0] ** 2 + sizes[1] ** 2)
    trust = np.where(pairs.apart < warp_distance(NEAR), 0, trust)
    return np.asarray(np.exp(trust * by_distance + (1 - trust) * by_size))


def _axes_fit(
    query: PrimitiveLayout,
    page: PrimitiveLayout,
    wanted: Ints,
    there: Ints,
    kind: int,
    unit: Complexes,
    most: float,
) -> NDArray[np.bool_]:
    """Tell whether long primitives lie as the turn demands; round ones always do."""
    axis = query.axes[wanted] * (1 if kind == STRAIGHT else -1)
    differ = page.axes[there] - axis - np.angle(unit)
    crossed: NDArray[np.bool_] = np.abs(np.sin(differ)) > np.sin(most)
    return ~crossed  # NaN, of a round one, is no difference


def _turns_of_axes(
    query: PrimitiveLayout,
    page: PrimitiveLayout,
    pairs: Relations,
    similar: Relations,
    kind: int,
    concentric: NDArray[np.bool_],
) -> list[tuple[NDArray[np.bool_], int, Complexes]]:
    """The two turns of concentric pairs, of which at least one is long."""
    first, second = query.axes[pairs.first], query.axes[pairs.second]
    use_first = np.isfinite(first)
    wanted = np.where(use_first, first, second) * (1 if kind == STRAIGHT else -1)
    there = np.where(use_first, page.axes[similar.first], page.axes[similar.second])
    unit = np.exp(1j * np.nan_to_num(there - wanted))
    known = concentric & np.isfinite(wanted) & np.isfinite(there)
    return [(known, kind, unit), (known, kind, -unit)]
