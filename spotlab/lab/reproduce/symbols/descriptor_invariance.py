"""How far descriptors move when a symbol is turned, scaled, mirrored or drawn badly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.lab.draw.kind import SymbolDrawing
from spotlab.lab.reproduce.symbols.congruent import find_congruent
from spotlab.lab.reproduce.symbols.symbol_drawings import (
    RESOLUTION,
    DrawingManner,
    TracedDrawing,
    all_drawings,
    join_primitives,
    matching_contours,
    trace_drawing,
)
from spotlab.libraries import spatial
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.symbols.drawing.primitives import Primitives
from spotlab.spotting.symbols.voting.descriptor import Descriptor, Features
from spotlab.spotting.symbols.voting.descriptor import descriptors as all_descriptors

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
    """How far one descriptor moves under one change.

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
    """How far all descriptors move under all changes.

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
