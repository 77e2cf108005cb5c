"""COCO: one JSON file for a whole collection, a label per category.

Several rings of one annotation become one outline whose parts are joined by edges that run there
and back, as the even-odd rule of our regions has it. Run lengths, compressed or not, are turned
into such outlines along the pixels. What COCO has no field for (primitive, uncertain, comment,
text, checked, colours, history) is written under the key ``spotlab``, which other readers pass
over, and read back from there. An annotation with ``iscrowd`` is an ignored area, one with
``ignore`` an ignored symbol.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

from spotlab.arrays import Points
from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, attribute_values, box_corners, make_region
from spotlab.formats.page.images import image_name, image_path, page_size
from spotlab.formats.page.masks import (
    Ring,
    joined,
    mask_of_runs,
    mask_outline,
    run_lengths,
    run_lengths_from_text,
)
from spotlab.formats.page.page_properties import page_properties, with_properties
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import Reader, in_json, json_kind, load_object
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds, distinct_names, label_set
from spotlab.geometry.rings import parts
from spotlab.model import Attributes, Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from spotlab.model.region import history_as_pairs, history_from_pairs, next_colour
from spotlab.progress import Progress, track


def segmentation_points(reader: Reader, value: Any, place: str) -> Ring:
    """The outline of a ``segmentation``; empty where there is none.

    Rings of fewer than three corners enclose nothing and are passed over as long as another one is
    there.
    """
    place = f"{place}.segmentation"
    if value is None or value == []:
        return []
    if isinstance(value, dict):
        return _mask(reader, value, place)
    if not isinstance(value, list):
        raise reader.fail(f"this is {json_kind(value)}", place, "rings or run lengths")
    rings = []
    is_flat = all(isinstance(number, int | float) for number in value)
    for index, numbers in enumerate([value] if is_flat else value):
        inner = f"{place}[{index}]"
        if not isinstance(numbers, list) or len(numbers) % 2:
            raise reader.fail("this is no ring", inner, "a list x, y, x, y, …")
        values = [reader.number(number, inner) for number in numbers]
        rings.append(list(zip(values[::2], values[1::2], strict=True)))
    outlines = [ring for ring in rings if len(ring) >= 3]
    if not outlines:
        raise reader.fail("no ring has three corners", place, "three corners or more")
    return joined(outlines)


def _mask(reader: Reader, value: dict[str, Any], place: str) -> Ring:
    counts, size = value.get("counts"), value.get("size")
    if isinstance(counts, str):
        try:
            counts = run_lengths_from_text(counts)
        except ValueError as error:
            problem = "the value is not compressed run lengths"
            raise reader.fail(
                problem, f"{place}.counts", "a string in COCO's RLE encoding"
            ) from error
    if not (isinstance(counts, list) and isinstance(size, list) and len(size) == 2):
        raise reader.fail("this is no mask", place, "counts and size")
    height, width = (int(reader.number(number, f"{place}.size")) for number in size)
    runs = [reader.number(number, f"{place}.counts") for number in counts]
    try:
        return mask_outline(mask_of_runs(runs, width, height, by_column=True))
    except ValueError as error:
        problem, _, expected = str(error).partition("; expected ")
        raise reader.fail(problem, place, expected) from error


_LEFT_OUT = ("keypoints", "caption", "score")
MAXIMUM_TURN = 1e6  # degrees


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of every image in the file, in its order.

    Raises
    ------
    BadInput
        It is not COCO, or its images or categories are not as they should be.
    """
    content = load_object(path, "COCO", partial(reading.remark, path))
    reader = Reader(path)
    labels = _categories(reader, content, reading)
    pages: dict[Any, Page] = {}
    owns: dict[Any, dict[str, Any]] = {}  # what we have written of each page
    regions: dict[Any, list[Region]] = {}
    for index, value in enumerate(reader.list_of(content, "images")):
        place = f"images[{index}]"
        with reading.item():
            image = reader.object(value, place)
            key = _key(reader, image.get("id"), place)
            if key in pages:
                raise reader.fail(f"there are two images with the id {key!r}", place, "one")
            page = _page(reader, image, place, reading)
            pages[key], owns[key] = replace(page, image_id=key), _own(image)
            regions[key] = []
    ids = {key: Ids() for key in pages}
    has_categories, used = bool(labels), list[str]()
    annotations = reader.list_of(content, "annotations")
    if annotations and all(map(_is_caption, annotations)):
        raise BadInput(path, "its annotations are captions: no truth of regions",
                       expected="annotations with segmentation or bbox")  # fmt: skip
    for index, value in enumerate(reading.track(annotations, path)):
        place = f"annotations[{index}]"
        with reading.item():
            annotation = reader.object(value, place)
            for name in _LEFT_OUT:
                if annotation.get(name):
                    reading.pass_over(path, f"{name} of an annotation", place)
            key = _known(_key(reader, annotation.get("image_id"), place), pages)
            if key not in pages:
                raise reader.fail(f"image_id {key!r} is no image that could be read", place,
                                  "the id of an image")  # fmt: skip
            category = _known(_key(reader, annotation.get("category_id"), place), labels)
            if category is not None and category not in labels and not has_categories:
                what = "annotation in a file without categories: the number is the label"
                reading.remark(path, what, place)
                labels[category] = Label(str(category), next_colour(used), number=category)
                used.append(labels[category].colour)
            if category is not None and category not in labels:
                raise reader.fail(f"category_id {category!r} is no category", place, "one of them")
            label = labels[category].name if category is not None else ""
            regions[key].append(_region(reader, annotation, place, label, ids[key], reading))
    named = [label for label in labels.values() if label.name]
    label_set = LabelSet(tuple(_unique(named)))
    for key, own in owns.items():
        pages[key] = with_properties(pages[key], own, ids[key], path, reading)
    return [Truth(page, tuple(regions[key]), label_set) for key, page in pages.items()]


