"""Layout of a page: lines of running text, or drawings with words in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.outlines import label_parts
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.ink import (
    HEIGHT,
    InkMap,
    Strokes,
    page_slant,
    page_strokes,
    scaled_strokes,
    text_height,
)

# All in heights of small letters. Chosen on five photographs of diagrams, and so that words of five
# pages of letters, 270 to 274 of George Washington's, stay
_SIZE = 3.0  # from this size on, strokes that hang together may be drawn
_HOLLOW = 1.2  # radius of a circle without ink between them, more than letters leave
_THIN = 0.6  # thickness of a line, at most
_STRAIGHT = 1.2  # length along x or y in which a stroke is a line, not part of a letter
_EDGE = 0.05  # grey edge of a line


def without_drawings(strokes: Strokes, unit: float) -> Strokes:
    """Leave out what is drawn.

    Strokes that hang together are drawn where they enclose more paper than letters do, or where
    they are a long line. Of words that touch what is drawn, what is left without its lines stays.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke.
    unit : float
        px that small letters are high.

    Returns
    -------
    (H, W) uint8

    Examples
    --------
    >>> page = np.zeros((60, 200), np.uint8)
    >>> page[20:40, 50] = page[20:40, 150] = page[20, 50:150] = page[40, 50:150] = 1  # a frame
    >>> page[27:33, 70:130:5] = 1  # letters in it
    >>> columns = np.flatnonzero(without_drawings(page, 6.0).any(axis=0)).tolist()
    >>> columns[0], columns[-1]
    (70, 125)
    """
    drawn = _drawn(strokes, unit)
    rest = drawn & ~_lines(drawn, unit)
    return np.asarray((strokes & ~drawn) | (rest & ~_drawn(rest, unit)))


def _drawn(strokes: Strokes, unit: float) -> Strokes:
    """Return what of the strokes is drawn."""
    labels, parts = label_parts(strokes, diagonal=True)
    is_drawn = np.zeros(len(parts), np.uint8)
    size = parts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    for number in (np.flatnonzero(size[1:] > _SIZE * unit) + 1).tolist():
        left, top, wide, high, _ = parts[number].tolist()
        own = labels[top : top + high, left : left + wide] == number
        is_drawn[number] = _is_drawn(own.astype(np.uint8), unit)
    return np.asarray(is_drawn[labels], np.uint8)


def _is_drawn(own: Strokes, unit: float) -> bool:
    """Tell whether strokes that hang together are drawn; they reach all edges of the picture."""
    hull = cv2.convexHull(cv2.findNonZero(own))
    _, sides, _ = cv2.minAreaRect(hull)
    if min(sides) < _THIN * unit:
        return True
    inside = np.zeros((own.shape[0] + 2, own.shape[1] + 2), np.uint8)  # paper around it
    cv2.fillConvexPoly(inside, hull + 1, 1)
    inside[1:-1, 1:-1] &= 1 - own
    return bool(cv2.distanceTransform(inside, cv2.DIST_L2, 3).max() > _HOLLOW * unit)


def _lines(strokes: Strokes, unit: float) -> Strokes:
    """Tell where strokes run along x or y for longer than in letters."""
    length, edge = max(3, round(_STRAIGHT * unit)), max(1, round(_EDGE * unit))
    across, down = (
        cv2.morphologyEx(strokes, cv2.MORPH_OPEN, np.ones(along, np.uint8))
        for along in ((1, length), (length, 1))
    )
    around = np.ones((2 * edge + 1, 2 * edge + 1), np.uint8)
    return np.asarray(cv2.dilate(cv2.max(across, down), around), np.uint8)


Darkness = NDArray[np.float32]
T = TypeVar("T", bound=np.generic)

# all in heights of small letters
_LENGTH, _THICKNESS = 4.0, 0.35  # of the smear that makes lines of letters
_VALLEY_APART = 1.2  # a valley is the lowest place so far up and down
_VALLEY = 0.6  # of the darkness of the lines beside it, at most
_NO_LINE = 0.03  # darkness of what is no line
# Chosen on five pages of letters, 270 to 274 of George Washington's
_APART = 1.0  # the middle of a line is the darkest place so far up and down
_LEAST = 0.05  # darkness of a line
_JOINED = 2.0  # to the left and right, parts of a line are one
_LETTERS = 0.6  # above and below the middle: small letters
# Chosen on these pages, and on 15 photographs of diagrams, whose labels are no running text
_GAP = 3.0  # along a line without ink, longer than between words
_RUNNING = 25.0  # length of a part without such gaps from which text runs
# Lines of books are some two heights apart, those of letters five
_DENSE = 3.0  # from line to line at most, where there is no room between them
_SHORT = 3.0  # length of a line that goes on with dense text
_CLOSEST, _FARTHEST = 0.7, 1.5  # pitches from its middle to that of a line that runs
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class TextLine:
    """A line of running text.

    Attributes
    ----------
    left : int
        Column where it begins, in px.
    middle : (W,) float
        Row of the middle of its small letters in each column, in px.
    """

    left: int
    middle: NDArray[np.float64]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.middle)

    def letters(self, picture: NDArray[T]) -> NDArray[T]:
        """Return what is in a picture where the line's small letters are.

        Parameters
        ----------
        picture : (H, W)

        Returns
        -------
        (W, rows around the middle)
        """
        reach = round(_LETTERS * HEIGHT)
        rows = np.rint(self.middle).astype(np.int64)[:, None] + np.arange(-reach, reach + 1)
        columns = np.arange(self.left, self.left + len(self))[:, None]
        found: NDArray[T] = picture[np.clip(rows, 0, len(picture) - 1), columns]
        return found

    def has_ink(self, strokes: Strokes) -> NDArray[np.bool_]:
        """In which columns there are strokes where its small letters are.

        Parameters
        ----------
        strokes : (H, W) uint8

        Returns
        -------
        (W,) bool
        """
        return np.asarray(self.letters(strokes).any(axis=1))

    def gaps_beside(self, spans: NDArray[np.float64], strokes: Strokes) -> NDArray[np.float64]:
        """Tell how far what is between some columns is from the ink before and after it.

        Parameters
        ----------
        spans : (N, 2) float
            First column, and the one after the last, in px.
        strokes : (H, W) uint8

        Returns
        -------
        (N, 2) float
            Columns without ink where the small letters are; infinite where no more ink comes, 0
            where there is none between the columns.

        Examples
        --------
        >>> strokes = np.zeros((20, 60), np.uint8)
        >>> strokes[10, 5:10] = strokes[10, 12:30] = strokes[10, 37:50] = 1
        >>> TextLine(0, np.full(60, 10.0)).gaps_beside(np.array([[11.0, 31.0]]), strokes).tolist()
        [[2.0, 7.0]]
        """
        ink = np.flatnonzero(self.has_ink(strokes)) + self.left
        around = np.concatenate([[-np.inf], ink, [np.inf]])
        first, last = np.searchsorted(ink, np.ceil(spans)).T  # of the ink between, and behind it
        before = around[first + 1] - around[first] - 1
        after = around[last + 1] - around[last] - 1
        gaps = np.stack([before, after], axis=1)
        return np.where((first < last)[:, None], gaps, 0)

    def is_beside(self, points: NDArray[np.float64], apart: float) -> NDArray[np.bool_]:
        """Tell which points are on the line.

        Parameters
        ----------
        points : (N, 2) float
            In px, to the right and down.
        apart : float
            px above and below its middle.

        Examples
        --------
        >>> TextLine(10, np.full(50, 30.0)).is_beside(np.array([[20, 33], [70, 33]]), 5).tolist()
        [True, False]
        """
        column = np.floor(points[:, 0]).astype(np.int64) - self.left
        along = (column >= 0) & (column < len(self))
        middle = self.middle[np.clip(column, 0, len(self) - 1)]
        return np.asarray(along & (np.abs(points[:, 1] - middle) <= apart))


def smear_along(strokes: Strokes) -> Darkness:
    """Smear strokes along lines of text, so that lines are dark and what is between them is not.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke, small letters being `HEIGHT` px high.

    Returns
    -------
    (H, W) float32
        From 0 to 1.
    """
    wide, high = _LENGTH * HEIGHT, _THICKNESS * HEIGHT
    along = cv2.GaussianBlur(strokes.astype(np.float32), (0, 0), sigmaX=wide, sigmaY=high)
    return np.asarray(along, np.float32)


def valleys(along: Darkness) -> NDArray[np.bool_]:
    """Find the thin bands between lines of text, where there is least ink along the lines.

    Parameters
    ----------
    along : (H, W) float32
        As of `smear_along`.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> page = np.zeros((90, 300), np.uint8)
    >>> page[20:32] = page[50:62] = 1  # two lines
    >>> np.flatnonzero(valleys(smear_along(page))[:, 150]).mean().round()
    np.float64(41.0)
    """
    column = np.ones((2 * round(_VALLEY_APART * HEIGHT) + 1, 1), np.uint8)
    lowest, highest = cv2.erode(along, column), cv2.dilate(along, column)
    least = (along <= lowest + _ROUNDING) & (along < _VALLEY * highest) & (highest > _NO_LINE)
    return cv2.dilate(least.astype(np.uint8), np.ones((2, 1), np.uint8)).astype(np.bool_)


def running_lines(strokes: Strokes, along: Darkness) -> list[TextLine]:
    """Find lines of running text: long ones, in which one word follows another.

    Where text is dense a short line beside a long one is of the text, such as the end of a
    paragraph.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke, small letters being `HEIGHT` px high.
    along : (H, W) float32
        As of `smear_along`.

    Examples
    --------
    >>> page = np.zeros((90, 600), np.uint8)
    >>> page[20:28, 40:500:4] = 1  # a line, and a word
    >>> page[50:58, 40:90:4] = 1
    >>> [(line.left, len(line), line.middle[9]) for line in running_lines(page, smear_along(page))]
    [(40, 457, np.float64(23.5))]
    """
    parts = [_parts(line, line.has_ink(strokes)) for line in _middles(along)]
    running = [part for of_line in parts if _runs(of_line) for part in of_line]
    short = [part for of_line in parts if not _runs(of_line) for part in of_line]
    pitch = dense_pitch(running)  # elsewhere, words of short lines stand by themselves
    return running + [part for part in short if _goes_on(part, running, pitch)]


def dense_pitch(lines: list[TextLine]) -> float:
    """Tell how far lines of dense running text are apart, such as those of a printed book.

    Parameters
    ----------
    lines : list of TextLine
        Short ones do not count.

    Returns
    -------
    float
        px from the middle of a line to that of the nearest one, mostly; infinite where that is
        more than three heights of small letters, or no line is above another.

    Examples
    --------
    >>> lines = [TextLine(0, np.full(300, middle)) for middle in (20.0, 38.0, 57.0)]
    >>> dense_pitch(lines), dense_pitch(lines[::2])
    (18.0, inf)
    """
    long = [line for line in lines if len(line) >= _RUNNING * HEIGHT]
    nearest = (
        min((_distance(line, other) for other in long if other is not line), default=np.inf)
        for line in long
    )
    known = [apart for apart in nearest if np.isfinite(apart)]
    pitch = float(np.median(known)) if known else np.inf
    return pitch if pitch <= _DENSE * HEIGHT else np.inf


def _middles(along: Darkness) -> Iterator[TextLine]:
    """The middles of all lines, however short."""
    column = np.ones((2 * round(_APART * HEIGHT) + 1, 1), np.uint8)
    darkest = (along >= cv2.dilate(along, column) - _ROUNDING) & (along > _LEAST)
    ridge = darkest.astype(np.uint8)
    joined = cv2.dilate(ridge, np.ones((3, 2 * round(_JOINED * HEIGHT) + 1), np.uint8))
    _, labels = cv2.connectedComponents(joined, connectivity=8)
    rows, columns = np.nonzero(ridge)
    line = labels[rows, columns]
    order = np.lexsort((columns, line))
    starts = np.flatnonzero(np.diff(line[order], prepend=0))
    for of_line in np.split(order, starts[1:]) if len(order) else []:
        known, place = np.unique(columns[of_line], return_inverse=True)
        height = np.bincount(place, rows[of_line]) / np.bincount(place)
        every = np.arange(known[0], known[-1] + 1)
        yield TextLine(int(known[0]), np.interp(every, known, height))


def _parts(line: TextLine, has_ink: NDArray[np.bool_]) -> list[TextLine]:
    """The parts of a line between long gaps."""
    starts, stops = ink_runs(has_ink)
    if not len(starts):
        return []
    ends = np.flatnonzero(starts[1:] - stops[:-1] > _GAP * HEIGHT)
    starts, stops = starts[np.append(0, ends + 1)], stops[np.append(ends, -1)]
    return [
        TextLine(line.left + start, line.middle[start:stop])
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


def _runs(parts: list[TextLine]) -> bool:
    """Tell whether most of a line is in parts that are long."""
    lengths = [len(part) for part in parts]
    return 2 * sum(length for length in lengths if length >= _RUNNING * HEIGHT) >= sum(lengths)


def _goes_on(part: TextLine, running: list[TextLine], pitch: float) -> bool:
    """Tell whether a short line is the next one after a line of dense text, or the one before."""
    if len(part) < _SHORT * HEIGHT or np.isinf(pitch):
        return False
    apart = min(_distance(part, line) for line in running)
    return bool(_CLOSEST * pitch <= apart <= _FARTHEST * pitch)


def _distance(one: TextLine, other: TextLine) -> float:
    """px from a line up or down to another one; infinite where none of it is above the other."""
    start = max(one.left, other.left)
    stop = min(one.left + len(one), other.left + len(other))
    if start >= stop:
        return np.inf
    here, there = (line.middle[start - line.left : stop - line.left] for line in (one, other))
    return float(np.abs(here - there).mean())


def ink_runs(has_ink: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tell where runs of ink begin and end.

    Parameters
    ----------
    has_ink : (N,) bool

    Returns
    -------
    starts, stops : (K,) int

    Examples
    --------
    >>> [ends.tolist() for ends in ink_runs(np.array([True, True, False, True]))]
    [[0, 3], [2, 4]]
    """
    change = np.diff(has_ink.astype(np.int8), prepend=0, append=0)
    return np.flatnonzero(change == 1), np.flatnonzero(change == -1)


