"""CR: consensus ranking, the mean of the scores against the best items of the list."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.fusions.qe import fuse as expanded
from spotlab.ranking.re_scoring import re_score


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Re-score the query's list (`re_score`); without scores between items it stays as it is."""
    listed = expanded(evidence, choices)
    return listed if evidence.between is None else re_score(listed, evidence.between, choices)


FUSION = Fusion(
    name="cr",
    title="Consensus ranking (CR)",
    definition="The list re-scored against each of its top n items with at least a given score,"
    " by the mean of these scores (Hast 2020, §3 and §5.2).",
    fuse=fuse,
    needs="between",
)
