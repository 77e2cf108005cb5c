"""What is found of a floor plan once: its walls and the lines that could close its openings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.imaging.ink import Ink
from spotlab.imaging.rooms.openings import GAP
from spotlab.imaging.rooms.plan_features import WIDEST, PlanFeatures, extract_plan
from spotlab.imaging.rooms.walls import WallKind, find_walls
from spotlab.progress import Progress, silent

MOST_PIXELS = 16_000_000  # that rooms are looked for in; larger pages are reduced


@dataclass(frozen=True)
class RoomSettings:
    """How rooms are found.

    Attributes
    ----------
    gap : float or None
        Openings at the ends of walls are closed up to this width in px of the page; None for a
        width that fits the page's walls.
    wide : bool
        Whether wider openings are closed where a window or a door is drawn or the space narrows.
    margin : int
        Distance of a room's outline from the walls in px of the page, 0 or more.
    kind : WallKind
        How walls are drawn.
    """

    gap: float | None = None
    wide: bool = True
    margin: int = 0
    kind: WallKind = WallKind.AUTOMATIC


@dataclass(frozen=True, eq=False)
class Plan:
    """What is known of a page before any gap is chosen.

    Attributes
    ----------
    features : PlanFeatures
        In px of the reduced page.
    factor : int
        How often the page was reduced.
    kind : WallKind
        The kind of walls that was asked for.
    """

    features: PlanFeatures
    factor: int
    kind: WallKind

    @property
    def default_gap(self) -> float:
        """The gap that fits the page's walls, in px of the page."""
        return GAP * self.features.walls.thickness * self.factor

    @property
    def widest_gap(self) -> float:
        """The widest opening that can be closed, in px of the page."""
        return WIDEST * self.features.walls.thickness * self.factor


def survey_plan(ink: Ink, kind: WallKind = WallKind.AUTOMATIC, progress: Progress = silent) -> Plan:
    """Find the walls of a page and all lines that could close an opening.

    This takes a second or more; `map_rooms` then gives the rooms for a gap.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    kind : WallKind
        How walls are drawn.
    progress : Progress
        Called with what is done; it may raise to cancel.

    Returns
    -------
    Plan

    Examples
    --------
    >>> from spotlab.imaging.rooms.room_map import map_rooms
    >>> ink = np.zeros((300, 400), np.bool_)
    >>> ink[50:250, 50:350] = True
    >>> ink[60:240, 60:340] = False
    >>> ink[60:240, 200:205] = True
    >>> ink[130:155, 200:205] = False  # a door
    >>> ink[20, 10:390] = True  # a thin line outside
    >>> rooms = map_rooms(survey_plan(ink))
    >>> len(rooms.rooms), rooms.is_outside(rooms.label_at(100, 100))
    (2, False)
    >>> rooms.outline([rooms.label_at(100, 100)]).tolist()
    [[60.0, 60.0], [200.0, 60.0], [200.0, 240.0], [60.0, 240.0]]
    """
    factor = int(np.ceil(np.sqrt(ink.size / MOST_PIXELS))) if ink.size else 1
    small = _reduced(ink, factor)
    walls = find_walls(small, kind, progress)
    return Plan(extract_plan(small, walls, progress), factor, kind)


def _reduced(ink: Ink, factor: int) -> Ink:
    """One pixel for each block of pixels, with ink where the block has any."""
    if factor == 1:
        return ink
    height, width = (-(-side // factor) * factor for side in ink.shape)
    padded = np.zeros((height, width), np.bool_)
    padded[: ink.shape[0], : ink.shape[1]] = ink
    blocks = padded.reshape(height // factor, factor, width // factor, factor)
    return np.asarray(blocks.any(axis=(1, 3)))
