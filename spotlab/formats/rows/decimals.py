"""Parses many decimal numbers at once, each to the float that Python reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints

Codes = NDArray[np.uint8]

MOST_DIGITS = 15  # up to which the digits, and the power of ten that divides them, are exact floats
_ZERO, _DOT, _MINUS = b"0.-"
_TENS = np.array([float(f"1e{power}") for power in range(MOST_DIGITS + 1)])


def parse_decimals(codes: Codes, ends: Ints) -> NDArray[np.float64] | None:
    """The numbers in a text, with one character between two of them.

    Parameters
    ----------
    codes : (n,) uint8
        The characters.
    ends : (N,) int
        Where each number ends, which is the place of the character after it. The first one begins
        at 0.

    Returns
    -------
    (N,) float or None
        None where one is not written as digits with at most one point among them and a minus in
        front, or has more than `MOST_DIGITS` digits.

    Notes
    -----
    Whole numbers below 2⁵³ and powers of ten up to 10²² are floats without error, so that one
    division rounds once, as Clinger (1990), "How to read floating point numbers accurately", says.

    Examples
    --------
    >>> text = np.frombuffer(b"12,-0.5,7", np.uint8)
    >>> parse_decimals(text, np.array([2, 7, 9])).tolist()
    [12.0, -0.5, 7.0]
    >>> parse_decimals(np.frombuffer(b"1e3", np.uint8), np.array([3])) is None
    True
    """
    if not len(ends):
        return np.empty(0)
    decimals: Ints | None = None
    dots = np.flatnonzero(codes == _DOT)
    if len(dots):
        number = np.searchsorted(ends, dots)
        if number[-1] == len(ends) or (np.diff(number) == 0).any():
            return None
        decimals = np.zeros(len(ends), np.int64)
        decimals[number] = ends[number] - dots - 1
        codes, ends = codes[codes != _DOT], ends - np.searchsorted(dots, ends)
    lengths = np.diff(ends, prepend=-1) - 1
    if lengths.min() < 1:
        return None
    negative: NDArray[np.bool_] | None = None
    if (codes == _MINUS).any():
        negative = codes[ends - lengths] == _MINUS
        lengths -= negative
    digits = codes - np.uint8(_ZERO)
    others = np.count_nonzero(digits > 9)
    between = len(ends) - (ends[-1] == len(codes))
    signs = 0 if negative is None else np.count_nonzero(negative)
    if lengths.min() < 1 or lengths.max() > MOST_DIGITS or others != between + signs:
        return None
    values = _joined(digits, ends, lengths).astype(np.float64)
    if decimals is not None:
        values /= _TENS[decimals]
    if negative is not None:
        values[negative] *= -1  # also of a zero
    return values


def _joined(digits: Codes, ends: Ints, lengths: Ints) -> Ints:
    """(N,) the whole numbers of these digits."""
    values = _last_four(digits)[ends - 1].astype(np.int64)
    power, longer = 1000, np.flatnonzero(lengths > 4)
    for place in range(4, int(lengths.max())):
        power *= 10
        longer = longer[lengths[longer] > place]
        values[longer] += digits[ends[longer] - 1 - place].astype(np.int64) * power
    return values


def _last_four(digits: Codes) -> NDArray[np.uint16]:
    """(n,) the number that each place and up to three digits before it make.

    Whole columns of small numbers are added: looking each digit up takes many times as long.
    """
    is_digit = digits <= 9
    own = digits * is_digit
    two = own.copy()
    two[1:] += own[:-1] * np.uint8(10)
    two *= is_digit
    four = two.astype(np.uint16)
    four[2:] += (two[:-2] * is_digit[1:-1]) * np.uint16(100)
    return four
