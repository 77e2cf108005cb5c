"""Reads XML safely into a light tree with places, and changes a few places of a file alone."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from spotlab.errors import BadInput
from spotlab.formats.rows.files import MAXIMUM_BYTES, read_bytes
from spotlab.formats.rows.text_files import unpack

MAXIMUM_DEPTH = 200
INSTRUCTION = "spotlab"  # the target of our processing instructions
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_START_TAG = re.compile(rb"""<([^\s/>]+)(?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*(/?)>""")


class Node:
    """An element.

    Attributes
    ----------
    name, namespace : str
        Local name; namespace, empty where there is none.
    attributes : dict
        By local name; those with a namespace as ``namespace}name``.
    parent, children : Node or None, list of Node
    line : int
        Where it starts, from 1.
    start, closing : int
        Byte offsets of its first character and of its end tag (behind it if it is ``<empty/>``) in
        `Tree.data`.
    instruction : int or None
        Offset of the processing instruction in it that stands for its attribute ``custom``.
    """

    __slots__ = (
        "_pieces", "attributes", "children", "closing", "instruction", "line", "name",
        "namespace", "parent", "start",
    )  # fmt: skip

    def __init__(
        self, name: str, attributes: dict[str, str], parent: Node | None, line: int, start: int
    ) -> None:
        self.namespace, _, self.name = name.rpartition("}")
        self.attributes = attributes
        self.parent = parent
        self.children: list[Node] = []
        self.line = line
        self.start = start
        self.closing = start
        self.instruction: int | None = None
        self._pieces: list[str] | None = None

    @property
    def text(self) -> str:
        """The characters directly in it."""
        return "".join(self._pieces) if self._pieces else ""

    def add_text(self, piece: str) -> None:
        """Take more characters in."""
        if self._pieces is None:
            self._pieces = []
        self._pieces.append(piece)

    def get(self, name: str, default: str = "") -> str:
        """The attribute's value."""
        return self.attributes.get(name, default)

    def child(self, name: str) -> Node | None:
        """The first child with this local name."""
        return next((child for child in self.children if child.name == name), None)

    def all(self, name: str) -> list[Node]:
        """The children with this local name."""
        return [child for child in self.children if child.name == name]

    def walk(self) -> Iterator[Node]:
        """Itself and everything in it, in the order of the file."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def place(self) -> str:
        """Tell where it is, for a message."""
        id = self.get("id") or self.get("ID")
        return f"line {self.line}, {self.name}" + (f" {id}" if id else "")


@dataclass(frozen=True)
class Tree:
    """A parsed file.

    Attributes
    ----------
    root : Node
    data : bytes
        The file in UTF-8 without a byte order mark; the nodes' offsets point in here.
    encoding : str
        What the file is written in.
    mark : bytes
        Its byte order mark, if it has one.
    """

    root: Node
    data: bytes
    encoding: str
    mark: bytes

    def start_tag(self, node: Node) -> tuple[int, int, bool]:
        """Start and end offset of the node's start tag and whether it is ``<empty/>``."""
        match = _START_TAG.match(self.data, node.start)
        assert match is not None  # the parser has accepted it
        return match.start(), match.end(), bool(match.group(2))

    def end(self, node: Node) -> int:
        """Offset behind the node."""
        _, stop, empty = self.start_tag(node)
        return stop if empty else self.data.index(b">", node.closing) + 1

    def instruction(self, node: Node) -> tuple[int, int]:
        """Start and end offset of its processing instruction, which is there."""
        assert node.instruction is not None
        return node.instruction, self.data.index(b"?>", node.instruction) + 2

    def qualified_name(self, node: Node) -> str:
        """Its name with the prefix that the file uses."""
        match = _START_TAG.match(self.data, node.start)
        assert match is not None
        return match.group(1).decode()

    def encode(self, data: bytes) -> bytes:
        """UTF-8 data in the encoding of the file."""
        if self.encoding == "utf-8":
            return self.mark + data
        return self.mark + data.decode().encode(self.encoding, "xmlcharrefreplace")


def read_tree(source: bytes, path: Path) -> Tree:
    """Parse an XML file.

    Raises
    ------
    BadInput
        It is not well-formed, is encoded in something unknown, is too large or too deep, or wants
        entities.
    """
    source = unpack(source, path)
    if len(source) > MAXIMUM_BYTES:
        raise BadInput(path, f"{len(source):,} bytes", expected=f"at most {MAXIMUM_BYTES:,}")
    data, encoding, mark = _as_utf8(source, path)
    builder = _Builder(path)
    parser = builder.parser
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        problem = expat.errors.messages.get(error.code, "broken")
        raise BadInput(
            path, f"not well-formed XML: {problem}", place=f"line {error.lineno}"
        ) from error
    assert builder.root is not None  # expat refuses a document without an element
    return Tree(builder.root, data, encoding, mark)


