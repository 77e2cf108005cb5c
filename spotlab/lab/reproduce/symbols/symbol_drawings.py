"""Draws a symbol alone, turned, scaled, mirrored or badly, and matches its contours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.lab.draw.kind import SymbolDrawing, symbol_kinds
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.lab.draw.plans.pen import draw_scene
from spotlab.lab.draw.plans.scan import scan_page
from spotlab.lab.draw.plans.scene import Mark, Scene
from spotlab.lab.draw.plans.strokes import turned
from spotlab.representation import short_repr
from spotlab.spotting.symbols.drawing.contours import find_primitives
from spotlab.spotting.symbols.drawing.primitives import Primitives

RESOLUTION = 1.5  # px per cm, as on a plan of 3215 × 2064 px
PEN = 3  # px
MARGIN = 24  # px of paper around a drawing
SMALLEST = 400  # px; synthetic pages have no smaller sides
FAR = 0.15  # of its size, and at least 2 px: contours farther off are others
# logarithm of the ratio of sizes: a pen twice as wide makes a small hole so much less
UNLIKE = 0.35


@dataclass(frozen=True)
class DrawingManner:
    """How a symbol is drawn and scanned; the default is how contours are when they are learned.

    Attributes
    ----------
    degrees : float
        Clockwise.
    scale : float
    mirrored : bool
    pen : int
        Width of the line in px, whatever the scale.
    jitter, speckle, blur : float
        As in `spotlab.lab.draw.plans.options.FloorPlanOptions`.
    """

    degrees: float = 0.0
    scale: float = 1.0
    mirrored: bool = False
    pen: int = PEN
    jitter: float = 0.0
    speckle: float = 0.0
    blur: float = 0.0


@dataclass(frozen=True, eq=False)
class TracedDrawing:
    """The contours of one drawing, and where they would lie on it if it were drawn upright.

    Attributes
    ----------
    primitives : Primitives
    middles : (P,) complex
        Centroids in cm from the drawing's middle.
    sizes : (P,) float
        Square roots of the areas, in cm.
    holes : (P,) bool
        Whether the contour is that of a hole, not of a component.
    """

    primitives: Primitives
    middles: NDArray[np.complex128]
    sizes: NDArray[np.float64]
    holes: NDArray[np.bool_]

    __repr__ = short_repr


def all_drawings() -> list[SymbolDrawing]:
    """Every drawing of every kind of symbol."""
    return [drawing for kind in symbol_kinds().values() for drawing in kind.drawings]


def trace_drawing(
    drawing: SymbolDrawing, manner: DrawingManner, rng: np.random.Generator
) -> TracedDrawing:
    """Draw, scan and trace a symbol.

    Examples
    --------
    >>> stroke = np.array([(0, 0), (60, 0), (60, 60), (0, 60), (0, 0)], float)
    >>> square = SymbolDrawing(60, 60, (stroke,))
    >>> drawn = trace_drawing(square, DrawingManner(degrees=30), np.random.default_rng(0))
    >>> drawn.holes.tolist(), drawn.sizes.round().tolist()
    ([True, False], [57.0, 63.0])
    """
    factor = RESOLUTION * manner.scale
    diagonal = float(np.hypot(drawing.width, drawing.depth))
    side = max(SMALLEST, int(diagonal * factor + 12 * manner.pen + 8 * manner.jitter + 2 * MARGIN))
    options = FloorPlanOptions(
        width=side,
        height=side,
        line_width=manner.pen,
        jitter=manner.jitter,
        speckle=manner.speckle,
        blur=manner.blur,
    )
    middle = (drawing.width / 2, drawing.depth / 2)
    strokes = tuple(
        turned((stroke - middle) * factor, manner.degrees, side / 2, side / 2, manner.mirrored)
        for stroke in drawing.strokes
    )
    ink = (
        scan_page(draw_scene(Scene((), (Mark(strokes, "symbol"),)), options, rng)[0], options, rng)
        < 128
    )
    primitives = find_primitives(ink, manner.pen, mend=False, frames=True)
    at = (primitives.centres + 0.5 - side / 2) @ np.array([1, 1j]) / factor
    at = at * np.exp(-1j * np.radians(manner.degrees))
    middles = -at.conj() if manner.mirrored else at
    return TracedDrawing(
        primitives, middles, primitives.sizes / factor, _holes(primitives.contours)
    )


def matching_contours(
    before: TracedDrawing, after: TracedDrawing, nearest: float
) -> NDArray[np.int64]:
    """Match the contours of two drawings of a symbol.

    Parameters
    ----------
    before, after : TracedDrawing
    nearest : float
        Contours whose middles are nearer, in cm, may be the same, however small they are.

    Returns
    -------
    (P,) int
        The contour of ``after`` for each one of ``before``, -1 for none.
    """
    none = np.full(len(before.primitives), -1)
    if not len(after.primitives):
        return none
    away = np.abs(before.middles[:, None] - after.middles)
    larger = np.abs(np.log(before.sizes[:, None] / after.sizes))
    reach = np.maximum(FAR * before.sizes, nearest)[:, None]
    fits = (away <= reach) & (larger <= UNLIKE) & (before.holes[:, None] == after.holes)
    cost = np.where(fits, away / reach + larger / UNLIKE, np.inf)
    best = cost.argmin(axis=1)
    numbers = np.arange(len(none))
    # of two that want the same one, the better has it
    chosen = np.isfinite(cost.min(axis=1)) & (cost.argmin(axis=0)[best] == numbers)
    return np.where(chosen, best, none)


def join_primitives(parts: Sequence[Primitives]) -> Primitives:
    """Join primitives, one after the other."""
    rings = [part.contours[number] for part in parts for number in range(len(part))]
    levels = [part.level for part in parts]
    return Primitives(Outlines.of(rings), np.concatenate([np.empty(0, np.int64), *levels]))


def _holes(contours: Outlines) -> NDArray[np.bool_]:
    """OpenCV runs around holes clockwise, around components the other way, as y points down."""
    rings = [contours[number] @ np.array([1, 1j]) for number in range(len(contours))]
    areas = [float((ring.conj() * np.roll(ring, -1)).imag.sum()) for ring in rings]
    return np.array(areas, np.float64) > 0
