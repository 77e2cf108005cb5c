"""Label Studio: one JSON file for a whole project, in and out.

Its export (JSON and JSON-MIN) and tasks with annotations or predictions are read. Boxes, turned or
not, ellipses, polygons, brushes, key points and vectors are regions; results of other kinds are
passed over and named. Of several annotations of a task the latest that was not cancelled is read,
or that of the annotator who is asked for. A task of several images is a page for each.

Coordinates are per cent of the image's width and height; a box turns about its top left corner.
Results of the same id belong together: an outline, its labels, and a ``textarea`` with its text. A
remark on a region is its ``meta.text``; what Label Studio has no field for is in ``meta.spotlab``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.formats.page.foreign_shapes import (
    Corners,
    Ids,
    attribute_values,
    ellipse_corners,
    ellipse_frame,
    frame_at_corner,
    line_outline,
    make_region,
)
from spotlab.formats.page.images import (
    image_name,
    image_path,
    images_of_task,
    length_of,
    page_size,
    size_from_image,
)
from spotlab.formats.page.masks import brush_mask, mask_outline
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import Reader, in_json, load_json
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import Format, Holds
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import box_frame, frame_corners
from spotlab.model import Attributes, Ignore, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

SHAPES = ("rectangle", "polygon", "ellipse", "brush", "keypoint", "vector")
_POINTS = {"polygon": "points", "vector": "vertices"}
_ASKED = ("choices", "number", "rating", "datetime")  # of a region or a page
_TAGS = "page-tags"  # the question whose answers are tags without a value
_LOCAL = "/data/local-files/?d="
_EARLIER = "annotation of a task by another annotator, or an earlier one: the latest is read"


def read(path: Path, reading: Reading) -> list[Truth]:
    """The truth of the image of every task, in the order of the file.

    Raises
    ------
    BadInput
        It is not of Label Studio.
    """
    reader = Reader(path)
    truths = []
    content = load_json(path, "Label Studio", partial(reading.remark, path))
    tasks = content if isinstance(content, list) else [content]
    known = _annotators_in(tasks)
    if reading.annotator and reading.annotator not in {id for ids in known.values() for id in ids}:
        raise reader.fail(f"{reading.annotator!r} has annotated nothing in it", "file",
                          ", ".join(known) or "annotations of a person")  # fmt: skip
    if len(known) > 1 and not reading.annotator:
        what = "file of several annotators, of whom one can be chosen"
        reading.remark(path, what, ", ".join(known))
    left = _later_rows(tasks, reading.annotator)
    for index, value in enumerate(reading.track(tasks, path)):
        place = f"[{index}]" if isinstance(content, list) else "file"
        if index in left:
            reading.remark(path, _EARLIER, place)
            continue
        with reading.item():
            task = LabelTask(reader, reader.object(value, place), place, reading)
            if not task.is_asked_for:
                continue
            for number in range(len(task.images)):
                with reading.item():
                    truths.append(_page_truth(task, number, reading))
    return truths


def annotators(path: Path) -> list[str]:
    """The people who have annotated tasks of a file, in the order in which they come.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    content = load_json(path, "Label Studio")
    return list(_annotators_in(content if isinstance(content, list) else [content]))


def _annotators_in(tasks: Sequence[Any]) -> dict[str, set[str]]:
    """All that each annotator may be called by, by the name that is shown."""
    found: dict[str, set[str]] = {}
    for task in tasks:
        given = task if isinstance(task, dict) else {}
        for annotation in [*_annotations(given), *([given] if "annotator" in given else [])]:
            names = _names(annotation)
            if names and not annotation.get("was_cancelled"):
                found.setdefault(names[0], set()).update(names)
    return found


def _annotations(task: dict[str, Any]) -> list[dict[str, Any]]:
    lists = [task.get(key) for key in ("annotations", "completions")]
    return [
        each for given in lists if isinstance(given, list) for each in given
        if isinstance(each, dict)
    ]  # fmt: skip


def _names(annotation: dict[str, Any]) -> list[str]:
    """Names that the annotator may be called by: of several, the address comes first."""
    by = annotation.get("completed_by", annotation.get("annotator"))
    if isinstance(by, dict):
        values = [by.get(key) for key in ("email", "username", "id")]
        return [str(value) for value in values if value not in (None, "")]
    return [] if by in (None, "") else [str(by)]


