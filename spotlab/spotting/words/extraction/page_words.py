"""The words of a page: where they are, and descriptors of what they look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import Pixels, darkness
from spotlab.spotting.words.extraction.candidates import WordCandidates, word_candidates
from spotlab.spotting.words.extraction.descriptor import (
    Channels,
    WordDescriptor,
    channels_at,
    describe,
    describe_with_changes,
    prepare_channels,
    shrink_to_ink,
)
from spotlab.spotting.words.extraction.layout import (
    DARK,
    HEIGHT,
    InkMap,
    Layout,
    WordInk,
    find_layout,
    word_ink,
)

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
    seen : (N, 4) float
        What a network looks at: the same, with more room where lines of text are close.
    raw : (N, D) float16
        Descriptors before projection.
    changes : (M, D) float16
        How disturbances change the descriptors of some of them.
    apart : (N,) float32
        As of `WordCandidates`; 1 for given words.
    turns : (N,) int8
        Quarter turns clockwise that make each word run from left to right: 1 for a word that runs
        up the page, -1 for one that runs down it, which only given words do.
    lines : (M, 4) float32
        Points along the lines of text, line by line: number of the line, x and y of the middle of
        its small letters, and their height, in px; none for given words.
    """

    boxes: NDArray[np.float64]
    seen: NDArray[np.float64]
    raw: NDArray[np.float16]
    changes: NDArray[np.float16]
    apart: NDArray[np.float32]
    turns: NDArray[np.int8]
    lines: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))

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
    found = _described(prepare_channels(ink, layout), word_candidates(layout))
    level = replace(found, lines=points_of_lines(layout))
    return level if layout.is_text else _joined([level, _upwards(ink, layout.turned(1))])


