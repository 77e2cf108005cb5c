"""Pascal VOC: one XML file per image, labelled boxes only.

VOC counts pixels from 1 and includes the last one: ``xmin``…``xmax`` are the pixels xmin to xmax,
which is the interval [xmin − 1, xmax) of our continuous coordinates. Boxes that begin at pixel 0,
as some programs write them, begin at 0 here too. A ``difficult`` object is an ignored symbol.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Ids,
    box_points,
    counted_losses,
    is_box,
    make_region,
    number,
    page_losses,
    passed_over_lines,
    root_name,
    size_from_image,
)
from spotlab.formats.page.images import image_path
from spotlab.formats.page.xml_tree import Node, escape_text, read_tree
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.truth.format import Format, page_file
from spotlab.model import Ignore, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

_LEFT_OUT = ("part", "polygon", "actions", "attributes")
_FLAGS = ("truncated", "occluded")
_EDGES = ("xmin", "ymin", "xmax", "ymax")


def read(path: Path, progress: Progress) -> list[Truth]:
    """The truth of the file's image; polygons that some programs add are not part of VOC.

    Raises
    ------
    BadInput
        It is not VOC, or a box is none.
    """
    root = read_tree(read_bytes(path), path).root
    if root.name != "annotation":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="annotation")
    filename = _text(root, "filename")
    width, height = _size(root, path, filename)
    regions = []
    ids = Ids()
    for node in track(root.all("object"), progress, f"reading {path.name}"):
        left, top, right, bottom = _box(node, path)
        points = box_points(max(0.0, left - 1), max(0.0, top - 1), right, bottom)
        region = make_region(
            points, path, node.place, label=_text(node, "name"), id=ids.take("object"),
            primitive=Primitive.BOX,
            ignore=Ignore.SYMBOL if _text(node, "difficult") == "1" else Ignore.NO,
        )  # fmt: skip
        regions.append(region)
    return [Truth(Page(image_path(path, filename), width, height), tuple(regions))]


def passed_over(path: Path) -> list[str]:
    """Return what objects say besides their box and name, counted by kind."""
    found: list[str] = []
    for node in read_tree(read_bytes(path), path).root.all("object"):
        found += [f"{name} of an object" for name in _LEFT_OUT if node.child(name) is not None]
        found += [f"{name} object" for name in _FLAGS if _text(node, name) == "1"]
    return passed_over_lines(path, found)


def _text(node: Node, name: str) -> str:
    child = node.child(name)
    return child.text.strip() if child is not None else ""


def _size(root: Node, path: Path, filename: str) -> tuple[int, int]:
    size = root.child("size")
    if size is None or not _text(size, "width") or _text(size, "width") == "0":
        return size_from_image(path, filename, root, "the size is missing")
    width = int(number(_text(size, "width"), path, size, "width"))
    height = int(number(_text(size, "height"), path, size, "height"))
    if width <= 0 or height <= 0:
        problem = f"a page of {width} × {height}"
        raise BadInput(path, problem, place=size.place, expected="numbers above 0")
    return width, height


def _box(node: Node, path: Path) -> tuple[float, float, float, float]:
    box = node.child("bndbox")
    if box is None:
        raise BadInput(path, "there is no bndbox", place=node.place, expected="one")
    left, top, right, bottom = (number(_text(box, name), path, box, name) for name in _EDGES)
    if right < left or bottom < top:
        raise BadInput(path, "the box has swapped edges", place=box.place,
                       expected="xmin ≤ xmax and ymin ≤ ymax")  # fmt: skip
    return left, top, right, bottom


def write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    """Write a file per page; every region becomes its bounding box.

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
    left, top, right, bottom = region.bounds
    first = math.floor(left) + 1, math.floor(top) + 1
    last = max(first[0], math.ceil(right)), max(first[1], math.ceil(bottom))
    box = "".join(
        f"<{name}>{value}</{name}>" for name, value in zip(_EDGES, (*first, *last), strict=True)
    )
    return (
        b"  <object>\n    <name>" + escape_text(region.label) + b"</name>\n"
        b"    <pose>Unspecified</pose><truncated>0</truncated>"
        + f"<difficult>{int(region.ignored)}</difficult>\n".encode()
        + f"    <bndbox>{box}</bndbox>\n  </object>".encode()
    )


def losses(truths: Sequence[Truth]) -> list[str]:
    """Outlines that are no boxes, and everything but labels."""
    lines = counted_losses(
        truths,
        {
            "outlines become their bounding boxes": lambda region: not is_box(region.points),
            "box edges are rounded outwards to whole pixels": lambda region: any(
                value != math.floor(value) for value in region.bounds
            ),
            "uncertain flags are left out": lambda region: region.uncertain,
            "ignored areas become difficult objects, which are ignored as one symbol each": (
                lambda region: region.ignore is Ignore.AREA
            ),
            "comments are left out": lambda region: bool(region.comment),
            "texts are left out": lambda region: bool(region.text),
        },
    )
    return lines + page_losses(truths)


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "annotation"


FORMAT = Format(
    "voc", "Pascal VOC", (".xml",), _sniff, read, write, losses=losses, passed_over=passed_over
)
