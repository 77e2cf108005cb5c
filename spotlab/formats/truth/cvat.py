"""CVAT for images 1.1: one XML file for a whole task, in and out.

Boxes and ellipses, turned or not, polygons, masks, polylines and points are read; cuboids,
skeletons and tags enclose no outline and are passed over and named. What CVAT has no field for
(text, comment, uncertain, ignored) is an attribute of a shape; the labels in the file declare the
attributes that are used, so a task made with these labels shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    box_corners,
    box_frame,
    ellipse_corners,
    ellipse_frame,
    is_box,
    line_outline,
    make_region,
    number,
    root_name,
)
from spotlab.formats.page.images import find_image, image_name, image_path
from spotlab.formats.page.masks import mask_of_runs, mask_outline
from spotlab.formats.page.page_size import page_size
from spotlab.formats.page.values import parse_points
from spotlab.formats.page.xml_tree import Node, escape_text, in_xml, read_tree, start_tag
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds
from spotlab.geometry.polygon import Frame
from spotlab.model import Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

_GROUP = "group_id"
_IMAGES = "images"  # where CVAT puts images beside the file, without naming it
_LINES = {"polyline": Primitive.LINE, "points": Primitive.POINT}
_OUTLINES = ("box", "polygon", "ellipse", "mask", *_LINES)
_OTHERS = ("cuboid", "skeleton", "tag")
_EDGES = ("xtl", "ytl", "xbr", "ybr")
_ELLIPSE = ("cx", "cy", "rx", "ry")
_OWN: dict[str, Callable[[Region], str]] = {
    "text": lambda region: region.text,
    "comment": lambda region: region.comment,
    "uncertain": lambda region: "true" if region.uncertain else "",
    "ignored": lambda region: (
        region.ignore.value if region.ignored and region.primitive.has_area else ""
    ),
}
_KINDS = {
    "polygon": Primitive.POLYGON, "box": Primitive.BOX, "ellipse": Primitive.ELLIPSE, **_LINES,
}  # fmt: skip


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of every image in the file, in its order.

    Raises
    ------
    BadInput
        It is not CVAT for images.
    """
    root = _root(path)
    images = root.all("image")
    if not images and root.all("track"):
        raise BadInput(path, "the file is CVAT for video", place=root.all("track")[0].place,
                       expected="CVAT for images 1.1")  # fmt: skip
    labels = _labels(root)
    truths = []
    for node in reading.track(images, path):
        with reading.item():
            truths.append(_page(node, path, labels, reading))
    _report_others(root, path, reading)
    return truths


def _page(image: Node, path: Path, labels: LabelSet, reading: Reading) -> Truth:
    file = _image(path, image.get("name"))
    given = image.get("width"), image.get("height")
    width, height = page_size(path, str(file), given, image.place, reading)
    ids = Ids()
    regions = []
    for node in image.children:
        if node.name in _OUTLINES:
            with reading.item():
                regions.append(_region(node, path, ids))
    return Truth(Page(file, width, height), tuple(regions), labels)


def _report_others(root: Node, path: Path, reading: Reading) -> None:
    """Report shapes that are no outlines, tracks of videos, attributes and marks."""
    for node in root.walk():
        owner = node.parent.name if node.parent is not None else ""
        if owner == "image" and node.name in _OTHERS:
            reading.remark(path, f"{node.name}, which is not an outline", node.place)
        elif owner == "annotations" and node.name == "track":
            reading.remark(path, "track of a video", node.place)
        elif owner == "image" and node.name not in _OUTLINES:
            reading.pass_over(path, node.name)


def _image(path: Path, name: str) -> Path:
    """The image of this name, in the folder of images beside the file or wherever it is found."""
    return find_image(path, f"{_IMAGES}/{name}") or image_path(path, name)


def _name(image: Path, folder: Path) -> str:
    return image_name(image, folder).removeprefix(f"{_IMAGES}/")


def _root(path: Path) -> Node:
    root = read_tree(read_bytes(path), path).root
    if root.name != "annotations":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="annotations")
    return root


