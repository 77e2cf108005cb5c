"""labelme and X-AnyLabeling: one JSON file per image.

Polygons, rectangles, turned or not, quadrilaterals, circles, ellipses, masks, lines and points are
read. Flags and groups are attributes. A circle becomes an ellipse of 64 corners, a mask its outline
along the pixels. What labelme has no field for (primitive, uncertain, text, id) is written under
the key ``spotlab`` of a shape.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from spotlab import __version__
from spotlab.files import is_file
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    attribute_values,
    box_corners,
    is_box,
    line_outline,
    make_region,
)
from spotlab.formats.page.images import image_name, image_path, page_size, write_embedded
from spotlab.formats.page.masks import mask_outline, picture_mask
from spotlab.formats.page.page_properties import page_properties, with_properties
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import Reader, in_json, load_object
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds, page_file
from spotlab.geometry.primitives import box_frame
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Attributes, Ignore, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

CORNERS = 64  # of a circle
_SYMBOL, _AREA = "difficult", "iscrowd"  # flags of ignored shapes
_GROUP = "group_id"
_FLAG_OF = {Ignore.SYMBOL: _SYMBOL, Ignore.AREA: _AREA}
_TURNED = (  # shapes of four corners, or of two and an angle
    "rotation",
    "quadrilateral",
    "oriented_rectangle",
    "rotated_rectangle",
    "rotated_box",
)
_ANGLES = ("rotation", "angle")  # in degrees, clockwise
_LINES = {
    "line": Primitive.LINE, "linestrip": Primitive.LINE, "point": Primitive.POINT,
}  # fmt: skip
_ENCLOSING = ("polygon", "rectangle", "circle", "ellipse", "mask", *_TURNED)


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of the file's image.

    Raises
    ------
    BadInput
        It is not labelme, or the size of the page is not known.
    """
    content = load_object(path, "labelme", partial(reading.remark, path))
    reader = Reader(path)
    if "shapes" not in content:
        raise reader.fail("there are no shapes", "shapes", "labelme")
    name = ""
    with reading.item():
        name = reader.text(content, "imagePath", "imagePath")
    width, height = _size(content, path, name, reading)
    flags = content.get("flags")
    checked = isinstance(flags, dict) and flags.get("checked") is True
    regions = []
    ids = Ids()
    shapes = reader.list_of(content, "shapes")
    for index, value in enumerate(reading.track(shapes, path)):
        place = f"shapes[{index}]"
        with reading.item():
            shape = reader.object(value, place)
            kind = _kind(reader, shape, place)
            if kind not in _ENCLOSING and kind not in _LINES:
                reading.remark(path, f"{kind}, which is not an outline", place)
                continue
            regions.append(_region(reader, shape, place, ids))
    tags = tuple(flag for flag in _flags(content) if flag != "checked")
    image = _image(path, name, content.get("imageData"), reading)
    page = Page(image, width, height, checked=checked, tags=tags)
    given = content.get("spotlab")
    own = given if isinstance(given, dict) else {}
    return [Truth(with_properties(page, own, ids, path, reading), tuple(regions))]


def _image(path: Path, name: str, embedded: object, reading: Reading) -> Path:
    """The image that is named, or else the one in the file, if it is wanted as a file."""
    image, folder = image_path(path, name), reading.image_folder
    if not embedded or not isinstance(embedded, str):
        return image
    if folder is None or is_file(image) or reading.image_called(image.name, path) is not None:
        reading.pass_over(path, "copy of the image")
        return image
    suffix = image.suffix if image.suffix.lower() in IMAGE_SUFFIXES else ".png"
    target = folder / f"{len(list(folder.iterdir()))}" / f"{image.stem or path.stem}{suffix}"
    write_embedded(path, embedded, "imageData", target)
    return target


def _flags(value: dict[str, Any]) -> list[str]:
    """The names of the flags that are set."""
    flags = value.get("flags")
    return [name for name, is_set in flags.items() if is_set] if isinstance(flags, dict) else []


def _kind(reader: Reader, shape: dict[str, Any], place: str) -> str:
    return reader.text(shape, "shape_type", place) or "polygon"


def _size(content: dict[str, Any], path: Path, name: str, reading: Reading) -> tuple[int, int]:
    embedded = content.get("imageData")
    names = "imageWidth", "imageHeight"
    given = content.get(names[0]), content.get(names[1])
    data = embedded if isinstance(embedded, str) else ""
    return page_size(path, name, given, names[0], reading, names=names, embedded=data)


def _region(reader: Reader, shape: dict[str, Any], place: str, ids: Ids) -> Region:
    points = reader.points(shape, place)
    kind = _kind(reader, shape, place)
    primitive = Primitive.POLYGON
    if kind == "rectangle":
        points, primitive = _rectangle(reader, shape, points, place), Primitive.BOX
    elif kind in _LINES:
        points, primitive = _line(reader, points, _LINES[kind], place), _LINES[kind]
    elif kind in _TURNED and (len(points) == 2 or box_frame(points)):
        points = points if len(points) > 2 else _rectangle(reader, shape, points, place)
        primitive = Primitive.BOX
    elif kind == "mask":
        points = _mask(reader, shape, points, place)
    elif kind in ("circle", "ellipse") and len(points) >= 2:
        points, primitive = _ellipse(points), Primitive.ELLIPSE
    value = shape.get("spotlab", {})
    own = value if isinstance(value, dict) else {}
    if own.get("primitive") in Primitive.__members__.values():
        primitive = Primitive(own["primitive"])
    return make_region(
        points, reader.path, place, label=reader.text(shape, "label", place),
        id=ids.take(reader.text(own, "id", place) or "shape"),
        primitive=primitive, text=reader.text(own, "text", place),
        comment=reader.text(shape, "description", place), uncertain=own.get("uncertain") is True,
        ignore=_ignore(shape), attributes=_attributes(shape, own),
    )  # fmt: skip


