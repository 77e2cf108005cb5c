"""COCO results: a list of ``{image_id, category_id, bbox or segmentation, score}``.

A whole COCO file whose annotations have scores is read too; it names its images and categories
itself, a list needs an annotation file for that, see `complete_naming`. Compressed run lengths are
not read. Any other JSON with detections is read by `read_records`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.arrays import Floats
from spotlab.errors import BadInput
from spotlab.formats.collection.label_table import read_label_table
from spotlab.formats.page.foreign_shapes import box_points
from spotlab.formats.page.values import LARGEST
from spotlab.formats.rows.json_values import Reader, load_object
from spotlab.formats.rows.numbers import are_scores, check_score, natural, whole_number
from spotlab.formats.runs.detection_records import load_records, read_records
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import Block, Gathered, Row, block_of, check_spot
from spotlab.formats.runs.label_studio_run import read_predictions, tasks_in
from spotlab.formats.runs.outline_columns import check_points
from spotlab.formats.truth.coco import segmentation_points
from spotlab.formats.truth.yolo_yaml import read_yaml
from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress

EXPECTED_NAMES = "COCO with images and categories"
_NUMBER = re.compile(r"(\d+)$")


def read_naming(path: Path) -> Naming:
    """The names that an annotation file has for its ids, or a list of classes for their numbers.

    Parameters
    ----------
    path : Path
        COCO, YOLO's ``data.yaml``, or a set of labels, see `read_label_table`.

    Raises
    ------
    BadInput
        It is none of these, or names neither images nor categories.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        return Naming(categories=dict(enumerate(read_yaml(path).names)))
    if path.suffix.lower() != ".json":
        return Naming(categories=dict(enumerate(label.name for label in read_label_table(path))))
    naming = naming_of(load_object(path, "COCO"), path)
    if not naming.image_ids and not naming.categories:
        problem = "it has neither images nor categories"
        raise BadInput(path, problem, expected=EXPECTED_NAMES)
    return naming


def naming_of(content: Mapping[str, Any], path: Path) -> Naming:
    """The names that a whole COCO file has for its own ids; none where it has no lists of them."""
    named: list[dict[Any, str]] = []
    for key, name in (("images", "file_name"), ("categories", "name")):
        values = content.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
            raise BadInput(path, f"{key} is not a list of objects", expected=EXPECTED_NAMES)
        named.append(
            {
                each["id"]: str(each[name])
                for each in values
                if isinstance(each.get("id"), int | str) and each.get(name)
            }
        )
    images, categories = named
    return Naming(images, categories)


def complete_naming(
    naming: Naming, image_ids: Collection[Any], categories: Collection[Any]
) -> tuple[Naming, list[str]]:
    """The naming with what ids mean that no file names, and remarks on how that was found.

    Parameters
    ----------
    naming : Naming
    image_ids, categories : collection
        All that the results have.

    Examples
    --------
    >>> naming = Naming(pages=("plan_1", "plan_2"), labels=("bed", "sofa"))
    >>> found, _ = complete_naming(naming, {2}, {1, 2})
    >>> found.image_ids, found.categories
    ({2: 'plan_2'}, {1: 'bed', 2: 'sofa'})
    """
    images, labels = naming.image_ids, naming.categories
    remarks = []
    if not images and (found := _by_number(image_ids, naming.pages)):
        images = found
        remarks.append(f"image ids are used as page numbers: {_first(found)}")
    if not labels and (found := _by_place(categories, naming.labels)):
        labels = found
        remarks.append(f"category ids are used as positions in the label list: {_first(found)}")
    return replace(naming, image_ids=images, categories=labels), remarks


def _by_number(ids: Collection[Any], pages: Sequence[str]) -> dict[Any, str]:
    """The page of each id; empty where the ids can be read otherwise, or not at all."""
    ordered = sorted(pages, key=natural)
    found = [_NUMBER.search(page) for page in ordered]
    if not ids or not all(found) or not all(type(id) is int for id in ids):
        return {}
    numbers = [whole_number(number.group(1)) for number in found if number is not None]
    by_number = dict(zip(numbers, ordered, strict=True))
    from_one = numbers == list(range(1, len(ordered) + 1))
    no_places = max(ids) > len(ordered) or min(ids) < 0
    if len(by_number) < len(ordered) or not (from_one or no_places) or set(ids) - set(by_number):
        return {}
    return {id: by_number[id] for id in ids}


def _by_place(ids: Collection[Any], labels: Sequence[str]) -> dict[Any, str]:
    if not ids or not all(type(id) is int and 1 <= id <= len(labels) for id in ids):
        return {}
    return {id: labels[id - 1] for id in ids}


