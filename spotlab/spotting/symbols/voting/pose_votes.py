"""Pairs of a query's primitives, and single ones, vote for poses of the query on the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.spotting.symbols.voting.pair_poses import CENTRAL, PoseVotes, Tolerances, pair_poses
from spotlab.spotting.symbols.voting.relations import (
    NEAR,
    PairTable,
    PrimitiveLayout,
    Relations,
    warp_distance,
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
    query: PrimitiveLayout,
    page: PrimitiveLayout,
    table: PairTable,
    alike: NDArray[np.bool_],
    middle: complex,
    tolerances: Tolerances,
) -> PoseVotes:
    """Let pairs of primitives vote.

    Parameters
    ----------
    query, page : PrimitiveLayout
    table : PairTable
        Of the page.
    alike : (Q, P) bool
        Which primitives of the page look like which of the query.
    middle : complex
        Middle o of the query, x + iy in px.
    tolerances : Tolerances

    Returns
    -------
    PoseVotes
        None where no pair of the page lies like one of the query.

    Examples
    --------
    >>> square = PrimitiveLayout(np.array([0, 60]) + 0j, np.array([40.0, 20]), np.full(2, np.nan))
    >>> moved = PrimitiveLayout(square.centres + 100j, square.sizes, square.axes)
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
    return pair_poses(query, page, pairs.take(close), similar.take(close), middle, tolerances)


def single_votes(
    query: PrimitiveLayout,
    page: PrimitiveLayout,
    alike: NDArray[np.bool_],
    middle: complex,
    tolerances: Tolerances,
) -> PoseVotes:
    """Let single primitives vote; only long ones tell the turn, up to half a turn.

    Parameters
    ----------
    query, page : PrimitiveLayout
    alike : (Q, P) bool
        Which primitives of the page look like which of the query.
    middle : complex
        Middle o of the query, x + iy in px.
    tolerances : Tolerances

    Examples
    --------
    >>> disc = PrimitiveLayout(np.array([9 + 9j]), np.array([40.0]), np.array([np.nan]))
    >>> votes = single_votes(disc, disc, np.ones((1, 1), bool), 9 + 9j, Tolerances())
    >>> votes.place.tolist(), votes.kind.tolist()
    ([(9+9j)], [2])
    """
    wanted, there = np.nonzero(alike)
    nothing = np.zeros(len(wanted))
    pairs = Relations(wanted, wanted, nothing, nothing)
    return pair_poses(
        query, page, pairs, Relations(there, there, nothing, nothing), middle, tolerances
    )


def _telling(query: PrimitiveLayout, pairs: Relations, middle: complex) -> NDArray[np.bool_]:
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
