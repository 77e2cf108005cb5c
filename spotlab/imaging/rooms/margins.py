"""How far rooms that somebody has drawn stay away from the walls."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.imaging.rooms.room_map import RoomMap
from spotlab.progress import Progress, silent

_ALIKE = 0.6  # of a space's area that an outline of it has at least, and at most the inverse


def fitting_margin(
    room_map: RoomMap, outlines: Iterable[Points], progress: Progress = silent
) -> int | None:
    """Find the margin with which rooms are most like those that are drawn already.

    Parameters
    ----------
    room_map : RoomMap
        Of the page; its own margin does not matter.
    outlines : iterable of (N, 2) float
        Rings in px of the page. Those that enclose no space, or several, do not count.
    progress : Progress
        Called with the margins tried; it may raise to cancel.

    Returns
    -------
    int or None
        In px of the page, 0 or more: of the largest mean IoU with what is drawn. None where no
        outline is a room.

    Examples
    --------
    >>> from spotlab.imaging.rooms.plan import survey_plan
    >>> from spotlab.imaging.rooms.room_map import map_rooms
    >>> ink = np.zeros((300, 300), np.bool_)
    >>> ink[50:250, 50:250] = True
    >>> ink[60:240, 60:240] = False
    >>> ink[20, 10:290] = True
    >>> drawn = np.array([(64, 64), (236, 64), (236, 236), (64, 236)])
    >>> fitting_margin(map_rooms(survey_plan(ink)), [drawn])
    4
    """
    rooms: list[tuple[int, Points]] = []
    distances = []
    for drawn in outlines:
        spaces = room_map.spaces_in(drawn)
        if len(spaces) != 1:
            continue
        space = room_map.outline(spaces, margin=0)
        whole, area = polygon.area(space), polygon.area(drawn)
        if not len(space) or not _ALIKE <= area / whole <= 1 / _ALIKE:
            continue
        edges = np.roll(space, -1, axis=0) - space
        distances.append((whole - area) / float(np.hypot(edges[:, 0], edges[:, 1]).sum()))
        rooms.append((spaces[0], drawn))
    if not rooms:
        return None
    margins = range(max(0, round(2 * float(np.median(distances)))) + 2)
    fits = []
    for margin in margins:
        progress(margin, len(margins), "fitting the margin")
        fits.append(sum(_iou(room_map.outline([space], margin), drawn) for space, drawn in rooms))
    return int(np.argmax(fits))


def _iou(one: Points, other: Points) -> float:
    if len(one) < 3:
        return 0.0
    first, second = polygon.even_odd_geometry(one), polygon.even_odd_geometry(other)
    return float(first.intersection(second).area / first.union(second).area)
