"""PaddleOCR's Label.txt, in: a line per image with its path, a tab, and its texts as JSON."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids
from spotlab.formats.page.images import page_of_image
from spotlab.formats.rows.json_values import Reader, parse_json
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.documents.text_regions import text_region
from spotlab.formats.truth.format import Format
from spotlab.model import Region, Truth

_EXPECTED = 'the path of an image, a tab, and [{"transcription": …, "points": …}]'


def read(path: Path, reading: Reading) -> list[Truth]:
    """The texts of all images, labelled "line": PaddleOCR marks lines, or parts of them.

    Raises
    ------
    BadInput
        No line of the file can be read.
    """
    text = read_text(path, partial(reading.remark, path))
    truths = []
    for number, line in enumerate(reading.track(text.splitlines(), path), 1):
        if line.strip():
            with reading.item():
                truths.append(_page(line, path, f"line {number}", reading))
    return truths


def _page(line: str, path: Path, place: str, reading: Reading) -> Truth:
    name, tab, content = line.partition("\t")
    try:
        items = parse_json(content) if tab else None
    except ValueError as error:
        raise BadInput(path, "what follows the tab is not JSON", place=place,
                       expected=_EXPECTED) from error  # fmt: skip
    if not isinstance(items, list):
        raise BadInput(path, "there are no texts", place=place, expected=_EXPECTED)
    page, ids, regions = page_of_image(path, reading, name.strip(), place), Ids(), []
    for index, item in enumerate(items):
        with reading.item():
            regions.append(_region(Reader(path), item, f"{place}, [{index}]", ids))
    return Truth(page, tuple(regions))


def _region(reader: Reader, item: object, place: str, ids: Ids) -> Region:
    values = reader.object(item, place)
    return text_region(
        reader.points(values, place), reader.path, place, ids, label="line",
        text=reader.text(values, "transcription", place),
        ignored=values.get("difficult") is True,
    )  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    line = head.lstrip(b"\xef\xbb\xbf").splitlines()[0] if head.strip() else b""
    before, tab, content = line.partition(b"\t")
    return bool(tab and before) and content.lstrip().startswith(b"[") and b'"points"' in content


FORMAT = Format(
    "paddleocr", "PaddleOCR", (".txt",), _sniff, read, many_pages=True, elements=("lines",)
)
