"""ML: the lists of the expanded searches merged, by the mean over those that found an item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion, mean_scores


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Merge the lists by the mean score over those that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Notes
    -----
    Hast (2020), §3, after Wei et al. (2015).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> fuse(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([0.5, 0.5, nan])
    """
    return mean_scores(evidence.lists)


FUSION = Fusion(
    name="ml",
    title="Merged lists (ML)",
    definition="The mean score over the expanded searches' lists that found an item"
    " (Hast 2020, §3, after Wei et al. 2015).",
    fuse=fuse,
    needs="lists",
)
