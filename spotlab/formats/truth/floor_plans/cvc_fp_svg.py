"""CVC-FP's truth of floor plans, in: SVG whose ``<polygon class= points=>`` are the regions.

As it is published, ``NAME_gt_K.svg`` lies beside ``NAME.png`` and gives the page's size in elements
``<width>`` and ``<height>``; K counts versions, of which a folder's highest is its truth. SVG with
these as attributes, or with a ``viewBox``, beside an image of its own name is read too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, is_outline, loose_points, make_region, svg_kind
from spotlab.formats.page.images import find_image, image_path, page_size
from spotlab.formats.page.xml_tree import Node, read_svg
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Page, Truth

_VERSIONED = re.compile(r"(?P<name>.+)_gt_(?P<version>\d{1,9})")
_OTHER_SHAPES = (
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "text",
    "image",
    "relation",
)


def read(path: Path, reading: Reading) -> list[Truth]:
    """The polygons of the file, labelled with their class.

    Raises
    ------
    BadInput
        It is not SVG, has no size and no image, or moves polygons by a ``transform``.
    """
    root = read_svg(path)
    width, height = _size(root, path, reading)
    regions = []
    ids = Ids()
    for node in reading.track(list(root.walk()), path):
        if node.name in _OTHER_SHAPES:
            reading.pass_over(path, node.name)
        if node.name != "polygon":
            continue
        with reading.item():
            _refuse_transform(node, path)
            points = loose_points(node, "points", path)
            if not is_outline(points):
                reading.remark(path, "polygon with fewer than three corners")
                continue
            id = ids.take(node.get("id") or "polygon")
            regions.append(make_region(points, path, node.place, label=node.get("class"), id=id))
    return [Truth(Page(image_path(path, _image_name(path)), width, height), tuple(regions))]


def _image_name(path: Path) -> str:
    """Return what the image of a file is called; empty where it is called like the file."""
    versioned = _VERSIONED.fullmatch(path.stem)
    if versioned is None or find_image(path, "") is not None:
        return ""
    names = [f"{versioned['name']}{suffix}" for suffix in (".png", *sorted(IMAGE_SUFFIXES))]
    return next((name for name in names if find_image(path, name) is not None), names[0])


def superseded(paths: Sequence[Path]) -> Mapping[Path, Path]:
    """Files of which a higher version is there too, each with the highest.

    Examples
    --------
    >>> files = [Path(f"plan_gt_{version}.svg") for version in (2, 10)]
    >>> [(old.name, new.name) for old, new in superseded([*files, Path("b_gt_1.svg")]).items()]
    [('plan_gt_2.svg', 'plan_gt_10.svg')]
    """
    versions: dict[Path, list[tuple[int, Path]]] = {}
    for path in paths:
        versioned = _VERSIONED.fullmatch(path.stem)
        if versioned is not None:
            number = int(versioned["version"])
            versions.setdefault(path.parent / versioned["name"], []).append((number, path))
    return {
        path: max(of_page)[1]
        for of_page in versions.values()
        for _, path in of_page
        if path != max(of_page)[1]
    }


def _size(root: Node, path: Path, reading: Reading) -> tuple[int, int]:
    width, height = (_given(root, name) for name in ("width", "height"))
    if not width or not height or "%" in width + height:
        box = root.get("viewBox").replace(",", " ").split()
        width, height = box[2:] if len(box) == 4 else ("", "")
    return page_size(path, _image_name(path), (width, height), root.place, reading)


def _given(root: Node, name: str) -> str:
    """An attribute of the root or, as CVC-FP has it, the text of an element in it."""
    child = root.child(name)
    return root.get(name) or (child.text.strip() if child is not None else "")


def _refuse_transform(node: Node, path: Path) -> None:
    owner: Node | None = node
    while owner is not None:
        if owner.get("transform"):
            problem = "a transform moves the polygon"
            raise BadInput(path, problem, place=owner.place, expected="coordinates in px")
        owner = owner.parent


def _sniff(path: Path, head: bytes) -> bool:
    return svg_kind(head) == "cvc-fp"


FORMAT = Format("cvc-fp", "CVC-FP SVG", (".svg",), _sniff, read, superseded=superseded)
