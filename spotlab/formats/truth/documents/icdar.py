"""ICDAR's challenges of text in images: ``gt_img_1.txt`` has the words of ``img_1.jpg``.

A line is four corners and the text, ``x1,y1,x2,y2,x3,y3,x4,y4,text`` (2015, Total-Text's order of
corners too), with the script before the text (2017, 2019), or a box and the text in quotes (2013).
A text of ``###`` is what nobody could read: it is ignored. The form of 2015 is written, in whole px
as its evaluation wants them. Texts that would be read otherwise stand in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Corners, Ids, box_corners, outline_kind
from spotlab.formats.page.images import page_of_image
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import content_name, read_text
from spotlab.formats.truth.documents.text_regions import IGNORED, text_region
from spotlab.formats.truth.format import Format, Holds, OutlineKinds, Rounding, page_file
from spotlab.model import Ignore, Region, Truth
from spotlab.progress import Progress, track

_NUMBER = r"-?\d+(?:\.\d+)?"
_CORNERS = re.compile(rf"\s*((?:{_NUMBER}\s*,\s*){{7}}{_NUMBER})\s*,(.*)")
_BOX = re.compile(rf'\s*((?:{_NUMBER}\s*[,\s]\s*){{3}}{_NUMBER})\s*[,\s]\s*(".*")\s*')
_NOT_IN_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
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
    page = page_of_image(path, reading, content_name(path).stem.removeprefix("gt_"))
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
    quoted = _is_quoted(text)
    return text_region(points, path, place, ids, text=text[1:-1] if quoted else text,
                       literal=quoted and len(points) == 4 and found.re is _CORNERS)  # fmt: skip


def _is_quoted(text: str) -> bool:
    return len(text) >= 2 and text[0] == text[-1] == '"'


def write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    """Write a file per page; the text of an ignored region is ``###``.

    Raises
    ------
    NotSaved
        A file could not be written.
    """
    for truth in track(truths, progress, "writing ICDAR"):
        text = "\n".join(map(_line, truth.regions)) + "\n"
        write_atomically(page_file(target, truth, ".txt"), text.encode())


def _line(region: Region) -> str:
    corners = [f"{value:.0f}" for point in region.points for value in point]
    text = region.text
    if text != text.strip() or text in IGNORED or _is_quoted(text) or _SCRIPT.match(text):
        text = f'"{text}"'
    return ",".join([*corners, IGNORED[0] if region.ignored else text])


def _in_line(text: str) -> str:
    return _NOT_IN_LINE.sub(" ", text)


def _replaced(region: Region) -> dict[str, str]:
    return {"label": WORD_LABEL, **({"text": ""} if region.ignored else {})}


def _sniff(path: Path, head: bytes) -> bool:
    if path.suffix.lower() != ".txt":
        return False
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    return bool(lines) and bool(_CORNERS.fullmatch(lines[0]) or _BOX.fullmatch(lines[0]))


HOLDS = Holds(
    outlines=OutlineKinds.QUADRILATERALS, rounding=Rounding.NEAREST, off_page=False, flat=False,
    kind=lambda region: outline_kind(region.points), replaced=_replaced, spelling=_in_line,
    ignored=frozenset((Ignore.SYMBOL,)), comments=False, attributes=False, uncertain=False,
    histories=False, empty=False, checked=False, frames=False, order=False, tags=False,
    label_list=False, colours=False, digits=False,
)  # fmt: skip
FORMAT = Format(
    "icdar", "ICDAR words", (".txt",), _sniff, read, write, holds=HOLDS, needs_images=True,
    elements=("words",),
)  # fmt: skip
