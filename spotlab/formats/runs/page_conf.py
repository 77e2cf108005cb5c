"""Runs in PAGE XML: every region and word is a spot, its label the query, its ``conf`` the score.

A run is one file, or a folder of them with all folders in it. ``conf`` is taken from Coords, else
from the first TextEquiv, else from the element's custom attribute (``spotlab {conf:.9;}``). Where
nothing has one, the order in each file is the rank.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.files import is_folder
from spotlab.formats.page.head import is_page_xml, looks_like_page
from spotlab.formats.page.read import (
    PageTree,
    image_filename,
    label_from,
    read_page_tree,
    read_points,
)
from spotlab.formats.page.values import read_custom
from spotlab.formats.page.xml_tree import Node
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.numbers import files_below, whole_number
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import Gathered, Row, block_of, check_spot, read_score
from spotlab.formats.runs.outline_columns import check_points
from spotlab.progress import Progress, track


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a PAGE file or a folder of them; a file that cannot be read is a bad line.

    Raises
    ------
    BadInput
        There is no PAGE in it, or no file of it can be read.
    """
    files = _files(path)
    if not files:
        raise BadInput(path, "there is no PAGE XML in it", expected="a folder of PAGE files")
    gathered = Gathered(path, path.resolve().name if is_folder(path) else path.stem)
    errors: list[BadInput] = []
    found: list[_File] = []
    for file in track(files, progress, f"reading {path.name}"):
        place = "" if file == path else f"{file.relative_to(path).as_posix()}, "
        try:
            pages = read_page_tree(read_bytes(file), file)
        except BadInput as error:
            errors.append(error)
            where = place + (error.place or "line 1")
            gathered.bad(1, f"the file is left out: {error.problem}", where)
            continue
        found.append(_read_file(pages, file, place, gathered))
    if len(errors) == len(files):
        raise errors[0]
    scored = any(each.scored for each in found)
    for each in found:
        if each.scored == scored:
            gathered.add(block_of(each.rows, each.lines, gathered))
        elif each.rows:
            gathered.bad(
                1, "left out: it has no conf attributes, unlike the other files", each.name
            )
    if not scored and any(each.rows for each in found):
        gathered.remarks.append("there are no conf attributes: the order in each file is the rank")
    return gathered.finish(several_files=True)


@dataclass(frozen=True, eq=False)
class _File:
    """One file: its spots, None where one is not right, and whether anything has a conf."""

    name: str
    rows: list[Row | None]
    lines: NDArray[np.int64]
    scored: bool


def _files(path: Path) -> list[Path]:
    if not is_folder(path):
        return [path]
    return [
        file for file in files_below(path)
        if file.name.lower().endswith(".xml") and is_page_xml(file)
    ]  # fmt: skip


def _read_file(pages: PageTree, file: Path, place: str, gathered: Gathered) -> _File:
    page = _page_name(pages, file)
    nodes = list(_spot_nodes(pages))
    confidences = [_confidence(pages, node) for node in nodes]
    scored = any(confidences)
    counts: dict[str, int] = {}
    rows: list[Row | None] = []
    for node, confidence in zip(nodes, confidences, strict=True):
        try:
            row = _read_spot(pages, node, file, page, confidence if scored else None)
            counts[row.query] = counts.get(row.query, 0) + 1
            if not scored:
                row = Row(row.query, page, counts[row.query], math.nan, row.points, "")
        except (BadInput, ValueError) as error:
            problem = error.problem if isinstance(error, BadInput) else str(error)
            gathered.bad(node.line, problem, place + node.place)
            rows.append(None)
        else:
            rows.append(row)
    lines = np.array([node.line for node in nodes], np.int64)
    return _File(place.removesuffix(", ") or file.name, rows, lines, scored)


def _read_spot(pages: PageTree, node: Node, file: Path, page: str, confidence: str | None) -> Row:
    """The spot of an element; its score is NaN where nothing has a conf (None)."""
    score = math.nan
    if confidence is not None:
        score = read_score(confidence)
        if math.isnan(score):
            raise ValueError("conf is missing, which others in the file have")
    name = pages.name(node)
    custom = read_custom(node.get("custom"))
    query = label_from(name, node.attributes, custom, pages.snake)
    query = " ".join(query.split())
    check_spot(query, page, 1, score)
    points = check_points(read_points(pages, node, file))
    return Row(query, page, math.nan, score, points, "")


def _spot_nodes(pages: PageTree) -> Iterator[Node]:
    """All regions and words, in the order of the file."""
    for node in pages.page.walk():
        if pages.is_region(node) or pages.name(node) == "Word":
            yield node


def _confidence(pages: PageTree, node: Node) -> str:
    """The conf of an element; empty where it has none."""
    for name in ("Coords", "TextEquiv"):
        child = pages.child(node, name)
        if child is not None and child.get("conf"):
            return child.get("conf")
    return read_custom(node.get("custom")).get("conf", "")


def _page_name(pages: PageTree, file: Path) -> str:
    """The image as the file names it, without folders; of several pages in it, this one."""
    named = image_filename(pages).replace("\\", "/")
    image = PurePosixPath(named).name or file.stem
    custom = read_custom(pages.page.get("custom"))
    frame, frames = (whole_number(custom.get(name, "")) for name in ("frame", "frames"))
    if frame is not None and frames is not None and frames > 1:
        return f"{PurePosixPath(image).stem}_p{frame + 1}"
    return image


def _sniff(path: Path, head: bytes) -> bool:
    return bool(_files(path)) if is_folder(path) else looks_like_page(head)


FORMAT = RunFormat("page-conf", "PAGE XML with conf", (".xml",), _sniff, read)
