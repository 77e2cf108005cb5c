"""ML-CR: consensus ranking of the merged list."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion, re_score
from spotlab.ranking.fusions.ml import fuse as merge


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Merge the lists (ML), then re-score the merged list by consensus (`re_score`).

    Parameters
    ----------
    evidence : Evidence
        With L lists of N items.
    choices : Choices
        Which items re-score the list, and how often.

    Returns
    -------
    (N,) float
        NaN for an item that no list has. The merged list if the scores between items are not known.

    Notes
    -----
    Hast (2020), §3 and §5.2.

    Examples
    --------
    >>> lists = np.array([[0.9, 0.85, 0.6]])
    >>> from spotlab.ranking.fusion import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> fuse(Evidence(lists[0], between, lists, lists[0] > 0), Choices(top=2)).round(2)
    array([0.9, 0.9, 0.3])
    """
    merged = merge(evidence, choices)
    return merged if evidence.between is None else re_score(merged, evidence.between, choices)


FUSION = Fusion(
    name="ml_cr",
    title="Merged lists, consensus ranking (ML-CR)",
    definition="The list of ML re-scored by the mean score against its top n items with at least"
    " a given score (Hast 2020, §3 and §5.2).",
    fuse=fuse,
    needs="lists",
)
