"""The rooms of a page: free space between walls and closed openings, found by a place inside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.geometry import polygon
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import boundary_rings, label_parts, runs_from_mask
from spotlab.imaging.page_ink import Components, label_components
from spotlab.imaging.rooms.openings import GAP, close_openings
from spotlab.imaging.rooms.plan_features import WIDEST, Closing, PlanFeatures, extract_plan
from spotlab.imaging.rooms.walls import WallKind, find_walls
from spotlab.progress import Progress, silent

MOST_PIXELS = 16_000_000  # that rooms are looked for in; larger pages are reduced


@dataclass(frozen=True)
class RoomSettings:
    """Settings for finding rooms.

    Attributes
    ----------
    gap : float or None
        Openings at the ends of walls are closed up to this width in px of the page; None for a
        width that fits the page's walls.
    wide : bool
        Whether wider openings are closed where a window or a door is drawn or the space narrows.
    margin : int
        Distance of a room's outline from the walls in px of the page. Below 0 it runs inside them,
        as far as their middle at most.
    kind : WallKind
        How walls are drawn.
    """

    gap: float | None = None
    wide: bool = True
    margin: int = 0
    kind: WallKind = WallKind.AUTOMATIC


@dataclass(frozen=True, eq=False)
class Plan:
    """Features of a page before any gap is chosen.

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

    @property
    def thickness(self) -> float:
        """Of the thickest common walls, in px of the page."""
        return self.features.walls.thickness * self.factor


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


TOLERANCE = 1.5  # px between the exact outline of a room and its polygon
_LEAST_AREA = 7.0  # times the square of the thickness of walls: a smaller space is no room
_PORCH = 0.85  # times the side of a square as large: so wide a room is not open to the outside
_OPENING = 1.25  # times the thickness: an opening in a wall is no wider across the wall


