"""Descriptors of words: pairs of strokes next to each other, in overlapping cells on three zones.

Histograms of pairs of gradients over a grid that is laid on the small letters of the word, set
upright, and reaches above and below them as letters do; and how wide the word is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes, Floats, Ints
from spotlab.extras import cv2
from spotlab.spotting.words.extraction.layout import (
    DARK,
    HEIGHT,
    InkMap,
    Layout,
    find_layout,
    resized,
)

_STRIP = 128  # px; a strip that holds higher boxes is at least twice as high as these


@dataclass(frozen=True, eq=False)
class CellGrid:
    """Rows and columns of cells on each of N boxes, in whole px.

    Attributes
    ----------
    top, bottom : (N, rows) int
    left, right : (N, columns) int
    width : (N,) float
        Of the boxes.
    """

    top: Ints
    bottom: Ints
    left: Ints
    right: Ints
    width: Floats

    def __len__(self) -> int:
        return len(self.width)

    @classmethod
    def on_page(
        cls,
        top: Floats,
        bottom: Floats,
        left: Floats,
        right: Floats,
        width: Floats,
        size: tuple[int, ...],
    ) -> CellGrid:
        """Round edges to what is on a page; columns stay 1 px wide.

        Parameters
        ----------
        top, bottom : (N, rows) float
            In px.
        left, right : (N, columns) float
            In px.
        width : (N,) float
            In px.
        size : (int, int)
            Height and width of the page in px.

        Examples
        --------
        >>> edge, none = np.array([[4.2, 29.8]]), np.zeros((1, 1))
        >>> grid = CellGrid.on_page(none, none, edge, edge, np.ones(1), (20, 30))
        >>> grid.left.tolist(), grid.right.tolist()
        ([[4, 30]], [[5, 30]])
        """
        rows = (_whole(top, size[0]), _whole(bottom, size[0]))
        start, stop = _whole(left, size[1]), _whole(right, size[1])
        return cls(*rows, start, np.maximum(stop, np.minimum(start + 1, size[1])), width)

    @classmethod
    def joined(cls, grids: Sequence[CellGrid]) -> CellGrid:
        """Grids one after the other.

        Parameters
        ----------
        grids : sequence of CellGrid
            At least one.

        Examples
        --------
        >>> none = np.zeros((2, 1), np.int64)
        >>> len(CellGrid.joined([CellGrid(none, none, none, none, np.ones(2))] * 3))
        6
        """
        names = (field.name for field in fields(cls))
        return cls(*(np.concatenate([getattr(grid, name) for grid in grids]) for name in names))

    def take(self, chosen: Ints, above: int) -> CellGrid:
        """Some of the boxes, on a part of the page.

        Parameters
        ----------
        chosen : (M,) int
        above : int
            Rows of the page above the part, in px.

        Examples
        --------
        >>> top = np.array([[10], [50]])
        >>> grid = CellGrid(top, top + 40, top, top, np.ones(2))
        >>> part = grid.take(np.array([1]), 45)
        >>> part.top.tolist(), part.bottom.tolist(), part.left.tolist()
        ([[5]], [[45]], [[50]])
        """
        return CellGrid(
            self.top[chosen] - above,
            self.bottom[chosen] - above,
            self.left[chosen],
            self.right[chosen],
            self.width[chosen],
        )


def strips(grid: CellGrid) -> Iterator[tuple[Ints, int, int]]:
    """Divide boxes into strips of a page, so that each box is in one of them.

    Parameters
    ----------
    grid : CellGrid

    Yields
    ------
    chosen : (M,) int
        Boxes in a strip.
    top, bottom : int
        Of the strip, in px. Boxes of about the same height share strips, so that rows of a page are
        in few strips, however its boxes lie.

    Examples
    --------
    >>> top = np.array([[0], [90], [300], [95]])
    >>> none = np.zeros((4, 1), np.int64)
    >>> grid = CellGrid(top, top + 40, none, none, np.zeros(4))
    >>> [(chosen.tolist(), top, bottom) for chosen, top, bottom in strips(grid)]
    [([0], 0, 40), ([1, 3], 90, 135), ([2], 300, 340)]
    """
    tops, bottoms = grid.top.min(axis=1), grid.bottom.max(axis=1)
    doublings = np.ceil(np.log2(np.maximum((bottoms - tops) / (_STRIP / 2), 1)))
    for times in np.unique(doublings).tolist():
        left = np.flatnonzero(doublings == times)
        while len(left):
            top = int(tops[left].min())
            inside = bottoms[left] <= top + _STRIP * 2**times
            chosen = left[inside]
            yield chosen, top, int(bottoms[chosen].max())
            left = left[~inside]


def _whole(values: Floats, limit: int) -> Ints:
    return np.clip(np.rint(values), 0, limit).astype(np.int64)


_ROWS = 64
_COLUMNS = 256
_EMPTY = 0.02  # of the darkest row or column: less is no ink
_CORE = 0.5  # of the darkest row: the small letters


def row_profile(ink: NDArray[np.int32], boxes: Boxes, rows: int = _ROWS) -> NDArray[np.float64]:
    """Sum the ink of equally high rows of each box.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    rows : int
        Number of rows.

    Returns
    -------
    (N, rows) float

    Examples
    --------
    >>> ink = np.arange(5)[:, None] * np.arange(3) * np.ones((5, 3), np.int32)
    >>> row_profile(ink.astype(np.int32), np.array([[0.0, 0, 2, 4]]), rows=2).tolist()
    [[4.0, 4.0]]
    """
    height, width = ink.shape[0] - 1, ink.shape[1] - 1
    edges = boxes[:, 1:2] + (boxes[:, 3:4] - boxes[:, 1:2]) * np.linspace(0, 1, rows + 1)
    left, right = _whole(boxes[:, 0], width)[:, None], _whole(boxes[:, 2], width)[:, None]
    return np.diff(_between(edges, height, lambda at: ink[at, right] - ink[at, left]), axis=1)


def column_profile(
    ink: NDArray[np.int32], boxes: Boxes, columns: int = _COLUMNS
) -> NDArray[np.float64]:
    """Sum the ink of equally wide columns of each box.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    columns : int
        Number of columns.

    Returns
    -------
    (N, columns) float

    Examples
    --------
    >>> ink = np.arange(5)[:, None] * np.arange(3) * np.ones((5, 3), np.int32)
    >>> column_profile(ink.astype(np.int32), np.array([[0.0, 0, 2, 4]]), columns=2).tolist()
    [[4.0, 4.0]]
    """
    height, width = ink.shape[0] - 1, ink.shape[1] - 1
    edges = boxes[:, 0:1] + (boxes[:, 2:3] - boxes[:, 0:1]) * np.linspace(0, 1, columns + 1)
    top, bottom = _whole(boxes[:, 1], height)[:, None], _whole(boxes[:, 3], height)[:, None]
    return np.diff(_between(edges, width, lambda at: ink[bottom, at] - ink[top, at]), axis=1)


def letter_zone(ink: NDArray[np.int32], boxes: Boxes) -> NDArray[np.float64]:
    """Find the zone of small letters: the rows around the darkest that are above half of it.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N, 2) float
        Top and bottom in px; the first row where there is no ink.

    Examples
    --------
    >>> letter_zone(np.zeros((10, 10), np.int32), np.array([[1.0, 2, 8, 7]])).tolist()
    [[2.0, 2.078125]]
    """
    profile = row_profile(ink, boxes)
    profile = _smoothed(profile)
    top, bottom = _span(profile, profile.argmax(axis=1), _CORE)
    step = (boxes[:, 3] - boxes[:, 1]) / profile.shape[1]
    return np.stack([boxes[:, 1] + top * step, boxes[:, 1] + bottom * step], axis=1)


def shrink_to_ink(ink: NDArray[np.int32], boxes: Boxes) -> Boxes:
    """Shrink boxes to their ink.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N, 4) float
        Boxes without ink stay as they are.

    Examples
    --------
    >>> shrink_to_ink(np.zeros((10, 10), np.int32), np.array([[1.0, 2, 8, 7]])).tolist()
    [[1.0, 2.0, 8.0, 7.0]]
    """
    shrunk = boxes.copy()
    for profile, low, high in ((column_profile, 0, 2), (row_profile, 1, 3)):
        amounts = profile(ink, shrunk)
        inked = amounts > _EMPTY * amounts.max(axis=1, keepdims=True)
        some = inked.any(axis=1)
        first = inked.argmax(axis=1)
        last = inked.shape[1] - inked[:, ::-1].argmax(axis=1)
        step = (shrunk[:, high] - shrunk[:, low]) / inked.shape[1]
        start = shrunk[:, low].copy()
        shrunk[some, low] = (start + first * step)[some]
        shrunk[some, high] = (start + last * step)[some]
    return shrunk


def _smoothed(profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each row and two on each side."""
    padded = np.pad(profile, ((0, 0), (3, 2)))
    sums = padded.cumsum(axis=1)
    return np.asarray((sums[:, 5:] - sums[:, :-5]) / 5)


