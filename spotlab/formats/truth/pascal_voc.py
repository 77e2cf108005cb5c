"""Pascal VOC and LabelMe of MIT: one XML file per image.

VOC counts pixels from 1 and includes the last one: ``xmin``…``xmax`` are the pixels xmin to xmax,
which is the interval [xmin − 1, xmax) of our continuous coordinates. Boxes that begin at pixel 0,
as some programs write them, begin at 0 here too. A ``difficult`` object is an ignored symbol.

An outline that a program adds to VOC is read in place of the box: a ``polygon`` (Roboflow), a
``robndbox`` (roLabelImg, whose angle is in radians; DIOR-R, with its corners) or a box with the
attribute ``rotation`` in degrees (CVAT). These count from 0. LabelMe of MIT has a ``polygon`` of
``pt`` elements for every object; objects that are marked as deleted are passed over. The
``username`` of a polygon is its annotator; all polygons are read unless one annotator is asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput, counted
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    box_corners,
    make_region,
    number,
    root_name,
)
from spotlab.formats.page.images import image_path, page_size
from spotlab.formats.page.xml_tree import Node, escape_text, in_xml, read_tree
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds, OutlineKinds, Rounding, page_file
from spotlab.geometry.primitives import box_frame
from spotlab.model import Ignore, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

_LEFT_OUT = ("part", "actions")
_FLAGS = ("truncated", "occluded")
_EDGES = ("xmin", "ymin", "xmax", "ymax")
_ROTATION = "rotation"
_COORDINATE = re.compile(r"[xy](\d+|_[a-z_]+)?")  # x1, y1, x2, … or x_left_top, y_left_top, …


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of the file's image.

    Raises
    ------
    BadInput
        It is not VOC, or the size of the page is not known.
    """
    root = read_tree(read_bytes(path), path).root
    if root.name != "annotation":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="annotation")
    filename = _text(root, "filename")
    width, height = _size(root, path, filename, reading)
    regions = []
    ids = Ids()
    nodes = root.all("object")
    known = _annotators_in(nodes)
    if reading.annotator:
        if reading.annotator not in known:
            raise BadInput(path, f"{reading.annotator!r} has annotated nothing in it",
                           expected=", ".join(known) or "no annotator")  # fmt: skip
        nodes = [node for node in nodes if _annotator(node) == reading.annotator]
    for node in reading.track(nodes, path):
        if _text(node, "deleted") == "1":
            reading.remark(path, "deleted object", node.place)
            continue
        with reading.item():
            regions.append(_region(node, path, ids, reading))
            for name in _LEFT_OUT:
                if node.child(name) is not None:
                    reading.pass_over(path, f"{name} of an object")
            for name in _attributes(node):
                if name != _ROTATION:
                    reading.pass_over(path, f"attribute {name!r} of an object")
            for name in _FLAGS:
                if _text(node, name) == "1":
                    reading.pass_over(path, f"{name} object")
    return [Truth(Page(image_path(path, filename), width, height), tuple(regions))]


def _region(node: Node, path: Path, ids: Ids, reading: Reading) -> Region:
    points, primitive = _outline(node, path, reading)
    return make_region(
        points, path, node.place, label=_text(node, "name"), id=ids.take("object"),
        primitive=primitive,
        ignore=Ignore.SYMBOL if _text(node, "difficult") == "1" else Ignore.NO,
    )  # fmt: skip


def annotators(path: Path) -> list[str]:
    """The people who have drawn polygons of a file, in the order in which they come.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    return _annotators_in(read_tree(read_bytes(path), path).root.all("object"))


def _annotators_in(nodes: Sequence[Node]) -> list[str]:
    names = [_annotator(node) for node in nodes if _text(node, "deleted") != "1"]
    return [name for name in dict.fromkeys(names) if name]


def _annotator(node: Node) -> str:
    """The name of who has drawn an object's polygon or mask; empty where nobody is named."""
    owners = (node.child("polygon"), node.child("segm"), node)
    return next((name for owner in owners if owner and (name := _text(owner, "username"))), "")


def _text(node: Node, name: str) -> str:
    child = node.child(name)
    return child.text.strip() if child is not None else ""


def _attributes(node: Node) -> dict[str, str]:
    """The attributes of an object, as CVAT writes them, with their values."""
    owner = node.child("attributes")
    return {_text(each, "name"): _text(each, "value")
            for each in (owner.all("attribute") if owner is not None else ())}  # fmt: skip


def _size(root: Node, path: Path, filename: str, reading: Reading) -> tuple[int, int]:
    for element, names in (("size", ("width", "height")), ("imagesize", ("ncols", "nrows"))):
        size = root.child(element)
        if size is not None:
            given = _text(size, names[0]), _text(size, names[1])
            return page_size(path, filename, given, size.place, reading, names=names)
    return page_size(path, filename, (None, None), root.place, reading)


