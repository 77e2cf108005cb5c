"""The words of a page: where they are, and descriptors of what they look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.imaging.reading.conversion import Pixels
from spotlab.spotting.words.extraction.candidates import WordCandidates, word_candidates
from spotlab.spotting.words.extraction.descriptor import (
    Channels,
    WordDescriptor,
    describe_with_changes,
    prepare_channels,
)
from spotlab.spotting.words.extraction.ink import InkMap, WordInk, word_ink
from spotlab.spotting.words.extraction.layout import Layout, find_layout

Box = tuple[float, float, float, float]

_LONG = 1.3  # heights: only wider words are looked for up the page, where most is no word


@dataclass(frozen=True)
class WordSettings:
    """Settings for extracting words from pages and comparing them.

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
        Quarter turns clockwise that make each word run from left to right: 1 for a word that runs
        up the page, -1 for one that runs down it, which only given words do.
    """

    boxes: NDArray[np.float64]
    raw: NDArray[np.float16]
    changes: NDArray[np.float16]
    apart: NDArray[np.float32]
    turns: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.boxes)


def extract_words(
    pixels: Pixels,
    settings: WordSettings,
    boxes: Boxes | None = None,
    turns: Ints | int = 0,
) -> PageWords:
    """Extract the words of a page: those in given boxes, or all that may be words.

    Words that run up the page are looked for where it is no running text: in diagrams and plans.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    settings : WordSettings
    boxes : (N, 4) float, optional
        left, top, right, bottom in px; may reach over the page's edges.
    turns : int or (N,) int
        Quarter turns clockwise that make the words in given boxes run from left to right.

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
    if boxes is not None:
        return _given(ink, layout, boxes, np.broadcast_to(np.asarray(turns), len(boxes)))
    level = _described(prepare_channels(ink, layout), word_candidates(layout))
    return level if layout.is_text else _joined([level, _upwards(ink, layout.turned(1))])


def _given(ink: InkMap, layout: Layout, boxes: Boxes, turns: Ints) -> PageWords:
    """The words in boxes, each along its writing."""
    parts, places = [], [np.zeros(0, np.int64)]
    for turn in np.unique(turns).tolist() or [0]:
        places.append(np.flatnonzero(turns == turn))
        given = boxes[places[-1]]
        seen = turned_boxes(given, ink.shape, turn)
        channels = prepare_channels(_turned(ink, turn), layout.turned(turn))
        words = _described(channels, WordCandidates(seen, np.ones(len(seen), np.float32)))
        parts.append(replace(words, boxes=given, turns=np.full(len(given), turn, np.int8)))
    words, order = _joined(parts), np.argsort(np.concatenate(places))
    return replace(
        words,
        boxes=words.boxes[order],
        raw=words.raw[order],
        apart=words.apart[order],
        turns=words.turns[order],
    )


def _described(channels: Channels, found: WordCandidates) -> PageWords:
    rows, changes = describe_with_changes(channels, found.boxes)
    raw, level = rows.astype(np.float16), np.zeros(len(rows), np.int8)
    return PageWords(found.boxes, raw, changes.astype(np.float16), found.apart, level)


def _upwards(ink: InkMap, turned: Layout) -> PageWords:
    """Return what may be words that run up the page: they run level once it is turned clockwise."""
    channels = prepare_channels(_turned(ink, 1), turned)
    found = word_candidates(turned)
    sides = found.boxes[:, 2:] - found.boxes[:, :2]
    words = _described(channels, found.take(sides[:, 0] > _LONG * sides[:, 1]))
    boxes = turned_boxes(words.boxes, (ink.shape[1], ink.shape[0]), -1)
    return replace(words, boxes=boxes, turns=np.ones(len(boxes), np.int8))


def _turned(ink: InkMap, turn: int) -> InkMap:
    return np.ascontiguousarray(np.rot90(ink, -turn)) if turn else ink


def turned_boxes(boxes: Boxes, size: tuple[int, int], turn: int) -> Boxes:
    """Boxes on a page that is turned by a quarter, with the page.

    Parameters
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.
    size : (int, int)
        Height and width of the page before, in px.
    turn : int
        1 clockwise, -1 anticlockwise, 0 for none.

    Examples
    --------
    >>> page = (100, 60)
    >>> clockwise = turned_boxes(np.array([[20.0, 60, 30, 90]]), page, 1)
    >>> clockwise.tolist()
    [[10.0, 20.0, 40.0, 30.0]]
    >>> turned_boxes(clockwise, page[::-1], -1).tolist()
    [[20.0, 60.0, 30.0, 90.0]]
    """
    if not turn:
        return boxes
    (height, width), (left, top, right, bottom) = size, boxes.T
    sides = (height - bottom, left, height - top, right)
    return np.stack(sides if turn > 0 else (top, width - right, bottom, width - left), axis=1)


def _joined(parts: Sequence[PageWords]) -> PageWords:
    columns = (field.name for field in fields(PageWords))
    return PageWords(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))
