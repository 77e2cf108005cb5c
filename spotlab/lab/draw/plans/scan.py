"""What paper and scanner do to a drawing: dirt, blur, uneven light, grain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.lab.draw.plans.options import FloorPlanOptions


def scan_page(
    ink: NDArray[np.uint8], options: FloorPlanOptions, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The page as it comes from the scanner.

    Parameters
    ----------
    ink : (H, W) uint8
        How much of each pixel is ink, 0 to 255.

    Returns
    -------
    (H, W) uint8
        Grey levels, 255 is white; only 0 and 255 for two-level pages.

    Examples
    --------
    >>> ink = np.full((2, 3), 255, np.uint8)
    >>> scan_page(ink, FloorPlanOptions(speckle=0), np.random.default_rng(0)).max()
    np.uint8(0)
    """
    page = 255 - ink
    if options.speckle:
        _dirt(page, options, rng)
    if options.blur:
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), options.blur), np.uint8)
    if options.light or options.grain:
        grey = page.astype(np.float32)
        grey -= _shade(page.shape, options.light, rng)
        grey += options.grain * rng.standard_normal(page.shape, np.float32)
        page = np.clip(np.round(grey), 0, 255).astype(np.uint8)
    if options.bilevel:
        page = np.where(page < 128, 0, 255).astype(np.uint8)
    return page


def _dirt(page: NDArray[np.uint8], options: FloorPlanOptions, rng: np.random.Generator) -> None:
    """Dark specks, and a third as many holes in what is dark."""
    height, width = page.shape
    dots = rng.poisson(options.speckle * height * width / 1e6)
    for _ in range(int(dots)):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        _dot(page, x, y, rng.gamma(2, 0.35) + 0.4, 0)
    dark = np.flatnonzero(page.ravel() < 128) if dots >= 3 else np.empty(0, np.intp)
    for place in rng.choice(dark, int(dots) // 3).tolist() if len(dark) else ():
        _dot(page, place % width, place // width, rng.gamma(2, 0.3) + 0.3, 255)


def _dot(page: NDArray[np.uint8], x: float, y: float, radius: float, grey: int) -> None:
    centre = (round(x * 16), round(y * 16))
    cv2.circle(page, centre, max(4, round(radius * 16)), grey, -1, cv2.LINE_8, 4)


def _shade(shape: tuple[int, ...], light: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Grey levels to take away: more towards one side, as beside the spine of a book."""
    angle = rng.uniform(0, 2 * np.pi)
    y, x = (np.linspace(-1, 1, size, dtype=np.float32) for size in shape)
    along = (x[None, :] * np.cos(angle) + y[:, None] * np.sin(angle)) / 1.4143
    return np.asarray(light * ((along + 1) / 2) ** 1.6, np.float32)
