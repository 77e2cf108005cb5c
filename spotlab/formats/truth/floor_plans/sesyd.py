"""SESYD, in: an XML file per synthetic floor plan or diagram with the box of every symbol.

``file_0.xml`` has an element with ``label``, ``x0``, ``y0``, ``x1`` and ``y1`` for each symbol,
below elements ``a`` and ``o``. The numbers are px of ``file_0.tiff``, which gives the size of the
page. What else such an element says, a scale or a direction, are attributes of the region.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, box_corners, make_region, number, root_name
from spotlab.formats.page.images import page_of_image
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format
from spotlab.model import Primitive, Region, Truth

# Delalandre et al., Generation of synthetic documents for performance evaluation of symbol
# recognition & spotting systems (2010)
_EDGES = ("x0", "y0", "x1", "y1")
_GROUPS = ("a", "o")
_OWN = ("label", "id", *_EDGES)
_TAG = re.compile(r"<[^<>!?/][^<>]*>")


def read(path: Path, reading: Reading) -> list[Truth]:
    """The symbols of the file's image.

    Raises
    ------
    BadInput
        It is not XML, or the image is missing.
    """
    root = read_tree(read_bytes(path), path).root
    page, ids, regions = page_of_image(path, reading), Ids(), []
    for node in reading.track(_symbols(root), path):
        with reading.item():
            regions.append(_region(node, path, ids))
    return [Truth(page, tuple(regions))]


def _symbols(root: Node) -> Sequence[Node]:
    """The elements that place something, and all directly below an ``a`` or ``o``."""
    return [
        node for node in root.walk()
        if any(edge in node.attributes for edge in _EDGES)
        or ("label" in node.attributes and node.parent and node.parent.name in _GROUPS)
    ]  # fmt: skip


def _region(node: Node, path: Path, ids: Ids) -> Region:
    edges = [number(node.get(edge), path, node, edge) for edge in _EDGES]
    label = node.get("label").strip()
    if not label:
        raise BadInput(path, "the label is missing", place=node.place, expected='label="door1"')
    more = {name: value for name, value in node.attributes.items() if name not in _OWN}
    return make_region(
        box_corners(*edges), path, node.place, label=label, id=ids.take(node.get("id") or label),
        primitive=Primitive.BOX, attributes=more,
    )  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    if not root_name(head):
        return False
    tags = _TAG.findall(head.replace(b"\0", b"").decode("utf-8", "replace"))
    return any(all(re.search(rf"\s{name}\s*=", tag) for name in ("label", *_EDGES)) for tag in tags)


FORMAT = Format("sesyd", "SESYD", (".xml",), _sniff, read)
