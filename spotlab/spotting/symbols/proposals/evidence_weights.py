"""Weights of the evidence by which candidates are classified.

Fitted by logistic regression on synthesised floor plans (neat and worn)
and on hand-drawn diagrams of five writers; on none of the pages that results are reported for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.proposals.region_features import NAMES

# distance of two regions: by their histograms, and squares of differences of three features
LOOK = 5.0
UNLIKE = {"size": 6.0, "aspect": 6.0, "fullness": 4.0}

BIAS = 2.633
NEAR = -1.95  # distance to the nearest example
NEARER = -1.31  # by how much it is farther than the nearest example of another label
LESS_REJECTED = -0.436  # by how much it is farther than the nearest rejected one
MEAN = -1.42  # root mean square distance to all examples

RIM = -5.96  # how unlike the borders are

# by how much a feature differs from the nearest example's, and the feature itself
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


def feature_weights(weights: dict[str, float]) -> NDArray[np.float64]:
    """Put weights in the order of the region features.

    Parameters
    ----------
    weights : dict of str to float
        By feature; others weigh 0.

    Returns
    -------
    (T,) float
    """
    return np.array([weights.get(name, 0.0) for name in NAMES])


def evidence_weights() -> NDArray[np.float64]:
    """(E,) weights of all evidence: distances, differences of features, borders, and features."""
    distances = [NEAR, NEARER, LESS_REJECTED, MEAN]
    differences = feature_weights(DIFFERENCE)
    return np.concatenate([distances, differences, [RIM], feature_weights(ITSELF)])
