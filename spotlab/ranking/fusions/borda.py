"""Borda: each list votes by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion, count_lists, mask_missing


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Add up the points that the lists give by rank.

    Of M items that any list has, the item of rank r gets M − r + 1 points; the items that a list of
    K items lacks share the points that are left, (M − K + 1) / 2 each.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        Points; NaN for an item that no list has.

    Notes
    -----
    Aslam & Montague (2001), §3.

    Examples
    --------
    >>> lists = np.array([[0.9, 0.8, np.nan], [0.1, np.nan, 0.7]])
    >>> fuse(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([5., 3., 4.])
    """
    count = count_lists(evidence.lists)
    candidates = np.count_nonzero(count)
    # halves, whose sums are exact in any order: what each list lacks is added to all items first
    points = count * (candidates + 1) / 2
    for each in evidence.ranks:
        more = len(each.item) / 2
        points += np.bincount(each.item, more - each.rank, len(count))
        points += (candidates + 1) / 2 - more
    return mask_missing(points, count)


FUSION = Fusion(
    name="borda",
    title="Borda count",
    definition="The sum of points by rank, as many for the first as there are items, one less for"
    " each next; items that a list lacks share the points left (Aslam & Montague 2001, §3).",
    fuse=fuse,
    needs="lists",
    comparable=False,
)
