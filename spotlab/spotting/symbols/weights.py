"""How much each kind of evidence counts.

Fitted by logistic regression on synthesised floor plans (neat and worn)
and on hand-drawn diagrams of five writers; on none of the pages that results are reported for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.traits import NAMES

# what makes two regions unlike: their looks, and squares of differences of size, aspect, fullness
LOOK = 5.0
UNLIKE = {"size": 6.0, "aspect": 6.0, "fullness": 4.0}

BIAS = 1.75
NEAR = -2.23  # distance to the nearest example
NEARER = -1.55  # by how much it is farther than the nearest example of another label
LESS_REJECTED = -0.901  # by how much it is farther than the nearest rejected one
MEAN = -1.19  # root mean square distance to all examples

RIM = -6.56  # how unlike the rims are

# by how much a trait differs from the nearest example's, and the trait itself
DIFFERENCE = {
    "size": -3.59,
    "aspect": 0.422,
    "fullness": -0.261,
    "upright fullness": 0.697,
    "turn": -1.24,
    "rim": 1.37,
    "crossing": 0.632,
    "ink": -2.08,
    "core": -3.49,
    "closed": -0.000204,
    "largest hole": -0.25,
    "parts": -0.167,
}
ITSELF = {
    "size": 0.794,
    "aspect": -0.492,
    "fullness": 0.857,
    "upright fullness": -2.33,
    "turn": 0.718,
    "rim": 0.0573,
    "crossing": -0.813,
    "ink": 0.41,
    "core": 1.9,
    "closed": 0.576,
    "largest hole": 0.0533,
    "parts": 0.038,
}


def by_trait(weights: dict[str, float]) -> NDArray[np.float64]:
    """(T,) the weights in the order of the traits; 0 where there is none."""
    return np.array([weights.get(name, 0.0) for name in NAMES])


def all_weights() -> NDArray[np.float64]:
    """(E,) in the order of the evidence, see `judging`."""
    distances = [NEAR, NEARER, LESS_REJECTED, MEAN]
    return np.concatenate([distances, by_trait(DIFFERENCE), [RIM], by_trait(ITSELF)])
