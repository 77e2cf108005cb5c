"""How large a score may be: sums, products and squares of scores are finite numbers, too."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

LARGEST_SCORE = 1e100


def are_scores(values: ArrayLike) -> NDArray[np.bool_]:
    """Whether each number is finite and within ± `LARGEST_SCORE`.

    Examples
    --------
    >>> are_scores([-0.5, 1e308, np.nan, np.inf]).tolist()
    [True, False, False, False]
    """
    return np.asarray(np.abs(np.asarray(values, np.float64)) <= LARGEST_SCORE)


def check_score(number: float, name: str, text: str) -> float:
    """The number; ValueError if it is not one of `are_scores`.

    Parameters
    ----------
    number : float
    name : str
        What it is, for the message.
    text : str
        As it is written in the file.
    """
    if not math.isfinite(number):
        raise ValueError(f"{name} is {text}, not a finite number")
    if abs(number) > LARGEST_SCORE:
        raise ValueError(f"{name} is {text}, beyond ±{LARGEST_SCORE:g}")
    return number
