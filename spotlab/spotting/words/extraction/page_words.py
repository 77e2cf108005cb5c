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
from spotlab.spotting.words.extraction.channels import Channels, prepare_channels
from spotlab.spotting.words.extraction.descriptor import describe, descriptor_changes
from spotlab.spotting.words.extraction.ink import WordInk, word_ink

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
) -> NDArray[np.float32]:
    """Describe what is in a box on a page, as `extract_words` does.

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
    (1, D) float32

    Raises
    ------
    BadInput
        Nothing of the box is on the page.
    """
    stamp = image.stat()
    channels = _channels_of(image, frame, settings, (stamp.st_mtime_ns, stamp.st_size))
    height, width = (side / channels.scale for side in channels.letter_strokes.shape)
    if box[0] >= width or box[1] >= height or box[2] <= 0 or box[3] <= 0:
        size = f"{width:.0f} × {height:.0f}"  # the channels are whole px, so about
        raise BadInput(image, f"the query's box lies beside the page of about {size} px")
    raw: NDArray[np.float32] = describe(channels, np.array([box])).astype(np.float16)
    return raw.astype(np.float32)


@lru_cache(maxsize=2)
def _channels_of(
    image: Path, frame: int, settings: WordSettings, _stamp: tuple[int, int]
) -> Channels:
    return prepare_channels(word_ink(read_page(image, frame), settings.ink))
