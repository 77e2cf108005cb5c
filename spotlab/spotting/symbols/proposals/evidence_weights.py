"""Weights of the evidence by which candidates are classified.

Fitted by logistic regression on synthesised floor plans (neat and worn) and on 20 photographs of
hand-drawn diagrams; on none of the pages that results are reported for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.proposals.region_features import NAMES

# distance of two regions: by their histograms, and squares of differences of three features
LOOK = 2.5
SEEN = 5.0  # by the network
UNLIKE = {"size": 6.0, "aspect": 6.0, "fullness": 4.0}

BIAS = -9.63
NEAR = -0.777  # distance to the nearest example
NEARER = -1.7  # by how much it is farther than the nearest example of another label
LESS_REJECTED = -0.777  # by how much it is farther than the nearest rejected one
MEAN = -0.196  # root mean square distance to all examples

RIM = -3.88  # how unlike the borders are
UNSEEN = -2.08  # how unlike the network finds them
SYMBOL = 0.423  # log-odds that it is a symbol at all

# by how much a feature differs from the nearest example's, and the feature itself
DIFFERENCE = {
    "size": -1.12,
    "aspect": -1.3,
    "fullness": 2.07,
    "upright fullness": 0.116,
    "turn": -0.0968,
    "rim": 3.22,
    "crossing": 0.0516,
    "ink": -1.67,
    "core": -1.21,
    "closed": -0.179,
    "largest hole": -0.621,
    "parts": 0.303,
}
ITSELF = {
    "size": 1.63,
    "aspect": 0.0539,
    "fullness": -1.79,
    "upright fullness": -1.85,
    "turn": 0.413,
    "rim": 5.58,
    "crossing": -0.807,
    "ink": 1.62,
    "core": -0.265,
    "closed": -0.398,
    "largest hole": 0.601,
    "parts": -0.0735,
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
    """(E,) weights of all evidence: distances, differences, then what a candidate is itself."""
    distances = [NEAR, NEARER, LESS_REJECTED, MEAN]
    differences = feature_weights(DIFFERENCE)
    itself = [*feature_weights(ITSELF), SYMBOL]
    return np.concatenate([distances, differences, [RIM, UNSEEN], itself])
