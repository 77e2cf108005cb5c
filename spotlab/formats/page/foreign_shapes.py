"""Shapes of foreign formats: ids, boxes, frames, SVG paths, and regions checked when made."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.formats.page.values import LARGEST, parse_points
from spotlab.formats.page.xml_tree import Node
from spotlab.geometry.polygon import Frame, as_points, rotate
from spotlab.geometry.primitives import (
    ELLIPSE_POINTS,
    box_frame,
    ellipse,
    ellipse_from_points,
    frame_corners,
    there_and_back,
)
from spotlab.libraries import shapely
from spotlab.model import Attributes, Ignore, Primitive, Region
from spotlab.model.attributes import NONE


class Ids:
    """Gives out ids that are valid in XML and different from each other on a page.

    Attributes
    ----------
    given : dict of str to str
        Ids by what was wanted.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self.given: dict[str, str] = {}  # by the id that was wanted first

    def take(self, wanted: str) -> str:
        """The wanted id, changed as little as necessary.

        Examples
        --------
        >>> ids = Ids()
        >>> ids.take("7"), ids.take("7"), ids.take("a b")
        ('r7', 'r7_2', 'a_b')
        """
        id = re.sub(r"[^A-Za-z0-9_.\-]", "_", wanted) or "r"
        if not re.match(r"[A-Za-z_]", id):
            id = f"r{id}"
        stem, count = id, 1
        while id in self._taken:
            count += 1
            id = f"{stem}_{count}"
        self._taken.add(id)
        self.given.setdefault(wanted, id)
        return id


