"""VGG Image Annotator (VIA) 1, 2 and 3, in: projects, and annotations as JSON or CSV.

The label of a region is the attribute that is called label, class, name, type or category, else
the first that has a value; a text is the attribute text or transcription. VIA does not say how
large an image is, so the images have to be there.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    attribute_values,
    box_corners,
    ellipse_corners,
    line_outline,
    make_region,
)
from spotlab.formats.page.images import page_of_image
from spotlab.formats.rows.csv_rows import is_separator_line, rows_of, split_names
from spotlab.formats.rows.json_values import Reader, json_kind, load_object, parse_json
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.format import Format, distinct_names, label_set
from spotlab.geometry.polygon import Frame
from spotlab.model import (
    AttributeKind,
    Attributes,
    AttributeSpec,
    LabelSet,
    Primitive,
    Region,
    Truth,
)

_LABELS = ("label", "class", "name", "type", "category")  # attributes that may be the label
_TEXTS = ("text", "transcription")
_KINDS = {
    "dropdown": AttributeKind.CHOICE, "radio": AttributeKind.CHOICE,
    "checkbox": AttributeKind.CHOICES,
}  # fmt: skip
_HEAD = ["filename", "file_size", "file_attributes", "region_count", "region_id"]


class _Shape(NamedTuple):
    place: str
    shape: Any
    attributes: Any


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of every image of a project, or of exported annotations.

    Raises
    ------
    BadInput
        It is not of VIA, or no image is there.
    """
    content = load_object(path, "VIA", partial(reading.remark, path))
    reader = Reader(path)
    if "_via_img_metadata" not in content and {"file", "metadata"} <= content.keys():
        return _read_third(reader, content, reading)
    images = reader.object(content.get("_via_img_metadata", content), "_via_img_metadata")
    shapes: dict[str, list[_Shape]] = {}
    tags: dict[str, list[str]] = {}
    for key, value in images.items():
        with reading.item():
            image = reader.object(value, key)
            if "filename" not in image:
                raise reader.fail("the image has no filename", key, "filename and regions")
            given = image.get("regions", [])
            regions = list(given.values()) if isinstance(given, dict) else given  # VIA 1
            if not isinstance(regions, list):
                raise reader.fail(f"regions is {json_kind(given)}", key, "a list")
            name = reader.text(image, "filename", key)
            tags.setdefault(name, []).extend(_tags(image.get("file_attributes")))
            its = shapes.setdefault(name, [])
            for index, region in enumerate(regions):
                with reading.item():
                    values = reader.object(region, f"{key}, regions[{index}]")
                    its.append(_Shape(f"{key}, regions[{index}]", values.get("shape_attributes"),
                                      values.get("region_attributes")))  # fmt: skip
    labels = declared_labels(content.get("_via_attributes"))
    return [
        replace(truth, page=replace(truth.page, tags=tuple(tags.get(name, ()))))
        for name, truth in _truths(reader, shapes, labels, reading)
    ]


_THIRD = {  # the shapes of VIA 3 by number, and the names that their numbers have in VIA 2
    1: ("point", ("cx", "cy")), 2: ("rect", ("x", "y", "width", "height")),
    3: ("circle", ("cx", "cy", "r")), 4: ("ellipse", ("cx", "cy", "rx", "ry")),
    5: ("polyline", ()), 6: ("polyline", ()), 7: ("polygon", ()),
    8: ("rect", ("x", "y", "width", "height")), 9: ("circle", ("cx", "cy", "r")),
}  # fmt: skip


def _read_third(reader: Reader, content: dict[str, Any], reading: Reading) -> list[Truth]:
    """The truth of a project of VIA 3: shapes are a number and coordinates, attributes by id."""
    files, known = (reader.object(content.get(key, {}), key) for key in ("file", "attribute"))
    views = reader.object(content.get("view", {}), "view")
    shapes: dict[str, list[_Shape]] = {}
    for id, value in files.items():
        with reading.item():
            name = reader.text(reader.object(value, f"file.{id}"), "fname", f"file.{id}")
            shapes.setdefault(name, [])
    for key, value in reader.object(content["metadata"], "metadata").items():
        place = f"metadata.{key}"
        with reading.item():
            entry = reader.object(value, place)
            view = reader.object(views.get(str(entry.get("vid")), {}), place)
            shown = [str(id) for id in view.get("fid_list", [entry.get("vid")])]
            if len(shown) != 1 or shown[0] not in files:
                raise reader.fail("it is not about one image", place, "the view of one")
            numbers = [reader.number(each, place) for each in reader.list_of(entry, "xy", place)]
            if not numbers:
                reading.pass_over(reader.path, "attributes of a whole image", place)
                continue
            if numbers[0] not in _THIRD:
                raise reader.fail(f"the shape is {numbers[0]:g}", place, "a number from 1 to 9")
            kind, names = _THIRD[int(numbers[0])]
            shape: dict[str, Any] = {"name": kind, **dict(zip(names, numbers[1:], strict=False))}
            if not names:
                shape |= {"all_points_x": numbers[1::2], "all_points_y": numbers[2::2]}
            given = reader.object(entry.get("av") or {}, place)
            attributes = dict(_third_attribute(known.get(id), id, it) for id, it in given.items())
            own = shapes[reader.text(files[shown[0]], "fname", place)]
            own.append(_Shape(place, shape, attributes))
    return [truth for _, truth in _truths(reader, shapes, LabelSet(), reading)]


