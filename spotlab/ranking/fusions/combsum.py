"""CombSUM: the sum of the scores that the lists give."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.lists import NORMALISE, normalised, only_found, sum_of_found


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Add the scores up; what no list has found stays out."""
    total, count = sum_of_found(normalised(evidence.lists, choices))
    return only_found(total, count)


FUSION = Fusion(
    name="combsum",
    title="CombSUM",
    definition="The sum of the scores over the lists that found an item"
    " (Shaw & Fox 1995; Belkin et al. 1995).",
    fuse=fuse,
    needs="lists",
    settings=(NORMALISE,),
    comparable=False,
)
