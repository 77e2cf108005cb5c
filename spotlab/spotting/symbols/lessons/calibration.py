"""From evidence to probability: logistic regression that starts from weights known before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats

COMMON = 0.1  # of the prior's strength: how many are right differs most between collections
_ROUNDS = 50  # of Newton's method, which needs about ten, and more where its steps go too far
_ENOUGH = 1e-9  # change of the weights from which on it is done


def fit_weights(
    evidence: Floats, is_right: NDArray[np.bool_], prior: Floats, strength: float
) -> Floats:
    """Fit the weights of evidence to examples.

    Parameters
    ----------
    evidence : (N, E) float
        About zero on average, with a spread of about one.
    is_right : (N,) bool
    prior : (E + 1,) float
        The weights without examples; the last is the constant.
    strength : float
        How much they count against examples; the constant, which says how common it is to be
        right, counts `COMMON` of it.

    Returns
    -------
    (E + 1,) float
        The prior itself where there are no examples.

    Notes
    -----
    The maximum a posteriori of logistic regression under a normal prior around the known weights,
    by Newton's method; see Bishop (2006), "Pattern Recognition and Machine Learning", §4.3.

    Examples
    --------
    >>> evidence = np.array([[-1.0], [-0.5], [0.5], [1.0]])
    >>> weights = fit_weights(evidence, np.array([0, 0, 1, 1], bool), np.zeros(2), strength=1)
    >>> bool(weights[0] > 0.5), bool(abs(weights[1]) < 1e-9)
    (True, True)
    """
    known = np.column_stack([evidence, np.ones(len(evidence))])
    held = np.append(np.full(evidence.shape[1], strength), COMMON * strength)
    sides = np.where(is_right, 1.0, -1.0)

    def loss(weights: Floats) -> float:
        apart = weights - prior
        return float(np.logaddexp(0, -sides * (known @ weights)).sum() + held @ apart**2 / 2)

    weights = np.array(prior, np.float64)
    for _ in range(_ROUNDS):
        expected = probability(evidence, weights)
        slope = known.T @ (is_right - expected) - held * (weights - prior)
        bend = known.T @ (known * (expected * (1 - expected))[:, None])
        step = np.linalg.solve(bend + np.diag(held), slope)
        before = loss(weights)
        while loss(weights + step) > before and np.abs(step).max() >= _ENOUGH:
            step /= 2  # where all is certain, the full step goes too far
        weights = weights + step
        if np.abs(step).max() < _ENOUGH:
            break
    return weights


def probability(evidence: Floats, weights: Floats) -> Floats:
    """Compute the probability of being right.

    Parameters
    ----------
    evidence : (N, E) float
    weights : (E + 1,) float

    Returns
    -------
    (N,) float

    Examples
    --------
    >>> probability(np.array([[2.0], [0.0]]), np.array([1.0, 0.0])).round(2).tolist()
    [0.88, 0.5]
    """
    total = evidence @ weights[:-1] + weights[-1]
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -50, 50))))
