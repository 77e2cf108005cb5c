"""Detections in JSON of any layout: records, columns, one object an image, JSON Lines.

What networks and tools write is taken apart into records of one detection each, which are a table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.json_values import is_shallow, load_json, parse_json
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.text_files import Remark, read_text
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat, find_roles, plain_name
from spotlab.formats.runs.gather import Gathered, add_rows, find_columns
from spotlab.progress import Progress, track

Record = dict[str, Any]
_PAGE = ("file_name", "filename", "image_name", "image_path", "image", "img_path", "imagePath",
         "path", "file", "page", "image_id", "frame_id", "name")  # fmt: skip
_INNER = ("predictions", "detections", "objects", "instances", "annotations", "results", "result",
          "spots", "boxes", "shapes", "items", "data", "preds", "outputs", "images")  # fmt: skip
_BOXES = ("boxes", "bboxes", "pred_boxes", "bbox")
_CLASSES = ("labels", "pred_classes", "classes", "class_names", "names", "categories", "class_ids")
_SCORES = ("scores", "confidences", "confidence", "score", "probs")
_CENTRED = {"x", "y", "width", "height", "class", "confidence"}  # as Roboflow's server answers


def load_records(path: Path, expected: str, remark: Remark) -> Any:
    """Read a file of JSON, or of JSON Lines, which becomes a list.

    Raises
    ------
    BadInput
        It is neither.
    """
    try:
        return load_json(path, expected, remark)
    except BadInput:
        lines = [line for line in read_text(path).splitlines() if line.strip()]
        try:
            first = [parse_json(line) for line in lines[:2]]
        except ValueError:
            first = []
        if len(first) < 2 or not all(isinstance(each, dict) for each in first):
            raise
    return [_line(line) for line in lines]


def _line(line: str) -> Any:
    try:
        return parse_json(line)
    except ValueError:
        return None  # a bad entry


def read_records(content: Any, path: Path, naming: Naming, remarks: Sequence[str] = ()) -> ReadRun:
    """The run in JSON that is not COCO.

    Raises
    ------
    BadInput
        There are no detections in it, or a column is missing.
    """
    if not is_shallow(content):
        raise BadInput(path, "the values are nested too deeply", expected="detections")
    gathered = Gathered(path, naming=naming)
    gathered.remarks += remarks
    records = list(_records(content, "", False))
    good = [record for record in records if record is not None]
    if not good:
        problem = "the file has no results"
        raise BadInput(path, problem, expected="a list of detections, such as COCO results")
    names = list(dict.fromkeys(name for record in good for name in record))
    columns = find_columns(names, gathered, "entry 1")
    if columns.box is not None and not columns.box.form:
        columns = replace(columns, box=replace(columns.box, default="xywh"))  # as in COCO
        gathered.box = columns.box
    rows, lines = [], []
    for line, record in enumerate(records, 1):
        if record is None:
            gathered.bad(line, "this is no detection", f"entry {line}")
            continue
        rows.append([_text(record.get(name)) for name in names])
        lines.append(line)
    add_rows(rows, np.array(lines, np.int64), columns, gathered, "entry")
    return gathered.finish("entry")


def are_page_records(folder: Path) -> bool:
    """Tell whether a folder holds JSON files of one page each, such as labelme's."""
    files = _page_files(folder)
    return len(files) > 0 and all(_is_of_page(file) for file in files[:3])


def _page_files(folder: Path) -> list[Path]:
    found = [path for path in folder.iterdir() if path.suffix.lower() == ".json"]
    found = [path for path in found if not path.name.startswith(".")]
    return sorted(found, key=lambda path: natural(path.name))


def _is_of_page(file: Path) -> bool:
    try:
        content = load_json(file, "detections")
    except BadInput:
        return False
    if not isinstance(content, dict):
        return False
    return "shapes" in content or (
        _together(content, "page") is not None and not _page_of(content, "")
    )