@dataclass(frozen=True, eq=False)
class RoomMap:
    """The spaces of a page for one gap.

    Attributes
    ----------
    plan : Plan
    closings : tuple of Closing
        The openings that are closed, in px of the reduced page.
    settings : RoomSettings
    """

    plan: Plan
    closings: tuple[Closing, ...]
    settings: RoomSettings

    @cached_property
    def _spaces(self) -> Components:
        """The free spaces between walls and lines; what is numbered from 1 here is from 0 there."""
        free = (~self.plan.features.walls.mask).astype(np.uint8)
        for each in self.closings:
            first, last = (np.rint(end).astype(int).tolist() for end in (each.start, each.end))
            cv2.line(free, first, last, 0, 1)
        return label_components(free > 0, diagonal=False)

    @cached_property
    def _outside(self) -> frozenset[int]:
        spaces = self._spaces
        left, top, right, bottom = spaces.bounds.T
        at_edge = (left == 0) | (top == 0) | (right == spaces.width) | (bottom == spaces.height)
        return frozenset((np.flatnonzero(at_edge) + 1).tolist())

    @cached_property
    def _openings(self) -> frozenset[int]:
        """Spaces inside a wall, between the two faces of an opening."""
        sizes = self._spaces.sizes
        beside: dict[int, float] = {}
        for each in self.closings:
            for side in (-3.0, 3.0):
                label = self._label_near((each.start + each.end) / 2 + side * each.normal)
                beside[label] = beside.get(label, 0.0) + each.length
        thickness = self.plan.features.walls.thickness
        found = set()
        for label, length in beside.items():
            area = float(sizes[label - 1]) if label else 0.0
            if label and area <= length / 2 * _OPENING * thickness and length > 1.6 * thickness:
                found.add(label)
        return frozenset(found - self._outside)

    @cached_property
    def _porches(self) -> frozenset[int]:
        """Spaces open to the outside along a good part of their outline."""
        features = self.plan.features
        numbers = {id(each): number for number, each in enumerate(features.closings)}
        beside: dict[int, list[tuple[int, float]]] = {}
        for each in self.closings:
            middle, number = (each.start + each.end) / 2, numbers[id(each)]
            one, other = (self._label_near(middle + side * each.normal) for side in (-3.0, 3.0))
            length = 0.0 if features.is_drawn(number) else each.length
            beside.setdefault(one, []).append((other, length))
            beside.setdefault(other, []).append((one, length))
        found = set()
        for label in set(beside) - self._outside - self._openings:
            open_to = 0.0
            for other, length in beside[label]:
                # through the two faces of an opening, or the single one
                faces = beside[other] if other in self._openings else [(other, length)]
                open_to += max((min(length, own) for there, own in faces
                                if there in self._outside), default=0.0)  # fmt: skip
            size = float(np.sqrt(self._spaces.sizes[label - 1])) if label else 0.0
            if open_to > _PORCH * size:
                found.add(label)
        return frozenset(found)

    def label_at(self, x: float, y: float) -> int:
        """Return the number of the space at a place of the page.

        Parameters
        ----------
        x, y : float
            In px of the page.

        Returns
        -------
        int
            0 on walls, in openings and beyond the page.

        Examples
        --------
        >>> from spotlab.imaging.rooms.room_map import survey_plan
        >>> rooms = map_rooms(survey_plan(np.zeros((40, 40), np.bool_)))
        >>> rooms.label_at(20, 20), rooms.label_at(-1, 99), rooms.is_outside(1)
        (1, 0, True)
        """
        place = np.array([x, y]) / self.plan.factor
        label = self._label_near(np.floor(place))
        return 0 if label in self._openings else label

    def is_outside(self, label: int) -> bool:
        """Tell whether a space is open to the page's edge.

        Parameters
        ----------
        label : int
            From `label_at`.

        Returns
        -------
        bool
            True for the paper around the plan and everything that opens to it.
        """
        return label in self._outside

    @cached_property
    def rooms(self) -> tuple[int, ...]:
        """The numbers of all enclosed spaces that are large enough for a room, largest first.

        Porches are left out: spaces that a good part of their outline opens to the outside, with no
        door and no window.
        """
        sizes = self._spaces.sizes
        least = _LEAST_AREA * self.plan.features.walls.thickness**2
        large = (np.flatnonzero(sizes >= least) + 1).tolist()
        no_rooms = self._outside | self._openings | self._porches
        labels = [label for label in large if label not in no_rooms]
        return tuple(sorted(labels, key=lambda label: -int(sizes[label - 1])))

    @property
    def least_area(self) -> float:
        """The area of the smallest room in px² of the page."""
        return _LEAST_AREA * self.plan.thickness**2

    def outline(self, labels: Sequence[int], margin: int | None = None) -> Points:
        """Outline one space, or several that lie side by side.

        Furniture, columns and lettering inside belong to the space. Openings between the spaces
        belong to it as well.

        Parameters
        ----------
        labels : sequence of int
            From `label_at`, one at least.
        margin : int, optional
            Distance from the walls in px of the page, below 0 into them up to their middle; that of
            the settings by default.

        Returns
        -------
        (N, 2) float
            An open ring in px of the page; of the largest part where spaces do not touch, and
            empty where the margin leaves nothing.

        Raises
        ------
        ValueError
            No space is given.

        Examples
        --------
        >>> from spotlab.imaging.rooms.room_map import survey_plan
        >>> ink = np.zeros((300, 300), np.bool_)
        >>> ink[50:250, 50:250] = True
        >>> ink[60:240, 60:240] = False
        >>> ink[20, 10:290] = True
        >>> rooms = map_rooms(survey_plan(ink))
        >>> rooms.outline([rooms.label_at(100, 100)], margin=5).tolist()
        [[65.0, 65.0], [235.0, 65.0], [235.0, 235.0], [65.0, 235.0]]
        >>> rooms.outline([rooms.label_at(100, 100)], margin=-3).tolist()
        [[57.0, 57.0], [243.0, 57.0], [243.0, 243.0], [57.0, 243.0]]
        """
        if not labels:
            raise ValueError("an outline needs one space at least")
        distance = self.settings.margin if margin is None else margin
        away = round(distance / self.plan.factor)
        mask, corner = self._mask(labels, frame=1 + max(0, -away))
        if away < 0:
            mask = self._grown(mask, corner, -away)
        elif away:
            square = np.ones((2 * away + 1, 2 * away + 1), np.uint8)
            mask = cv2.erode(mask, square).astype(np.uint8)
        return _thinned_outline(mask > 0, corner, self.plan.factor)

    def spaces_in(self, outline: Points) -> tuple[int, ...]:
        """Return the spaces that lie inside an outline by half or more.

        Parameters
        ----------
        outline : (N, 2) float
            A ring in px of the page.

        Returns
        -------
        tuple of int
            Numbers as of `label_at`, without openings and the outside.
        """
        spaces = self._spaces
        ring = np.rint(outline / self.plan.factor).astype(np.int32)
        left, top, width, height = cv2.boundingRect(ring)
        right, bottom = min(left + width, spaces.width), min(top + height, spaces.height)
        left, top = max(left, 0), max(top, 0)
        if left >= right or top >= bottom:
            return ()
        window = spaces.paint(left, top, right, bottom)
        inside = np.zeros(window.shape, np.uint8)
        cv2.fillPoly(inside, [ring - (left, top)], 1)
        counts = np.bincount(window[inside > 0], minlength=spaces.count + 1)[1:]
        half = np.flatnonzero(2 * counts >= spaces.sizes) + 1
        return tuple(set(half.tolist()) - self._outside - self._openings)

    def closed_share(self, label: int) -> float:
        """Compute how much of a space's outline is closed openings rather than walls.

        Parameters
        ----------
        label : int
            From `label_at`.

        Returns
        -------
        float
            In [0, 1].
        """
        outline = self.outline([label]) / self.plan.factor
        edges = np.roll(outline, -1, axis=0) - outline
        around = float(np.hypot(edges[:, 0], edges[:, 1]).sum())
        closed = 0.0
        for each in self.closings:
            middle = (each.start + each.end) / 2
            if label in {self._label_near(middle + side * each.normal) for side in (-3.0, 3.0)}:
                closed += each.length
        return min(1.0, closed / around) if around else 1.0

    def lines(self) -> NDArray[np.float64]:
        """Return the openings that are closed.

        Returns
        -------
        (N, 2, 2) float
            Start and end of each line in px of the page.
        """
        ends = [(each.start, each.end) for each in self.closings]
        return (np.array(ends, np.float64).reshape(-1, 2, 2) + 0.5) * self.plan.factor

    def are_joined(self, labels: Sequence[int]) -> bool:
        """Tell whether spaces make one piece, with the openings between them.

        Parameters
        ----------
        labels : sequence of int
            From `label_at`.

        Returns
        -------
        bool
            False where a wall separates any of them from the rest.
        """
        mask, _ = self._mask(labels)
        return len(label_parts(mask)[1]) == 2

    def _grown(
        self, mask: NDArray[np.uint8], corner: tuple[int, int], by: int
    ) -> NDArray[np.uint8]:
        """A mask of spaces and as many px of the walls around, as far as the walls' middle."""
        left, top = corner
        height, width = mask.shape
        low_x, low_y = max(left, 0), max(top, 0)
        high_x, high_y = (
            min(left + width, self._spaces.width),
            min(top + height, self._spaces.height),
        )
        window = self._spaces.paint(low_x, low_y, high_x, high_y)
        other = np.zeros_like(mask)
        inside = slice(low_y - top, high_y - top), slice(low_x - left, high_x - left)
        other[inside] = (window > 0) & ~np.isin(window, list(self._openings))
        other[mask > 0] = 0
        apart = [cv2.distanceTransform(1 - each, cv2.DIST_L2, 5) for each in (mask, other)]
        square = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
        grown: NDArray[np.uint8] = cv2.dilate(mask, square).astype(np.uint8)
        if other.any():
            grown[apart[0] > apart[1]] = 0
        return grown

    def _mask(
        self, labels: Sequence[int], frame: int = 1
    ) -> tuple[NDArray[np.uint8], tuple[int, int]]:
        """Tell where the spaces are, with a frame of so many px, and its upper left corner."""
        spaces = self._spaces
        wanted = set(labels)
        between = self._between(wanted) if len(wanted) > 1 else set()
        chosen = sorted(wanted | between)
        box = spaces.bounds[np.array(chosen) - 1]
        left, top = box[:, :2].min(axis=0).tolist()
        right, bottom = box[:, 2:].max(axis=0).tolist()
        window = spaces.paint(left, top, right, bottom)
        mask = np.isin(window, chosen).astype(np.uint8)
        if len(chosen) > 1:
            # lines between the spaces are one px wide
            closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
            mask |= closed & (window == 0) & ~self.plan.features.walls.mask[top:bottom, left:right]
        return np.pad(mask, frame), (left - frame, top - frame)

    def _between(self, labels: set[int]) -> set[int]:
        """The openings that lie next to two of the spaces."""
        next_to: dict[int, set[int]] = {}
        for each in self.closings:
            middle = (each.start + each.end) / 2
            sides = {self._label_near(middle + side * each.normal) for side in (-3.0, 3.0)}
            for label in sides & self._openings:
                next_to.setdefault(label, set()).update(sides & labels)
        return {label for label, spaces in next_to.items() if len(spaces) > 1}

    def _label_near(self, place: NDArray[np.float64]) -> int:
        x, y = np.rint(place).astype(int).tolist()
        return self._spaces.at(x, y) + 1


