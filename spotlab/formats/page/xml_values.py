"""What the readers of foreign XML share: the root's name, numbers with a message, a page's size."""

from __future__ import annotations

import re
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.images import find_image
from spotlab.formats.page.points import LARGEST, parse_points
from spotlab.formats.page.xml_tree import Node
from spotlab.imaging.header import read_header

_ROOT = re.compile(rb"<(?:[^\s<>/!?:]+:)?([^\s<>/!?:]+)[\s/>]")
_SKIPPED = re.compile(rb"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL)
_NUMBER = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(?:px)?\s*")


def root_name(head: bytes) -> str:
    """The local name of the root element in the beginning of a file; empty if it is no XML.

    Examples
    --------
    >>> root_name(b'<?xml version="1.0"?><!-- x --><a:alto xmlns:a="u">')
    'alto'
    """
    plain = _SKIPPED.sub(b"", head.replace(b"\0", b""))
    found = (
        _ROOT.search(plain) if plain.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1] == b"<" else None
    )
    return found.group(1).decode("utf-8", "replace") if found else ""


def number(value: str, path: Path, node: Node, what: str) -> float:
    """A finite number, with or without "px".

    Raises
    ------
    BadInput
        It is none.
    """
    found = _NUMBER.fullmatch(value)
    result = float(found.group(1)) if found else None
    if result is None or abs(result) > LARGEST:
        problem = f"{what} is {value[:40]!r}" if value else f"{what} is missing"
        raise BadInput(path, problem, place=node.place, expected="a number")
    return result


def size_from_image(path: Path, filename: str, node: Node, missing: str) -> tuple[int, int]:
    """The size of the page in px, from its image.

    Raises
    ------
    BadInput
        The image is not there.
    """
    image = find_image(path, filename)
    if image is None:
        problem = f"{missing} and its image {filename or path.stem} is not there"
        raise BadInput(path, problem, place=node.place, expected="the image beside it")
    header = read_header(image)
    return header.width, header.height


def loose_points(node: Node, attribute: str, path: Path) -> list[tuple[float, float]]:
    """The points of an attribute, ``x,y x,y`` or, as SVG allows too, ``x y x y``.

    Raises
    ------
    BadInput
        Something is not a pair of numbers.
    """
    text = node.get(attribute)
    if "," not in text:
        values = text.split()
        text = " ".join(f"{x},{y}" for x, y in zip(values[::2], values[1::2], strict=False))
    try:
        return parse_points(text)
    except ValueError as error:
        raise BadInput(path, str(error), place=node.place, expected="x,y") from error
