"""CVAT for images 1.1: one XML file for a whole task, in and out.

Boxes and ellipses, turned or not, polygons, masks, polylines and points are read; cuboids and
skeletons enclose no outline and are passed over and named. Tags of images are tags of pages. What
CVAT has no field for (text, comment, uncertain, ignored) is an attribute of a shape; the labels in
the file declare the attributes that are used, so a task made with these labels shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    box_corners,
    ellipse_corners,
    ellipse_frame,
    is_box,
    line_outline,
    make_region,
    number,
    root_name,
)
from spotlab.formats.page.images import find_image, image_name, image_path, page_size
from spotlab.formats.page.masks import mask_of_runs, mask_outline
from spotlab.formats.page.values import parse_points
from spotlab.formats.page.xml_tree import Node, escape_text, in_xml, read_tree, start_tag
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds, Types
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import box_frame
from spotlab.model import (
    AttributeKind,
    Attributes,
    AttributeSpec,
    AttributeValue,
    Ignore,
    Label,
    LabelSet,
    Page,
    Primitive,
    Region,
    Truth,
)
from spotlab.model.attributes import parse_value, value_text
from spotlab.progress import Progress, track

_GROUP = "group_id"
_IMAGES = "images"  # where CVAT puts images beside the file, without naming it
_LINES = {"polyline": Primitive.LINE, "points": Primitive.POINT}
_OUTLINES = ("box", "polygon", "ellipse", "mask", *_LINES)
_OTHERS = ("cuboid", "skeleton")
_VALUE = "value"  # the attribute of a tag that we write
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
_INPUTS = {
    "checkbox": AttributeKind.YES_NO, "number": AttributeKind.NUMBER,
    "select": AttributeKind.CHOICE, "radio": AttributeKind.CHOICE,
}  # fmt: skip
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
    labels = declared_labels(root)
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
                regions.append(_region(node, path, ids, labels))
    tags = tuple(tag for node in image.all("tag") for tag in _tags(node))
    return Truth(Page(file, width, height, tags=tags), tuple(regions), labels)


def _tags(node: Node) -> list[str]:
    """A tag of an image, and what its attributes say."""
    name = node.get("label")
    values = {each.get("name"): each.text for each in node.all("attribute") if each.text}
    own = values.pop(_VALUE, "")
    return [
        f"{name}:{own}" if own else name,
        *(f"{name} {key}:{text}" for key, text in values.items()),
    ]


def _report_others(root: Node, path: Path, reading: Reading) -> None:
    """Report shapes that are no outlines, tracks of videos, attributes and marks."""
    for node in root.walk():
        owner = node.parent.name if node.parent is not None else ""
        if owner == "image" and node.name in _OTHERS:
            reading.remark(path, f"{node.name}, which is not an outline", node.place)
        elif owner == "annotations" and node.name == "track":
            reading.remark(path, "track of a video", node.place)
        elif owner == "image" and node.name not in (*_OUTLINES, "tag"):
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


def declared_labels(root: Node) -> LabelSet:
    """The labels of the task, project or job, with their colours and attributes.

    Parameters
    ----------
    root : Node
        Of the file.
    """
    meta = root.child("meta")
    nodes = [node for node in meta.walk() if node.name == "label"] if meta is not None else []
    labels: dict[str, Label] = {}
    plain = LabelSet()
    for node in nodes:
        name, parent, colour = (_text(node, key) for key in ("name", "parent", "color"))
        is_tag = _text(node, "type") == "tag"
        if not name or parent or name in labels or is_tag:  # a part of a skeleton has a parent
            continue
        plain = plain.with_label(name)
        given = colour if len(colour) == 7 and colour.startswith("#") else plain[name].colour
        own = node.child("attributes")
        nodes_of = own.all("attribute") if own is not None else []
        specs = {spec.name: spec for each in nodes_of if (spec := _spec(each)) is not None}
        labels[name] = Label(name, given, plain[name].digit, attributes=tuple(specs.values()))
    return LabelSet(tuple(labels.values()))


def _spec(node: Node) -> AttributeSpec | None:
    """The rule for an attribute of a label; None for one of ours that a region has a field for."""
    name, kind, default = (_text(node, key) for key in ("name", "input_type", "default_value"))
    if not name or name in _OWN:
        return None
    return declared_spec(name, kind, _values_of(node), default)


def _values_of(node: Node) -> list[str]:
    child = node.child("values")
    return child.text.splitlines() if child is not None else []


def declared_spec(name: str, kind: str, values: Sequence[str], default: str) -> AttributeSpec:
    """The rule for an attribute as CVAT declares it.

    Parameters
    ----------
    name : str
    kind : str
        CVAT's ``input_type``; an unknown one is a text.
    values : sequence of str
        The list of values, of kinds that have one.
    default : str
        Left out where it does not fit.

    Examples
    --------
    >>> declared_spec("state", "select", ["new", "worn"], "new").default
    'new'
    >>> declared_spec("page", "number", ["1", "9", "1"], "1").kind.value
    'number'
    """
    choices = tuple(dict.fromkeys(filter(None, map(str.strip, values))))
    given = _INPUTS.get(kind, AttributeKind.TEXT)
    if given is AttributeKind.CHOICE and not choices:
        given = AttributeKind.TEXT
    spec = AttributeSpec(name, given, choices if given.chooses else ())
    value = parse_value(default, given)
    return spec if value is None or spec.problem(value) else replace(spec, default=value)


def _text(node: Node, name: str) -> str:
    child = node.child(name)
    return " ".join(child.text.split()) if child is not None else ""


def _region(node: Node, path: Path, ids: Ids, labels: LabelSet) -> Region:
    points, primitive = _outline(node, path)
    own = {each.get("name"): each.text for each in node.all("attribute")}
    return make_region(
        points, path, node.place, label=node.get("label"), id=ids.take(node.name),
        primitive=primitive, text=own.get("text", ""),
        comment=own.get("comment", ""),
        uncertain=own.get("uncertain", "").strip() == "true",
        ignore=Ignore.read(own.get("ignored", "").strip()),
        attributes=_attributes(node, own, labels),
    )  # fmt: skip


def _attributes(node: Node, own: Mapping[str, str], labels: LabelSet) -> Attributes:
    """Attributes that have a value; the group, and whether something covers the shape."""
    kinds = {spec.name: spec.kind for spec in labels.specs(node.get("label"))}
    found: dict[str, AttributeValue] = {}
    for name, text in own.items():
        if text and name not in _OWN:
            value = parse_value(text, kinds.get(" ".join(name.split()), AttributeKind.TEXT))
            found[name] = text if value is None else value
    if node.get("occluded") == "1":
        found["occluded"] = True
    if node.get(_GROUP) not in ("", "0"):
        value = parse_value(node.get(_GROUP), AttributeKind.WHOLE)
        found[_GROUP] = node.get(_GROUP) if value is None else value
    return Attributes(found)


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
        lines += [line for tag in page.tags for line in _tag(tag)]
        lines += [line for region in truth.regions for line in _shape(region)]
        lines.append(b"  </image>")
    lines.append(b"</annotations>\n")
    write_atomically(path, b"\n".join(lines))


def _meta(truths: Sequence[Truth]) -> list[bytes]:
    """The labels of the task, and the attributes that are used of each."""
    known = {label.name: label.colour for truth in truths for label in truth.labels}
    used: dict[str, dict[str, set[type]]] = {name: {} for name in known}
    declared = {(label.name, spec.name): spec
                for truth in truths for label in truth.labels
                for spec in truth.labels.specs(label.name)}  # fmt: skip
    for truth in truths:
        for region in truth.regions:
            its = used.setdefault(region.label, {})
            for name, value in _written(region).items():
                its.setdefault(name, set()).add(type(value))
    lines = [b"  <meta>", b"    <task>", b"      <labels>"]
    for name, attributes in used.items():
        lines += [b"        <label>", b"          <name>" + escape_text(name) + b"</name>"]
        if known.get(name):
            lines.append(b"          <color>" + escape_text(known[name]) + b"</color>")
        lines.append(b"          <attributes>")
        lines += [line for own, types in sorted(attributes.items())
                  for line in _declared(own, types, declared.get((name, own)))]  # fmt: skip
        lines += [b"          </attributes>", b"        </label>"]
    for name in dict.fromkeys(_key_of(tag)[0] for truth in truths for tag in truth.page.tags):
        lines += [b"        <label>", b"          <name>" + escape_text(name) + b"</name>",
                  b"          <type>tag</type>", b"          <attributes>",
                  *_declared(_VALUE, {str}, None), b"          </attributes>",
                  b"        </label>"]  # fmt: skip
    return [*lines, b"      </labels>", b"    </task>", b"  </meta>"]


def _declared(name: str, types: set[type], spec: AttributeSpec | None) -> list[bytes]:
    """The declaration of an attribute: as the label set has it, if values are of its kind."""
    is_number = not types - {int, float}
    kind = "checkbox" if types == {bool} else "number" if is_number else "text"
    kind = {"uncertain": "checkbox", "ignored": "select"}.get(name, kind)
    values = {"checkbox": "false", "select": "no\nsymbol\narea"}.get(kind, "")
    if kind == "text" and spec is not None and spec.kind is AttributeKind.CHOICE:
        kind, values = "select", "\n".join(spec.choices)
    default = values.split("\n")[0]
    return [
        b"            <attribute>",
        b"              <name>" + escape_text(name) + b"</name>",
        b"              <mutable>False</mutable>",
        f"              <input_type>{kind}</input_type>".encode(),
        b"              <default_value>" + escape_text(default) + b"</default_value>",
        b"              <values>" + escape_text(values) + b"</values>",
        b"            </attribute>",
    ]


def _tag(tag: str) -> list[bytes]:
    key, value = _key_of(tag)
    lines = [b"    " + start_tag(b"tag", {"label": key, "source": "manual"})]
    if value:
        start = start_tag(b"attribute", {"name": _VALUE})
        lines.append(b"      " + start + escape_text(value) + b"</attribute>")
    return [*lines, b"    </tag>"]


def _key_of(tag: str) -> tuple[str, str]:
    key, _, value = tag.partition(":")
    return (key, value) if key and value else (tag, "")


def _shape(region: Region) -> list[bytes]:
    name, values = _values(region)
    given = dict(region.attributes)
    occluded = "1" if given.get("occluded") is True else "0"
    attributes = {"label": region.label, "source": "manual", "occluded": occluded, **values,
                  "z_order": "0"}  # fmt: skip
    if _is_group(given.get(_GROUP)):
        attributes[_GROUP] = str(given[_GROUP])
    lines = [b"    " + start_tag(name.encode(), attributes)]
    for own, text in _written(region).items():
        tag = start_tag(b"attribute", {"name": own})
        lines.append(b"      " + tag + escape_text(value_text(text)) + b"</attribute>")
    return [*lines, f"    </{name}>".encode()]


def _is_group(value: object) -> bool:
    return type(value) is int and value > 0


def _written(region: Region) -> dict[str, AttributeValue]:
    """The attribute elements of a region."""
    own: dict[str, AttributeValue] = {
        name: text for name, value in _OWN.items() if (text := value(region))
    }
    others = {
        name: value
        for name, value in region.attributes
        if name not in _OWN
        and not (name == "occluded" and value is True)
        and not (name == _GROUP and _is_group(value))
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
    lines=True, unlabelled=False,
    kind=lambda region: _KINDS[_values(region)[0]], spelling=in_xml, reserved=tuple(_OWN),
    histories=False, checked=False, frames=False, order=False, digits=False, types=Types.ALIKE,
)  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    return root_name(head) == "annotations"


FORMAT = Format(
    "cvat", "CVAT for images", (".xml",), _sniff, read, write, many_pages=True, holds=HOLDS,
    image_folder=_IMAGES,
)  # fmt: skip
