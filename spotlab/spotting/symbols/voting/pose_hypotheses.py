"""Pose hypotheses: votes that agree, scored by the primitives that support them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.spotting.symbols.voting.clusters import cluster_votes
from spotlab.spotting.symbols.voting.pair_poses import MIRRORED, ROUND, Complexes, PoseVotes
from spotlab.spotting.symbols.voting.relations import PrimitiveLayout

STRAY = 0.2  # of the query's radius: how far supporting primitives may lie from the pose's place
ASKEW = 1.0  # how much the sine of a wrong direction counts beside that
HOLD = 0.05  # how much the votes' mean scale and turn count beside the supporting primitives


@dataclass(frozen=True, eq=False)
class PoseHypotheses:
    """Poses that votes agree on, with the primitives that support them.

    Attributes
    ----------
    place, factor : (N,) complex
        c and m, see `spotlab.spotting.symbols.voting.pair_poses`.
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
        """How far each lies from where and how the pose has it; 1 is as far as it may."""
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
    """How well a primitive supports a pose, 0 to 1."""
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
