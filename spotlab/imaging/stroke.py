"""Finds the pixels inside a rough closed stroke, as runs.

A pixel lies inside if its centre does. A stroke that crosses itself encloses everything that cannot
be reached from outside without crossing it: somebody who circles a symbol twice means all of it,
not what the even-odd rule leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Ints, Points
from spotlab.geometry import polygon
from spotlab.geometry.spans import concatenate_ranges
from spotlab.imaging.runs import Runs
from spotlab.libraries import shapely


def runs_inside(stroke: ArrayLike, width: int, height: int) -> Runs:
    """Find the pixels of a page whose centres lie inside a closed stroke.

    Parameters
    ----------
    stroke : (N, 2) array_like
        x, y in px; closed automatically. Points may lie outside the page.
    width, height : int
        Size of the page in px.

    Returns
    -------
    Runs
        Empty where the stroke encloses no centre.

    Examples
    --------
    >>> runs = runs_inside([(1, 1), (4, 1), (4, 3), (1, 3)], 10, 10)
    >>> runs.rows.tolist(), runs.starts.tolist(), runs.stops.tolist()
    ([1, 2], [1, 1], [4, 4])
    """
    rings = enclosed_rings(polygon.as_points(stroke))
    if not rings:
        return Runs.of([], [], [])
    begins = np.concatenate(rings)
    ends = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    rows, crossings = _crossings(begins, ends, height)
    order = np.lexsort((crossings, rows))
    rows, crossings = rows[order][::2], crossings[order]
    # the centre of pixel x lies at x + .5
    columns = np.clip(np.ceil(crossings - 0.5), 0, width).astype(np.int64)
    starts, stops = columns[::2], columns[1::2]
    some = stops > starts
    return _merged(rows[some], starts[some], stops[some])


def enclosed_rings(points: Points) -> list[Points]:
    """Return the outer rings of all that a closed stroke encloses.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px; closed automatically.

    Returns
    -------
    list of (n, 2) float
        Open rings that do not overlap; none for a stroke without area.
    """
    if len(points) < 3:
        return []
    if not polygon.crosses_itself(points):
        return [points] if polygon.signed_area(points) != 0 else []
    line = shapely.linestrings(np.vstack([points, points[:1]]))
    faces = shapely.get_parts(shapely.polygonize([shapely.node(line)]))
    merged = shapely.get_parts(shapely.union_all(faces))
    return [shapely.get_coordinates(part.exterior)[:-1] for part in merged]


def _crossings(begins: Points, ends: Points, height: int) -> tuple[Ints, NDArray[np.float64]]:
    """(row, x) of every crossing of an edge with the line through the centres of a row."""
    low = np.minimum(begins[:, 1], ends[:, 1])
    high = np.maximum(begins[:, 1], ends[:, 1])
    first = np.clip(np.ceil(low - 0.5), 0, height).astype(np.int64)
    last = np.clip(np.ceil(high - 0.5), 0, height).astype(np.int64)
    counts = last - first
    edge = np.repeat(np.arange(len(counts)), counts)
    rows = concatenate_ranges(first, counts)
    (x1, y1), (x2, y2) = begins[edge].T, ends[edge].T
    return rows, x1 + (rows + 0.5 - y1) / (y2 - y1) * (x2 - x1)


def _merged(rows: Ints, starts: Ints, stops: Ints) -> Runs:
    """Join runs of a row that touch, where rings touch each other."""
    if not len(rows):
        return Runs.of(rows, starts, stops)
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (starts[1:] > stops[:-1])
    first = np.flatnonzero(new)
    return Runs.of(rows[first], starts[first], np.maximum.reduceat(stops, first))
