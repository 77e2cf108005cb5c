"""Detections in files of text, one for each page or each class, as detectors write them.

- YOLO: ``class cx cy w h [conf]``, ``class x y x y … [conf]`` (outlines, turned boxes), in shares.
- One file a page: ``class conf left top right bottom`` in px.
- PASCAL's devkit and DOTA: one file a class, ``comp3_det_test_CLASS.txt`` or ``Task1_CLASS.txt``:
  ``page conf left top right bottom`` or four corners, in px.
- darknet's report: ``Predicted in`` lines with ``class: 93 % (left_x: … width: …)``.
- TREC: ``query Q0 page:left,top,width,height rank score tag``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import numpy as np

from spotlab.arrays import Floats
from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder
from spotlab.formats.rows.csv_rows import with_decimal_point
from spotlab.formats.rows.numbers import files_below, whole_number
from spotlab.formats.rows.text_files import HEAD_BYTES, content_name, read_head, read_utf8
from spotlab.formats.runs.format import QUAD, BoxColumns, Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import Gathered, Row, block_of, check_spot
from spotlab.formats.runs.outline_columns import SLACK, check_points, raw_corners
from spotlab.formats.truth.yolo import class_names_beside
from spotlab.progress import Progress, track

YOLO, PAGE, CLASS, DARKNET, TREC = "yolo", "page", "class", "darknet", "trec"
_BY_CLASS = re.compile(r"(?:comp\d+_det_[^_]+_|Task\d_|results?_|det_[^_]+_)(.+)", re.IGNORECASE)
_DARKNET = re.compile(
    r"(?P<name>.+?):\s*(?P<score>\d+(?:\.\d+)?)\s*%\s*\(left_x:\s*(?P<x>-?\d+)\s+top_y:\s*"
    r"(?P<y>-?\d+)\s+width:\s*(?P<w>\d+)\s+height:\s*(?P<h>\d+)\)"
)
_DARKNET_PAGE = re.compile(r"(?:Enter Image Path:\s*)?(?P<page>.+?): Predicted in .*")
_PLACE = re.compile(r"(?P<page>.+?)[:@](?P<box>-?[\d.]+(?:[,x_+ ]-?[\d.]+){3})")
_NO_DETECTIONS = ("classes.txt", "obj.names", "labels.txt", "train.txt", "val.txt", "test.txt",
                  "readme.txt", "requirements.txt")  # fmt: skip
_TRIED = 10  # lines of a file
_BOXES = (YOLO, CLASS, DARKNET)
_EXPECTED = {
    YOLO: "class cx cy width height conf, or class x y x y … conf, in shares of the page",
    PAGE: "class conf left top right bottom",
    CLASS: "page conf left top right bottom",
    DARKNET: "class: 93 % (left_x: … top_y: … width: … height: …)",
    TREC: "query Q0 page:left,top,width,height rank score tag",
}


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a file, or in a folder of files.

    Raises
    ------
    BadInput
        There are no detections in it, or the sizes of pages are needed and not known.
    """
    files = _files(path)
    if not files:
        raise BadInput(path, "there are no detections in it", expected="files of detections")
    form = _form_of(files)
    name = path.resolve().name if is_folder(path) else content_name(path).stem
    if form == YOLO and 0 not in naming.categories:
        names = class_names_beside(files[0])
        if names:
            naming = replace(naming, categories=dict(enumerate(names)))
    gathered = Gathered(path, name, naming)
    if form == YOLO:
        gathered.box, gathered.from_zero = BoxColumns("xyxy", (), "share"), True
    reader = _TextReader(form, gathered, path)
    reader.score_first = form == YOLO and _has_score_first(files)
    for file in track(files, progress, f"reading {path.name}"):
        reader.read(file)
    return reader.finish(len(files) > 1)


@dataclass(frozen=True)
class _Line:
    """A line of a file."""

    number: int
    text: str


