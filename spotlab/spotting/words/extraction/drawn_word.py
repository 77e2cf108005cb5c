"""Describes the word in a box that was drawn on a page, without what belongs to its neighbours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.imaging.reading.conversion import darkness
from spotlab.imaging.reading.pixels import read_page
from spotlab.spotting.words.extraction.descriptor import (
    Channels,
    channels_at,
    describe,
    prepare_channels,
    shrink_to_ink,
)
from spotlab.spotting.words.extraction.ink import DARK, HEIGHT, InkMap, WordInk, word_ink
from spotlab.spotting.words.extraction.page_words import Box, WordSettings, turned_boxes

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
    word = _described(page, (x0, y0, x1, y1))
    cleaned = turned_boxes(np.array([word.cleaned]), page.ink.shape, -turn)
    x0, y0, x1, y1 = cleaned[0].tolist()
    return replace(word, cleaned=(x0, y0, x1, y1))


@dataclass(frozen=True, eq=False)
class _DrawnPage:
    grey: Grey
    ink: InkMap
    channels: Channels


def _described(page: _DrawnPage, box: Box) -> DrawnWord:
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
