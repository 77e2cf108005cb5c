"""Numbers as files hold them: finite ones, many at once, and in names."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints

LARGEST_SCORE = 1e100
_DIGITS = 18  # of a whole number; the largest that numpy has are longer


def are_scores(values: ArrayLike) -> NDArray[np.bool_]:
    """Tell whether each number is finite and within ± `LARGEST_SCORE`.

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


_DIGIT_RUNS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts plan_2 before plan_10.

    Examples
    --------
    >>> sorted(["plan_10", "Plan_2", "plan_1"], key=natural)
    ['plan_1', 'Plan_2', 'plan_10']
    """
    parts = _DIGIT_RUNS.split(name.casefold())
    return tuple(_key(part) for part in parts if part)


def files_below(folder: Path) -> list[Path]:
    """All files in a folder and in folders in it, in natural order; hidden ones are left out."""
    found: list[Path] = []
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(root, name) for name in names if not name.startswith(".")]
    return sorted(found, key=lambda file: natural(str(file.relative_to(folder))))


def _key(part: str) -> tuple[int, int, str]:
    number = whole_number(part)
    return (1, 0, part) if number is None else (0, number, "")


_FIRST = 1024  # corners that there is room for at the beginning

Corners = NDArray[np.float64] | NDArray[np.float32]


class Growing:
    """An array of corners that grows at its end; of float32 as long as that holds them exactly.

    Examples
    --------
    >>> corners = Growing()
    >>> corners.add(np.ones((2, 2)))
    >>> corners.add(np.zeros((1, 2)))
    >>> corners.taken().tolist()
    [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    """

    def __init__(self) -> None:
        self._room: Corners = np.empty((_FIRST, 2), np.float32)
        self._count = 0

    def add(self, points: NDArray[np.float64]) -> None:
        """Append corners, (n, 2)."""
        if self._room.dtype == np.float32 and not _is_narrow(points):
            narrow, self._room = self._room, np.empty(self._room.shape)
            self._room[: self._count] = narrow[: self._count]
        end = self._count + len(points)
        if end > len(self._room):
            # the system moves large blocks without copying them, and gives pages when they are used
            self._room.resize((max(end, 2 * len(self._room)), 2), refcheck=False)
        self._room[self._count : end] = points
        self._count = end

    def taken(self) -> Corners:
        """(n, 2) all corners; nothing is left here."""
        points, self._room = self._room, np.empty((_FIRST, 2), np.float32)
        points.resize((self._count, 2), refcheck=False)
        self._count = 0
        return points


def _is_narrow(points: NDArray[np.float64]) -> bool:
    """Tell whether float32 holds corners exactly."""
    with np.errstate(over="ignore"):
        return bool((points.astype(np.float32) == points).all())
