"""BPMN diagrams, in: a box per shape, labelled with the kind of element that it shows.

The data set hdBPMN draws over photographs scaled to a ``backgroundSize`` that a comment names;
there a pixel is the value × image width / backgroundSize, so the image has to be there. Without
that comment values are pixels.
"""

from __future__ import annotations

import re
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, box_corners, make_region, number, root_name
from spotlab.formats.page.images import image_path, size_from_image
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format
from spotlab.model import Page, Primitive, Truth

_LEFT_OUT = ("BPMNEdge", "BPMNLabel")
_BACKGROUND = re.compile(rb'<!--[^>]*"backgroundSize"\s*:\s*"?([0-9.]+)')


def read(path: Path, reading: Reading) -> list[Truth]:
    """The shapes of the diagram; an element's name becomes the region's text.

    Raises
    ------
    BadInput
        It is not BPMN, or its image is missing.
    """
    source = read_bytes(path)
    tree = read_tree(source, path)
    root = tree.root
    if root.name != "definitions":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="definitions")
    width, height = size_from_image(path, "", root.place, "BPMN gives no size of the page", reading)
    scale = _scale(tree.data, width, path)
    elements = {node.get("id"): node for node in root.walk() if node.name != "BPMNShape"}
    shapes = [node for node in root.walk() if node.name == "BPMNShape"]
    regions = []
    ids = Ids()
    for node in reading.track(shapes, path):
        with reading.item():
            element = elements.get(node.get("bpmnElement"))
            if element is None:
                problem = f"it shows {node.get('bpmnElement')!r}, which does not exist"
                raise BadInput(path, problem, place=node.place, expected="the id of an element")
            left, top, across, down = (value * scale for value in _bounds(node, path))
            region = make_region(
                box_corners(left, top, left + across, top + down), path, node.place,
                label=element.name, id=ids.take(element.get("id")), primitive=Primitive.BOX,
                text=element.get("name"),
            )  # fmt: skip
            regions.append(region)
    for node in root.walk():
        if node.name in _LEFT_OUT:
            reading.pass_over(path, node.name)
    return [Truth(Page(image_path(path, ""), width, height), tuple(regions))]


def _scale(data: bytes, width: int, path: Path) -> float:
    found = _BACKGROUND.search(data[:4096])
    if not found:
        return 1.0
    try:
        size = float(found.group(1))
    except ValueError:
        size = 0.0
    if size <= 0:
        problem = f"backgroundSize is {found.group(1).decode()}"
        raise BadInput(path, problem, expected="a number above 0")
    return width / size


def _bounds(node: Node, path: Path) -> tuple[float, float, float, float]:
    bounds = node.child("Bounds")
    if bounds is None:
        raise BadInput(path, "the shape has no Bounds", place=node.place, expected="one")
    x, y, width, height = (
        number(bounds.get(name), path, bounds, name) for name in ("x", "y", "width", "height")
    )
    return x, y, width, height


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "definitions" and b"BPMN" in head.replace(b"\0", b"").upper()


FORMAT = Format("bpmn", "BPMN diagram", (".bpmn",), _sniff, read)
