"""CombANZ: the mean of the scores of the lists that found the item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.lists import NORMALISE, mean_of_found, normalised


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Average the scores; what no list has found stays out. As ML where nothing is normalised."""
    return mean_of_found(normalised(evidence.lists, choices))


FUSION = Fusion(
    name="combanz",
    title="CombANZ",
    definition="The sum of the scores over the number of lists that found an item"
    " (Shaw & Fox 1995).",
    fuse=fuse,
    needs="lists",
    settings=(NORMALISE,),
)
