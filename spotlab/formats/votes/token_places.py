"""Finds where on its page an item of votes is: its own box, or the word that a system read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spotlab.errors import SpotlabError
from spotlab.files import is_file
from spotlab.formats.page.foreign_shapes import root_name
from spotlab.formats.page.read import read_page_tree, read_points
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.votes.format import VoteTable
from spotlab.formats.votes.texts import TEXT, node_text, regions_in_reading_order, words_of

Box = tuple[float, float, float, float]
SIDES = ("HPOS", "VPOS", "WIDTH", "HEIGHT")  # of a String in ALTO


@dataclass(frozen=True)
class ItemPlace:
    """Position of an item on its page.

    Attributes
    ----------
    page : str
    box : tuple of float
        Left, top, right, bottom in px of the page.
    image : Path or None
        The page's image, where a file of votes names one that is there.
    """

    page: str
    box: Box
    image: Path | None = None


def place_of_item(table: VoteTable, item: int) -> ItemPlace | None:
    """Find where on its page an item is; None where no file says it.

    A word is looked for in the file of the first system that votes for it. Of several alike on a
    page it is the k-th where the system votes for k of them up to this item.

    Parameters
    ----------
    table : VoteTable
    item : int
        Index of the item.
    """
    if not table.pages:
        return None
    page = table.pages[item]
    if table.boxes is not None:
        left, top, right, bottom = table.boxes[item].tolist()
        return ItemPlace(page, (left, top, right, bottom))
    if not table.texts:
        return None
    word = table.texts[item]
    alike = [at for at in range(item + 1) if table.texts[at] == word and table.pages[at] == page]
    votes = table.votes.rows(np.array(alike)) == 1
    for name, yes in zip(table.systems, votes.T, strict=True):
        path = table.files.get((name, page))
        if yes[-1] and path is not None and path.suffix.lower() != TEXT:
            found = find_word(path, word, int(yes.sum()))
            if found is not None:
                return ItemPlace(page, found[0], found[1])
    return None


def find_word(path: Path, word: str, number: int = 1) -> tuple[Box, Path | None] | None:
    """Find a word in a PAGE or ALTO file: its box, and the page's image if it is there.

    Parameters
    ----------
    path : Path
    word : str
        As `words_of` gives it.
    number : int
        Which of several, from 1; the last where there are fewer.

    Returns
    -------
    (box, image) or None
        None if it is not in the file, or the file cannot be read.
    """
    try:
        content = read_bytes(path)
        if root_name(content[:4096]) == "alto":
            image, words = _alto_words(content, path)
        else:
            image, words = _page_words(content, path)
        boxes = [box for text, box in words if word in words_of(text)]
    except (SpotlabError, ValueError):
        return None
    return (boxes[min(number, len(boxes)) - 1], _image(path, image)) if boxes else None


def _page_words(content: bytes, path: Path) -> tuple[str, Iterator[tuple[str, Box]]]:
    pages = read_page_tree(content, path)

    def found() -> Iterator[tuple[str, Box]]:
        for region in regions_in_reading_order(pages):
            for line in pages.all(region, "TextLine"):
                words = [word for word in pages.all(line, "Word") if node_text(pages, word)]
                for node in words or [line]:
                    points = np.asarray(read_points(pages, node, path), np.float64)
                    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
                    box = float(left), float(top), float(right), float(bottom)
                    yield node_text(pages, node), box

    return pages.page.get("imageFilename"), found()


def _alto_words(content: bytes, path: Path) -> tuple[str, Iterator[tuple[str, Box]]]:
    nodes = list(read_tree(content, path).root.walk())

    def box(node: Node) -> Box:
        left, top, width, height = (float(node.get(side)) for side in SIDES)
        return left, top, left + width, top + height

    image = next((node.text for node in nodes if node.name == "fileName"), "")
    words = ((node.get("CONTENT"), box(node)) for node in nodes if node.name == "String")
    return image, words


def _image(path: Path, name: str) -> Path | None:
    """The image of that name, from the file's folder or the one above; None if it is not there."""
    plain = name.strip().replace("\\", "/")
    if not plain:
        return None
    places = (folder / plain for folder in (path.parent, path.parent.parent))
    return next((place for place in places if is_file(place)), None)
