"""The ink of a page and its layout: lines of running text, or drawings with words in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.cleaning import remove_rulings
from spotlab.imaging.ink import InkMethod, InkSettings, InkTone, binarise, estimate_paper
from spotlab.imaging.outlines import label_parts
from spotlab.imaging.reading.pyramid import Pixels, darkness
from spotlab.representation import short_repr

InkMap = NDArray[np.float32]


# What is around a page: so much of the light of its paper, at most, which is that of most of it
_SURROUND, _LIGHT = 0.3, 75
_BROAD = 0.04  # of what is seen, at least: narrow borders of scans are cut off from strokes
_EDGE = 13  # px of the small page in which the page's edge is blurred


class WordInk(StrEnum):
    """Choice of the dark pixels that count as ink."""

    NONE = "none"
    OTSU = "otsu"
    SAUVOLA = "sauvola"
    WOLF = "wolf"


def word_ink(pixels: Pixels, method: WordInk | InkMethod | str = WordInk.NONE) -> InkMap:
    """Measure how dark the ink of a page is.

    The paper is the median of a wide neighbourhood, smoothed; ink is the share of its light that
    is missing. What is around a page that was photographed on something dark has no ink.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.
    method : WordInk
        ``none`` keeps all that is darker than the paper. The others keep only what Otsu's,
        Sauvola's or Wolf's threshold takes for ink too, with its greys (`spotlab.imaging.ink`).

    Returns
    -------
    (H, W) float32
        0 for paper to 1 for the blackest ink.

    Examples
    --------
    >>> word_ink(np.array([[200] * 9, [200] * 4 + [50] + [200] * 4, [200] * 9], np.uint8))[1, 3:6]
    array([0.  , 0.75, 0.  ], dtype=float32)
    >>> float(word_ink(np.full((30, 30), 200, np.uint8)).max())  # a blank page
    0.0
    """
    grey = darkness(pixels)
    if not grey.size:
        return np.zeros(grey.shape, np.float32)
    small = estimate_paper(grey)
    paper = np.maximum(_resized(small, grey.shape), 1)
    ink = np.clip(1 - grey.astype(np.float32) / paper, 0, 1)
    surround = _surround(small)
    if surround.any():
        ink[_resized(surround, grey.shape) > 0] = 0
    method = WordInk(method)
    if method is not WordInk.NONE:
        ink *= binarise(np.clip(255 * (1 - ink) + 0.5, 0, 255).astype(np.uint8), _settings(method))
    return np.asarray(ink, np.float32)


def _settings(method: WordInk) -> InkSettings:
    return InkSettings(InkMethod(method.value), tone=InkTone.DARK)


def _surround(paper: Pixels) -> Pixels:
    """(h, w) 1 where a scan or a photograph shows what is around the page, much darker than it."""
    dark = paper < _SURROUND * np.percentile(paper, _LIGHT)
    _, labels = cv2.connectedComponents(dark.astype(np.uint8), connectivity=8)
    edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    sizes = np.bincount(labels.ravel())
    broad = edges[(edges > 0) & (sizes[edges] > _BROAD * labels.size)]
    outside = np.isin(labels, broad).astype(np.uint8)
    return np.asarray(cv2.dilate(outside, np.ones((_EDGE, _EDGE), np.uint8)), np.uint8)


def _resized(small: Pixels, shape: tuple[int, ...]) -> NDArray[np.float32]:
    height, width = shape
    whole = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole, np.float32)


_STEP = 0.1
_MAX = 1.5
_SLANT_DETAIL = 5.0  # px that small letters are high where the slant is looked for
_BAND = 2.0  # heights of small letters


def page_slant(strokes: NDArray[np.uint8], unit: float) -> float:
    """Measure how many px strokes move to the right for each px that they rise.

    It is the slant under which the ink piles up most: strokes that are set upright make a few dark
    columns, leaning ones many pale ones. Measured is the sum of squares of column sums in bands
    about as high as letters.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is writing.
    unit : float
        Height of small letters in px.

    Returns
    -------
    float
        0 where there is no writing.

    References
    ----------
    Vinciarelli & Luettin (2001), "A new normalization technique for cursive handwritten words",
    Pattern Recognition Letters 22, who ask for whole columns likewise.

    Examples
    --------
    >>> page_slant(np.zeros((90, 90), np.uint8), 8)  # nothing leans
    0.0
    """
    scale = min(1.0, _SLANT_DETAIL / unit)
    size = (max(1, round(strokes.shape[1] * scale)), max(1, round(strokes.shape[0] * scale)))
    dark = strokes.astype(np.float32)
    small = np.asarray(cv2.resize(dark, size, interpolation=cv2.INTER_AREA), np.float32)
    high = max(2, round(_BAND * unit * scale))
    slants = np.arange(round(-_MAX / _STEP), round(_MAX / _STEP) + 1) * _STEP
    piled = np.array([_piled(small, slant, high) for slant in slants])
    if not np.ptp(piled):
        return 0.0
    best = int(piled.argmax())
    if not 0 < best < len(piled) - 1:
        return float(slants[best])
    before, there, after = piled[best - 1 : best + 2]
    bend = before - 2 * there + after
    return float(slants[best] + (0.5 * (before - after) / bend if bend else 0) * _STEP)


def _piled(ink: NDArray[np.float32], slant: float, high: int) -> float:
    """Sum of squares of the columns of bands, once the ink is set upright."""
    height, width = ink.shape
    # each band is turned about its own middle, so that nothing leaves the page
    rows = height // high * high
    offset = np.rint(slant * (np.arange(high) - (high - 1) / 2)).astype(int)
    reach = int(np.abs(offset).max(initial=0))
    bands = np.pad(ink[:rows].reshape(-1, high, width), ((0, 0), (0, 0), (reach, reach)))
    columns = sum(
        bands[:, row, reach - shift : reach - shift + width] for row, shift in enumerate(offset)
    )
    return float(np.square(columns).sum())


HEIGHT = 8.0  # px that small letters are high where pages are looked at
DARK = 0.25  # ink darker than this is a stroke, not a shadow of one

_ROUNDS = 3
_DETAIL = 10.0  # px that small letters are high where bands are looked for
_ALONG = 7.0  # heights of small letters to each side that are smeared
_MIN_HEIGHT = 4.0  # px: smaller letters have no shape
_DASH = 4.0  # times as wide as high: what is longer and so low is no letter


def text_height(strokes: NDArray[np.uint8]) -> float:
    """Measure the height of small letters (a, n, o): of the darkest band of the lines of text.

    Text is smeared along its lines; the bands that stay above half of the darkness have the height
    of small letters, because strokes above and below are few. The median over the page, by width.
    The smear is as wide as the height found before, from components at first.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke that may belong to letters. Dashes less than 4 px high, such as
        what is left of rulings, have no say.

    Returns
    -------
    float
        In px; at least 4, also where there are no strokes.

    Examples
    --------
    >>> text_height(np.zeros((50, 50), np.uint8))
    4.0
    """
    labels, components = label_parts(strokes, diagonal=True)
    widths, heights, areas = components[1:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_AREA + 1].T
    high = heights >= _MIN_HEIGHT
    height = _weighted_median(heights[high], areas[high]) / 2
    letters = np.append(False, high | (widths <= _DASH * heights)).astype(np.uint8)[labels]
    for _ in range(_ROUNDS if height > 0 else 0):
        height = _band_height(letters, max(height, _MIN_HEIGHT))
    return float(max(height, _MIN_HEIGHT))


def scaled_strokes(strokes: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Bring strokes to another size.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke.
    scale : float
        px afterwards per px of the page.

    Examples
    --------
    >>> scaled_strokes(np.ones((20, 50), np.uint8), 0.5).shape
    (10, 25)
    """
    return (resized(strokes * np.uint8(255), scale) > DARK * 255).astype(np.uint8)


