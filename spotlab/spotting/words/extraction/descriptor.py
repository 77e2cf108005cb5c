"""Descriptors of words: pairs of strokes next to each other, in overlapping cells on three zones.

Histograms of pairs of gradients over a grid that is laid on the small letters of the word, set
upright, and reaches above and below them as letters do; and how wide the word is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes
from spotlab.spotting.words.extraction.channels import (
    PAIRS,
    Channels,
    PairSums,
    empty_sums,
    prepare_channels,
    sum_stroke_pairs,
)
from spotlab.spotting.words.extraction.grid import CellGrid, strips
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.text_size import HEIGHT
from spotlab.spotting.words.extraction.zones import letter_zone, shrink_to_ink

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
    """How far words are disturbed, as standard deviations, in ways that should not matter.

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
