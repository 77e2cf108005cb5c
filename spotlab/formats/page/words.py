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
from spotlab.formats.page.version import Version
from spotlab.formats.page.xml_tree import Node, Patch, escape_text, start_tag
from spotlab.model import Region

OWN_ELEMENTS = ("CustomRegion", "UnknownRegion")  # that regions of ours are


def is_word(region: Region) -> bool:
    """Tell whether a region is written as a Word."""
    return region.label == WORD_LABEL and bool(region.text)


def changes_kind(pages: PageTree, node: Node, region: Region) -> bool:
    """Tell whether an element that spotlab wrote has to become a Word, or one no more."""
    if own_word_line(pages, node) is not None:
        return not is_word(region)
    ours = pages.name(node) in OWN_ELEMENTS and "primitive" in read_custom(node.get("custom"))
    plain = all(pages.name(child) in ("Coords", "UserDefined") for child in node.children)
    return ours and plain and is_word(region)


@dataclass(frozen=True)
class WordElement:
    """The line, the word and the text in the text region of a word.

    Attributes
    ----------
    version : Version
    prefix : bytes
        Of the file's names, with its colon.
    points : str
        The outline, as PAGE has it.
    line_id, word_id : str
    text : str
    """

    version: Version
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
        coords = self.version.coords(self.prefix, self.points)
        names = ("Unicode",) if self.version.has_custom else ("PlainText", "Unicode")
        text = self._start("TextEquiv") + b"".join(
            self._start(name) + escape_text(self.text) + self._end(name) for name in names
        ) + self._end("TextEquiv")  # fmt: skip
        return b"".join((
            inner, self._start("TextLine", self.line_id), deeper, coords,
            deeper, self._start("Word", self.word_id), deepest, coords,
            deepest, text, deeper, self._end("Word"), inner, self._end("TextLine"), inner, text,
        ))  # fmt: skip

    def _start(self, name: str, id: str = "") -> bytes:
        return start_tag(self.version.name(self.prefix, name), {"id": id} if id else {})

    def _end(self, name: str) -> bytes:
        return b"</" + self.version.name(self.prefix, name) + b">"


def move_inside(
    pages: PageTree, patch: Patch, version: Version, prefix: bytes, node: Node, points: str
) -> None:
    """Give the line and the word of a word's text region its new outline."""
    line = own_word_line(pages, node)
    if line is None:
        return
    for element in (line, *pages.all(line, "Word")):
        coords = pages.child(element, "Coords")
        if coords is not None:
            version.move(pages, patch, prefix, coords, points)


def rewrite(pages: PageTree, patch: Patch, unicode: Node, text: str) -> None:
    """Give a TextEquiv another text, also as PlainText where that said the same."""
    patch.set_text(unicode, text)
    plain = pages.child(unicode.parent, "PlainText") if unicode.parent is not None else None
    if plain is not None and plain.text == unicode.text:
        patch.set_text(plain, text)


def rewrite_inside(pages: PageTree, patch: Patch, node: Node, text: str) -> None:
    """Give the word of a word's text region its new text."""
    line = own_word_line(pages, node)
    for word in pages.all(line, "Word") if line is not None else ():
        unicode = text_node(pages, word, last=True)
        if unicode is not None:
            rewrite(pages, patch, unicode, text)
