"""The corners of walls, as polygons have them: where a wall may go on to close an opening."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2

TOLERANCE = 3.0  # px between a wall's outline and its polygon
_TURN = 20.0  # degrees: less is no corner


@dataclass(frozen=True, eq=False)
class WallOutlines:
    """The outlines of all walls, simplified.

    Attributes
    ----------
    points : (N, 2) float
        Vertices in px, the middle of the outermost pixels.
    following, preceding : (N,) int
        The next and the previous vertex of the same ring.
    incoming, outgoing : (N, 2) float
        Unit directions of the edges that end and begin there.
    length_in, length_out : (N,) float
        Their lengths in px.
    turns : (N,) float
        Degrees from the one to the other; negative where the wall protrudes into free space.
    """

    points: Floats
    following: Ints
    preceding: Ints
    incoming: Floats
    outgoing: Floats
    length_in: Floats
    length_out: Floats
    turns: Floats

    @property
    def protruding(self) -> Ints:
        """The vertices at which free space has more than a straight angle, (M,) int."""
        return np.flatnonzero(self.turns < -_TURN)


def outline_walls(mask: NDArray[np.bool_], tolerance: float = TOLERANCE) -> WallOutlines:
    """Simplify the outlines of walls.

    Parameters
    ----------
    mask : (H, W) bool
        True inside walls.
    tolerance : float
        Largest distance of an outline from its polygon in px (Douglas–Peucker).

    Returns
    -------
    WallOutlines
        Empty where there are no walls.

    Examples
    --------
    >>> mask = np.zeros((60, 60), np.bool_)
    >>> mask[10:20, 10:50] = True
    >>> outlines = outline_walls(mask)
    >>> len(outlines.points), len(outlines.protruding)
    (4, 4)
    """
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    rings = [cv2.approxPolyDP(ring, tolerance, True)[:, 0] for ring in contours if len(ring) >= 8]
    rings = [ring for ring in rings if len(ring) >= 3]
    points = np.concatenate([np.empty((0, 2)), *rings]).astype(np.float64)
    lengths = np.array([len(ring) for ring in rings], np.int64)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    place, size = np.arange(len(points)) - first, np.repeat(lengths, lengths)
    following = first + (place + 1) % np.maximum(size, 1)
    preceding = first + (place - 1) % np.maximum(size, 1)
    edges = points[following] - points
    length = np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-9)
    outgoing = edges / length[:, None]
    incoming = outgoing[preceding]
    return WallOutlines(
        points, following, preceding, incoming, outgoing, length[preceding], length,
        turn(incoming, outgoing),
    )  # fmt: skip


def turn(before: Floats, after: Floats) -> Floats:
    """Compute the angle from directions to others.

    Parameters
    ----------
    before, after : (…, 2) float
        Directions, of any length in px.

    Returns
    -------
    (…,) float
        Degrees in (-180, 180].

    Examples
    --------
    >>> turn(np.array([1.0, 0.0]), np.array([0.0, 1.0])).item()
    90.0
    """
    cross = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    angle: Floats = np.degrees(np.arctan2(cross, (before * after).sum(axis=-1)))
    return angle
