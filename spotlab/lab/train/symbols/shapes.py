"""Shapes of which drawn symbols are made: outlines, and marks inside them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.extras import cv2
from spotlab.spotting.symbols.embedding.network import SIDE

Random = np.random.Generator
Line = NDArray[np.float64]  # (N, 2) points of a line that a pen draws, y down
_QUARTERS = np.pi / 2 * np.arange(4)


def ellipse(
    size: float = 1.0, start: float = 0.0, end: float = 2 * np.pi, points: int = 40
) -> Line:
    """An arc of a circle around the origin.

    Parameters
    ----------
    size : float
        Its radius.
    start, end : float
        radians.
    points : int
    """
    angles = np.linspace(start, end, points)
    return size * np.column_stack([np.cos(angles), np.sin(angles)])


def closed(points: ArrayLike) -> Line:
    """A ring that ends where it began.

    Parameters
    ----------
    points : (N, 2) array_like
    """
    ring = np.asarray(points, np.float64)
    return np.vstack([ring, ring[:1]])


def rectangle(height: float = 1.0, rounded: float = 0.0) -> Line:
    """A rectangle from -1 to 1, its corners rounded or not.

    Parameters
    ----------
    height : float
        Half of it.
    rounded : float
        Radius.
    """
    corners = np.array([(1, height), (-1, height), (-1, -height), (1, -height)], np.float64)
    if not rounded:
        return closed(corners)
    middles = corners - rounded * np.sign(corners)
    arcs = [
        middle + ellipse(rounded, quarter, quarter + np.pi / 2, 7)
        for middle, quarter in zip(middles, _QUARTERS, strict=True)
    ]
    return closed(np.vstack(arcs))


def polygon(corners: int, turn: float = 0.0, inner: float = 1.0) -> Line:
    """A regular polygon, or a star.

    Parameters
    ----------
    corners : int
    turn : float
        radians from the x axis to the first corner.
    inner : float
        Radius of the corners in between, which only a star has.
    """
    number = corners if inner == 1 else 2 * corners
    ring = ellipse(1.0, turn, turn + 2 * np.pi, number + 1)
    ring[1::2] *= inner if number > corners else 1.0
    return ring


def smooth(points: Line, between: int = 8) -> Line:
    """A curve through points (Catmull & Rom 1974).

    Parameters
    ----------
    points : (N, 2) float
    between : int
        Points from one to the next.
    """
    padded = np.vstack([points[:1], points, points[-1:]])
    t = np.linspace(0, 1, between, endpoint=False)[:, None]
    parts = []
    for at in range(len(points) - 1):
        a, b, c, d = padded[at : at + 4]
        cubes = (3 * b - a - 3 * c + d) * t**3
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + cubes))
    return np.vstack([*parts, points[-1:]])


def outline(random: Random) -> tuple[Line | None, float]:
    """Draw the outline of a new kind of symbol from -1 to 1; some have none.

    Parameters
    ----------
    random : Generator

    Returns
    -------
    path : (N, 2) float or None
    aspect : float
        Width over height.
    """
    kinds, chances = zip(*_OUTLINES, strict=True)
    kind = kinds[random.choice(len(kinds), p=np.array(chances) / sum(chances))]
    if kind is None:
        return None, 1.0
    path, spread = kind(random)
    aspect = float(np.exp(random.normal(0.1, spread)))
    return (path[:, ::-1] if random.random() < 0.15 else path), aspect


def mark(random: Random) -> list[Line]:
    """Draw a mark of some lines from -1 to 1.

    Parameters
    ----------
    random : Generator
    """
    return _MARKS[random.integers(len(_MARKS))](random)


def letters(random: Random, number: int) -> tuple[list[Line], float]:
    """Draw letters that are none, in a row.

    Parameters
    ----------
    random : Generator
    number : int

    Returns
    -------
    lines : list of (N, 2) float
        About one unit high.
    width : float
    """
    lines, x = [], 0.0
    for _ in range(number):
        width = random.uniform(0.35, 0.8)
        line = _LETTERS[random.integers(len(_LETTERS))](random)
        if random.random() < 0.3:
            end = (random.uniform(-0.2, 0.2), -1.0 if random.random() < 0.7 else 1.0)
            line = np.vstack([line, [end]])
        lines.append(line * (width, 1) + (x + width / 2, 0))
        x += width + random.uniform(0.08, 0.3)
    return lines, x


def scribble(random: Random) -> Line:
    """Draw a line that runs anywhere.

    Parameters
    ----------
    random : Generator
    """
    points = random.uniform(-1, 1, (random.integers(3, 7), 2))
    return points if random.random() < 0.5 else smooth(points)


def _circle(random: Random) -> tuple[Line, float]:
    return ellipse(), 0.0


def _ellipse(random: Random) -> tuple[Line, float]:
    return ellipse(), 0.5


def _rectangle(random: Random) -> tuple[Line, float]:
    return rectangle(), 0.6


def _rounded(random: Random) -> tuple[Line, float]:
    return rectangle(rounded=random.uniform(0.15, 0.6)), 0.5


def _diamond(random: Random) -> tuple[Line, float]:
    return polygon(4), 0.25


def _triangle(random: Random) -> tuple[Line, float]:
    return polygon(3, random.choice(_QUARTERS)), 0.3


def _polygon(random: Random) -> tuple[Line, float]:
    turn = random.uniform(0, 2 * np.pi)
    if random.random() < 0.6:
        return polygon(int(random.integers(5, 9)), turn), 0.0
    return polygon(int(random.integers(4, 7)), turn, random.uniform(0.35, 0.7)), 0.0


def _blob(random: Random) -> tuple[Line, float]:
    ring = ellipse(points=48)
    angles = np.arctan2(ring[:, 1], ring[:, 0])
    waves = range(2, 2 + int(random.integers(3, 6)))
    radius = np.ones(len(ring))
    for wave in waves:
        radius += random.normal(0, 0.22 / wave) * np.cos(wave * angles + random.uniform(0, 6.3))
    return ring * radius[:, None], 0.3


def _corner(random: Random) -> tuple[Line, float]:
    x, y = random.uniform(-0.6, 0.5, 2)
    return closed([(-1, -1), (x, -1), (x, y), (1, y), (1, 1), (-1, 1)]), 0.0


def _half(random: Random) -> tuple[Line, float]:
    return closed(ellipse(1.0, 0, np.pi, 24) * (1, 2) - (0, 1)), 0.3


def _cut(random: Random) -> tuple[Line, float]:
    """Some corners are cut off."""
    ring: list[tuple[float, float]] = []
    off = random.uniform(0.2, 0.6)
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        pair = [(x, y - y * off), (x - x * off, y)]
        is_cut = random.random() < 0.5
        ring += (pair if x == y else pair[::-1]) if is_cut else [(x, y)]
    return closed(ring), 0.35


def _bent(random: Random) -> tuple[Line, float]:
    """All sides are curved."""
    along = np.linspace(-1, 1, 9)
    top, right, bottom, left = random.uniform(-0.5, 0.5, (4, 1)) * (1 - along**2)
    sides = [(along, top - 1), (1 + right, along), (-along, 1 + bottom), (left - 1, -along)]
    return np.vstack([np.column_stack(side) for side in sides]), 0.4


def _open(random: Random) -> tuple[Line, float]:
    return smooth(random.uniform(-1, 1, (random.integers(4, 7), 2))), 0.0


def _arrow(random: Random) -> tuple[Line, float]:
    neck, wide = random.uniform(-0.3, 0.5), random.uniform(0.2, 0.6)
    half = [(-1, -wide), (neck, -wide), (neck, -1)]
    return closed([*half, (1, 0), *[(x, -y) for x, y in half[::-1]]]), 0.3


_OUTLINES: tuple[tuple[Callable[[Random], tuple[Line, float]] | None, float], ...] = (
    (_circle, 16), (_ellipse, 6), (_rectangle, 14), (_rounded, 12), (_diamond, 10), (_triangle, 6),
    (_polygon, 6), (_blob, 4), (_corner, 5), (_half, 4), (_cut, 3), (_bent, 4), (_open, 4),
    (_arrow, 2), (None, 4),
)  # fmt: skip


def _cross(random: Random) -> list[Line]:
    return [np.array([(-1.0, -1), (1, 1)]), np.array([(-1.0, 1), (1, -1)])]


def _plus(random: Random) -> list[Line]:
    return [np.array([(-1.0, 0), (1, 0)]), np.array([(0.0, -1), (0, 1)])]


def _box_with_line(random: Random) -> list[Line]:
    return [rectangle(random.uniform(0.4, 1)), random.uniform(-1, 1, (3, 2))]


def _zigzag(random: Random) -> list[Line]:
    return [np.column_stack([random.uniform(-1, 1, 4), np.linspace(-1, 1, 4)])]


def _bars(random: Random) -> list[Line]:
    upright = random.random() < 0.5
    places = np.linspace(-0.8, 0.8, random.integers(2, 5))
    bars = [np.array([(-1.0, at), (1, at)]) for at in places]
    return [bar[:, ::-1] for bar in bars] if upright else bars


def _scribbles(random: Random) -> list[Line]:
    return [scribble(random) for _ in range(random.integers(1, 3))]


def _arc(random: Random) -> list[Line]:
    start = random.uniform(0, 2 * np.pi)
    return [ellipse(1.0, start, start + random.uniform(2, 4.5), 24)]


_MARKS: tuple[Callable[[Random], list[Line]], ...] = (
    _cross,
    _plus,
    _box_with_line,
    _zigzag,
    _bars,
    _bars,
    _scribbles,
    _arc,
    lambda random: [ellipse()],
    lambda random: [ellipse(), ellipse(0.5)],
    lambda random: [ellipse(), np.array([(0, 0), random.uniform(-0.7, 0.7, 2)])],
    lambda random: [ellipse(1.0, np.pi, 2 * np.pi, 20), np.array([(-1.0, 0), (1, 0)])],
    lambda random: [polygon(5, -np.pi / 2, 0.45)],
    lambda random: [polygon(3, random.choice(_QUARTERS))],
    lambda random: [polygon(4)],
    lambda random: [polygon(5, -np.pi / 2)],
    lambda random: [rectangle()],
)
_LETTERS: tuple[Callable[[Random], Line], ...] = (
    lambda random: smooth(random.uniform(-0.5, 0.5, (4, 2))),
    lambda random: ellipse(0.45, points=14),
    lambda random: np.array([(0, -0.5), (0, 0.5)]) + random.normal(0, 0.05, (2, 2)),
    lambda random: smooth(
        np.column_stack([np.linspace(-0.5, 0.5, 5), [0.5, -0.5, 0.5, -0.5, 0.5]])
        * (1, random.uniform(0.5, 1))
    ),
    lambda random: ellipse(0.45, random.uniform(0, 2), random.uniform(4, 6), 12),
)


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
