"""Poses in which a query would lie on the page, from pairs of primitives that lie alike.

A pose says that the point z of the query (x + iy) lies at c + m (z - o), or mirrored at
c + m conj(z - o), where o is the query's middle, c its place on the page, |m| its scale and the
angle of m its turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.representation import short_repr
from spotlab.spotting.symbols.voting.relations import (
    NEAR,
    PrimitiveLayout,
    Relations,
    warp_distance,
)

Complexes = NDArray[np.complex128]

STRAIGHT, MIRRORED, ROUND = 0, 1, 2  # kinds of poses; the turn of round ones is not known
CENTRAL = 0.3  # sizes from the middle within which a turn hardly matters


@dataclass(frozen=True)
class Tolerances:
    """How much the query and its spots may differ.

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
    """Whether long primitives lie as the turn demands; round ones always do."""
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