def _page(reader: Reader, image: dict[str, Any], place: str, reading: Reading) -> Page:
    own = _own(image)
    frame, frames = own.get("frame", 0), own.get("frames", 1)
    if not (isinstance(frame, int) and isinstance(frames, int) and 0 <= frame < frames):
        frame, frames = 0, 1
    name = reader.text(image, "file_name", place)
    given = image.get("width"), image.get("height")
    width, height = page_size(reader.path, name, given, place, reading)
    checked = own.get("checked") is True
    return Page(image_path(reader.path, name), width, height, frame, frames, checked)


def _is_caption(annotation: Any) -> bool:
    keys = ("segmentation", "bbox", "keypoints")
    return isinstance(annotation, dict) and "caption" in annotation and not any(
        annotation.get(key) for key in keys
    )  # fmt: skip


def _categories(reader: Reader, content: dict[str, Any], reading: Reading) -> dict[Any, Label]:
    """The labels by id, in the order of the ids; categories of one name are told apart."""
    given: list[tuple[Any, str, str, dict[str, Any]]] = []
    for index, value in enumerate(reader.list_of(content, "categories")):
        place = f"categories[{index}]"
        with reading.item():
            category = reader.object(value, place)
            name, kind = (reader.text(category, key, place) for key in ("name", "supercategory"))
            given.append((_key(reader, category.get("id"), place), name, kind, _own(category)))
            if kind.strip() not in ("", "none", name.strip()):
                reading.pass_over(reader.path, "supercategory of a category")
    if all(isinstance(key, int) for key, *_ in given):
        given.sort(key=lambda each: each[0])
    names = distinct_names([name for _, name, *_ in given], [kind for _, _, kind, _ in given])
    for (_, name, _, _), own_name in zip(given, names, strict=True):
        if name.strip() and " ".join(name.split()) != own_name:
            what = f"category of a name that another has: it is called {own_name!r}"
            reading.remark(reader.path, what)
    plain = label_set(names)
    labels: dict[Any, Label] = {}
    for (key, bare, _, own), name in zip(given, names, strict=True):
        colour, digit = own.get("colour"), own.get("digit")
        labels[key] = Label(
            name if bare.strip() else "",
            colour if isinstance(colour, str) else plain[name].colour,
            digit if isinstance(digit, str) else plain[name].digit,
            number=key,
        )
    return labels


