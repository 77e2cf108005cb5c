"""DOTA: a text file per image with the four corners of every object, its class and difficulty.

``labelTxt/P0001.txt`` belongs to ``images/P0001.png``, or to an image beside it, from which the
size of the page is taken. A difficult object is an ignored symbol. A class is one word: blanks in
labels are written as hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, make_region, outline_kind
from spotlab.formats.page.images import page_of_image
from spotlab.formats.page.values import LARGEST
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import format_number, whole_number
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.format import Format, Holds, OutlineKinds, page_file
from spotlab.formats.truth.yolo_yaml import spelled
from spotlab.model import Ignore, Region, Truth
from spotlab.progress import Progress, track

_HEAD = re.compile(r"\s*(imagesource|gsd|acquisition dates)\s*:\s*(.*)", re.IGNORECASE)
_NOTHING = ("", "null", "None")
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
    page, ids, regions = page_of_image(path, reading), Ids(), []
    for number, words in reading.track(list(_lines(path, reading)), path):
        with reading.item():
            regions.append(_region(number, words, path, ids))
    return [Truth(page, tuple(regions))]


def _lines(path: Path, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    text = read_text(path, partial(reading.remark, path))
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.match(line)
        if head is not None and head[2] not in _NOTHING:
            reading.pass_over(path, f"line {head[1].lower()!r} about the image")
        elif head is None and line.strip():
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
        primitive=outline_kind(points),
        ignore=Ignore.SYMBOL if difficult else Ignore.NO,
    )  # fmt: skip


def write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    """Write a file per page, with a head that says nothing but makes it DOTA.

    Raises
    ------
    NotSaved
        A file could not be written.
    """
    for truth in track(truths, progress, "writing DOTA"):
        lines = ["imagesource:null", "gsd:null", *map(_line, truth.regions)]
        write_atomically(page_file(target, truth, ".txt"), ("\n".join(lines) + "\n").encode())


def _line(region: Region) -> str:
    corners = [format_number(float(value)) for point in region.points for value in point]
    return " ".join([*corners, region.label, str(int(region.ignored))])


def _one_word(label: str) -> str:
    return "-".join(spelled(label).split()) or ("-" if label else "")


def _sniff(path: Path, head: bytes) -> bool:
    if path.suffix.lower() != ".txt":
        return False
    lines = [line for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    return bool(lines) and bool(_HEAD.match(lines[0]) or _LINE.fullmatch(lines[0]))


HOLDS = Holds(
    outlines=OutlineKinds.QUADRILATERALS, flat=False, spelling=_one_word,
    kind=lambda region: outline_kind(region.points), unlabelled=False,
    ignored=frozenset((Ignore.SYMBOL,)), texts=False, comments=False, attributes=False,
    uncertain=False, histories=False, checked=False, frames=False, order=False, tags=False,
    label_list=False, colours=False, digits=False,
)  # fmt: skip
FORMAT = Format("dota", "DOTA", (".txt",), _sniff, read, write, holds=HOLDS, needs_images=True)
