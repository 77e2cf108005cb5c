"""The handles of a region: its control points, and what dragging those of a frame does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from spotlab.arrays import Points
from spotlab.editing.operations.outline import behaves_as, handle_points, named, page_size, reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import ellipse, ellipse_from_points, frame_corners, turned_frame
from spotlab.model import Page, Primitive, Region

# Frames have their corners first, clockwise from the top left, then the middles of their sides.
FRAME_HANDLES = ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0))

Place = tuple[float, float]

_HIDDEN = 4.0  # times the reach: a region that is smaller would be hidden by its handles


class HandleKind(StrEnum):
    """The part of a region that a handle moves."""

    CORNER = "corner"
    SIDE = "side"  # the middle of a side of a box, or the end of an axis of an ellipse


@dataclass(frozen=True)
class Handle:
    """A control point: its place in px, and its index, by which it is moved."""

    x: float
    y: float
    kind: HandleKind
    index: int


def handles(region: Region) -> list[Handle]:
    """The control points in the order of their indices.

    Boxes and ellipses have eight: the corners of their frame, clockwise from the top left, then the
    middles of its sides, clockwise from the top. A hull has those of its points that matter, see
    `spotlab.editing.operations.outline`. All others have their points.

    Examples
    --------
    >>> box = Region(((0, 0), (4, 0), (4, 2), (0, 2)), primitive=Primitive.BOX)
    >>> [(handle.x, handle.y) for handle in handles(box)][3:6]
    [(0.0, 2.0), (2.0, 0.0), (4.0, 1.0)]
    """
    frame = frame_of(region)
    if frame is None:
        return [
            Handle(*region.points[index], HandleKind.CORNER, index)
            for index in handle_points(region)
        ]
    kinds = [HandleKind.CORNER] * 4 + [HandleKind.SIDE] * 4
    return [
        Handle(*frame.point_at(*side), kind, index)
        for index, (side, kind) in enumerate(zip(FRAME_HANDLES, kinds, strict=True))
    ]


def handles_apart(region: Region, reach: float) -> list[Handle]:
    """Choose the handles that can be told apart: small regions show few of them, or none.

    Parameters
    ----------
    region : Region
    reach : float
        Distance in px from which a handle is taken hold of.

    Returns
    -------
    list of Handle
        None of them is nearer than twice the reach to another. A region that these would hide has
        none: it can still be moved.

    Examples
    --------
    >>> box = Region(((0, 0), (40, 0), (40, 20), (0, 20)), primitive=Primitive.BOX)
    >>> [len(handles_apart(box, reach)) for reach in (4, 7, 12)]
    [8, 6, 0]
    """
    left, top, right, bottom = region.bounds
    if max(right - left, bottom - top) < _HIDDEN * reach:
        return []
    side = 2 * reach
    cells: dict[tuple[int, int], list[Handle]] = {}
    apart = []
    for handle in handles(region):
        column, row = int(handle.x // side), int(handle.y // side)
        near = (
            other
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
            for other in cells.get((column + across, row + down), ())
        )
        if all(math.hypot(handle.x - other.x, handle.y - other.y) >= side for other in near):
            cells.setdefault((column, row), []).append(handle)
            apart.append(handle)
    return apart


def frame_of(region: Region) -> Frame | None:
    """The frame by which the region is edited: boxes and ellipses have one."""
    match behaves_as(region):
        case Primitive.BOX:
            left, top, right, bottom = region.bounds
            x, y = (left + right) / 2, (top + bottom) / 2
            return turned_frame(region.array) or Frame(x, y, right - left, bottom - top)
        case Primitive.ELLIPSE:
            return ellipse_from_points(region.array)
    return None


def corner_of_box(region: Region, index: int) -> int:
    """Find the point of a box that a handle stands for: files may begin with any corner.

    Raises
    ------
    SpotlabError
        The handle is in the middle of a side.

    Examples
    --------
    >>> box = Region(((0, 2), (0, 0), (4, 0), (4, 2)), primitive=Primitive.BOX)
    >>> corner_of_box(box, 0)  # its left upper corner
    1
    """
    if index >= len(FRAME_HANDLES) // 2:
        raise SpotlabError("The middle of a side is no corner; point at a corner to delete it")
    frame = frame_of(region)
    assert frame is not None  # it is a box
    off = region.array - frame.point_at(*FRAME_HANDLES[index])
    return int(np.hypot(*off.T).argmin())


def drag_frame(region: Region, frame: Frame, index: int, to: Place, page: Page) -> Region:
    """The box or ellipse with a handle of its frame dragged to a place on the page.

    Raises
    ------
    SpotlabError
        No area would remain.
    IndexError
        There is no such handle.
    """
    if not 0 <= index < len(FRAME_HANDLES):
        raise IndexError(f"there is no handle {index} among {len(FRAME_HANDLES)}")
    side = FRAME_HANDLES[index]
    is_box = behaves_as(region) is Primitive.BOX
    if is_box and turned_frame(region.array) is None:
        return reshaped(region, np.array(frame_corners(frame.drag(*side, to))), page)
    outline, slack = (_turned_corners, 0.0) if is_box else (ellipse, 0.5)
    start = np.array(frame.point_at(*side))
    reach, step = 0.0, 1.0
    width, height = page_size(page)
    for _ in range(12):  # halve the way to where the outline touches the page's edge
        share = reach + step
        dragged = frame.drag(*side, tuple(start + share * (to - start)))
        left, top, right, bottom = polygon.bounds(outline(dragged))
        if min(left, top) >= -slack and right <= width + slack and bottom <= height + slack:
            reach = share
            if share == 1:
                break
        step /= 2
    dragged = frame.drag(*side, tuple(start + reach * (to - start)))
    if min(dragged.width, dragged.height) < 1:
        raise SpotlabError(f"Nothing would be left of {named(region)}")
    return reshaped(region, outline(dragged), page)


def _turned_corners(frame: Frame) -> Points:
    return np.array(frame_corners(frame))
