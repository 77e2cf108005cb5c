"""Points of SVG shapes on the page: transforms applied, curves as points along them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.formats.page.points import LARGEST
from spotlab.formats.page.xml_tree import Node
from spotlab.formats.page.xml_values import loose_points, number, root_name

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
    """Which data set an SVG file that begins like this is from; empty where it is of none of them.

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
