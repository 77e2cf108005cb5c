"""WS: what the first search found, by its score against the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Keep the query's scores of what was found without expanding the search.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        NaN for an item that only an expanded search found.

    Notes
    -----
    Hast (2020), §3.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.75]), np.zeros((0, 2))
    >>> fuse(Evidence(query, None, none, np.array([True, False])), Choices())
    array([0.9, nan])
    """
    return np.where(evidence.first_hits, evidence.query, np.nan)


FUSION = Fusion(
    name="ws",
    title="Word spotting (WS)",
    definition="What the query itself found, by its score against the query (Hast 2020, §3).",
    fuse=fuse,
)