def _unique(labels: list[Label]) -> list[Label]:
    """Each name once, each digit once."""
    names: set[str] = set()
    digits: set[str] = set()
    unique = []
    for label in labels:
        if label.name in names:
            continue
        names.add(label.name)
        digit = "" if label.digit in digits else label.digit
        digits.add(digit)
        unique.append(replace(label, digit=digit))
    return unique


def _region(
    reader: Reader, annotation: dict[str, Any], place: str, label: str, ids: Ids, reading: Reading
) -> Region:
    own = _own(annotation)
    segmentation = annotation.get("segmentation")
    if isinstance(segmentation, dict) and own.get("mask") == _digest(segmentation.get("counts")):
        segmentation = [own.get("outline")]
    primitive = Primitive.POLYGON
    try:
        points = segmentation_points(reader, segmentation, place)
    except BadInput:
        if reading.strict or not annotation.get("bbox"):
            raise
        points = _box(reader, annotation, place)
        reading.remark(reader.path, "segmentation that cannot be read: the bbox is taken", place)
    if not points or len(set(points)) < 3:
        points, primitive = _box(reader, annotation, place), Primitive.BOX
    if own.get("primitive") in Primitive.__members__.values():
        primitive = Primitive(own["primitive"])
    id = reader.text(own, "id", place) or reader.text(annotation, "id", place)
    region = make_region(
        points, reader.path, place, label=label, id=ids.take(id), primitive=primitive,
        text=reader.text(own, "text", place), comment=reader.text(own, "comment", place),
        uncertain=own.get("uncertain") is True, ignore=_ignore(annotation),
        attributes=_attributes(annotation),
    )  # fmt: skip
    with suppress(ValueError):  # who drew it is no reason to refuse the file
        return region.with_history(history_from_pairs(own.get("history", [])))
    return region


def _box(reader: Reader, annotation: dict[str, Any], place: str) -> Ring:
    """The corners of the bbox."""
    numbers = reader.list_of(annotation, "bbox", place)
    box = [reader.number(number, f"{place}.bbox") for number in numbers]
    if len(box) != 4:
        has = "neither a segmentation nor a bbox of four numbers"
        has = "nothing but keypoints" if annotation.get("keypoints") and not numbers else has
        raise reader.fail(f"there is {has}", place, "a segmentation or a bbox")
    left, top, width, height = box
    return box_corners(left, top, left + width, top + height, _rotation(annotation))


def _attributes(annotation: dict[str, Any]) -> Attributes:
    return attribute_values(annotation.get("attributes")).with_value("rotation", None)


