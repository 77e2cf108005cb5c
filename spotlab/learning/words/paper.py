"""Ink on paper: what a pen, a hand, a camera and a scanner do to masks of ink."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Singles
from spotlab.extras import cv2
from spotlab.spotting.words.embedding.network import HEIGHT

Mask = NDArray[np.uint8]
_DARK = 60  # of 255: what counts as ink when a mask is cut


def sheared(mask: Mask, shear: float) -> Mask:
    """Lean a mask to the right.

    Parameters
    ----------
    mask : (H, W) uint8
    shear : float
        px a row.

    Returns
    -------
    (H, W + more) uint8
    """
    high, wide = mask.shape
    more = int(abs(shear) * high) + 1
    matrix = np.array([[1, -shear, max(shear, 0.0) * high], [0, 1, 0]], np.float32)
    return np.asarray(cv2.warpAffine(mask, matrix, (wide + more, high)), np.uint8)


def rotated(mask: Mask, degrees: float) -> Mask:
    """Turn a mask; it gets larger where it has to.

    Parameters
    ----------
    mask : (H, W) uint8
    degrees : float
        Anticlockwise.

    Returns
    -------
    (H + more, W + 4) uint8
    """
    high, wide = mask.shape
    more = int(abs(np.sin(np.radians(degrees))) * wide / 2) + 2
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
    matrix[:, 2] += (2, more)
    return np.asarray(cv2.warpAffine(mask, matrix, (wide + 4, high + 2 * more)), np.uint8)


def tight(mask: Mask) -> Mask:
    """Cut a mask to its ink.

    Parameters
    ----------
    mask : (H, W) uint8

    Returns
    -------
    (up to H, up to W) uint8

    Examples
    --------
    >>> mask = np.zeros((9, 9), np.uint8)
    >>> mask[2:5, 3:9] = 255
    >>> tight(mask).shape
    (3, 6)
    """
    rows, columns = np.flatnonzero(mask.max(1) > _DARK), np.flatnonzero(mask.max(0) > _DARK)
    if len(rows) < 2 or len(columns) < 2:
        return mask
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def pasted(canvas: Mask, part: Mask, row: int, column: int) -> None:
    """Draw a mask over another, in place; what is beyond the edges is left out.

    Parameters
    ----------
    canvas : (H, W) uint8
    part : (h, w) uint8
    row, column : int
        px; where the part's corner goes.
    """
    top, left = max(row, 0), max(column, 0)
    bottom = min(row + part.shape[0], canvas.shape[0])
    right = min(column + part.shape[1], canvas.shape[1])
    if top < bottom and left < right:
        there = canvas[top:bottom, left:right]
        np.maximum(there, part[top - row : bottom - row, left - column : right - column], out=there)


def spaced(mask: Mask, pen: float, more: float) -> Mask:
    """Move letters apart: columns that have but a stroke between letters get wider.

    Parameters
    ----------
    mask : (H, W) uint8
    pen : float
        px; width of strokes.
    more : float
        Widths that are added to such a column.

    Returns
    -------
    (H, W + more) uint8
    """
    profile = cv2.GaussianBlur(mask.sum(0, dtype=np.float32)[None] / 255, (0, 0), 1.0)[0]
    wide = 1 + more * np.clip(2 - profile / max(pen, 1.5), 0, 1)
    ends = np.concatenate([[0], np.cumsum(wide)])
    size = int(ends[-1])
    if not 2 < size < 3000:
        return mask
    columns = np.interp(np.arange(size) + 0.5, ends, np.arange(len(ends))) - 0.5
    before = np.clip(columns.astype(int), 0, mask.shape[1] - 2)
    share = np.clip(columns - before, 0, 1).astype(np.float32)
    mixed = mask[:, before] * (1 - share) + mask[:, before + 1] * share
    return np.asarray(mixed, np.uint8)


def pen_width(mask: Mask) -> float:
    """Measure strokes: twice their area by the length of their edges.

    Parameters
    ----------
    mask : (H, W) uint8

    Returns
    -------
    float
        px.

    Examples
    --------
    >>> line = np.pad(np.full((4, 60), 255, np.uint8), 9)
    >>> round(pen_width(line))
    4
    """
    dark = (mask > 100).astype(np.uint8)
    edge = dark - cv2.erode(dark, np.ones((3, 3), np.uint8))
    return float(2 * dark.sum() / max(int(edge.sum()), 1))


def thicker(mask: Mask, change: int) -> Mask:
    """Write with a pen that is wider or narrower.

    Parameters
    ----------
    mask : (H, W) uint8
    change : int
        px.

    Returns
    -------
    (H + 6, W + 6) uint8
    """
    if not change:
        return mask
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(change) + 1,) * 2)
    border = cv2.copyMakeBorder(mask, 3, 3, 3, 3, cv2.BORDER_CONSTANT)
    return np.asarray((cv2.dilate if change > 0 else cv2.erode)(border, brush), np.uint8)


Random = np.random.Generator


def photographed(seen: Mask, random: Random) -> Mask:
    """Let ink run and fade, on paper that is not quite white.

    Parameters
    ----------
    seen : (48, W) uint8
        Ink.
    random : Generator

    Returns
    -------
    (48, W) uint8
    """
    wide = seen.shape[1]
    ink = _run(np.asarray(seen / 255, np.float32), random)
    fade = np.clip(1 - random.uniform(0, 0.35) * np.abs(_cloud(random, wide, 3, 10)), 0.25, 1)
    paper = random.uniform(160, 250)
    dark = random.beta(1.2, 2.2) * 0.7 * paper
    page = _paper(paper, wide, random)
    image = page - (paper - dark) * ink * fade
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), random.uniform(0.25, 0.9)), float)
    grain = random.standard_normal((HEIGHT, wide), np.float32) * random.gamma(1.3, 1.7)
    if random.random() < 0.5:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.5
    return _coarse(np.asarray(np.clip(image + grain, 0, 255), np.uint8), random)


def _coarse(image: Mask, random: Random) -> Mask:
    """As where writing is small on a photograph."""
    if random.random() > 0.2:
        return image
    high, wide = image.shape
    factor = float(random.uniform(0.25, 0.8))
    size = (max(int(wide * factor), 2), int(high * factor))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC), np.uint8)


def _run(ink: Singles, random: Random) -> Singles:
    ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), random.uniform(0.3, 0.9)), np.float32)
    peak = max(float(np.percentile(ink[::2, ::2], 98)), 0.15)
    field = _cloud(random, ink.shape[1], 3, 7)
    least = peak * np.clip(random.uniform(0.2, 0.55) + field * random.uniform(0, 0.12), 0.1, 0.7)
    soft = peak * random.uniform(0.15, 0.6)
    return np.asarray(np.clip((ink - least) / soft + 0.5, 0, 1), np.float32)


def _paper(paper: float, wide: int, random: Random) -> Singles:
    page = paper + _cloud(random, wide, 3, 6) * random.uniform(0, 7)
    if random.random() < 0.08:  # parchment: dark towards hair and folds
        page -= np.abs(_cloud(random, wide, 3, 8)) * random.uniform(5, 30)
    if random.random() < 0.12:  # from the other side of the sheet, or stains
        page -= np.clip(_cloud(random, wide, 5, 16) - 0.8, 0, 1) * random.uniform(0, 60)
    if random.random() < 0.06:
        place = int(random.integers(wide))
        page[:, place : place + int(random.integers(1, 4))] -= random.uniform(20, 80)
    if random.random() < 0.06:
        place = int(random.integers(HEIGHT))
        page[place : place + int(random.integers(1, 3))] -= random.uniform(20, 90)
    if random.random() < 0.2:
        page -= _rulings(wide, random)
    return np.asarray(page, np.float32)


def _rulings(wide: int, random: Random) -> Singles:
    """Lines of ruled or squared paper."""
    lines = np.zeros((HEIGHT, wide), np.float32)
    apart = random.uniform(7, 40)
    thick = float(random.uniform(0.5, 1.6))
    for axis in range(1 + int(random.random() < 0.6)):
        along = np.arange(lines.shape[axis], dtype=np.float32) + random.uniform(0, apart)
        line = np.clip(thick - np.abs(along % apart - apart / 2), 0, 1)
        lines = np.maximum(lines, line[:, None] if axis == 0 else line[None])
    return lines * np.float32(random.uniform(8, 70))


def _cloud(random: Random, wide: int, rows: int, columns: int) -> Singles:
    coarse = random.standard_normal((rows, columns), np.float32)
    return np.asarray(cv2.resize(coarse, (wide, HEIGHT), interpolation=cv2.INTER_CUBIC), np.float32)