def _later_rows(tasks: Sequence[Any], annotator: str) -> set[int]:
    """The rows of JSON-MIN that are not the latest of their task, or another annotator's.

    There each annotation of a task is a row.
    """
    latest: dict[Any, tuple[tuple[str, int], int]] = {}
    rows: list[tuple[int, Any]] = []
    left = set()
    for index, task in enumerate(tasks):
        if not isinstance(task, dict) or "data" in task or "annotation_id" not in task:
            continue
        if annotator and annotator not in _names(task):
            left.add(index)
            continue
        rank = str(task.get("updated_at") or task.get("created_at") or ""), index
        key = str(task.get("id"))
        rows.append((index, key))
        if key not in latest or rank > latest[key][0]:
            latest[key] = rank, index
    return left | {index for index, key in rows if latest[key][1] != index}


def _page_truth(task: LabelTask, number: int, reading: Reading) -> Truth:
    """The truth of one image of a task."""
    path = task.reader.path
    results = task.results_on(number)
    shapes = [result for result in results if task.kind_of(result) in SHAPES]
    image = task.images[number]
    width, height = task.size(image, shapes, reading)
    ids = Ids()
    regions, tags = [], list[str]()
    for result in results:
        kind, place = task.kind_of(result), task.where(result)
        if kind in SHAPES:
            with reading.item():
                regions.append(task.region(result, (width, height), ids))
                if len(task.labels(result)) > 1:
                    reading.remark(path, "further label of a region", place)
                if result.get("image_rotation"):
                    reading.remark(path, "rotation of the image while it was labelled", place)
        elif kind == "choices" and not task.is_of_region(result):
            tags += task.tags(result)
        elif kind not in ("labels", "textarea") and not task.is_of_region(result):
            reading.remark(path, f"{kind or 'result'}, which is not an outline", place)
    return Truth(Page(image_path(path, image), width, height, tags=tuple(tags)), tuple(regions))