def map_rooms(
    plan: Plan, settings: RoomSettings | None = None, progress: Progress = silent
) -> RoomMap:
    """Divide the free space of a page into rooms.

    Parameters
    ----------
    plan : Plan
        From `survey_plan`.
    settings : RoomSettings, optional
        The gap, the margin, and whether wide openings are closed.
    progress : Progress
        Called now and then; it may raise to cancel.

    Returns
    -------
    RoomMap
        A place in it is looked up in milliseconds.

    Examples
    --------
    >>> from spotlab.imaging.rooms.room_map import survey_plan
    >>> map_rooms(survey_plan(np.zeros((40, 40), np.bool_))).rooms  # no walls, no room
    ()
    """
    settings = settings or RoomSettings(kind=plan.kind)
    gap = None if settings.gap is None else settings.gap / plan.factor
    closings = close_openings(plan.features, gap, settings.wide, progress)
    rooms = RoomMap(plan, closings, settings)
    _ = rooms.rooms  # so that the first click need not wait
    return rooms


def _thinned_outline(mask: NDArray[np.bool_], corner: tuple[int, int], factor: int) -> Points:
    """The outer boundary of the largest part, along pixel edges, with few points."""
    labels, stats = label_parts(mask)
    if len(stats) < 2:
        return np.empty((0, 2))
    part = np.equal(labels, 1 + int(stats[1:, 4].argmax()))
    rings = boundary_rings(runs_from_mask(part))
    outer = max(rings, key=lambda ring: float(np.ptp(ring, axis=0).prod()))
    thinned = cv2.approxPolyDP(outer.astype(np.float32)[:, None], TOLERANCE, True)[:, 0]
    points: Points = (thinned.astype(np.float64) + corner) * factor
    return points


