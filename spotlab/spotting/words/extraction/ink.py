"""The ink of a handwritten page: its darkness, strokes, slant, and the height of its letters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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
        As `spotlab.spotting.words.extraction.ink.word_ink` gives it.

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
