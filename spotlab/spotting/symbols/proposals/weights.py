"""How much each kind of evidence counts.

Fitted by logistic regression on synthesised floor plans (neat and worn)
and on hand-drawn diagrams of five writers; on none of the pages that results are reported for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.proposals.region_features import NAMES

# what makes two regions unlike: their looks, and squares of differences of size, aspect, fullness
LOOK = 5.0
UNLIKE = {"size": 6.0, "aspect": 6.0, "fullness": 4.0}

BIAS = 2.633
NEAR = -1.95  # distance to the nearest example
NEARER = -1.31  # by how much it is farther than the nearest example of another label
LESS_REJECTED = -0.436  # by how much it is farther than the nearest rejected one
MEAN = -1.42  # root mean square distance to all examples

RIM = -5.96  # how unlike the rims are

# by how much a trait differs from the nearest example's, and the trait itself
DIFFERENCE = {
    "size": -2.76,
    "aspect": -0.483,
    "fullness": 2.64,
    "upright fullness": -0.462,
    "turn": -1.23,
    "rim": 0.984,
    "crossing": 0.16,
    "ink": -1.69,
    "core": -3.52,
    "closed": -0.266,
    "largest hole": -0.301,
    "parts": -0.182,
}
ITSELF = {
    "size": 0.74,
    "aspect": -0.382,
    "fullness": 1.33,
    "upright fullness": -2.23,
    "turn": 0.784,
    "rim": -0.176,
    "crossing": -0.396,
    "ink": 0.956,
    "core": 2.21,
    "closed": 0.535,
    "largest hole": 0.296,
    "parts": -0.0561,
}


def by_trait(weights: dict[str, float]) -> NDArray[np.float64]:
    """(T,) the weights in the order of the traits; 0 where there is none."""
    return np.array([weights.get(name, 0.0) for name in NAMES])


def all_weights() -> NDArray[np.float64]:
    """(E,) in the order of the evidence, see `judging`."""
    distances = [NEAR, NEARER, LESS_REJECTED, MEAN]
    return np.concatenate([distances, by_trait(DIFFERENCE), [RIM], by_trait(ITSELF)])
