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
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.formats.page.foreign_shapes import Ids, box_points, make_region, passed_over_lines
from spotlab.formats.page.images import image_name, image_path
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import Reader, load_object
from spotlab.formats.truth.format import Format
from spotlab.geometry.rings import join_rings
from spotlab.model import Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from spotlab.model.region import history_as_pairs, history_from_pairs
from spotlab.progress import Progress, track

Ring = list[tuple[float, float]]
MOST_BITS = 30  # that come before the last character of a number
MAXIMUM_MASK = 300_000_000  # pixels, as for an image


def segmentation_points(reader: Reader, value: Any, place: str) -> Ring:
    """The outline of a ``segmentation``; empty where there is none.

    Rings of fewer than three corners enclose nothing and are passed over as long as another one is
    there.
    """
    place = f"{place}.segmentation"
    if value is None or value == []:
        return []
    if isinstance(value, dict):
        return _joined(_mask_rings(reader, value, place))
    if not isinstance(value, list):
        raise reader.fail(f"this is a {type(value).__name__}", place, "rings or run lengths")
    rings = []
    for index, numbers in enumerate(value):
        inner = f"{place}[{index}]"
        if not isinstance(numbers, list) or len(numbers) % 2:
            raise reader.fail("this is no ring", inner, "a list x, y, x, y, …")
        values = [reader.number(number, inner) for number in numbers]
        rings.append(list(zip(values[::2], values[1::2], strict=True)))
    outlines = [ring for ring in rings if len(ring) >= 3]
    if not outlines:
        raise reader.fail("no ring has three corners", place, "three corners or more")
    return _joined(outlines)


def _joined(rings: Sequence[Ring]) -> Ring:
    ring = join_rings([np.array(corners, np.float64) for corners in rings])
    return [(x, y) for x, y in ring.tolist()]


def run_lengths_from_text(text: str) -> list[int]:
    """The run lengths that COCO packs into a text: 5 bits a character, the lowest first.

    From the fourth on they are differences to the last but one: `rleFrString` of the COCO API.

    Raises
    ------
    ValueError
        It is not such a text.

    Examples
    --------
    >>> run_lengths_from_text("52203")
    [5, 2, 2, 2, 5]
    """
    counts: list[int] = []
    number = shift = 0
    for character in text:
        bits = ord(character) - ord("0")
        if not 0 <= bits < 64 or shift > MOST_BITS:
            raise ValueError(f"{character!r} in compressed run lengths")
        number |= (bits & 0x1F) << shift
        shift += 5
        if bits & 0x20:  # more of this number follows
            continue
        if bits & 0x10:
            number -= 1 << shift
        counts.append(number + counts[-2] if len(counts) > 2 else number)
        number = shift = 0
    if shift:
        raise ValueError("the compressed run lengths are truncated")
    return counts


def _mask_rings(reader: Reader, value: dict[str, Any], place: str) -> list[Ring]:
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
    runs = np.array([reader.number(number, f"{place}.counts") for number in counts])
    if height <= 0 or width <= 0 or height * width > MAXIMUM_MASK:
        expected = f"at most {MAXIMUM_MASK:,} pixels"
        raise reader.fail(f"a mask of {width} × {height}", place, expected)
    if (runs < 0).any() or runs.sum() != height * width:
        problem = f"the run lengths sum up to {runs.sum():.0f}"
        raise reader.fail(problem, place, f"{height * width}")
    starts_with_ink = np.arange(len(runs)) % 2 == 1
    mask = np.repeat(starts_with_ink, runs.astype(np.int64)).reshape(width, height).T
    if not mask.any():
        raise reader.fail("the mask is empty", place, "a region")
    return _pixel_rings(mask)


def mask_outline(mask: Any) -> Ring:
    """The outline of the True pixels of a mask along their edges, holes and parts joined.

    Parameters
    ----------
    mask : (H, W) bool
        At least one pixel is True.
    """
    return _joined(_pixel_rings(mask))