def _rotation(annotation: dict[str, Any]) -> float:
    """The degrees by which a box is turned about its middle, as CVAT writes them."""
    attributes = annotation.get("attributes")
    value = attributes.get("rotation") if isinstance(attributes, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if abs(value) < MAXIMUM_TURN else 0.0


def _ignore(annotation: dict[str, Any]) -> Ignore:
    if annotation.get("iscrowd"):
        return Ignore.AREA
    return Ignore.SYMBOL if annotation.get("ignore") else Ignore.NO


def _own(value: dict[str, Any]) -> dict[str, Any]:
    own = value.get("spotlab", {})
    return own if isinstance(own, dict) else {}


def _known(key: Any, known: Mapping[Any, object]) -> Any:
    """The id as it is known, where it is once a number and once a text."""
    if key in known or key is None:
        return key
    other = (
        str(key) if isinstance(key, int) else int(key) if key.isdecimal() and len(key) < 20 else key
    )
    return other if other in known else key


def _key(reader: Reader, value: Any, place: str) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
        raise reader.fail(f"{value!r:.40} is no id", place, "a number or a text")
    return value


def write(truths: Sequence[Truth], path: Path, progress: Progress) -> None:
    """Write all pages into one file; images are named by their path from there.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    known = {label.name: label for truth in truths for label in truth.labels}
    used = {region.label for truth in truths for region in truth.regions}
    names = [*known, *sorted(used - set(known) - {""})]
    given = [known[name].number if name in known else None for name in names]
    numbers = dict(zip(names, _free_numbers(given), strict=True))
    categories: list[dict[str, Any]] = []
    for name in names:
        category: dict[str, Any] = {"id": numbers[name], "name": name, "supercategory": ""}
        if name in known:
            category["spotlab"] = {"colour": known[name].colour, "digit": known[name].digit}
        categories.append(category)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    image_ids = _free_numbers([truth.page.image_id for truth in truths])
    written = track(truths, progress, "writing COCO")
    for image_id, truth in zip(image_ids, written, strict=True):
        images.append(_image(truth.page, image_id, path.parent))
        for region in truth.regions:
            number = len(annotations) + 1
            size = truth.page.width, truth.page.height
            annotations.append(_annotation(region, size, (number, image_id), numbers))
    content = {"images": images, "annotations": annotations, "categories": categories}
    write_atomically(path, json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"))


def _free_numbers(given: Sequence[int | str | None]) -> list[int]:
    """The ids of images or categories: those from a file, else their places from 1 on."""
    kept = [number for number in given if isinstance(number, int)]
    if len(set(kept)) < len(kept):
        return list(range(1, len(given) + 1))
    free = (number for number in count(1) if number not in set(kept))
    return [number if isinstance(number, int) else next(free) for number in given]


def _image(page: Page, number: int, folder: Path) -> dict[str, Any]:
    image: dict[str, Any] = {
        "id": number, "file_name": image_name(page.image, folder),
        "width": page.width, "height": page.height,
    }  # fmt: skip
    own: dict[str, Any] = {"checked": True} if page.checked else {}
    own |= page_properties(page)
    if page.frames > 1:
        own |= {"frame": page.frame, "frames": page.frames}
    return {**image, "spotlab": own} if own else image


def _annotation(
    region: Region, size: tuple[int, int], ids: tuple[int, int], numbers: dict[str, int]
) -> dict[str, Any]:
    number, image = ids
    left, top, right, bottom = region.bounds
    own: dict[str, Any] = {"id": region.id, "primitive": region.primitive.value}
    own |= {key: value for key, value in (("comment", region.comment), ("text", region.text))
            if value}  # fmt: skip
    if region.uncertain:
        own["uncertain"] = True
    if region.history:
        own["history"] = history_as_pairs(region.history)
    segmentation = _segmentation(region, size)
    if isinstance(segmentation, dict):  # the outline itself, as long as the mask is this one
        own["outline"] = _flat(region.array)
        own["mask"] = _digest(segmentation["counts"])
    symbol = {"ignore": 1} if region.ignore is Ignore.SYMBOL else {}
    return {
        "id": number,
        "image_id": image,
        "category_id": numbers.get(region.label),
        "segmentation": segmentation,
        "bbox": [left, top, right - left, bottom - top],
        "area": region.area,
        "iscrowd": int(region.ignore is Ignore.AREA),
        **symbol,
        **({"attributes": dict(region.attributes)} if region.attributes else {}),
        "spotlab": own,
    }


def _segmentation(region: Region, size: tuple[int, int]) -> Any:
    """A polygon for each part of an outline; a mask, as uncompressed run lengths, if it has holes.

    Polygons of one annotation are united by COCO's readers, so that a hole cannot be one.
    """
    apart = parts(region.array) if len(set(region.points)) < len(region.points) else []
    if not any(len(rings) > 1 for rings in apart):
        return [_flat(outer) for outer, *_ in apart] or [_flat(region.array)]
    counts = run_lengths(region.array, *size)
    if len(counts) < 2:  # smaller than a pixel
        return [_flat(region.array)]
    return {"counts": counts, "size": [size[1], size[0]]}


def _flat(points: Points) -> list[float]:
    return [float(number) for number in points.ravel()]


def _digest(counts: Any) -> int:
    return crc32(json.dumps(counts).encode())


def _sniff(path: Path, head: bytes) -> bool:
    keys = (b'"annotations"', b'"images"', b'"categories"', b'"licenses"')
    starts = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    is_task = b'"data"' in head or b'"original_width"' in head  # of Label Studio
    return starts and not is_task and any(key in head for key in keys)


HOLDS = Holds(
    off_page=False, parts=True, holes="masks", spelling=in_json, unlabelled=False,
    reserved=("rotation",),
)  # fmt: skip
FORMAT = Format(
    "coco", "COCO", (".json",), _sniff, read, write,
    many_pages=True, holds=HOLDS,
)  # fmt: skip
