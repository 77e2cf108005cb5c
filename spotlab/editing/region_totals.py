"""Figures of many regions together, in a few array operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from spotlab.editing.region_index import Rectangle, bounds_of_all
from spotlab.libraries import shapely
from spotlab.model import Region
from spotlab.progress import Progress, silent


@dataclass(frozen=True)
class RegionTotals:
    """What some regions are together.

    Attributes
    ----------
    area : float
        The sum of their areas in px².
    points : int
        How many points their outlines have.
    bounds : (left, top, right, bottom)
        In px, around all of them.
    """

    area: float
    points: int
    bounds: Rectangle


def totals_of(regions: Sequence[Region], progress: Progress = silent) -> RegionTotals:
    """Add regions up; there has to be one.

    Examples
    --------
    >>> totals_of([Region(((0, 0), (4, 0), (4, 4))), Region(((5, 0), (7, 2), (7, 0), (5, 2)))])
    RegionTotals(area=10.0, points=7, bounds=(0.0, 0.0, 7.0, 4.0))
    """
    counts = np.array([len(region.points) for region in regions])
    flat = chain.from_iterable(chain.from_iterable(region.points for region in regions))
    points = np.fromiter(flat, dtype=np.float64).reshape(-1, 2)
    progress(0, None, "adding up")
    ends = np.cumsum(counts)
    starts = ends - counts
    near = points - np.repeat(points[starts], counts, axis=0)  # products stay exact
    following = np.arange(1, len(points) + 1)
    following[ends - 1] = starts
    x, y = near.T
    crosses = x * y[following] - y * x[following]
    areas = np.abs(np.add.reduceat(crosses, starts)) / 2
    closed = np.insert(points, ends, points[starts], axis=0)
    rings = shapely.linearrings(closed, indices=np.repeat(np.arange(len(regions)), counts + 1))
    for at in np.flatnonzero(~shapely.is_simple(rings)).tolist():
        progress(0, None, "adding up")
        areas[at] = regions[at].area
    lefts, tops, rights, bottoms = bounds_of_all(regions)
    left, top = float(lefts.min()), float(tops.min())
    right, bottom = float(rights.max()), float(bottoms.max())
    return RegionTotals(float(areas.sum()), len(points), (left, top, right, bottom))
