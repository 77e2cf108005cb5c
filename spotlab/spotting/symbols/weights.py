"""How much each kind of evidence counts.

Fitted by logistic regression on synthesised floor plans (neat, worn, with gaps and touching walls)
and on hand-drawn diagrams of five writers; on none of the pages that results are reported for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.traits import NAMES

# what makes two regions unlike: their looks, and squares of differences of size, aspect, fullness
LOOK = 5.0
UNLIKE = {"size": 6.0, "aspect": 6.0, "fullness": 4.0}

BIAS = 1.595
NEAR = -2.79  # distance to the nearest example
NEARER = -1.31  # by how much it is farther than the nearest example of another label
LESS_REJECTED = -0.901  # by how much it is farther than the nearest rejected one
MEAN = -1.04  # root mean square distance to all examples

# by how much a trait differs from the nearest example's, and the trait itself
DIFFERENCE = {
    "size": -0.114,
    "aspect": -0.796,
    "fullness": 1.02,
    "upright fullness": -1.02,
    "turn": -0.851,
    "rim": 0.497,
    "crossing": 0.0261,
    "ink": -3.73,
    "core": -4.2,
    "closed": -0.621,
    "largest hole": -0.291,
    "parts": -0.3,
}
ITSELF = {
    "size": 0.687,
    "aspect": -0.204,
    "fullness": 2.47,
    "upright fullness": -2.06,
    "turn": 0.534,
    "rim": -0.108,
    "crossing": 0.225,
    "ink": 1.87,
    "core": 1.25,
    "closed": 0.362,
    "largest hole": 0.157,
    "parts": -0.0864,
}


def by_trait(weights: dict[str, float]) -> NDArray[np.float64]:
    """(T,) the weights in the order of the traits; 0 where there is none."""
    return np.array([weights.get(name, 0.0) for name in NAMES])


def all_weights() -> NDArray[np.float64]:
    """(E,) in the order of the evidence, see `judging`."""
    distances = [NEAR, NEARER, LESS_REJECTED, MEAN]
    return np.concatenate([distances, by_trait(DIFFERENCE), by_trait(ITSELF)])