def _outline(node: Node, path: Path, reading: Reading) -> tuple[Corners, Primitive]:
    """The outline of an object: its polygon, turned box or box, the first that it has."""
    polygon, turned = node.child("polygon"), node.child("robndbox")
    corners = _corners(polygon, path) if polygon is not None else []
    if polygon is not None and len(corners) < 3 and (turned or node.child("bndbox")):
        what = "polygon of fewer than three corners: the box is taken"
        reading.remark(path, what, polygon.place)
    if len(corners) < 3 and turned is not None:
        if turned.child("angle") is not None:
            names = ("cx", "cy", "w", "h", "angle")
            x, y, width, height, angle = (_number(turned, name, path) for name in names)
            across, down = width / 2, height / 2
            edges = x - across, y - down, x + across, y + down
            return box_corners(*edges, math.degrees(angle)), Primitive.BOX
        corners = _corners(turned, path)
    box, segment = node.child("bndbox"), node.child("segm")
    if box is None and segment is not None and len(corners) < 3:
        box = segment.child("box")
        reading.remark(path, "mask of a segm, of which the box is taken", segment.place)
    if len(corners) >= 3:
        is_turned = polygon is None and box_frame(corners) is not None
        return corners, Primitive.BOX if is_turned else Primitive.POLYGON
    if box is None:
        there = f"the {polygon.name} has {counted(len(corners), 'point')} and " if polygon else ""
        raise BadInput(path, f"{there}there is no bndbox", place=node.place,
                       expected="a bndbox, polygon or robndbox")  # fmt: skip
    left, top, right, bottom = (_number(box, name, path) for name in _EDGES)
    left, right, top, bottom = *sorted((left, right)), *sorted((top, bottom))
    turn = number(_attributes(node).get(_ROTATION) or "0", path, node, _ROTATION)
    edges = max(0.0, left - 1), max(0.0, top - 1), right, bottom
    return box_corners(*edges, turn), Primitive.BOX


def _corners(owner: Node, path: Path) -> Corners:
    """Points as ``pt`` or ``point`` elements with x and y, or as x and y elements in turn."""
    inner = [*owner.all("pt"), *owner.all("point")]
    if inner:
        return [(_number(each, "x", path), _number(each, "y", path)) for each in inner]
    values = [number(each.text.strip(), path, each, each.name) for each in owner.children
              if _COORDINATE.fullmatch(each.name)]  # fmt: skip
    return list(zip(values[::2], values[1::2], strict=False))


def _number(node: Node, name: str, path: Path) -> float:
    return number(_text(node, name), path, node, name)


HOLDS = Holds(
    outlines=OutlineKinds.BOXES, rounding=Rounding.OUTWARDS, off_page=False, flat=False,
    spelling=in_xml, ignored=frozenset((Ignore.SYMBOL,)), texts=False, comments=False,
    attributes=False, uncertain=False, histories=False, checked=False, frames=False,
    order=False, tags=False, label_list=False, colours=False, digits=False,
)  # fmt: skip


def write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    """Write a file per page; every region is a box of whole px.

    Raises
    ------
    NotSaved
        A file could not be written.
    """
    for truth in track(truths, progress, "writing Pascal VOC"):
        page = truth.page
        lines = [
            b"<annotation>",
            b"  <folder>" + escape_text(page.image.parent.name) + b"</folder>",
            b"  <filename>" + escape_text(page.image.name) + b"</filename>",
            f"  <size><width>{page.width}</width><height>{page.height}</height>"
            "<depth>3</depth></size>".encode(),
            b"  <segmented>0</segmented>",
            *(_object(region) for region in truth.regions),
            b"</annotation>\n",
        ]
        write_atomically(page_file(target, truth, ".xml"), b"\n".join(lines))


def _object(region: Region) -> bytes:
    left, top, right, bottom = map(int, region.bounds)
    edges = left + 1, top + 1, right, bottom
    box = "".join(f"<{name}>{value}</{name}>" for name, value in zip(_EDGES, edges, strict=True))
    return (
        b"  <object>\n    <name>" + escape_text(region.label) + b"</name>\n"
        b"    <pose>Unspecified</pose><truncated>0</truncated>"
        + f"<difficult>{int(region.ignored)}</difficult>\n".encode()
        + f"    <bndbox>{box}</bndbox>\n  </object>".encode()
    )


def _is_labelme_web(head: bytes) -> bool:
    return b"<imagesize" in head or b"<pt>" in head or b"<submittedBy" in head


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "annotation" and not _is_labelme_web(head)


def _sniff_web(path: Path, head: bytes) -> bool:
    return root_name(head) == "annotation" and _is_labelme_web(head)


FORMAT = Format("voc", "Pascal VOC", (".xml",), _sniff, read, write, holds=HOLDS)
LABELME_WEB = Format(
    "labelme-web", "LabelMe of MIT", (".xml",), _sniff_web, read, annotators=annotators
)
