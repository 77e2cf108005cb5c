"""The lines of YOLO's text files: one region each, in shares of the image's width and height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput
from spotlab.files import is_file, is_missing
from spotlab.formats.page.frames import Corners, box_frame, smallest_turned_box
from spotlab.formats.page.regions import Ids, box_points, make_region
from spotlab.formats.rows.file_content import read_bytes
from spotlab.model import Primitive, Region

BOX = 4  # numbers after the class
SLACK = 0.01  # share of the image by which a corner may lie outside
_EXPECTED = "a class, then x y width height, or x y of three corners or more"


@dataclass(frozen=True)
class Classes:
    """What the classes of a set are called.

    Attributes
    ----------
    names : tuple of str
        In the order of their numbers; empty where nothing says it, and the number is the label.
    keypoints : int
        Numbers that each line has after its box, of poses; 0 where there are none.
    """

    names: tuple[str, ...] = ()
    keypoints: int = 0


@dataclass(frozen=True)
class Line:
    """A line of a text file.

    Attributes
    ----------
    number : int
        From 1.
    label : str
    values : tuple of float
        Of a box or an outline, in shares of the image.
    more : str
        What else stands there; empty if nothing does.
    """

    number: int
    label: str
    values: tuple[float, ...]
    more: str = ""


def read_lines(path: Path, classes: Classes) -> Iterator[Line]:
    """The lines of a file; none where the file is missing or empty, as an image has no region then.

    Raises
    ------
    BadInput
        A line is no region, or its class has no name.
    """
    if is_missing(path) or (is_file(path) and path.stat().st_size == 0):
        return
    for number, text in enumerate(read_bytes(path).decode("utf-8-sig", "replace").splitlines(), 1):
        if text.strip():
            yield _line(number, text.split(), path, classes)


def _line(number: int, words: Sequence[str], path: Path, classes: Classes) -> Line:
    place = f"line {number}"
    try:
        first, *values = (float(word) for word in words)
    except ValueError as error:
        problem = f"{' '.join(words)[:40]!r} is not all numbers"
        raise BadInput(path, problem, place=place, expected=_EXPECTED) from error
    names = classes.names
    if first != first // 1 or not 0 <= first < (len(names) or 10**6):
        expected = f"a class from 0 to {len(names) - 1}" if names else "a whole number from 0 on"
        raise BadInput(path, f"the class is {words[0][:20]}", place=place, expected=expected)
    more = ""
    if classes.keypoints and len(values) >= BOX + classes.keypoints:
        values, more = values[:BOX], "keypoints of a box"
    elif len(values) % 2:
        values, more = values[:-1], "confidence of a region"
    if len(values) < BOX:
        problem = f"{len(words)} numbers are no region"
        raise BadInput(path, problem, place=place, expected=_EXPECTED)
    for value in values:
        if not -SLACK <= value <= 1 + SLACK:  # nan, too
            raise BadInput(path, f"{value:g} is no share of the image", place=place,
                           expected="numbers from 0 to 1")  # fmt: skip
    label = names[int(first)] if names else str(int(first))
    return Line(number, label, tuple(values), more)


def region_of(line: Line, path: Path, size: tuple[int, int], ids: Ids) -> Region:
    """The region of a line, on a page of this width and height in px.

    Raises
    ------
    BadInput
        It is no outline.
    """
    width, height = size
    values = line.values
    if len(values) == BOX:
        x, across = values[0] * width, values[2] * width
        y, down = values[1] * height, values[3] * height
        points = box_points(x - across / 2, y - down / 2, x + across / 2, y + down / 2)
    else:
        points = [(x * width, y * height) for x, y in zip(values[::2], values[1::2], strict=True)]
    primitive = Primitive.BOX if box_frame(points) else Primitive.POLYGON
    place = f"line {line.number}"
    return make_region(points, path, place, label=line.label, id=ids.take("line"),
                       primitive=primitive)  # fmt: skip


def box_values(region: Region, size: tuple[int, int]) -> list[float]:
    """The middle, width and height of the box around a region, within the page.

    Examples
    --------
    >>> box_values(Region(((0, 10), (50, 10), (50, 60))), (100, 200))
    [0.25, 0.175, 0.5, 0.25]
    """
    (left, top), (right, bottom) = _shares([region.bounds[:2], region.bounds[2:]], size)
    return [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top]


def outline_values(region: Region, size: tuple[int, int]) -> list[float]:
    """The corners of a region, within the page."""
    return [value for point in _shares(region.points, size) for value in point]


def corner_values(region: Region, size: tuple[int, int]) -> list[float]:
    """The corners of the smallest turned box around a region, within the page."""
    return [value for point in _shares(smallest_turned_box(region.array), size) for value in point]


def is_on_page(region: Region, size: tuple[int, int]) -> bool:
    """Whether the box around a region has an area on the page."""
    left, top, right, bottom = region.bounds
    return min(right, size[0]) > max(left, 0) and min(bottom, size[1]) > max(top, 0)


def leaves_page(region: Region, size: tuple[int, int]) -> bool:
    """Whether a part of the region lies outside the page."""
    left, top, right, bottom = region.bounds
    return left < 0 or top < 0 or right > size[0] or bottom > size[1]


def _shares(points: Sequence[tuple[float, float]], size: tuple[int, int]) -> Corners:
    inside = np.clip(np.asarray(points, np.float64) / size, 0, 1)
    return [(x, y) for x, y in inside.tolist()]


def text_of(number: int, values: Sequence[float]) -> str:
    """A line, exact to a millionth of a pixel on large pages."""
    return " ".join([str(number), *(f"{value:.10f}".rstrip("0").rstrip(".") for value in values)])