class _TextReader:
    """Takes the files of a run in one after the other."""

    def __init__(self, form: str, gathered: Gathered, root: Path) -> None:
        self.form = form
        self.gathered = gathered
        self.root = root
        self._rows: list[Row | None] = []
        self._lines: list[int] = []
        self._unscored = 0
        self.score_first = False  # of YOLO's lines: class conf cx cy w h

    def read(self, file: Path) -> None:
        """Take a file in, bad lines as such."""
        lines = list(_lines(file, self.gathered))
        page = _page_of(file, self.root)
        for line in lines:
            if self.form == DARKNET and (found := _DARKNET_PAGE.fullmatch(line.text)):
                page = PurePosixPath(found["page"].strip().replace("\\", "/")).name
                continue
            if self.form == DARKNET and not _DARKNET.search(line.text):
                continue
            try:
                row = self._row(line.text, page, file)
            except ValueError as error:
                place = f"{file.name}, line {line.number}" if file != self.root else ""
                expected = f"{error}; expected {_EXPECTED[self.form]}"
                self.gathered.bad(line.number, expected, place)
            else:
                self._rows.append(row)
                self._lines.append(line.number)

    def finish(self, several: bool) -> ReadRun:
        """The run."""
        rows = self._rows
        if self._unscored:
            ranks: dict[str, int] = {}
            for at, row in enumerate(rows):
                if row is not None:
                    ranks[row.query] = ranks.get(row.query, 0) + 1
                    rows[at] = Row(row.query, row.page, ranks[row.query], np.nan, row.points, "")
            remark = "there are no scores: the order in the files is the rank"
            self.gathered.remarks.append(remark)
        lines = np.array(self._lines, np.int64)
        self.gathered.add(block_of(rows, lines, self.gathered))
        return self.gathered.finish(several_files=several)

    def _row(self, text: str, page: str, file: Path) -> Row:
        words = text.split()
        if self.form == YOLO:
            if self.score_first:
                words = [words[0], *words[2:], words[1]]
            query, score, points = _yolo(words)
        elif self.form == DARKNET:
            query, score, points = _darknet(text)
        elif self.form == TREC:
            return _trec(words)
        elif self.form == CLASS:
            query = _class_of(file)
            page, numbers = words[0], _numbers(words[1:])
            score, points = numbers[0], self._box(numbers[1:])
        else:
            count = 5 if len(words) < 10 else 9
            query, numbers = " ".join(words[:-count]), _numbers(words[-count:])
            score, points = numbers[0], self._box(numbers[1:])
        self._unscored += np.isnan(score)
        check_spot(query, page, 1, score)
        return Row(query, page, np.nan, score, check_points(points), "")

    def _box(self, numbers: Sequence[float]) -> list[tuple[float, float]]:
        if len(numbers) not in (4, 8):
            raise ValueError(f"{len(numbers)} numbers are no box")
        if len(numbers) == 4 and (numbers[2] < numbers[0] or numbers[3] < numbers[1]):
            raise ValueError("the right or lower edge is before the left or upper one")
        return _corners(numbers, "xyxy" if len(numbers) == 4 else QUAD)


def _numbers(words: Sequence[str]) -> list[float]:
    numbers = []
    for word in words:
        try:
            numbers.append(float("x" if "_" in word else with_decimal_point(word)))
        except ValueError:
            raise ValueError(f"{word[:40]!r} is no number") from None
    if not np.isfinite(numbers).all():
        raise ValueError("a number is not finite")
    if not numbers:
        raise ValueError("there are no numbers")
    return numbers


def _corners(numbers: Sequence[float], form: str) -> list[tuple[float, float]]:
    return [(x, y) for x, y in raw_corners(np.array([numbers], np.float64), form).tolist()]


def _yolo(words: Sequence[str]) -> tuple[str, float, list[tuple[float, float]]]:
    numbers = _numbers(words[1:])
    score = numbers.pop() if len(numbers) % 2 else np.nan
    if any(not -0.5 <= number <= 1.5 for number in numbers):
        raise ValueError("a number is no share of the page")
    if len(numbers) == 4:
        return words[0], score, _corners(numbers, "cxcywh")
    if len(numbers) < 6:
        raise ValueError(f"{len(words)} numbers are no region")
    return words[0], score, list(zip(numbers[::2], numbers[1::2], strict=True))


def _darknet(text: str) -> tuple[str, float, list[tuple[float, float]]]:
    found = _DARKNET.search(text)
    if found is None:
        raise ValueError("this is no detection")
    box = [float(found[name]) for name in "xywh"]
    return found["name"].strip(), float(found["score"]) / 100, _corners(box, "xywh")


def _trec(words: Sequence[str]) -> Row:
    if len(words) != 6:
        raise ValueError(f"{len(words)} words, not 6")
    found = _PLACE.fullmatch(words[2])
    if found is None:
        raise ValueError(f"the item {words[2][:40]!r} is no box on a page")
    rank, score = _numbers(words[3:5])
    box = _numbers(re.findall(r"-?[\d.]+", found["box"]))
    check_spot(words[0], found["page"], rank, score)
    return Row(words[0], found["page"], np.nan, score, check_points(_corners(box, "xywh")), "")


def _page_of(file: Path, root: Path) -> str:
    """The page that a file of a folder is called like."""
    inside = file.relative_to(root) if file != root else Path(file.name)
    parts = [part for part in content_name(inside).with_suffix("").parts if part != "labels"]
    return "/".join(parts)


