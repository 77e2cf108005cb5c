"""The words of a page: where they are, and descriptors of what they look like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.imaging.conversion import Pixels
from spotlab.imaging.pixels import read_page
from spotlab.spotting.words.extraction.candidates import word_candidates
from spotlab.spotting.words.extraction.channels import Channels, channels_at, prepare_channels
from spotlab.spotting.words.extraction.descriptor import describe, descriptor_changes
from spotlab.spotting.words.extraction.drawn_box import clean_box
from spotlab.spotting.words.extraction.ink import InkMap, WordInk, word_ink
from spotlab.spotting.words.extraction.zones import shrink_to_ink

Boxes = NDArray[np.float64]


@dataclass(frozen=True)
class WordSettings:
    """How words are extracted from pages.

    Attributes
    ----------
    ink : WordInk
        Which of the dark pixels count as ink.
    """

    ink: WordInk = WordInk.NONE

    def __post_init__(self) -> None:
        if not isinstance(self.ink, WordInk):
            raise TypeError(f"the ink is a WordInk, not {self.ink!r}")


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
    """

    boxes: NDArray[np.float64]
    raw: NDArray[np.float16]
    changes: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.boxes)


def extract_words(pixels: Pixels, settings: WordSettings, boxes: Boxes | None = None) -> PageWords:
    """Extract the words of a page: those in given boxes, or all that may be words.

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
    channels = prepare_channels(word_ink(pixels, settings.ink))
    if boxes is None:
        boxes = word_candidates(channels)
    raw = describe(channels, boxes).astype(np.float16)
    return PageWords(boxes, raw, descriptor_changes(channels, boxes).astype(np.float16))


def describe_box(
    image: Path, frame: int, box: tuple[float, float, float, float], settings: WordSettings
) -> tuple[NDArray[np.float32], tuple[float, float, float, float]]:
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

    Returns
    -------
    raw : (1, D) float32
        As `extract_words` describes what is left.
    cleaned : (float, float, float, float)
        left, top, right, bottom in px of what is left.

    Raises
    ------
    BadInput
        Nothing of the box is on the page.
    """
    stamp = image.stat()
    ink, channels = _page_of(image, frame, settings, (stamp.st_mtime_ns, stamp.st_size))
    height, width = ink.shape
    if box[0] >= width or box[1] >= height or box[2] <= 0 or box[3] <= 0:
        raise BadInput(
            image, f"the query's box lies beside the page of about {width} × {height} px"
        )
    cleaned = clean_box(ink, box, channels.scale)
    left, top = 0, 0
    if cleaned is not None:
        (left, top), clean, letters = cleaned
        channels = channels_at(clean, letters, channels.scale, channels.slant)
    moved = np.array([box]) - np.array([left, top, left, top])
    raw = describe(channels, moved).astype(np.float16).astype(np.float32)
    shrunk = shrink_to_ink(channels.ink, moved * channels.scale)[0] / channels.scale
    x0, y0, x1, y1 = np.round(shrunk + np.array([left, top, left, top]), 1).tolist()
    return raw, (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else box


@lru_cache(maxsize=2)
def _page_of(
    image: Path, frame: int, settings: WordSettings, _stamp: tuple[int, int]
) -> tuple[InkMap, Channels]:
    ink = word_ink(read_page(image, frame), settings.ink)
    return ink, prepare_channels(ink)
