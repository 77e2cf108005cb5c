"""CombMNZ: the sum of the scores times the number of lists that found the item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.lists import NORMALISE, normalised, only_found, sum_of_found


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Add the scores up and multiply; what no list has found stays out."""
    total, count = sum_of_found(normalised(evidence.lists, choices))
    return only_found(total * count, count)


FUSION = Fusion(
    name="combmnz",
    title="CombMNZ",
    definition="The sum of the scores times the number of lists that found an item"
    " (Shaw & Fox 1995).",
    fuse=fuse,
    needs="lists",
    settings=(NORMALISE,),
    comparable=False,
)