def _third_attribute(known: Any, id: str, value: Any) -> tuple[str, Any]:
    """The name of an attribute, and what its value, the key of an option, stands for."""
    attribute = known if isinstance(known, dict) else {}
    options = attribute.get("options")
    options = options if isinstance(options, dict) else {}
    chosen = [str(options.get(each, each)) for each in str(value).split(",") if each]
    is_one = value in options or len(chosen) < 2 or not options
    name = str(attribute.get("aname") or id)
    return name, (options.get(value, value) if is_one else dict.fromkeys(chosen, True))


def _tags(attributes: Any) -> Iterator[str]:
    """The attributes of a file as tags of its page; of check boxes those that are set."""
    for name, value in attributes.items() if isinstance(attributes, dict) else ():
        chosen = compress(value, value.values()) if isinstance(value, dict) else [value]
        yield from (
            f"{name}:{each}" for each in chosen if isinstance(each, str | int) and each != ""
        )


def read_csv(path: Path, reading: Reading) -> list[Truth]:
    """The truth of every image in a CSV file.

    Raises
    ------
    BadInput
        It is not of VIA, or no image is there.
    """
    text = read_text(path, partial(reading.remark, path)).lstrip("#")
    reader = Reader(path)
    try:
        (_, names), *rows = rows_of(text)
    except (csv.Error, ValueError) as error:
        raise reader.fail(f"it is no table: {error}", "line 1", "VIA's CSV") from error
    shapes: dict[str, list[_Shape]] = {}
    for number, cells in rows:
        place, row = f"line {number}", dict(zip(names, cells, strict=False))
        with reading.item():
            name = row.get("filename") or ""
            if not name:
                raise reader.fail("the row has no filename", place, "filename")
            its = shapes.setdefault(name, [])
            try:
                shape, attributes = (parse_json(row.get(key) or "{}") for key in
                                     ("region_shape_attributes", "region_attributes"))  # fmt: skip
            except ValueError as error:
                raise reader.fail("the attributes are not JSON", place, "VIA's CSV") from error
            if shape:
                its.append(_Shape(place, shape, attributes))
    return [truth for _, truth in _truths(reader, shapes, LabelSet(), reading)]


def _truths(
    reader: Reader, images: dict[str, list[_Shape]], labels: LabelSet, reading: Reading
) -> list[tuple[str, Truth]]:
    """The truth of each image, with the image's name in the file."""
    truths = []
    for name, shapes in reading.track(list(images.items()), reader.path):
        with reading.item():
            page, ids, regions = page_of_image(reader.path, reading, name, name), Ids(), []
            for each in shapes:
                with reading.item():
                    values = reader.object(each.shape, each.place)
                    kind = reader.text(values, "name", each.place)
                    attributes = each.attributes if isinstance(each.attributes, dict) else {}
                    regions.append(_region(reader, values, kind, attributes, each.place, ids))
            truths.append((name, Truth(page, tuple(regions), labels)))
    return truths


def declared_labels(attributes: Any) -> LabelSet:
    """The options of the attribute that is the label, in their order, and the other attributes.

    Parameters
    ----------
    attributes : object
        ``_via_attributes`` of a project.
    """
    given = attributes.get("region") if isinstance(attributes, dict) else None
    declared = {key: value for key, value in given.items() if isinstance(value, dict)
                } if isinstance(given, dict) else {}  # fmt: skip
    label = _label_key(declared)
    options = declared[label].get("options") if label else None
    labels = label_set(distinct_names(list(options))) if isinstance(options, dict) else LabelSet()
    specs = (_spec(name, value) for name, value in declared.items()
             if name != label and name.strip() and name.strip().lower() not in _TEXTS)  # fmt: skip
    return labels.with_specs("", tuple({spec.name: spec for spec in specs}.values()))