IN_TEXT = 2.5  # heights of small letters from a line's middle to that of what is beside it
# Of the strokes that are in running text: pages of letters and of books have .82 or more, diagrams
# and plans .56 or less
_TEXT = 0.7
_MISTAKEN = 1.5  # times that letters are larger without drawings, which were measured then


@dataclass(frozen=True, eq=False)
class Layout:
    """Layout of a page, scaled so that small letters are `HEIGHT` px high.

    Attributes
    ----------
    scale : float
        Its px per px of the page.
    slant : float
        px to the right per px upwards.
    strokes : (H, W) uint8
        1 where there is a stroke that may belong to letters, or hang together with what is drawn.
    written : (H, W) uint8
        1 where there is such a stroke that is not drawn. On a page of text they are all written,
        even a ruling or a flourish.
    is_text : bool
        Whether most of the page is running text.
    """

    scale: float
    slant: float
    strokes: Strokes
    written: Strokes
    is_text: bool

    __repr__ = short_repr

    @cached_property
    def along(self) -> Darkness:
        """(H, W) how dark what is written is along lines."""
        return smear_along(self.written)

    @cached_property
    def lines(self) -> list[TextLine]:
        """Lines of running text."""
        return running_lines(self.written, self.along)

    def turned(self, turn: int) -> Layout:
        """The same where the page is turned by a quarter.

        Parameters
        ----------
        turn : int
            1 clockwise, -1 anticlockwise, 0 for none.
        """
        if not turn:
            return self
        strokes, written = (
            np.ascontiguousarray(np.rot90(each, -turn)) for each in (self.strokes, self.written)
        )
        return replace(self, strokes=strokes, written=written)