def read_svg(path: Path) -> Node:
    """The root of an SVG file.

    Raises
    ------
    BadInput
        As `read_tree`, or it is no SVG.
    """
    root = read_tree(read_bytes(path), path).root
    if root.name != "svg":
        raise BadInput(path, f"the root is {root.name}", place="line 1", expected="svg")
    return root


class _Builder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.root: Node | None = None
        self.open: list[Node] = []
        self.parser = parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.stop
        parser.CharacterDataHandler = self.characters
        parser.ProcessingInstructionHandler = self.instruction
        parser.StartDoctypeDeclHandler = self.document_type
        parser.SkippedEntityHandler = self.entity

    def start(self, name: str, attributes: dict[str, str]) -> None:
        parent = self.open[-1] if self.open else None
        parser = self.parser
        node = Node(name, attributes, parent, parser.CurrentLineNumber, parser.CurrentByteIndex)
        if parent is None:
            self.root = node
        else:
            parent.children.append(node)
        self.open.append(node)
        if len(self.open) > MAXIMUM_DEPTH:
            self.refuse(f"elements are nested deeper than {MAXIMUM_DEPTH}")

    def stop(self, _name: str) -> None:
        self.open.pop().closing = self.parser.CurrentByteIndex

    def characters(self, data: str) -> None:
        self.open[-1].add_text(data)

    def instruction(self, target: str, data: str) -> None:
        """Take ours as the attribute ``custom`` of the element that it stands in."""
        node = self.open[-1] if self.open else None
        if target == INSTRUCTION and node is not None and "custom" not in node.attributes:
            node.instruction = self.parser.CurrentByteIndex
            node.attributes["custom"] = f"{INSTRUCTION} {data}"

    def document_type(
        self, _name: str, _system: str | None, _public: str | None, declares: bool
    ) -> None:
        if declares:
            self.refuse(
                "the document type declares entities or elements, which spotlab does not read"
            )

    def entity(self, name: str, _parameter: bool) -> None:
        self.refuse(f"unknown entity &{name};")

    def refuse(self, problem: str) -> NoReturn:
        raise BadInput(self.path, problem, place=f"line {self.parser.CurrentLineNumber}")


def _as_utf8(source: bytes, path: Path) -> tuple[bytes, str, bytes]:
    mark, encoding = b"", ""
    for candidate, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if source.startswith(candidate):
            mark, encoding = candidate, name
    if not encoding and source[:2] in (b"<\0", b"\0<"):
        encoding = "utf-16-le" if source[:1] == b"<" else "utf-16-be"
    if not encoding:
        declared = _DECLARED.match(source[:400])
        encoding = declared.group(1).decode().lower() if declared else "utf-8"
        if encoding.startswith(("utf-16", "utf-32", "ucs")):
            encoding = "utf-8"  # or the declaration could not have been read
    body = source[len(mark) :]
    try:
        encoding = "utf-8" if encoding in ("utf8", "us-ascii", "ascii") else encoding
        if encoding == "utf-8":
            body.decode()
            return body, encoding, mark
        return body.decode(encoding).encode(), encoding, mark
    except LookupError as error:
        raise BadInput(path, f"unknown encoding {encoding}", expected="UTF-8") from error
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        problem = f"the byte 0x{body[error.start]:02X} is not {encoding.upper()}"
        declared = _DECLARED.match(source[:400])
        expected = "the encoding that the first line declares" if declared else "UTF-8"
        raise BadInput(path, problem, place=f"line {line}", expected=expected) from error
    except ValueError as error:
        raise BadInput(path, f"is not in {encoding.upper()}") from error


NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')""")


def in_xml(value: str) -> str:
    """The value as XML can hold it: other characters become �."""
    return NOT_XML.sub("\ufffd", value)


def escape_attribute(value: str) -> bytes:
    """The value for an attribute in double quotes; what XML cannot hold becomes �."""
    value = in_xml(value)
    for plain, escaped in (
        ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;"),
        ("\t", "&#9;"), ("\n", "&#10;"), ("\r", "&#13;"),
    ):  # fmt: skip
        if plain in value:
            value = value.replace(plain, escaped)
    return value.encode()


def escape_text(value: str) -> bytes:
    """The value for the text of an element."""
    value = in_xml(value).replace("&", "&amp;")
    return value.replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;").encode()