def _spec(name: str, value: dict[str, Any]) -> AttributeSpec:
    """The rule for an attribute of a project; one whose list is empty is a text."""
    options, defaults = value.get("options"), value.get("default_options")
    choices = tuple(filter(None, options)) if isinstance(options, dict) else ()
    said = str(value.get("description") or "")
    kind = _KINDS.get(str(value.get("type")), AttributeKind.TEXT) if choices else AttributeKind.TEXT
    if kind is AttributeKind.TEXT:
        return AttributeSpec(name, description=said)
    chosen = tuple(each for each in choices if isinstance(defaults, dict) and defaults.get(each))
    default = chosen if kind is AttributeKind.CHOICES else next(iter(chosen), None)
    return AttributeSpec(name, kind, choices, default, description=said)


def _label_key(attributes: dict[str, Any]) -> str:
    named = {key.strip().lower(): key for key in attributes}
    known = [named[name] for name in _LABELS if name in named]
    others = [key for key in attributes if key.strip().lower() not in _TEXTS]
    return next(iter([*known, *others]), "")


def _others(attributes: dict[str, Any]) -> Attributes:
    """The attributes that are neither the label nor a text; of check boxes those that are set."""
    label = _label_key(attributes)
    return attribute_values({
        key: list(compress(value, value.values())) if isinstance(value, dict) else value
        for key, value in attributes.items()
        if key != label and key.strip().lower() not in _TEXTS
    })  # fmt: skip


def _value(value: Any) -> str:
    """An attribute as text; of check boxes the names that are checked."""
    if isinstance(value, dict):
        return " ".join(str(name) for name, is_set in value.items() if is_set)
    return "" if value is None else str(value)


def _region(
    reader: Reader, values: dict[str, Any], kind: str, attributes: dict[str, Any], place: str,
    ids: Ids,
) -> Region:  # fmt: skip
    points, primitive = _outline(reader, values, kind, place)
    texts = [_value(value) for key, value in attributes.items() if key.strip().lower() in _TEXTS]
    key = _label_key(attributes)
    return make_region(
        points, reader.path, place, id=ids.take("region"), primitive=primitive,
        label=" ".join(_value(attributes[key]).split()) if key else "",
        text=texts[0] if texts else "", attributes=_others(attributes),
    )  # fmt: skip


def _outline(
    reader: Reader, values: dict[str, Any], kind: str, place: str
) -> tuple[Corners, Primitive]:
    number: Callable[[str], float] = lambda key: reader.number(values.get(key), f"{place}.{key}")  # noqa: E731
    match kind:
        case "rect":
            x, y = number("x"), number("y")
            corners = box_corners(x, y, x + number("width"), y + number("height"))
            return corners, Primitive.BOX
        case "circle":
            side = 2 * number("r")
            frame = Frame(number("cx"), number("cy"), side, side, 0)
            return ellipse_corners(frame), Primitive.ELLIPSE
        case "ellipse":
            angle = math.degrees(number("theta")) if values.get("theta") else 0.0
            frame = Frame(number("cx"), number("cy"), 2 * number("rx"), 2 * number("ry"), angle)
            return ellipse_corners(frame), Primitive.ELLIPSE
        case "point":
            place_of_it = [(number("cx"), number("cy"))]
            return line_outline(place_of_it, Primitive.POINT), Primitive.POINT
        case "polygon" | "polyline":
            xs, ys = (reader.list_of(values, f"all_points_{axis}", place) for axis in "xy")
            if len(xs) != len(ys):
                raise reader.fail(f"there are {len(xs)} x and {len(ys)} y", place, "as many")
            points = [(reader.number(x, place), reader.number(y, place))
                      for x, y in zip(xs, ys, strict=True)]  # fmt: skip
            if kind == "polyline":
                if len(points) < 2:
                    raise reader.fail(f"a line has {len(points)} points", place, "two or more")
                return line_outline(points, Primitive.LINE), Primitive.LINE
            return points, Primitive.POLYGON
    raise BadInput(reader.path, f"the shape is {kind[:40]!r}", place=place,
                   expected="rect, polygon, circle, ellipse, polyline or point")  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    is_json = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    is_third = all(key in head for key in (b'"project"', b'"pid"', b'"config"'))
    return is_json and (is_third or b'"_via_' in head or b'"shape_attributes"' in head)


def _sniff_csv(path: Path, head: bytes) -> bool:
    lines = head.decode("utf-8-sig", "replace").lstrip("#").splitlines()
    first = next((line for line in lines if line.strip() and not is_separator_line(line)), "")
    return split_names(first)[: len(_HEAD)] == _HEAD


FORMAT = Format("via", "VIA", (".json",), _sniff, read, many_pages=True)
CSV = Format("via-csv", "VIA CSV", (".csv",), _sniff_csv, read_csv, many_pages=True)