class LabelTask:
    """One task: its image, or the images of its pages, and the results of one annotation."""

    def __init__(self, reader: Reader, value: dict[str, Any], place: str, reading: Reading) -> None:
        self.reader = reader
        self.place = place
        data = reader.object(value.get("data", value), f"{place}.data")
        self.images = images_of_task(data, reader.path)
        if not self.images:
            raise reader.fail("the task has no image", f"{place}.data",
                              "image: a path or an address")  # fmt: skip
        self.is_asked_for = True
        given = self._annotation(value, reading) if "data" in value else self._minimal(value)
        self.results: list[dict[str, Any]] = []
        for index, result in enumerate(given):
            with reading.item():
                self.results.append(self._checked(result, f"{place}, result {index + 1}"))
        by_id: dict[str, list[dict[str, Any]]] = {}
        for result in self.results:
            by_id.setdefault(str(result.get("id")), []).append(result)
        self._by_id = by_id

    def _checked(self, given: Any, place: str) -> dict[str, Any]:
        """A result that has a type, and names a page that is there."""
        result = self.reader.object(given, place)
        self.reader.text(result, "type", place)
        page = result.get("item_index") or 0
        if not isinstance(page, int) or not 0 <= page < len(self.images):
            raise self.reader.fail(f"item_index is {page!r:.40}", place,
                                   f"a number from 0 to {len(self.images) - 1}")  # fmt: skip
        return result

    def results_on(self, number: int) -> list[dict[str, Any]]:
        """The results on an image of the task, from 0."""
        return [result for result in self.results if (result.get("item_index") or 0) == number]

    def _annotation(self, value: dict[str, Any], reading: Reading) -> Sequence[Any]:
        """The results of the latest annotation, or where there is none of the latest prediction."""
        path = self.reader.path
        for key in ("annotations", "completions", "predictions"):
            annotations: list[tuple[tuple[bool, str, int], dict[str, Any], str]] = []
            for index, given in enumerate(self.reader.list_of(value, key, self.place)):
                place = f"{self.place}.{key}[{index}]"
                if isinstance(given, int):  # an id, of an export without the annotations
                    continue
                with reading.item():
                    annotation = self.reader.object(given, place)
                    if annotation.get("was_cancelled"):
                        reading.remark(path, "cancelled annotation of a task", place)
                        continue
                    if reading.annotator and reading.annotator not in _names(annotation):
                        continue
                    moment = annotation.get("updated_at") or annotation.get("created_at")
                    rank = annotation.get("ground_truth") is True, str(moment or ""), index
                    annotations.append((rank, annotation, place))
            if reading.annotator and key == "predictions":
                break
            if annotations:
                _, latest, place = max(annotations, key=lambda each: each[0])
                if len(annotations) > 1:
                    people = {names[0] for _, each, _ in annotations if (names := _names(each))}
                    what = f"earlier {key[:-1]} of a task: the latest is read"
                    what = _EARLIER if len(people) > 1 else what
                    reading.remark(path, what, self.place, len(annotations) - 1)
                return self.reader.list_of(latest, "result", f"{place}.result")
        self.is_asked_for = not reading.annotator
        return []

    def _minimal(self, value: dict[str, Any]) -> list[dict[str, Any]]:
        """The results of JSON-MIN, where values stand directly under the names of controls."""
        results = []
        for name, given in value.items():
            for index, each in enumerate(given if isinstance(given, list) else []):
                if isinstance(each, dict) and "original_width" in each:
                    kind = next((key for key in each if key.endswith("labels")), _shape_of(each))
                    place = f"{name}[{index}]"
                    results.append({"value": each, "type": kind, "id": place, **{
                        key: each[key] for key in ("original_width", "original_height",
                                                   "item_index") if key in each}})  # fmt: skip
        return results

    def kind_of(self, result: dict[str, Any]) -> str:
        """Return what a result is: rectangle, polygon, …, with labels of its own or without."""
        kind = self.reader.text(result, "type", self.where(result))
        return kind.removesuffix("labels") or kind

    def size(
        self, image: str, results: Sequence[dict[str, Any]], reading: Reading
    ) -> tuple[int, int]:
        """The size of an image, as the results give it, else from the image."""
        keys = ("original_width", "original_height")
        sizes = [(result.get(keys[0]), result.get(keys[1])) for result in results]
        good = [size for size in sizes if all(map(length_of, size))]
        given = (good or sizes or [(None, None)])[0]
        if given == (None, None):  # nothing is labelled, so nothing says it
            return size_from_image(
                self.reader.path, image, self.place, "no result gives the size", reading
            )
        return page_size(self.reader.path, image, given, self.place, reading, names=keys)

    def labels(self, result: dict[str, Any]) -> list[str]:
        """The labels of an outline: its own, or those of a result with its id."""
        for each in (result, *self._by_id[str(result.get("id"))]):
            value = each.get("value")
            for key, given in value.items() if isinstance(value, dict) else ():
                if key.endswith("labels") and isinstance(given, list) and given:
                    return [str(label) for label in given]
        return []

    def region(self, result: dict[str, Any], size: tuple[int, int], ids: Ids) -> Region:
        """The region of an outline on a page of this size in px."""
        place = self.where(result)
        value = self.reader.object(result.get("value"), f"{place}.value")
        points, primitive = self._outline(value, self.kind_of(result), f"{place}.value", size)
        labels = self.labels(result)
        meta = result.get("meta") if isinstance(result.get("meta"), dict) else {}
        assert isinstance(meta, dict)
        own = meta.get("spotlab") if isinstance(meta.get("spotlab"), dict) else {}
        assert isinstance(own, dict)
        if own.get("primitive") in Primitive.__members__.values():
            primitive = Primitive(own["primitive"])
        return make_region(
            points, self.reader.path, place, label=labels[0] if labels else "",
            id=ids.take(str(result.get("id") or "result")), primitive=primitive,
            text=self._text(result), comment=_lines(meta.get("text")),
            uncertain=own.get("uncertain") is True, ignore=Ignore.read(own.get("ignore")),
            attributes=self._attributes(result, own),
        )  # fmt: skip

    def is_of_region(self, result: dict[str, Any]) -> bool:
        """Tell whether a result is a choice or a number of a region, which is its attribute."""
        its = self._by_id[str(result.get("id"))]
        return self.kind_of(result) in _ASKED and any(self.kind_of(each) in SHAPES for each in its)

    def tags(self, result: dict[str, Any]) -> list[str]:
        """The choices for a page as its tags, behind the name of the question."""
        name = self.reader.text(result, "from_name", self.where(result))
        value = result.get("value")
        given = value.get("choices") if isinstance(value, dict) else None
        chosen = (
            [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
        )
        return [each if name in ("", _TAGS) else f"{name}:{each}" for each in chosen]

    def _attributes(self, result: dict[str, Any], own: dict[str, Any]) -> Attributes:
        """Attributes that were asked for the region, and those that we have written."""
        found: dict[str, object] = {}
        for each in self._by_id[str(result.get("id"))]:
            kind, value = self.kind_of(each), each.get("value")
            if kind in _ASKED and isinstance(value, dict):
                name = self.reader.text(each, "from_name", self.where(each)) or kind
                found[name] = _asked(value.get(kind))
        return Attributes({**dict(attribute_values(found)),
                           **dict(attribute_values(own.get("attributes")))})  # fmt: skip

    def _text(self, result: dict[str, Any]) -> str:
        """Return what a text area with the same id says."""
        for each in self._by_id[str(result.get("id"))]:
            value = each.get("value")
            if self.kind_of(each) == "textarea" and isinstance(value, dict):
                return _lines(value.get("text"))
        return ""

    def _outline(
        self, value: dict[str, Any], kind: str, place: str, size: tuple[int, int]
    ) -> tuple[Corners, Primitive]:
        width, height = size
        if kind in _POINTS:
            given = self.reader.points(value, place, _POINTS[kind])
            points = [(x * width / 100, y * height / 100) for x, y in given]
            if kind == "polygon" or value.get("closed"):
                return points, Primitive.POLYGON
            if len(points) < 2:
                raise self.reader.fail("a line has one point", place, "two or more")
            return line_outline(points, Primitive.LINE), Primitive.LINE
        if kind == "brush":
            return self._brush(value, place, size), Primitive.POLYGON
        angle = self._number(value, "rotation", place) if value.get("rotation") else 0.0
        x, y = (self._number(value, "x", place) * width / 100,
                self._number(value, "y", place) * height / 100)  # fmt: skip
        if kind == "keypoint":
            return line_outline([(x, y)], Primitive.POINT), Primitive.POINT
        names = ("radiusX", "radiusY") if kind == "ellipse" else ("width", "height")
        across = self._number(value, names[0], place) * width / 100
        down = self._number(value, names[1], place) * height / 100
        if kind == "ellipse":
            return ellipse_corners(Frame(x, y, 2 * across, 2 * down, angle)), Primitive.ELLIPSE
        if min(across, down) < 0:  # drawn to the left or upwards
            corner = frame_corners(frame_at_corner(x, y, 1, 1, angle))
            unit = np.array(corner[1]) - corner[0], np.array(corner[3]) - corner[0]
            x, y = np.array([x, y]) + min(across, 0) * unit[0] + min(down, 0) * unit[1]
        frame = frame_at_corner(float(x), float(y), abs(across), abs(down), angle)
        return frame_corners(frame), Primitive.BOX

    def _brush(self, value: dict[str, Any], place: str, size: tuple[int, int]) -> Corners:
        """The outline of a brush along the pixels of its mask."""
        try:
            return mask_outline(brush_mask(self.reader.list_of(value, "rle", place), *size))
        except ValueError as error:
            problem, _, expected = str(error).partition("; expected ")
            raise self.reader.fail(problem, f"{place}.rle", expected) from error

    def _number(self, value: dict[str, Any], key: str, place: str) -> float:
        return self.reader.number(value.get(key), f"{place}.{key}")

    def where(self, result: dict[str, Any]) -> str:
        """Name a result in a message."""
        return f"task {self.place}, result {result.get('id')}"


def _asked(value: Any) -> Any:
    """A value that was asked for; of choices the one, or all if there are several."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _shape_of(value: dict[str, Any]) -> str:
    if "points" in value:
        return "polygon"
    if "vertices" in value or ("height" not in value and "radiusX" not in value):
        return "vector" if "vertices" in value else "keypoint"
    return "ellipse" if "radiusX" in value else "rectangle"


def _lines(value: Any) -> str:
    """A text, or several one below the other."""
    given = value if isinstance(value, list) else [value]
    return "\n".join(text for text in given if isinstance(text, str))


def write(truths: Sequence[Truth], path: Path, progress: Progress) -> None:
    """Write a task with an annotation per page.

    Images are named as files of a local storage whose root is the folder of this file.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    tasks = []
    for index, truth in enumerate(track(truths, progress, "writing Label Studio")):
        results = [result for region in truth.regions for result in _results(region, truth.page)]
        results += [
            {"id": f"tag{at}", "from_name": name, "to_name": "image", "type": "choices",
             "origin": "manual", "value": {"choices": values}}
            for at, (name, values) in enumerate(_by_key(truth.page.tags).items())
        ]  # fmt: skip
        image = _LOCAL + image_name(truth.page.image, path.parent)
        tasks.append({
            "id": index + 1,
            "data": {"image": image},
            "annotations": [{"result": results, "was_cancelled": False, "ground_truth": False}],
        })  # fmt: skip
    text = json.dumps(tasks, ensure_ascii=False, indent=1)
    write_atomically(path, text.encode("utf-8", "replace"))


def _by_key(tags: Sequence[str]) -> dict[str, list[str]]:
    """The values of tags by their keys; tags without a value are values of one question."""
    found: dict[str, list[str]] = {}
    for tag in tags:
        key, _, value = tag.partition(":")
        whole = not (key and value)
        found.setdefault(_TAGS if whole else key, []).append(tag if whole else value)
    return found


def _results(region: Region, page: Page) -> list[dict[str, Any]]:
    """The outline of a region with its label, and its text."""
    kind, value = _value(region, page.width, page.height)
    own: dict[str, Any] = {"primitive": region.primitive.value}
    if region.uncertain:
        own["uncertain"] = True
    if region.ignored:
        own["ignore"] = region.ignore.value
    if region.attributes:
        own["attributes"] = dict(region.attributes)
    result = {
        "id": region.id, "from_name": kind, "to_name": "image", "type": kind, "origin": "manual",
        "original_width": page.width, "original_height": page.height, "image_rotation": 0,
        "value": {**value, **({f"{kind}labels": [region.label]} if region.label else {})},
        "meta": {**({"text": [region.comment]} if region.comment else {}), "spotlab": own},
    }  # fmt: skip
    if region.label:
        result |= {"type": f"{kind}labels", "from_name": f"{kind}labels"}
    if not region.text:
        return [result]
    shared = {key: result[key] for key in ("id", "to_name", "origin", "original_width",
                                           "original_height", "image_rotation")}  # fmt: skip
    written = {**shared, "from_name": "text", "type": "textarea",
               "value": {**value, "text": [region.text]}}  # fmt: skip
    return [result, written]


def _value(region: Region, width: int, height: int) -> tuple[str, dict[str, Any]]:
    """The kind of result that a region becomes, and its coordinates in per cent."""
    frame = box_frame(region.points) if region.primitive is Primitive.BOX else None
    if frame is not None:
        (x, y) = region.points[0]
        return "rectangle", {
            "x": 100 * x / width, "y": 100 * y / height, "rotation": frame.angle % 360,
            "width": 100 * frame.width / width, "height": 100 * frame.height / height,
        }  # fmt: skip
    frame = ellipse_frame(region)
    if frame is not None:
        return "ellipse", {
            "x": 100 * frame.x / width, "y": 100 * frame.y / height,
            "radiusX": 50 * frame.width / width, "radiusY": 50 * frame.height / height,
            "rotation": frame.angle % 360,
        }  # fmt: skip
    points = [[100 * x / width, 100 * y / height] for x, y in region.points]
    return "polygon", {"points": points, "closed": True}


HOLDS = Holds(
    spelling=in_json, histories=False, checked=False, frames=False, order=False, label_list=False,
    colours=False, digits=False,
)  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"[", b"{")):
        return False
    is_task = b'"data"' in head and (b'"annotations"' in head or b'"predictions"' in head)
    return (is_task and b'"shapes"' not in head) or b'"original_width"' in head


FORMAT = Format(
    "label-studio", "Label Studio", (".json",), _sniff, read, write, many_pages=True,
    holds=HOLDS, annotators=annotators,
)  # fmt: skip
