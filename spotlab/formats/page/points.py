"""Coordinates as PAGE writes them: ``x,y x,y …``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

LARGEST = 2**31 - 1  # what PAGE's readers take as an integer
PLAIN = re.compile(r"(?:\d{1,9},\d{1,9} )*\d{1,9},\d{1,9}", re.ASCII)
_AROUND_COMMA = re.compile(r"\s*,\s*")


def parse_points(text: str) -> list[tuple[float, float]]:
    """The points; fractions and additional spaces are read too.

    Examples
    --------
    >>> parse_points("1,2  3.5 , 4")
    [(1.0, 2.0), (3.5, 4.0)]

    Raises
    ------
    ValueError
        Something is not a pair of numbers, or a number is beyond ±2³¹.
    """
    if ", " in text or " ," in text:
        text = _AROUND_COMMA.sub(",", text)
    if PLAIN.fullmatch(text):  # nearly always: many regions are read at three times the speed
        numbers = [float(number) for number in text.replace(",", " ").split()]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    points = []
    for pair in text.split():
        x, comma, y = pair.partition(",")
        try:
            point = float(x), float(y)
        except ValueError:
            comma = ""
        if not comma or not (abs(point[0]) <= LARGEST and abs(point[1]) <= LARGEST):
            raise ValueError(f"{pair[:40]!r} is not a point")
        points.append(point)
    return points


def rounded(points: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """The points as PAGE's schema wants them: whole numbers, none negative.

    An outline that would shrink to less than three places becomes the pixels it touches.

    Examples
    --------
    >>> rounded([(-1, 0.4), (2.5, 0), (2, 3)])
    [(0, 0), (3, 0), (2, 3)]
    >>> rounded([(1.1, 1.1), (1.4, 1.1), (1.4, 1.4)])
    [(1, 1), (2, 1), (2, 2), (1, 2)]
    """
    whole = [(max(0, math.floor(x + 0.5)), max(0, math.floor(y + 0.5))) for x, y in points]
    if len(points) < 3 or len(set(whole)) >= 3:
        return whole
    xs, ys = zip(*points, strict=True)
    left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
    right, bottom = max(left + 1, math.ceil(max(xs))), max(top + 1, math.ceil(max(ys)))
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def format_points(points: Sequence[tuple[float, float]]) -> str:
    """The points for ``Coords/@points``.

    Examples
    --------
    >>> format_points([(0, 0), (2, 0), (2.2, 1)])
    '0,0 2,0 2,1'
    """
    return " ".join(f"{x},{y}" for x, y in rounded(points))
