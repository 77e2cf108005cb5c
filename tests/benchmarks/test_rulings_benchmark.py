"""How well squared paper is removed at five darknesses, what that costs the drawing, how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.imaging.cleaning import remove_rulings
from spotlab.imaging.ink import Ink, InkMethod, InkSettings, binarise
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import FloorPlanOptions


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


# papers and pages that the method was not adjusted on: that was done with seed 7 and others
DRAWN = FloorPlanOptions(
    width=1800, height=1300, bilevel=False, jitter=1.0, touching=0.1, speckle=0.0, antialias=True
)
SEED = 31
PAPERS = (
    RuledPaper(distance=33, thickness=2, tilt=1.7),
    RuledPaper(distance=47, thickness=3, tilt=-3.1, bend=4),
    RuledPaper(distance=26, thickness=2, tilt=-0.6, bend=8),
    RuledPaper(distance=54, thickness=2.5, tilt=2.6, light=110),
)
DARKNESSES = (0.3, 0.5, 0.7, 0.85, 1.0)
CROSSING = 20.0  # degrees from which a stroke crosses a line rather than lies on it


@pytest.fixture(scope="module")
def drawings() -> list[NDArray[np.uint8]]:
    return [make_page(number, SEED, DRAWN)[0] for number in range(len(PAPERS))]


def crosses(drawn: Ink, tilt: float) -> Ink:
    """Strokes of one direction, which is not that of the lines."""
    light = cv2.GaussianBlur(drawn.astype(np.float32), (0, 0), 1)
    across, down = cv2.Scharr(light, cv2.CV_32F, 1, 0), cv2.Scharr(light, cv2.CV_32F, 0, 1)
    xx, yy, xy = (
        cv2.GaussianBlur(product, (0, 0), 2.5)
        for product in (across * across, down * down, across * down)
    )
    degrees = np.degrees(cv2.phase(xx - yy, 2 * xy)) / 2 - tilt
    off = np.abs((degrees + 45) % 90 - 45)
    return np.asarray((off > CROSSING) & (np.hypot(xx - yy, 2 * xy) > 0.5 * (xx + yy)))


@pytest.mark.parametrize("darkness", DARKNESSES)
def test_rulings_at_a_darkness(
    benchmark: Any, drawings: list[NDArray[np.uint8]], darkness: float
) -> None:
    totals = np.zeros(8)
    inks = []
    for page, paper in zip(drawings, PAPERS, strict=True):
        own = RuledPaper(**{**vars(paper), "darkness": darkness})
        pixels, lines = rule_page(page, own)
        before = binarise(pixels, InkSettings(InkMethod.EVEN))
        left = binarise(pixels, InkSettings(InkMethod.EVEN, rulings=True))
        inks.append(before)
        drawn = (page < 128) & before
        far = cv2.dilate(drawn.view(np.uint8), np.ones((5, 5), np.uint8)) == 0
        crossing = drawn & lines & crosses(page < 128, paper.tilt)
        totals += [
            (lines & far).sum(), (lines & far & before).sum(), (lines & far & left).sum(),
            drawn.sum(), (drawn & left).sum(), crossing.sum(), (crossing & ~left).sum(),
            (drawn & lines).sum(),
        ]  # fmt: skip
    ruled, inked, stayed, drawn_px, kept, crossed, lost, on_lines = totals
    figures = {
        "rulings_inked": inked / ruled,
        "rulings_removed": 1 - stayed / max(inked, 1),
        "strokes_kept": kept / drawn_px,
        "crossings_lost": lost / crossed,
        "crossing_px": crossed,
        "drawn_on_lines": on_lines / drawn_px,
    }
    benchmark.extra_info |= {"darkness": darkness} | {
        name: float(value) for name, value in figures.items()
    }
    benchmark.pedantic(remove_rulings, (inks[0],), rounds=2)
    assert figures["strokes_kept"] >= 0.98
    assert figures["crossings_lost"] <= 0.01
