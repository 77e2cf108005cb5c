"""CubiCasa5k, in: ``model.svg`` whose groups are rooms, walls, openings and fixed furniture.

A group's classes say what it is: ``Space Bedroom`` is labelled "Bedroom", ``FixedFurniture Sink``
"Sink", ``Wall External`` "Wall", ``Door Swing Beside`` "Door"; further classes become the comment,
the name that is written in a room its text. Its outline is the polygon directly in it, of furniture
the one in ``BoundaryPolygon``, else the box around its shapes; transforms are applied. Positions
are pixels of ``F1_scaled.png`` beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    SHAPES,
    Corners,
    Ids,
    box_points,
    is_outline,
    make_region,
    matrix_of,
    shape_points,
    svg_kind,
    transformed,
)
from spotlab.formats.page.images import find_image, image_path, page_size, size_from_image
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format
from spotlab.geometry.primitives import box_frame
from spotlab.model import Page, Primitive, Region, Truth

_IMAGES = ("F1_scaled.png", "F1_original.png")
_PLAIN = ("Wall", "Railing", "Window", "Door", "Column")  # the first class is the label
_NAMED = ("Space", "FixedFurniture")  # the second class is the label
_GROUPS = ("Model", "Floor", "Floorplan", "FixedFurnitureSet")  # that hold those


def read(path: Path, reading: Reading) -> list[Truth]:
    """The groups of the file that have an outline.

    Raises
    ------
    BadInput
        It is not SVG, or has no size and no image.
    """
    root = _root(path)
    image = next((name for name in _IMAGES if find_image(path, name) is not None), "")
    width, height = _size(root, path, image, reading)
    ids = Ids()
    regions = []
    for node in reading.track(_labelled(root), path):
        with reading.item():
            points = _outline(node, path)
            if is_outline(points):
                regions.append(_region(node, points, path, ids))
            else:
                reading.remark(path, f"{_classes(node)[0]} without an outline")
    _report_others(root, path, reading)
    page = Page(image_path(path, image or _IMAGES[0]), width, height)
    return [Truth(page, tuple(regions))]


def _report_others(root: Node, path: Path, reading: Reading) -> None:
    """Report groups of other classes that have shapes, by class."""
    stack = [root]
    while stack:
        node = stack.pop()
        first = _classes(node)[0] if _classes(node) else ""
        if node.name == "g" and _label(node):
            stack += [child for child in _inner(node) if _label(child)]
        elif first and first not in _GROUPS and any(each.name in SHAPES for each in node.walk()):
            reading.pass_over(path, first)
        else:
            stack += node.children


def _root(path: Path) -> Node:
    root = read_tree(read_bytes(path), path).root
    if root.name != "svg":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="svg")
    return root


def _size(root: Node, path: Path, image: str, reading: Reading) -> tuple[int, int]:
    """The size of the image; where there is none, the one that the file gives."""
    if image:
        return size_from_image(path, image, root.place, "the page is its image", reading)
    box = root.get("viewBox").replace(",", " ").split()
    given = [root.get("width"), root.get("height")]
    values = box[2:] if len(box) == 4 and not all(given) else given
    return page_size(path, image, (values[0], values[1]), root.place, reading)


def _classes(node: Node) -> list[str]:
    return node.get("class").split()


def _label(node: Node) -> str:
    """Return what a group is; empty where it is nothing that has a label."""
    classes = _classes(node)
    if node.name != "g" or not classes:
        return ""
    if classes[0] in _PLAIN:
        return classes[0]
    return classes[1] if classes[0] in _NAMED and len(classes) > 1 else ""


def _inner(node: Node) -> list[Node]:
    return [inner for child in node.children for inner in child.walk()]


def _labelled(root: Node) -> list[Node]:
    return [node for node in root.walk() if _label(node)]


def _outline(node: Node, path: Path) -> Corners:
    """The polygon of a group on the page; none where it has no shapes."""
    boundary = next(
        (each for each in node.all("g") if _classes(each)[:1] == ["BoundaryPolygon"]), None
    )
    for owner in (node, boundary):
        polygon = owner.child("polygon") if owner is not None else None
        if polygon is not None:
            return _placed(shape_points(polygon, path), polygon, path)
    if _classes(node)[0] != "FixedFurniture":
        return []
    shapes = [each for each in (boundary or node).walk() if each.name in SHAPES
              and not _is_hidden(each, node)]  # fmt: skip
    points = [point for each in shapes for point in shape_points(each, path)]
    if not points:
        return []
    left, top = np.min(points, axis=0).tolist()
    right, bottom = np.max(points, axis=0).tolist()
    return _placed(box_points(left, top, right, bottom), node, path)


def _is_hidden(node: Node, top: Node) -> bool:
    """Tell whether an element is not drawn, such as the direction in which furniture faces."""
    owner: Node | None = node
    while owner is not None and owner is not top:
        if "display: none" in owner.get("style") or "display:none" in owner.get("style"):
            return True
        owner = owner.parent
    return False


def _placed(points: Corners, node: Node, path: Path) -> Corners:
    return [(x, y) for x, y in transformed(points, matrix_of(node, path)).tolist()]


def _region(node: Node, points: Corners, path: Path, ids: Ids) -> Region:
    classes = _classes(node)
    label = _label(node)
    return make_region(
        points, path, node.place, label=label, id=ids.take(node.get("id") or label),
        primitive=Primitive.BOX if box_frame(points) else Primitive.POLYGON,
        text=_name(node), comment=" ".join(classes[classes.index(label) + 1 :]),
    )  # fmt: skip


def _name(node: Node) -> str:
    """The name that is written in a room."""
    for inner in _inner(node):
        if "NameLabel" in _classes(inner):
            return " ".join(" ".join(each.text for each in inner.walk()).split())
    return ""


def _sniff(path: Path, head: bytes) -> bool:
    return svg_kind(head) == "cubicasa5k"


FORMAT = Format("cubicasa5k", "CubiCasa5k SVG", (".svg",), _sniff, read)
