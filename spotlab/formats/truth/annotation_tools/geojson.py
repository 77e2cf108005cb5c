"""GeoJSON as QuPath and QGIS have it, in and out: a feature per region, in pixels of the page.

Polygons with holes and several parts are kept. The label is QuPath's ``classification``, or the
property label, class, name, type or category. A file is about the image that is called like it,
which gives the size of the page; files that spotlab writes say it under the key ``spotlab``. QGIS
counts y upwards from the top of an image without a place on the earth: y is below 0 then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    attribute_values,
    line_outline,
    make_region,
)
from spotlab.formats.page.images import image_name, image_path, page_size
from spotlab.formats.page.masks import joined
from spotlab.formats.page.page_properties import page_properties, with_properties
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import Reader, in_json, json_kind, load_json
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds, page_file
from spotlab.geometry.rings import parts
from spotlab.model import Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

_LABELS = ("label", "class", "name", "type", "category")
_OWN = ("id", "primitive", "uncertain", "ignore", "text", "comment")
_KNOWN = ("objectType", "classification", "isLocked", "color", *_LABELS, *_OWN)

_LINES = {"LineString": Primitive.LINE, "Point": Primitive.POINT}


def read(path: Path, reading: Reading) -> list[Truth]:
    """The polygons of the file.

    Raises
    ------
    BadInput
        It is not GeoJSON, or the size of the page is not known.
    """
    content = load_json(path, "GeoJSON", partial(reading.remark, path))
    reader = Reader(path)
    owner = content if isinstance(content, dict) else {}
    if owner.get("type") == "Feature":
        features = [content]
    else:
        features = content if isinstance(content, list) else reader.list_of(owner, "features")
    own = owner.get("spotlab")
    own = own if isinstance(own, dict) else {}
    name = reader.text(own, "image", "spotlab")
    width, height = page_size(path, name, (own.get("width"), own.get("height")), "spotlab",
                              reading)  # fmt: skip
    found: list[tuple[dict[str, Any], Corners, Primitive, str]] = []
    for index, value in enumerate(reading.track(features, path)):
        place = f"features[{index}]"
        with reading.item():
            feature = reader.object(value, place)
            if "geometry" in feature and feature["geometry"] is None:
                reading.remark(path, "feature without a place", place)
                continue
            line = _line(reader, feature.get("geometry"), f"{place}.geometry")
            if line is not None:
                found.append((feature, line[0], line[1], place))
                continue
            rings = list(_rings(reader, feature.get("geometry"), f"{place}.geometry", reading))
            if rings:
                found.append((feature, joined(rings), Primitive.POLYGON, place))
    # their centre is on the page, though some may reach beyond its edge
    is_upwards = not own and sum(y for _, ring, *_ in found for _, y in ring) < 0
    if is_upwards:
        reading.remark(path, "y is counted upwards, as by QGIS: turned round", count=len(found))
    labels, ids, regions = _labels(own), Ids(), []
    for feature, ring, kind, place in found:
        with reading.item():
            points = [(x, -y) for x, y in ring] if is_upwards else ring
            regions.append(_region(reader, feature, points, kind, place, ids, reading))
    page = Page(image_path(path, name), width, height, checked=own.get("checked") is True)
    return [Truth(with_properties(page, own, ids, path, reading), tuple(regions), labels)]


def _line(reader: Reader, value: Any, place: str) -> tuple[Corners, Primitive] | None:
    """The outline of an open line or of a point; None for other geometries."""
    geometry = reader.object(value, place)
    kind = _LINES.get(reader.text(geometry, "type", place))
    if kind is None:
        return None
    given = reader.list_of(geometry, "coordinates", place)
    points = [given] if kind is Primitive.POINT else given
    try:
        return line_outline(_points(reader, points, f"{place}.coordinates"), kind), kind
    except ValueError as error:
        raise reader.fail(str(error), place, "[x, y] of its points") from error


def _rings(reader: Reader, value: Any, place: str, reading: Reading) -> Iterator[Corners]:
    """The rings of all polygons in a geometry; other geometries are no outlines."""
    geometry = reader.object(value, place)
    kind = reader.text(geometry, "type", place)
    if kind == "GeometryCollection":
        for index, each in enumerate(reader.list_of(geometry, "geometries", place)):
            yield from _rings(reader, each, f"{place}.geometries[{index}]", reading)
    elif kind in ("Polygon", "MultiPolygon"):
        given = reader.list_of(geometry, "coordinates", place)
        for polygon in [given] if kind == "Polygon" else given:
            for ring in polygon if isinstance(polygon, list) else [polygon]:
                yield _ring(reader, ring, f"{place}.coordinates")
    else:
        reading.remark(reader.path, f"{kind or 'geometry'}, which is not an outline", place)


def _ring(reader: Reader, value: Any, place: str) -> Corners:
    if not isinstance(value, list):
        raise reader.fail(f"a ring is {json_kind(value)}", place, "a list of [x, y]")
    points = _points(reader, value, place)
    if len(set(points)) < 3:
        raise reader.fail(f"a ring has {len(set(points))} corners", place, "three or more")
    return points[:-1] if points[0] == points[-1] else points


def _points(reader: Reader, values: list[Any], place: str) -> Corners:
    points = []
    for each in values:
        if not isinstance(each, list) or len(each) < 2:
            raise reader.fail("the value is not a point", place, "[x, y]")
        points.append((reader.number(each[0], place), reader.number(each[1], place)))
    return points


def _labels(own: dict[str, Any]) -> LabelSet:
    given = own.get("labels")
    labels: dict[str, Label] = {}
    for each in given if isinstance(given, list) else []:
        if isinstance(each, dict) and isinstance(each.get("name"), str) and each["name"]:
            texts = [each.get(key) for key in ("colour", "digit")]
            colour, digit = (text if isinstance(text, str) else "" for text in texts)
            if digit and any(label.digit == digit for label in labels.values()):
                digit = ""
            labels.setdefault(each["name"], Label(each["name"], colour, digit))
    return LabelSet(tuple(labels.values()))


def _region(
    reader: Reader, feature: dict[str, Any], points: Corners, primitive: Primitive, place: str,
    ids: Ids, reading: Reading,
) -> Region:  # fmt: skip
    given = feature.get("properties")
    values = given if isinstance(given, dict) else {}
    class_of = values.get("classification")
    label = class_of.get("name") if isinstance(class_of, dict) else None
    key = next((name for name in _LABELS if isinstance(values.get(name), str | int)), "")
    if not isinstance(label, str):
        label = reader.text(values, key, place) if key else ""
    others = {name: value for name, value in values.items() if name not in (*_KNOWN, key)}
    attributes = attribute_values(others)
    for name, value in others.items():
        if name not in dict(attributes) and value not in (None, "", [], {}):
            reading.pass_over(reader.path, f"property {name!r} of a feature")
    if primitive.has_area and values.get("primitive") in Primitive.__members__.values():
        primitive = Primitive(values["primitive"])
    id = reader.text(values, "id", place) or reader.text(feature, "id", place) or "feature"
    return make_region(
        points, reader.path, place, label=" ".join(label.split()), id=ids.take(id),
        primitive=primitive, text=reader.text(values, "text", place),
        comment=reader.text(values, "comment", place), uncertain=values.get("uncertain") is True,
        ignore=Ignore.read(values.get("ignore")), attributes=attributes,
    )  # fmt: skip


def write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    """Write a file per page.

    Raises
    ------
    NotSaved
        A file could not be written.
    """
    for truth in track(truths, progress, "writing GeoJSON"):
        page, file = truth.page, page_file(target, truth, ".geojson")
        colours = {label.name: label.colour for label in truth.labels}
        content = {
            "type": "FeatureCollection",
            "features": [_feature(region, colours) for region in truth.regions],
            "spotlab": {
                "image": image_name(page.image, file.parent), "width": page.width,
                "height": page.height, **({"checked": True} if page.checked else {}),
                **page_properties(page),
                "labels": [{"name": label.name, "colour": label.colour, "digit": label.digit}
                           for label in truth.labels],
            },
        }  # fmt: skip
        text = json.dumps(content, ensure_ascii=False)
        write_atomically(file, text.encode("utf-8", "replace"))


def _feature(region: Region, colours: dict[str, str]) -> dict[str, Any]:
    polygons = [
        [[*ring.tolist(), ring[0].tolist()] for ring in part] for part in parts(region.array)
    ] or [[[*region.array.tolist(), region.array[0].tolist()]]]
    properties: dict[str, Any] = {
        "objectType": "annotation", "label": region.label, "id": region.id,
        "primitive": region.primitive.value,
    }  # fmt: skip
    if region.label:
        properties["classification"] = {"name": region.label}
        if len(colours.get(region.label, "")) == 7:
            colour = colours[region.label]
            rgb = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
            properties["classification"]["color"] = rgb
    values = {"text": region.text, "comment": region.comment, "uncertain": region.uncertain,
              "ignore": region.ignore.value if region.ignored and region.primitive.has_area
              else ""}  # fmt: skip
    properties |= {key: value for key, value in values.items() if value}
    properties |= dict(region.attributes)
    single = len(polygons) == 1
    geometry = {"type": "Polygon" if single else "MultiPolygon",
                "coordinates": polygons[0] if single else polygons}  # fmt: skip
    if not region.primitive.has_area:
        name = next(name for name, kind in _LINES.items() if kind is region.primitive)
        corners = region.corners.tolist()
        point = region.primitive is Primitive.POINT
        geometry = {"type": name, "coordinates": corners[0] if point else corners}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def _sniff(path: Path, head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")):
        return False
    plain = head.replace(b" ", b"")
    return b'"FeatureCollection"' in head or (
        b'"type":"Feature"' in plain and b'"geometry"' in head
    )


HOLDS = Holds(
    lines=True,
    parts=True,
    holes="",
    spelling=in_json,
    reserved=_KNOWN,
    histories=False,
    frames=False,
)  # fmt: skip
FORMAT = Format("geojson", "GeoJSON", (".geojson", ".json"), _sniff, read, write, holds=HOLDS)
