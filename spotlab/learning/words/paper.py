"""Ink on paper, as a camera or a scanner sees it."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Singles
from spotlab.extras import cv2
from spotlab.learning.words.masks import Mask
from spotlab.spotting.words.embedding.pictures import HEIGHT

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
