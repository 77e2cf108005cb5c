"""Pose hypotheses: votes that agree, scored by the primitives that support them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import spatial
from spotlab.geometry.polygon import concatenate_ranges
from spotlab.spotting.symbols.voting.relations import (
    CENTRAL,
    MIRRORED,
    NEAR,
    ROUND,
    Complexes,
    PairTable,
    PoseVotes,
    PrimitiveLayout,
    Relations,
    Tolerances,
    pair_poses,
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
    """Tell which pairs tell where the query lies: not round ones within each other off its
    middle.
    """
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


WIDTH = 0.12  # poses agree that move the query by no more than this part of its radius


@dataclass(frozen=True, eq=False)
class _VoteCells:
    """Votes that agree closely, as one.

    ``of_vote`` is the cell of each vote; ``middle`` (C, 4) in px is c and radius · m, so that the
    distance of two says how far they move the query apart.
    """

    of_vote: Ints
    count: Ints
    middle: Floats
    scale: Floats
    kind: Ints

    def __len__(self) -> int:
        return len(self.count)


def cluster_votes(votes: PoseVotes, radius: float, min_votes: int = 1) -> tuple[Ints, Ints]:
    """Assign votes to peaks.

    Parameters
    ----------
    votes : PoseVotes
    radius : float
        How far the query reaches from its middle, in px.
    min_votes : int
        Peaks of fewer votes are left out.

    Returns
    -------
    peak, vote : (K,) int
        Numbers of peaks and of their votes. A vote may belong to several.

    Examples
    --------
    >>> ends = np.zeros((3, 2), np.int64)
    >>> votes = PoseVotes(np.array([0, 2, 60j]), np.ones(3, complex), np.zeros(3, int), ends, ends)
    >>> [numbers.tolist() for numbers in cluster_votes(votes, radius=50)]
    [[0, 0, 1], [0, 1, 2]]
    """
    cells = _cells(votes, radius)
    first, second = _neighbours(cells, WIDTH * radius)
    weight = cells.count + np.bincount(first, cells.count[second], len(cells))
    weight = weight + np.bincount(second, cells.count[first], len(cells))
    # a peak has no neighbour with more votes, nor an earlier one with as many
    higher = (weight[first] > weight[second]) | (
        (weight[first] == weight[second]) & (first < second)
    )
    peak = weight >= min_votes
    peak[np.where(higher, second, first)] = False
    chosen = np.flatnonzero(peak)
    number = np.full(len(cells), -1)
    number[chosen] = np.arange(len(chosen))
    one = np.concatenate([chosen, first[peak[first]], second[peak[second]]])
    other = np.concatenate([chosen, second[peak[first]], first[peak[second]]])
    order = np.argsort(cells.of_vote, kind="stable")
    starts = np.cumsum(cells.count) - cells.count
    size = cells.count[other]
    return np.repeat(number[one], size), order[concatenate_ranges(starts[other], size)]


def _cells(votes: PoseVotes, radius: float) -> _VoteCells:
    where = np.stack(
        [
            votes.place.real,
            votes.place.imag,
            votes.factor.real * radius,
            votes.factor.imag * radius,
        ],
        1,
    )
    octave = np.floor(np.log2(np.maximum(np.abs(votes.factor), 1e-9))).astype(np.int64)
    place = np.floor(where / (WIDTH * radius * 2.0**octave)[:, None]).astype(np.int64)
    place -= place.min(0, initial=0)
    spans = place.max(0, initial=0) + 1
    key = (octave - octave.min(initial=0)) * 3 + votes.kind
    for column in range(4):
        key = key * spans[column] + place[:, column]
    _, of_vote, count = np.unique(key, return_inverse=True, return_counts=True)
    sums = [np.bincount(of_vote, column, len(count)) for column in where.T]
    middle = np.stack(sums, 1) / np.maximum(count, 1)[:, None]
    kind = np.zeros(len(count), np.int64)
    kind[of_vote] = votes.kind
    scale = np.hypot(middle[:, 2], middle[:, 3]) / radius
    return _VoteCells(of_vote.astype(np.int64), count.astype(np.int64), middle, scale, kind)


def _neighbours(cells: _VoteCells, width: float) -> tuple[Ints, Ints]:
    """Pairs of cells whose poses differ by no more than the width at the smaller's scale."""
    middle, scale = cells.middle, cells.scale
    # in steps of scale, so that wide searches need not look through the many cells of small poses;
    # the poses of steps that are not next to each other always differ by more
    step = np.floor(2 * np.log2(np.maximum(scale, 1e-9))).astype(np.int64)
    group = step * 3 + cells.kind
    order = np.argsort(group, kind="stable")
    numbers, starts = np.unique(group[order], return_index=True)
    ends = np.append(starts[1:], len(order))[: len(starts)].tolist()
    members = {
        number: order[start:end]
        for number, start, end in zip(numbers.tolist(), starts.tolist(), ends, strict=True)
    }
    trees = {
        number: spatial.cKDTree(middle[own], balanced_tree=False) for number, own in members.items()
    }
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, own in members.items():
        farthest = width * 2.0 ** ((number // 3 + 1) / 2)
        pairs = trees[number].query_pairs(farthest, output_type="ndarray")
        firsts.append(own[pairs[:, 0]])
        seconds.append(own[pairs[:, 1]])
        if number + 3 in trees:
            near_pairs = trees[number].sparse_distance_matrix(
                trees[number + 3], farthest, output_type="ndarray"
            )
            firsts.append(own[near_pairs["i"]])
            seconds.append(members[number + 3][near_pairs["j"]])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    far = ((middle[first] - middle[second]) ** 2).sum(1)
    near = far <= (width * np.minimum(scale[first], scale[second])) ** 2
    return first[near], second[near]


STRAY = 0.2  # of the query's radius: how far supporting primitives may lie from the pose's place
ASKEW = 1.0  # how much the sine of a wrong direction counts beside that
HOLD = 0.05  # how much the votes' mean scale and turn count beside the supporting primitives


@dataclass(frozen=True, eq=False)
class PoseHypotheses:
    """Poses that votes agree on, with the primitives that support them.

    Attributes
    ----------
    place, factor : (N,) complex
        c and m, see `spotlab.spotting.symbols.voting.relations`.
    kind : (N,) int
    scores : (N,) float
        0 to 1.
    owner : (S,) int
        The pose that each supporting pair of primitives belongs to, rising.
    query, page : (S,) int
        Numbers of these primitives; at a pose each occurs once.
    """

    place: Complexes
    factor: Complexes
    kind: Ints
    scores: Floats
    owner: Ints
    query: Ints
    page: Ints

    def __len__(self) -> int:
        return len(self.place)

    def take(self, chosen: Ints) -> PoseHypotheses:
        """Choose poses.

        Parameters
        ----------
        chosen : (M,) int
            Numbers of poses, in the order wanted.

        Examples
        --------
        >>> some = np.zeros(2, np.int64)
        >>> poses = PoseHypotheses(np.array([1j, 2j]), np.ones(2, complex), some, np.ones(2),
        ...                        np.array([0, 1]), some, np.array([7, 8]))
        >>> poses.take(np.array([1])).page.tolist()
        [8]
        """
        begin, end = (np.searchsorted(self.owner, chosen, side) for side in ("left", "right"))
        count = end - begin
        rows = concatenate_ranges(begin, count)
        return PoseHypotheses(
            self.place[chosen],
            self.factor[chosen],
            self.kind[chosen],
            self.scores[chosen],
            np.repeat(np.arange(len(chosen)), count),
            self.query[rows],
            self.page[rows],
        )


@dataclass(frozen=True, eq=False)
class _Support:
    """Primitives of the page that may be those of the query at the poses.

    ``owner`` says of which pose, ``offset`` where the query has it from its middle, mirrored where
    the pose is, ``there`` where it is on the page, ``turn`` the direction of its long axis there
    from that in the query, NaN where it has none.
    """

    owner: Ints
    query: Ints
    page: Ints
    offset: Complexes
    there: Complexes
    turn: Floats
    weight: Floats
    closeness: Floats

    def take(self, chosen: Ints) -> _Support:
        return _Support(
            self.owner[chosen],
            self.query[chosen],
            self.page[chosen],
            self.offset[chosen],
            self.there[chosen],
            self.turn[chosen],
            self.weight[chosen],
            self.closeness[chosen],
        )

    def stray(self, place: Complexes, factor: Complexes, radius: float) -> Floats:
        """Tell how far each lies from where and how the pose has it; 1 is as far as it may."""
        far = np.abs(self.there - place[self.owner] - factor[self.owner] * self.offset)
        scale = np.maximum(np.abs(factor[self.owner]), 1e-9)
        askew = np.abs(np.sin(np.nan_to_num(self.turn - np.angle(factor[self.owner]))))
        return np.hypot(far / (STRAY * radius * scale), ASKEW * askew)


def find_poses(
    votes: PoseVotes,
    layouts: tuple[PrimitiveLayout, PrimitiveLayout],
    closeness: Floats,
    middle: complex,
    radius: float,
    min_score: float = 0.0,
) -> PoseHypotheses:
    """Find the poses on which votes agree.

    Parameters
    ----------
    votes : PoseVotes
    layouts : (Layout, PrimitiveLayout)
        The query's and the page's.
    closeness : (Q, P) float
        How much primitives look alike, 0 to 1.
    middle : complex
        Middle o of the query, x + iy in px.
    radius : float
        How far the query reaches from there, in px.
    min_score : float
        Poses with a lower score are left out.

    Returns
    -------
    PoseHypotheses
        In no particular but a fixed order.

    Examples
    --------
    >>> square = PrimitiveLayout(np.array([0, 60]) + 0j, np.array([40.0, 20]), np.full(2, np.nan))
    >>> moved = PrimitiveLayout(square.centres + 100j, square.sizes, square.axes)
    >>> ends = np.array([[0, 1]])
    >>> vote = PoseVotes(np.array([30 + 100j]), np.ones(1) + 0j, np.zeros(1, int), ends, ends)
    >>> poses = find_poses(vote, (square, moved), np.eye(2), middle=30, radius=50)
    >>> poses.place.round().tolist(), poses.scores.round(3).tolist()
    ([(30+100j)], [1.0])
    """
    needed = _votes_needed(primitive_weights(layouts[0]), min_score)
    peak, vote = cluster_votes(votes, radius, needed)
    count = int(peak.max()) + 1 if len(peak) else 0
    kind = np.zeros(count, np.int64)
    kind[peak] = votes.kind[vote]
    place = _means(peak, votes.place[vote], np.ones(len(vote)), count)
    mean = _means(peak, votes.factor[vote], np.ones(len(vote)), count)
    support = _support(votes, (peak, vote), layouts, kind, closeness, middle)
    factor, farthest = mean, 2.0
    for _ in range(2):  # with the fitted pose it is clearer which primitives support it
        chosen = _one_to_one(
            support, support.stray(place, factor, radius), farthest, closeness.shape
        )
        place, factor = _fitted(support.take(chosen), mean, radius)
        farthest = 1.0
    support = support.take(chosen)
    stray = support.stray(place, factor, radius)
    worth = support.weight * _worth(support.closeness, stray)
    support, worth = support.take(np.flatnonzero(stray <= 1)), worth[stray <= 1]
    scores = np.bincount(support.owner, worth, count).astype(np.float64)
    poses = PoseHypotheses(place, factor, kind, scores, support.owner, support.query, support.page)
    return poses.take(np.flatnonzero(scores >= min_score))


def primitive_weights(query: PrimitiveLayout) -> Floats:
    """Compute how much each primitive of a query counts: by the root of its size.

    Parameters
    ----------
    query : PrimitiveLayout

    Returns
    -------
    (Q,) float
        All together 1.

    Examples
    --------
    >>> primitive_weights(PrimitiveLayout(np.zeros(2), np.array([90.0, 10]), np.zeros(2))).tolist()
    [0.75, 0.25]
    """
    roots = np.sqrt(query.sizes)
    return np.asarray(roots / roots.sum())


def _votes_needed(weight: Floats, min_score: float) -> int:
    """Number of votes below which too few primitives take part for the score: two per vote."""
    primitives = np.searchsorted(np.cumsum(-np.sort(-weight)), min_score) + 1
    return int(-(-primitives // 2))


def _worth(closeness: Floats, stray: Floats) -> Floats:
    """Tell how well a primitive supports a pose, 0 to 1."""
    return np.asarray((0.5 + 0.5 * closeness) * (1 - stray / 2))


def _support(
    votes: PoseVotes,
    members: tuple[Ints, Ints],
    layouts: tuple[PrimitiveLayout, PrimitiveLayout],
    kind: Ints,
    closeness: Floats,
    middle: complex,
) -> _Support:
    """All pairs of primitives that votes for the poses came from, each once."""
    peak, vote = members
    query, page = layouts
    key = np.concatenate([peak * len(query) + votes.query[vote, end] for end in (0, 1)])
    key = key * len(page) + np.concatenate([votes.page[vote, end] for end in (0, 1)])
    key.sort()  # and then unequal neighbours: many times as quick as np.unique
    key, there = np.divmod(key[np.diff(key, prepend=-1) != 0], len(page))
    owner, wanted = np.divmod(key, len(query))
    offset = query.centres[wanted] - middle
    offset = np.where(kind[owner] == MIRRORED, offset.conj(), offset)
    offset = np.where(kind[owner] == ROUND, 0, offset)
    axis = np.where(kind[owner] == MIRRORED, -query.axes[wanted], query.axes[wanted])
    turn = np.where(kind[owner] == ROUND, np.nan, page.axes[there] - axis)
    weight, close = primitive_weights(query)[wanted], closeness[wanted, there]
    return _Support(owner, wanted, there, offset, page.centres[there], turn, weight, close)


def _one_to_one(support: _Support, stray: Floats, farthest: float, shape: tuple[int, ...]) -> Ints:
    """At each pose, for each primitive of the query at most one of the page, each once."""
    chosen = np.flatnonzero(stray <= farthest)
    worth = _worth(support.closeness, stray)
    for names, size in ((support.query, shape[0]), (support.page, shape[1])):
        group = support.owner[chosen] * size + names[chosen]
        order = np.lexsort((-worth[chosen], group))  # the first of equally worthy ones
        chosen = chosen[np.sort(order[np.diff(group[order], prepend=-1) != 0])]
    return chosen


def _means(owner: Ints, values: Complexes, weight: Floats, count: int) -> Complexes:
    total = np.maximum(np.bincount(owner, weight, count), 1e-12)
    return _sums(owner, values * weight, count) / total


def _sums(owner: Ints, values: Complexes, count: int) -> Complexes:
    return np.asarray(
        np.bincount(owner, values.real, count) + 1j * np.bincount(owner, values.imag, count)
    )


def _fitted(support: _Support, before: Complexes, radius: float) -> tuple[Complexes, Complexes]:
    """The poses with the least squared distances, held by the votes' mean."""
    owner, weight, count = support.owner, support.weight, len(before)
    start = _means(owner, support.offset, weight, count)
    stop = _means(owner, support.there, weight, count)
    part, arrived = support.offset - start[owner], support.there - stop[owner]
    hold = HOLD * radius**2 * np.bincount(owner, weight, count) + 1e-12
    up = _sums(owner, weight * part.conj() * arrived, count)
    down = np.bincount(owner, weight * np.abs(part) ** 2, count)
    factor = (up + hold * before) / (down + hold)
    return stop - factor * start, factor


def best_without_overlaps(poses: PoseHypotheses, share: float = 0.5) -> Ints:
    """Choose the best poses, no two of which share most of their primitives.

    Parameters
    ----------
    poses : PoseHypotheses
    share : float
        A pose is left out when this share of its primitives belongs to better ones. Of equal scores
        the earlier is the better.

    Returns
    -------
    (N,) int
        Numbers of poses, best first.

    Examples
    --------
    >>> zeros = np.zeros(2, np.int64)
    >>> poses = PoseHypotheses(np.zeros(2) + 0j, np.ones(2) + 0j, zeros, np.array([0.5, 0.9]),
    ...                        np.array([0, 1]), zeros, np.array([7, 7]))
    >>> best_without_overlaps(poses).tolist()
    [1]
    """
    begin = np.searchsorted(poses.owner, np.arange(len(poses) + 1)).tolist()
    page = poses.page.tolist()
    taken: set[int] = set()
    chosen = []
    for number in np.argsort(-poses.scores, kind="stable").tolist():
        own = page[begin[number] : begin[number + 1]]
        if own and sum(primitive in taken for primitive in own) < share * len(own):
            chosen.append(number)
            taken.update(own)
    return np.array(chosen, np.int64)
