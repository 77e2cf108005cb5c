"""Which openings are closed: gaps in walls, doors, ends of walls, and where free space narrows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.imaging.ink import Ink
from spotlab.imaging.rooms.closings import Closing, possible_closings
from spotlab.imaging.rooms.corners import WallOutlines, outline_walls, turn
from spotlab.imaging.rooms.narrowings import Narrowings
from spotlab.imaging.rooms.passages import open_passages
from spotlab.imaging.rooms.symbols import door_evidence, has_window
from spotlab.imaging.rooms.walls import Walls
from spotlab.progress import Progress, silent

GAP = 2.75  # times the thickness of walls: what is closed by default at the end of any wall
WIDEST = 16.0  # times the thickness: the widest opening that may be closed
_DOOR = 0.8  # evidence from which a door is drawn
_DOORS = (0.8, 3.6)  # times the thickness: widths of doors
_NEAR = 0.25  # times the thickness: corners so near each other are one
_REFLEX = 200.0  # degrees that are still to be divided
_BREADTH = 1.35  # times the thickness: between the two faces of an opening at most
_THICK = 0.4  # times the thickness: a wide opening is closed in a wall of this thickness at least
_EVEN = 0.6  # times the thickness: how far the ends of the two faces lie apart along the wall
_SQUARE = 60.0  # degrees of turn at the corners of a wall's end
_STEP = 0.6  # times the thickness: a smaller step in the face of a wall is no corner of a room
_BACK = 20.0  # degrees of turn at the other corner of such a step
_CAP = 1.3  # times the thickness: the end of a wall is no broader


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
    """

    walls: Walls
    outlines: WallOutlines
    lines: NDArray[np.uint8]
    closings: tuple[Closing, ...]
    _doors: dict[int, float] = field(default_factory=dict, repr=False)

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


def close_openings(
    plan: PlanFeatures, gap: float | None = None, wide: bool = True, progress: Progress = silent
) -> tuple[Closing, ...]:
    """Choose the closings that divide the free space of a plan into rooms.

    Four rules apply one after the other: gaps in straight walls (two parallel faces, or a window
    drawn there), openings where a door is drawn, ends of walls up to ``gap`` from another wall, and
    lines that are short in proportion to the spaces on either side. Lines of the last two rules
    that cut a passage into pieces are left out again, those within a given ``gap`` excepted.

    Parameters
    ----------
    plan : PlanFeatures
        From `extract_plan`.
    gap : float, optional
        Openings at the ends of walls are closed up to this width in px, whatever is drawn there;
        `GAP` times the thickness of walls by default.
    wide : bool
        Whether wider openings are closed where a window is drawn or where the space narrows.
    progress : Progress
        Called between the steps; it may raise to cancel.

    Returns
    -------
    tuple of Closing
        Those that are closed. Lines of a wall's two faces are both there.

    Examples
    --------
    >>> from spotlab.imaging.rooms.walls import WallKind
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> ink[20:30, 10:80] = ink[20:30, 120:190] = True
    >>> plan = extract_plan(ink, Walls(ink, 10.0, WallKind.FILLED))
    >>> [round(each.length) for each in close_openings(plan)]
    [41, 41]
    """
    chosen = _Choice(plan, GAP * plan.walls.thickness if gap is None else gap)
    progress(0, None, "closing openings")
    chosen.add_all(chosen.gaps_in_walls(wide), chosen.length)
    if wide:
        chosen.add_doors()
    progress(0, None, "closing openings")
    chosen.add_all(chosen.wall_ends(), chosen.end_cost)
    if not wide:
        return tuple(chosen.taken)
    asked_for = len(chosen.taken) if gap is not None else 0
    narrow = Narrowings(plan.walls.mask, plan.walls.thickness, chosen.taken)
    while True:
        progress(0, None, "closing openings")
        best = narrow.best(plan.closings, chosen.may_divide)
        if best is None:
            break
        chosen.add(best)
        narrow.divide(plan.closings[best])
    weak = [each for each in chosen.taken[asked_for:] if id(each) not in chosen.sure]
    return open_passages(narrow, chosen.taken, weak)


