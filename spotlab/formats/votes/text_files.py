"""Reads the words of a page from a plain text, or from PAGE or ALTO, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from spotlab.errors import BadInput, reason
from spotlab.files import read_file
from spotlab.formats.page.read import PageTree, image_filename, read_page_tree, text_node
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.page.xml_values import root_name
from spotlab.formats.rows.file_content import read_bytes
from spotlab.formats.rows.numbers import whole_number
from spotlab.formats.votes.tokens import words_of

TEXT, XML = ".txt", (".xml", ".alto")
SUFFIXES = (TEXT, *XML)


@dataclass(frozen=True)
class PageText:
    """What a system read on a page.

    Attributes
    ----------
    path : Path
    image : str
        The name of the page's image without ending, where the file tells it.
    tokens : tuple of str
    """

    path: Path
    image: str
    tokens: tuple[str, ...]


def read_page_text(path: Path) -> PageText:
    """The words of one file.

    Raises
    ------
    BadInput
        It cannot be read, is not UTF-8, or XML that is neither PAGE nor ALTO.
    """
    image, text = read_text(path)
    return PageText(path, image, tuple(words_of(text)))


def read_text(path: Path) -> tuple[str, str]:
    """The name of the page's image, "" where the file does not tell it, and the text as it is.

    Raises
    ------
    BadInput
        See `read_page_text`.
    """
    if path.suffix.lower() == TEXT:
        try:
            content = read_file(path)  # may be empty: a system that read nothing
            return "", content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            problem = f"not UTF-8: the byte 0x{content[error.start]:02X} at {error.start + 1}"
            raise BadInput(path, problem, expected="a text in UTF-8") from error
        except OSError as error:
            raise BadInput(path, f"cannot be read: {reason(error)}") from error
    content = read_bytes(path)
    name = root_name(content[:4096])
    if name == "alto":
        root = read_tree(content, path).root
        image = next((node.text for node in root.walk() if node.name == "fileName"), "")
        strings = (node.get("CONTENT") for node in root.walk() if node.name == "String")
        return _stem(image), " ".join(strings)
    pages = read_page_tree(content, path)
    texts = ("\n".join(_texts(pages, region)) for region in regions_in_reading_order(pages))
    return _stem(image_filename(pages)), "\n\n".join(texts)


def _stem(name: str) -> str:
    """A file's name without folders and ending, however its path is written."""
    return PurePosixPath(PureWindowsPath(name.strip()).name).stem


def regions_in_reading_order(pages: PageTree) -> list[Node]:
    """The regions as the reading order has them, then those that it does not name."""
    regions = list(pages.region_nodes())
    order = pages.child(pages.page, "ReadingOrder")
    if order is None:
        return regions
    named = [node.get("regionRef") for node in _references(order)]
    place = {id: index for index, id in reversed(list(enumerate(named)))}
    return sorted(regions, key=lambda region: place.get(region.get("id"), len(named)))


def _references(group: Node) -> Iterator[Node]:
    """The references of a group and of those in it, by their index where they have one."""
    for node in sorted(group.children, key=_index):
        if node.get("regionRef"):
            yield node
        yield from _references(node)


def _index(node: Node) -> int:
    return whole_number(node.get("index")) or 0


def _texts(pages: PageTree, region: Node) -> Iterator[str]:
    """The texts of a region, from its words where it has any, else of lines, else its own."""
    lines = pages.all(region, "TextLine")
    if not lines:
        yield node_text(pages, region)
    for line in lines:
        words = [node_text(pages, word) for word in pages.all(line, "Word")]
        yield " ".join(words) if any(words) else node_text(pages, line)


def node_text(pages: PageTree, node: Node) -> str:
    """The last of its texts, as PAGE's ground truth has it, or that which is numbered lowest."""
    texts = pages.all(node, "TextEquiv")
    numbered = [text for text in texts if whole_number(text.get("index")) is not None]
    if numbered:
        unicode = pages.child(min(numbered, key=_index), "Unicode")
    else:
        unicode = text_node(pages, node, last=True)
    return "" if unicode is None else unicode.text
