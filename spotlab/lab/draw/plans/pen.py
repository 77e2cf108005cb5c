"""Draws strokes as ink, and says exactly what a symbol's ink covers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.geometry import polygon
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.lab.draw.plans.scene import PlanMark, Scene

SHIFT = 5  # cv2 takes coordinates in 1/32 px
INK = 128  # a pixel is ink where it is covered at least half


@dataclass(frozen=True)
class DrawnSymbol:
    """The ink of one symbol, as it was meant: before gaps, dirt and blur.

    Attributes
    ----------
    label : str
        What it is.
    left, top : int
        Where the mask lies on the page, in px.
    ink : (h, w) bool
        Its pixels.
    """

    label: str
    left: int
    top: int
    ink: NDArray[np.bool_]

    @property
    def hull(self) -> Points:
        """Convex hull of its pixel squares, as an (N, 2) array in px; empty without ink."""
        return ink_hull(self.ink, self.left, self.top)


def ink_hull(ink: NDArray[np.bool_], left: int = 0, top: int = 0) -> Points:
    """Convex hull of the squares of all ink pixels: pixel (x, y) covers [x, x+1) × [y, y+1).

    Examples
    --------
    >>> ink_hull(np.array([[True, True]]), 10, 20).tolist()
    [[10.0, 20.0], [12.0, 20.0], [12.0, 21.0], [10.0, 21.0]]
    """
    rows = np.flatnonzero(ink.any(axis=1))
    if not len(rows):
        return np.empty((0, 2))
    first = ink[rows].argmax(axis=1)
    last = ink.shape[1] - ink[rows, ::-1].argmax(axis=1)
    corners = [(x, y) for x in (first, last) for y in (rows, rows + 1)]
    points = np.vstack([np.column_stack(corner) for corner in corners])
    return polygon.convex_hull(np.add(points, (left, top)))


def draw_scene(
    scene: Scene, options: FloorPlanOptions, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], list[DrawnSymbol]]:
    """Put a scene on an empty page.

    Returns
    -------
    (H, W) uint8
        How much of each pixel is ink, 0 to 255.
    list of Symbol
        The labelled marks, in the order in which they were drawn.
    """
    page = np.zeros((options.height, options.width), np.uint8)
    edges = cv2.LINE_AA if options.antialias else cv2.LINE_8
    for rings in scene.fills:
        cv2.fillPoly(page, [_fixed(ring) for ring in rings], 255, edges, SHIFT)
    symbols = []
    for mark in scene.marks:
        strokes = [_strayed(s, options.jitter, rng) for s in mark.strokes]
        left, top, whole = _ink(strokes, mark, options)
        drawn = whole
        if options.gaps:
            pieces = [piece for s in strokes for piece in _lifted(s, options, rng)]
            drawn = _ink(pieces, mark, options, (left, top, *whole.shape))[2]
        seen = _onto(page, left, top, drawn)
        if mark.label and seen:
            ink = whole[seen[0], seen[1]] >= INK
            if ink.any():
                symbols.append(DrawnSymbol(mark.label, max(0, left), max(0, top), ink))
    return page, symbols


def _fixed(points: Points) -> NDArray[np.int32]:
    # cv2 counts from pixel centres
    return np.asarray(np.round((points - 0.5) * 2**SHIFT), np.int32)


def _ink(
    strokes: list[Points],
    mark: PlanMark,
    options: FloorPlanOptions,
    window: tuple[int, int, int, int] | None = None,
) -> tuple[int, int, NDArray[np.uint8]]:
    """Coverage of the strokes in a window just large enough for them."""
    width = options.pen + mark.heavier
    if window is None:
        points = np.vstack(strokes)
        left, top = (np.floor(points.min(axis=0)) - width - 2).astype(int).tolist()
        right, bottom = (np.ceil(points.max(axis=0)) + width + 3).astype(int).tolist()
        window = (left, top, bottom - top, right - left)
    left, top, height, breadth = window
    ink = np.zeros((height, breadth), np.uint8)
    edges = cv2.LINE_AA if options.antialias else cv2.LINE_8
    for stroke in strokes:
        cv2.polylines(ink, [_fixed(stroke - (left, top))], False, 255, width, edges, SHIFT)
    return left, top, ink


def _onto(
    page: NDArray[np.uint8], left: int, top: int, ink: NDArray[np.uint8]
) -> tuple[slice, slice] | None:
    """Add ink to the page; returns which part of the ink fell on it, None if nothing did."""
    height, width = page.shape
    rows = slice(max(0, -top), min(ink.shape[0], height - top))
    columns = slice(max(0, -left), min(ink.shape[1], width - left))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return None
    part = page[top + rows.start : top + rows.stop, left + columns.start : left + columns.stop]
    np.maximum(part, ink[rows, columns], out=part)
    return rows, columns


def _along(stroke: Points) -> NDArray[np.float64]:
    return np.concatenate([[0], np.cumsum(np.hypot(*np.diff(stroke, axis=0).T))])


def _strayed(stroke: Points, jitter: float, rng: np.random.Generator) -> Points:
    """A stroke as a hand draws it: slowly wandering off and back."""
    if not jitter:
        return stroke
    along = _along(stroke)
    places = np.union1d(along, np.linspace(0, along[-1], max(2, int(along[-1] / 5))))
    points = np.column_stack([np.interp(places, along, stroke[:, i]) for i in (0, 1)])
    for _ in range(3):
        period = rng.uniform(25, 160)
        phase = rng.uniform(0, 2 * np.pi, 2)
        amount = rng.normal(0, 0.45 * jitter, 2)
        points += amount * np.sin(places[:, None] * 2 * np.pi / period + phase)
    return points


def _lifted(stroke: Points, options: FloorPlanOptions, rng: np.random.Generator) -> list[Points]:
    """The pieces of a stroke that are left where the pen lost contact with the paper."""
    along = _along(stroke)
    total = float(along[-1])
    count = int(rng.poisson(total * options.gaps / 1000))
    pen = options.pen
    pieces, start = [], 0.0
    for place in [*np.sort(rng.uniform(0, total, count)).tolist(), total]:
        # round ends of the pen eat half its width on both sides of a gap
        half = 0.0 if place == total else pen / 2 + float(rng.uniform(1, 1 + pen))
        stop = place - half
        if stop > start:
            places = [start, *along[(along > start) & (along < stop)], stop]
            pieces.append(np.column_stack([np.interp(places, along, stroke[:, i]) for i in (0, 1)]))
        start = max(start, place + half)
    return pieces


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
