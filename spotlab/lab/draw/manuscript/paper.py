"""Ageing and scanning of a written page: uneven paper, stains, bleed-through, scanner effects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.lab.draw.manuscript.options import ManuscriptOptions

Picture = NDArray[np.float32]
_PAPER, _INK = 226.0, 40.0  # grey levels


def age_paper(
    ink: NDArray[np.uint8],
    back: NDArray[np.uint8],
    options: ManuscriptOptions,
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """The page as it comes from the scanner.

    Parameters
    ----------
    ink, back : (H, W) uint8
        How much of each pixel is ink, 0 to 255, on this side and on the other as seen from there.

    Returns
    -------
    (H, W) uint8
        Grey levels; 226 is clean paper.
    """
    paper = np.full(ink.shape, _PAPER, np.float32)
    if options.light:
        paper -= options.light * _shade(ink.shape, rng)
    if options.texture:
        paper += options.texture * _grain(ink.shape, rng)
    for _ in range(int(rng.poisson(options.stains))):
        _stain(paper, rng)
    if options.bleed:
        paper -= _shining(back, options, rng)
    share = ink.astype(np.float32) / 255
    if options.texture:  # ink takes less where the paper is rough
        share *= np.clip(1 - 0.02 * options.texture * np.abs(_noise(ink.shape, 2, rng)), 0, 1)
    page = np.asarray(paper + (_INK - paper) * share, np.float32)
    if options.blur:
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), options.blur), np.float32)
    if options.texture:
        page += 0.4 * options.texture * rng.standard_normal(ink.shape, np.float32)
    return np.clip(np.round(page), 0, 255).astype(np.uint8)


def _noise(shape: tuple[int, ...], period: float, rng: np.random.Generator) -> Picture:
    """Noise of unit strength with blotches of about this many px."""
    small = [max(2, round(size / period)) for size in shape]
    coarse = rng.standard_normal(small, np.float32)
    return np.asarray(
        cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _grain(shape: tuple[int, ...], rng: np.random.Generator) -> Picture:
    """Clouds and fibres; laid paper has lines from its mould."""
    clouds = sum(_noise(shape, period, rng) for period in (160, 60, 18, 5))
    height, width = shape
    across = np.asarray(
        cv2.resize(rng.standard_normal((height // 3 + 1, 4), np.float32), (width, height))
    )
    return np.asarray(0.35 * clouds + 0.35 * across, np.float32)


def _shade(shape: tuple[int, ...], rng: np.random.Generator) -> Picture:
    """From 0 to 1 towards one side, as beside the spine of a book, and darker at the edges."""
    height, width = (size // 8 + 1 for size in shape)  # it is smooth
    angle = rng.uniform(0, 2 * np.pi)
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    along = (x[None] * np.cos(angle) + y[:, None] * np.sin(angle)) / 1.4143
    edge = np.maximum(np.abs(x)[None] ** 12, np.abs(y)[:, None] ** 16)
    shade = 0.7 * ((along + 1) / 2) ** 1.6 + 0.5 * edge
    return np.asarray(cv2.resize(shade, shape[::-1]), np.float32)


def _stain(paper: Picture, rng: np.random.Generator) -> None:
    """Foxing, or the rim that a drop has left."""
    height, width = paper.shape
    big = rng.random() < 0.35
    radius = width * rng.uniform(*((0.04, 0.12) if big else (0.003, 0.015)))
    centre = rng.uniform((0, 0), (width, height))
    reach = int(radius * 1.5) + 2
    left, top = np.maximum(np.round(centre).astype(int) - reach, 0).tolist()
    part = paper[top : top + 2 * reach, left : left + 2 * reach]
    rows, columns = (np.arange(size, dtype=np.float32) for size in part.shape)
    off_x, off_y = columns[None] + left - centre[0], rows[:, None] + top - centre[1]
    turn = np.arctan2(off_y, off_x)
    wobble = sum(rng.normal(0, 0.07) * np.sin(k * turn + rng.uniform(0, 6.3)) for k in range(2, 6))
    out = np.hypot(off_x, off_y) / (radius * (1 + wobble))
    fill = 1 / (1 + np.exp((out - 1) * (18 if big else 7)))
    rim = np.exp(-(((out - 1) / 0.04) ** 2)) if big else 0
    part -= (rng.uniform(5, 24) * fill + rng.uniform(3, 18) * rim).astype(np.float32)


def _shining(
    back: NDArray[np.uint8], options: ManuscriptOptions, rng: np.random.Generator
) -> Picture:
    """Grey levels that the writing on the other side takes away, more in some places."""
    through = cv2.GaussianBlur(back[:, ::-1].astype(np.float32), (0, 0), options.pitch / 28)
    patches = np.clip(0.75 + 0.45 * _noise(back.shape, 220, rng), 0, 1.5)
    return np.asarray(options.bleed * 0.45 * through * patches, np.float32)
