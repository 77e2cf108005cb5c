"""ML-CR: consensus ranking of the merged list."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.fusions.ml import fuse as merge
from spotlab.ranking.re_scoring import re_score


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Merge the lists (ML), then re-score (`re_score`); without scores between items ML stays."""
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
