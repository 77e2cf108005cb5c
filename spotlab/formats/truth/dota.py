"""DOTA, in: a text file per image with the four corners of every object, its class and difficulty.

``labelTxt/P0001.txt`` belongs to ``images/P0001.png``, or to an image beside it, from which the
size of the page is taken. A difficult object is an ignored symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, make_region
from spotlab.formats.page.images import find_image
from spotlab.formats.page.values import LARGEST
from spotlab.formats.rows.numbers import whole_number
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.format import Format
from spotlab.geometry.primitives import box_frame
from spotlab.imaging.reading.pixels import read_header
from spotlab.model import Ignore, Page, Primitive, Region, Truth

_HEAD = re.compile(r"\s*(imagesource|gsd|acquisition dates)\s*:", re.IGNORECASE)
_NUMBER = r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
_LINE = re.compile(
    rf"\s*(?:{_NUMBER}\s+){{8}}(?!{_NUMBER}(?:\s|$))[^\s]+(\s+\d)?\s*", re.IGNORECASE
)
_EXPECTED = "x1 y1 x2 y2 x3 y3 x4 y4 class difficult"


def read(path: Path, reading: Reading) -> list[Truth]:
    """The objects of the file's image.

    Raises
    ------
    BadInput
        The image is missing.
    """
    image = find_image(path, "") or find_image(path, f"images/{path.stem}.png")
    if image is None:
        raise BadInput(path, "its image, which gives the size of the page, is not there",
                       expected=f"images/{path.stem}.png beside the folder of labels")  # fmt: skip
    header = read_header(image)
    ids = Ids()
    regions = []
    for number, words in reading.track(list(_lines(path, reading)), path):
        with reading.item():
            regions.append(_region(number, words, path, ids))
    return [Truth(Page(image, header.width, header.height), tuple(regions))]


def _lines(path: Path, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    text = read_text(path, partial(reading.remark, path))
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.match(line)
        if head is not None:
            reading.pass_over(path, f"line {head[1].lower()!r} about the image")
        elif line.strip():
            yield number, line.split()


def _region(number: int, words: list[str], path: Path, ids: Ids) -> Region:
    place = f"line {number}"
    try:
        values = [float(word) for word in words[:8]]
    except ValueError as error:
        problem = f"{' '.join(words)[:40]!r} does not begin with eight numbers"
        raise BadInput(path, problem, place=place, expected=_EXPECTED) from error
    if len(words) not in (9, 10) or not all(abs(value) <= LARGEST for value in values):
        problem = f"{len(words)} words are no object"
        raise BadInput(path, problem, place=place, expected=_EXPECTED)
    points = list(zip(values[::2], values[1::2], strict=True))
    difficult = whole_number(words[9]) if len(words) == 10 else 0
    if difficult is None:
        raise BadInput(path, f"the difficulty is {words[9][:20]!r}", place=place, expected="0 or 1")
    return make_region(
        points, path, place, label=words[8], id=ids.take("object"),
        primitive=Primitive.BOX if box_frame(points) else Primitive.POLYGON,
        ignore=Ignore.SYMBOL if difficult else Ignore.NO,
    )  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    first = next((line for line in lines if not _HEAD.match(line)), "")
    is_dota = bool(_LINE.fullmatch(first)) or (not first and bool(lines))
    return path.suffix.lower() == ".txt" and is_dota


FORMAT = Format("dota", "DOTA", (".txt",), _sniff, read)
