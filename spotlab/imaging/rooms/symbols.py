"""Whether a door or a window is drawn at an opening: its leaf and arc, or a line across the gap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.imaging.rooms.closings import Closing

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
