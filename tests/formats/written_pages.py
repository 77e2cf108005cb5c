"""Pages that are written with OpenCV's strokes, and where their words are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WORDS = ("orders", "winchester", "regiment", "company", "letters", "captain", "sergeant", "money")
LINE = 90  # px
_FONT = cv2.FONT_HERSHEY_SCRIPT_COMPLEX


def write(page: NDArray[np.uint8], word: str, left: int, line: int) -> tuple[int, int, int, int]:
    """Write a word on a base line; where its ink is, by a page of its own."""
    alone = np.full_like(page, 255)
    cv2.putText(alone, word, (left, line), _FONT, 1.8, 0, 3)
    np.minimum(page, alone, out=page)
    down, across = np.nonzero(alone == 0)
    return int(across.min()), int(down.min()), int(across.max()) + 1, int(down.max()) + 1


def written_words(seed: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.float64], list[str]]:
    """A page, boxes and texts of its words: nine lines of three or so words in drawn order."""
    random = np.random.default_rng(seed)
    page = np.full((1000, 1100), 255, np.uint8)
    boxes, texts = [], []
    for line in range(120, 950, LINE):
        left = 90
        while True:
            word = str(random.choice(WORDS))
            (width, _), _ = cv2.getTextSize(word, _FONT, 1.8, 3)
            if left + width > 1040:
                break
            boxes.append(write(page, word, left, line + int(random.integers(-3, 4))))
            texts.append(word)
            left += width + int(random.integers(35, 60))
    return page, np.array(boxes, np.float64), texts


def written_page(seed: int = 0) -> NDArray[np.uint8]:
    """Only the page."""
    return written_words(seed)[0]