def _class_of(file: Path) -> str:
    stem = content_name(file).stem
    found = _BY_CLASS.fullmatch(stem)
    return found[1] if found else stem


def _lines(file: Path, gathered: Gathered) -> Iterator[_Line]:
    text = read_utf8(file, gathered.remarks.append).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _Line(number, line.strip())


def _files(path: Path) -> list[Path]:
    """The files of a run in natural order; those of a folder with all folders in it."""
    if not is_folder(path):
        return [path]
    return [
        file for file in files_below(path)
        if content_name(file).suffix.lower() == ".txt"
        and file.name.casefold() not in _NO_DETECTIONS and is_file(file)
    ]  # fmt: skip


def _form_of(files: Sequence[Path]) -> str:
    """The form of the first lines that have one; that of YOLO where all files are empty."""
    for file in files[:200]:
        lines = [line for line in read_head(file).decode("utf-8-sig", "replace").splitlines()
                 if line.strip() and not line.lstrip().startswith("#")]  # fmt: skip
        if not lines:
            continue
        if any(_DARKNET.search(line) for line in lines):
            return DARKNET
        form = _form_of_lines(lines, file)
        if form:
            return form
    return YOLO if all(is_file(file) and not file.stat().st_size for file in files) else ""


def has_boxes(path: Path) -> bool:
    """Tell whether a text file or a folder has detections of YOLO, darknet or a devkit.

    Lines of other kinds may be ranked lists just as well.
    """
    files = _files(path) if is_folder(path) else [path]
    if any(content_name(file).suffix.lower() != ".txt" for file in files):
        return False
    return any(file.stat().st_size for file in files) and _form_of(files) in _BOXES


def _has_score_first(files: Sequence[Path]) -> bool:
    """Tell whether boxes lie within their pages only if the second number is the confidence."""
    lines: list[list[float]] = []
    for file in files[:50]:
        head = read_head(file)
        whole = head if len(head) < HEAD_BYTES else head[: head.rfind(b"\n") + 1]
        for line in whole.decode("utf-8", "replace").splitlines():
            numbers = [_number(word) for word in line.split()]
            known = [number for number in numbers if number is not None]
            if len(known) == len(numbers) == 6:
                lines.append(known[1:])
    if not lines:
        return False
    values = np.array(lines)
    return _beyond(values[:, :4]) > SLACK and _beyond(values[:, 1:]) <= SLACK


def _beyond(boxes: Floats) -> float:
    """By how much boxes of centre and size reach beyond their page at most."""
    half = boxes[:, 2:] / 2
    return float(max((half - boxes[:, :2]).max(), (boxes[:, :2] + half - 1).max()))


def _form_of_lines(lines: Sequence[str], file: Path) -> str:
    """The form of the first line that has one, of a few: those before it are bad."""
    forms = (_form_of_line(line.split(), file) for line in lines[:_TRIED])
    return next(filter(None, forms), "")


def _form_of_line(words: Sequence[str], file: Path) -> str:
    if len(words) == 6 and words[1].casefold() == "q0":
        return TREC
    numbers = [_number(word) for word in words]
    if len(words) < 5 or None in numbers[1:][-5:]:
        return ""
    values = [number for number in numbers[1:] if number is not None]
    if _BY_CLASS.fullmatch(content_name(file).stem) and len(words) in (6, 10):
        return CLASS
    is_class = whole_number(words[0].removesuffix(".0")) is not None
    if is_class and len(values) == len(words) - 1 and all(-0.5 <= each <= 1.5 for each in values):
        return YOLO
    count = 5 if len(words) < 10 else 9
    last = [number for number in numbers[-count:] if number is not None]
    if len(words) > count and len(last) == count and 0 <= last[0] <= 1:
        named_page = PurePosixPath(words[0]).suffix.casefold() in (".png", ".jpg", ".jpeg", ".tif")
        return CLASS if named_page else PAGE
    return ""


def _number(word: str) -> float | None:
    try:
        return None if "_" in word else float(with_decimal_point(word))
    except ValueError:
        return None


def _sniff(path: Path, head: bytes) -> bool:
    if is_folder(path):
        files = _files(path)
        return bool(files) and bool(_form_of(files))
    if path.suffix.lower() in (".json", ".xml", ".csv", ".tsv", ".parquet", ".pq", ".jsonl"):
        return False
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    if not lines:
        return False
    return any(map(_DARKNET.search, lines)) or bool(_form_of_lines(lines, path))


FORMAT = RunFormat("detection-texts", "Text files of detections", (".txt",), _sniff, read)
