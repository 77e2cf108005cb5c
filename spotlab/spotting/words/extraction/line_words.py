"""Candidates for words in lines of running text, which are cut at gaps of several widths."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.words.extraction.strokes import Strokes
from spotlab.spotting.words.extraction.text_lines import TextLine, ink_runs
from spotlab.spotting.words.extraction.text_size import HEIGHT

# All in heights of small letters. Chosen on five pages of letters, 270 to 274 of George
# Washington's
_GAPS = (0.17, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3)  # without ink, at which a line is cut
_MIN_WIDTH, _MAX_WIDTH = 0.8, 40.0
_ABOVE, _BELOW = 2.6, 2.3  # the middle of small letters: a word's ink is sought so far
_BESIDE = 0.15  # its small letters
_LEAST = 1.0  # people draw a box so far above and below the middle of small letters, at least

_Box = tuple[int, int, int, int]
_Reach = tuple[float, float, float, float]


def line_words(
    line: TextLine, strokes: Strokes, parts: NDArray[np.int32]
) -> Iterator[tuple[_Box, _Reach]]:
    """Find what may be words in a line.

    Parameters
    ----------
    line : TextLine
    strokes : (H, W) uint8
        1 where there is a stroke, small letters being `HEIGHT` px high.
    parts : (H, W) int32
        Numbers of strokes that hang together within lines; 0 where there are none.

    Yields
    ------
    (int, int, int, int)
        left, top, right, bottom in px of a word's ink.
    (float, float, float, float)
        The same, at least as high as small letters with a little room.

    Examples
    --------
    >>> page = np.zeros((40, 200), np.uint8)
    >>> page[10:18, 20:60] = page[10:18, 70:120] = 1  # words
    >>> line = TextLine(20, np.full(100, 14.0))
    >>> [ink for ink, _ in line_words(line, page, page.astype(np.int32))]
    [(20, 10, 60, 18), (70, 10, 120, 18), (20, 10, 120, 18)]
    """
    numbers = line.letters(parts)
    for start, stop in _spans(line.has_ink(strokes)):
        own = np.unique(numbers[start:stop])
        own = own[own > 0]
        if len(own):
            middle = float(line.middle[start:stop].mean())
            ink = _ink_of(parts, own, (line.left + start, line.left + stop), middle)
            left, top, right, bottom = ink
            above, below = middle - _LEAST * HEIGHT, middle + _LEAST * HEIGHT
            yield ink, (left, min(top, above), right, max(bottom, below))


def _spans(has_ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Columns between gaps of each width, each once."""
    starts, stops = ink_runs(has_ink)
    gaps, spans = starts[1:] - stops[:-1], dict[tuple[int, int], None]()
    for gap in _GAPS if len(starts) else ():
        cuts = np.flatnonzero(gaps > gap * HEIGHT)
        begin, end = starts[np.append(0, cuts + 1)], stops[np.append(cuts, -1)]
        spans |= dict.fromkeys(zip(begin.tolist(), end.tolist(), strict=True))
    least, most = _MIN_WIDTH * HEIGHT, _MAX_WIDTH * HEIGHT
    return [span for span in spans if least <= span[1] - span[0] <= most]


def _ink_of(
    parts: NDArray[np.int32], own: NDArray[np.int32], span: tuple[int, int], middle: float
) -> _Box:
    """The box around those parts of strokes that reach into the small letters of a word."""
    height, width = parts.shape
    left = max(0, int(span[0] - _BESIDE * HEIGHT))
    right = min(width, int(span[1] + _BESIDE * HEIGHT))
    top = max(0, int(middle - _ABOVE * HEIGHT))
    bottom = min(height, int(middle + _BELOW * HEIGHT))
    is_own = np.isin(parts[top:bottom, left:right], own)
    down, across = np.flatnonzero(is_own.any(axis=1)), np.flatnonzero(is_own.any(axis=0))
    return (
        left + int(across[0]),
        top + int(down[0]),
        left + int(across[-1]) + 1,
        top + int(down[-1]) + 1,
    )
