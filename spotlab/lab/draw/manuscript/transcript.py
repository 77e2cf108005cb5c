"""Text written on a synthetic page with its positions, also as PAGE XML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from spotlab import __version__
from spotlab.arrays import Points
from spotlab.formats.page.values import CURRENT, LOCATION, XSI
from spotlab.formats.page.xml_tree import escape_text, start_tag
from spotlab.libraries import shapely

_CHANGED = "2020-01-01T00:00:00+00:00"  # files depend on the seed alone
_TYPES = {"heading": "heading", "paragraph": "paragraph", "signature": "signature-mark"}


@dataclass(frozen=True, eq=False)
class TrueWord:
    """A word, what stands behind it and is not of it, and the hull of its ink (K, 2) in px."""

    text: str
    behind: str
    hull: Points


@dataclass(frozen=True, eq=False)
class TrueLine:
    """A line of writing; ``baseline`` is (K, 2) in px."""

    words: tuple[TrueWord, ...]
    baseline: Points

    @property
    def text(self) -> str:
        """Return what is written in it."""
        return " ".join(word.text + word.behind for word in self.words)

    @property
    def hull(self) -> Points:
        """The hull of the words' ink."""
        return _hull(word.hull for word in self.words)


@dataclass(frozen=True, eq=False)
class TrueBlock:
    """Lines that belong together: a "heading", "paragraph" or "signature"."""

    kind: str
    lines: tuple[TrueLine, ...]

    @property
    def text(self) -> str:
        """Its lines."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, eq=False)
class Transcript:
    """All that is written on a page of this size in px, in reading order."""

    width: int
    height: int
    blocks: tuple[TrueBlock, ...]

    @property
    def words(self) -> list[TrueWord]:
        """The words in reading order."""
        return [word for block in self.blocks for line in block.lines for word in line.words]

    def page_xml(self, image: str) -> bytes:
        """The page as PAGE 2019-07-15; ``image`` is its file name."""
        root = {"xmlns": CURRENT, "xmlns:xsi": XSI, "xsi:schemaLocation": LOCATION}
        page = {
            "imageFilename": image,
            "imageWidth": str(self.width),
            "imageHeight": str(self.height),
        }
        lines = [b'<?xml version="1.0" encoding="UTF-8"?>', start_tag(b"PcGts", root)]
        lines += [
            b"  <Metadata>",
            f"    <Creator>spotlab {__version__}</Creator>".encode(),
            f"    <Created>{_CHANGED}</Created>".encode(),
            f"    <LastChange>{_CHANGED}</LastChange>".encode(),
            b"  </Metadata>",
            b"  " + start_tag(b"Page", page),
        ]
        for number, block in enumerate(self.blocks, 1):
            lines += self._block(block, f"r{number}")
        return b"\n".join([*lines, b"  </Page>", b"</PcGts>", b""])

    def _block(self, block: TrueBlock, id: str) -> list[bytes]:
        hull = _hull(line.hull for line in block.lines)
        lines = [
            b"    " + start_tag(b"TextRegion", {"id": id, "type": _TYPES[block.kind]}),
            b"      " + _coords(hull),
        ]
        for number, line in enumerate(block.lines, 1):
            lines += self._line(line, f"{id}_l{number}")
        return [*lines, b"      " + _text(block.text), b"    </TextRegion>"]

    def _line(self, line: TrueLine, id: str) -> list[bytes]:
        baseline = np.clip(line.baseline.round(), 0, (self.width, self.height))
        lines = [
            b"      " + start_tag(b"TextLine", {"id": id}),
            b"        " + _coords(line.hull),
            b"        " + start_tag(b"Baseline", {"points": _points(baseline)}, empty=True),
        ]
        for number, word in enumerate(line.words, 1):
            lines += [
                b"        " + start_tag(b"Word", {"id": f"{id}_w{number}"}),
                b"          " + _coords(word.hull) + _text(word.text),
                b"        </Word>",
            ]
        return [*lines, b"        " + _text(line.text), b"      </TextLine>"]


def _hull(hulls: Iterable[Points]) -> Points:
    whole = shapely.MultiPoint(np.vstack(list(hulls))).convex_hull
    return np.asarray(shapely.get_coordinates(whole)[:-1], np.float64)


def _points(points: Points) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points.tolist())


def _coords(points: Points) -> bytes:
    return start_tag(b"Coords", {"points": _points(points)}, empty=True)


def _text(text: str) -> bytes:
    return b"<TextEquiv><Unicode>" + escape_text(text) + b"</Unicode></TextEquiv>"
