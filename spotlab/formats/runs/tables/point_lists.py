"""Outlines as text, ``x,y x,y …``: read many at once, or one with what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.errors import counted
from spotlab.formats.page.values import LARGEST, parse_points
from spotlab.formats.rows.numbers import format_number, parse_decimals
from spotlab.geometry.outlines import Outlines

_COMMA, _SPACE, _LINE = b", \n"


def plain_point_lists(texts: Sequence[str]) -> Outlines | None:
    """The outlines in these texts; None where one of them is not plain or not right.

    Examples
    --------
    >>> plain_point_lists(["0,0 2,0 2,1", "1,1 1.5,1 1,2"]).offsets.tolist()
    [0, 3, 6]
    >>> plain_point_lists(["0,0 2,0 2,1", "0, 0 1,1"]) is None
    True
    """
    if not texts:
        return Outlines.of([])
    joined = "\n".join(texts)
    return plain_outlines(joined.encode(), len(texts)) if joined.isascii() else None


def plain_outlines(joined: bytes, count: int) -> Outlines | None:
    """The outlines in lines of text; None where one of them is not plain or not right.

    Parameters
    ----------
    joined : bytes
        A line each, without a line end after the last one.
    count : int
        Number of outlines.

    Examples
    --------
    >>> plain_outlines(b"0,0 2,0 2,1\\n1,1 1.5,1 1,2", 2).offsets.tolist()
    [0, 3, 6]
    """
    codes = np.frombuffer(joined, np.uint8)
    places = np.flatnonzero(codes <= _COMMA)
    offsets = _plain_offsets(codes[places], count)
    if offsets is None:
        return None
    numbers = parse_decimals(codes, np.append(places, len(codes)))
    if numbers is None:
        numbers = _other_numbers(joined)
    # as many numbers as there are pieces, none of more than one: each piece is one number
    if numbers is None or len(numbers) != 2 * offsets[-1]:
        return None
    return Outlines(numbers.reshape(-1, 2), offsets) if (np.abs(numbers) <= LARGEST).all() else None


def _other_numbers(joined: bytes) -> NDArray[np.float64] | None:
    """Numbers with exponents or many digits, at a tenth of the speed; None where one is none."""
    try:
        return np.fromstring(joined.replace(b",", b" "), np.float64, sep=" ")
    except (ValueError, DeprecationWarning):  # by version of numpy and by who runs us
        return None


def _plain_offsets(kinds: NDArray[np.uint8], count: int) -> NDArray[np.int64] | None:
    """Tell where each of the outlines begins; None where they are not x,y x,y … or have no area.

    ``kinds`` are the commas, blanks and line ends of the text, and what stands before them among
    the characters.
    """
    between = kinds[1::2]  # what stands between pairs
    ends = np.flatnonzero(between == _LINE) + 1
    if (
        not len(kinds) % 2
        or (kinds[::2] != _COMMA).any()
        or len(ends) != count - 1
        or np.count_nonzero(between == _SPACE) + len(ends) != len(between)
    ):
        return None
    offsets = np.concatenate([[0], ends, [len(kinds) // 2 + 1]]).astype(np.int64)
    return offsets if (np.diff(offsets) >= 3).all() else None


def parse_point_list(text: str) -> list[tuple[float, float]]:
    """The corners of one outline.

    Raises
    ------
    ValueError
        It is not one; the text is for a person.

    Examples
    --------
    >>> parse_point_list("0,0  2,0 2 , 1")
    [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]
    """
    if not text.strip():
        raise ValueError("points are missing")
    try:
        if "_" in text:  # which Python takes inside of numbers
            raise ValueError
        points = parse_points(text)
    except ValueError:
        raise ValueError(_explain(text)) from None
    return check_points(points)


def check_points(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points, if they are three or more and all of them finite and within ±2³¹.

    Raises
    ------
    ValueError
        They are not; the text is for a person.
    """
    for number in (number for point in points for number in point):
        if not abs(number) <= LARGEST:
            raise ValueError(_explain_number(number))
    if len(points) < 3:
        raise ValueError(f"points has {counted(len(points), 'corner')}, "
                         "at least three are needed")  # fmt: skip
    return list(points)


def _explain(text: str) -> str:
    """Return what keeps a text from being points."""
    for pair in text.replace(" ,", ",").replace(", ", ",").split():
        pieces = pair.split(",")
        try:
            numbers = [float("x" if "_" in piece else piece) for piece in pieces]
        except ValueError:
            numbers = []
        if len(numbers) != 2:
            return f"points: {pair[:40]!r} is not x,y"
        for number in numbers:
            if not abs(number) <= LARGEST:
                return _explain_number(number)
    return f"points: {text[:40]!r} is not x,y x,y …"


def _explain_number(number: float) -> str:
    if math.isfinite(number):
        return f"points: the coordinate {number:g} is beyond ±2³¹"
    return f"points: the coordinate {number:g} is not finite"


def format_point_lists(outlines: Outlines) -> list[str]:
    """The outlines as text that reads back to the very same numbers.

    Examples
    --------
    >>> format_point_lists(Outlines.of([[(0, 0.1), (2, 0), (2, 1)]]))
    ['0,0.1 2,0 2,1']
    """
    points = outlines.points
    whole = (points == np.floor(points)) & (np.abs(points) <= LARGEST)
    whole &= ~((points == 0) & np.signbit(points))
    if whole.all():  # Python writes a whole number at a third of the time of another
        rows: list[list[float]] = points.astype(np.int64).tolist()
        pairs = [f"{x},{y}" for x, y in rows]
    else:
        pairs = [f"{format_number(x)},{format_number(y)}" for x, y in points.tolist()]
    offsets = outlines.offsets.tolist()
    return [" ".join(pairs[a:b]) for a, b in pairwise(offsets)]


def open_rings(outlines: Outlines) -> Outlines:
    """The outlines without last corners that repeat the first, as long as three are left.

    An outline that is nowhere wider than a point stays valid, with the area 0.

    Examples
    --------
    >>> open_rings(Outlines.of([[(0, 0), (2, 0), (2, 1), (0, 0)], [(5, 5)] * 4])).offsets.tolist()
    [0, 3, 6]
    """
    while len(outlines):
        points, offsets = outlines.points, outlines.offsets
        lengths = np.diff(offsets)
        first: Points = points[offsets[:-1]]
        closed = (lengths > 3) & (first == points[offsets[1:] - 1]).all(axis=1)
        if not closed.any():
            break
        keep = np.ones(len(points), np.bool_)
        keep[offsets[1:][closed] - 1] = False
        shorter = np.concatenate([[0], np.cumsum(lengths - closed)]).astype(np.int64)
        outlines = Outlines(points[keep], shorter)
    return outlines
