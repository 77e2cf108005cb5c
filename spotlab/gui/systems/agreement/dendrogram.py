"""Where the lines of a dendrogram are drawn beside what it puts into order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats


def dendrogram_lines(tree: Floats, order: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """One polyline with gaps through all merges.

    Parameters
    ----------
    tree : (S − 1, 4) float
        As scipy's ``linkage`` gives it.
    order : (S,) int
        The leaves as they stand; those below each merge side by side.

    Returns
    -------
    place, height : (5 (S − 1),) float
        The first leaf at 1. NaN after each merge; heights are the merges' distances, 0 at a leaf.

    Examples
    --------
    >>> tree = np.array([[0, 2, 0.5, 2], [1, 3, 1.0, 3]])
    >>> place, height = dendrogram_lines(tree, np.array([1, 0, 2]))
    >>> place.tolist()
    [2.0, 2.0, 3.0, 3.0, nan, 1.0, 1.0, 2.5, 2.5, nan]
    >>> height.tolist()
    [0.0, 0.5, 0.5, 0.0, nan, 0.0, 1.0, 1.0, 0.5, nan]
    """
    leaves = len(order)
    places, heights = np.zeros(leaves + len(tree)), np.zeros(leaves + len(tree))
    places[order] = np.arange(1, leaves + 1)
    lines = np.full((len(tree), 2, 5), np.nan)
    for merge, (one, other, distance, _) in enumerate(tree):
        both = sorted((int(one), int(other)), key=lambda node: float(places[node]))
        left, right = both
        lines[merge, 0, :4] = places[left], places[left], places[right], places[right]
        lines[merge, 1, :4] = heights[left], distance, distance, heights[right]
        places[leaves + merge] = places[both].mean()
        heights[leaves + merge] = distance
    return lines[:, 0].ravel(), lines[:, 1].ravel()
