"""How pages are seen: their ink, the words on it, and what these look like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.imaging.conversion import Pixels
from spotlab.imaging.pixels import read_page
from spotlab.spotting.words.candidates import word_candidates
from spotlab.spotting.words.channels import Channels, prepare_channels
from spotlab.spotting.words.descriptor import describe, descriptor_changes
from spotlab.spotting.words.index_file import PageWords
from spotlab.spotting.words.ink import WordInk, word_ink

Boxes = NDArray[np.float64]


@dataclass(frozen=True)
class WordSettings:
    """How pages are seen.

    Attributes
    ----------
    ink : WordInk
        Which of the dark pixels count as ink.
    """

    ink: WordInk = WordInk.NONE

    def __post_init__(self) -> None:
        if not isinstance(self.ink, WordInk):
            raise TypeError(f"the ink is a WordInk, not {self.ink!r}")


def extract_words(pixels: Pixels, settings: WordSettings, boxes: Boxes | None = None) -> PageWords:
    """The words of a page: those of given boxes, or all that may be words.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
    settings : WordSettings
    boxes : (N, 4), optional
        left, top, right, bottom in px; may reach over the page's edges.
    """
    channels = prepare_channels(word_ink(pixels, settings.ink))
    if boxes is None:
        boxes = word_candidates(channels)
    raw = describe(channels, boxes).astype(np.float16)
    return PageWords(boxes, raw, descriptor_changes(channels, boxes).astype(np.float16))


def describe_box(
    image: Path, frame: int, box: tuple[float, float, float, float], settings: WordSettings
) -> NDArray[np.float32]:
    """(1, D) what is in a box on a page looks like, as `extract_words` would say.

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