def _attributes(shape: dict[str, Any], own: dict[str, Any]) -> Attributes:
    """Flags, the group, attributes of X-AnyLabeling, and what else we have written."""
    flags = shape.get("flags")
    given = flags.items() if isinstance(flags, dict) else ()
    group = shape.get(_GROUP)
    return Attributes({
        **{flag: bool(value) for flag, value in given if flag not in (_SYMBOL, _AREA)},
        **({_GROUP: group} if isinstance(group, int | str) else {}),
        **dict(attribute_values(shape.get("attributes"))),
        **dict(attribute_values(own.get("attributes"))),
    })  # fmt: skip


def _line(reader: Reader, points: Corners, kind: Primitive, place: str) -> Corners:
    try:
        return line_outline(points, kind)
    except ValueError as error:
        raise reader.fail(str(error), place, "x and y of its points") from error


def _ignore(shape: dict[str, Any]) -> Ignore:
    """From flags; X-AnyLabeling has a key of its own for difficult shapes."""
    flags = _flags(shape)
    if _AREA in flags:
        return Ignore.AREA
    return Ignore.SYMBOL if _SYMBOL in flags or shape.get(_SYMBOL) is True else Ignore.NO


def _rectangle(reader: Reader, shape: dict[str, Any], points: Corners, place: str) -> Corners:
    """The box around two or more corners; one of two corners may be turned about its middle."""
    if len(points) < 2:
        return points
    xs, ys = zip(*points, strict=True)
    key = next((key for key in _ANGLES if shape.get(key) is not None), "")
    angle = reader.number(shape[key], f"{place}.{key}") if key and len(points) == 2 else 0.0
    return box_corners(min(xs), min(ys), max(xs), max(ys), angle)


def _mask(
    reader: Reader, shape: dict[str, Any], points: list[tuple[float, float]], place: str
) -> list[tuple[float, float]]:
    """The outline of a mask, which stands as a picture of the box that its points give."""
    picture = shape.get("mask")
    if not isinstance(picture, str) or not picture or not points:
        raise reader.fail("the mask has no picture", f"{place}.mask", "a PNG picture in Base64")
    try:
        mask = picture_mask(reader.path, picture, f"{place}.mask")
    except ValueError as error:
        raise reader.fail(str(error), f"{place}.mask", "a mask with ink") from error
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return mask_outline(mask, left, top)


def _ellipse(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """From the centre and a point on the circle, or the ends of two half axes of an ellipse."""
    (x, y), first, *others = points
    radius = math.dist((x, y), first)
    second = math.dist((x, y), others[0]) if others else radius
    turn = math.atan2(first[1] - y, first[0] - x)
    corners = []
    for index in range(CORNERS):
        angle = 2 * math.pi * index / CORNERS
        along, across = radius * math.cos(angle), second * math.sin(angle)
        corners.append(
            (
                x + along * math.cos(turn) - across * math.sin(turn),
                y + along * math.sin(turn) + across * math.cos(turn),
            )
        )
    return corners


def write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    """Write a file per page.

    Raises
    ------
    NotSaved
        A file could not be written.
    """
    for truth in track(truths, progress, "writing labelme"):
        page = truth.page
        file = page_file(target, truth, ".json")
        content = {
            "version": "5.5.0",  # of the file layout
            "flags": {
                **{tag: True for tag in page.tags if tag != "checked"},
                **({"checked": True} if page.checked else {}),
            },
            "shapes": [_shape(region) for region in truth.regions],
            "imagePath": image_name(page.image, file.parent),
            "imageData": None,
            "imageHeight": page.height,
            "imageWidth": page.width,
            "spotlab": {"version": __version__, **page_properties(_without_flags(page))},
        }
        text = json.dumps(content, ensure_ascii=False, indent=2)
        write_atomically(file, text.encode("utf-8", "replace"))


def _without_flags(page: Page) -> Page:
    """The page with those tags only that are no flags."""
    return replace(page, tags=tuple(tag for tag in page.tags if tag == "checked"))


def _shape(region: Region) -> dict[str, Any]:
    own: dict[str, Any] = {"id": region.id, "primitive": region.primitive.value}
    if region.text:
        own["text"] = region.text
    if region.uncertain:
        own["uncertain"] = True
    attributes = dict(region.attributes)
    group = attributes[_GROUP] if type(attributes.get(_GROUP)) is int else None
    flags = {name: value for name, value in attributes.items() if isinstance(value, bool)}
    others = {name: value for name, value in attributes.items()
              if name not in flags and not (name == _GROUP and group is not None)}  # fmt: skip
    if others:
        own["attributes"] = others
    ignored = region.ignored and region.primitive.has_area  # lines and points always are
    rectangle = region.primitive is Primitive.BOX and is_box(region.points)
    left, top, right, bottom = region.bounds
    points = [[left, top], [right, bottom]] if rectangle else region.corners.tolist()
    kinds = {Primitive.LINE: "linestrip", Primitive.POINT: "point"}
    return {
        "label": region.label,
        "points": points,
        "group_id": group,
        "description": region.comment,
        "shape_type": "rectangle" if rectangle else kinds.get(region.primitive, "polygon"),
        "flags": {**flags, **({_FLAG_OF[region.ignore]: True} if ignored else {})},
        "mask": None,
        "spotlab": own,
    }


HOLDS = Holds(
    lines=True,
    spelling=in_json, reserved=(_SYMBOL, _AREA), histories=False, frames=False,
    label_list=False, colours=False, digits=False,
)  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"shapes"' in head


FORMAT = Format("labelme", "labelme", (".json",), _sniff, read, write, holds=HOLDS)
