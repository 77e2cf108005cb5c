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

from spotlab.arrays import Boxes, Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import share_boxes, unlike
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.layout import (
    HEIGHT,
    IN_TEXT,
    Layout,
    Strokes,
    TextLine,
    dense_pitch,
    ink_runs,
    smear_along,
    valleys,
)

# in heights of small letters
_WIDTHS = (0.1, 0.17, 0.25, 0.38, 0.5, 0.65, 0.82, 1.0, 1.25)
_HEIGHTS = (0.12, 0.25)
_SHARES = (0.06, 0.12)  # of the darkest that a smear can be


def find_blobs(strokes: Strokes, between: NDArray[np.bool_]) -> Boxes:
    """Smear strokes, and find the boxes of the ink of each blob.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke, small letters being `HEIGHT` px high.
    between : (H, W) bool
        Where there are valleys between lines, along which blobs are cut, too.

    Returns
    -------
    (N, 4) float
        left, top, right, bottom in px.

    Examples
    --------
    >>> strokes = np.zeros((20, 40), np.uint8)
    >>> strokes[5:15, 3:20] = 1
    >>> np.unique(find_blobs(strokes, np.zeros((20, 40), np.bool_)), axis=0).tolist()
    [[3.0, 5.0, 20.0, 15.0]]
    """
    dark, ink = strokes.astype(np.float32), LabelledInk(strokes)
    found = [np.empty((0, 4))]
    for width in _WIDTHS:
        along = cv2.GaussianBlur(dark, (0, 1), sigmaX=width * HEIGHT)
        for height in _HEIGHTS:
            smeared = cv2.GaussianBlur(along, (1, 0), sigmaX=1, sigmaY=height * HEIGHT)
            for share in _SHARES:
                whole = smeared > share
                for blobs in (whole, whole & ~between):
                    _, labels = cv2.connectedComponents(blobs.view(np.uint8), connectivity=8)
                    found.append(ink.boxes(np.asarray(labels, np.int32)))
    return np.concatenate(found)


class LabelledInk:
    """Boxes of ink that has labels; ink is little of a page, so that only it is looked at.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke.
    """

    def __init__(self, strokes: Strokes) -> None:
        self._places = np.flatnonzero(strokes)
        starts_row = self._places[1:] % strokes.shape[1] == 0
        self._is_apart = starts_row | (np.diff(self._places) > 1)  # each place from the one before

    def boxes(self, labels: NDArray[np.int32]) -> Boxes:
        """Find the box of the ink of each label that has ink.

        Parameters
        ----------
        labels : (H, W) int32
            0 for what belongs to nothing.

        Returns
        -------
        (N, 4) float
            By label.

        Examples
        --------
        >>> labels = np.array([[2, 2, 2, 1]], np.int32)
        >>> LabelledInk(np.array([[1, 0, 1, 1]], np.uint8)).boxes(labels)
        array([[3., 0., 4., 1.],
               [0., 0., 3., 1.]])
        """
        label = labels.ravel()[self._places]
        is_new = np.ones(len(label) + 1, np.bool_)
        is_new[1:-1] = self._is_apart | (label[1:] != label[:-1])
        first, last = np.flatnonzero(is_new[:-1]), np.flatnonzero(is_new[1:])  # of runs along a row
        order = np.argsort(label[first], kind="stable")
        order = order[label[first[order]] > 0]
        starts = np.flatnonzero(np.diff(label[first[order]], prepend=0))
        if not len(starts):
            return np.empty((0, 4))
        top, left = np.divmod(self._places[first[order]], labels.shape[1])
        right = self._places[last[order]] % labels.shape[1] + 1
        begin = [np.minimum.reduceat(edge, starts) for edge in (left, top)]
        end = [np.maximum.reduceat(edge, starts) for edge in (right, top + 1)]
        return np.stack([*begin, *end], axis=1).astype(np.float64)


