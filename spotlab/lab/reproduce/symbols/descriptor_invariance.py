"""Shift of descriptors when a symbol is rotated, scaled, mirrored or drawn badly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2, spatial
from spotlab.geometry.polygon import Outlines
from spotlab.lab.draw.collection import SymbolDrawing, symbol_kinds
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.lab.draw.plans.pen import draw_scene, scan_page
from spotlab.lab.draw.plans.scene import PlanMark, Scene
from spotlab.lab.draw.plans.strokes import turned
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.symbols.drawing.contours import Primitives, find_primitives
from spotlab.spotting.symbols.drawing.shape_moments import resample
from spotlab.spotting.symbols.voting.descriptor import Descriptor, Features
from spotlab.spotting.symbols.voting.descriptor import descriptors as all_descriptors

SIDE = 48  # px of the raster on which shapes are compared
ANGLES = 72
POINTS = 96  # of a contour that are compared
OVERLAP = 0.95  # of two areas, as a share of their union
_PIECE = 256  # shapes compared at once


def find_congruent(contours: Outlines) -> NDArray[np.bool_]:
    """Say which contours cover the same area after moving, scaling, turning and mirroring.

    Every contour is scaled to one distance from its middle to its farthest point and turned in
    steps of 5°. Contours that enclose nothing are congruent with themselves alone.

    Examples
    --------
    >>> square = np.array([(0, 0), (9, 0), (9, 9), (0, 9)])
    >>> flat = square * (1, 0.5)
    >>> find_congruent(Outlines.of([square, flat, flat[:, ::-1] + 3])).astype(int).tolist()
    [[1, 0, 0], [0, 1, 1], [0, 1, 1]]
    """
    count = len(contours)
    rings = [_normal(ring) for ring in resample(contours, POINTS)]
    upright = np.array([_raster(ring) for ring in rings]).reshape(count, SIDE * SIDE)
    areas = upright.sum(axis=1)
    same = np.eye(count, dtype=bool)
    turns = np.exp(2j * np.pi * np.arange(ANGLES) / ANGLES)
    for number, ring in enumerate(rings):
        likely = np.abs(np.log((areas + 1) / (areas[number] + 1))) < 1 - OVERLAP
        likely[: number + 1] = False
        others = np.flatnonzero(likely)
        if not len(others) or not areas[number]:
            continue
        poses = [_raster(side * turn) for side in (ring, ring.conj()) for turn in turns]
        posed = np.array(poses).reshape(len(poses), -1)
        for start in range(0, len(others), _PIECE):
            some = others[start : start + _PIECE]
            both = posed @ upright[some].T
            union = posed.sum(axis=1)[:, None] + areas[some] - both
            same[number, some] = (both >= OVERLAP * union).any(axis=0)
    return same | same.T


def _normal(ring: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Around its centroid, the farthest point 1 away."""
    corners = np.stack([ring.real, ring.imag], axis=1).astype(np.float32)
    moments = cv2.moments(corners.reshape(-1, 1, 2))
    middle = (moments["m10"] + 1j * moments["m01"]) / (moments["m00"] or 1)
    ring = ring - (middle if moments["m00"] > 0 else ring.mean())
    return ring / max(float(np.abs(ring).max()), 1e-9)


def _raster(ring: NDArray[np.complex128]) -> NDArray[np.float32]:
    """Return what the ring covers, as 0 and 1; nothing if it encloses nothing."""
    image = np.zeros((SIDE, SIDE), np.uint8)
    places = (ring * (SIDE / 2 - 1) + (SIDE / 2 - 0.5) * (1 + 1j)) * 16
    corners = np.stack([places.real, places.imag], axis=1).round().astype(np.int32)
    cv2.fillPoly(image, [corners], 1, cv2.LINE_8, 4)
    return image.ravel().astype(np.float32)


RESOLUTION = 1.5  # px per cm, as on a plan of 3215 × 2064 px
PEN = 3  # px
MARGIN = 24  # px of paper around a drawing
SMALLEST = 400  # px; synthetic pages have no smaller sides
FAR = 0.15  # of its size, and at least 2 px: contours farther off are others
# logarithm of the ratio of sizes: a pen twice as wide makes a small hole so much less
UNLIKE = 0.35


