"""Draws a page on squared or lined paper, in uneven light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RuledPaper:
    """What the paper of a page looks like.

    Attributes
    ----------
    distance : float
        Between two lines, in px.
    darkness : float
        How dark lines are, from 0 for paper to 1 for the ink of the drawing.
    thickness : float
        Of a line, in px.
    tilt : float
        In degrees, clockwise.
    bend : float
        How far lines stray from straight ones, in px.
    squared : bool
        Lines in both directions.
    light : float
        How many grey levels the paper darkens towards its lower right corner.
    grain : float
        Standard deviation of the paper's noise in grey levels.
    """

    distance: float = 30.0
    darkness: float = 1.0
    thickness: float = 2.0
    tilt: float = 0.0
    bend: float = 0.0
    squared: bool = True
    light: float = 60.0
    grain: float = 4.0


def rule_page(
    page: NDArray[np.uint8], paper: RuledPaper, seed: int = 0
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Draw lines beneath a drawing, then shade it.

    Parameters
    ----------
    page : (H, W) uint8
        The drawing, 255 is white.
    paper : RuledPaper
    seed : int
        Of the grain.

    Returns
    -------
    page : (H, W) uint8
    lines : (H, W) bool
        Where lines are, also beneath the drawing.

    Examples
    --------
    >>> white = np.full((60, 60), 255, np.uint8)
    >>> ruled, lines = rule_page(white, RuledPaper(distance=20, thickness=2, light=0, grain=0))
    >>> sorted(set(ruled[5].tolist())), float(lines[5].mean())
    ([0, 255], 0.1)
    """
    height, width = page.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) + 0.5
    cosine, sine = np.cos(np.radians(paper.tilt)), np.sin(np.radians(paper.tilt))
    down = y * cosine - x * sine + paper.bend * np.sin(x / width * np.pi)
    across = x * cosine + y * sine + paper.bend * np.sin(y / height * np.pi)
    covered = np.zeros(page.shape, np.float32)
    for along in (down, across) if paper.squared else (down,):
        off = np.abs((along + paper.distance / 2) % paper.distance - paper.distance / 2)
        covered = np.maximum(covered, np.clip(paper.thickness / 2 + 0.5 - off, 0, 1))
    grey = np.minimum(page, 255 * (1 - paper.darkness * covered))
    grey = grey * (1 - paper.light / 255 * (0.6 * x / width + 0.4 * y / height))
    grey += paper.grain * np.random.default_rng(seed).standard_normal(page.shape, np.float32)
    return np.clip(np.rint(grey), 0, 255).astype(np.uint8), covered >= 0.5
