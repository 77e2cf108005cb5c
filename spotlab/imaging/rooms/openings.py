"""Closes openings: gaps in walls, doors, ends of walls, and narrowings of free space."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.imaging.rooms.narrowings import LEAST_AREA, Narrowings
from spotlab.imaging.rooms.plan_features import DOOR, WIDEST, Closing, PlanFeatures
from spotlab.progress import Progress, silent

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

_ENDS = ("start", "end")


class ClosingChoice:
    """The closings taken so far, and which corners they have not resolved yet.

    A closing is named by its position among those of the plan.

    Parameters
    ----------
    plan : PlanFeatures
    gap : float
        Openings at the ends of walls are closed up to this width in px.

    Attributes
    ----------
    taken : list of Closing
        In the order in which they were taken.
    sure : set of int
        Ids of closings that something drawn speaks for.
    """

    def __init__(self, plan: PlanFeatures, gap: float) -> None:
        self.plan, self.gap = plan, gap
        self.taken: list[Closing] = []
        self.numbers: list[int] = []
        self.sure: set[int] = set()
        self._thickness = plan.walls.thickness
        self._corners = plan.outlines.protruding
        self._places = plan.outlines.points[self._corners]
        self._ways: dict[int, list[float]] = {}  # angles of closings at a corner
        self._crossed = np.zeros(len(plan.closings), np.bool_)

    def length(self, number: int) -> float:
        """Return the length of a closing.

        Parameters
        ----------
        number : int
            The closing.

        Returns
        -------
        float
            In px.
        """
        return self.plan.closings[number].length

    def add(self, number: int) -> None:
        """Close there; corners next to its ends are resolved as well.

        Parameters
        ----------
        number : int
            The closing.
        """
        closing = self.plan.closings[number]
        self.taken.append(closing)
        self.numbers.append(number)
        self._crossed |= self.plan.crossed_by(number)
        for end, ahead in ((closing.start, closing.direction), (closing.end, -closing.direction)):
            apart = np.hypot(*(self._places - end).T)
            for corner in self._corners[apart <= _NEAR * self._thickness].tolist():
                angle = self.plan.angle_at(corner, ahead)
                self._ways.setdefault(corner, []).append(angle)

    def add_all(self, numbers: Sequence[int], cost: Callable[[int], float]) -> None:
        """Add those that help, cheapest first.

        Parameters
        ----------
        numbers : sequence of int
            Closings.
        cost : callable
            Takes one and returns what it costs, such as its length in px.

        Examples
        --------
        >>> from spotlab.imaging.rooms.plan_features import extract_plan
        >>> from spotlab.imaging.rooms.walls import WallKind, Walls
        >>> ink = np.zeros((60, 200), np.bool_)
        >>> ink[20:30, 10:80] = ink[20:30, 120:190] = True
        >>> chosen = ClosingChoice(extract_plan(ink, Walls(ink, 10.0, WallKind.FILLED)), 50.0)
        >>> chosen.add_all(chosen.gaps_in_walls(wide=True), chosen.length)
        >>> [round(each.length) for each in chosen.taken]
        [41, 41]
        """
        for number in sorted(numbers, key=cost):
            if self.may_add(number):
                self.add(number)

    def without(self, gone: Set[int]) -> ClosingChoice:
        """Leave closings out.

        Parameters
        ----------
        gone : set of int
            Their ids.
        """
        left = ClosingChoice(self.plan, self.gap)
        left.sure = self.sure
        for number in self.numbers:
            if id(self.plan.closings[number]) not in gone:
                left.add(number)
        return left

    def may_add(self, number: int) -> bool:
        """Tell whether a closing divides an angle that is still reflex, and crosses nothing.

        Parameters
        ----------
        number : int
            The closing.

        Returns
        -------
        bool
        """
        if self._crossed[number]:
            return False
        closing = self.plan.closings[number]
        here, there = self.plan.angles[number].tolist()
        if self._divides(closing.corner, here):
            return True
        return closing.other >= 0 and self._divides(closing.other, there)

    def may_divide(self, number: int) -> bool:
        """Tell whether a closing may divide a space: not from a small step in a wall's face.

        Parameters
        ----------
        number : int
            The closing.

        Returns
        -------
        bool
        """
        return not self._is_step(self.plan.closings[number].corner) and self.may_add(number)

    def gaps_in_walls(self, wide: bool) -> list[int]:
        """Find closings that continue a wall at both ends, and are one of two faces or a window.

        Parameters
        ----------
        wide : bool
            Whether those wider than the gap count.

        Returns
        -------
        list of int
        """
        closings = self.plan.closings
        both = [n for n, each in enumerate(closings) if each.own_edge and each.other_edge]
        limit = WIDEST * self._thickness if wide else self.gap
        both = [number for number in both if closings[number].length <= limit]
        ends = np.array([[*closings[n].start, *closings[n].end] for n in both]).reshape(-1, 4)
        edges = np.array([min(closings[n].own_edge, closings[n].other_edge) for n in both])
        least, answers = _NEAR * self._thickness, self.plan.answers
        found = []
        for place, number in enumerate(both):
            closing, edge = closings[number], edges[place]
            # a gap is always closed, a wider opening only if its other face or a window is there
            key = ("face", number, closing.length <= self.gap, limit)
            if key not in answers:
                answers[key] = self._has_other_face(closing, edge, ends, edges)
            sure = answers[key] or (edge >= 2 * least and self.plan.window(number))
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
        doors = [number for number in right if self.plan.door(number) >= DOOR]
        self.sure.update(id(closings[number]) for number in doors)

        def order(number: int) -> tuple[int, int, float]:
            closing = closings[number]
            along = (closing.own_edge > 0.5 * self._thickness) + (closing.other_edge > 0)
            return -int(along), -round(10 * self.plan.door(number)), closing.length

        for number in sorted(doors, key=order):
            if self._crossed[number]:
                continue
            if self.may_add(number) or self._is_new(closings[number]):
                self.add(number)

    def wall_ends(self) -> list[int]:
        """Find closings up to the gap that continue the end of a wall.

        Returns
        -------
        list of int
        """
        return [
            number
            for number, each in enumerate(self.plan.closings)
            if each.length <= self.gap
            and each.own_edge >= 0.8 * self._thickness
            and self._is_end(number)
        ]

    def end_cost(self, number: int) -> float:
        """Rate a closing at the end of a wall.

        Parameters
        ----------
        number : int
            The closing.

        Returns
        -------
        float
            Its length in px; less where it meets an edge that it continues, too.
        """
        closing = self.plan.closings[number]
        return closing.length * (0.6 if closing.other_edge else 1.0)

    def _is_end(self, number: int) -> bool:
        """Tell whether a wall ends at the corner of a closing, across its direction."""
        key = ("end", number)
        if key not in self.plan.answers:
            closing = self.plan.closings[number]
            self.plan.answers[key] = self._ends_at(closing.corner, closing.direction)
        return self.plan.answers[key]

    def _ends_at(self, corner: int, ahead: NDArray[np.float64]) -> bool:
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
        """Tell whether a short edge leads from a corner to one that turns the other way."""
        key = ("step", corner)
        if key not in self.plan.answers:
            self.plan.answers[key] = self._steps_at(corner)
        return self.plan.answers[key]

    def _steps_at(self, corner: int) -> bool:
        outlines = self.plan.outlines
        return any(
            size <= _STEP * self._thickness and outlines.turns[other] > _BACK
            for other, size in (
                (outlines.following[corner], outlines.length_out[corner]),
                (outlines.preceding[corner], outlines.length_in[corner]),
            )
        )

    def _divides(self, corner: int, here: float) -> bool:
        """Tell whether a direction lies in an angle at a corner that is still reflex."""
        last = self.plan.openings[corner]
        borders = sorted([0.0, last, *self._ways.get(corner, ())])
        for low, high in pairwise(borders):
            if low < here < high:
                return bool(high - low > _REFLEX)
        return False

    def _is_new(self, closing: Closing) -> bool:
        """Tell whether no parallel one closes the same opening."""
        if not self.taken:
            return True
        starts, ends = (np.array([getattr(each, end) for each in self.taken]) for end in _ENDS)
        apart = np.hypot(*((closing.start + closing.end - starts - ends) / 2).T)
        near = np.flatnonzero(apart < 0.4 * self._thickness)
        return not any(abs(float(closing.normal @ self.taken[n].direction)) < 0.3 for n in near)


_OPEN = 0.6  # share of a space's outline from which it is a part of a passage,
_ALL_OPEN = 0.9  # and which ends at no closing that continues a wall at both ends


def open_passages(
    spaces: Narrowings, closings: Sequence[Closing], weak: Sequence[Closing]
) -> tuple[Closing, ...]:
    """Leave out closings that cut a passage into pieces.

    A piece of a corridor between doors has hardly any wall of its own. It is joined with the space
    on the other side of a weak closing, the most open piece first. A closing that continues a wall
    at both ends is left out only where all around the piece is open.

    Parameters
    ----------
    spaces : Narrowings
        The free space, with everything closed.
    closings : sequence of Closing
        What is closed.
    weak : sequence of Closing
        Those of them that may be left out.

    Returns
    -------
    tuple of Closing
        Those that remain, in the same order.

    Examples
    --------
    >>> import numpy as np
    >>> nothing = Narrowings(np.zeros((40, 40), np.bool_), 5.0, ())
    >>> open_passages(nothing, (), ())
    ()
    """
    sides = {id(each): spaces.sides(each) for each in closings}
    labels = {label for pair in sides.values() for label in pair} - {0}
    around = {label: spaces.perimeter(label) for label in labels}
    closed = dict.fromkeys(around, 0.0)
    for each in closings:
        for label in set(sides[id(each)]) - {0}:
            closed[label] += each.length
    joined: dict[int, int] = {label: label for label in around}
    gone: set[int] = set()
    while True:
        best, most = None, 0.0
        for each in weak:
            one, other = (joined.get(label, 0) for label in sides[id(each)])
            if id(each) in gone or one == other or 0 in (one, other):
                continue
            if not (spaces.is_enclosed(one) and spaces.is_enclosed(other)):
                continue
            share = max(closed[one] / around[one], closed[other] / around[other])
            least = _ALL_OPEN if each.own_edge and each.other_edge else _OPEN
            if share > max(least, most):
                best, most = each, share
        if best is None:
            return tuple(each for each in closings if id(each) not in gone)
        gone.add(id(best))
        one, other = (joined[label] for label in sides[id(best)])
        around[one] += around[other] - 2 * best.length
        closed[one] += closed[other] - 2 * best.length
        joined = {label: one if to == other else to for label, to in joined.items()}


_LETTERS = 4  # that a room's name has at least
_NAMED = 0.6  # share of the larger spaces that are named, where that tells rooms from pieces
_SLIT = 2.0  # times the square of the thickness: a smaller space is an opening in a wall


def names_most(spaces: Narrowings, places: Floats, least: int, thickness: float) -> bool:
    """Tell whether most of the larger spaces have some places in them.

    Parameters
    ----------
    spaces : Narrowings
        The free space.
    places : (N, 2) float
        In px.
    least : int
        Places that a space has at least.
    thickness : float
        Of walls in px.

    Returns
    -------
    bool

    Examples
    --------
    >>> import numpy as np
    >>> nothing = Narrowings(np.zeros((40, 40), np.bool_), 5.0, ())
    >>> names_most(nothing, np.array([[5.0, 5.0]]), 1, 5.0)  # no space is enclosed
    False
    """
    counts = spaces.count_at(places).tolist()
    large = [
        label
        for label in range(1, len(counts))
        if spaces.is_enclosed(label) and spaces.area(label) >= LEAST_AREA * thickness**2
    ]
    return bool(large) and sum(counts[n] >= least for n in large) >= _NAMED * len(large)


@dataclass
class _NamedPiece:
    """A space, or several that are joined.

    Attributes
    ----------
    area : float
        In px².
    is_named : bool
        Whether it has what names a room of this plan,
    is_lettered : bool
        and whether it has any lettering.
    """

    area: float
    is_named: bool
    is_lettered: bool


def join_unnamed(
    spaces: Narrowings, chosen: ClosingChoice, asked_for: int, named: Sequence[bool]
) -> set[int]:
    """Leave out closings that cut pieces without a name off rooms that have one.

    A piece is joined with the smallest neighbour, where no door and no window is drawn between
    them. One that has lettering and is as large as rooms usually are is a room even so.

    Parameters
    ----------
    spaces : Narrowings
        The free space, with everything closed.
    chosen : ClosingChoice
        What is closed. An opening of two faces is left out as a whole.
    asked_for : int
        As many of the first ones stay in any case.
    named : sequence of bool
        Whether each space has a name, by number.

    Returns
    -------
    set of int
        Ids of the closings that are left out.
    """
    plan = chosen.plan
    letters = spaces.count_at(plan.letters).tolist()
    pieces = {
        label: _NamedPiece(spaces.area(label), named[label], letters[label] >= _LETTERS)
        for label in range(1, len(named))
        if spaces.is_enclosed(label)
    }
    usual = float(np.median([each.area for each in pieces.values() if each.is_named] or [np.inf]))
    numbers = chosen.numbers[asked_for:]
    may = {id(plan.closings[number]) for number in numbers if not plan.is_drawn(number)}
    sides = {id(each): spaces.sides(each) for each in chosen.taken}
    least = _SLIT * plan.walls.thickness**2
    links: list[tuple[int, int, set[int]]] = []
    slits: dict[int, list[Closing]] = {}
    for each in chosen.taken:
        one, other = sides[id(each)]
        if one != other and one in pieces and other in pieces:
            narrow = [n for n in (one, other) if pieces[n].area < least and not named[n]]
            for slit in narrow:
                slits.setdefault(slit, []).append(each)
            if not narrow and id(each) in may:
                links.append((one, other, {id(each)}))
    for slit, faces in slits.items():
        beside = {label for each in faces for label in sides[id(each)]} - {slit}
        if len(faces) == len(beside) == 2 and may.issuperset(map(id, faces)):
            one, other = beside
            links.append((one, other, set(map(id, faces))))

    def is_room(piece: _NamedPiece) -> bool:
        return piece.is_named or (piece.is_lettered and piece.area >= usual)

    gone: set[int] = set()
    links.sort(
        key=lambda link: (bool(link[2] & chosen.sure), max(pieces[n].area for n in link[:2]))
    )
    for one, other, ids in links:
        pair = (pieces[one], pieces[other])
        small, large = sorted(pair, key=lambda each: (is_room(each), each.area))
        if small is large or is_room(small) or (ids & chosen.sure and small.area > large.area):
            continue
        joined = _NamedPiece(
            small.area + large.area,
            small.is_named or large.is_named,
            small.is_lettered or large.is_lettered,
        )
        pieces = {n: joined if each in (small, large) else each for n, each in pieces.items()}
        gone |= ids
    return gone


GAP = 2.75  # times the thickness of walls: what is closed by default at the end of any wall


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
    >>> import numpy as np
    >>> from spotlab.imaging.rooms.plan_features import extract_plan
    >>> from spotlab.imaging.rooms.walls import WallKind, Walls
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> ink[20:30, 10:80] = ink[20:30, 120:190] = True
    >>> plan = extract_plan(ink, Walls(ink, 10.0, WallKind.FILLED))
    >>> [round(each.length) for each in close_openings(plan)]
    [41, 41]
    """
    chosen = ClosingChoice(plan, GAP * plan.walls.thickness if gap is None else gap)
    progress(0, None, "closing openings")
    chosen.add_all(chosen.gaps_in_walls(wide), chosen.length)
    if wide:
        chosen.add_doors()
    progress(0, None, "closing openings")
    chosen.add_all(chosen.wall_ends(), chosen.end_cost)
    if not wide:
        return tuple(chosen.taken)
    asked_for = len(chosen.taken) if gap is not None else 0
    thickness = plan.walls.thickness
    narrow = Narrowings(plan.walls.mask, thickness, chosen.taken, plan.measured)
    by_area = names_most(narrow, plan.areas, 1, thickness)
    while by_area:
        best = narrow.between(plan.areas, plan.closings, chosen.may_divide, progress)
        if best is None:
            break
        chosen.add(best)
        narrow.divide(plan.closings[best])
    while True:
        best = narrow.best(plan.closings, chosen.may_divide, progress)
        if best is None:
            break
        chosen.add(best)
        narrow.divide(plan.closings[best])
    if not by_area:
        weak = [each for each in chosen.taken[asked_for:] if id(each) not in chosen.sure]
        kept = {id(each) for each in open_passages(narrow, chosen.taken, weak)}
        chosen = chosen.without({id(each) for each in weak} - kept)
        narrow = Narrowings(plan.walls.mask, thickness, chosen.taken, plan.measured)
    if by_area or names_most(narrow, plan.letters, _LETTERS, thickness):
        places, least = (plan.areas, 1) if by_area else (plan.letters, _LETTERS)
        named = (narrow.count_at(places) >= least).tolist()
        chosen = chosen.without(join_unnamed(narrow, chosen, asked_for, named))
    return tuple(chosen.taken)