def _first(names: Mapping[Any, str]) -> str:
    id = min(names)
    return f"{id} is {names[id]}"


ENTRIES = 5_000  # at once
FEW_ENTRIES = 16  # which are not halved any more to find the bad one
EXPECTED = "COCO results, COCO with scores, or other detections"


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a file of COCO results; an entry counts as a line.

    Parameters
    ----------
    path : Path
    naming : Naming
        What the ids mean, unless the file says it.

    Raises
    ------
    BadInput
        It is not COCO.
    """
    progress(0, None, f"reading {path.name}")
    remarks: list[str] = []
    content = load_records(path, EXPECTED, remarks.append)
    if tasks := tasks_in(content):
        return read_predictions(tasks, path, naming, remarks)
    entries = content.get("annotations") if isinstance(content, dict) else content
    if not isinstance(entries, list) or not _are_results(entries):
        return read_records(content, path, naming, remarks)
    if isinstance(content, dict):
        naming = naming_of(content, path)
        guessed: list[str] = []
    else:
        naming, guessed = complete_naming(_named_by(entries, naming), *_ids(entries))
    reader = _Results(path, naming, ranked=isinstance(content, dict) and _unscored(entries))
    for start in range(0, len(entries), ENTRIES):
        progress(start, len(entries), f"reading {path.name}")
        reader.add(entries[start : start + ENTRIES], start + 1)
    progress(len(entries), len(entries), f"reading {path.name}")
    reader.gathered.remarks += [*remarks, *guessed]
    reader.gathered.guessed |= {
        what for what in ("pages", "labels") for text in guessed if text.startswith(_GUESSES[what])
    }
    return reader.finish()


_GUESSES = {"pages": "image ids", "labels": "category ids"}


def _are_results(entries: Sequence[Any]) -> bool:
    """Tell whether these are entries of COCO, not other records of detections."""
    some = [entry for entry in entries[:50] if isinstance(entry, dict)]
    return not some or any({"image_id", "category_id"} <= entry.keys() for entry in some)


def _named_by(entries: Sequence[Any], naming: Naming) -> Naming:
    """The naming with the names that the entries themselves have beside their ids."""
    named: list[dict[Any, str]] = []
    for key, names in (
        ("image_id", ("file_name", "image_name")),
        ("category_id", ("category_name",)),
    ):
        found = {}
        for entry in entries:
            if isinstance(entry, dict) and isinstance(entry.get(key), int | str):
                name = next((entry[name] for name in names if entry.get(name)), None)
                if isinstance(name, str):
                    found[entry[key]] = name
        named.append(found)
    images, categories = named
    return replace(
        naming,
        image_ids={**naming.image_ids, **images},
        categories={**naming.categories, **categories},
    )


def _ids(entries: Sequence[Any]) -> tuple[set[Any], set[Any]]:
    """All image ids and category ids that are some."""
    found: tuple[set[Any], set[Any]] = set(), set()
    for entry in entries:
        for ids, key in zip(found, ("image_id", "category_id"), strict=True):
            id = entry.get(key) if isinstance(entry, dict) else None
            if isinstance(id, int | str) and not isinstance(id, bool):
                ids.add(id)
    return found


def _unscored(entries: Sequence[Any]) -> bool:
    return not any(isinstance(entry, dict) and "score" in entry for entry in entries)


class _Results:
    """Takes the entries of a file in, some at a time."""

    def __init__(self, path: Path, naming: Naming, *, ranked: bool) -> None:
        self.gathered = Gathered(path, naming=replace(naming, categories={}, labels=()))
        self.naming = naming
        self.ranked = ranked  # by their order in the file
        self.reader = Reader(path)
        self.counts: dict[str, int] = {}
        self.nameless: dict[str, set[Any]] = {"image_id": set(), "category_id": set()}

    def add(self, entries: Sequence[Any], first: int) -> None:
        """Take entries in, the bad ones as bad lines."""
        block = self._plain_block(entries, first)
        if block is not None:
            self.gathered.add(block)
        elif len(entries) > FEW_ENTRIES:
            half = len(entries) // 2
            self.add(entries[:half], first)
            self.add(entries[half:], first + half)
        else:
            rows: list[Row | None] = []
            for line, entry in enumerate(entries, first):
                try:
                    rows.append(self._row(entry))
                except (BadInput, ValueError) as error:
                    problem = error.problem if isinstance(error, BadInput) else str(error)
                    self.gathered.bad(line, problem, f"entry {line}")
                    rows.append(None)
            lines = np.arange(first, first + len(entries))
            self.gathered.add(block_of(rows, lines, self.gathered))

    def finish(self) -> ReadRun:
        """The run, with remarks on ids that have no name."""
        remarks = self.gathered.remarks
        for what, ids in self.nameless.items():
            if ids:
                some = ", ".join(sorted(map(str, ids))[:5]) + (", …" if len(ids) > 5 else "")
                remarks.append(
                    f"{what} {some} has no name in an annotation file; its number is used as the "
                    f"name"
                )
        if self.ranked and self.counts:
            remarks.append("there are no scores: the order in the file is the rank")
        return self.gathered.finish("entry")

    def _name(self, what: str, id: Any) -> str:
        """The page or label that an id stands for; the id itself where nobody says it."""
        names = self.naming.image_ids if what == "image_id" else self.naming.categories
        if isinstance(id, bool) or not isinstance(id, int | str) or id == "":
            raise ValueError(f"{what} is {id!r:.40}, which is not an id")
        if id in names:
            return names[id]
        if not isinstance(id, str) or id.isdecimal():
            self.nameless[what].add(id)
        return str(id)

    def _plain_block(self, entries: Sequence[Any], first: int) -> Block | None:
        """The spots of entries with boxes; None where one is something else, or not right."""
        try:
            if any(entry.get("segmentation") for entry in entries) or self.ranked:
                return None
            corners = _corners([entry["bbox"] for entry in entries])
            score: Floats = np.array([entry["score"] for entry in entries])
            images = [entry["image_id"] for entry in entries]
            categories = [entry["category_id"] for entry in entries]
            pages = {id: self._name("image_id", id) for id in set(images)}
            labels = {id: self._name("category_id", id) for id in set(categories)}
        except (AttributeError, KeyError, TypeError, ValueError):
            return None
        scored = score.dtype.kind in "if" and are_scores(score).all()
        if corners is None or not scored:
            return None
        names = [labels[id] for id in categories], [pages[id] for id in images]
        queries, pages_of, labels_of = self.gathered.tidy(*names, [""] * len(entries))
        if not (queries.all() and pages_of.all()):
            return None
        outlines = Outlines(corners, np.arange(len(entries) + 1) * 4)
        lines = np.arange(first, first + len(entries))
        nothing = np.full(len(entries), np.nan)
        return Block(
            queries, pages_of, nothing, score.astype(np.float64), outlines, labels_of, lines
        )

    def _row(self, value: Any) -> Row:
        entry = self.reader.object(value, "")
        page = self._name("image_id", entry.get("image_id"))
        query = self._name("category_id", entry.get("category_id"))
        score, rank = np.nan, np.nan
        if self.ranked:
            rank = float(self.counts.get(query, 0) + 1)
        elif "score" in entry:
            score = _number(entry["score"], "score")
        check_spot(query, page, rank, score)
        points = segmentation_points(self.reader, entry.get("segmentation"), "")
        points = check_points(points or self._box(entry))
        self.counts[query] = self.counts.get(query, 0) + 1
        return Row(query, page, rank, score, points, "")

    def _box(self, entry: Mapping[str, Any]) -> list[tuple[float, float]]:
        box = entry.get("bbox")
        if not isinstance(box, list) or len(box) != 4:
            raise ValueError("there is neither a segmentation nor a bbox of four numbers")
        left, top, width, height = (_number(number, "bbox") for number in box)
        if width < 0 or height < 0:
            raise ValueError(f"bbox is {width:g} × {height:g} px")
        return box_points(left, top, left + width, top + height)


def _corners(values: Sequence[Any]) -> Floats | None:
    """(4 N, 2) the corners of boxes left, top, width, height; None where one is not right."""
    boxes: Floats = np.array(values)
    if boxes.shape != (len(values), 4) or boxes.dtype.kind not in "if":
        return None
    left, top, width, height = boxes.astype(np.float64).T
    right, bottom = left + width, top + height
    corners = np.stack([left, top, right, top, right, bottom, left, bottom], axis=1)
    right_size = (np.abs(corners) <= LARGEST).all() and (boxes[:, 2:] >= 0).all()
    return corners.reshape(-1, 2) if right_size else None


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{what} is {value!r:.40}, not a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    return check_score(number, what, f"{value}"[:40])


def _sniff(path: Path, head: bytes) -> bool:
    beginning = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return beginning in (b"[", b"{") or path.suffix.lower() in SUFFIXES


SUFFIXES = (".json", ".jsonl", ".ndjson")
FORMAT = RunFormat("coco-results", "COCO results or other JSON", SUFFIXES, _sniff, read)
