"""WS: what the first search found, by the query's own score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion


def fuse(evidence: Evidence, _choices: Choices) -> NDArray[np.float64]:
    """Leave the query's scores as they are, of what was found without expanding the search."""
    return np.where(evidence.found, evidence.query, np.nan)


FUSION = Fusion(
    name="ws",
    title="Word spotting (WS)",
    definition="What the query itself found, by its score against the query (Hast 2020, §3).",
    fuse=fuse,
)
