"""Pairs of a query's primitives vote for the poses in which the query would lie on the page.

A pose says that the point z of the query (x + iy) lies at c + m (z - o), or mirrored at
c + m conj(z - o), where o is the query's middle, c its place on the page, |m| its scale and the
angle of m its turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.spans import concatenate_ranges
from spotlab.spotting.symbols.voting.relations import (
    NEAR,
    Floats,
    Ints,
    Layout,
    PairTable,
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
class Votes:
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

    def __len__(self) -> int:
        return len(self.place)

    def joined(self, others: Votes) -> Votes:
        """Append other votes.

        Parameters
        ----------
        others : Votes
        """
        return Votes(
            np.concatenate([self.place, others.place]),
            np.concatenate([self.factor, others.factor]),
            np.concatenate([self.kind, others.kind]),
            np.concatenate([self.query, others.query]),
            np.concatenate([self.page, others.page]),
        )


def choose_pairs(pairs: Relations, expected: Floats, work: Ints, max_work: int) -> Ints:
    """Choose the pairs of the query that vote: as many as can be afforded, rare ones first.

    Every primitive's rarest pair comes before any primitive's second, so that none is left
    out; these first pairs vote even if they alone are more work.

    Parameters
    ----------
    pairs : Relations
        M pairs of the query.
    expected : (M,) float
        Number of votes that each is likely to give: the fewer, the more they tell.
    work : (M,) int
        Number of pairs of the page that each is compared to; those with none cannot vote.
    max_work : int
        Number of comparisons at most.

    Returns
    -------
    (K,) int
        Numbers of pairs, rising.

    Examples
    --------
    >>> pairs = Relations(*np.triu_indices(3, 1), np.zeros(3), np.zeros(3))  # 01, 02, 12
    >>> work = np.array([30, 20, 10])
    >>> [choose_pairs(pairs, work / 10, work, limit).tolist() for limit in (60, 50, 30, 0)]
    [[0, 1, 2], [1, 2], [1, 2], [1, 2]]
    """
    able = np.flatnonzero(work)
    order = able[np.argsort(expected[able], kind="stable")]
    turn = np.zeros(len(order), np.int64)
    turns_of: dict[int, int] = {}
    ends = zip(pairs.first[order].tolist(), pairs.second[order].tolist(), strict=True)
    for place, (one, other) in enumerate(ends):
        turns = turns_of.get(one, 0), turns_of.get(other, 0)
        turn[place] = min(turns)
        turns_of[one], turns_of[other] = turns[0] + 1, turns[1] + 1
    by_turn = np.argsort(turn, kind="stable")
    order, turn = order[by_turn], turn[by_turn]
    return np.sort(order[(np.cumsum(work[order]) <= max_work) | (turn == 0)])


def pair_votes(
    query: Layout,
    page: Layout,
    table: PairTable,
    alike: NDArray[np.bool_],
    middle: complex,
    tolerances: Tolerances,
) -> Votes:
    """Let pairs of primitives vote.

    Parameters
    ----------
    query, page : Layout
    table : PairTable
        Of the page.
    alike : (Q, P) bool
        Which primitives of the page look like which of the query.
    middle : complex
        Middle o of the query, x + iy in px.
    tolerances : Tolerances

    Returns
    -------
    Votes
        None where no pair of the page lies like one of the query.

    Examples
    --------
    >>> square = Layout(np.array([0, 60]) + 0j, np.array([40.0, 20]), np.full(2, np.nan))
    >>> moved = Layout(square.centres + 100j, square.sizes, square.axes)
    >>> votes = pair_votes(square, moved, PairTable.of(moved), np.eye(2, dtype=bool), 30,
    ...                    Tolerances(mirrored=False))
    >>> votes.place.round().tolist()
    [(30+100j)]
    """
    first, second = np.triu_indices(len(query), 1)
    pairs = Relations.of(query, first, second)
    share = alike.mean(1)
    likely = share[first] * share[second] > 0
    covered = table.covers(pairs, tolerances.apart, tolerances.ratio)
    pairs = pairs.take(likely & covered & _telling(query, pairs, middle))
    which, begin, end = table.ranges(pairs, tolerances.apart, tolerances.ratio)
    work = np.bincount(which, end - begin, len(pairs)).astype(np.int64)
    expected = work * share[pairs.first] * share[pairs.second]
    chosen = np.zeros(len(pairs), np.bool_)
    chosen[choose_pairs(pairs, expected, work, tolerances.max_comparisons)] = True
    kept = chosen[which]
    wanted, there = _similar(pairs, table, alike, (which[kept], begin[kept], end[kept]))
    pairs, similar = pairs.take(wanted), table.relations.take(there)
    close = np.abs(pairs.apart - similar.apart) <= tolerances.apart
    close &= np.abs(pairs.ratio - similar.ratio) <= tolerances.ratio
    return _poses(query, page, pairs.take(close), similar.take(close), middle, tolerances)


def single_votes(
    query: Layout,
    page: Layout,
    alike: NDArray[np.bool_],
    middle: complex,
    tolerances: Tolerances,
) -> Votes:
    """Let single primitives vote; only long ones tell the turn, up to half a turn.

    Parameters
    ----------
    query, page : Layout
    alike : (Q, P) bool
        Which primitives of the page look like which of the query.
    middle : complex
        Middle o of the query, x + iy in px.
    tolerances : Tolerances

    Examples
    --------
    >>> disc = Layout(np.array([9 + 9j]), np.array([40.0]), np.array([np.nan]))
    >>> votes = single_votes(disc, disc, np.ones((1, 1), bool), 9 + 9j, Tolerances())
    >>> votes.place.tolist(), votes.kind.tolist() == [ROUND]
    ([(9+9j)], True)
    """
    wanted, there = np.nonzero(alike)
    nothing = np.zeros(len(wanted))
    pairs = Relations(wanted, wanted, nothing, nothing)
    return _poses(query, page, pairs, Relations(there, there, nothing, nothing), middle, tolerances)


def _telling(query: Layout, pairs: Relations, middle: complex) -> NDArray[np.bool_]:
    """Which pairs tell where the query lies: not round ones within each other off its middle."""
    a, b = pairs.first, pairs.second
    turned = (
        (pairs.apart >= warp_distance(NEAR))
        | np.isfinite(query.axes[a])
        | np.isfinite(query.axes[b])
    )
    offset = np.abs((query.centres[a] + query.centres[b]) / 2 - middle)
    return turned | (offset <= CENTRAL * np.maximum(query.sizes[a], query.sizes[b]))


def _similar(
    pairs: Relations, table: PairTable, alike: NDArray[np.bool_], runs: tuple[Ints, Ints, Ints]
) -> tuple[Ints, Ints]:
    """The pairs in the runs whose primitives look like the wanted ones."""
    which, begin, end = runs
    count = end - begin
    number = concatenate_ranges(begin, count)
    width = alike.shape[1]
    flat = alike.ravel()
    one = np.repeat(pairs.first[which] * width, count) + table.relations.first[number]
    kept = np.flatnonzero(flat[one])
    number = number[kept]
    wanted = np.repeat(which, count)[kept]
    kept = np.flatnonzero(flat[pairs.second[wanted] * width + table.relations.second[number]])
    return wanted[kept], number[kept]


def _poses(
    query: Layout,
    page: Layout,
    pairs: Relations,
    similar: Relations,
    middle: complex,
    tolerances: Tolerances,
) -> Votes:
    """The poses that take pairs of the query to pairs of the page."""
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
) -> Votes:
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
    return Votes(place, factor, kind.astype(np.int64), query, page)


def _scales(query: Layout, page: Layout, pairs: Relations, similar: Relations) -> Floats:
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
    query: Layout, page: Layout, wanted: Ints, there: Ints, kind: int, unit: Complexes, most: float
) -> NDArray[np.bool_]:
    """Whether long primitives lie as the turn demands; round ones always do."""
    axis = query.axes[wanted] * (1 if kind == STRAIGHT else -1)
    differ = page.axes[there] - axis - np.angle(unit)
    crossed: NDArray[np.bool_] = np.abs(np.sin(differ)) > np.sin(most)
    return ~crossed  # NaN, of a round one, is no difference


def _turns_of_axes(
    query: Layout,
    page: Layout,
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
