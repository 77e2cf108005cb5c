"""The Poisson-binomial distribution item by item: only positive numbers are added."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def exact_pmf(probability: ArrayLike) -> NDArray[np.float64]:
    """(n + 1,) probabilities of 0, 1, …, n relevant items, every value with nearly all its digits.

    Examples
    --------
    >>> float(exact_pmf([1e-30, 1e-40])[2])
    1e-70
    """
    mass = np.ones(1)
    for chance in np.asarray(probability, np.float64):
        mass = np.append(mass * (1 - chance), 0.0) + np.append(0.0, mass * chance)
    return mass