class _Choice:
    """The closings taken so far, and which corners they have not resolved yet."""

    def __init__(self, plan: PlanFeatures, gap: float) -> None:
        self.plan, self.gap = plan, gap
        self.taken: list[Closing] = []
        self.sure: set[int] = set()  # ids of closings that something drawn speaks for
        self._thickness = plan.walls.thickness
        self._corners = plan.outlines.protruding
        self._places = plan.outlines.points[self._corners]
        self._ways: dict[int, list[NDArray[np.float64]]] = {}  # along closings at a corner

    def length(self, number: int) -> float:
        return self.plan.closings[number].length

    def add(self, number: int) -> None:
        """Close there; corners next to its ends are resolved as well."""
        closing = self.plan.closings[number]
        self.taken.append(closing)
        for end, ahead in ((closing.start, closing.direction), (closing.end, -closing.direction)):
            apart = np.hypot(*(self._places - end).T)
            for corner in self._corners[apart <= _NEAR * self._thickness].tolist():
                self._ways.setdefault(corner, []).append(ahead)

    def add_all(self, numbers: Sequence[int], cost: Callable[[int], float]) -> None:
        """Add those that help, cheapest first."""
        for number in sorted(numbers, key=cost):
            if self.may_add(number):
                self.add(number)

    def may_add(self, number: int) -> bool:
        """Whether it divides an angle that is still reflex, and crosses nothing."""
        closing = self.plan.closings[number]
        helps = self._divides(closing.corner, closing.direction)
        if not helps and closing.other >= 0:
            helps = self._divides(closing.other, -closing.direction)
        return helps and self._is_free(closing)

    def may_divide(self, number: int) -> bool:
        """Whether it may divide a space: not from a small step in the face of a wall."""
        return not self._is_step(self.plan.closings[number].corner) and self.may_add(number)

    def gaps_in_walls(self, wide: bool) -> list[int]:
        """Closings that continue a wall at both ends, and are one of two faces or a window."""
        closings = self.plan.closings
        both = [n for n, each in enumerate(closings) if each.own_edge and each.other_edge]
        limit = WIDEST * self._thickness if wide else self.gap
        both = [number for number in both if closings[number].length <= limit]
        ends = np.array([[*closings[n].start, *closings[n].end] for n in both]).reshape(-1, 4)
        edges = np.array([min(closings[n].own_edge, closings[n].other_edge) for n in both])
        least = _NEAR * self._thickness
        found = []
        for place, number in enumerate(both):
            closing, edge = closings[number], edges[place]
            # a gap is always closed, a wider opening only if its other face or a window is there
            sure = self._has_other_face(closing, edge, ends, edges)
            if not sure and edge >= 2 * least:
                sure = has_window(self.plan.lines, self.plan.walls.mask, closing, self._thickness)
            if sure:
                self.sure.add(id(closing))
            if sure or (closing.length <= self.gap and edge >= least):
                found.append(number)
        return found

    def _has_other_face(
        self,
        closing: Closing,
        edge: float,
        ends: NDArray[np.float64],
        edges: NDArray[np.float64],
    ) -> bool:
        ahead, normal = closing.direction, closing.normal
        for first, last in ((ends[:, :2], ends[:, 2:]), (ends[:, 2:], ends[:, :2])):
            begin, end = first - closing.start, last - closing.end
            breadth, other = begin @ normal, end @ normal
            near = np.maximum(np.abs(begin @ ahead), np.abs(end @ ahead))
            size = np.abs(breadth)
            # a long gap in a thin wall may be an opening between two rooms, or none at all
            thin = 2.0 if closing.length <= self.gap else _THICK * self._thickness
            face = (near < _EVEN * self._thickness) & (size > thin)
            face &= size < _BREADTH * self._thickness
            face &= np.abs(breadth - other) < 0.35 * self._thickness
            face &= np.minimum(edges, edge) >= _NEAR * size
            if face.any():
                return True
        return False

    def add_doors(self) -> None:
        """Close where a door is drawn: along walls first, each opening once."""
        low, high = (times * self._thickness for times in _DOORS)
        closings = self.plan.closings
        right = [n for n, each in enumerate(closings) if low <= each.length <= high]
        doors = [number for number in right if self.plan.door(number) >= _DOOR]
        self.sure.update(id(closings[number]) for number in doors)

        def order(number: int) -> tuple[int, int, float]:
            closing = closings[number]
            along = (closing.own_edge > 0.5 * self._thickness) + (closing.other_edge > 0)
            return -int(along), -round(10 * self.plan.door(number)), closing.length

        for number in sorted(doors, key=order):
            if self.may_add(number) or self._is_new(closings[number]):
                self.add(number)

    def wall_ends(self) -> list[int]:
        """Closings up to the gap that continue the end of a wall."""
        return [
            number
            for number, each in enumerate(self.plan.closings)
            if each.length <= self.gap
            and each.own_edge >= 0.8 * self._thickness
            and self._is_end(each.corner, each.direction)
        ]

    def end_cost(self, number: int) -> float:
        """Its length; less where it meets an edge that it continues, too."""
        closing = self.plan.closings[number]
        return closing.length * (0.6 if closing.other_edge else 1.0)

    def _is_end(self, corner: int, ahead: NDArray[np.float64]) -> bool:
        """Whether a wall ends at a corner, across the direction."""
        outlines = self.plan.outlines
        for other, size in (
            (outlines.following[corner], outlines.length_out[corner]),
            (outlines.preceding[corner], outlines.length_in[corner]),
        ):
            square = max(outlines.turns[corner], outlines.turns[other]) < -_SQUARE
            if square and size <= _CAP * self._thickness:
                way = (outlines.points[other] - outlines.points[corner]) / size
                if abs(float(way @ ahead)) < 0.3:
                    return True
        return False

    def _is_step(self, corner: int) -> bool:
        """Whether a short edge leads from a corner to one that turns the other way."""
        outlines = self.plan.outlines
        return any(
            size <= _STEP * self._thickness and outlines.turns[other] > _BACK
            for other, size in (
                (outlines.following[corner], outlines.length_out[corner]),
                (outlines.preceding[corner], outlines.length_in[corner]),
            )
        )

    def _divides(self, corner: int, ahead: NDArray[np.float64]) -> bool:
        """Whether a direction lies in an angle at a corner that is still reflex."""
        outlines = self.plan.outlines
        back, sign = -outlines.incoming[corner], np.sign(outlines.turns[corner])

        def angle(way: NDArray[np.float64]) -> float:
            return float(turn(back, way) * sign) % 360

        borders = sorted(
            [0.0, angle(outlines.outgoing[corner]), *map(angle, self._ways.get(corner, ()))]
        )
        here = angle(ahead)
        for low, high in pairwise(borders):
            if low < here < high:
                return high - low > _REFLEX
        return False

    def _is_free(self, closing: Closing) -> bool:
        return not any(closing.crosses(each) for each in self.taken)

    def _is_new(self, closing: Closing) -> bool:
        """Whether it crosses nothing and no parallel one closes the same opening."""
        middle = (closing.start + closing.end) / 2
        for each in self.taken:
            parallel = abs(float(closing.normal @ each.direction)) < 0.3
            apart = np.hypot(*(middle - (each.start + each.end) / 2))
            if parallel and apart < 0.4 * self._thickness:
                return False
        return self._is_free(closing)
