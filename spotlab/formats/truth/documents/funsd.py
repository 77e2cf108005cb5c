"""FUNSD, in: forms with questions, answers, headers and other entities, each of words.

``annotations/0001.json`` is about ``images/0001.png``, which gives the size of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from spotlab.formats.page.foreign_shapes import Ids, box_corners
from spotlab.formats.page.images import page_of_image
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.rows.json_values import Reader, load_object
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.documents.text_regions import text_region
from spotlab.formats.truth.format import Format
from spotlab.model import Region, Truth


def read(path: Path, reading: Reading) -> list[Truth]:
    """The entities with their labels and texts, or the words that are asked for.

    Raises
    ------
    BadInput
        It is not FUNSD, or the image is missing.
    """
    content = load_object(path, "FUNSD", partial(reading.remark, path))
    reader = Reader(path)
    page, ids = page_of_image(path, reading), Ids()
    regions: list[Region] = []
    for index, value in enumerate(reading.track(reader.list_of(content, "form"), path)):
        place = f"form[{index}]"
        with reading.item():
            entity = reader.object(value, place)
            label = reader.text(entity, "label", place)
            words = reader.list_of(entity, "words", place)
            if entity.get("linking"):
                reading.pass_over(path, "link between entities")
            if not reading.words:
                reading.pass_over(path, "word of an entity", count=len(words))
                regions.append(_region(reader, entity, place, ids, label))
                continue
            for number, word in enumerate(words):
                inner = f"{place}.words[{number}]"
                with reading.item():
                    given = reader.object(word, inner)
                    regions.append(_region(reader, given, inner, ids, WORD_LABEL))
    return [Truth(page, tuple(regions))]


def _region(reader: Reader, value: dict[str, Any], place: str, ids: Ids, label: str) -> Region:
    box: Sequence[Any] = reader.list_of(value, "box", place)
    if len(box) != 4:
        raise reader.fail(f"the box has {len(box)} numbers", f"{place}.box", "x1, y1, x2, y2")
    left, top, right, bottom = (reader.number(number, f"{place}.box") for number in box)
    return text_region(box_corners(left, top, right, bottom), reader.path, place, ids,
                       label=label, text=reader.text(value, "text", place))  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and b'"form"' in head and b'"box"' in head


FORMAT = Format("funsd", "FUNSD", (".json",), _sniff, read, elements=("words",))
