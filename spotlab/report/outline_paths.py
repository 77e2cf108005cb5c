"""Outlines as paths of SVG: rounded, with as few points as the picture can show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.libraries import shapely

SIMPLIFIED = 12  # points from which an outline may have some to spare


def svg_paths(outlines: Outlines, unit: float, tolerance: float = 0.0) -> list[str]:
    """Each outline as a closed path of relative whole numbers, all turning the same way.

    Outlines that turn the same way can stand in one path: where they overlap they are filled.

    Parameters
    ----------
    outlines : Outlines
        In px.
    unit : float
        Px that 1 in the path means.
    tolerance : float
        Farthest that a point may be from a simplified outline in px; 0 keeps all points.

    Returns
    -------
    list of str
        Empty for an outline of fewer than 3 points.

    Examples
    --------
    >>> svg_paths(Outlines.of([[(0, 0), (0, 2), (3, 2)], [(1, 1), (4, 4)]]), 0.1)
    ['M0 0l30 20-30 0z', '']
    """
    rings = [outlines[at] for at in range(len(outlines))]
    if tolerance > 0:
        rings = _simplified(rings, tolerance)
    return [_path(ring, unit) for ring in rings]


def _simplified(rings: list[NDArray[np.float64]], tolerance: float) -> list[NDArray[np.float64]]:
    long = [at for at, ring in enumerate(rings) if len(ring) > SIMPLIFIED]
    closed = [shapely.linearrings(rings[at]) for at in long]
    simple = shapely.simplify(closed, tolerance, preserve_topology=False)
    for at, ring in zip(long, simple, strict=True):
        points = shapely.get_coordinates(ring)[:-1]
        if len(points) >= 3:
            rings[at] = points
    return rings


def _path(ring: NDArray[np.float64], unit: float) -> str:
    if len(ring) < 3 or not np.isfinite(ring).all():
        return ""
    x, y = ring.T
    if np.dot(x, np.roll(y, -1)) < np.dot(y, np.roll(x, -1)):
        ring = np.vstack([ring[:1], ring[:0:-1]])
    whole = np.rint(ring / unit).astype(np.int64)
    steps = np.diff(whole, axis=0).ravel().tolist()
    start, end = whole[0].tolist()
    rest = " ".join(map(str, steps)).replace(" -", "-")
    return f"M{start} {end}l{rest}z"