def _labels(root: Node) -> LabelSet:
    """The labels of the task, project or job, with their colours."""
    meta = root.child("meta")
    nodes = [node for node in meta.walk() if node.name == "label"] if meta is not None else []
    labels: dict[str, Label] = {}
    plain = LabelSet()
    for node in nodes:
        name, parent, colour = (_text(node, key) for key in ("name", "parent", "color"))
        if not name or parent or name in labels:  # a part of a skeleton has a parent
            continue
        plain = plain.with_label(name)
        given = colour if len(colour) == 7 and colour.startswith("#") else plain[name].colour
        labels[name] = Label(name, given, plain[name].digit)
    return LabelSet(tuple(labels.values()))


def _text(node: Node, name: str) -> str:
    child = node.child(name)
    return " ".join(child.text.split()) if child is not None else ""


def _region(node: Node, path: Path, ids: Ids) -> Region:
    points, primitive = _outline(node, path)
    own = {each.get("name"): each.text for each in node.all("attribute")}
    return make_region(
        points, path, node.place, label=node.get("label"), id=ids.take(node.name),
        primitive=primitive, text=own.get("text", ""),
        comment=own.get("comment", ""),
        uncertain=own.get("uncertain", "").strip() == "true",
        ignore=Ignore.read(own.get("ignored", "").strip()), attributes=_attributes(node, own),
    )  # fmt: skip


def _attributes(node: Node, own: Mapping[str, str]) -> dict[str, str]:
    """Attributes that have a value; the group, and whether something covers the shape."""
    found = {name: value for name, value in own.items() if value and name not in _OWN}
    if node.get("occluded") == "1":
        found["occluded"] = "true"
    if node.get(_GROUP) not in ("", "0"):
        found[_GROUP] = node.get(_GROUP)
    return found


def _outline(node: Node, path: Path) -> tuple[Corners, Primitive]:
    if node.name in ("polygon", *_LINES):
        try:
            points = parse_points(node.get("points").replace(";", " "))
            kind = _KINDS[node.name]
            return points if kind.has_area else line_outline(points, kind), kind
        except ValueError as error:
            raise BadInput(path, str(error), place=node.place, expected="x,y;x,y;…") from error
    if node.name == "mask":
        return _mask(node, path), Primitive.POLYGON
    angle = number(node.get("rotation") or "0", path, node, "rotation")
    names = _EDGES if node.name == "box" else _ELLIPSE
    a, b, c, d = (number(node.get(name), path, node, name) for name in names)
    if node.name == "ellipse":
        return ellipse_corners(Frame(a, b, 2 * c, 2 * d, angle)), Primitive.ELLIPSE
    return box_corners(a, b, c, d, angle), Primitive.BOX


def _mask(node: Node, path: Path) -> Corners:
    """A mask's outline: runs of background and ink in turn, row by row in its box."""
    left, top, width, height = (
        int(number(node.get(name), path, node, name)) for name in ("left", "top", "width", "height")
    )
    words = node.get("rle").replace(",", " ").split()
    runs = [number(word, path, node, "rle") for word in words]
    try:
        return mask_outline(mask_of_runs(runs, width, height, by_column=False), left, top)
    except ValueError as error:
        problem, _, expected = str(error).partition("; expected ")
        raise BadInput(path, problem, place=node.place, expected=expected) from error


