"""Borda: each list votes by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.lists import only_found, ranks, sum_of_found


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Add up the lists' points.

    Of M items that any list has found, the item of rank r gets M − r + 1 points; those that a list
    of K has not found share what is left alike, (M − K + 1) / 2 each.
    """
    _, count = sum_of_found(evidence.lists)
    candidates = np.count_nonzero(count)
    points = np.zeros(len(count))
    for row in evidence.lists:
        rank = ranks(row)
        found = ~np.isnan(rank)
        left = (candidates - np.count_nonzero(found) + 1) / 2
        points += np.where(found, candidates - rank + 1, left)
    return only_found(points, count)


FUSION = Fusion(
    name="borda",
    title="Borda count",
    definition="The sum of points by rank, as many for the first as there are items, one less for"
    " each next; items that a list lacks share the points left (Aslam & Montague 2001, §3).",
    fuse=fuse,
    needs="lists",
    comparable=False,
)
