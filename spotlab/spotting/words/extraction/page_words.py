"""The words of a page: where they are, and descriptors of what they look like."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.imaging.conversion import Pixels, darkness
from spotlab.imaging.pixels import read_page
from spotlab.spotting.words.descriptors import WordDescriptor
from spotlab.spotting.words.extraction.candidates import WordCandidates, word_candidates
from spotlab.spotting.words.extraction.channels import Channels, channels_at, prepare_channels
from spotlab.spotting.words.extraction.descriptor import describe, descriptor_changes
from spotlab.spotting.words.extraction.drawn_box import clean_box
from spotlab.spotting.words.extraction.ink import InkMap, WordInk, word_ink
from spotlab.spotting.words.extraction.layout import Layout, find_layout
from spotlab.spotting.words.extraction.zones import shrink_to_ink

Boxes = NDArray[np.float64]
Box = tuple[float, float, float, float]

_LONG = 1.3  # heights: only wider words are looked for up the page, where most is no word
_PAPER = 75  # per cent of a page's part that are darker than its paper, or as dark


@dataclass(frozen=True)
class WordSettings:
    """How words are extracted from pages and compared.

    Attributes
    ----------
    ink : WordInk
        Which of the dark pixels count as ink.
    descriptor : WordDescriptor
        What words are compared by.
    network : Path or None
        The network's file; None for the one that was adapted to the pages, else the one that
        comes with spotlab.
    adapted : bool
        Use the network that was adapted to the pages, if there is one.
    """

    ink: WordInk = WordInk.NONE
    descriptor: WordDescriptor = WordDescriptor.BOTH
    network: Path | None = None
    adapted: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.ink, WordInk):
            raise TypeError(f"the ink is a WordInk, not {self.ink!r}")
        if not isinstance(self.descriptor, WordDescriptor):
            raise TypeError(f"the descriptor is a WordDescriptor, not {self.descriptor!r}")


@dataclass(frozen=True, eq=False)
class PageWords:
    """The words of one page, or what may be words.

    Attributes
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.
    raw : (N, D) float16
        Descriptors before projection.
    changes : (M, D) float16
        How disturbances change the descriptors of some of them.
    apart : (N,) float32
        As of `WordCandidates`; 1 for given words.
    turns : (N,) int8
        Quarter turns clockwise that make each word run from left to right: 1 for a word that was
        found as one that runs up the page.
    """

    boxes: NDArray[np.float64]
    raw: NDArray[np.float16]
    changes: NDArray[np.float16]
    apart: NDArray[np.float32]
    turns: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.boxes)


def extract_words(pixels: Pixels, settings: WordSettings, boxes: Boxes | None = None) -> PageWords:
    """Extract the words of a page: those in given boxes, or all that may be words.

    Words that run up the page are looked for where it is no running text: in diagrams and plans.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    settings : WordSettings
    boxes : (N, 4) float, optional
        left, top, right, bottom in px; may reach over the page's edges.

    Returns
    -------
    PageWords
        Empty for a blank page.

    Examples
    --------
    >>> blank = np.full((60, 90), 255, np.uint8)
    >>> len(extract_words(blank, WordSettings()))
    0
    """
    ink = word_ink(pixels, settings.ink)
    layout = find_layout(ink)
    channels = prepare_channels(ink, layout)
    if boxes is not None:
        return _described(channels, WordCandidates(boxes, np.ones(len(boxes), np.float32)))
    level = _described(channels, word_candidates(layout))
    return level if layout.is_text else _joined(level, _upwards(ink, layout.turned()))


def _described(channels: Channels, found: WordCandidates) -> PageWords:
    raw = describe(channels, found.boxes).astype(np.float16)
    changes = descriptor_changes(channels, found.boxes).astype(np.float16)
    return PageWords(found.boxes, raw, changes, found.apart, np.zeros(len(raw), np.int8))


def _upwards(ink: InkMap, turned: Layout) -> PageWords:
    """What may be words that run up the page: they run level once it is turned clockwise."""
    channels = prepare_channels(np.ascontiguousarray(np.rot90(ink, -1)), turned)
    found = word_candidates(turned)
    sides = found.boxes[:, 2:] - found.boxes[:, :2]
    words = _described(channels, found.take(sides[:, 0] > _LONG * sides[:, 1]))
    left, top, right, bottom = words.boxes.T
    boxes = np.stack([top, len(ink) - right, bottom, len(ink) - left], axis=1)
    return replace(words, boxes=boxes, turns=np.ones(len(boxes), np.int8))


def _joined(level: PageWords, upwards: PageWords) -> PageWords:
    columns = (field.name for field in fields(PageWords))
    return PageWords(
        *(np.concatenate([getattr(level, name), getattr(upwards, name)]) for name in columns)
    )


@dataclass(frozen=True, eq=False)
class DrawnWord:
    """The word in a box that was drawn on a page.

    Attributes
    ----------
    raw : (1, D) float32
        As `extract_words` describes what is left.
    cleaned : (float, float, float, float)
        left, top, right, bottom in px of what is left.
    grey : (h, w) uint8
        Part of the page without what leaves the box.
    corner : (int, int)
        left and top in px of that part.
    """

    raw: NDArray[np.float32]
    cleaned: Box
    grey: NDArray[np.uint8]
    corner: tuple[int, int]


def describe_box(image: Path, frame: int, box: Box, settings: WordSettings) -> DrawnWord:
    """Describe the word in a box that was drawn on a page, however loosely.

    Strokes of which more lies beyond the box than in it, such as rulings and neighbours' letters,
    are left out.

    Parameters
    ----------
    image : Path
    frame : int
        Number of the page in the file.
    box : (float, float, float, float)
        left, top, right, bottom in px.
    settings : WordSettings

    Raises
    ------
    BadInput
        Nothing of the box is on the page.
    """
    stamp = image.stat()
    grey, ink, channels = _page_of(image, frame, settings.ink, (stamp.st_mtime_ns, stamp.st_size))
    height, width = ink.shape
    if box[0] >= width or box[1] >= height or box[2] <= 0 or box[3] <= 0:
        raise BadInput(
            image, f"the query's box lies beside the page of about {width} × {height} px"
        )
    cleaned = clean_box(ink, box, channels.scale)
    left, top = 0, 0
    if cleaned is not None:
        (left, top), clean = cleaned
        channels = channels_at(clean, channels.scale, channels.slant)
        grey = _without_foreign(grey, ink, (left, top), clean)
    moved = np.array([box]) - np.array([left, top, left, top])
    raw = describe(channels, moved).astype(np.float16).astype(np.float32)
    shrunk = shrink_to_ink(channels.ink, moved * channels.scale)[0] / channels.scale
    x0, y0, x1, y1 = np.round(shrunk + np.array([left, top, left, top]), 1).tolist()
    is_box = x0 < x1 and y0 < y1
    return DrawnWord(raw, (x0, y0, x1, y1) if is_box else box, grey, (left, top))


def _without_foreign(
    grey: NDArray[np.uint8], ink: InkMap, corner: tuple[int, int], clean: InkMap
) -> NDArray[np.uint8]:
    """Part of a page, with paper where ink was taken out."""
    height, width = clean.shape
    part = np.s_[corner[1] : corner[1] + height, corner[0] : corner[0] + width]
    left_out = (ink[part] > 0) & (clean == 0)
    paper = np.percentile(grey[part], _PAPER)
    return np.where(left_out, np.maximum(grey[part], paper), grey[part]).astype(np.uint8)


@lru_cache(maxsize=2)
def _page_of(
    image: Path, frame: int, method: WordInk, _stamp: tuple[int, int]
) -> tuple[NDArray[np.uint8], InkMap, Channels]:
    pixels = read_page(image, frame)
    ink = word_ink(pixels, method)
    return darkness(pixels), ink, prepare_channels(ink)