def _pixel_rings(mask: Any) -> list[Ring]:
    """Outlines along pixel edges; holes are rings of their own."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, left = int(rows[0]), int(columns[0])
    part = mask[top : rows[-1] + 1, left : columns[-1] + 1].astype(np.uint8)
    return [[(x + left, y + top) for x, y in ring] for ring in _trace(part)]


def _trace(mask: Any) -> list[list[tuple[int, int]]]:
    """Rings along the pixel edges of a mask, every edge once."""
    padded = np.pad(mask, 1)
    following: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, x in zip(*np.nonzero(padded[1:] != padded[:-1]), strict=True):
        down = bool(padded[y + 1, x])  # ink below: the edge runs to the right
        edge = ((int(x) - 1, int(y)), (int(x), int(y)))
        start, stop = edge if down else edge[::-1]
        following.setdefault(start, []).append(stop)
    for y, x in zip(*np.nonzero(padded[:, 1:] != padded[:, :-1]), strict=True):
        right = bool(padded[y, x + 1])  # ink at the right: the edge runs up
        edge = ((int(x), int(y)), (int(x), int(y) - 1))
        start, stop = edge if right else edge[::-1]
        following.setdefault(start, []).append(stop)
    rings = []
    while following:
        start = next(iter(following))
        ring: list[tuple[int, int]] = []
        at = start
        while True:
            ends = following[at]
            stop = ends.pop()
            if not ends:
                del following[at]
            if len(ring) >= 2 and _straight(ring[-2], ring[-1], at):
                ring.pop()
            ring.append(at)
            at = stop
            if at == start:
                break
        rings.append(ring)
    return rings


def _straight(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])


_LEFT_OUT = ("keypoints", "caption", "attributes", "score")


def read(path: Path, progress: Progress) -> list[Truth]:
    """The truth of every image in the file, in its order.

    Raises
    ------
    BadInput
        It is not COCO, or something in it is not as it should be.
    """
    content = load_object(path, "COCO")
    reader = Reader(path)
    labels = _categories(reader, content)
    pages: dict[Any, Page] = {}
    regions: dict[Any, list[Region]] = {}
    for index, value in enumerate(reader.list_of(content, "images")):
        place = f"images[{index}]"
        image = reader.object(value, place)
        width, height = reader.size(image, ("width", "height"), place)
        own = _own(image)
        frame, frames = own.get("frame", 0), own.get("frames", 1)
        if not (isinstance(frame, int) and isinstance(frames, int) and 0 <= frame < frames):
            frame, frames = 0, 1
        name = reader.text(image, "file_name", place)
        key = _key(reader, image.get("id"), place)
        if key in pages:
            raise reader.fail(f"there are two images with the id {key!r}", place, "one")
        checked = own.get("checked") is True
        pages[key] = Page(image_path(path, name), width, height, frame, frames, checked)
        regions[key] = []
    ids = {key: Ids() for key in pages}
    annotations = reader.list_of(content, "annotations")
    for index, value in enumerate(track(annotations, progress, f"reading {path.name}")):
        place = f"annotations[{index}]"
        annotation = reader.object(value, place)
        key = _key(reader, annotation.get("image_id"), place)
        if key not in pages:
            raise reader.fail(f"image_id {key!r} is no image", place, "the id of an image")
        category = _key(reader, annotation.get("category_id"), place)
        if category is not None and category not in labels:
            raise reader.fail(f"category_id {category!r} is no category", place, "one of them")
        label = labels[category].name if category is not None else ""
        regions[key].append(_region(reader, annotation, place, label, ids[key]))
    named = [label for label in labels.values() if label.name]
    label_set = LabelSet(tuple(_unique(named)))
    return [Truth(page, tuple(regions[key]), label_set) for key, page in pages.items()]


def passed_over(path: Path) -> list[str]:
    """Return what annotations say besides outlines and categories, counted by kind."""
    content = load_object(path, "COCO")
    found: list[str] = []
    for annotation in Reader(path).list_of(content, "annotations"):
        if isinstance(annotation, dict):
            found += [f"{key} of an annotation" for key in _LEFT_OUT if annotation.get(key)]
    return passed_over_lines(path, found)


def _categories(reader: Reader, content: dict[str, Any]) -> dict[Any, Label]:
    labels: dict[Any, Label] = {}
    plain = LabelSet()
    for index, value in enumerate(reader.list_of(content, "categories")):
        place = f"categories[{index}]"
        category = reader.object(value, place)
        name = " ".join(reader.text(category, "name", place).split())
        own = _own(category)
        plain = plain.with_label(name)
        colour, digit = own.get("colour"), own.get("digit")
        label = Label(
            name,
            colour if isinstance(colour, str) else plain[name].colour if name else "",
            digit if isinstance(digit, str) else plain[name].digit if name else "",
        )
        labels[_key(reader, category.get("id"), place)] = label
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
        unique.append(Label(label.name, label.colour, digit))
    return unique


def _region(reader: Reader, annotation: dict[str, Any], place: str, label: str, ids: Ids) -> Region:
    own = _own(annotation)
    points = segmentation_points(reader, annotation.get("segmentation"), place)
    primitive = Primitive.POLYGON
    if not points:
        numbers = reader.list_of(annotation, "bbox", place)
        box = [reader.number(number, f"{place}.bbox") for number in numbers]
        if len(box) != 4:
            raise reader.fail("there is neither a segmentation nor a bbox", place, "one of them")
        left, top, width, height = box
        points = box_points(left, top, left + width, top + height)
        primitive = Primitive.BOX
    if own.get("primitive") in Primitive.__members__.values():
        primitive = Primitive(own["primitive"])
    id = reader.text(own, "id", place) or reader.text(annotation, "id", place)
    region = make_region(
        points, reader.path, place, label=label, id=ids.take(id), primitive=primitive,
        text=reader.text(own, "text", place), comment=reader.text(own, "comment", place),
        uncertain=own.get("uncertain") is True, ignore=_ignore(annotation),
    )  # fmt: skip
    with suppress(ValueError):  # who drew it is no reason to refuse the file
        return region.with_history(history_from_pairs(own.get("history", [])))
    return region


def _ignore(annotation: dict[str, Any]) -> Ignore:
    if annotation.get("iscrowd"):
        return Ignore.AREA
    return Ignore.SYMBOL if annotation.get("ignore") else Ignore.NO


def _own(value: dict[str, Any]) -> dict[str, Any]:
    own = value.get("spotlab", {})
    return own if isinstance(own, dict) else {}


def _key(reader: Reader, value: Any, place: str) -> Any:
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
    numbers = {name: index + 1 for index, name in enumerate(names)}
    categories: list[dict[str, Any]] = []
    for name in names:
        category: dict[str, Any] = {"id": numbers[name], "name": name, "supercategory": ""}
        if name in known:
            category["spotlab"] = {"colour": known[name].colour, "digit": known[name].digit}
        categories.append(category)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for index, truth in enumerate(track(truths, progress, "writing COCO")):
        images.append(_image(truth.page, index + 1, path.parent))
        for region in truth.regions:
            number = len(annotations) + 1
            annotations.append(_annotation(region, number, index + 1, numbers))
    content = {"images": images, "annotations": annotations, "categories": categories}
    write_atomically(path, json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"))


def _image(page: Page, number: int, folder: Path) -> dict[str, Any]:
    image: dict[str, Any] = {
        "id": number, "file_name": image_name(page.image, folder),
        "width": page.width, "height": page.height,
    }  # fmt: skip
    own: dict[str, Any] = {"checked": True} if page.checked else {}
    if page.frames > 1:
        own |= {"frame": page.frame, "frames": page.frames}
    return {**image, "spotlab": own} if own else image


def _annotation(region: Region, number: int, image: int, numbers: dict[str, int]) -> dict[str, Any]:
    left, top, right, bottom = region.bounds
    own: dict[str, Any] = {"id": region.id, "primitive": region.primitive.value}
    own |= {key: value for key, value in (("comment", region.comment), ("text", region.text))
            if value}  # fmt: skip
    if region.uncertain:
        own["uncertain"] = True
    if region.history:
        own["history"] = history_as_pairs(region.history)
    symbol = {"ignore": 1} if region.ignore is Ignore.SYMBOL else {}
    return {
        "id": number,
        "image_id": image,
        "category_id": numbers.get(region.label),
        "segmentation": [[number for point in region.points for number in point]],
        "bbox": [left, top, right - left, bottom - top],
        "area": region.area,
        "iscrowd": int(region.ignore is Ignore.AREA),
        **symbol,
        "spotlab": own,
    }


def _sniff(path: Path, head: bytes) -> bool:
    keys = (b'"annotations"', b'"images"', b'"categories"', b'"licenses"')
    starts = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    is_task = b'"data"' in head or b'"original_width"' in head  # of Label Studio
    return starts and not is_task and any(key in head for key in keys)


def _losses(truths: Sequence[Truth]) -> list[str]:
    """Nothing: what COCO has no field for is written under a key of its own."""
    return []


FORMAT = Format(
    "coco", "COCO", (".json",), _sniff, read, write,
    many_pages=True, losses=_losses, passed_over=passed_over,
)  # fmt: skip
