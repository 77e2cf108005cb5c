"""FloorPlanCAD, in: SVG whose lines say which class and which instance they are part of.

Every line, circle and ellipse of a drawing has ``semantic-id`` and ``instance-id`` (``semanticId``
and ``instanceId`` in CADTransformer's copy). All of one instance together are a region: their hull,
labelled with the class. Lines without an instance, such as walls, are countless and are passed over
and counted. Positions are scaled from the ``viewBox`` to the image, which has to be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    SHAPES,
    Ids,
    Matrix,
    is_outline,
    make_region,
    matrix_of,
    number,
    shape_points,
    svg_kind,
    transformed,
)
from spotlab.formats.page.images import image_path, size_from_image
from spotlab.formats.page.xml_tree import Node, read_svg
from spotlab.formats.rows.numbers import whole_number
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format
from spotlab.geometry.polygon import convex_hull
from spotlab.model import Page, Primitive, Truth

# Fan et al., FloorPlanCAD: A Large-Scale CAD Drawing Dataset for Panoptic Symbol Spotting (2021)
CLASSES = (
    "single door", "double door", "sliding door", "folding door", "revolving door", "rolling door",
    "window", "bay window", "blind window", "opening symbol", "sofa", "bed", "chair", "table",
    "TV cabinet", "wardrobe", "cabinet", "gas stove", "sink", "refrigerator", "air conditioner",
    "bath", "bathtub", "washing machine", "squat toilet", "urinal", "toilet", "stairs", "elevator",
    "escalator", "row chairs", "parking spot", "wall", "curtain wall", "railing",
)  # fmt: skip

Instance = tuple[int, str]  # the number of its class and its own


def read(path: Path, reading: Reading) -> list[Truth]:
    """The instances of the drawing.

    Raises
    ------
    BadInput
        It is not SVG, or its image or the viewBox is missing.
    """
    root = read_svg(path)
    width, height = size_from_image(
        path, "", root.place, "positions are in units of the drawing", reading
    )
    scale = _scale(root, path, (width, height))
    instances = _instances(root, path, reading)
    ids = Ids()
    regions = []
    for (number_of, own), nodes in reading.track(list(instances.items()), path):
        with reading.item():
            hull = _hull(nodes, path)
            if not is_outline(hull):
                reading.remark(path, "instance without an area")
                continue
            points = [(x, y) for x, y in transformed(hull, scale).tolist()]
            region = make_region(
                points, path, nodes[0].place, label=CLASSES[number_of - 1],
                id=ids.take(f"instance_{own}"), primitive=Primitive.HULL,
            )  # fmt: skip
            regions.append(region)
    return [Truth(Page(image_path(path, ""), width, height), tuple(regions))]


def _instances(root: Node, path: Path, reading: Reading) -> dict[Instance, list[Node]]:
    """The lines of each instance; lines without one, by class, and texts are reported."""
    instances: dict[Instance, list[Node]] = {}
    for node in root.walk():
        if node.name == "text":
            reading.pass_over(path, "text")
        if node.name not in SHAPES:
            continue
        with reading.item():
            number_of, own = _ids(node, path)
            if number_of and own:
                instances.setdefault((number_of, own), []).append(node)
            elif number_of:
                name = CLASSES[number_of - 1]
                reading.pass_over(path, f"{node.name} of {name} without an instance")
            else:
                reading.pass_over(path, f"{node.name} without a class")
    return instances


def _ids(node: Node, path: Path) -> Instance:
    """The number of the class, 0 for none, and the instance, empty for none."""
    text = node.get("semantic-id") or node.get("semanticId") or "0"
    own = node.get("instance-id") or node.get("instanceId")
    number = whole_number(text)
    if number is None or number > len(CLASSES):
        raise BadInput(path, f"the semantic-id is {text[:20]!r}", place=node.place,
                       expected=f"a number from 0 to {len(CLASSES)}")  # fmt: skip
    return number, "" if own.startswith("-") else own


def _hull(nodes: Sequence[Node], path: Path) -> list[tuple[float, float]]:
    points = np.vstack([np.empty((0, 2)), *(
        transformed(shape_points(node, path), matrix_of(node, path)) for node in nodes
    )])  # fmt: skip
    if len(points) < 3:
        return []
    return [(x, y) for x, y in convex_hull(points).tolist()]


def _scale(root: Node, path: Path, size: tuple[int, int]) -> Matrix:
    """The matrix from the viewBox to pixels."""
    words = root.get("viewBox").replace(",", " ").split()
    if len(words) != 4:
        raise BadInput(
            path, "the viewBox is missing", place=root.place, expected='viewBox="0 0 140 140"'
        )
    left, top, width, height = (number(word, path, root, "viewBox") for word in words)
    if width <= 0 or height <= 0:
        raise BadInput(path, f"a viewBox of {width:g} × {height:g}", place=root.place,
                       expected="numbers above 0")  # fmt: skip
    x, y = size[0] / width, size[1] / height
    return np.array([[x, 0, -left * x], [0, y, -top * y], [0, 0, 1.0]])


def _sniff(path: Path, head: bytes) -> bool:
    return svg_kind(head) == "floorplancad"


FORMAT = Format("floorplancad", "FloorPlanCAD SVG", (".svg",), _sniff, read)