def start_tag(name: bytes, attributes: dict[str, str], empty: bool = False) -> bytes:
    """A start tag; attributes in the order given."""
    parts = [b"<", name]
    for key, value in attributes.items():
        parts += (b" ", key.encode(), b'="', escape_attribute(value), b'"')
    parts.append(b"/>" if empty else b">")
    return b"".join(parts)


@dataclass
class Patch:
    """Changes to a file, collected and then applied at once.

    Where a change lies within a stretch that is deleted, the deletion wins.
    """

    tree: Tree
    _changes: list[tuple[int, int, bytes]] = field(default_factory=list)

    def replace(self, start: int, stop: int, content: bytes) -> None:
        """Put content in place of the bytes from start to before stop."""
        self._changes.append((start, stop, content))

    def insert(self, offset: int, content: bytes, *, first: bool = False) -> None:
        """Put content in front of the byte at this offset, behind or before what is put there."""
        change = (offset, offset, content)
        self._changes.insert(0 if first else len(self._changes), change)

    def delete(self, start: int, stop: int) -> None:
        """Take the bytes from start to before stop away."""
        self._changes.append((start, stop, b""))

    def delete_node(self, node: Node) -> None:
        """Take the element away with the white space in front of it."""
        self.delete(self.space_start(node), self.tree.end(node))

    def set_attribute(self, node: Node, name: str, value: str | None) -> None:
        """Change, add or (None) take away one attribute without a prefix."""
        start, stop, empty = self.tree.start_tag(node)
        tag = self.tree.data[start:stop]
        for match in _ATTRIBUTE.finditer(tag):
            if match.group(1) != name.encode():
                continue
            if value is None:
                self.delete(start + match.start(), start + match.end())
            else:
                inside = start + match.start(2) + 1, start + match.end(2) - 1
                self.replace(*inside, escape_attribute(value))
            return
        if value is not None:
            end = start + len(tag[: -2 if empty else -1].rstrip())
            self.insert(end, b" " + name.encode() + b'="' + escape_attribute(value) + b'"')

    def set_text(self, node: Node, value: str) -> None:
        """Replace everything in the element by this text."""
        _, stop, empty = self.tree.start_tag(node)
        if empty:
            name = self.tree.qualified_name(node).encode()
            self.replace(stop - 2, stop, b">" + escape_text(value) + b"</" + name + b">")
        else:
            self.replace(stop, node.closing, escape_text(value))

    def put_first(self, node: Node, content: bytes) -> None:
        """Put content in front of everything in the element."""
        _, stop, empty = self.tree.start_tag(node)
        if not empty:
            self.insert(stop, content)
            return
        self._fill(node, content)

    def _fill(self, node: Node, content: bytes) -> None:
        """Put content into an element that is ``<empty/>``, behind what was put there before."""
        _, stop, _ = self.tree.start_tag(node)
        place = stop - 2, stop
        end = b"</" + self.tree.qualified_name(node).encode() + b">"
        for index, (first, last, given) in enumerate(self._changes):
            if (first, last) == place:
                self._changes[index] = (*place, given.removesuffix(end) + content + end)
                return
        self.replace(*place, b">" + content + end)

    def append_in(self, node: Node, content: bytes) -> None:
        """Put content behind the last child of the element, or into it if it has none."""
        if node.children:
            self.insert(self.tree.end(node.children[-1]), content)
            return
        _, stop, empty = self.tree.start_tag(node)
        if not empty:
            self.insert(stop, content)
            return
        self._fill(node, content + self.space(node))

    def space_start(self, node: Node) -> int:
        """Offset where the white space in front of the element begins."""
        start = node.start
        data = self.tree.data
        while start > 0 and data[start - 1] in b" \t\r\n":
            start -= 1
        return start

    def space(self, node: Node) -> bytes:
        """The white space in front of the element."""
        return self.tree.data[self.space_start(node) : node.start]

    def render(self, start: int = 0, stop: int | None = None) -> bytes:
        """The bytes from start to before stop with all changes that lie within."""
        data = self.tree.data
        stop = len(data) if stop is None else stop
        pieces: list[bytes] = []
        position = start
        self._changes.sort(key=lambda change: change[:2])  # insertions before deletions
        for first, last, content in self._changes[bisect_left(self._changes, (start,)) :]:
            if first > stop:
                break
            if first < position or last > stop:
                continue
            pieces += (data[position:first], content)
            position = last
        pieces.append(data[position:stop])
        return b"".join(pieces)
