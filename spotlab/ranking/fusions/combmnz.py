"""CombMNZ: the sum of the scores times the number of lists that found the item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    NORMALISE,
    Choices,
    Evidence,
    Fusion,
    mask_missing,
    normalise_by_setting,
    sum_scores,
)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Multiply the sum of the scores by the number of lists that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        How scores are normalised (`NORMALISE`).

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Notes
    -----
    Shaw & Fox (1995).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> fuse(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([2. , 0.5, nan])
    """
    total, count = sum_scores(normalise_by_setting(evidence.lists, choices))
    return mask_missing(total * count, count)


FUSION = Fusion(
    name="combmnz",
    title="CombMNZ",
    definition="The sum of the scores times the number of lists that found an item"
    " (Shaw & Fox 1995).",
    fuse=fuse,
    needs="lists",
    settings=(NORMALISE,),
    comparable=False,
)