def resized(picture: NDArray[Any], scale: float) -> NDArray[Any]:
    """A picture in another size, 1 px at least.

    Parameters
    ----------
    picture : (H, W)
    scale : float
        px afterwards per px of the page.

    Examples
    --------
    >>> resized(np.zeros((20, 50), np.uint8), 0.01).shape
    (1, 1)
    """
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=method))


def _band_height(strokes: NDArray[np.uint8], guess: float) -> float:
    scale = min(1.0, _DETAIL / guess)
    size = (max(1, round(strokes.shape[1] * scale)), max(1, round(strokes.shape[0] * scale)))
    small = cv2.resize(strokes * np.uint8(255), size, interpolation=cv2.INTER_AREA)
    unit = guess * scale
    smeared = cv2.blur(small, (2 * round(_ALONG * unit) + 1, 1))
    smeared = cv2.GaussianBlur(smeared, (0, 0), sigmaX=unit, sigmaY=0.15 * unit)
    peak = cv2.dilate(smeared, np.ones((2 * round(2 * unit) + 1, 1), np.uint8))
    bands = (smeared > peak * 0.5) & (peak > 15)
    _, components = label_parts(bands)
    widths = components[1:, cv2.CC_STAT_WIDTH]
    heights = components[1:, cv2.CC_STAT_AREA] / np.maximum(widths, 1)
    lines = widths > 6 * unit
    return _weighted_median(heights[lines], widths[lines]) / scale or guess


