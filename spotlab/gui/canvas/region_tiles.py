"""Draws many regions onto a tile of the screen, outside the window's thread.

OpenCV draws thousands of small outlines ten times faster than a QPainter, and lets other threads
run meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from spotlab.extras import cv2
from spotlab.gui.canvas.region_style import (
    CASING,
    CASING_COLOUR,
    DASH,
    FILL,
    GAP,
    LINE,
    dashed,
)
from spotlab.gui.canvas.view import Matrix
from spotlab.model import Region
from spotlab.progress import Progress, silent

SIDE = 512  # device px
_BITS = 4  # of the fractions of a pixel that OpenCV is given
_FEW_PIXELS = 9.0  # regions whose bounds are smaller on the screen get no casing

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Drawing:
    """What goes onto a tile.

    Attributes
    ----------
    regions : sequence of Region
    colour : callable
        Gives the (red, green, blue) of a region.
    matrix : Matrix
        From page px to the tile's device px.
    ratio : float
        Device pixels in a screen px.
    size : (width, height)
        Of the image, in device px.
    dash : (float, float)
        Dash and gap of dashed outlines, in screen px.
    fill : int
        Of 255, the translucent inside.
    smooth : bool
        Whether lines have smooth edges and casings, which takes four times as long.
    """

    regions: Sequence[Region]
    colour: Callable[[Region], Colour]
    matrix: Matrix
    ratio: float
    size: tuple[int, int] = (SIDE, SIDE)
    dash: tuple[float, float] = (DASH, GAP)
    fill: int = FILL
    smooth: bool = True

    @property
    def line(self) -> int:
        """How OpenCV draws lines."""
        return cv2.LINE_AA if self.smooth else cv2.LINE_8


def draw(drawing: Drawing, progress: Progress = silent) -> QImage:
    """The tile, transparent where no region is."""
    width, height = drawing.size
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    if drawing.regions:
        memory = np.frombuffer(image.bits(), np.uint8).reshape(height, width, 4)
        rings, sides = _mapped(drawing)
        order = np.argsort(-sides.prod(axis=1), kind="stable").tolist()  # small ones on top
        colours = [drawing.colour(region) for region in drawing.regions]
        progress(0, None, "drawing")
        _fill(memory, drawing, rings, colours, order)
        progress(0, None, "drawing")
        large = (sides.min(axis=1) > _FEW_PIXELS * drawing.ratio).tolist()
        _outline(memory, drawing, rings, colours, order, large)
    return image


def _mapped(drawing: Drawing) -> tuple[list[NDArray[np.int32]], NDArray[np.float64]]:
    """The outlines in device px with fractions, and the sides of their bounds in device px."""
    a, b, c, d, dx, dy = drawing.matrix
    arrays = [region.array for region in drawing.regions]
    points = np.concatenate(arrays) @ np.array([[a, b], [c, d]]) + (dx - 0.5, dy - 0.5)
    stops = np.cumsum([len(array) for array in arrays])
    starts = np.concatenate([[0], stops[:-1]])
    high = np.maximum.reduceat(points, starts, axis=0)
    low = np.minimum.reduceat(points, starts, axis=0)
    fixed = np.rint(points * 2**_BITS).astype(np.int32)
    cuts = zip(starts.tolist(), stops.tolist(), strict=True)
    return [fixed[start:stop] for start, stop in cuts], high - low


def _fill(
    memory: NDArray[np.uint8],
    drawing: Drawing,
    rings: list[NDArray[np.int32]],
    colours: list[Colour],
    order: list[int],
) -> None:
    share = drawing.fill / 255
    faint = {
        colour: (*(each * share for each in colour[::-1]), drawing.fill) for colour in set(colours)
    }
    fill_poly, line = cv2.fillPoly, cv2.LINE_8
    for number in order:
        fill_poly(memory, [rings[number]], faint[colours[number]], line, _BITS)


def _outline(
    memory: NDArray[np.uint8],
    drawing: Drawing,
    rings: list[NDArray[np.int32]],
    colours: list[Colour],
    order: list[int],
    large: list[bool],
) -> None:
    alpha = CASING_COLOUR[3]
    casing = (alpha, alpha, alpha, alpha)  # white, premultiplied
    wide = [rings[number] for number in order if large[number]]
    thick = max(1, round(CASING * drawing.ratio))
    thin = max(1, round(LINE * drawing.ratio))
    if wide and drawing.smooth:
        cv2.polylines(memory, wide, True, casing, thick, drawing.line, _BITS)
    groups: defaultdict[tuple[Colour, bool, bool], list[NDArray[np.int32]]] = defaultdict(list)
    for number in order:
        ring, colour, is_large = rings[number], colours[number], large[number]
        if is_large and dashed(drawing.regions[number]):
            pieces = _dashes(ring, drawing.ratio * 2**_BITS, drawing.dash)
            groups[colour, True, True] += pieces
        else:
            groups[colour, False, is_large].append(ring)
    for (colour, broken, is_large), pieces in groups.items():
        width = thin if is_large else max(1, thin - 1)
        cv2.polylines(memory, pieces, not broken, (*colour[::-1], 255), width, drawing.line, _BITS)


def _dashes(
    ring: NDArray[np.int32], unit: float, dash: tuple[float, float]
) -> list[NDArray[np.int32]]:
    """The ring's dashes as straight pieces."""
    closed = np.vstack([ring, ring[:1]]).astype(np.float64)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    period = sum(dash) * unit
    starts = np.arange(0, along[-1], period)[:2000]
    ends = np.stack([starts, np.minimum(starts + dash[0] * unit, along[-1])], axis=1)
    x = np.interp(ends, along, closed[:, 0])
    y = np.interp(ends, along, closed[:, 1])
    return list(np.rint(np.stack([x, y], axis=2)).astype(np.int32))
