"""Tesseract's TSV and box files, in.

A TSV file has a row for each page, block, paragraph, line and word with its box and, for words,
text and confidence. A box file has a line for each character, ``a 12 20 30 44 0``: left, bottom,
right and top, counted from the bottom of the page, and the number of the page in the image file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, box_corners
from spotlab.formats.page.images import image_path, page_of_image, page_size
from spotlab.formats.page.read import BLOCK_LABEL, LINE_LABEL, WORD_LABEL
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.documents.text_regions import text_region
from spotlab.formats.truth.format import ELEMENTS, Format
from spotlab.model import Page, Region, Truth

_COLUMNS = ("level", "page_num", "block_num", "par_num", "line_num", "word_num", "left", "top",
            "width", "height", "conf", "text")  # fmt: skip
_CHARACTER_LABEL = "character"
_LEVELS = {"2": BLOCK_LABEL, "4": LINE_LABEL, "5": WORD_LABEL}
_BOX_LINE = re.compile(r"(\S+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)(?:\s+(\d+))?(?:\s+#(.*))?")


def read_tsv(path: Path, reading: Reading) -> list[Truth]:
    """The words of every page, or the lines or blocks that are asked for.

    Raises
    ------
    BadInput
        It is not Tesseract's TSV, or the size of a page is not known.
    """
    lines = read_text(path, partial(reading.remark, path)).splitlines()
    if tuple(lines[0].split("\t")) != _COLUMNS:
        raise BadInput(path, "the columns are not Tesseract's", place="line 1",
                       expected=", ".join(_COLUMNS))  # fmt: skip
    wanted = {LINE_LABEL: reading.lines, BLOCK_LABEL: reading.blocks}
    wanted[WORD_LABEL] = reading.words or not any(wanted.values())
    sizes: dict[str, tuple[str, str]] = {}
    rows: dict[str, list[tuple[str, list[str]]]] = {}
    texts: dict[tuple[str, ...], list[str]] = {}
    for number, line in enumerate(reading.track(lines[1:], path), 2):
        values = line.split("\t", len(_COLUMNS) - 1)
        with reading.item():
            if not line.strip():
                continue
            if len(values) < len(_COLUMNS) - 1:
                raise BadInput(path, f"the row has {len(values)} columns", place=f"line {number}",
                               expected=str(len(_COLUMNS)))  # fmt: skip
            rows.setdefault(values[1], []).append((f"line {number}", [*values, ""]))
            if values[0] == "1":
                sizes[values[1]] = values[8], values[9]
            if values[0] == "5":
                for depth in (3, 5):
                    texts.setdefault(tuple(values[1:depth]), []).append(values[-1].strip())
    truths = []
    for index, (page_number, its) in enumerate(rows.items()):
        given = sizes.get(page_number, ("", ""))
        size = page_size(path, "", given, f"page {page_number}", reading)
        page = Page(image_path(path, ""), *size, index, len(rows))
        ids, regions = Ids(), []
        for place, values in its:
            label = _LEVELS.get(values[0], "")
            if not wanted.get(label, False):
                if values[0] in ("2", "3", "4", "5"):
                    reading.pass_over(path, f"row of level {values[0]}")
                continue
            depth = {BLOCK_LABEL: 3, LINE_LABEL: 5}.get(label, 0)
            words = texts.get(tuple(values[1:depth]), []) if depth else [values[11].strip()]
            text = " ".join(word for word in words if word)
            if not text:
                reading.remark(path, f"{label} without a text", place)
                continue
            with reading.item():
                regions.append(_tsv_region(values, path, place, ids, text, label))
        truths.append(Truth(page, tuple(regions)))
    return truths


def _tsv_region(
    values: Sequence[str], path: Path, place: str, ids: Ids, text: str, label: str
) -> Region:
    try:
        left, top, width, height = (float(value) for value in values[6:10])
    except ValueError as error:
        raise BadInput(path, f"the box is {' '.join(values[6:10])[:40]!r}", place=place,
                       expected="four numbers") from error  # fmt: skip
    points = box_corners(left, top, left + width, top + height)
    return text_region(points, path, place, ids, text=text, label=label)


def read_boxes(path: Path, reading: Reading) -> list[Truth]:
    """The characters, labelled "character", or words, of every page of the image.

    Raises
    ------
    BadInput
        The image is missing.
    """
    text = read_text(path, partial(reading.remark, path))
    page = page_of_image(path, reading)
    regions: dict[int, list[Region]] = {0: []}
    ids = Ids()
    for number, line in enumerate(reading.track(text.splitlines(), path), 1):
        place = f"line {number}"
        if not line.strip() or line.startswith("\t"):  # a tab marks the end of a line of text
            continue
        with reading.item():
            found = _BOX_LINE.fullmatch(line.strip())
            if found is None:
                raise BadInput(path, f"{line[:40]!r} is no box", place=place,
                               expected="a character, left, bottom, right, top, page")  # fmt: skip
            left, bottom, right, top = (int(found[index]) for index in (2, 3, 4, 5))
            points = box_corners(left, page.height - top, right, page.height - bottom)
            is_word = found[7] is not None  # "WordStr 1 2 3 4 0 #the text"
            label = _CHARACTER_LABEL
            if is_word:
                label = WORD_LABEL if " " not in found[7].strip() else LINE_LABEL
            region = text_region(points, path, place, ids, label=label,
                                 text=found[7].strip() if is_word else found[1])  # fmt: skip
            regions.setdefault(int(found[6] or 0), []).append(region)
    frames = max(regions) + 1
    if frames > 10_000:
        raise BadInput(path, f"there is a page {frames}", expected="at most 10,000 pages")
    return [
        Truth(Page(page.image, page.width, page.height, frame, frames), tuple(its))
        for frame, its in sorted(regions.items())
        if its or frames == 1
    ]


def _sniff_tsv(path: Path, head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").startswith("\t".join(_COLUMNS[:6]).encode())


def _sniff_boxes(path: Path, head: bytes) -> bool:
    if path.suffix.lower() != ".box":
        return False
    lines = head.decode("utf-8-sig", "replace").splitlines()
    return bool(lines) and bool(_BOX_LINE.fullmatch(lines[0].strip()))


FORMAT = Format(
    "tesseract-tsv",
    "Tesseract TSV",
    (".tsv",),
    _sniff_tsv,
    read_tsv,
    many_pages=True,
    elements=ELEMENTS,
)
BOXES = Format("tesseract-box", "Tesseract boxes", (".box",), _sniff_boxes, read_boxes,
               many_pages=True)  # fmt: skip