def find_layout(ink: InkMap) -> Layout:
    """Find out what is on a page, and how large its letters are.

    Parameters
    ----------
    ink : (H, W) float32
        As `spotlab.spotting.words.extraction.ink.word_ink` gives it.

    Raises
    ------
    ValueError
        The page has no pixels.

    Examples
    --------
    >>> page = np.zeros((300, 400), np.float32)
    >>> page[40:52, 40:360:6] = page[80:92, 40:360:6] = 1
    >>> find_layout(page).is_text
    True
    """
    if not ink.size:  # OpenCV would end the program
        raise ValueError(f"a page of {ink.shape[1]} × {ink.shape[0]} px has no pixels")
    found = page_strokes(ink)
    drawn, letters = found.drawn, found.letters
    unit = text_height(letters)
    strokes = scaled_strokes(letters, HEIGHT / unit)
    text = Layout(HEIGHT / unit, page_slant(letters, unit), strokes, strokes, True)
    if _share_in_text(text) >= _TEXT:
        return text
    written = without_drawings(drawn, unit)
    larger = text_height(written)
    if larger > _MISTAKEN * unit:  # the lines of drawings were measured
        unit, written = larger, without_drawings(drawn, larger)
    scale = HEIGHT / unit
    kept, words = scaled_strokes(letters | written, scale), scaled_strokes(written, scale)
    return Layout(scale, page_slant(written, unit), kept, words, False)


def _share_in_text(layout: Layout) -> float:
    """Tell how much of the strokes is in lines of running text, or beside them.

    1 on a blank page.
    """
    _, _, parts, middles = cv2.connectedComponentsWithStats(layout.strokes, connectivity=8)
    areas, places = parts[1:, cv2.CC_STAT_AREA], np.asarray(middles[1:], np.float64)
    beside = np.zeros(len(places), np.bool_)
    for line in layout.lines:
        beside |= line.is_beside(places, IN_TEXT * HEIGHT)
    return float(areas[beside].sum() / areas.sum()) if len(areas) else 1.0