# All in heights of small letters. Chosen on five pages of letters, 270 to 274 of George
# Washington's
_GAPS = (0.17, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3)  # without ink, at which a line is cut
_MIN_LINE_WIDTH, _MAX_LINE_WIDTH = 0.8, 40.0
_ABOVE, _BELOW = 2.6, 2.3  # the middle of small letters: a word's ink is sought so far
_BESIDE_IN_LINE = 0.15  # its small letters
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
    least, most = _MIN_LINE_WIDTH * HEIGHT, _MAX_LINE_WIDTH * HEIGHT
    return [span for span in spans if least <= span[1] - span[0] <= most]


def _ink_of(
    parts: NDArray[np.int32], own: NDArray[np.int32], span: tuple[int, int], middle: float
) -> _Box:
    """The box around those parts of strokes that reach into the small letters of a word."""
    height, width = parts.shape
    left = max(0, int(span[0] - _BESIDE_IN_LINE * HEIGHT))
    right = min(width, int(span[1] + _BESIDE_IN_LINE * HEIGHT))
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


# In heights of small letters: room in which networks know words, and that people leave where
# writing is close
USUAL = np.array([-0.3, -0.3, 0.4, 0.6])
# Around words on lines far apart they leave more. Chosen on pages 270 to 274 of George Washington's
# letters, with the boxes and the polygons that two people have drawn there.
ON_LINES = np.array([-0.5, -0.9, 0.5, 0.9])
# A box has so many times the area of the ink's at most: others draw no room, and would share less
# than half with a larger one. So .87 of the short words on pages 270 to 274 of George Washington's
# letters, where boxes are drawn loosely, share half, and .90 on synthetic ones, drawn tightly.
_LARGEST = 1.75


def with_room(ink: Boxes, reach: Boxes, room: Floats, pitch: float = np.inf) -> Boxes:
    """Boxes as people would draw them around ink.

    Parameters
    ----------
    ink : (N, 4) float
        left, top, right, bottom of the ink in px, small letters being `HEIGHT` px high; with area.
    reach : (N, 4) float
        What to leave room around: boxes that hold the ink, such as a line's height of it.
    room : (4,) float
        What people leave left, above, right and below, in heights of small letters, such as
        `USUAL`; negative to the left and above.
    pitch : float
        px from line to line, where text is dense: no box is higher, unless its ink is. Boxes are
        as many times as high as the ink there as a line is as high as they are.

    Returns
    -------
    (N, 4) float

    Examples
    --------
    >>> ink = np.array([[0.0, 0, 400, 20], [0, 0, 8, 8]])
    >>> boxes = with_room(ink, ink, USUAL)
    >>> boxes[0].tolist()
    [-2.4, -2.4, 403.2, 24.8]
    >>> round(float(np.prod(boxes[1, 2:] - boxes[1, :2])), 6)  # instead of 211: 1.75 of 64
    112.0
    >>> with_room(ink[:1], ink[:1], USUAL, pitch=23.6).round(1).tolist()
    [[-2.4, -0.6, 403.2, 21.2]]
    """
    sides = ink[:, 2:] - ink[:, :2]
    most = _within_line(ink, reach + room * HEIGHT, pitch)
    more = most[:, 2:] - most[:, :2] - sides
    # the part f of the room with which (width + f more) (height + f more) is as large as allowed
    square, linear = more.prod(axis=1), (sides * more[:, ::-1]).sum(axis=1)
    constant = (_LARGEST - 1) * sides.prod(axis=1)
    part = 2 * constant / (np.sqrt(linear**2 + 4 * square * constant) + linear)
    return np.asarray(ink + (most - ink) * np.minimum(part, 1)[:, None])


def _within_line(ink: Boxes, most: Boxes, pitch: float) -> Boxes:
    """The boxes with most room, less above and below where lines are close.

    People draw at least the ink there and at most a line; halfway a box is as much like both.
    """
    high = ink[:, 3] - ink[:, 1]
    allowed = np.sqrt(high * np.maximum(pitch, high)) - high
    part = np.minimum(allowed / (most[:, 3] - most[:, 1] - high), 1)
    within = most.copy()
    for side in (1, 3):
        within[:, side] = ink[:, side] + (most[:, side] - ink[:, side]) * part
    return within


