"""ICDAR's challenges of text in images, in: ``gt_img_1.txt`` has the words of ``img_1.jpg``.

A line is four corners and the text, ``x1,y1,x2,y2,x3,y3,x4,y4,text`` (2015, Total-Text's order of
corners too), with the script before the text (2017, 2019), or a box and the text in quotes (2013).
A text of ``###`` is what nobody could read: it is ignored.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Corners, Ids, box_corners
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.documents.text_regions import page_of_image, text_region
from spotlab.formats.truth.format import Format
from spotlab.model import Region, Truth

_NUMBER = r"-?\d+(?:\.\d+)?"
_CORNERS = re.compile(rf"\s*((?:{_NUMBER}\s*,\s*){{7}}{_NUMBER})\s*,(.*)")
_BOX = re.compile(rf'\s*((?:{_NUMBER}\s*[,\s]\s*){{3}}{_NUMBER})\s*[,\s]\s*(".*")\s*')
_SCRIPT = re.compile(
    r"(Arabic|Bangla|Chinese|Devanagari|Hindi|Japanese|Korean|Latin|Mixed|None|Symbols),"
)


def read(path: Path, reading: Reading) -> list[Truth]:
    """The words of the file's image.

    Raises
    ------
    BadInput
        The image is missing.
    """
    page = page_of_image(path, path.stem.removeprefix("gt_"))
    text = read_text(path, partial(reading.remark, path))
    ids, regions = Ids(), []
    for number, line in enumerate(reading.track(text.splitlines(), path), 1):
        if line.strip():
            with reading.item():
                regions.append(_region(line, path, f"line {number}", ids))
    return [Truth(page, tuple(regions))]


def _region(line: str, path: Path, place: str, ids: Ids) -> Region:
    found = _CORNERS.fullmatch(line)
    points: Corners
    if found is not None:
        values = [float(word) for word in found[1].split(",")]
        points = list(zip(values[::2], values[1::2], strict=True))
        text = _SCRIPT.sub("", found[2], count=1) if _SCRIPT.match(found[2]) else found[2]
    else:
        found = _BOX.fullmatch(line)
        if found is None:
            raise BadInput(path, f"{line[:40]!r} is no word", place=place,
                           expected="x1,y1,x2,y2,x3,y3,x4,y4,text")  # fmt: skip
        left, top, right, bottom = (float(word) for word in re.findall(_NUMBER, found[1]))
        points, text = box_corners(left, top, right, bottom), found[2]
    text = text.strip()
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    return text_region(points, path, place, ids, text=text[1:-1] if quoted else text)


def _sniff(path: Path, head: bytes) -> bool:
    if path.suffix.lower() != ".txt":
        return False
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    return bool(lines) and bool(_CORNERS.fullmatch(lines[0]) or _BOX.fullmatch(lines[0]))


FORMAT = Format("icdar", "ICDAR words", (".txt",), _sniff, read, elements=("words",))
