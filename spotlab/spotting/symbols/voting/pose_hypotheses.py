"""Votes that agree make a place, which is as good as the primitives that support it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.geometry.spans import concatenate_ranges
from spotlab.spotting.symbols.voting.clusters import clusters
from spotlab.spotting.symbols.voting.relations import Floats, Ints, Layout
from spotlab.spotting.symbols.voting.voting import MIRRORED, ROUND, Complexes, Votes

STRAY = 0.2  # of the query's reach: so far supporting primitives may lie from where the pose says
ASKEW = 1.0  # how much the sine of a wrong direction counts beside that
HOLD = 0.05  # how much the votes' mean scale and turn count beside the supporting primitives


@dataclass(frozen=True, eq=False)
class Places:
    """Poses that votes agree on, with their supporting primitives.

    Attributes
    ----------
    place, factor : (N,) complex
        c and m, see `spotlab.spotting.symbols.voting.voting`.
    kind : (N,) int
    scores : (N,) float
        0 to 1.
    owner : (S,) int
        The place that each supporting pair belongs to, ascending.
    query, page : (S,) int
        Numbers of primitives; at a place each occurs once.
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

    def take(self, chosen: Ints) -> Places:
        """These places in this order."""
        begin, end = (np.searchsorted(self.owner, chosen, side) for side in ("left", "right"))
        count = end - begin
        rows = concatenate_ranges(begin, count)
        return Places(
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
    """Primitives of the page that may be those of the query at the places.

    ``owner`` says of which place, ``offset`` where the query has it from its middle, mirrored where
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

    def stray(self, place: Complexes, factor: Complexes, reach: float) -> Floats:
        """How far each lies from where and how the pose has it; 1 is as far as it may."""
        far = np.abs(self.there - place[self.owner] - factor[self.owner] * self.offset)
        scale = np.maximum(np.abs(factor[self.owner]), 1e-9)
        askew = np.abs(np.sin(np.nan_to_num(self.turn - np.angle(factor[self.owner]))))
        return np.hypot(far / (STRAY * reach * scale), ASKEW * askew)


def find_places(
    votes: Votes,
    layouts: tuple[Layout, Layout],
    closeness: Floats,
    middle: complex,
    reach: float,
    least: float = 0.0,
) -> Places:
    """Where votes agree.

    Parameters
    ----------
    votes : Votes
    layouts : (Layout, Layout)
        The query's and the page's.
    closeness : (Q, P) float
        How much primitives look alike, 0 to 1.
    middle : complex
        o.
    reach : float
        How far the query reaches from there, in px.
    least : float
        Places with a lower score are left out.
    """
    peak, vote = clusters(votes, reach, _votes_needed(weights(layouts[0]), least))
    count = int(peak.max()) + 1 if len(peak) else 0
    kind = np.zeros(count, np.int64)
    kind[peak] = votes.kind[vote]
    place = _means(peak, votes.place[vote], np.ones(len(vote)), count)
    mean = _means(peak, votes.factor[vote], np.ones(len(vote)), count)
    support = _support(votes, (peak, vote), layouts, kind, closeness, middle)
    factor, farthest = mean, 2.0
    for _ in range(2):  # with the pose it is clearer which primitives support it
        chosen = _one_to_one(
            support, support.stray(place, factor, reach), farthest, closeness.shape
        )
        place, factor = _fitted(support.take(chosen), mean, reach)
        farthest = 1.0
    support = support.take(chosen)
    stray = support.stray(place, factor, reach)
    worth = support.weight * _worth(support.closeness, stray)
    support, worth = support.take(np.flatnonzero(stray <= 1)), worth[stray <= 1]
    scores = np.bincount(support.owner, worth, count).astype(np.float64)
    places = Places(place, factor, kind, scores, support.owner, support.query, support.page)
    return places.take(np.flatnonzero(scores >= least))


def weights(query: Layout) -> Floats:
    """(Q,) how much each primitive of a query counts, all together 1.

    Examples
    --------
    >>> weights(Layout(np.zeros(2), np.array([90.0, 10]), np.zeros(2))).tolist()
    [0.75, 0.25]
    """
    roots = np.sqrt(query.sizes)
    return np.asarray(roots / roots.sum())


def _votes_needed(weight: Floats, least: float) -> int:
    """Fewer votes come from too few primitives for the score: each from two at most."""
    primitives = np.searchsorted(np.cumsum(-np.sort(-weight)), least) + 1
    return int(-(-primitives // 2))


def _worth(closeness: Floats, stray: Floats) -> Floats:
    """How well a primitive supports a place, 0 to 1."""
    return np.asarray((0.5 + 0.5 * closeness) * (1 - stray / 2))


def _support(
    votes: Votes,
    members: tuple[Ints, Ints],
    layouts: tuple[Layout, Layout],
    kind: Ints,
    closeness: Floats,
    middle: complex,
) -> _Support:
    """All that votes of the places came from, each once."""
    peak, vote = members
    query, page = layouts
    key = np.concatenate([peak * len(query) + votes.query[vote, end] for end in (0, 1)])
    key = key * len(page) + np.concatenate([votes.page[vote, end] for end in (0, 1)])
    key.sort()  # and then unequal neighbours: many times as quick as np.unique
    key, there = np.divmod(key[np.diff(key, prepend=-1) != 0], len(page))
    owner, wanted = np.divmod(key, len(query))
    offset = query.places[wanted] - middle
    offset = np.where(kind[owner] == MIRRORED, offset.conj(), offset)
    offset = np.where(kind[owner] == ROUND, 0, offset)
    axis = np.where(kind[owner] == MIRRORED, -query.axes[wanted], query.axes[wanted])
    turn = np.where(kind[owner] == ROUND, np.nan, page.axes[there] - axis)
    weight, close = weights(query)[wanted], closeness[wanted, there]
    return _Support(owner, wanted, there, offset, page.places[there], turn, weight, close)


def _one_to_one(support: _Support, stray: Floats, farthest: float, shape: tuple[int, ...]) -> Ints:
    """At each place, for each primitive of the query at most one of the page, each once."""
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


def _fitted(support: _Support, before: Complexes, reach: float) -> tuple[Complexes, Complexes]:
    """The poses with the least squared distances, held by the votes' mean."""
    owner, weight, count = support.owner, support.weight, len(before)
    start = _means(owner, support.offset, weight, count)
    stop = _means(owner, support.there, weight, count)
    part, arrived = support.offset - start[owner], support.there - stop[owner]
    hold = HOLD * reach**2 * np.bincount(owner, weight, count) + 1e-12
    up = _sums(owner, weight * part.conj() * arrived, count)
    down = np.bincount(owner, weight * np.abs(part) ** 2, count)
    factor = (up + hold * before) / (down + hold)
    return stop - factor * start, factor


def without_overlaps(places: Places, share: float = 0.5) -> Ints:
    """The best places, best first, no two of which share most of their primitives.

    Parameters
    ----------
    places : Places
    share : float
        A place goes when so much of its primitives belongs to better ones. Of equal scores the
        earlier is the better.

    Returns
    -------
    (N,) int
        Numbers of places.
    """
    begin = np.searchsorted(places.owner, np.arange(len(places) + 1)).tolist()
    page = places.page.tolist()
    taken: set[int] = set()
    chosen = []
    for number in np.argsort(-places.scores, kind="stable").tolist():
        own = page[begin[number] : begin[number + 1]]
        if own and sum(each in taken for each in own) < share * len(own):
            chosen.append(number)
            taken.update(own)
    return np.array(chosen, np.int64)
