"""What paper, a camera and finding ink make of a drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.lab.train.symbols.shapes import Random
from spotlab.spotting.symbols.embedding.pictures import SIDE

Picture = NDArray[np.uint8]
FINE = 3 * SIDE  # px of a picture that is drawn
_PIXELS, _FEW_PIXELS = (34, 90), (10, 40)  # of the page in a picture


def scanned(picture: Picture, random: Random, *, few_pixels: bool = False) -> Picture:
    """Leave specks and rulings, rough edges and the pixels of a page in a drawing.

    Parameters
    ----------
    picture : (144, 144) uint8
        0 for paper and 255 for ink.
    random : Generator
    few_pixels : bool
        It is as small as a letter on its page.

    Returns
    -------
    (48, 48) uint8
    """
    if random.random() < 0.3:
        _speckle(picture, random)
    if random.random() < 0.25:
        step, pen = random.uniform(18, 60), int(random.integers(1, 3))
        ruled = rulings(random, step, pen, float(random.choice([0.0, 0.3, 0.7, 1.0])))
        ruled[random.random(ruled.shape) >= random.uniform(0.1, 1.1)] = 0
        picture = np.maximum(picture, ruled)
    if random.random() < 0.35:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2) / 255
        rough = soft + cloud(random, 2.2) * random.uniform(0.05, 0.2)
        picture = np.asarray((rough > 0.5) * 255, np.uint8)
    if random.random() < 0.35:
        pixels = int(np.exp(random.uniform(*np.log(_FEW_PIXELS if few_pixels else _PIXELS))))
        small = resized(picture, pixels, cv2.INTER_AREA)
        small = np.asarray((small > random.uniform(95, 150)) * 255, np.uint8)
        is_soft = random.random() < 0.6
        picture = resized(small, FINE, cv2.INTER_LINEAR if is_soft else cv2.INTER_NEAREST)
    return resized(picture, SIDE, cv2.INTER_AREA)


def rulings(random: Random, step: float, pen: int, columns: float = 1.0) -> Picture:
    """Draw squared paper.

    Parameters
    ----------
    random : Generator
    step : float
        px from line to line.
    pen : int
        px.
    columns : float
        Share of the upright lines that are there.
    """
    picture = np.zeros((FINE, FINE), np.uint8)
    rows = random.choice([0.3, 0.7, 1.0])
    for at in np.arange(random.uniform(0, step), FINE, step).astype(np.int64).tolist():
        if random.random() < rows:
            picture[at : at + pen] = 255
        if random.random() < columns:
            picture[:, at : at + pen] = 255
    return picture


def cloud(random: Random, size: float) -> NDArray[np.float32]:
    """Make noise of mean 0 and deviation 1, whose spots are so many px large.

    Parameters
    ----------
    random : Generator
    size : float
    """
    noise = cv2.GaussianBlur(random.random((FINE, FINE), np.float32), (0, 0), size)
    return np.asarray((noise - noise.mean()) / max(float(noise.std()), 1e-3), np.float32)


def _speckle(picture: Picture, random: Random) -> None:
    for x, y in random.integers(0, FINE, (random.integers(1, 12), 2)).tolist():
        cv2.circle(picture, (x, y), int(random.integers(1, 3)), 255, -1)


def resized(picture: Picture, side: int, method: int) -> Picture:
    """Bring a picture to another size.

    Parameters
    ----------
    picture : (H, W) uint8
    side : int
        px of the new one, a square.
    method : int
        Interpolation of OpenCV.
    """
    return np.asarray(cv2.resize(picture, (side, side), interpolation=method), np.uint8)
