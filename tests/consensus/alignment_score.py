"""The sum-of-pairs score of an alignment, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from spotlab.consensus.alignment import GAP, NOTHING, pair_score


def score_of(columns: NDArray[np.int64], sequences: Sequence[Sequence[str]]) -> float:
    """Of (slots, S) indices of tokens, as `align` gives them.

    Examples
    --------
    >>> score_of(np.array([[0, 0], [1, -1]]), [["a", "b"], ["a"]])
    500.0
    """
    total = 0.0
    for first, second in combinations(range(len(sequences)), 2):
        for one, two in columns[:, [first, second]].tolist():
            if NOTHING not in (one, two):
                total += pair_score(sequences[first][one], sequences[second][two])
            elif one != two:
                total += GAP
    return total
