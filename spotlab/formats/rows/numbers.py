"""Numbers as files hold them; sums, products and squares of scores are finite numbers, too."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats

LARGEST_SCORE = 1e100
_DIGITS = 18  # of a whole number; the largest that numpy has are longer


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


def plain_numbers(
    texts: Sequence[str], are_right: Callable[[Floats], NDArray[np.bool_]]
) -> Floats | None:
    """Numbers, NaN for an empty text; None where one is no number or not right.

    Examples
    --------
    >>> plain_numbers(["1", "", "2.5"], np.isfinite)
    array([1. , nan, 2.5])
    """
    if "_" in "".join(texts):
        return None
    try:
        given = list(map(float, filter(None, texts)))
    except ValueError:
        return None
    numbers = np.array(given, np.float64)
    if not are_right(numbers).all():
        return None
    if len(given) == len(texts):
        return numbers
    all_of_them = np.full(len(texts), np.nan)
    all_of_them[np.fromiter(map(bool, texts), np.bool_, len(texts))] = numbers
    return all_of_them


def whole_number(text: str) -> int | None:
    """Read a whole number from 0 on; None where the text is none, or has more than 18 digits.

    ``int`` takes signs, spaces and underscores, and refuses a number of thousands of digits with an
    error of its own.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> whole_number("017"), whole_number("-1"), whole_number("9" * 5000), whole_number("")
    (17, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def read_number(name: str, text: str) -> float:
    """A finite number; ValueError if it is none."""
    try:
        number = math.nan if "_" in text else float(text)
    except ValueError:
        number = math.nan
    return check_score(number, name, f"{text[:40]!r}")


def format_number(number: float) -> str:
    """A number as short as it can be read back to the same, whole ones without ``.0``.

    NaN, which stands for nothing, is empty.

    Examples
    --------
    >>> format_number(3.0), format_number(0.1), format_number(-0.0), format_number(1e22)
    ('3', '0.1', '-0', '1e+22')
    """
    return "" if math.isnan(number) else repr(number).removesuffix(".0")
