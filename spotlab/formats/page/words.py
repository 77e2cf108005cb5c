"""Transcribed words as PAGE has them: a Word in a TextLine of a TextRegion.

A region that is labelled ``word`` and has a text is written so, that other programs and
``spotlab spot words`` read what is written there. PAGE allows a Word in a line of a text region
only, and which words stand in one line is not known: each has a text region of its own, with the
same outline::

    <TextRegion id="r1" custom="spotlab {primitive:box; label:word;}">
      <Coords points="…"/>
      <TextLine id="r1_line"><Coords points="…"/>
        <Word id="r1_word"><Coords points="…"/>
          <TextEquiv><Unicode>orders</Unicode></TextEquiv>
        </Word>
      </TextLine>
      <TextEquiv><Unicode>orders</Unicode></TextEquiv>
    </TextRegion>
"""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.formats.page.read import WORD_LABEL, PageTree, own_word_line, text_node
from spotlab.formats.page.values import read_custom
from spotlab.formats.page.xml_tree import Node, Patch, escape_text, start_tag
from spotlab.model import Region


def is_word(region: Region) -> bool:
    """Tell whether a region is written as a Word."""
    return region.label == WORD_LABEL and bool(region.text)


def changes_kind(pages: PageTree, node: Node, region: Region) -> bool:
    """Tell whether an element that spotlab wrote has to become a Word, or one no more."""
    if own_word_line(pages, node) is not None:
        return not is_word(region)
    ours = pages.name(node) == "CustomRegion" and "primitive" in read_custom(node.get("custom"))
    plain = all(pages.name(child) in ("Coords", "UserDefined") for child in node.children)
    return ours and plain and is_word(region)


@dataclass(frozen=True)
class WordElement:
    """The line, the word and the text in the text region of a word.

    Attributes
    ----------
    prefix : bytes
        Of the file's names, with its colon.
    points : str
        The outline, as PAGE has it.
    line_id, word_id : str
    text : str
    """

    prefix: bytes
    points: str
    line_id: str
    word_id: str
    text: str

    def render(self, inner: bytes, unit: bytes) -> bytes:
        """The bytes.

        Parameters
        ----------
        inner : bytes
            The white space in front of what is in the region.
        unit : bytes
            By how much what is inside an element is indented.
        """
        deeper, deepest = (inner + unit * count if inner else b"" for count in (1, 2))
        coords = start_tag(self.prefix + b"Coords", {"points": self.points}, empty=True)
        text = (
            start_tag(self.prefix + b"TextEquiv", {}) + start_tag(self.prefix + b"Unicode", {})
            + escape_text(self.text) + self._end(b"Unicode") + self._end(b"TextEquiv")
        )  # fmt: skip
        return b"".join((
            inner, start_tag(self.prefix + b"TextLine", {"id": self.line_id}), deeper, coords,
            deeper, start_tag(self.prefix + b"Word", {"id": self.word_id}), deepest, coords,
            deepest, text, deeper, self._end(b"Word"), inner, self._end(b"TextLine"), inner, text,
        ))  # fmt: skip

    def _end(self, name: bytes) -> bytes:
        return b"</" + self.prefix + name + b">"


def move_inside(pages: PageTree, patch: Patch, node: Node, points: str) -> None:
    """Give the line and the word of a word's text region its new outline."""
    line = own_word_line(pages, node)
    if line is None:
        return
    for element in (line, *pages.all(line, "Word")):
        coords = pages.child(element, "Coords")
        if coords is not None:
            patch.set_attribute(coords, "points", points)


def rewrite_inside(pages: PageTree, patch: Patch, node: Node, text: str) -> None:
    """Give the word of a word's text region its new text."""
    line = own_word_line(pages, node)
    for word in pages.all(line, "Word") if line is not None else ():
        unicode = text_node(pages, word, last=True)
        if unicode is not None:
            patch.set_text(unicode, text)