def points_of_lines(layout: Layout) -> NDArray[np.float32]:
    """Points along the lines of a page, see `PageWords`.

    Parameters
    ----------
    layout : Layout

    Examples
    --------
    >>> blank = np.zeros((100, 100), np.uint8)
    >>> points_of_lines(Layout(0.5, 0.0, blank, blank, True)).shape
    (0, 4)
    """
    points = [np.zeros((0, 4))]
    for number, line in enumerate(layout.lines):
        columns = np.append(np.arange(0, len(line) - 1, int(HEIGHT) // 2), len(line) - 1)
        x, y = (line.left + columns) / layout.scale, line.middle[columns] / layout.scale
        height = np.full(len(x), HEIGHT / layout.scale)
        points.append(np.stack([np.full(len(x), number), x, y, height], axis=1))
    return np.concatenate(points).astype(np.float32)


def _given(ink: InkMap, layout: Layout, boxes: Boxes, turns: Ints) -> PageWords:
    """The words in boxes, each along its writing."""
    parts, places = [], [np.zeros(0, np.int64)]
    for turn in np.unique(turns).tolist() or [0]:
        places.append(np.flatnonzero(turns == turn))
        given = boxes[places[-1]]
        seen = turned_boxes(given, ink.shape, turn)
        channels = prepare_channels(_turned(ink, turn), layout.turned(turn))
        words = _described(channels, WordCandidates(seen, seen, np.ones(len(seen), np.float32)))
        parts.append(
            replace(words, boxes=given, seen=given, turns=np.full(len(given), turn, np.int8))
        )
    words, order = _joined(parts), np.argsort(np.concatenate(places))
    return replace(
        words,
        boxes=words.boxes[order],
        seen=words.seen[order],
        raw=words.raw[order],
        apart=words.apart[order],
        turns=words.turns[order],
    )


def _described(channels: Channels, found: WordCandidates) -> PageWords:
    rows, changes = describe_with_changes(channels, found.seen)
    raw, level = rows.astype(np.float16), np.zeros(len(rows), np.int8)
    return PageWords(found.boxes, found.seen, raw, changes.astype(np.float16), found.apart, level)


def _upwards(ink: InkMap, turned: Layout) -> PageWords:
    """Return what may be words that run up the page: they run level once it is turned clockwise."""
    channels = prepare_channels(_turned(ink, 1), turned)
    found = word_candidates(turned)
    sides = found.boxes[:, 2:] - found.boxes[:, :2]
    words = _described(channels, found.take(sides[:, 0] > _LONG * sides[:, 1]))
    boxes, seen = (
        turned_boxes(each, (ink.shape[1], ink.shape[0]), -1) for each in (words.boxes, words.seen)
    )
    return replace(words, boxes=boxes, seen=seen, turns=np.ones(len(boxes), np.int8))


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


_AROUND = 6.0  # heights of small letters around the box in which strokes are followed
_INSIDE = 0.5  # share of a stroke that has to lie in the box
_FEWEST = 0.3  # share of the box's ink that has to be left, or nothing is taken out


def clean_box(
    ink: InkMap, box: tuple[float, float, float, float], scale: float
) -> tuple[tuple[int, int], InkMap] | None:
    """Take out what leaves a box: connected strokes of which less than half lies in it.

    Where nearly all would go, because the word is connected to a ruling, nothing does.

    Returns None where there is nothing to take out.

    Parameters
    ----------
    ink : (H, W) float32
        Of the page, as `word_ink` gives it.
    box : (float, float, float, float)
        left, top, right, bottom in px.
    scale : float
        px of the channels per px of the page.

    Returns
    -------
    corner : (int, int)
        left and top in px of the part of the page that is returned.
    clean : (h, w) float32
        The ink in the box, nothing around it.

    Examples
    --------
    >>> ink = np.zeros((60, 200), np.float32)
    >>> ink[20:34, 50:90:10] = ink[38, :] = 1  # letters above a ruling
    >>> _, clean = clean_box(ink, (45, 15, 95, 45), 0.4)
    >>> int(clean.sum()), len(clean.sum(axis=1).nonzero()[0])
    (56, 14)
    """
    height, width = ink.shape
    around = _AROUND * HEIGHT / scale
    left, top = (max(0, int(edge - around)) for edge in box[:2])
    right, bottom = (
        min(size, int(np.ceil(edge + around)))
        for edge, size in zip(box[2:], (width, height), strict=True)
    )
    part = ink[top:bottom, left:right]
    inside = np.zeros(part.shape, np.bool_)
    low = [max(0, round(edge - start)) for edge, start in zip(box[:2], (left, top), strict=True)]
    inside[low[1] : max(0, round(box[3] - top)), low[0] : max(0, round(box[2] - left))] = True
    strokes = (part > DARK).astype(np.uint8)
    count, labels = cv2.connectedComponents(strokes, connectivity=8)
    total = np.bincount(labels.ravel(), minlength=count)
    within = np.bincount(labels[inside], minlength=count)
    leaves = within < _INSIDE * total
    leaves[0] = False
    if within[1:][~leaves[1:]].sum() < _FEWEST * within[1:].sum():
        return None
    if not within[leaves].any():
        return None
    foreign = cv2.dilate(leaves[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    foreign &= (strokes == 0) | leaves[labels]  # their grey edges, nobody else's strokes
    clean = np.where(inside & ~foreign, part, 0).astype(np.float32)
    return (left, top), clean


Grey = NDArray[np.uint8]

_PAPER = 75  # per cent of a page's part that are darker than its paper, or as dark


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
        Part of the page without what leaves the box; turned, if the word runs up or down it.
    inside : (1, 4) float
        left, top, right, bottom in px of what is left in that part.
    """

    raw: NDArray[np.float32]
    cleaned: Box
    grey: Grey
    inside: NDArray[np.float64]


def describe_box(
    image: Path, frame: int, box: Box, settings: WordSettings, turn: int = 0
) -> DrawnWord:
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
    turn : int
        Quarter turns clockwise that make the word run from left to right.

    Raises
    ------
    BadInput
        Nothing of the box is on the page.
    """
    stamp = image.stat()
    known = (stamp.st_mtime_ns, stamp.st_size)
    height, width = _page_of(image, frame, settings.ink, known, 0).ink.shape
    left, top, right, bottom = box
    if left >= width or top >= height or right <= 0 or bottom <= 0:
        raise BadInput(
            image, f"the query's box lies beside the page of about {width} × {height} px"
        )
    page = _page_of(image, frame, settings.ink, known, turn)
    ((x0, y0, x1, y1),) = turned_boxes(np.array([box]), (height, width), turn).tolist()
    word = _described_box(page, (x0, y0, x1, y1))
    cleaned = turned_boxes(np.array([word.cleaned]), page.ink.shape, -turn)
    x0, y0, x1, y1 = cleaned[0].tolist()
    return replace(word, cleaned=(x0, y0, x1, y1))


@dataclass(frozen=True, eq=False)
class _DrawnPage:
    grey: Grey
    ink: InkMap
    channels: Channels


def _described_box(page: _DrawnPage, box: Box) -> DrawnWord:
    channels, grey = page.channels, page.grey
    cleaned = clean_box(page.ink, box, channels.scale)
    corner = np.zeros(4)
    if cleaned is not None:
        (left, top), clean = cleaned
        corner[:] = left, top, left, top
        channels = channels_at(clean, channels.scale, channels.slant)
        grey = _without_foreign(grey, page.ink, (left, top), clean)
    moved = np.array([box]) - corner
    raw = describe(channels, moved).astype(np.float16).astype(np.float32)
    shrunk = shrink_to_ink(channels.ink, moved * channels.scale)[0] / channels.scale
    x0, y0, x1, y1 = np.round(shrunk + corner, 1).tolist()
    kept = (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else box
    return DrawnWord(raw, kept, grey, np.array([kept]) - corner)


def _without_foreign(grey: Grey, ink: InkMap, corner: tuple[int, int], clean: InkMap) -> Grey:
    """Part of a page, with paper where ink was taken out."""
    height, width = clean.shape
    part = np.s_[corner[1] : corner[1] + height, corner[0] : corner[0] + width]
    left_out = (ink[part] > 0) & (clean == 0)
    paper = np.percentile(grey[part], _PAPER)
    return np.where(left_out, np.maximum(grey[part], paper), grey[part]).astype(np.uint8)


@lru_cache(maxsize=4)
def _page_of(
    image: Path, frame: int, method: WordInk, stamp: tuple[int, int], turn: int
) -> _DrawnPage:
    if turn:
        level = _page_of(image, frame, method, stamp, 0)
        turned = np.ascontiguousarray(np.rot90(level.ink, -turn))
        channels = channels_at(turned, level.channels.scale, level.channels.slant)
        return _DrawnPage(np.ascontiguousarray(np.rot90(level.grey, -turn)), turned, channels)
    pixels = read_page(image, frame)
    ink = word_ink(pixels, method)
    return _DrawnPage(darkness(pixels), ink, prepare_channels(ink))
