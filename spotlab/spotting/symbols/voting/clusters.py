"""Clusters votes: poses that agree form a peak where most of them are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import concatenate_ranges
from spotlab.libraries import spatial
from spotlab.spotting.symbols.voting.pair_poses import PoseVotes

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
