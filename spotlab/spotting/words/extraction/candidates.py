"""Candidates for words: lines of running text are cut at gaps, other writing is smeared to blobs.

Writing is smeared by several widths, and each blob is a candidate. Each smear is also cut along the
valleys between lines, or letters that reach into the next line would join words of both. In running
text blobs only add what no gap has cut out. Where something is drawn beside it, such as the frame
around a label, the writing is smeared without it, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes
from spotlab.extras import cv2
from spotlab.geometry.boxes import share_boxes, unlike
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.blobs import find_blobs
from spotlab.spotting.words.extraction.layout import IN_TEXT, Layout
from spotlab.spotting.words.extraction.line_words import line_words
from spotlab.spotting.words.extraction.room import with_room
from spotlab.spotting.words.extraction.strokes import Strokes
from spotlab.spotting.words.extraction.text_lines import TextLine, dense_pitch, smear_along, valleys
from spotlab.spotting.words.extraction.text_size import HEIGHT

# all in heights of small letters
_MIN_HEIGHT, _MAX_HEIGHT = 1.1, 10.5
_CAPITALS = 0.8  # the least height in drawings, where small letters may be missing
_MIN_WIDTH, _MAX_WIDTH = 1.25, 40.0
_SAME = 0.25  # corners in the same square of this side are the same
# Of running text; chosen on five pages of letters, 270 to 274 of George Washington's
_ON_LINE = 1.5  # from a line's middle to that of a blob on it
_ALIKE = 0.5  # intersection over union from which a blob on a line adds nothing
_BESIDE = 3.0  # from what is drawn: so far it may have hidden a word
# Ink beside a word counts so much in drawings, where it may be a line of them; chosen on five
# photographs of diagrams
_IN_DRAWINGS = 0.5


@dataclass(frozen=True, eq=False)
class _Words:
    """What may be words: (N, 4) boxes of their ink, and of it with what people leave around it."""

    ink: Boxes
    boxes: Boxes

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> _Words:
        return _Words(self.ink[which], self.boxes[which])


@dataclass(frozen=True, eq=False)
class WordCandidates:
    """What may be words on a page.

    Attributes
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px; they overlap.
    apart : (N,) float32
        How far each is from the nearest ink beside it, in heights of small letters, from 0 to 1. On
        a page of text it is 1 for all that is in no line. In drawings, where what is beside it may
        be no letter, half as much is missing from 1.
    """

    boxes: Boxes
    apart: NDArray[np.float32]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.boxes)

    def take(self, which: NDArray[np.bool_]) -> WordCandidates:
        """Choose some of them.

        Parameters
        ----------
        which : (N,) bool
        """
        return WordCandidates(self.boxes[which], self.apart[which])


def word_candidates(layout: Layout) -> WordCandidates:
    """Find what may be words.

    Parameters
    ----------
    layout : Layout
        Of a page.

    Examples
    --------
    >>> blank = np.zeros((100, 100), np.uint8)
    >>> len(word_candidates(Layout(0.5, 0.0, blank, blank, True)))
    0
    """
    strokes, lines = layout.strokes, layout.lines
    between = valleys(layout.along if layout.is_text else smear_along(strokes))
    others = np.concatenate([find_blobs(strokes, between), *_blobs_beside_drawings(layout)])
    _, labels = cv2.connectedComponents(strokes * ~between, connectivity=8)
    parts = np.asarray(labels, np.int32)
    words = [word for line in lines for word in line_words(line, strokes, parts)]
    ink, reach = np.array(words, np.float64).reshape(-1, 2, 4).transpose(1, 0, 2)
    least = _MIN_HEIGHT if layout.is_text else _CAPITALS
    pitch = dense_pitch(lines)
    found = _joined(
        _candidates(ink, reach, least, pitch), _candidates(others, others, least, pitch), lines
    )
    apart = _apart(found, layout)
    height, width = strokes.shape
    on_page = np.clip(found.boxes, 0, [width, height, width, height])
    return WordCandidates(np.asarray(on_page / layout.scale), apart)


def _blobs_beside_drawings(layout: Layout) -> Iterator[Boxes]:
    """The blobs around what is drawn outside of running text, without what is drawn."""
    drawn = (layout.strokes > layout.written).astype(np.uint8)
    if not drawn.any():
        return
    _, _, parts, middles = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    apart = np.ones(len(parts), np.bool_)
    for line in layout.lines:
        apart &= ~line.is_beside(np.asarray(middles, np.float64), IN_TEXT * HEIGHT)
    near, reach = np.zeros_like(drawn), round(_BESIDE * HEIGHT)
    for left, top, wide, high, _ in parts[1:][apart[1:]].tolist():
        rows = slice(max(top - reach, 0), top + high + reach)
        near[rows, max(left - reach, 0) : left + wide + reach] = 1
    _, _, places, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    for left, top, wide, high, _ in places[1:].tolist():
        part = layout.written[top : top + high, left : left + wide]
        yield find_blobs(part, valleys(smear_along(part))) + np.array([left, top, left, top])


def _candidates(ink: Boxes, reach: Boxes, least: float, pitch: float) -> _Words:
    """Those that have the size of a word, each once."""
    wide, high = (reach[:, 2:] - reach[:, :2]).T / HEIGHT
    fits = (high > least) & (high < _MAX_HEIGHT)
    fits &= (wide > _MIN_WIDTH) & (wide < _MAX_WIDTH)
    order = np.lexsort(reach.T[::-1])
    order = order[fits[order]]
    _, first = np.unique(np.floor(reach[order] / (_SAME * HEIGHT)), axis=0, return_index=True)
    chosen = order[first]
    return _Words(ink[chosen], with_room(ink[chosen], reach[chosen], pitch))


def _joined(words: _Words, blobs: _Words, lines: list[TextLine]) -> _Words:
    """The words of lines, and the blobs: those on lines if unlike the words, none between lines."""
    middles = (blobs.boxes[:, :2] + blobs.boxes[:, 2:]) / 2
    on_line, in_text = np.zeros((2, len(middles)), np.bool_)
    for line in lines:
        on_line |= line.is_beside(middles, _ON_LINE * HEIGHT)
        in_text |= line.is_beside(middles, IN_TEXT * HEIGHT)
    more = blobs.take(on_line)
    more = more.take(unlike(more.boxes, words.boxes, _ALIKE))
    more = more.take(share_boxes(more.boxes, _ALIKE)[0])
    parts = words, more, blobs.take(~in_text)
    return _Words(*(np.concatenate(each) for each in zip(*map(astuple, parts), strict=True)))


def _apart(words: _Words, layout: Layout) -> NDArray[np.float32]:
    """How far words are from the ink beside them, as of `WordCandidates`."""
    apart = np.ones(len(words.boxes), np.float32)
    if not layout.is_text:
        apart[:] = _gaps_beside(words.ink, layout.written).min(axis=1, initial=HEIGHT) / HEIGHT
    middles = (words.boxes[:, :2] + words.boxes[:, 2:]) / 2
    for line in layout.lines:
        on_line = line.is_beside(middles, _ON_LINE * HEIGHT)
        gaps = line.gaps_beside(words.ink[on_line][:, [0, 2]], layout.strokes)
        apart[on_line] = np.minimum(gaps.min(axis=1, initial=HEIGHT) / HEIGHT, 1)
    return apart if layout.is_text else 1 - _IN_DRAWINGS * (1 - apart)


def _gaps_beside(ink: Boxes, written: Strokes) -> NDArray[np.float64]:
    """(N, 2) columns without ink before and after boxes of ink, `HEIGHT` at most."""
    reach = round(HEIGHT)
    gaps = np.full((len(ink), 2), HEIGHT)
    for row, (left, top, right, bottom) in enumerate(ink.astype(np.int64).tolist()):
        inset = (bottom - top) // 4  # letters of the same line, not of the one above or below
        band = written[top + inset : bottom - inset]
        has_ink_beside = np.asarray(band.any(axis=0))
        before = has_ink_beside[max(left - reach, 0) : left][::-1]
        for side, has_ink in enumerate((before, has_ink_beside[right : right + reach])):
            if has_ink.any():
                gaps[row, side] = has_ink.argmax()
    return gaps
