"""Reciprocal rank: each list adds one over a constant plus the rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.chosen import chosen
from spotlab.ranking.fusion import Choices, Evidence, Fusion, Setting
from spotlab.ranking.lists import only_found, ranks, sum_of_found

CONSTANT = Setting("rank_constant", "Added to every rank", 60.0)


def fuse(evidence: Evidence, choices: Choices) -> NDArray[np.float64]:
    """Add up ``1 / (constant + rank)`` over the lists that found an item."""
    constant = chosen(choices, CONSTANT, 0.0)
    _, count = sum_of_found(evidence.lists)
    total = np.zeros(len(count))
    for row in evidence.lists:
        total += np.nan_to_num(1 / (constant + ranks(row)), nan=0.0)
    return only_found(total, count)


FUSION = Fusion(
    name="reciprocal_rank",
    title="Reciprocal rank",
    definition="The sum of 1 / (60 + rank) over the lists that found an item"
    " (Cormack, Clarke & Büttcher 2009).",
    fuse=fuse,
    needs="lists",
    settings=(CONSTANT,),
    comparable=False,
)
