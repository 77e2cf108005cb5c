"""Areas of a few polygons by rational numbers: strips between all corners and crossings."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

Rings = list[NDArray[np.float64]]
Edge = tuple[Fraction, Fraction, Fraction, Fraction, int]


def exact_new_coverage(
    spots: Rings, regions: Rings
) -> tuple[list[float], list[float], dict[tuple[int, int], float]]:
    """Compute what each spot covers first, that in regions, and by spot and region."""
    edges = [edge for owner, ring in enumerate([*spots, *regions]) for edge in _edges(ring, owner)]
    heights = sorted({y for edge in edges for y in (edge[1], edge[3])} | _crossings(edges))
    new, relevant = [Fraction(0)] * len(spots), [Fraction(0)] * len(spots)
    pairs: dict[tuple[int, int], Fraction] = {}
    for top, bottom in pairwise(heights):
        y = (top + bottom) / 2
        inside: set[int] = set()
        before = Fraction(0)
        for x, owner in sorted((_x(edge, y), edge[4]) for edge in edges if edge[1] < y < edge[3]):
            first = min(inside, default=len(spots))
            area = (x - before) * (bottom - top)
            if first < len(spots) and area > 0:
                here = [other - len(spots) for other in inside if other >= len(spots)]
                new[first] += area
                relevant[first] += area if here else 0
                for region in here:
                    pairs[first, region] = pairs.get((first, region), Fraction(0)) + area
            inside ^= {owner}
            before = x
    of_pairs = {pair: float(area) for pair, area in pairs.items()}
    return [float(area) for area in new], [float(area) for area in relevant], of_pairs


def _edges(ring: NDArray[np.float64], owner: int) -> list[Edge]:
    """The edges of a ring from top to bottom, without horizontal ones."""
    corners = [(Fraction(x), Fraction(y)) for x, y in ring.tolist()]
    ends = [
        sorted((corners[at - 1], corner), key=lambda end: end[1])
        for at, corner in enumerate(corners)
    ]
    return [(*one, *other, owner) for one, other in ends if one[1] < other[1]]


def _x(edge: Edge, y: Fraction) -> Fraction:
    return edge[0] + (edge[2] - edge[0]) * (y - edge[1]) / (edge[3] - edge[1])


def _crossings(edges: list[Edge]) -> set[Fraction]:
    found = set()
    for one, other in combinations(edges, 2):
        top, bottom = max(one[1], other[1]), min(one[3], other[3])
        if top < bottom:
            above, below = _x(one, top) - _x(other, top), _x(one, bottom) - _x(other, bottom)
            if above * below < 0:
                found.add(top + (bottom - top) * above / (above - below))
    return found
