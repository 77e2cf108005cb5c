"""Finds which regions of several systems are the same, by how much they overlap."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.libraries import shapely
from spotlab.representation import short_repr

ROUNDING = 1e-12  # an average of overlaps that all are the threshold is not below it
DIGITS = 9  # of averages that are compared: the order in which they were added up must not count


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Pairs of regions that overlap.

    Attributes
    ----------
    first, second : (K,) int
        Their places in the one and in the other list of regions.
    iou : (K,) float
        Intersection over union, above 0.
    """

    first: Ints
    second: Ints
    iou: Floats

    __repr__ = short_repr


def shapes_of(outlines: Outlines) -> NDArray[Any]:
    """(N,) the shapely geometry of each outline, by the even-odd rule."""
    return np.array([even_odd_geometry(outlines[index]) for index in range(len(outlines))], object)


def overlaps(one: NDArray[Any], other: NDArray[Any]) -> Overlaps:
    """All pairs of one shape of each list that have an area in common."""
    if not len(one) or not len(other):
        nothing = np.zeros(0, np.int64)
        return Overlaps(nothing, nothing, np.zeros(0))
    first, second = shapely.STRtree(other).query(one, "intersects")
    shared = shapely.area(shapely.intersection(one[first], other[second]))
    union = shapely.area(one)[first] + shapely.area(other)[second] - shared
    iou = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    order = np.lexsort((second, first))
    order = order[iou[order] > 0]
    return Overlaps(first[order], second[order], np.minimum(iou[order], 1.0))


def cluster(pairs: Overlaps, system: Sequence[int], threshold: float) -> Ints:
    """Put regions together that are the same.

    Parameters
    ----------
    pairs : Overlaps
        Of the N regions with each other.
    system : sequence of int
        Whose each region is.
    threshold : float
        The average intersection over union that two clusters have to reach to become one.

    Returns
    -------
    (N,) int
        The cluster of each region, numbered by their first regions.

    Notes
    -----
    Average linkage: the two clusters of the highest average overlap, 0 of regions apart counted in,
    become one, and so on. No cluster holds two regions of one system. Of equally good pairs that
    with the earlier regions is first, so that the same input gives the same clusters.

    Examples
    --------
    >>> pairs = Overlaps(np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([0.9, 0.6, 0.5]))
    >>> cluster(pairs, [0, 1, 2], 0.5)
    array([0, 0, 0])
    >>> cluster(pairs, [0, 1, 0], 0.5)
    array([0, 0, 1])
    """
    work = _Clusters(system, threshold)
    apart = pairs.first < pairs.second
    for first, second, iou in zip(
        pairs.first[apart].tolist(), pairs.second[apart].tolist(), pairs.iou[apart].tolist(),
        strict=True,
    ):  # fmt: skip
        work.add(first, second, iou)
    return work.run()


class _Clusters:
    """Clusters that become fewer; each has a number of its own, so that none ever changes."""

    def __init__(self, system: Sequence[int], threshold: float) -> None:
        self.members = {index: [index] for index in range(len(system))}
        self.systems = {index: 1 << own for index, own in enumerate(system)}
        self.near: dict[int, dict[int, float]] = {index: {} for index in range(len(system))}
        self.queue: list[tuple[float, int, int, int, int]] = []
        self.least = threshold - ROUNDING
        self.count = len(system)

    def add(self, one: int, two: int, total: float) -> None:
        """Note how much two clusters overlap, added up over all pairs of their regions."""
        self.near[one][two] = self.near[two][one] = total
        average = total / (len(self.members[one]) * len(self.members[two]))
        if average >= self.least and not self.systems[one] & self.systems[two]:
            first, second = sorted((self.members[one][0], self.members[two][0]))
            heapq.heappush(self.queue, (-round(average, DIGITS), first, second, one, two))

    def run(self) -> Ints:
        """Join until no two are alike enough."""
        new = self.count
        while self.queue:
            *_, one, two = heapq.heappop(self.queue)
            if one in self.members and two in self.members:
                self._join(one, two, new)
                new += 1
        found = np.zeros(self.count, np.int64)
        ordered = sorted(self.members.values(), key=lambda members: members[0])
        for number, members in enumerate(ordered):
            found[members] = number
        return found

    def _join(self, one: int, two: int, new: int) -> None:
        self.members[new] = sorted(self.members.pop(one) + self.members.pop(two))
        self.systems[new] = self.systems.pop(one) | self.systems.pop(two)
        totals: dict[int, float] = {}
        for old in (one, two):
            for other, total in self.near.pop(old).items():
                if other not in (one, two):
                    totals[other] = totals.get(other, 0.0) + total
                    del self.near[other][old]
        self.near[new] = {}
        for other, total in totals.items():
            self.add(new, other, total)


def match_truth(pairs: Overlaps, clusters: Ints, regions: int, threshold: float) -> Ints:
    """The cluster of each true region, -1 where it has none.

    Parameters
    ----------
    pairs : Overlaps
        Of true regions with those that are clustered.
    clusters : (N,) int
        What `cluster` gave.
    regions : int
        How many true regions there are.
    threshold : float
        The average intersection over union with a cluster's regions that makes them the same.

    Notes
    -----
    The highest average is matched first; every region and every cluster once.
    """
    matched = np.full(regions, -1, np.int64)
    if not len(pairs.iou):
        return matched
    size = np.bincount(clusters)
    keys = pairs.first * len(size) + clusters[pairs.second]
    found, which = np.unique(keys, return_inverse=True)
    region, own = found // len(size), found % len(size)
    average = np.bincount(which, pairs.iou) / size[own]
    taken: set[int] = set()
    for at in np.lexsort((own, region, -average.round(DIGITS))).tolist():
        able = average[at] >= threshold - ROUNDING and int(own[at]) not in taken
        if able and matched[region[at]] < 0:
            matched[region[at]] = own[at]
            taken.add(int(own[at]))
    return matched