def _weighted_median(values: NDArray[Any], weights: NDArray[Any]) -> float:
    """The weighted median; 0 where there is nothing."""
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order], dtype=np.float64)
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


Strokes = NDArray[np.uint8]

# Of the page's width and height: strokes that hang together and are larger are no word
_WIDE, _HIGH = 0.45, 0.1
# Of its longer side. Chosen on pages 270 to 274 of George Washington's letters
_THICK = 0.004  # a border is thicker than this, each way
_RUN = 0.03  # or its ink goes on straight for so far
_FRAYED = 0.001  # and a little on both sides of that
_LONG = 0.5  # what is cut off belongs to a border, not to a drawing, if it is longer than this
_REACH = 0.008  # what is no farther from such a border is frayed, too


@dataclass(frozen=True, eq=False)
class PageStrokes:
    """The strokes of a page, without lines of ruled or squared paper and without a scan's borders.

    Attributes
    ----------
    drawn : (H, W) uint8
        1 where there is a stroke.
    letters : (H, W) uint8
        The same without strokes that hang together and are larger than words.
    """

    drawn: Strokes
    letters: Strokes

    __repr__ = short_repr


def page_strokes(ink: InkMap) -> PageStrokes:
    """Find the strokes of a page; what touches a ruling or a border stays.

    Parameters
    ----------
    ink : (H, W) float32
        As `spotlab.spotting.words.extraction.layout.word_ink` gives it.

    Examples
    --------
    >>> page = np.zeros((900, 1200), np.float32)
    >>> page[:, 1150:] = 1
    >>> page[40:43, 1125:1150] = page[40:60, 1130:1133] = 1  # a t that touches the border
    >>> np.flatnonzero(page_strokes(page).letters.any(axis=0))[[0, -1]].tolist()
    [1125, 1148]
    """
    strokes = remove_rulings(ink > DARK).view(np.uint8)
    large, border = _large(strokes)
    touching = _touching(border) if border.any() else border
    return PageStrokes(strokes & ~border | touching, strokes & ~large | touching)


def _touching(border: Strokes) -> Strokes:
    """The strokes that touch a border, of what hangs together with it."""
    side = max(border.shape)
    thick, run, frayed, reach = (
        max(1, round(part * side)) for part in (_THICK, _RUN, _FRAYED, _REACH)
    )
    left = border
    for least in ((thick, thick), (run, 1), (1, run)):
        left = np.asarray(left & ~_around(_opened(left, least), frayed), np.uint8)
    labels, cut = label_parts(border & ~left, diagonal=True)
    beside = _around(_chosen(labels, _sizes(cut).max(axis=1) > _LONG * side), reach)
    labels, parts = label_parts(left, diagonal=True)
    touches = np.zeros(len(parts), np.bool_)
    touches[labels[(left & ~beside).view(np.bool_)]] = True
    return _chosen(labels, touches & ~_is_large(parts, border.shape))


def _opened(strokes: Strokes, least: tuple[int, int]) -> Strokes:
    opened = cv2.morphologyEx(strokes, cv2.MORPH_OPEN, np.ones(least, np.uint8))
    return np.asarray(opened, np.uint8)


def _around(strokes: Strokes, reach: int) -> Strokes:
    square = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(strokes, square), np.uint8)