def read_folder(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a folder of JSON files of one page each; bad files are bad lines.

    Raises
    ------
    BadInput
        There are no detections in it.
    """
    contents: list[Any] = []
    bad: list[tuple[str, str]] = []
    for file in track(_page_files(path), progress, f"reading {path.name}"):
        try:
            content = load_json(file, "detections")
        except BadInput as error:
            bad.append((file.name, error.problem))
            continue
        if isinstance(content, dict):
            contents.append(content if _page_of(content, "") else {file.stem: content})
    found = read_records(contents, path, naming)
    lines = tuple(BadLine(0, problem, name) for name, problem in bad)
    return replace(
        found,
        run=replace(found.run, name=path.resolve().name),
        bad_lines=(*lines, *found.bad_lines),
    )


def _sniff_folder(path: Path, _: bytes) -> bool:
    return is_folder(path) and are_page_records(path)


FORMAT = RunFormat("json-folder", "Folder of JSON files", (), _sniff_folder, read_folder)


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, list):
        if value and all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            return " ".join(f"{x},{y}" for x, y in value)
        if len(value) == 1 and isinstance(value[0], list):
            return _text(value[0])
        if len(value) >= 6 and len(value) % 2 == 0 and len(value) != 8:
            return " ".join(f"{x},{y}" for x, y in zip(value[::2], value[1::2], strict=True))
        return json.dumps(value)
    return str(value)


def _records(value: Any, page: str, centred: bool) -> Iterator[Record | None]:
    """One detection after the other; None for what is none."""
    if isinstance(value, list):
        for each in value:
            if isinstance(each, dict | list):
                yield from _records(each, page, centred)
            else:
                yield None
    elif isinstance(value, dict):
        yield from _of_object(value, page, centred)


def _of_object(value: Mapping[str, Any], page: str, centred: bool) -> Iterator[Record | None]:
    if "columns" in value and isinstance(value.get("data"), list):  # pandas, orient="split"
        yield from (dict(zip(value["columns"], row, strict=False)) for row in value["data"])
        return
    columns = _columns(value)
    if columns is not None:
        yield from columns
        return
    own = _page_of(value, page)
    together = _together(value, own)
    if together is not None:
        yield from together
        return
    inner = next((key for key in _INNER if isinstance(value.get(key), list | dict)
                  and _has_objects(value[key])), None)  # fmt: skip
    if inner is not None:
        for each in value[inner] if isinstance(value[inner], list) else [value[inner]]:
            yield from _records(each, own, centred or inner == "predictions")
    elif _is_by_page(value):
        for key, each in value.items():  # by the name of the page
            yield from _records(each, str(key), centred)
    else:
        yield _record(value, page, centred)


def _is_by_page(value: Mapping[str, Any]) -> bool:
    inner = all(isinstance(each, list | dict) for each in value.values())
    return bool(value) and inner and not _is_record(value)


def _has_objects(value: Any) -> bool:
    return isinstance(value, dict) or (bool(value) and isinstance(value[0], dict)) or value == []


def _is_record(value: Mapping[str, Any]) -> bool:
    roles = find_roles([*_flat(value)])
    return roles.box is not None or "points" in roles.places


def _page_of(value: Mapping[str, Any], page: str) -> str:
    """The name of the page that an object of several detections is about."""
    image = value.get("image")
    if isinstance(image, dict):
        return _page_of(image, page)
    for key in _PAGE:
        if isinstance(value.get(key), str | int) and not isinstance(value[key], bool):
            return _plain_path(str(value[key]))
    return page


def _plain_path(text: str) -> str:
    """A path with slashes, without steps up.

    Examples
    --------
    >>> _plain_path("..\\\\scans\\\\plan.png")
    'scans/plan.png'
    """
    parts = PurePosixPath(text.replace("\\", "/")).parts
    return "/".join(part for part in parts if part not in ("..", ".", "/")) or text


def _columns(value: Mapping[str, Any]) -> list[Record] | None:
    """The rows of an object of columns, each a list or an object by index; None for any other."""
    roles = find_roles(list(value))
    if roles.box is None and "points" not in roles.places:
        return None
    lists = [list(each.values()) if isinstance(each, dict) else each for each in value.values()]
    if not all(isinstance(each, list) for each in lists) or len({len(each) for each in lists}) != 1:
        return None
    if "page" not in roles.places:
        return None
    return [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)]


def _together(value: Mapping[str, Any], page: str) -> list[Record | None] | None:
    """The detections of an object with lists of boxes, classes and scores."""
    boxes = next((value[key] for key in _BOXES if _is_matrix(value.get(key))), None)
    classes = next((value[key] for key in _CLASSES if isinstance(value.get(key), list)), None)
    if boxes is None or classes is None:
        return None
    scores = next((value[key] for key in _SCORES if isinstance(value.get(key), list)), None)
    found: list[Record | None] = []
    for at, box in enumerate(boxes):
        record: Record = {"page": page, "xyxy": box}
        if at < len(classes):
            record["class"] = classes[at]
        if scores is not None and at < len(scores):
            record["score"] = scores[at]
        found.append(record if page else {name: record[name] for name in record if name != "page"})
    return found


def _is_matrix(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) and len(row) == 4 for row in value)


def _record(value: Mapping[str, Any], page: str, centred: bool) -> Record | None:
    flat = _flat(value)
    shape = value.get("shape_type")
    if isinstance(value.get("points"), list) and len(value["points"]) == 2:  # labelme's rectangle
        flat["xyxy"] = [number for pair in flat.pop("points") for number in pair]
        flat["xyxy"] = _ordered(flat["xyxy"])
    elif shape in ("circle", "line", "linestrip", "point"):
        return None
    if centred and flat.keys() >= _CENTRED:
        names = {"x": "cx", "y": "cy", "width": "w", "height": "h"}
        flat = {names.get(name, name): each for name, each in flat.items()}
    if page and "page" not in find_roles(list(flat)).places:
        flat["page"] = page
    return flat or None


def _ordered(box: list[Any]) -> list[Any]:
    """Left, top, right, bottom of two corners in any order."""
    if len(box) != 4 or not all(isinstance(number, int | float) for number in box):
        return box
    return [min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])]


def _flat(value: Mapping[str, Any]) -> Record:
    """A record with the numbers of an inner box as values of its own."""
    flat: Record = {}
    for name, each in value.items():
        if (
            isinstance(each, dict)
            and each
            and all(isinstance(n, int | float) for n in each.values())
        ):
            flat.update({plain_name(key): number for key, number in each.items()})
        elif not isinstance(each, dict):
            flat[name] = each
    return flat
