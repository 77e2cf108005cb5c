"""Descriptors of words: the directions of their strokes in overlapping cells on three zones.

Histograms of gradients over a grid that is laid on the small letters of the word and reaches as far
above and below them as letters do: once on the page as it is and once with its letters upright.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.spotting.words.extraction.channels import DIRECTIONS, Channels, Sums, prepare_channels
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.zones import Boxes, letter_zone, shrink_to_ink

ROWS = 7
COLUMNS = 14
OVERLAP = 0.35  # of a cell, to each side
REACH = 1.6  # heights of small letters above and below them that count
LENGTH = 2 * ROWS * COLUMNS * DIRECTIONS

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
        Of the letters along the word, in cells.
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
    (N, 1568) float32
        Rows of length 1; zero for boxes without ink.

    References
    ----------
    Dalal & Triggs (2005), "Histograms of oriented gradients for human detection", CVPR; for words
    first Almazán, Gordo, Fornés & Valveny (2012), "Efficient exemplar word spotting", BMVC.

    Examples
    --------
    >>> describe(np.zeros((50, 90), np.float32), [[10, 10, 40, 30]]).any()
    np.False_
    """
    return _in_batches(page, boxes, None, np.random.default_rng(0))


def describe_disturbed(
    page: InkMap | Channels, boxes: ArrayLike, seed: int, disturbance: Disturbance | None = None
) -> NDArray[np.float32]:
    """Describe the same words as if they had been boxed and written a little differently.

    The differences from `describe` say nothing about which word it is; `Projection.fit` learns
    that.

    Parameters
    ----------
    page : (H, W) float32, or Channels
    boxes : (N, 4) float
        left, top, right, bottom in px.
    seed : int
        Of the disturbances drawn.
    disturbance : Disturbance, optional

    Returns
    -------
    (N, 1568) float32
        As of `describe`.

    Examples
    --------
    >>> ink = np.zeros((50, 90), np.float32)
    >>> ink[15:25, 20:70:4] = 1
    >>> one, other = (describe_disturbed(ink, [[10, 10, 80, 30]], seed)[0] for seed in (0, 1))
    >>> bool(0 < one @ other < 1)
    True
    """
    random = np.random.default_rng(seed)
    return _in_batches(page, boxes, disturbance or Disturbance(), random)


def descriptor_changes(page: InkMap | Channels, boxes: ArrayLike) -> NDArray[np.float32]:
    """Measure how disturbances change descriptors of a page's words, for `Projection.fit`.

    Parameters
    ----------
    page : (H, W) float32, or Channels
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (M, 1568) float32
        Of at most 250 of the boxes, spread over all, two disturbances each.

    Examples
    --------
    >>> descriptor_changes(np.zeros((50, 90), np.float32), [[10, 10, 40, 30]]).shape
    (2, 1568)
    """
    boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
    step = np.linspace(0, len(boxes) - 1, min(_DISTURBED, len(boxes))).astype(np.int64)
    channels = page if isinstance(page, Channels) else prepare_channels(page)
    undisturbed = describe(channels, boxes[step])
    parts = [
        describe_disturbed(channels, boxes[step], seed) - undisturbed for seed in range(_TIMES)
    ]
    return np.concatenate(parts)


def _in_batches(
    page: InkMap | Channels,
    boxes: ArrayLike,
    disturbance: Disturbance | None,
    random: np.random.Generator,
) -> NDArray[np.float32]:
    channels = page if isinstance(page, Channels) else prepare_channels(page)
    scaled = np.asarray(boxes, np.float64).reshape(-1, 4) * channels.scale
    rows = np.empty((len(scaled), LENGTH), np.float32)
    for start in range(0, len(scaled), _BATCH):
        part = scaled[start : start + _BATCH]
        rows[start : start + _BATCH] = _described(channels, part, disturbance, random)
    return rows


def _described(
    channels: Channels, boxes: Boxes, disturbance: Disturbance | None, random: np.random.Generator
) -> NDArray[np.float32]:
    moved = np.zeros((len(boxes), 1))
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
        along = (np.arange(COLUMNS) + 0.5) / COLUMNS
        moved = waves @ np.sin(np.pi * _WAVES[:, None] * along)
    upright = _upright(channels, boxes, zone)
    cells = np.concatenate(
        [
            _cells(channels.upright_strokes, upright, zone, moved),
            _cells(channels.strokes, boxes, zone, moved),
        ],
        axis=1,
    )
    # square roots, so that a few strong strokes do not decide
    np.sqrt(cells, out=cells)
    length = np.linalg.norm(cells, axis=1, keepdims=True)
    return np.asarray(cells / np.where(length > 0, length, 1), np.float32)


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


def _cells(
    sums: Sums, boxes: Boxes, zone: NDArray[np.float64], moved: NDArray[np.float64]
) -> NDArray[np.float32]:
    """(N, rows * columns * directions), each cell by the length of its histogram."""
    height, width = sums.shape[0] - 1, sums.shape[1] - 1
    high = np.maximum(zone[:, 1] - zone[:, 0], _MIN_ZONE)
    tops, bottoms = _edges(
        zone[:, 0] - REACH * high, zone[:, 1] + REACH * high, np.arange(ROWS, dtype=float)
    )
    lefts, rights = _edges(boxes[:, 0], boxes[:, 2], np.arange(COLUMNS) + moved)
    # only ink inside the box counts
    tops, bottoms = (np.clip(edge, boxes[:, 1:2], boxes[:, 3:4]) for edge in (tops, bottoms))
    top, bottom = _whole(tops, height)[:, :, None], _whole(bottoms, height)[:, :, None]
    left, right = _whole(lefts, width)[:, None], _whole(rights, width)[:, None]
    right = np.maximum(right, np.minimum(left + 1, width))
    amounts = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    cells = np.maximum(amounts, 0).astype(np.float32)
    length = np.linalg.norm(cells, axis=3, keepdims=True)
    floor = 0.05 * length.max(axis=(1, 2), keepdims=True) + 1e-9
    cells /= np.sqrt(length**2 + floor**2)
    return np.asarray(cells.reshape(len(cells), -1))


def _edges(
    start: NDArray[np.float64], stop: NDArray[np.float64], places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of cells at places counted in cells, with their overlap."""
    count = places.shape[-1]
    size = ((stop - start) / count)[:, None]
    first = start[:, None] + size * (places - OVERLAP)
    return first, first + size * (1 + 2 * OVERLAP)


def _whole(values: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    return np.clip(np.rint(values), 0, limit).astype(np.int64)
