"""Detections in Pascal VOC: the truth's format with ``<confidence>`` or ``<score>`` of each object.

A run is one file, or a folder of them with all folders in it.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.formats.page.foreign_shapes import root_name
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.numbers import files_below
from spotlab.formats.rows.text_files import read_head
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import Gathered, Row, block_of, check_spot, read_score
from spotlab.formats.runs.outline_columns import box_points_of, check_points
from spotlab.progress import Progress, track

_SCORES = ("confidence", "score", "conf", "prob", "probability")
_BOX = ("xmin", "ymin", "xmax", "ymax")


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a file or a folder; a file that cannot be read is a bad line.

    Raises
    ------
    BadInput
        There is no VOC in it.
    """
    files = _files(path)
    gathered = Gathered(path, path.resolve().name if is_folder(path) else path.stem, naming)
    for file in track(files, progress, f"reading {path.name}"):
        start = f"{file.relative_to(path)}, " if file != path else ""
        try:
            root = read_tree(read_bytes(file), file).root
        except BadInput as error:
            gathered.bad(0, error.problem, start.removesuffix(", ") or file.name)
            continue
        page = _page_of(root, file)
        rows: list[Row | None] = []
        objects = [node for node in root.children if node.name == "object"]
        for number, node in enumerate(objects, 1):
            try:
                rows.append(_row(node, page))
            except ValueError as error:
                gathered.bad(node.line, str(error), f"{start}object {number}")
                rows.append(None)
        lines = np.array([node.line for node in objects], np.int64)
        gathered.add(block_of(rows, lines, gathered))
    return gathered.finish(several_files=len(files) > 1)


def _row(node: Node, page: str) -> Row:
    query = _text(node, "name")
    texts = [text for name in _SCORES if (text := _text(node, name))]
    if not texts:
        raise ValueError("there is no confidence")
    score = read_score(texts[0])
    box = next((child for child in node.children if child.name in ("bndbox", "robndbox")), None)
    if box is None:
        raise ValueError("there is no bndbox")
    if box.name == "bndbox":
        points = box_points_of([_text(box, name) for name in _BOX], "xyxy")
    else:
        points = _turned(box)
    check_spot(query, page, math.nan, score)
    return Row(query, page, math.nan, score, check_points(points), "")


def _turned(box: Node) -> list[tuple[float, float]]:
    numbers = [read_score(_text(box, name)) for name in ("cx", "cy", "w", "h", "angle")]
    if any(map(math.isnan, numbers)):
        raise ValueError("the turned box is not complete")
    x, y, width, height, angle = numbers
    cos, sin = math.cos(angle), math.sin(angle)
    found = []
    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        across, down = a * width / 2, b * height / 2
        found.append((x + cos * across - sin * down, y + sin * across + cos * down))
    return found


def _text(node: Node, name: str) -> str:
    child = next((each for each in node.children if each.name == name), None)
    return "" if child is None else " ".join(child.text.split())


def _page_of(root: Node, file: Path) -> str:
    return _text(root, "filename").replace("\\", "/") or file.stem


def _files(path: Path) -> list[Path]:
    """The VOC files of a folder, with all folders in it, in natural order."""
    if not is_folder(path):
        return [path]
    return [
        file for file in files_below(path) if file.name.lower().endswith(".xml") and _is_voc(file)
    ]


def _is_voc(file: Path) -> bool:
    try:
        return root_name(read_head(file)) == "annotation"
    except BadInput:
        return False


def _sniff(path: Path, head: bytes) -> bool:
    return bool(_files(path)) if is_folder(path) else root_name(head) == "annotation"


FORMAT = RunFormat("voc-conf", "Pascal VOC with confidence", (".xml",), _sniff, read)