def write(truths: Sequence[Truth], path: Path, progress: Progress) -> None:
    """Write all pages into one file; images are named by their path from there.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    lines = [b'<?xml version="1.0" encoding="utf-8"?>', b"<annotations>",
             b"  <version>1.1</version>", *_meta(truths)]  # fmt: skip
    for index, truth in enumerate(track(truths, progress, "writing CVAT")):
        page = truth.page
        attributes = {
            "id": str(index), "name": _name(page.image, path.parent),
            "width": str(page.width), "height": str(page.height),
        }  # fmt: skip
        lines.append(b"  " + start_tag(b"image", attributes))
        lines += [line for region in truth.regions for line in _shape(region)]
        lines.append(b"  </image>")
    lines.append(b"</annotations>\n")
    write_atomically(path, b"\n".join(lines))


def _meta(truths: Sequence[Truth]) -> list[bytes]:
    """The labels of the task, and the attributes that are used of each."""
    known = {label.name: label.colour for truth in truths for label in truth.labels}
    used: dict[str, set[str]] = {name: set() for name in known}
    for truth in truths:
        for region in truth.regions:
            its = used.setdefault(region.label, set())
            its.update(_written(region))
    lines = [b"  <meta>", b"    <task>", b"      <labels>"]
    for name, attributes in used.items():
        lines += [b"        <label>", b"          <name>" + escape_text(name) + b"</name>"]
        if known.get(name):
            lines.append(b"          <color>" + escape_text(known[name]) + b"</color>")
        lines.append(b"          <attributes>")
        lines += [line for own in sorted(attributes) for line in _declared(own)]
        lines += [b"          </attributes>", b"        </label>"]
    return [*lines, b"      </labels>", b"    </task>", b"  </meta>"]


def _declared(name: str) -> list[bytes]:
    kind = {"uncertain": "checkbox", "ignored": "select"}.get(name, "text")
    values = {"uncertain": "false", "ignored": "no\nsymbol\narea"}.get(name, "")
    return [
        b"            <attribute>",
        b"              <name>" + escape_text(name) + b"</name>",
        b"              <mutable>False</mutable>",
        f"              <input_type>{kind}</input_type>".encode(),
        f"              <default_value>{values.split(chr(10))[0]}</default_value>".encode(),
        f"              <values>{values}</values>".encode(),
        b"            </attribute>",
    ]


def _shape(region: Region) -> list[bytes]:
    name, values = _values(region)
    given = dict(region.attributes)
    occluded = "1" if given.get("occluded") == "true" else "0"
    group = given.get(_GROUP, "")
    attributes = {"label": region.label, "source": "manual", "occluded": occluded, **values,
                  "z_order": "0", **({_GROUP: group} if group.isdecimal() else {})}  # fmt: skip
    lines = [b"    " + start_tag(name.encode(), attributes)]
    for own, text in _written(region).items():
        tag = start_tag(b"attribute", {"name": own})
        lines.append(b"      " + tag + escape_text(text) + b"</attribute>")
    return [*lines, f"    </{name}>".encode()]


def _written(region: Region) -> dict[str, str]:
    """The attribute elements of a region."""
    own = {name: text for name, value in _OWN.items() if (text := value(region))}
    others = {
        name: value
        for name, value in region.attributes
        if name not in _OWN
        and not (name == "occluded" and value == "true")
        and not (name == _GROUP and value.isdecimal())
    }
    return {**own, **others}


def _values(region: Region) -> tuple[str, dict[str, str]]:
    """The element that a region becomes, and its coordinates."""
    if region.primitive is Primitive.BOX and is_box(region.points):
        return "box", dict(zip(_EDGES, map(_number, region.bounds), strict=True))
    frame = box_frame(region.points) if region.primitive is Primitive.BOX else None
    if frame is not None:
        x, y, across, down = frame.x, frame.y, frame.width / 2, frame.height / 2
        edges = (x - across, y - down, x + across, y + down)
        turned = dict(zip(_EDGES, map(_number, edges), strict=True))
        return "box", {**turned, "rotation": _number(frame.angle % 360)}
    frame = ellipse_frame(region)
    if frame is not None:
        axes = (frame.x, frame.y, frame.width / 2, frame.height / 2)
        ellipse = dict(zip(_ELLIPSE, map(_number, axes), strict=True))
        return "ellipse", {**ellipse, "rotation": _number(frame.angle % 360)}
    name = next((name for name, kind in _LINES.items() if kind is region.primitive), "polygon")
    corners = region.corners.tolist()
    return name, {"points": ";".join(f"{_number(x)},{_number(y)}" for x, y in corners)}


def _number(value: float) -> str:
    """To a millionth of a pixel or degree."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


HOLDS = Holds(
    lines=True,
    kind=lambda region: _KINDS[_values(region)[0]], spelling=in_xml, reserved=tuple(_OWN),
    histories=False, checked=False, frames=False, digits=False,
)  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "annotations"


FORMAT = Format(
    "cvat", "CVAT for images", (".xml",), _sniff, read, write, many_pages=True, holds=HOLDS,
    image_folder=_IMAGES,
)  # fmt: skip
