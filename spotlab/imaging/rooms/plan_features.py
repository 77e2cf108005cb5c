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

from spotlab.arrays import Floats, Ints
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import label_parts
from spotlab.imaging.rooms.walls import Walls
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
    >>> from spotlab.imaging.rooms.plan_features import outline_walls
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
        aside = abs(_cross_of_two(edge, ahead)) * length
        if (edge * ahead).sum() > 0 and aside <= _SLACK + length * slope:
            longest = max(longest, size)
    return longest


def _cross_of_two(one: Floats, other: Floats) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


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


DOOR = 0.8  # evidence from which a door is drawn
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
    letters : (N, 2) float
        Middles of what is about as large as letters and stands in a line with others, in px.
    areas : (N, 2) float
        Places of figures that state an area, see `find_areas`.
    answers : dict
        What a rule has asked before and is the same for every gap.
    measured : dict
        What `Narrowings` has measured before.
    """

    walls: Walls
    outlines: WallOutlines
    lines: NDArray[np.uint8]
    closings: tuple[Closing, ...]
    letters: Floats = field(default_factory=lambda: np.empty((0, 2)))
    areas: Floats = field(default_factory=lambda: np.empty((0, 2)))
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

    def is_drawn(self, number: int) -> bool:
        """Tell whether a door or a window is drawn at a closing.

        Parameters
        ----------
        number : int
            Its position in ``closings``.
        """
        return self.door(number) >= DOOR or self.window(number)

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
    letters = find_letters(ink, walls.thickness)
    areas = find_areas(ink, walls.thickness)
    return PlanFeatures(walls, outlines, lines, tuple(closings), letters, areas)


_LETTER = (0.3, 1.0)  # times the thickness of walls: the height of letters
_BROAD = 1.2  # times that: no letter is wider
_SOLID = 0.75  # share of its box that a letter fills at most, unless it is
_SLIM = 0.25  # times the thickness wide, as I or 1
_IN_LINE = (1.2, 0.15, 0.25)  # times that: between letters of a line, their feet, and their heights
_MATES = 2  # letters of a line at least


def find_letters(ink: Ink, thickness: float) -> Floats:
    """Find what is about as large as letters and stands in a level line with others.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    thickness : float
        Of walls in px, which tells the scale.

    Returns
    -------
    (N, 2) float
        Middles in px.

    Examples
    --------
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> for left in (20, 40, 60):
    ...     ink[20:35, left : left + 2] = ink[20:22, left : left + 10] = True
    >>> find_letters(ink, 25.0)[:, 0].tolist()
    [25.0, 45.0, 65.0]
    """
    _, stats = label_parts(ink, diagonal=True)
    width, height = stats[1:, 2], stats[1:, 3]
    low, high = (times * thickness for times in _LETTER)
    fits = (height >= low) & (height <= high) & (width <= _BROAD * thickness)
    fits &= (stats[1:, 4] <= _SOLID * width * height) | (width <= _SLIM * thickness)
    boxes = stats[1:][fits, :4].astype(np.float64)
    middles, feet = boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 1] + boxes[:, 3]
    apart, beside, taller = (times * thickness for times in _IN_LINE)
    mates = np.array([
        (
            (np.abs(middles[:, 0] - middles[number, 0]) <= apart)
            & (np.abs(feet - feet[number]) <= beside)
            & (np.abs(boxes[:, 3] - boxes[number, 3]) <= taller)
        ).sum()
        for number in range(len(boxes))
    ])  # fmt: skip
    return middles[mates >= _MATES] if len(boxes) else middles


_GLYPHS = (0.2, 1.2)  # times the thickness of walls: the height of figures
_M = (0.9, 2.2)  # times its height: the width of an m
_RAISED = (0.3, 0.95)  # times the height of the m before it: the height of a raised 2
_BESIDE = 0.8  # times the height of figures: between one and the next
_SPACE = 2.0  # times the height of an m: between it and what stands before it
_SAME_LABEL = (2.8, 6.0)  # times the height: of the same room, down and aside


def find_areas(ink: Ink, thickness: float) -> Floats:
    """Find the figures that state the areas of rooms, as 12,40 m².

    An m with a raised figure behind it tells. Lines of text may be turned, to be read from below.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    thickness : float
        Of walls in px, which tells the scale.

    Returns
    -------
    (N, 2) float
        A place in each figure, in px.

    Examples
    --------
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> ink[15:35, 5:15] = ink[20:35, 20:40] = ink[15:22, 42:46] = True  # as 1m²
    >>> find_areas(ink, 25.0).tolist()
    [[20.0, 27.5]]
    """
    level = _level_areas(ink, thickness)
    x, y = _level_areas(np.ascontiguousarray(np.rot90(ink, -1)), thickness).T
    return np.concatenate([level, np.stack([y, len(ink) - 1 - x], axis=1)])


def _level_areas(ink: Ink, thickness: float) -> Floats:
    _, stats = label_parts(ink, diagonal=True)
    left, top, width, height = stats[1:, :4].astype(np.float64).T
    right, bottom, middle = left + width, top + height, top + height / 2
    low, high = (times * thickness for times in _GLYPHS)
    full = np.flatnonzero((height >= low) & (height <= high) & (width <= 1.5 * thickness))
    small = np.flatnonzero((height < 0.7 * thickness) & (width < 0.7 * thickness))

    def beside(of: int, others: Any, sign: int, times: float = _BESIDE) -> Any:
        """Tell which others stand right behind one, or before it."""
        apart = left[others] - right[of] if sign > 0 else left[of] - right[others]
        return (apart > -0.1 * height[of]) & (apart < times * height[of])

    def even(of: int, least: float, most: float) -> Any:
        """Tell which have about the height of one, and stand on the same line."""
        size = height[full] / height[of]
        on_line = np.abs(bottom[full] - bottom[of]) < 0.15 * height[of]
        return (size > least) & (size < most) & on_line

    found: list[tuple[float, float, float]] = []
    wide = (width[full] >= _M[0] * height[full]) & (width[full] <= _M[1] * height[full])
    for m in full[wide].tolist():
        size = height[m]
        raised = beside(m, small, 1) & (width[small] > 0.15 * size)
        raised &= (height[small] >= _RAISED[0] * size) & (height[small] <= _RAISED[1] * size)
        raised &= (top[small] < top[m] + 0.15 * size) & (bottom[small] < top[m] + 0.65 * size)
        raised &= bottom[small] > top[m] - 0.3 * size
        if raised.any() and (beside(m, full, -1, _SPACE) & even(m, 0.9, 1.9)).any():
            found.append((left[m], middle[m], size))
    kept: list[tuple[float, float]] = []
    for x, y, size in found:
        down, aside = (times * size for times in _SAME_LABEL)
        if all(abs(y - v) > down or abs(x - u) > aside for u, v in kept):
            kept.append((x, y))
    return np.array(kept, np.float64).reshape(-1, 2)
