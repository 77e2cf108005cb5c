"""The words of a page: where they are, and descriptors of what they look like."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.imaging.conversion import Pixels
from spotlab.spotting.words.descriptors import WordDescriptor
from spotlab.spotting.words.extraction.candidates import WordCandidates, word_candidates
from spotlab.spotting.words.extraction.channels import Channels, prepare_channels
from spotlab.spotting.words.extraction.descriptor import describe, descriptor_changes
from spotlab.spotting.words.extraction.ink import InkMap, WordInk, word_ink
from spotlab.spotting.words.extraction.layout import Layout, find_layout

Boxes = NDArray[np.float64]
Box = tuple[float, float, float, float]

_LONG = 1.3  # heights: only wider words are looked for up the page, where most is no word


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
    boxes = boxes_turned_back(words.boxes, len(ink))
    return replace(words, boxes=boxes, turns=np.ones(len(boxes), np.int8))


def boxes_turned_back(boxes: Boxes, height: int) -> Boxes:
    """Boxes on a page that was turned clockwise by a quarter, as they were before.

    Parameters
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.
    height : int
        Of the page before, in px.

    Examples
    --------
    >>> boxes_turned_back(np.array([[10.0, 20, 40, 30]]), 100).tolist()
    [[20.0, 60.0, 30.0, 90.0]]
    """
    left, top, right, bottom = boxes.T
    return np.stack([top, height - right, bottom, height - left], axis=1)


def _joined(level: PageWords, upwards: PageWords) -> PageWords:
    columns = (field.name for field in fields(PageWords))
    return PageWords(
        *(np.concatenate([getattr(level, name), getattr(upwards, name)]) for name in columns)
    )