_ALIKE = 0.6  # of a space's area that an outline of it has at least, and at most the inverse
_FITS = 0.85  # IoU of a room that tells the margin, at least


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
        In px of the page, below 0 where outlines run inside walls: of the largest mean IoU with
        what is drawn. None where no outline is a room of the map.

    Examples
    --------
    >>> from spotlab.imaging.rooms.room_map import survey_plan
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
        if not whole or not _ALIKE <= area / whole <= 1 / _ALIKE:
            continue
        edges = np.roll(space, -1, axis=0) - space
        distances.append((whole - area) / float(np.hypot(edges[:, 0], edges[:, 1]).sum()))
        rooms.append((spaces[0], drawn))
    if not rooms:
        return None
    about = round(2 * float(np.median(distances)))
    margins = range(min(0, about) - 1, max(0, about) + 2)
    fits = np.zeros((len(margins), len(rooms)))
    for number, margin in enumerate(margins):
        progress(number, len(margins), "fitting the margin")
        fits[number] = [_iou(room_map.outline([space], margin), drawn) for space, drawn in rooms]
    fitting = fits[:, fits.max(axis=0) >= _FITS]  # others are divided or joined in another way
    return margins[int(fitting.sum(axis=1).argmax())] if fitting.size else None


def _iou(one: Points, other: Points) -> float:
    if len(one) < 3:
        return 0.0
    first, second = polygon.even_odd_geometry(one), polygon.even_odd_geometry(other)
    return float(first.intersection(second).area / first.union(second).area)
