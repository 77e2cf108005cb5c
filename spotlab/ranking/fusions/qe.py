"""QE: everything that the expanded searches found, by the query's own score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Leave the query's scores as they are, of everything that was found."""
    return np.array(evidence.query, dtype=np.float64)


FUSION = Fusion(
    name="qe",
    title="Query expansion (QE)",
    definition="All that the expanded searches found, by the score against the original query"
    " only (Hast 2020, §3).",
    fuse=fuse,
)
