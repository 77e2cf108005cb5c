"""Symbols of a few rings, and pages on which they stand."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures
from spotlab.spotting.symbols.voting.descriptor import Descriptor
from spotlab.spotting.symbols.voting.relational import Relational
from spotlab.spotting.symbols.voting.relations import PrimitiveLayout

Ring = NDArray[np.float64]
Symbol = list[Ring]


def rectangle(x: float, y: float, width: float, height: float) -> Ring:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], float)


def circle(x: float, y: float, radius: float) -> Ring:
    angle = np.arange(72) * 2 * np.pi / 72
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1)


def laid(
    symbol: Symbol, x: float, y: float, scale: float = 1, turn: float = 0, mirrored: bool = False
) -> Symbol:
    """The symbol with its origin at (x, y), turned by degrees, first mirrored top to bottom."""
    factor = scale * np.exp(1j * np.radians(turn))
    points = [ring[:, 0] + 1j * ring[:, 1] for ring in symbol]
    there = [x + 1j * y + factor * (z.conj() if mirrored else z) for z in points]
    return [np.stack([z.real, z.imag], 1) for z in there]


def primitives(rings: Symbol) -> Primitives:
    return Primitives(Outlines.of(rings), np.zeros(len(rings), np.int64))


def layout(rings: Symbol) -> PrimitiveLayout:
    return PrimitiveLayout.of(primitives(rings))


def hull(rings: Symbol) -> Ring:
    return polygon.convex_hull(np.concatenate(rings))


def ratio_of_axes(contours: Primitives) -> NDArray[np.float64]:
    """(P, 1) how long a contour is for its width, 1 to 0."""
    moments = contours.moments
    matrices = np.stack([moments[:, [10, 11]], moments[:, [11, 12]]], 1)
    low, high = np.linalg.eigvalsh(matrices).T
    return np.sqrt(np.maximum(low, 0) / high)[:, None]


EXACT = Descriptor("exact", "Exact", "The ratio of the axes.", ratio_of_axes, 0.02)


def method(radius: float = 0.02) -> Relational:
    return Relational(Descriptor("exact", "Exact", "The ratio of the axes.", ratio_of_axes, radius))


def seen(rings: Symbol, size: tuple[int, int] = (1000, 1000)) -> PageFeatures:
    found = primitives(rings)
    return PageFeatures(size, 1.0, found, {"exact": {"features": ratio_of_axes(found)}})


def query(rings: Symbol, outline: ArrayLike | None = None) -> QueryFeatures:
    ring = np.asarray(hull(rings) if outline is None else outline, float)
    return QueryFeatures("symbol", ring, seen(rings))
