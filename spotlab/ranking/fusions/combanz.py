"""CombANZ: the mean of the scores of the lists that found the item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import (
    NORMALISE,
    Choices,
    Evidence,
    Fusion,
    mean_scores,
    normalise_by_setting,
)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Average the scores over the lists that have an item.

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        How scores are normalised (`NORMALISE`).

    Returns
    -------
    (N,) float
        Mean scores; NaN for an item that no list has. The same as ML if nothing is normalised.

    Notes
    -----
    Shaw & Fox (1995).

    Examples
    --------
    >>> lists = np.array([[0.75, 0.5, np.nan], [0.25, np.nan, np.nan]])
    >>> fuse(Evidence(lists[0], None, lists, lists[0] > 0), Choices())
    array([0.5, 0.5, nan])
    """
    return mean_scores(normalise_by_setting(evidence.lists, choices))


FUSION = Fusion(
    name="combanz",
    title="CombANZ",
    definition="The sum of the scores over the number of lists that found an item"
    " (Shaw & Fox 1995).",
    fuse=fuse,
    needs="lists",
    settings=(NORMALISE,),
)