def _large(strokes: Strokes) -> tuple[Strokes, Strokes]:
    """Strokes that hang together and are larger than words, and those that reach the edge, too."""
    height, width = strokes.shape
    labels, parts = label_parts(strokes, diagonal=True)
    left, top, wide, high = parts[:, : cv2.CC_STAT_AREA].T
    at_edge = (left == 0) | (top == 0) | (left + wide == width) | (top + high == height)
    large = _is_large(parts, strokes.shape)
    return _chosen(labels, large), _chosen(labels, large & at_edge)


def _is_large(parts: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray((_sizes(parts) > np.array([_WIDE, _HIGH]) * shape[::-1]).any(axis=1))


def _sizes(parts: NDArray[np.int32]) -> NDArray[np.int32]:
    """(N, 2) their width and height."""
    return parts[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_AREA]


def _chosen(labels: NDArray[np.int32], which: NDArray[np.bool_]) -> Strokes:
    """The strokes of some numbers; paper, which has the first, is none of them."""
    which[0] = False
    return np.asarray(which.astype(np.uint8)[labels], np.uint8)


# All in heights of small letters. Chosen on five photographs of diagrams, and so that words of five
# pages of letters, 270 to 274 of George Washington's, stay
_SIZE = 3.0  # from this size on, strokes that hang together may be drawn
_HOLLOW = 1.2  # radius of a circle without ink between them, more than letters leave
_THIN = 0.6  # thickness of a line, at most
_STRAIGHT = 1.2  # length along x or y in which a stroke is a line, not part of a letter
_EDGE_SHARE = 0.05  # grey edge of a line


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
    length, edge = max(3, round(_STRAIGHT * unit)), max(1, round(_EDGE_SHARE * unit))
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
# Chosen on three manuscript pages of two columns: lines of a narrow column, and how many follow
# each other between its first and its last one
_NARROW, _STACKED = 8.0, 4
_EVEN = 1.5  # pitches from one to the next line in proportion, at most
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
    stacked = _in_columns(running + short)
    running += [part for part in short if id(part) in stacked]
    short = [part for part in short if id(part) not in stacked]
    pitch = dense_pitch(running)  # elsewhere, words of short lines stand by themselves
    return running + [part for part in short if _goes_on(part, running, pitch)]


def _in_columns(parts: list[TextLine]) -> set[int]:
    """The ids of those parts of lines that are inside of a narrow column of dense text.

    Lines at about the same distance are above and below each, and so for several lines.
    """
    able = [part for part in parts if len(part) >= _NARROW * HEIGHT]
    able.sort(key=lambda part: float(part.middle.mean()))
    left, wide = (np.array([[p.left, len(p)] for p in able]).reshape(-1, 2)).T
    y = np.array([part.middle.mean() for part in able])
    shared = np.minimum.outer(left + wide, left + wide) - np.maximum.outer(left, left)
    over = (2 * shared >= np.minimum.outer(wide, wide)) & np.less.outer(y, y)
    down = np.where(over, y - y[:, None], np.inf)
    below, above = down.min(axis=1, initial=np.inf), down.min(axis=0, initial=np.inf)
    apart = np.maximum(below, above)
    inside = (apart <= _DENSE * HEIGHT) & (apart <= _EVEN * np.minimum(below, above))
    columns: dict[int, list[int]] = {}  # by their lowest line so far
    for at in np.flatnonzero(inside).tolist():
        column = columns.pop(int(down[:, at].argmin()), [])
        columns[at] = [*column, at]
    stacked = (column for column in columns.values() if len(column) >= _STACKED)
    return {id(able[at]) for column in stacked for at in column}


def dense_pitch(lines: list[TextLine]) -> float:
    """Tell how far lines of dense running text are apart, such as those of a printed book.

    Parameters
    ----------
    lines : list of TextLine
        Short ones do not count, nor those of narrow columns if most of the text is in longer ones.

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
    narrow = [line for line in lines if len(line) >= _NARROW * HEIGHT]
    long = [line for line in narrow if len(line) >= _RUNNING * HEIGHT]
    long = long if 2 * sum(map(len, long)) >= sum(map(len, narrow)) else narrow
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
        As `spotlab.spotting.words.extraction.layout.word_ink` gives it.

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
