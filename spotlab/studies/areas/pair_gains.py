"""What pairs of a spot and a region newly cover, looked up in what is known of a page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.geometry import coverage


def pair_gains(pairs: Ints, new: coverage.NewCoverage, regions: int) -> NDArray[np.float64]:
    """What each pair newly covers.

    Parameters
    ----------
    pairs : (K, 2) int
        Spots and regions.
    new : NewCoverage
        What is known of pairs of one group.
    regions : int
        Number of regions.

    Returns
    -------
    (K,) float
        In px²; 0 for a pair that is not known.
    """
    found = np.zeros(len(pairs))
    key = pairs[:, 0] * regions + pairs[:, 1]
    known = new.pair_spot * regions + new.pair_region
    _, here, there = np.intersect1d(key, known, assume_unique=True, return_indices=True)
    found[here] = new.pair_new[there]
    return found
