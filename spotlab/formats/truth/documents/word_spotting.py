"""Ground truth of word spotting, in: GTP files and the word locations of the ICFHR competitions.

A GTP file has a line for each word of the image that is called like it, ``116 171 255 237 orders``:
left, top, right, bottom and the text. A file of word locations is XML and has a ``spot`` with
word, image, x, y, w and h for each word of any number of images.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Ids, box_corners, number, root_name
from spotlab.formats.page.images import page_of_image
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.reading import Reading
from spotlab.formats.rows.text_files import read_text
from spotlab.formats.truth.documents.text_regions import text_region
from spotlab.formats.truth.format import Format
from spotlab.model import Page, Truth


def single_number(name: str) -> str:
    """Return the page's number in the names of George Washington's lists, which have it twice.

    Examples
    --------
    >>> single_number("2700270"), single_number("304")
    ('270', '')
    """
    half = name[: len(name) // 2]
    return half if half and name == f"{half}0{half}" else ""


def _page(path: Path, name: str, place: str, reading: Reading) -> Page:
    """The page of an image of this name, or of the number in it."""
    try:
        return page_of_image(path, reading, name, place)
    except BadInput:
        with suppress(BadInput):
            return page_of_image(path, reading, single_number(Path(name).stem) or name, place)
        raise


_LINE = re.compile(r"((?:-?\d+(?:\.\d+)?\s+){3}-?\d+(?:\.\d+)?)(?:\s+(.*))?")


def read(path: Path, reading: Reading) -> list[Truth]:
    """The words of the image that is called like the file.

    Raises
    ------
    BadInput
        The image is missing.
    """
    text = read_text(path, partial(reading.remark, path))
    page, ids, regions = _page(path, path.stem, "", reading), Ids(), []
    for count, line in enumerate(reading.track(text.splitlines(), path), 1):
        if not line.strip():
            continue
        with reading.item():
            place = f"line {count}"
            found = _LINE.fullmatch(line.strip())
            if found is None:
                raise BadInput(path, f"{line[:40]!r} is no word", place=place,
                               expected="left top right bottom text")  # fmt: skip
            left, top, right, bottom = (float(word) for word in found[1].split())
            points = box_corners(left, top, right, bottom)
            regions.append(text_region(points, path, place, ids, text=found[2] or ""))
    return [Truth(page, tuple(regions))]


def read_locations(path: Path, reading: Reading) -> list[Truth]:
    """The words of every image that is there.

    Raises
    ------
    BadInput
        It is no such file.
    """
    root = read_tree(read_bytes(path), path).root
    spots: dict[str, list[Node]] = {}
    for node in root.all("spot"):
        spots.setdefault(node.get("image"), []).append(node)
    truths = []
    for name, nodes in reading.track(list(spots.items()), path):
        with reading.item():
            page, ids, regions = _page(path, name, nodes[0].place, reading), Ids(), []
            for node in nodes:
                with reading.item():
                    x, y, width, height = (
                        number(node.get(key), path, node, key) for key in ("x", "y", "w", "h")
                    )
                    points = box_corners(x, y, x + width, y + height)
                    word = text_region(points, path, node.place, ids, text=node.get("word"))
                    regions.append(word)
            truths.append(Truth(page, tuple(regions)))
    return truths


def _sniff(path: Path, head: bytes) -> bool:
    return path.suffix.lower() == ".gtp" and b"\0" not in head


def _sniff_locations(path: Path, head: bytes) -> bool:
    return root_name(head) == "wordLocations"


FORMAT = Format("gtp", "Word spotting GTP", (".gtp",), _sniff, read, elements=("words",))
LOCATIONS = Format("word-locations", "Word locations of ICFHR", (".xml",), _sniff_locations,
                   read_locations, many_pages=True, elements=("words",))  # fmt: skip