def box_points(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    """The corners of a box, clockwise on the screen from the top left."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def box_corners(
    left: float, top: float, right: float, bottom: float, angle: float = 0.0
) -> list[tuple[float, float]]:
    """The corners of a box from another program: swapped edges put right, turned about its middle.

    Parameters
    ----------
    left, top, right, bottom : float
        In px; where two are swapped, as of a box drawn to the left or with a negative width, they
        are put right.
    angle : float
        In degrees, clockwise on the screen.

    Examples
    --------
    >>> box_corners(4, 0, 1, 2)
    [(1, 0), (4, 0), (4, 2), (1, 2)]
    >>> box_corners(0, 0, 4, 2, 90)
    [(3.0, -1.0), (3.0, 3.0), (1.0, 3.0), (1.0, -1.0)]
    """
    left, right = min(left, right), max(left, right)
    top, bottom = min(top, bottom), max(top, bottom)
    if not angle % 180:
        return box_points(left, top, right, bottom)
    frame = Frame((left + right) / 2, (top + bottom) / 2, right - left, bottom - top, angle)
    return frame_corners(frame)


def is_outline(points: Sequence[tuple[float, float]]) -> bool:
    """Tell whether these are three corners or more, a repeated last one not counted."""
    return len(points) >= 3 and len(as_points(points)) >= 3


def is_box(points: Sequence[tuple[float, float]]) -> bool:
    """Tell whether these are the corners of a box along the axes.

    Examples
    --------
    >>> is_box(box_points(0, 0, 2, 1)), is_box([(0, 0), (2, 0), (2, 1)])
    (True, False)
    """
    if len(points) != 4:
        return False
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = points
    upright = x1 == x4 and x2 == x3 and y1 == y2 and y3 == y4
    return (upright or (x1 == x2 and x3 == x4 and y1 == y4 and y2 == y3)) and ((x1, y1) != (x3, y3))


def outline_kind(points: Sequence[tuple[float, float]]) -> Primitive:
    """Tell whether corners of another program are a box, turned or not, or any polygon."""
    is_frame = is_box(points) or box_frame(points) is not None
    return Primitive.BOX if is_frame else Primitive.POLYGON


def make_region(
    points: Sequence[tuple[float, float]],
    path: Path,
    place: str,
    *,
    label: str = "",
    id: str,
    primitive: Primitive = Primitive.POLYGON,
    text: str = "",
    comment: str = "",
    uncertain: bool = False,
    ignore: Ignore = Ignore.NO,
    attributes: Mapping[str, object] | Attributes = NONE,
) -> Region:
    """A region, or a `BadInput` that names the place where the file has it."""
    if points and not (np.abs(points) <= LARGEST).all():  # NaN, too
        raise BadInput(path, "a corner is beyond ±2³¹", place=place)
    flat = not is_outline(points) or len({*map(tuple, points)}) < 3
    if flat and primitive.has_area:
        problem = f"{len(points)} points are not an outline"
        if len(points) >= 3 and primitive in (Primitive.BOX, Primitive.ELLIPSE):
            problem = f"the {primitive} has no width or no height"
        raise BadInput(path, problem, place=place, expected="three points")
    return Region(
        tuple(points), label, id, primitive, uncertain, comment, text, ignore,
        attributes=Attributes(attributes),
    )  # fmt: skip


def attribute_values(given: object) -> Attributes:
    """Attributes of a JSON object: texts, numbers, yes or no, lists of texts; all else is left out.

    Examples
    --------
    >>> attribute_values({"page": 3, "seen": True, "kinds": ["a", "b"], "note": None, "more": {}})
    (('page', 3), ('seen', True), ('kinds', ('a', 'b')))
    """
    values = given.items() if isinstance(given, dict) else ()
    return Attributes((str(name), value) for name, value in values if _is_value(value))


def _is_value(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    return isinstance(value, str | int | float)


Corners = list[tuple[float, float]]

_NEAR = 0.25  # px, for ellipses whose corners were rounded


def frame_at_corner(x: float, y: float, width: float, height: float, angle: float) -> Frame:
    """The frame that is turned about its top left corner, as Label Studio turns boxes.

    Examples
    --------
    >>> frame = frame_at_corner(10, 10, 4, 2, 90)
    >>> [round(value, 6) for value in (frame.x, frame.y)]
    [9.0, 12.0]
    """
    middle = rotate(np.array([[x + width / 2, y + height / 2]]), angle, (x, y))[0]
    return Frame(float(middle[0]), float(middle[1]), width, height, angle)


def line_outline(points: Corners, kind: Primitive) -> Corners:
    """The outline of an open line, or of a point, as regions have it.

    Raises
    ------
    ValueError
        A line needs two points, a point one.

    Examples
    --------
    >>> line_outline([(0, 0), (9, 0)], Primitive.LINE)
    [(0.0, 0.0), (9.0, 0.0), (9.0, 0.0)]
    """
    needed = 2 if kind is Primitive.LINE else 1
    if len(points) < needed:
        raise ValueError(f"a {kind} has {len(points)} points; expected {needed} or more")
    ring = there_and_back(points if kind is Primitive.LINE else points[:1])
    return [(x, y) for x, y in ring.tolist()]


def ellipse_corners(frame: Frame) -> Corners:
    """The 48 corners of the ellipse in a frame."""
    return [(x, y) for x, y in ellipse(frame).tolist()]


def ellipse_frame(region: Region) -> Frame | None:
    """The frame of a region that is an ellipse; None where its outline is none."""
    if region.primitive is not Primitive.ELLIPSE or len(region.points) != ELLIPSE_POINTS:
        return None
    frame = ellipse_from_points(region.array)
    if frame is None:
        return None
    ring = shapely.LinearRing(ellipse(frame))
    off = shapely.distance(ring, shapely.points(region.array)).max()
    return frame if off <= _NEAR else None


_ROOT = re.compile(rb"<(?:[^\s<>/!?:]+:)?([^\s<>/!?:]+)[\s/>]")
_SKIPPED = re.compile(rb"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL)
_NUMBER = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(?:px)?\s*")


def root_name(head: bytes) -> str:
    """The local name of the root element in the beginning of a file; empty if it is no XML.

    Examples
    --------
    >>> root_name(b'<?xml version="1.0"?><!-- x --><a:alto xmlns:a="u">')
    'alto'
    """
    plain = _SKIPPED.sub(b"", head.replace(b"\0", b""))
    found = (
        _ROOT.search(plain) if plain.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1] == b"<" else None
    )
    return found.group(1).decode("utf-8", "replace") if found else ""


def number(value: str, path: Path, node: Node, what: str) -> float:
    """A finite number, with or without "px".

    Raises
    ------
    BadInput
        It is none.
    """
    found = _NUMBER.fullmatch(value)
    result = float(found.group(1)) if found else None
    if result is None or abs(result) > LARGEST:
        problem = f"{what} is {value[:40]!r}" if value else f"{what} is missing"
        raise BadInput(path, problem, place=node.place, expected="a number")
    return result


def loose_points(node: Node, attribute: str, path: Path) -> list[tuple[float, float]]:
    """The points of an attribute, ``x,y x,y`` or, as SVG allows too, ``x y x y``.

    Raises
    ------
    BadInput
        Something is not a pair of numbers.
    """
    text = node.get(attribute)
    if "," not in text:
        values = text.split()
        text = " ".join(f"{x},{y}" for x, y in zip(values[::2], values[1::2], strict=False))
    try:
        return parse_points(text)
    except ValueError as error:
        raise BadInput(path, str(error), place=node.place, expected="x,y") from error


Matrix = NDArray[np.float64]
Ring = NDArray[np.float64]

SHAPES = ("path", "polygon", "polyline", "rect", "line", "circle", "ellipse")
STEPS = 8  # points along a curve of a path
CORNERS = 32  # of a circle
_TRANSFORM = re.compile(r"\s*([A-Za-z]+)\s*\(([^)]*)\)[\s,]*")
_NUMBERS = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_COMMAND = re.compile(r"\s*([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}

_GROUP = re.compile(
    rb"<g\b[^>]*\bclass=[\"'](?:Model|Floor|Floorplan|Space|Wall|Railing|FixedFurniture)\b"
)
_SQUARE = re.compile(rb'viewBox="0 0 ([\d.]+) \1"')  # the drawings of FloorPlanCAD are


def svg_kind(head: bytes) -> str:
    """Tell which data set an SVG file that begins like this is from.

    Empty where it is of none of them.

    A tile of FloorPlanCAD is square, and may begin with shapes that have no id.

    Examples
    --------
    >>> svg_kind(b'<svg><g class="Model v1-1"><g class="Floor">')
    'cubicasa5k'
    >>> svg_kind(b'<svg viewBox="0 0 140 140"><path d="M 1,2 L 3,4" semanticId="33"/>')
    'floorplancad'
    >>> svg_kind(b'<svg><polygon class="Door" points="1,1 9,1 9,9"/>')
    'cvc-fp'
    >>> svg_kind(b'<svg viewBox="0 0 2035 3311"><path d="M 1,2 L 3,4 Z"/>')
    ''
    """
    if root_name(head) != "svg":
        return ""
    if _GROUP.search(head):
        return "cubicasa5k"
    has_ids = b"semantic-id" in head or b"semanticId" in head
    is_drawing = b"<path" in head and b"<polygon" not in head
    if has_ids or (is_drawing and _SQUARE.search(head)):
        return "floorplancad"
    return "cvc-fp" if b"<polygon" in head or b"<class>" in head else ""


def matrix_of(node: Node, path: Path) -> Matrix:
    """The transforms of an element and all around it, as a (3, 3) matrix.

    Raises
    ------
    BadInput
        A transform is not understood.
    """
    matrix = np.eye(3)
    owner: Node | None = node
    while owner is not None:
        if owner.get("transform"):
            matrix = _transform(owner, path) @ matrix
            if not (np.abs(matrix) <= LARGEST).all():
                raise BadInput(path, "transforms are beyond ±2³¹ together", place=owner.place)
        owner = owner.parent
    return matrix


def transformed(points: Sequence[tuple[float, float]] | Ring, matrix: Matrix) -> Ring:
    """The points after a transform.

    Parameters
    ----------
    points : (N, 2) float
    matrix : (3, 3) float

    Returns
    -------
    (N, 2) float
    """
    array = np.asarray(points, np.float64).reshape(-1, 2)
    return array @ matrix[:2, :2].T + matrix[:2, 2]


def shape_points(node: Node, path: Path) -> list[tuple[float, float]]:
    """The points of a shape in its own coordinates; its corners, and points along its curves.

    Raises
    ------
    BadInput
        Something is no number, or beyond ±2³¹, or a path is not understood.
    """
    points = _points_of(node, path)
    if points and not (np.abs(points) <= LARGEST).all():  # NaN, too
        raise BadInput(path, "a corner is beyond ±2³¹", place=node.place)
    return points


def _points_of(node: Node, path: Path) -> list[tuple[float, float]]:
    if node.name in ("polygon", "polyline"):
        return loose_points(node, "points", path)
    if node.name == "path":
        return list(_path_points(node, path))

    def value(name: str) -> float:
        return number(node.get(name) or "0", path, node, name)

    if node.name == "line":
        return [(value("x1"), value("y1")), (value("x2"), value("y2"))]
    if node.name == "rect":
        left, top = value("x"), value("y")
        right, bottom = left + value("width"), top + value("height")
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    across, down = (value("r"), value("r")) if node.name == "circle" else (value("rx"), value("ry"))
    turns = [2 * math.pi * step / CORNERS for step in range(CORNERS)]
    x, y = value("cx"), value("cy")
    return [(x + across * math.cos(turn), y + down * math.sin(turn)) for turn in turns]


def _transform(node: Node, path: Path) -> Matrix:
    text = node.get("transform")
    matrix, at = np.eye(3), 0
    while at < len(text.rstrip()):
        found = _TRANSFORM.match(text, at)
        values = [float(word) for word in _NUMBERS.findall(found[2])] if found else []
        step = _step(found[1], values) if found else None
        if found is None or step is None:
            raise BadInput(path, f"the transform {text[at : at + 40]!r} is not understood",
                           place=node.place, expected="matrix(a,b,c,d,e,f)")  # fmt: skip
        matrix = matrix @ step
        at = found.end()
        if not (np.abs(matrix) <= LARGEST).all():  # NaN, too
            raise BadInput(path, "the transform is beyond ±2³¹", place=node.place)
    return matrix


def _step(name: str, values: Sequence[float]) -> Matrix | None:
    """The matrix of one transform; None where its numbers are not as many as they have to be."""
    match name, len(values):
        case "matrix", 6:
            a, b, c, d, e, f = values
            return np.array([[a, c, e], [b, d, f], [0, 0, 1.0]])
        case "translate", 1 | 2:
            x, y = (*values, 0.0)[:2]
            return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
        case "scale", 1 | 2:
            return np.diag([values[0], values[-1], 1.0])
        case "rotate", 1 | 3:
            x, y = (*values[1:], 0.0, 0.0)[:2]
            sine, cosine = (f(math.radians(values[0])) for f in (math.sin, math.cos))
            turn = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]])
            move = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
            return np.asarray(move @ turn @ np.linalg.inv(move))
    return None


def _path_points(node: Node, path: Path) -> Iterator[tuple[float, float]]:
    """Points along a path: ends of lines, and `STEPS` points on every curve and arc."""
    text = node.get("d")
    at = start = control = 0j
    before = ""
    for letter, values in _commands(text, node, path):
        name, base = letter.upper(), at if letter.islower() else 0j
        if name == "Z":
            at = start
        elif name in "HV":
            step = complex(values[0], 0) if name == "H" else complex(0, values[0])
            kept = complex(0, at.imag) if name == "H" else complex(at.real, 0)
            at = at + step if letter.islower() else kept + step
            yield at.real, at.imag
        elif name == "A":
            end = complex(*values[5:]) + base
            yield from _arc(at, end, values)
            at = end
        else:
            corners = [complex(x, y) + base
                       for x, y in zip(values[::2], values[1::2], strict=True)]  # fmt: skip
            if name in "ST":
                smooth = before in ("CS" if name == "S" else "QT")
                corners.insert(0, 2 * at - control if smooth and before else at)
            yield from _curve([at, *corners])
            control = corners[-2] if len(corners) > 1 else corners[-1]
            at = corners[-1]
            start = at if name == "M" else start
        before = name


def _commands(text: str, node: Node, path: Path) -> Iterator[tuple[str, list[float]]]:
    """The commands of a path, repeated ones one by one."""
    place = 0
    while place < len(text.rstrip()):
        found = _COMMAND.match(text, place)
        words = _NUMBERS.findall(found[2]) if found else []
        count = _ARGUMENTS[found[1].upper()] if found else 0
        if found is None or (len(words) % count if count else words) or (count and not words):
            raise BadInput(path, f"the path {text[place : place + 40]!r} is not understood",
                           place=node.place, expected="commands such as M x,y L x,y")  # fmt: skip
        letter = found[1]
        if not count:
            yield letter, []
        for index in range(0, len(words), count or 1):
            yield letter, [float(word) for word in words[index : index + count]]
            letter = {"M": "L", "m": "l"}.get(letter, letter)
        place = found.end()


def _curve(corners: Sequence[complex]) -> Iterator[tuple[float, float]]:
    """Points on a Bézier curve without its start; of a line its end."""
    steps = 1 if len(corners) == 2 else STEPS
    for step in range(1, steps + 1):
        share = step / steps
        points = list(corners)
        while len(points) > 1:
            points = [a + (b - a) * share for a, b in pairwise(points)]
        yield points[0].real, points[0].imag


def _arc(start: complex, end: complex, values: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Points on an elliptic arc without its start, by SVG 1.1, appendix F.6."""
    rx, ry = abs(values[0]), abs(values[1])
    turn = complex(math.cos(math.radians(values[2])), math.sin(math.radians(values[2])))
    if rx == 0 or ry == 0 or start == end:
        yield end.real, end.imag
        return
    half = (start - end) / 2 / turn
    unit = complex(half.real / rx, half.imag / ry)
    stretch = max(1.0, abs(unit))
    rx, ry, unit = rx * stretch, ry * stretch, unit / stretch
    distance = math.sqrt(max(0.0, 1 / abs(unit) ** 2 - 1))
    sign = -1 if bool(values[3]) == bool(values[4]) else 1
    centre = sign * distance * complex(unit.imag, -unit.real)
    first, last = unit - centre, -unit - centre
    sweep = math.remainder(math.atan2(last.imag, last.real) - math.atan2(first.imag, first.real),
                           2 * math.pi)  # fmt: skip
    if values[4] and sweep < 0:
        sweep += 2 * math.pi
    elif not values[4] and sweep > 0:
        sweep -= 2 * math.pi
    middle = (start + end) / 2
    for step in range(1, STEPS):
        angle = sweep * step / STEPS
        point = first * complex(math.cos(angle), math.sin(angle)) + centre
        placed = complex(point.real * rx, point.imag * ry) * turn + middle
        yield placed.real, placed.imag
    yield end.real, end.imag
