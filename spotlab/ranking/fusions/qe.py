"""QE: everything that the expanded searches found, by its score against the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Keep the query's scores of everything that was found.

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    _choices : Choices
        Ignored.

    Returns
    -------
    (N,) float
        A copy of the query's scores; NaN for an item that no search found.

    Notes
    -----
    Hast (2020), §3.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.75]), np.zeros((0, 2))
    >>> fuse(Evidence(query, None, none, np.array([True, False])), Choices())
    array([0.9 , 0.75])
    """
    scores = np.array(evidence.query, dtype=np.float64)
    return np.where(evidence.found, scores, np.nan) if len(evidence.found) else scores


FUSION = Fusion(
    name="qe",
    title="Query expansion (QE)",
    definition="All that the expanded searches found, by the score against the original query"
    " only (Hast 2020, §3).",
    fuse=fuse,
)
