"""Changes an XML file in a few places and leaves every other byte of it alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from spotlab.formats.page.xml_tree import Node, Tree

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')""")


def escape_attribute(value: str) -> bytes:
    """The value for an attribute in double quotes; what XML cannot hold becomes �."""
    value = NOT_XML.sub("\ufffd", value)
    for plain, escaped in (
        ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;"),
        ("\t", "&#9;"), ("\n", "&#10;"), ("\r", "&#13;"),
    ):  # fmt: skip
        if plain in value:
            value = value.replace(plain, escaped)
    return value.encode()


def escape_text(value: str) -> bytes:
    """The value for the text of an element."""
    value = NOT_XML.sub("\ufffd", value).replace("&", "&amp;")
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

    def insert(self, offset: int, content: bytes) -> None:
        """Put content in front of the byte at this offset."""
        self._changes.append((offset, offset, content))

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

    def append_in(self, node: Node, content: bytes) -> None:
        """Put content behind the last child of the element, or into it if it has none."""
        if node.children:
            self.insert(self.tree.end(node.children[-1]), content)
            return
        _, stop, empty = self.tree.start_tag(node)
        if not empty:
            self.insert(stop, content)
            return
        name = self.tree.qualified_name(node).encode()
        end = b"</" + name + b">"
        self.replace(stop - 2, stop, b">" + content + self.space(node) + end)

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