# all in heights of small letters
_MIN_HEIGHT, _MAX_HEIGHT = 1.1, 10.5
_CAPITALS = 0.8  # the least height in drawings, where small letters may be missing
_MIN_WIDTH, _MAX_WIDTH = 1.25, 40.0
_SAME = 0.25  # corners in the same square of this side are the same
# Of running text; chosen on five pages of letters, 270 to 274 of George Washington's
_ON_LINE = 1.5  # from a line's middle to that of a blob on it
_ALIKE = 0.5  # intersection over union from which a blob on a line adds nothing
_LINES = 1.8  # pitches of dense text that a blob on a line is high at most: more has two lines
_BESIDE = 3.0  # from what is drawn: so far it may have hidden a word
# Ink beside a word counts so much in drawings, where it may be a line of them; chosen on five
# photographs of diagrams
_IN_DRAWINGS = 0.5


@dataclass(frozen=True, eq=False)
class _Words:
    """Possible words: (N, 4) boxes of their ink, as people draw them, and with their usual room."""

    ink: Boxes
    boxes: Boxes
    seen: Boxes

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> _Words:
        return _Words(self.ink[which], self.boxes[which], self.seen[which])


@dataclass(frozen=True, eq=False)
class WordCandidates:
    """Possible words on a page.

    Attributes
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px; they overlap.
    seen : (N, 4) float
        The same with as much room as where lines are far apart: what a network looks at.
    apart : (N,) float32
        How far each is from the nearest ink beside it, in heights of small letters, from 0 to 1. On
        a page of text it is 1 for all that is in no line. In drawings, where what is beside it may
        be no letter, half as much is missing from 1.
    """

    boxes: Boxes
    seen: Boxes
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
        return WordCandidates(self.boxes[which], self.seen[which], self.apart[which])


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
    room = ON_LINES if layout.is_text and np.isinf(pitch) else USUAL
    found = _joined(
        _candidates(ink, reach, least, room, pitch),
        _candidates(others, others, least, room, pitch),
        lines,
        _LINES * pitch,
    )
    apart = _apart(found, layout)
    height, width = strokes.shape
    on_page, seen = (
        np.asarray(np.clip(each, 0, [width, height, width, height]) / layout.scale)
        for each in (found.boxes, found.seen)
    )
    return WordCandidates(on_page, seen, apart)


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


def _candidates(ink: Boxes, reach: Boxes, least: float, room: Floats, pitch: float) -> _Words:
    """Those that have the size of a word, each once."""
    wide, high = (reach[:, 2:] - reach[:, :2]).T / HEIGHT
    fits = (high > least) & (high < _MAX_HEIGHT)
    fits &= (wide > _MIN_WIDTH) & (wide < _MAX_WIDTH)
    order = np.lexsort(reach.T[::-1])
    order = order[fits[order]]
    _, first = np.unique(np.floor(reach[order] / (_SAME * HEIGHT)), axis=0, return_index=True)
    chosen = order[first]
    ink, reach = ink[chosen], reach[chosen]
    return _Words(ink, with_room(ink, reach, room, pitch), with_room(ink, reach, USUAL))


def _joined(words: _Words, blobs: _Words, lines: list[TextLine], most: float) -> _Words:
    """The words of lines, and the blobs: those on lines if unlike the words and not too high, none
    between lines.
    """
    middles = (blobs.boxes[:, :2] + blobs.boxes[:, 2:]) / 2
    on_line, in_text = np.zeros((2, len(middles)), np.bool_)
    for line in lines:
        on_line |= line.is_beside(middles, _ON_LINE * HEIGHT)
        in_text |= line.is_beside(middles, IN_TEXT * HEIGHT)
    more = blobs.take(on_line & (blobs.ink[:, 3] - blobs.ink[:, 1] <= most))
    more = more.take(unlike(more.boxes, words.boxes, _ALIKE))
    more = more.take(share_boxes(more.boxes, _ALIKE)[0])
    parts = words, more, blobs.take(~in_text)
    return _Words(*(np.concatenate(each) for each in zip(*map(astuple, parts), strict=True)))


def _apart(words: _Words, layout: Layout) -> NDArray[np.float32]:
    """Tell how far words are from the ink beside them, as of `WordCandidates`."""
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
