"""Straight lines that could close openings: from a wall's corner to a wall that it sees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.progress import Progress, silent

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


_CONE = 10.0  # degrees beside the cone in which a line divides a corner into two convex ones
_STEP = 3.0  # px between the places at which a line is checked
_ENDS = 2.5  # px from its ends, where it touches walls
_MOST = 40  # lines of one corner, the shortest first
_SLACK = 3.0  # px beside the continuation of an edge, and as much again per length of the edge


@dataclass(frozen=True, eq=False)
class Closing:
    """A line that could close an opening.

    Attributes
    ----------
    start, end : (2,) float
        In px.
    length : float
    corner : int
        The vertex at which it starts.
    other : int
        The protruding vertex at which it ends; -1 where it ends on the side of a wall.
    own_edge, other_edge : float
        Length of the edge that it continues at either end, in px; 0 for none.
    """

    start: Floats
    end: Floats
    length: float
    corner: int
    other: int
    own_edge: float
    other_edge: float

    @cached_property
    def direction(self) -> Floats:
        """The unit vector along the line, (2,) float."""
        ahead: Floats = (self.end - self.start) / self.length
        return ahead

    @cached_property
    def normal(self) -> Floats:
        """The unit vector across the line, (2,) float."""
        x, y = self.direction
        return np.array([-y, x])


def possible_closings(
    mask: NDArray[np.bool_], outlines: WallOutlines, longest: float, progress: Progress = silent
) -> list[Closing]:
    """Find the lines from protruding corners of walls that could close an opening.

    A line ends at another protruding corner or at the foot of its perpendicular on a wall, lies in
    free space, and divides the free angle at its corner into convex ones.

    Parameters
    ----------
    mask : (H, W) bool
        True inside walls.
    outlines : WallOutlines
        Their outlines.
    longest : float
        Length of the longest lines in px.
    progress : Progress
        Called with the corners done; it may raise to cancel.

    Returns
    -------
    list of Closing
        For each corner the shortest first.

    Examples
    --------
    >>> from spotlab.imaging.rooms.closings import outline_walls
    >>> mask = np.zeros((60, 200), np.bool_)
    >>> mask[20:30, 10:80] = mask[20:30, 120:190] = True
    >>> lines = possible_closings(mask, outline_walls(mask), 60)
    >>> sorted({round(line.length) for line in lines if line.own_edge and line.other_edge})
    [41]
    """
    corners = outlines.protruding
    edge_starts = outlines.points
    edges = outlines.points[outlines.following] - edge_starts
    squares = np.maximum((edges**2).sum(axis=1), 1e-9)
    found: list[Closing] = []
    for number, corner in enumerate(corners.tolist()):
        if number % 32 == 0:
            progress(number, len(corners), "finding openings")
        start = outlines.points[corner]
        along = ((start - edge_starts) * edges).sum(axis=1) / squares
        on_edge = np.flatnonzero((along > 0) & (along < 1))
        feet = edge_starts[on_edge] + along[on_edge, None] * edges[on_edge]
        ends = np.concatenate([feet, outlines.points[corners]])
        others = np.concatenate([np.full(len(feet), -1), corners])
        kept = _in_cone(outlines, corner, ends, longest)
        kept = kept[_sees(mask, start, ends[kept])][:_MOST]
        for end, other in zip(ends[kept], others[kept].tolist(), strict=True):
            found.append(_closing(outlines, corner, other, end))
    return found


def _in_cone(outlines: WallOutlines, corner: int, ends: Floats, longest: float) -> NDArray[np.intp]:
    """Tell which ends lie where a line to them leaves no reflex angle, nearest first."""
    ways = ends - outlines.points[corner]
    length = np.hypot(ways[:, 0], ways[:, 1])
    incoming = outlines.incoming[corner]
    angles = turn(np.broadcast_to(incoming, ways.shape), ways)
    last = float(turn(incoming, -outlines.outgoing[corner]))
    if last < 0:
        angles, last = -angles, -last
    near = (length > 3) & (length <= longest)
    kept = np.flatnonzero(near & (angles >= -_CONE) & (angles <= last + _CONE))
    return kept[np.argsort(length[kept], kind="stable")]


def _sees(mask: NDArray[np.bool_], start: Floats, ends: Floats) -> NDArray[np.bool_]:
    """Tell whether lines to the ends lie in free space."""
    if not len(ends):
        return np.zeros(0, np.bool_)
    ways = ends - start
    length = np.hypot(ways[:, 0], ways[:, 1])
    count = int(length.max() / _STEP) + 2
    away = _ENDS + np.linspace(0, 1, count) * np.maximum(length - 2 * _ENDS, 0)[:, None]
    places = start + (ways / length[:, None])[:, None] * away[:, :, None]
    columns, rows = np.rint(places).astype(np.int64).reshape(-1, 2).T
    height, width = mask.shape
    hit = mask[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    return np.asarray(~hit.reshape(len(ends), count).any(axis=1))


def _closing(outlines: WallOutlines, corner: int, other: int, end: Floats) -> Closing:
    start = outlines.points[corner]
    length = float(np.hypot(*(end - start)))
    ahead = (end - start) / length
    beyond = _continued(outlines, other, -ahead, length) if other >= 0 else 0.0
    own = _continued(outlines, corner, ahead, length)
    return Closing(start, end, length, corner, other, own, beyond)


def _continued(outlines: WallOutlines, corner: int, ahead: Floats, length: float) -> float:
    """The length of the longer edge at a corner that a line in this direction continues."""
    longest = 0.0
    for edge, size in (
        (outlines.incoming[corner], float(outlines.length_in[corner])),
        (-outlines.outgoing[corner], float(outlines.length_out[corner])),
    ):
        slope = min(0.2, 0.012 + _SLACK / size)  # a short edge has no exact direction
        aside = abs(_cross(edge, ahead)) * length
        if (edge * ahead).sum() > 0 and aside <= _SLACK + length * slope:
            longest = max(longest, size)
    return longest


def _cross(one: Floats, other: Floats) -> float:
    return float(one[0] * other[1] - one[1] * other[0])
