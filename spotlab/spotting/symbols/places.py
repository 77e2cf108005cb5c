"""Votes that agree make a place, which is as good as the primitives that support it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from spotlab.spotting.symbols.relations import Floats, Ints, Layout
from spotlab.spotting.symbols.voting import MIRRORED, ROUND, Complexes, Votes

WIDTH = 0.15  # votes agree when their poses move the query by no more than this part of its reach
STRAY = 0.2  # so far a supporting primitive may lie from where the pose has it, in the same unit


@dataclass(frozen=True, eq=False)
class Places:
    """Poses that votes agree on, with their supporting primitives.

    Attributes
    ----------
    place, factor : (N,) complex
        c and m, see `spotlab.spotting.symbols.voting`.
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
        rows = np.arange(count.sum()) + np.repeat(begin - np.cumsum(count) + count, count)
        return Places(
            self.place[chosen],
            self.factor[chosen],
            self.kind[chosen],
            self.scores[chosen],
            np.repeat(np.arange(len(chosen)), count),
            self.query[rows],
            self.page[rows],
        )


def find_places(
    votes: Votes, query: Layout, page: Layout, closeness: Floats, middle: complex, reach: float
) -> Places:
    """Where votes agree.

    Parameters
    ----------
    votes : Votes
    query, page : Layout
    closeness : (Q, P) float
        How much primitives look alike, 0 to 1.
    middle : complex
        o.
    reach : float
        How far the query reaches from there, in px.
    """
    peak, vote = _clusters(votes, reach)
    owner, of_query, of_page = _supporters(votes, peak, vote, closeness)
    count = int(peak.max()) + 1 if len(peak) else 0
    members = np.maximum(np.bincount(peak, minlength=count), 1)
    mean = [_sums(peak, values[vote], count) / members for values in (votes.place, votes.factor)]
    kind = np.zeros(count, np.int64)
    kind[peak] = votes.kind[vote]
    offset = query.places[of_query] - middle
    offset = np.where(kind[owner] == MIRRORED, np.conj(offset), offset)
    there = page.places[of_page]
    weight = weights(query)
    place, factor = _fitted(owner, offset, there, weight[of_query], mean[1], kind, reach)
    place = np.where(kind == ROUND, _means(owner, there, weight[of_query], count), place)
    expected = place[owner] + np.where(kind[owner] == ROUND, 0, factor[owner] * offset)
    stray = np.abs(there - expected) / (STRAY * reach * np.maximum(np.abs(factor[owner]), 1e-9))
    kept = stray <= 1
    worth = weight[of_query] * _worth(closeness[of_query, of_page], stray)
    scores = np.bincount(owner[kept], worth[kept].astype(np.float64), count).astype(np.float64)
    return Places(place, factor, kind, scores, owner[kept], of_query[kept], of_page[kept])


def weights(query: Layout) -> Floats:
    """(Q,) how much each primitive of a query counts, all together 1."""
    roots = np.sqrt(query.sizes)
    return np.asarray(roots / roots.sum())


def _worth(closeness: Floats, stray: Floats) -> Floats:
    """How well a primitive supports a place, 0 to 1."""
    return np.asarray((0.5 + 0.5 * closeness) * (1 - stray / 2))


def _sums(owner: Ints, values: Complexes, count: int) -> Complexes:
    return np.asarray(
        np.bincount(owner, values.real, count) + 1j * np.bincount(owner, values.imag, count)
    )


def _means(owner: Ints, values: Complexes, weight: Floats, count: int) -> Complexes:
    total = np.maximum(np.bincount(owner, weight, count), 1e-12)
    return _sums(owner, values * weight, count) / total


def _fitted(
    owner: Ints,
    offset: Complexes,
    there: Complexes,
    weight: Floats,
    before: Complexes,
    kind: Ints,
    reach: float,
) -> tuple[Complexes, Complexes]:
    """The poses that fit the supporting primitives best, held by the votes' mean."""
    count = len(before)
    from_ = _means(owner, offset, weight, count)
    to = _means(owner, there, weight, count)
    part, arrived = offset - from_[owner], there - to[owner]
    hold = 0.05 * reach**2 * np.bincount(owner, weight, count) + 1e-12
    up = _sums(owner, weight * np.conj(part) * arrived, count)
    down = np.bincount(owner, weight * np.abs(part) ** 2, count)
    factor = np.where(kind == ROUND, before, (up + hold * before) / (down + hold))
    return to - factor * from_, factor


