"""What is known of a plan whatever the gap is: walls, lines, and all that could close an opening.

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
from spotlab.imaging.rooms.closings import Closing, possible_closings
from spotlab.imaging.rooms.corners import WallOutlines, outline_walls, turn
from spotlab.imaging.rooms.symbols import door_evidence, has_window
from spotlab.imaging.rooms.walls import Walls
from spotlab.progress import Progress, silent

WIDEST = 16.0  # times the thickness: the widest opening that may be closed
_CLEAR = 2.0  # px: lines that cross by less only touch


@dataclass(frozen=True, eq=False)
class PlanFeatures:
    """What is known of a page whatever the gap is.

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
        """Whether a window is drawn at a closing.

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
        """Where each closing lies in the angle at its corner and at its other one, (N, 2) float.

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
