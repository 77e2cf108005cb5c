"""Candidates for words in lines of running text, which are cut at gaps of several widths."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.words.extraction.channels import HEIGHT
from spotlab.spotting.words.extraction.text_lines import Strokes, TextLine, ink_runs

# All in heights of small letters. Chosen on five pages of letters, 270 to 274 of George
# Washington's
_GAPS = (0.17, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3)  # without ink, at which a line is cut
_MIN_WIDTH, _MAX_WIDTH = 0.8, 40.0
_ABOVE, _BELOW = 2.6, 2.3  # the middle of small letters: a word's ink is sought so far
_BESIDE = 0.15  # its small letters
_LEAST = 1.0  # a word's box reaches so far above and below the middle of its small letters

_Box = tuple[float, float, float, float]


def line_words(line: TextLine, strokes: Strokes, parts: NDArray[np.int32]) -> Iterator[_Box]:
    """Find boxes of what may be words in a line.

    Parameters
    ----------
    line : TextLine
    strokes : (H, W) uint8
        1 where there is a stroke, small letters being `HEIGHT` px high.
    parts : (H, W) int32
        Numbers of strokes that hang together within lines; 0 where there are none.

    Yields
    ------
    (float, float, float, float)
        left, top, right, bottom in px.

    Examples
    --------
    >>> page = np.zeros((40, 200), np.uint8)
    >>> page[10:18, 20:60] = page[10:18, 70:120] = 1  # words
    >>> line = TextLine(20, np.full(100, 14.0))
    >>> sorted(line_words(line, page, page.astype(np.int32)))
    [(20, 6.0, 60, 22.0), (20, 6.0, 120, 22.0), (70, 6.0, 120, 22.0)]
    """
    numbers = line.letters(parts)
    for start, stop in _spans(line.has_ink(strokes)):
        own = np.unique(numbers[start:stop])
        own = own[own > 0]
        if len(own):
            middle = float(line.middle[start:stop].mean())
            yield _box_of(parts, own, (line.left + start, line.left + stop), middle)


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


def _box_of(
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
        min(top + int(down[0]), middle - _LEAST * HEIGHT),
        left + int(across[-1]) + 1,
        max(top + int(down[-1]) + 1, middle + _LEAST * HEIGHT),
    )
