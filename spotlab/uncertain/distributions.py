"""Distributions of numbers, such as precision where it is uncertain what is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.representation import short_repr

Floats = NDArray[np.float64]

SLACK = 1e-12  # of a probability; sums of masses are not more precise


@dataclass(frozen=True, eq=False)
class Distribution:
    """Values and how probable each is.

    Attributes
    ----------
    values : (K,) float
        Ascending.
    mass : (K,) float
        Of each, summing to 1.

    Examples
    --------
    >>> each = Distribution(np.array([0.0, 0.5, 1.0]), np.array([0.25, 0.5, 0.25]))
    >>> each.mean, round(each.deviation, 3), each.median, each.band(0.5)
    (0.5, 0.354, 0.5, (0.0, 0.5))
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
        """The expected value."""
        return float(self.values @ self.mass)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(((self.values - self.mean) ** 2) @ self.mass))

    @property
    def median(self) -> float:
        """The lower median."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> float:
        """The smallest value that is not passed with a probability of ``share`` or more."""
        return float(self.quantiles([share])[0])

    def quantiles(self, shares: ArrayLike) -> Floats:
        """What `quantile` gives, for several shares."""
        cumulated = np.cumsum(self.mass)
        at = np.searchsorted(cumulated, np.asarray(shares, np.float64) * cumulated[-1] - SLACK)
        found: Floats = self.values[np.minimum(at, len(self.values) - 1)]
        return found

    def band(self, share: float) -> tuple[float, float]:
        """The values between which the middle of the mass lies: a central interval."""
        low, high = self.quantiles([(1 - share) / 2, (1 + share) / 2])
        return float(low), float(high)

    def above(self, value: float) -> float:
        """The probability of more than this value."""
        return float(min(self.mass[self.values > value].sum(), 1.0))


def mix(parts: Sequence[Distribution], weights: ArrayLike) -> Distribution:
    """One of several distributions, each drawn with its weight.

    Parameters
    ----------
    parts : sequence of Distribution
    weights : float each
        Not negative, not all 0; divided by their sum.

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


def better(a: Distribution, b: Distribution) -> float:
    """P(a > b) of two that are independent of each other.

    Two systems that return the same items to the same query are not: see `compare`.

    Examples
    --------
    >>> coin = Distribution(np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    >>> better(coin, coin)
    0.25
    """
    below = np.concatenate([[0.0], np.cumsum(b.mass)])
    found = a.mass @ below[np.searchsorted(b.values, a.values, side="left")]
    return float(min(found, 1.0))
