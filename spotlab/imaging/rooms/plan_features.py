"""Features of a plan that do not depend on the gap: walls, lines, and all possible closings.

What the rules ask of a closing again and again is kept here, so that another gap is answered at
once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.rooms.closings import (
    Closing,
    WallOutlines,
    outline_walls,
    possible_closings,
    turn,
)
from spotlab.imaging.rooms.walls import Walls
from spotlab.progress import Progress, silent

_ANGLES = np.radians(np.arange(6, 97, 2.0))  # from the closed leaf
_OPEN = 20  # the leaf is open by 46 degrees at least,
_AJAR = 10  # or by 26 where the opening continues a wall at both ends
_HINGES = (0.0, 0.05, 0.1, 0.15)  # of the gap: how far the frame moves the hinge into it
_SHORTEST = 0.76  # of the gap, a leaf
_LEAF = (0.15, 0.92)  # the part of a leaf that is looked at
_ALONG = 0.75  # share of ink along a gap that is an open leaf, not a gap
_JAMB = 5.0  # px beyond the ends of an opening
_LINE = 0.9  # share of ink along a line of a window
_ACROSS = 1.2  # times the thickness of walls: how far from the opening's face a window's line lies


def door_evidence(lines: NDArray[np.uint8], gap: Closing) -> float:
    """Rate how much of a door's leaf and arc is drawn at an opening.

    Parameters
    ----------
    lines : (H, W) uint8
        1 where there is ink that is no wall, or next to such ink.
    gap : Closing
        Along the closed leaf.

    Returns
    -------
    float
        The smaller one of the shares of the leaf and of its arc that are drawn, for the best hinge,
        side, width and angle; 0 where the gap itself is drawn as a line, unless it continues a wall
        at both ends: then that line is a threshold.

    Examples
    --------
    >>> closing = Closing(np.array([10.0, 10.0]), np.array([60.0, 10.0]), 50.0, 0, 1, 9.0, 9.0)
    >>> door_evidence(np.zeros((90, 90), np.uint8), closing)
    0.0
    """
    in_wall = gap.own_edge > 0 and gap.other_edge > 0
    if not in_wall and _along(lines, gap) > _ALONG:
        return 0.0
    opened = np.arange(_AJAR if in_wall else _OPEN, len(_ANGLES))
    best = 0.0
    for hinge, closed in ((gap.start, gap.direction), (gap.end, -gap.direction)):
        for normal in (gap.normal, -gap.normal):
            ways = np.cos(_ANGLES)[:, None] * closed + np.sin(_ANGLES)[:, None] * normal
            for offset in _HINGES:
                centre = hinge + offset * gap.length * closed
                widest = (1.03 - offset) * gap.length
                rated = _leaf_and_arc(lines, centre, ways, gap.length, widest, opened)
                best = max(best, rated)
    return best


def has_window(
    lines: NDArray[np.uint8], mask: NDArray[np.bool_], gap: Closing, thickness: float
) -> bool:
    """Tell whether a line runs along an opening from one jamb to the other.

    Parameters
    ----------
    lines : (H, W) uint8
        1 where there is ink that is no wall, or next to such ink.
    mask : (H, W) bool
        True inside walls: at both ends of the line there is one.
    gap : Closing
        One face of the opening.
    thickness : float
        Of walls in px.

    Returns
    -------
    bool
        True for windows and for doors with a threshold.

    Examples
    --------
    >>> lines = np.zeros((90, 90), np.uint8)
    >>> closing = Closing(np.array([10.0, 10.0]), np.array([60.0, 10.0]), 50.0, 0, 1, 9.0, 9.0)
    >>> mask = np.zeros((90, 90), np.bool_)
    >>> mask[10:20, :11] = mask[10:20, 60:] = True
    >>> has_window(lines, mask, closing, 12)
    False
    >>> lines[14:17] = 1
    >>> has_window(lines, mask, closing, 12)
    True
    """
    places = gap.start + np.linspace(0.08, 0.92, 40)[:, None] * (gap.end - gap.start)
    across = np.arange(-_ACROSS * thickness, _ACROSS * thickness, 2.0)
    drawn = _at(lines, places[None] + across[:, None, None] * gap.normal)
    beyond = np.array([gap.start - _JAMB * gap.direction, gap.end + _JAMB * gap.direction])
    walls = _at(mask.view(np.uint8), beyond[None] + across[:, None, None] * gap.normal)
    return bool(((drawn.mean(axis=1) >= _LINE) & walls.all(axis=1)).any())


def _along(lines: NDArray[np.uint8], gap: Closing) -> float:
    places = gap.start + np.linspace(0.15, 0.85, 30)[:, None] * (gap.end - gap.start)
    beside = np.arange(-3, 4)[:, None] * gap.normal
    return float(_at(lines, places[:, None] + beside).max(axis=1).mean())


def _leaf_and_arc(
    lines: NDArray[np.uint8],
    centre: Floats,
    ways: Floats,
    gap: float,
    widest: float,
    opened: NDArray[np.int64],
) -> float:
    """The best share for the angles at these positions."""
    radii = np.arange(0, 1.03 * gap, 2.0)
    drawn = _at(lines, centre + radii[:, None, None] * ways).astype(np.float64)
    along, around = np.cumsum(drawn, axis=0), np.cumsum(drawn, axis=1)
    widths = np.flatnonzero((radii >= _SHORTEST * gap) & (radii <= widest))
    if not len(widths):
        return 0.0
    near, far = (np.floor(widths * share).astype(np.int64) for share in _LEAF)
    leaf = (along[far] - along[near]) / np.maximum(far - near, 1)[:, None]
    arc = around[widths][:, opened - 2] / (opened - 1)
    return float(np.minimum(leaf[:, opened], arc).max())


def _at(lines: NDArray[np.uint8], places: Floats) -> NDArray[np.uint8]:
    whole = np.rint(places).astype(np.int64)
    height, width = lines.shape
    found: NDArray[np.uint8] = lines[
        np.clip(whole[..., 1], 0, height - 1), np.clip(whole[..., 0], 0, width - 1)
    ]
    return found


WIDEST = 16.0  # times the thickness: the widest opening that may be closed
_CLEAR = 2.0  # px: lines that cross by less only touch


@dataclass(frozen=True, eq=False)
class PlanFeatures:
    """Features of a page that do not depend on the gap.

    Attributes
    ----------
    walls : Walls
    outlines : WallOutlines
    lines : (H, W) uint8
        1 at ink that is no wall, and 2 px around.
    closings : tuple of Closing
        All possible ones, up to `WIDEST`.
    answers : dict
        What a rule has asked before and is the same for every gap.
    measured : dict
        What `Narrowings` has measured before.
    """

    walls: Walls
    outlines: WallOutlines
    lines: NDArray[np.uint8]
    closings: tuple[Closing, ...]
    answers: dict[tuple[object, ...], bool] = field(default_factory=dict, repr=False)
    measured: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)
    _doors: dict[int, float] = field(default_factory=dict, repr=False)
    _windows: dict[int, bool] = field(default_factory=dict, repr=False)
    _crossed: dict[int, NDArray[np.bool_]] = field(default_factory=dict, repr=False)

    def door(self, number: int) -> float:
        """Evidence of a door at a closing.

        Parameters
        ----------
        number : int
            Its position in ``closings``.

        Returns
        -------
        float
            In [0, 1]; see `door_evidence`.
        """
        if number not in self._doors:
            self._doors[number] = door_evidence(self.lines, self.closings[number])
        return self._doors[number]

    def window(self, number: int) -> bool:
        """Tell whether a window is drawn at a closing.

        Parameters
        ----------
        number : int
            Its position in ``closings``.

        Returns
        -------
        bool
            See `has_window`.
        """
        if number not in self._windows:
            walls = self.walls
            self._windows[number] = has_window(
                self.lines, walls.mask, self.closings[number], walls.thickness
            )
        return self._windows[number]

    @cached_property
    def ends(self) -> Floats:
        """Start and end of each closing in px, (N, 2, 2) float."""
        places = [(each.start, each.end) for each in self.closings]
        return np.array(places, np.float64).reshape(-1, 2, 2)

    @cached_property
    def lengths(self) -> Floats:
        """Length of each closing in px, (N,) float."""
        return np.array([each.length for each in self.closings], np.float64)

    @cached_property
    def angles(self) -> Floats:
        """Tell where each closing lies in the angle at its corner and at its other one, (N, 2)
        float.

        In degrees, as `angle_at` gives them; NaN where it ends on the side of a wall.
        """
        found = np.full((len(self.closings), 2), np.nan)
        for number, each in enumerate(self.closings):
            found[number, 0] = self.angle_at(each.corner, each.direction)
            if each.other >= 0:
                found[number, 1] = self.angle_at(each.other, -each.direction)
        return found

    @cached_property
    def openings(self) -> dict[int, float]:
        """The free angle at each protruding corner in degrees."""
        corners, outgoing = self.outlines.protruding.tolist(), self.outlines.outgoing
        return {corner: self.angle_at(corner, outgoing[corner]) for corner in corners}

    def angle_at(self, corner: int, way: Floats) -> float:
        """Measure a direction at a corner from the wall that ends there, through free space.

        Parameters
        ----------
        corner : int
            A vertex of the outlines.
        way : (2,) float
            The direction.

        Returns
        -------
        float
            Degrees in [0, 360).

        Examples
        --------
        >>> from spotlab.imaging.rooms.walls import WallKind
        >>> ink = np.zeros((60, 200), np.bool_)
        >>> ink[20:30, 10:80] = True
        >>> plan = extract_plan(ink, Walls(ink, 10.0, WallKind.FILLED))
        >>> corner = int(plan.outlines.protruding[0])
        >>> plan.angle_at(corner, plan.outlines.outgoing[corner])  # around a square corner
        270.0
        """
        sign = float(np.sign(self.outlines.turns[corner]))
        return float(turn(-self.outlines.incoming[corner], way) * sign) % 360

    def crossed_by(self, number: int) -> NDArray[np.bool_]:
        """Tell which closings cross one clearly inside of both.

        Parameters
        ----------
        number : int
            Its position in ``closings``.

        Returns
        -------
        (N,) bool
            False where two lines only touch, up to 2 px.
        """
        if number in self._crossed:
            return self._crossed[number]
        closing = self.closings[number]
        starts, ends = self.ends[:, 0], self.ends[:, 1]
        ahead = (ends - starts) / self.lengths[:, None]
        first = [_cross(closing.direction, place - closing.start) for place in (starts, ends)]
        second = [_cross(ahead, place - starts) for place in (closing.start, closing.end)]
        apart = np.abs(np.stack([*first, *second])).min(axis=0)
        sides = (first[0] * first[1] < 0) & (second[0] * second[1] < 0)
        self._crossed[number] = np.asarray((apart > _CLEAR) & sides)
        return self._crossed[number]


def _cross(one: Floats, other: Floats) -> Floats:
    crossed: Floats = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return crossed


def extract_plan(ink: Ink, walls: Walls, progress: Progress = silent) -> PlanFeatures:
    """Find all lines that could close an opening of a plan.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    walls : Walls
        Its walls.
    progress : Progress
        Called with the corners done; it may raise to cancel.

    Returns
    -------
    PlanFeatures
        Without closings where there are no walls.

    Examples
    --------
    >>> from spotlab.imaging.rooms.walls import WallKind
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> ink[20:30, 10:80] = ink[20:30, 120:190] = True
    >>> len(extract_plan(ink, Walls(ink, 10.0, WallKind.FILLED)).closings)
    4
    """
    outlines = outline_walls(walls.mask)
    thin = (ink & ~walls.mask).astype(np.uint8)
    lines = cv2.dilate(thin, np.ones((5, 5), np.uint8)).astype(np.uint8)
    longest = WIDEST * walls.thickness
    closings = possible_closings(walls.mask, outlines, longest, progress)
    return PlanFeatures(walls, outlines, lines, tuple(closings))