def _clusters(votes: Votes, reach: float) -> tuple[Ints, Ints]:
    """Which votes belong to which peak; a vote may belong to several."""
    width = WIDTH * reach
    where = np.stack(
        [votes.place.real, votes.place.imag, votes.factor.real * reach, votes.factor.imag * reach],
        1,
    )
    octave = np.floor(np.log2(np.maximum(np.abs(votes.factor), 1e-9))).astype(np.int64)
    cell = np.floor(where / (width * 2.0**octave)[:, None]).astype(np.int64)
    cell -= cell.min(0, initial=0)
    spans = cell.max(0, initial=0) + 1
    key = (octave - octave.min(initial=0)) * 3 + votes.kind
    for column in range(4):
        key = key * spans[column] + cell[:, column]
    _, cell_of, count = np.unique(key, return_inverse=True, return_counts=True)
    cells = len(count)
    if not cells:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    middle = np.stack([np.bincount(cell_of, column, cells) / count for column in where.T], 1)
    scale = np.hypot(middle[:, 2], middle[:, 3]) / reach
    kind = np.zeros(cells, np.int64)
    kind[cell_of] = votes.kind
    first, second = _neighbours(middle, kind, width, scale)
    weight = count + np.bincount(first, count[second], cells)
    weight = weight + np.bincount(second, count[first], cells)
    # a peak has no neighbour with more votes, nor an earlier one with as many
    higher = (weight[first] > weight[second]) | (
        (weight[first] == weight[second]) & (first < second)
    )
    peak = np.ones(cells, np.bool_)
    peak[np.where(higher, second, first)] = False
    chosen = np.flatnonzero(peak)
    number = np.full(cells, -1)
    number[chosen] = np.arange(len(chosen))
    one = np.concatenate([chosen, first[peak[first]], second[peak[second]]])
    other = np.concatenate([chosen, second[peak[first]], first[peak[second]]])
    order = np.argsort(cell_of, kind="stable")
    starts = np.concatenate([[0], np.cumsum(count)])
    size = count[other]
    rows = np.arange(size.sum()) + np.repeat(starts[other] - np.cumsum(size) + size, size)
    return np.repeat(number[one], size), order[rows]


def _neighbours(middle: Floats, kind: Ints, width: float, scale: Floats) -> tuple[Ints, Ints]:
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for each in np.unique(kind):
        own = np.flatnonzero(kind == each)
        pairs = cKDTree(middle[own]).query_pairs(
            width * float(scale[own].max()), output_type="ndarray"
        )
        pairs = own[pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]]
        far = ((middle[pairs[:, 0]] - middle[pairs[:, 1]]) ** 2).sum(1)
        near = far <= (width * np.minimum(scale[pairs[:, 0]], scale[pairs[:, 1]])) ** 2
        firsts.append(pairs[near, 0])
        seconds.append(pairs[near, 1])
    return np.concatenate(firsts), np.concatenate(seconds)


def _supporters(votes: Votes, peak: Ints, vote: Ints, closeness: Floats) -> tuple[Ints, Ints, Ints]:
    """At each peak, for each primitive of the query at most one of the page, each once."""
    primitives, page_size = closeness.shape
    owner = np.concatenate([peak, peak])
    query = np.concatenate([votes.query[vote, 0], votes.query[vote, 1]])
    page = np.concatenate([votes.page[vote, 0], votes.page[vote, 1]])
    key = (owner * primitives + query) * page_size + page
    key, count = np.unique(key, return_counts=True)
    owner, query, page = (
        key // page_size // primitives,
        key // page_size % primitives,
        key % page_size,
    )
    worth = count * (0.5 + closeness[query, page])
    for side in ("query", "page"):
        group = owner * primitives + query if side == "query" else owner * page_size + page
        best = _best(group, worth)
        owner, query, page, worth = owner[best], query[best], page[best], worth[best]
    return owner, query, page


def _best(group: Ints, worth: Floats) -> Ints:
    """The most worthy of each group, the first of several; ascending."""
    order = np.lexsort((-worth, group))
    return np.sort(order[np.diff(group[order], prepend=-1) != 0])


def without_overlaps(places: Places, share: float = 0.5) -> Ints:
    """The best places, best first, no two of which share most of their primitives."""
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