@dataclass(frozen=True)
class DrawingManner:
    """Settings for drawing and scanning a symbol; the default matches the contours in training.

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
        scan_page(
            draw_scene(Scene((), (PlanMark(strokes, "symbol"),)), options, rng)[0], options, rng
        )
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


STRAY = 2.0  # px of the page by which noise may move the middle of the smallest contour


@dataclass(frozen=True)
class DrawingChange:
    """One way in which a symbol differs from how it was learned."""

    name: str
    amount: str
    manner: DrawingManner


CHANGES: tuple[DrawingChange, ...] = (
    *(
        DrawingChange("rotation", f"{amount}°", DrawingManner(degrees=amount))
        for amount in (5, 15, 30, 45, 60, 75, 90)
    ),
    *(
        DrawingChange("scale", f"× {amount}", DrawingManner(scale=amount))
        for amount in (0.5, 0.7, 1.4, 2.0)
    ),
    DrawingChange("mirrored", "left to right", DrawingManner(mirrored=True)),
    *(
        DrawingChange("jitter", f"{amount} px", DrawingManner(jitter=amount))
        for amount in (0.6, 1.2, 2.4)
    ),
    *(
        DrawingChange("speckle", f"{amount} a megapixel", DrawingManner(speckle=amount))
        for amount in (60, 200, 600)
    ),
    *(
        DrawingChange("blur", f"{amount} px", DrawingManner(blur=amount))
        for amount in (0.8, 1.6, 2.4)
    ),
    *(DrawingChange("pen", f"{amount} px", DrawingManner(pen=amount)) for amount in (1, 2, 5)),
)


@dataclass(frozen=True)
class DescriptorShift:
    """Shift of one descriptor under one change.

    Attributes
    ----------
    descriptor : str
        Its name.
    change, amount : str
        What was changed, by how much.
    contours : int
        Number of contours that are there before and after, which are compared.
    left : float
        Share of all contours that are compared. The change itself opens or closes the others,
        whatever the descriptor.
    median, most : float or None
        How far these moved, in units of the descriptor's radius: half of them, and 95 % of them,
        no farther. None where there are none.
    within : float or None
        Share of them that moved no farther than the radius.
    nearest : float or None
        Share of them whose nearest one among all contours before is the same, or has its shape.
    """

    descriptor: str
    change: str
    amount: str
    contours: int
    left: float
    median: float | None
    most: float | None
    within: float | None
    nearest: float | None


@dataclass(frozen=True)
class DescriptorInvariance:
    """Shifts of all descriptors under all changes.

    Attributes
    ----------
    seed : int
    drawings, contours : int
        Numbers of symbols drawn, and of their contours.
    false : mapping of str to float
        By descriptor: how many of 100 contours of another shape are within its radius of one
        contour. Without it, a descriptor that ignores everything would seem the best.
    rows : tuple of DescriptorShift
        By change, then by descriptor.
    """

    seed: int
    drawings: int
    contours: int
    false: Mapping[str, float]
    rows: tuple[DescriptorShift, ...]

    __repr__ = short_repr

    def of(self, descriptor: str, change: str) -> tuple[DescriptorShift, ...]:
        """The rows of a descriptor and a kind of change, in the order of the amounts."""
        return tuple(
            row for row in self.rows if row.descriptor == descriptor and row.change == change
        )

    def as_json(self) -> dict[str, Any]:
        """All of it for a file; None is undefined."""
        return {
            "seed": self.seed,
            "drawings": self.drawings,
            "contours": self.contours,
            "false": dict(self.false),
            "rows": [asdict(row) for row in self.rows],
        }


def measure_invariance(
    seed: int = 0,
    descriptors: Sequence[Descriptor] | None = None,
    progress: Progress = silent,
    *,
    drawings: Sequence[SymbolDrawing] | None = None,
    changes: Sequence[DrawingChange] = CHANGES,
) -> DescriptorInvariance:
    """Draw every symbol again and again, trace its contours, and compare their descriptions.

    Each symbol is drawn anew for each change, its strokes with a pen on a grid of pixels, so that
    what is measured is what a page does, not what rotating coordinates would do.

    Parameters
    ----------
    seed : int
        Of jitter and speckle.
    descriptors : sequence of Descriptor, optional
        By default all, by name.
    drawings : sequence of SymbolDrawing, optional
        By default every drawing of every kind.
    changes : sequence of DrawingChange

    Raises
    ------
    Cancelled
        From ``progress``.
    """
    known_ones = sorted(all_descriptors().values(), key=lambda descriptor: descriptor.name)
    used = known_ones if descriptors is None else list(descriptors)
    shown = all_drawings() if drawings is None else list(drawings)
    progress(0, len(changes), "drawing symbols")
    before = _traced(shown, DrawingManner(), (seed, 0))
    all_before = join_primitives([drawn.primitives for drawn in before])
    alike = find_congruent(all_before.contours)
    features = [descriptor.describe(all_before) for descriptor in used]
    rows: list[DescriptorShift] = []
    for number, change in enumerate(changes):
        progress(number, len(changes), f"drawing symbols: {change.name} {change.amount}")
        after = _traced(shown, change.manner, (seed, number + 1))
        partners = _partners(before, after, change.manner)
        all_after = join_primitives([drawn.primitives for drawn in after])
        rows += [
            _moved(descriptor, change, known, all_after, partners, alike)
            for descriptor, known in zip(used, features, strict=True)
        ]
    progress(len(changes), len(changes), "drawing symbols")
    false = {
        descriptor.name: _false(descriptor, known, alike)
        for descriptor, known in zip(used, features, strict=True)
    }
    return DescriptorInvariance(seed, len(shown), len(all_before), false, tuple(rows))


def _traced(
    shown: Sequence[SymbolDrawing], manner: DrawingManner, seed: tuple[int, int]
) -> list[TracedDrawing]:
    generators = np.random.default_rng(seed).spawn(len(shown))
    return [
        trace_drawing(drawing, manner, rng) for drawing, rng in zip(shown, generators, strict=True)
    ]


def _partners(
    before: Sequence[TracedDrawing], after: Sequence[TracedDrawing], manner: DrawingManner
) -> NDArray[np.int64]:
    """(P,) number of each contour among all those after the change, -1 for none."""
    partners, passed = [np.empty(0, np.int64)], 0
    for old, new in zip(before, after, strict=True):
        own = matching_contours(old, new, STRAY / (RESOLUTION * min(manner.scale, 1)))
        partners.append(np.where(own >= 0, own + passed, own))
        passed += len(new.primitives)
    return np.concatenate(partners)


def _moved(
    descriptor: Descriptor,
    change: DrawingChange,
    known: Features,
    after: Primitives,
    partners: NDArray[np.int64],
    alike: NDArray[np.bool_],
) -> DescriptorShift:
    place = (descriptor.name, change.name, change.amount)
    there = np.flatnonzero(partners >= 0)
    left = len(there) / len(partners) if len(partners) else 0.0
    if not len(there):
        return DescriptorShift(*place, 0, left, None, None, None, None)
    moved = descriptor.describe(after.take(partners[there]))
    away = np.linalg.norm(moved - known[there], axis=1)
    _, nearest = spatial.cKDTree(known).query(moved)
    right = alike[there, nearest] | (np.linalg.norm(moved - known[nearest], axis=1) >= away)
    middle, most = np.quantile(away, [0.5, 0.95]) / descriptor.radius
    within = float((away <= descriptor.radius).mean())
    return DescriptorShift(
        *place, len(there), left, float(middle), float(most), within, float(right.mean())
    )


def _false(descriptor: Descriptor, known: Features, alike: NDArray[np.bool_]) -> float:
    tree = spatial.cKDTree(known)
    near = np.zeros(alike.shape, bool)
    for number, others in enumerate(tree.query_ball_point(known, descriptor.radius)):
        near[number, others] = True
    others = ~alike
    return float(100 * (near & others).sum() / max(int(others.sum()), 1))
