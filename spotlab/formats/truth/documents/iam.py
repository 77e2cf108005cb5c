"""IAM handwriting database, in: words.txt, lines.txt, and an XML file per form.

A line of words.txt is ``a01-000u-00-00 ok 154 408 768 27 51 AT A``: the word, whether its
segmentation is right, the grey level that parts ink from paper, its box on the form as x, y, width
and height, a grammatical tag, and the text. lines.txt has the number of components before the box,
and ``|`` between words. A word whose segmentation may be wrong is uncertain. The XML files have a
box for each part of a word, and the size of the form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, box_corners, number, root_name
from spotlab.formats.page.images import image_path, page_of_image, page_size
from spotlab.formats.page.read import LINE_LABEL, WORD_LABEL
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.documents.text_regions import text_region
from spotlab.formats.truth.format import Format
from spotlab.model import Page, Region, Truth

_ROW = re.compile(
    r"(?P<form>[a-z]\d+-\w+)-(?P<line>\d+)(?P<word>-\d+)?\s+(?P<status>ok|er|err)\s+-?\d+\s+"
    r"(?:\d+\s+)?(?P<box>(?:-?\d+\s+){4})(?P<rest>.*)"
)
_EXPECTED = "a01-000u-00-00 ok 154 408 768 27 51 AT A"


def read(path: Path, reading: Reading) -> list[Truth]:
    """The words or lines of every form whose image is there.

    Raises
    ------
    BadInput
        The image of no form is there.
    """
    text = read_text(path, partial(reading.remark, path))
    forms: dict[str, list[tuple[str, re.Match[str]]]] = {}
    for number_of, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        with reading.item():
            found = _ROW.fullmatch(line.strip())
            if found is None:
                raise BadInput(path, f"{line[:40]!r} is no word or line", place=f"line {number_of}",
                               expected=_EXPECTED)  # fmt: skip
            forms.setdefault(found["form"], []).append((f"line {number_of}", found))
    truths = []
    for form, rows in reading.track(list(forms.items()), path):
        with reading.item():
            page, ids, regions = page_of_image(path, reading, form, rows[0][0]), Ids(), []
            for place, row in rows:
                with reading.item():
                    regions.append(_row_region(row, path, place, ids))
            truths.append(Truth(page, tuple(regions)))
    return truths


def _row_region(row: re.Match[str], path: Path, place: str, ids: Ids) -> Region:
    left, top, width, height = (float(value) for value in row["box"].split())
    if left < 0:
        raise BadInput(path, "the word has no box", place=place, expected="x y width height")
    points = box_corners(left, top, left + width, top + height)
    uncertain, id = row["status"] != "ok", row[0].split()[0]
    if not row["word"]:
        return text_region(points, path, place, ids, label=LINE_LABEL, id=id, uncertain=uncertain,
                           text=" ".join(row["rest"].replace("|", " ").split()))  # fmt: skip
    text = row["rest"].partition(" ")[2].strip()
    return text_region(points, path, place, ids, text=text, id=id, uncertain=uncertain)


def read_form(path: Path, reading: Reading) -> list[Truth]:
    """The words of a form, or the lines that are asked for.

    Raises
    ------
    BadInput
        It is not a form of IAM, or the size of the page is not known.
    """
    root = read_tree(read_bytes(path), path).root
    name = root.get("id")
    width, height = page_size(path, name, (root.get("width"), root.get("height")), root.place,
                              reading)  # fmt: skip
    ids, regions = Ids(), []
    for line in reading.track([node for node in root.walk() if node.name == "line"], path):
        words = [node for node in line.walk() if node.name == "word"]
        if not words:
            continue  # of the printed part, which has no boxes
        with reading.item():
            if reading.lines:
                regions.append(_union([line], path, line, ids, LINE_LABEL))
        for word in words if reading.words or not reading.lines else ():
            with reading.item():
                regions.append(_union([word], path, word, ids, WORD_LABEL))
    return [Truth(Page(image_path(path, name), width, height), tuple(regions))]


def _union(owners: Sequence[Node], path: Path, node: Node, ids: Ids, label: str) -> Region:
    """A region around all boxes in some elements."""
    boxes = [
        [number(part.get(key), path, part, key) for key in ("x", "y", "width", "height")]
        for owner in owners for part in owner.walk() if part.name == "cmp"
    ]  # fmt: skip
    if not boxes:
        raise BadInput(path, f"the {node.name} has no box", place=node.place, expected="cmp")
    points = box_corners(
        min(x for x, *_ in boxes), min(y for _, y, *_ in boxes),
        max(x + width for x, _, width, _ in boxes), max(y + height for _, y, _, height in boxes),
    )  # fmt: skip
    return text_region(points, path, node.place, ids, text=node.get("text"), label=label,
                       id=node.get("id"), uncertain=node.get("segmentation") == "err")  # fmt: skip


def _sniff(path: Path, head: bytes) -> bool:
    lines = head.decode("utf-8", "replace").splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    starts = bool(_ROW.fullmatch(first.strip()))
    return path.suffix.lower() == ".txt" and (starts or b"--- words.txt ---" in head)


def _sniff_form(path: Path, head: bytes) -> bool:
    return root_name(head) == "form" and (
        b"machine-printed-part" in head or b"handwritten-part" in head
    )


FORMAT = Format(
    "iam", "IAM handwriting", (".txt",), _sniff, read, many_pages=True, elements=("words", "lines")
)
FORM = Format(
    "iam-form",
    "IAM handwriting, one form",
    (".xml",),
    _sniff_form,
    read_form,
    elements=("words", "lines"),
)