def _span(
    profile: NDArray[np.float64], peak: NDArray[np.int64], share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and one after the last row around the peak that has this share of its amount."""
    count = profile.shape[1]
    place = np.arange(count)
    most = np.take_along_axis(profile, peak[:, None], axis=1)
    low = profile <= share * most
    above = np.where(low & (place < peak[:, None]), place + 1, 0).max(axis=1)
    below = np.where(low & (place > peak[:, None]), place, count).min(axis=1)
    return above, below


def _between(
    edges: Boxes, limit: int, at: Callable[[NDArray[np.int64]], NDArray[np.int32]]
) -> NDArray[np.float64]:
    """Sums up to places between pixels."""
    edges = np.clip(edges, 0, limit)
    first = np.minimum(edges.astype(np.int64), max(limit - 1, 0))
    share = edges - first
    start, end = at(first), at(first + 1)
    return start + (end - start) * share


DIRECTIONS = 4
OFFSETS = ((4, 0), (0, 4), (4, 4), (-4, 4))  # px of the channels, to the right and down
PAIRS = len(OFFSETS) * DIRECTIONS**2

_REACH = max(abs(step) for offset in OFFSETS for step in offset)
_LEVELS = 255  # of ink and of gradients: whole numbers, so that sums over a page stay exact
_ROOTS = np.rint(np.sqrt(np.arange(256) * 255.0)).astype(np.uint8)

Sums = NDArray[np.int32]
PairSums = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Channels:
    """A page at one letter height, as it is and with letters upright.

    Sums may wrap around on huge pages; differences do not.

    Attributes
    ----------
    ink : (h + 1, w + 1) int32
        Sums of the ink.
    upright_ink : (h + 1, w' + 1) int32
        Like ``ink``, of the page with each row moved so that letters stand upright: what is at
        (x, y) is at (x + slant * y + shift, y) there.
    upright_strokes : (4, h, w') uint8
        Roots of how much of each direction the edges of strokes have there.
    scale : float
        px of the channels per px of the page.
    slant : float
        px to the right per px upwards.
    shift : float
        In px of the channels.
    """

    ink: Sums
    upright_ink: Sums
    upright_strokes: NDArray[np.uint8]
    scale: float
    slant: float
    shift: float


def prepare_channels(ink: InkMap, layout: Layout | None = None) -> Channels:
    """Prepare the channels of a page.

    Parameters
    ----------
    ink : (H, W) float32
        As `word_ink` gives it.
    layout : Layout, optional
        Of the page, where it is known.
    """
    layout = layout or find_layout(ink)
    return channels_at(ink, layout.scale, layout.slant)


def channels_at(ink: InkMap, scale: float, slant: float) -> Channels:
    """Prepare the channels of a page, or of a part of one, whose writing is known.

    Parameters
    ----------
    ink : (H, W) float32
        As `word_ink` gives it.
    scale : float
        px of the channels per px of the page.
    slant : float
        px to the right per px upwards.

    Examples
    --------
    >>> channels_at(np.zeros((20, 50), np.float32), 0.5, 0.0).ink.shape
    (11, 26)
    """
    small = resized(ink, scale).astype(np.float32)
    size = small.shape[1], small.shape[0]
    shift = max(0.0, -slant * size[1])
    move = np.array([[1, slant, shift], [0, 1, 0]], np.float32)
    wide = (size[0] + int(abs(slant) * size[1]) + 1, size[1])
    upright = np.asarray(cv2.warpAffine(small, move, wide, flags=cv2.INTER_LINEAR), np.float32)
    return Channels(_amounts(small), _amounts(upright), _directions(upright), scale, slant, shift)


def _amounts(ink: InkMap) -> Sums:
    dark = np.where(ink < DARK, 0, ink * _LEVELS).astype(np.uint8)
    return np.asarray(cv2.integral(dark, sdepth=cv2.CV_32S), np.int32)


def empty_sums(rows: int, width: int) -> PairSums:
    """Make room for `sum_stroke_pairs` of strips of a page.

    Parameters
    ----------
    rows, width : int
        Of the highest strip, in px.

    Returns
    -------
    (16, rows + 1, width + 1, 4) uint16
        Not written to yet.

    Examples
    --------
    >>> empty_sums(20, 30).shape
    (16, 21, 31, 4)
    """
    return np.empty((PAIRS // DIRECTIONS, rows + 1, width + 1, DIRECTIONS), np.uint16)


def sum_stroke_pairs(strokes: NDArray[np.uint8], top: int, bottom: int, into: PairSums) -> PairSums:
    """Sum the geometric means of strokes in two directions at two places a little apart.

    What strokes next to each other look like says more than what each of them does.

    Parameters
    ----------
    strokes : (4, h, w) uint8
        As of `Channels`.
    top, bottom : int
        The strip of the page that is summed, in px: all of it would be half a gigabyte.
    into : (16, >= bottom - top + 1, w + 1, 4) uint16
        Is written to: new memory for each strip would take longer than the sums.

    Returns
    -------
    (16, bottom - top + 1, w + 1, 4) uint16
        Part of ``into``: integral images of each of four offsets and each pair of directions. They
        wrap around, to be half as large. A strip without rows has sums of zero.

    Examples
    --------
    >>> strokes = np.full((4, 20, 30), 255, np.uint8)
    >>> sums = sum_stroke_pairs(strokes, 0, 10, empty_sums(10, 30))
    >>> sums.shape, sums[0, -1, -1].tolist()
    ((16, 11, 31, 4), [33280, 33280, 33280, 33280])
    """
    high, wide = bottom - top, strokes.shape[2]
    if not high:
        into[:, 0] = 0
        return into[:, :1]
    roots = strokes[:, top : bottom + _REACH]
    below = _REACH + high - roots.shape[1]
    around = np.pad(roots, ((0, 0), (0, below), (_REACH, _REACH)))
    sums = into[:, : high + 1]
    planes = iter(sums)
    for right, down in OFFSETS:
        start = _REACH + right
        beside = around[:, down : down + high, start : start + wide]
        for here in roots[:, :high]:
            # half of what they are, so that cells of wide words stay within 16 bits; OpenCV sums
            # four channels at a time
            both = [cv2.multiply(here, there, scale=0.5 / _LEVELS) for there in beside]
            next(planes)[:] = cv2.integral(cv2.merge(both), sdepth=cv2.CV_32S)
    return sums


def _directions(ink: InkMap) -> NDArray[np.uint8]:
    """Roots of how much gradient there is, shared between the two directions next to its own."""
    smooth = cv2.GaussianBlur(ink, (0, 0), 1.0)
    beside = np.array([[-_LEVELS, 0, _LEVELS]], np.float32)
    across = cv2.filter2D(smooth, cv2.CV_32F, beside, borderType=cv2.BORDER_REPLICATE)
    down = cv2.filter2D(smooth, cv2.CV_32F, beside.T, borderType=cv2.BORDER_REPLICATE)
    size, angle = cv2.cartToPolar(across, down)
    # a stroke and its other side have the same direction: half a turn is 256 steps
    turn = (angle * (256 / np.pi)).astype(np.int16).astype(np.uint8)
    amount = (size + 0.5).astype(np.uint8)
    parts = (
        cv2.multiply(cv2.LUT(turn, _share(number)), amount, scale=1 / 255)
        for number in range(DIRECTIONS)
    )
    return np.stack([np.asarray(cv2.LUT(part, _ROOTS), np.uint8) for part in parts])


def _share(direction: int) -> NDArray[np.uint8]:
    """(256,) how much of a gradient of each direction belongs to one of the four, of 255."""
    step = 256 // DIRECTIONS
    away = np.abs((np.arange(256) - direction * step + 128) % 256 - 128)
    return np.asarray(np.maximum(255 - away * 255 // step, 0), np.uint8)


ROWS = 4
COLUMNS = 8
OVERLAP = 0.35  # of a cell, to each side
REACH = 1.0  # heights of small letters above and below them that count
WIDTH_WAVES = (2.0, 4.0)  # per e-fold of a word's width
WIDTH_WEIGHT = 0.3
WIDTH = 2 * len(WIDTH_WAVES)  # numbers at the end of a row that say how wide the word is
LENGTH = ROWS * COLUMNS * PAIRS + WIDTH

_BATCH = 2048
_DISTURBED = 250  # words of a page; more only take longer
_TIMES = 2
_MIN_ZONE = 3.0  # px
_BESIDE = 0.5  # heights of small letters above and below in which an upright word starts and ends
_WAVES = np.arange(1, 4)


@dataclass(frozen=True)
class Disturbance:
    """Random disturbances of words in ways that should not matter, as standard deviations.

    Attributes
    ----------
    across, down : float
        Of each side of the box, in heights of the box.
    zone : float
        Of the top and of the bottom of the small letters, in their height.
    stretch : float
        Of the letters along the word, in fourteenths of its width.
    """

    across: float = 0.06
    down: float = 0.05
    zone: float = 0.15
    stretch: float = 0.4


def describe(page: InkMap | Channels, boxes: ArrayLike) -> NDArray[np.float32]:
    """Describe boxes on a page; `Projection` is to be applied before descriptors are compared.

    Parameters
    ----------
    page : (H, W) float32, or Channels
        Its ink, or the channels prepared from it.
    boxes : (N, 4) float
        left, top, right, bottom in px; what is beyond the page is paper.

    Returns
    -------
    (N, 2052) float32
        Rows of length 1; zero for boxes without ink.

    References
    ----------
    Dalal & Triggs (2005), "Histograms of oriented gradients for human detection", CVPR; of pairs
    Watanabe, Ito & Yokoi (2009), "Co-occurrence histograms of oriented gradients for pedestrian
    detection", PSIVT; of words Tian et al. (2016), "Multilingual scene character recognition with
    co-occurrence of histogram of oriented gradients", Pattern Recognition 51.

    Examples
    --------
    >>> describe(np.zeros((50, 90), np.float32), [[10, 10, 40, 30]]).any()
    np.False_
    """
    channels = page if isinstance(page, Channels) else prepare_channels(page)
    scaled = np.asarray(boxes, np.float64).reshape(-1, 4) * channels.scale
    return _described(channels, _grid(channels, scaled, None, np.random.default_rng(0)))


def describe_with_changes(
    page: InkMap | Channels, boxes: ArrayLike
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Describe boxes on a page, and measure how disturbances change what is said of its words.

    Parameters
    ----------
    page : (H, W) float32, or Channels
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    rows : (N, 2052) float32
        As of `describe`.
    changes : (M, 2052) float32
        For `Projection.fit`: of at most 250 of the boxes, spread over all, two disturbances each.

    Examples
    --------
    >>> rows, changes = describe_with_changes(np.zeros((50, 90), np.float32), [[10, 10, 40, 30]])
    >>> rows.shape, changes.shape
    ((1, 2052), (2, 2052))
    """
    channels = page if isinstance(page, Channels) else prepare_channels(page)
    boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
    some = np.linspace(0, len(boxes) - 1, min(_DISTURBED, len(boxes))).astype(np.int64)
    scaled = boxes * channels.scale
    grids = [_grid(channels, scaled, None, np.random.default_rng(0))]
    for seed in range(_TIMES):
        grids.append(_grid(channels, scaled[some], Disturbance(), np.random.default_rng(seed)))
    described = _described(channels, CellGrid.joined(grids))
    rows = described[: len(boxes)]
    return rows, described[len(boxes) :] - np.tile(rows[some], (_TIMES, 1))


def _grid(
    channels: Channels, boxes: Boxes, disturbance: Disturbance | None, random: np.random.Generator
) -> CellGrid:
    """Lay cells on boxes, in px of the channels."""
    parts = [
        _grid_of_some(channels, boxes[start : start + _BATCH], disturbance, random)
        for start in range(0, max(len(boxes), 1), _BATCH)
    ]
    return CellGrid.joined(parts)


def _grid_of_some(
    channels: Channels, boxes: Boxes, disturbance: Disturbance | None, random: np.random.Generator
) -> CellGrid:
    waves = None
    if disturbance is not None:
        high = (boxes[:, 3] - boxes[:, 1])[:, None]
        spread = [disturbance.across, disturbance.down] * 2
        boxes = _ordered(boxes + random.normal(size=boxes.shape) * spread * high)
    boxes = shrink_to_ink(channels.ink, boxes)
    zone = letter_zone(channels.ink, boxes)
    if disturbance is not None:
        high = (zone[:, 1] - zone[:, 0])[:, None]
        zone = zone + random.normal(size=zone.shape) * disturbance.zone * high
        waves = random.normal(size=(len(boxes), len(_WAVES))) * disturbance.stretch / _WAVES
    upright = _upright(channels, boxes, zone)
    high = np.maximum(zone[:, 1] - zone[:, 0], _MIN_ZONE)
    tops, bottoms = _edges(
        zone[:, 0] - REACH * high,
        zone[:, 1] + REACH * high,
        np.arange(ROWS, dtype=float),
    )
    lefts, rights = _edges(upright[:, 0], upright[:, 2], _columns(waves))
    # only ink inside the box counts
    tops, bottoms = (np.clip(edge, upright[:, 1:2], upright[:, 3:4]) for edge in (tops, bottoms))
    width = upright[:, 2] - upright[:, 0]
    return CellGrid.on_page(tops, bottoms, lefts, rights, width, channels.upright_strokes.shape[1:])


def _described(channels: Channels, grid: CellGrid) -> NDArray[np.float32]:
    """Sum pairs of strokes in cells, strip by strip of the page."""
    rows = np.empty((len(grid), LENGTH), np.float32)
    found = list(strips(grid))
    highest = max((bottom - top for _, top, bottom in found), default=0)
    into = empty_sums(highest, channels.upright_strokes.shape[2])
    for chosen, top, bottom in found:
        sums = sum_stroke_pairs(channels.upright_strokes, top, bottom, into)
        for start in range(0, len(chosen), _BATCH):
            some = chosen[start : start + _BATCH]
            rows[some] = _rows(sums, grid.take(some, top))
    return rows


def _rows(sums: PairSums, grid: CellGrid) -> NDArray[np.float32]:
    cells = _cells(sums, grid)
    length = np.linalg.norm(cells, axis=1, keepdims=True)
    cells /= np.where(length > 0, length, 1)
    rows = np.concatenate([cells, _width_code(grid.width)], axis=1)
    rows /= np.sqrt(1 + WIDTH_WEIGHT**2)
    return np.asarray(np.where(length > 0, rows, 0), np.float32)


def _width_code(width: NDArray[np.float64]) -> NDArray[np.float32]:
    """(N, 4) waves of length `WIDTH_WEIGHT` whose products fall as widths, in px, differ."""
    turns = np.log(np.maximum(width / HEIGHT, 0.3))[:, None] * WIDTH_WAVES
    code = np.concatenate([np.cos(turns), np.sin(turns)], axis=1)
    return np.asarray(code * WIDTH_WEIGHT / np.sqrt(len(WIDTH_WAVES)), np.float32)


def _ordered(boxes: Boxes) -> Boxes:
    """Boxes with at least a pixel of each, however they were moved."""
    low = boxes[:, :2]
    return np.concatenate([low, np.maximum(boxes[:, 2:], low + 1)], axis=1)


def _upright(channels: Channels, boxes: Boxes, zone: NDArray[np.float64]) -> Boxes:
    """The boxes on the page of upright letters, from the first to the last of the small letters."""
    moved = channels.slant * zone.mean(axis=1) + channels.shift
    upright = boxes.copy()
    upright[:, 0] += moved
    upright[:, 2] += moved
    beside = _BESIDE * np.maximum(zone[:, 1] - zone[:, 0], _MIN_ZONE)
    middle = upright.copy()
    middle[:, 1] = np.clip(zone[:, 0] - beside, boxes[:, 1], boxes[:, 3])
    middle[:, 3] = np.clip(zone[:, 1] + beside, boxes[:, 1], boxes[:, 3])
    across = shrink_to_ink(channels.upright_ink, middle)
    upright[:, 0], upright[:, 2] = across[:, 0], across[:, 2]
    return upright


def _cells(sums: PairSums, grid: CellGrid) -> NDArray[np.float32]:
    """(N, rows * columns * pairs), each cell by the length of its histogram."""
    top, bottom = grid.top[:, :, None], grid.bottom[:, :, None]
    left, right = grid.left[:, None], grid.right[:, None]
    # sums wrap around, and so do these differences: back to what they are
    amounts = sums[:, bottom, right] - sums[:, top, right]
    amounts -= sums[:, bottom, left] - sums[:, top, left]
    cells = np.moveaxis(amounts, 0, 3).astype(np.float32, order="C")
    cells = cells.reshape(*cells.shape[:3], PAIRS)
    length = np.linalg.norm(cells, axis=3, keepdims=True)
    floor = 0.05 * length.max(axis=(1, 2), keepdims=True) + 1e-9
    cells /= np.sqrt(length**2 + floor**2)
    # square roots, so that a few strong strokes do not decide
    return np.asarray(np.sqrt(cells, out=cells).reshape(len(cells), -1), np.float32)


def _columns(waves: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Places of columns, counted in cells; waves, in fourteenths of a word, move them."""
    places = np.arange(COLUMNS, dtype=float)
    if waves is None:
        return places[None]
    along = (np.arange(COLUMNS) + 0.5) / COLUMNS
    moved = waves @ np.sin(np.pi * _WAVES[:, None] * along)
    return np.asarray(places + moved * COLUMNS / 14)


def _edges(
    start: NDArray[np.float64], stop: NDArray[np.float64], places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of cells at places counted in cells, with their overlap."""
    count = places.shape[-1]
    size = ((stop - start) / count)[:, None]
    first = start[:, None] + size * (places - OVERLAP)
    return first, first + size * (1 + 2 * OVERLAP)


class WordDescriptor(StrEnum):
    """Descriptor by which words are compared."""

    STROKES = "strokes"
    LEARNED = "learned"
    BOTH = "both"


TITLES = {
    WordDescriptor.STROKES: "Strokes",
    WordDescriptor.LEARNED: "Learned",
    WordDescriptor.BOTH: "Strokes and learned",
}
DEFINITIONS = {
    WordDescriptor.STROKES: "Directions of strokes next to each other. Nothing is trained; only "
    "transcribed words can be typed.",
    WordDescriptor.LEARNED: "A network trained on words drawn by fonts of handwriting.",
    WordDescriptor.BOTH: "The weighted mean of both similarities. Best for one writer and for "
    "several.",
}
