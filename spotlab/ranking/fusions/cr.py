"""CR: consensus ranking, the mean of the scores against the best items of the list."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion, re_score


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Re-score the list of the query by consensus (`re_score`).

    Parameters
    ----------
    evidence : Evidence
        Of N items.
    choices : Choices
        Which items re-score the list, and how often.

    Returns
    -------
    (N,) float
        Scores on the same scale; NaN for an item that is not in the list. The query's scores if the
        scores between items are not known.

    Notes
    -----
    Hast (2020), §3 and §5.2.

    Examples
    --------
    >>> query, none = np.array([0.9, 0.85, 0.6]), np.zeros((0, 3))
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> fuse(Evidence(query, between, none, query > 0), Choices(top=2)).round(2)
    array([0.9, 0.9, 0.3])
    """
    listed = np.array(evidence.query, dtype=np.float64)
    return listed if evidence.between is None else re_score(listed, evidence.between, choices)


FUSION = Fusion(
    name="cr",
    title="Consensus ranking (CR)",
    definition="The list re-scored against each of its top n items with at least a given score,"
    " by the mean of these scores (Hast 2020, §3 and §5.2).",
    fuse=fuse,
    needs="between",
)
