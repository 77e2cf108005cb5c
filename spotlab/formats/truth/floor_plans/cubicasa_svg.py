"""CubiCasa5k: ``model.svg`` whose groups are rooms, walls, openings and fixed furniture.

A group's classes say what it is: ``Space Bedroom`` is labelled "Bedroom", ``FixedFurniture Sink``
"Sink", ``Wall External`` "Wall", ``Door Swing Beside`` "Door"; further classes become the comment,
the name that is written in a room its text. Its outline is the polygon directly in it, of furniture
the one in ``BoundaryPolygon``, else the box around its shapes; transforms are applied. Positions
are pixels of ``F1_scaled.png`` beside it.

A data set has a folder for each page, and lists of these folders, ``train.txt`` and others, for the
loader that was published with CubiCasa5k. Labels that are names of rooms become spaces, all others
but walls and openings furniture, in whatever case they are written. A label or comment that its
class cannot spell stands in ``data-label`` or ``data-comment`` as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, NotSaved, reason
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
from spotlab.formats.page.xml_tree import Node, escape_text, read_svg, start_tag
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import format_number
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import DatasetLayout, Format, Holds, OutlineKinds
from spotlab.formats.truth.yolo_yaml import spelled
from spotlab.geometry.primitives import box_frame
from spotlab.model import Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

_IMAGES = ("F1_scaled.png", "F1_original.png")
_PLAIN = ("Wall", "Railing", "Window", "Door", "Column")  # the first class is the label
_NAMED = ("Space", "FixedFurniture")  # the second class is the label
_GROUPS = ("Model", "Floor", "Floorplan", "FixedFurnitureSet")  # that hold those


# Kalervo et al., CubiCasa5K: A Dataset and an Improved Multi-Task Model for Floorplan Image
# Analysis (2019): the types of rooms that its loader knows
ROOMS = (
    "Alcove", "Attic", "Ballroom", "Bar", "Basement", "Bath", "Bedroom", "CarPort", "Church",
    "Closet", "ConferenceRoom", "Conservatory", "Counter", "Den", "Dining", "DraughtLobby",
    "DressingRoom", "EatingArea", "Elevated", "Elevator", "Entry", "ExerciseRoom", "Garage",
    "Garbage", "Hall", "HallWay", "HotTub", "Kitchen", "Library", "LivingRoom", "Loft", "Lounge",
    "MediaRoom", "MeetingRoom", "Museum", "Nook", "Office", "OpenToBelow", "Outdoor", "Pantry",
    "Reception", "RecreationRoom", "RetailSpace", "Room", "Sanctuary", "Sauna", "ServiceRoom",
    "ServingArea", "Skylights", "Stable", "Stage", "StairWell", "Storage", "SunRoom",
    "SwimmingPool", "TechnicalRoom", "Theatre", "Undefined", "UserDefined", "Utility",
)  # fmt: skip
_TYPES = {name.casefold(): (*kind, name) for kind, names in (((), _PLAIN), (("Space",), ROOMS))
          for name in names}  # fmt: skip
_CLASS = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


def read(path: Path, reading: Reading) -> list[Truth]:
    """The groups of the file that have an outline.

    Raises
    ------
    BadInput
        It is not SVG, or has no size and no image.
    """
    root = read_svg(path)
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
        return node.get("data-label") or classes[0]
    is_named = classes[0] in _NAMED and len(classes) > 1
    return (node.get("data-label") or classes[1]) if is_named else ""


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
    more = " ".join(classes[1 + (classes[0] in _NAMED) :])
    label = _label(node)
    return make_region(
        points, path, node.place, label=label, id=ids.take(node.get("id") or label),
        primitive=Primitive.BOX if box_frame(points) else Primitive.POLYGON,
        text=_name(node), comment=node.get("data-comment") or more,
    )  # fmt: skip


def _name(node: Node) -> str:
    """The name that is written in a room."""
    for inner in _inner(node):
        if "NameLabel" in _classes(inner):
            return " ".join(" ".join(each.text for each in inner.walk()).split())
    return ""


def write_dataset(parts: Mapping[str, Sequence[Truth]], folder: Path, progress: Progress) -> None:
    """Write a folder for each page, and for each part the list of its folders.

    Raises
    ------
    BadInput
        Two pages would get the same folder.
    NotSaved
        A file could not be written.
    """
    for part, pages in parts.items():
        owners: dict[str, Page] = {}
        for truth in track(pages, progress, "writing CubiCasa5k"):
            own = (Path(part) / image_place(truth.page.name)).parent.as_posix()
            other = owners.setdefault(own, truth.page)
            if other is not truth.page:
                problem = f"{other.name!r} and {truth.page.name!r} would have the same folder"
                raise BadInput(folder / own, problem, expected="pages of different names")
            _make(folder / own)
            write_atomically(folder / own / "model.svg", _svg(truth))
        _make(folder)
        lines = "".join(f"/{own}/\n" for own in owners)
        write_atomically(folder / f"{part or 'train'}.txt", lines.encode())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{folder} was not created: {reason(error)}") from error


def image_place(name: str) -> str:
    """Tell where the image of a page stands in its part; lists of folders have no blanks.

    Examples
    --------
    >>> image_place("plan 1")
    'plan_1/F1_scaled.png'
    """
    return re.sub(r"[\s#,]", "_", name) + f"/{_IMAGES[0]}"


def _svg(truth: Truth) -> bytes:
    width, height = str(truth.page.width), str(truth.page.height)
    root = {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
            "viewBox": f"0 0 {width} {height}"}  # fmt: skip
    groups = ("Model v1-1", "Floor", "Floorplan Floor-1")
    lines = [
        b'<?xml version="1.0" encoding="utf-8"?>', start_tag(b"svg", root),
        b"".join(start_tag(b"g", {"class": name}) for name in groups),
        *map(_group, truth.regions), b"</g>" * len(groups), b"</svg>\n",
    ]  # fmt: skip
    return b"\n".join(lines)


def _types(label: str) -> tuple[str, ...]:
    """The classes that say what a label is, the last of which is read as the label.

    Examples
    --------
    >>> _types("bedroom"), _types("Wall"), _types("sofa"), _types("wash basin")
    (('Space', 'Bedroom'), ('Wall',), ('FixedFurniture', 'sofa'), ('FixedFurniture', 'Misc'))
    """
    known = _TYPES.get(label.casefold())
    return known or ("FixedFurniture", label if _CLASS.fullmatch(label) else "Misc")


def _group(region: Region) -> bytes:
    """The group of a region, as the loader wants it: a blank after each pair of coordinates."""
    types, words = _types(region.label), region.comment.split(" ")
    is_spelled = all(_CLASS.fullmatch(word) and word not in _NAMED for word in words)
    attributes = {"class": " ".join((*types, *(words if is_spelled else ())))}
    if types[0] in _PLAIN:
        attributes = {"id": types[0], **attributes}
    if types[-1] != region.label:
        attributes["data-label"] = region.label
    if region.comment and not is_spelled:
        attributes["data-comment"] = region.comment
    corners = [f"{format_number(float(x))},{format_number(float(y))} " for x, y in region.points]
    shape = start_tag(b"polygon", {"points": "".join(corners)}, empty=True)
    if types[0] == "FixedFurniture":
        attributes["transform"] = "matrix(1,0,0,1,0,0)"
        shape = start_tag(b"g", {"class": "BoundaryPolygon"}) + shape + b"</g>"
    if region.text:
        name = start_tag(b"g", {"class": "TextLabel NameLabel"})
        shape += name + b"<text>" + escape_text(region.text) + b"</text></g>"
    return start_tag(b"g", attributes) + shape + b"</g>"


def _write(truths: Sequence[Truth], folder: Path, progress: Progress) -> None:
    write_dataset({"": truths}, folder, progress)


def _outlines(region: Region) -> OutlineKinds:
    """The loader takes rooms of any shape; walls, openings and furniture have four corners."""
    is_room = _types(region.label)[0] == "Space"
    return OutlineKinds.ANY if is_room else OutlineKinds.QUADRILATERALS


def _kind(region: Region) -> Primitive:
    return Primitive.BOX if box_frame(region.points) else Primitive.POLYGON


def _sniff(path: Path, head: bytes) -> bool:
    return svg_kind(head) == "cubicasa5k"


HOLDS = Holds(
    outlines=_outlines, off_page=False, flat=False, kind=_kind, spelling=spelled,
    unlabelled=False, ignored=frozenset(), attributes=False, uncertain=False, histories=False,
    checked=False, frames=False, order=False, tags=False, label_list=False, colours=False,
    digits=False,
)  # fmt: skip
FORMAT = Format(
    "cubicasa5k", "CubiCasa5k SVG", (".svg",), _sniff, read, _write, holds=HOLDS,
    layout=DatasetLayout(str, write_dataset, image_place), needs_images=True,
)  # fmt: skip
