"""Snaps a proposal's outline to the region that a person would have sketched there."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.geometry import polygon as convexity
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import hull
from spotlab.imaging.page_ink import label_components, select_components
from spotlab.libraries import shapely
from spotlab.spotting.symbols.proposals.example_region import bounding_ring, is_box, overlap

_MIN_FIT = 0.75  # overlap with the outline below which the ink is connected to something else
_SLACK = 0.04  # of the outline's size, by which it may lie beside its ink


def snap_to_ink(outline: ArrayLike, ink: Ink) -> Points:
    """Replace an outline by the hull of the ink that a sketch along it takes.

    An upright box becomes the box around that ink. Where a symbol is connected to walls, lines or
    arrows, its component lies mostly outside, and the outline stays as it is.

    Parameters
    ----------
    outline : (N, 2) array_like
        Open ring in px.
    ink : (H, W) bool
        The page's.

    Returns
    -------
    (M, 2) float
        Open ring in px.

    Examples
    --------
    >>> ink = np.zeros((60, 60), bool); ink[20:40, 10:50] = True
    >>> snap_to_ink([(9, 18), (52, 18), (52, 41), (9, 41)], ink).tolist()
    [[10.0, 20.0], [50.0, 20.0], [50.0, 40.0], [10.0, 40.0]]
    >>> ink[:, 30] = True; ink[0], ink[-1] = True, True  # connected to a frame
    >>> len(snap_to_ink([(9, 18), (52, 18), (52, 41), (9, 41)], ink))
    4
    """
    points = polygon.as_points(outline)
    around = convexity.convex_hull(points)
    if not len(around):
        return points
    left, top, right, bottom = polygon.bounds(around)
    slack = _SLACK * float(np.hypot(right - left, bottom - top)) + 2
    wide = shapely.get_coordinates(shapely.Polygon(around).buffer(slack, join_style="mitre"))[:-1]
    # some room around: a component that leaves it lies more outside than inside
    room = (right - left + bottom - top) + 2 * slack
    x, y = (int(max(edge - room, 0)) for edge in (left, top))
    part = ink[y : int(bottom + room) + 1, x : int(right + room) + 1]
    components = label_components(np.ascontiguousarray(part))
    corner = np.array([x, y], np.float64)
    taken = select_components(components, wide - corner)
    if not len(taken):
        return points
    snapped: Points = hull(components.select(taken)[0]) + corner
    if is_box(points):
        snapped = bounding_ring(snapped)
    return snapped if overlap(snapped, around) >= _MIN_FIT else points
