"""Distributions of numbers, such as precision where relevance is uncertain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats
from spotlab.representation import short_repr

SLACK = 1e-12  # of a probability; sums of masses are not more precise


@dataclass(frozen=True, eq=False)
class Distribution:
    """A discrete distribution.

    Attributes
    ----------
    values : (K,) float
        Ascending.
    mass : (K,) float
        Probability of each value; they sum to 1.

    Raises
    ------
    ValueError
        If lengths differ, there is no value, or values do not ascend.

    Examples
    --------
    >>> coins = Distribution(np.array([0.0, 0.5, 1.0]), np.array([0.25, 0.5, 0.25]))
    >>> coins.mean, coins.median, coins.band(0.5)
    (0.5, 0.5, (0.0, 0.5))
    """

    values: Floats
    mass: Floats

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.values.shape != self.mass.shape or self.values.ndim != 1 or not len(self.values):
            raise ValueError("not as many masses as values, or none")
        if (np.diff(self.values) < 0).any():
            raise ValueError("values do not ascend")

    @property
    def mean(self) -> float:
        """Expected value: the sum of values times probabilities."""
        return float(self.values @ self.mass)

    @property
    def median(self) -> float:
        """The lower median: the quantile of a probability of 0.5."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> float:
        """The smallest value that is not exceeded with a given probability.

        Parameters
        ----------
        share : float
            Probability, in [0, 1].

        Returns
        -------
        float
            One of the values.
        """
        return float(self.quantiles([share])[0])

    def quantiles(self, shares: ArrayLike) -> Floats:
        """Several quantiles at once.

        Parameters
        ----------
        shares : (Q,) float
            Probabilities, in [0, 1].

        Returns
        -------
        (Q,) float
            What `quantile` gives for each.
        """
        cumulated = np.cumsum(self.mass)
        at = np.searchsorted(cumulated, np.asarray(shares, np.float64) * cumulated[-1] - SLACK)
        quantiles: Floats = self.values[np.minimum(at, len(self.values) - 1)]
        return quantiles

    def band(self, share: float) -> tuple[float, float]:
        """The central interval.

        Parameters
        ----------
        share : float
            Probability in the interval, in [0, 1].

        Returns
        -------
        (float, float)
            Lower and upper end; the rest of the probability is halved between both sides.
        """
        low, high = self.quantiles([(1 - share) / 2, (1 + share) / 2])
        return float(low), float(high)


def mix(parts: Sequence[Distribution], weights: ArrayLike) -> Distribution:
    """Mix several distributions.

    Parameters
    ----------
    parts : sequence of Distribution
        At least one.
    weights : (P,) float
        Weight of each part; not negative, not all 0, divided by their sum.

    Returns
    -------
    Distribution
        Over all values of the parts.

    Raises
    ------
    ValueError
        If a weight is missing or negative, or all are 0.

    Notes
    -----
    The sums over categories of Santini, Benchmarking without ground truth, eqs. 13 and 14.

    Examples
    --------
    >>> low = Distribution(np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    >>> high = Distribution(np.array([1.0, 2.0]), np.array([0.5, 0.5]))
    >>> mix([low, high], [1, 3]).mass
    array([0.125, 0.5  , 0.375])
    """
    shares = np.asarray(weights, np.float64)
    if len(shares) != len(parts) or not (shares >= 0).all() or not shares.sum() > 0:
        raise ValueError("a weight is missing or negative, or all are 0")
    shares = shares / shares.sum()
    values, at = np.unique(np.concatenate([part.values for part in parts]), return_inverse=True)
    masses = [share * part.mass for share, part in zip(shares, parts, strict=True)]
    mass = np.bincount(at, np.concatenate(masses), minlength=len(values)).astype(np.float64)
    return Distribution(values, mass)
