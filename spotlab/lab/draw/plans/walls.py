"""Walls with thickness, their doors and windows, and the room that is left for furniture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.plans.groups import Catalogue, FurnitureGroup, Piece
from spotlab.lab.draw.plans.layout import OUTSIDE, BuildingPlan, Link, NoPlan, RoomPlan
from spotlab.lab.draw.plans.strokes import Rect, arc, box, line, path, turned
from spotlab.libraries import shapely

WIDTHS = {
    "door": 82.0,
    "double": 150.0,
    "passage": 130.0,
    "entrance": 95.0,
    "sliding": 180.0,
    "gate": 250.0,
}


@dataclass(frozen=True)
class Side:
    """One side of a rectangle: u runs along it from `start`, v into the rectangle."""

    start: tuple[float, float]
    angle: float
    length: float

    def rect(self, u0: float, v0: float, u1: float, v1: float) -> Rect:
        """The upright rectangle that these coordinates are on the plan."""
        corners = self.points(path((u0, v0), (u1, v1)))
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        return Rect(float(x0), float(y0), float(x1), float(y1))

    def points(self, local: Points) -> Points:
        """Strokes along this side, on the plan."""
        return turned(local, self.angle, *self.start)

    def local(self, rect: Rect) -> Rect:
        """Tell where a rectangle of the plan lies as seen from this side."""
        corners = np.array([(rect.left, rect.top), (rect.right, rect.bottom)]) - self.start
        corners = turned(corners, -self.angle)
        (u0, v0), (u1, v1) = corners.min(axis=0), corners.max(axis=0)
        return Rect(float(u0), float(v0), float(u1), float(v1))


def sides(rect: Rect) -> tuple[Side, Side, Side, Side]:
    """Top, right, bottom and left side, each seen from inside with its back at the wall."""
    return (
        Side((rect.left, rect.top), 0, rect.width),
        Side((rect.right, rect.top), 90, rect.height),
        Side((rect.right, rect.bottom), 180, rect.width),
        Side((rect.left, rect.bottom), 270, rect.height),
    )


@dataclass(frozen=True)
class Opening:
    """A hole in a wall with its door or window, from u0 to u1 along a side of its room."""

    side: Side
    u0: float
    u1: float
    thickness: float
    style: str
    hinge_first: bool = True

    @property
    def hole(self) -> Rect:
        """Return what is cut out of the wall."""
        half = self.thickness / 2 + 1
        return self.side.rect(self.u0, -half, self.u1, half)

    @property
    def swing(self) -> Rect:
        """Return what its leaves sweep over; no other door may open there."""
        width = self.u1 - self.u0
        deep = {"door": width, "entrance": width, "double": width / 2}.get(self.style, 30.0)
        return self.side.rect(
            self.u0 - 6, -self.thickness / 2, self.u1 + 6, self.thickness / 2 + deep
        )

    @property
    def zone(self) -> Rect:
        """Tell where nothing may stand: the swing and the way through on both sides."""
        if self.style == "window":
            return self.side.rect(self.u0, 0, self.u1, 40)
        deep = self.side.local(self.swing).bottom
        return self.side.rect(self.u0 - 6, -75, self.u1 + 6, max(deep + 12, 70))


@dataclass(frozen=True)
class Shell:
    """Walls as one geometry, with the openings in them and the inside of every room, in cm."""

    walls: Any
    openings: tuple[Opening, ...]
    inside: tuple[Rect, ...]


def build_shell(plan: BuildingPlan, rng: np.random.Generator) -> Shell:
    """Build walls around the rooms of a plan.

    Raises
    ------
    NoPlan
        There is no place for one of the doors.
    """
    outer, inner = float(rng.uniform(24, 36)), float(rng.uniform(10, 16))
    built = [room.rect for room in plan.rooms if room.built]
    floor = shapely.union_all([shapely.box(*rect) for rect in built])
    ring = floor.boundary.buffer(outer / 2, cap_style="square", join_style="mitre")
    edges = shapely.union_all([shapely.box(*rect).boundary for rect in built])
    thin = edges.buffer(inner / 2, cap_style="square", join_style="mitre")
    openings = _Carpenter(plan, outer, inner, rng).openings()
    holes = shapely.union_all([shapely.box(*opening.hole) for opening in openings])
    walls = shapely.union_all([ring, thin]).difference(holes)
    inside = tuple(_inside(room.rect, i, plan, outer, inner) for i, room in enumerate(plan.rooms))
    return Shell(walls, tuple(openings), inside)


def _inside(rect: Rect, index: int, plan: BuildingPlan, outer: float, inner: float) -> Rect:
    """The room without half of each wall."""
    half = [(inner if _is_inner(plan, index, side) else outer) / 2 for side in sides(rect)]
    if not plan.rooms[index].built:
        half = [outer / 2] * 4
    return Rect(
        rect.left + half[3], rect.top + half[0], rect.right - half[1], rect.bottom - half[2]
    )


def _is_inner(plan: BuildingPlan, index: int, side: Side) -> bool:
    return sum(stop - start for start, stop in outer_spans(plan, index, side)) < 1


def touching_span(
    plan: BuildingPlan, index: int, side: Side, other: int
) -> tuple[float, float] | None:
    """The part of a side along which another room lies."""
    seen = side.local(plan.rooms[other].rect)
    start, stop = max(0.0, seen.left), min(side.length, seen.right)
    if other == index or abs(seen.bottom) > 0.5 or stop - start < 1:
        return None
    return start, stop


def outer_spans(plan: BuildingPlan, index: int, side: Side) -> list[tuple[float, float]]:
    """The parts of a side that have no built room behind them."""
    free = [(0.0, side.length)]
    for other, room in enumerate(plan.rooms):
        span = touching_span(plan, index, side, other) if room.built else None
        if span:
            free = [
                (a, b)
                for start, stop in free
                for a, b in ((start, min(stop, span[0])), (max(start, span[1]), stop))
                if b - a > 1
            ]
    return free


class _Carpenter:
    """Puts in doors, then windows where there is room for them."""

    def __init__(
        self, plan: BuildingPlan, outer: float, inner: float, rng: np.random.Generator
    ) -> None:
        self.plan, self.outer, self.inner, self.rng = plan, outer, inner, rng
        self.done: list[Opening] = []

    def openings(self) -> list[Opening]:
        # the way in comes first, as it has the least choice of places
        for link in sorted(self.plan.links, key=lambda link: link.other != OUTSIDE):
            self._door(link)
        for index, room in enumerate(self.plan.rooms):
            if room.built and room.kind not in ("corridor", "storage", "lift", "garage"):
                self._windows(index, room)
        return self.done

    def _spans(self, link: Link) -> list[tuple[Side, float, float]]:
        free = []
        for side in sides(self.plan.rooms[link.room].rect):
            if link.other == OUTSIDE:
                spans = outer_spans(self.plan, link.room, side)
            else:
                span = touching_span(self.plan, link.room, side, link.other)
                spans = [span] if span else []
            free += [(side, *span) for span in spans]
        wanted = self.rng.permutation(len(free))
        if self.plan.rooms[link.room].kind in ("corridor", "hall") and link.other == OUTSIDE:
            # the entrance of a corridor is at its end
            wanted = np.argsort([side.length for side, _, _ in free], kind="stable")
        return [free[i] for i in wanted]

    def _door(self, link: Link) -> None:
        between_inner = self.plan.rooms[link.room].kind == "corridor"
        margin = (self.inner if between_inner else self.outer) / 2 + 8
        thickness = self.outer if link.other == OUTSIDE or link.style == "sliding" else self.inner
        for side, low, high in self._spans(link):
            start, stop = low + margin, high - margin
            width = WIDTHS[link.style] * self.rng.uniform(0.94, 1.06)
            if link.style in ("passage", "sliding", "double", "gate"):
                width = min(width, stop - start)
            if width < 68 or stop - start < width:
                continue
            last = max(start, stop - width)
            centred = link.style in ("passage", "double", "gate", "sliding")
            places = [start, last, *self.rng.uniform(start, last, 8).tolist()]
            if centred or side.length < 170:
                places.insert(0, (start + last) / 2)
            elif self.rng.random() < 0.5:
                places[0], places[1] = places[1], places[0]
            for place in places:
                first = bool(place + width / 2 < side.length / 2)
                opening = Opening(side, place, place + width, thickness, link.style, first)
                if not any(opening.swing.overlaps(done.swing) for done in self.done):
                    self.done.append(opening)
                    return
        raise NoPlan(f"no place for a {link.style} of the {self.plan.rooms[link.room].kind}")

    def _windows(self, index: int, room: RoomPlan) -> None:
        for side in sides(room.rect):
            for start, stop in outer_spans(self.plan, index, side):
                length = stop - start
                wet = room.kind in ("bathroom", "laundry", "hall", "stairs")
                if length < 130 or (wet and self.rng.random() < 0.3):
                    continue
                most = 80.0 if wet else 210.0
                for middle in (0.3, 0.72) if length > 480 else (0.5,):
                    width = float(self.rng.uniform(0.6, 1) * min(most, length * 0.6))
                    u0 = start + length * middle - width / 2 + float(self.rng.uniform(-15, 15))
                    window = Opening(side, u0, u0 + width, self.outer, "window")
                    near = window.side.rect(u0 - 15, -self.outer, u0 + width + 15, self.outer)
                    if not any(near.overlaps(done.hole) for done in self.done):
                        self.done.append(window)


def strokes_of(opening: Opening, manner: int) -> list[Points]:
    """Tell how a door or window is drawn, in one of three manners."""
    half, width = opening.thickness / 2, opening.u1 - opening.u0
    draw = {
        "window": _window,
        "sliding": _sliding,
        "double": _double,
        "gate": _gate,
        "passage": _passage,
    }
    local = draw.get(opening.style, _leaf)(width, half, manner)
    if opening.hinge_first:
        local = [np.add(stroke, (opening.u0, 0)) for stroke in local]
    else:
        local = [np.add(stroke * (-1, 1), (opening.u1, 0)) for stroke in local]
    return [opening.side.points(stroke) for stroke in local]


def _leaf(width: float, half: float, manner: int) -> list[Points]:
    swing = arc(0, half, width, start=0, stop=90)
    if manner == 0:
        return [line(0, half, 0, half + width), swing]
    if manner == 1:
        return [box(0, half, 5, half + width), swing]
    return [box(0, half, 4, half + width), swing, line(0, -half, width, -half)]


def _double(width: float, half: float, manner: int) -> list[Points]:
    left = _leaf(width / 2, half, manner)
    return left + [np.add(stroke * (-1, 1), (width, 0)) for stroke in left]


def _sliding(width: float, half: float, _manner: int) -> list[Points]:
    return [
        line(0, -half, width, -half),
        line(0, half, width, half),
        box(0, -5, width * 0.54, 0),
        box(width * 0.46, 0, width, 5),
    ]


def _gate(width: float, half: float, _manner: int) -> list[Points]:
    dashes = np.arange(0, width - 12, 24)
    return [box(0, -half * 0.4, width, half * 0.4)] + [
        line(u, half + 14, u + 14, half + 14) for u in dashes
    ]


def _passage(width: float, half: float, manner: int) -> list[Points]:
    if manner == 0:
        return []
    dashes = np.arange(6, width - 12, 20)
    return [line(u, v, u + 11, v) for u in dashes for v in (-half, half)]


def _window(width: float, half: float, manner: int) -> list[Points]:
    faces = [line(0, -half, width, -half), line(0, half, width, half)]
    if manner == 0:
        return [*faces, line(0, 0, width, 0)]
    if manner == 1:
        return [*faces, box(0, -3.5, width, 3.5), line(width / 2, -3.5, width / 2, 3.5)]
    return [*faces, line(0, -4, width, -4), line(0, 4, width, 4)]


@dataclass(frozen=True)
class PlacedGroup:
    """A group on the plan: its symbols, and strokes that belong to none of them."""

    pieces: tuple[Piece, ...]
    lines: tuple[Points, ...] = ()


@dataclass
class Space:
    """The inside of one room while it is being furnished, in cm.

    Attributes
    ----------
    rect : Rect
        Between the faces of its walls.
    kept : list of Rect
        Doors' swings and ways through, where nothing may stand.
    windows : list of Rect
        Where nothing tall may stand.
    clear : float
        Distance that parts the ink of two pieces of furniture.
    bodies, fronts : list of Rect
        What furniture covers; what has to stay free before it.
    placed : list of PlacedGroup
        The furniture itself.
    """

    rect: Rect
    kept: list[Rect]
    windows: list[Rect]
    clear: float
    bodies: list[Rect] = field(default_factory=list)
    fronts: list[Rect] = field(default_factory=list)
    placed: list[PlacedGroup] = field(default_factory=list)

    @property
    def pieces(self) -> list[Piece]:
        """All that stands here."""
        return [piece for group in self.placed for piece in group.pieces]

    def free(self, body: Rect, front: Rect | None = None, tall: bool = False) -> bool:
        """Tell whether something may stand here; its front may meet other fronts."""
        if not self.rect.grown(0.5).holds(body):
            return False
        hindrances = [*self.kept, *self.fronts, *(self.windows if tall else ())]
        if any(body.overlaps(other) for other in hindrances):
            return False
        around = body.grown(self.clear)
        if any(around.overlaps(other) for other in self.bodies):
            return False
        if front is None:
            return True
        inside = self.rect.grown(1).holds(front)
        return inside and not any(front.overlaps(other) for other in self.bodies)

    def against_wall(
        self,
        group: FurnitureGroup,
        catalogue: Catalogue,
        where: str = "any",
        only: Sequence[int] = (),
    ) -> int | None:
        """Put the group at a wall: in a ``corner``, in its ``middle`` or ``any`` place of it.

        Returns
        -------
        int or None
            Which wall, 0 to 3 clockwise from the top; None if it does not fit anywhere.
        """
        rng = catalogue.rng
        walls = sides(self.rect)
        for number in only or rng.permutation(4).tolist():
            side = walls[number]
            gap = 0.0 if group.lines else catalogue.gap()  # those keep their own distance
            for u in self._places(group, side, where, catalogue):
                if self._put(group, side, u, gap):
                    return int(number)
        return None

    def _places(
        self, group: FurnitureGroup, side: Side, where: str, catalogue: Catalogue
    ) -> Iterable[float]:
        rng, half = catalogue.rng, group.width / 2
        first = half + catalogue.gap(4)
        last = side.length - half - catalogue.gap(4)
        if last < first:
            return ()
        if group.corner:
            return (first,) if group.corner == "left" else (last,)
        ends = [first, last] if rng.random() < 0.5 else [last, first]
        anywhere = rng.uniform(first, last, 8).tolist()
        if where == "corner":
            return [*ends, *anywhere[:3]]
        if where == "middle":
            return [
                (first + last) / 2,
                *np.clip((first + last) / 2 + rng.normal(0, 50, 6), first, last),
                *ends,
            ]
        return [*anywhere, *ends]

    def _put(self, group: FurnitureGroup, side: Side, u: float, gap: float) -> bool:
        half = group.width / 2
        body = side.rect(u - half, gap, u + half, gap + group.depth)
        front = side.rect(u - half, gap + group.depth, u + half, gap + group.depth + group.front)
        if not self.free(body, front if group.front else None, group.tall):
            return False
        ((x, y),) = side.points(np.array([(u, gap)])).tolist()
        lines = tuple(turned(stroke, side.angle, x, y) for stroke in group.lines)
        pieces = tuple(piece.placed(x, y, side.angle) for piece in group.pieces)
        self._keep(PlacedGroup(pieces, lines), body, front if group.front else None)
        return True

    def standing_free(
        self, group: FurnitureGroup, rng: np.random.Generator, spread: float = 0.25
    ) -> bool:
        """Put the group away from the walls, around the middle of the room."""
        middle_x, middle_y = (
            (self.rect.left + self.rect.right) / 2,
            (self.rect.top + self.rect.bottom) / 2,
        )
        upright = [0, 90] if self.rect.width >= self.rect.height else [90, 0]
        for attempt in range(60):
            angle = upright[attempt % 2]
            far = min(0.5, spread * (attempt // 2) / 12)
            x = middle_x + rng.uniform(-far, far) * self.rect.width
            y = middle_y + rng.uniform(-far, far) * self.rect.height
            w, h = (group.width, group.depth) if angle == 0 else (group.depth, group.width)
            body = Rect(x - w / 2, y - h / 2, x + w / 2, y + h / 2)
            if self.rect.grown(-15).holds(body) and self.free(body):
                ((dx, dy),) = turned([(0, -group.depth / 2)], angle).tolist()
                pieces = tuple(p.placed(x + dx, y + dy, angle) for p in group.pieces)
                self._keep(PlacedGroup(pieces), body, None)
                return True
        return False

    def _keep(self, placed: PlacedGroup, body: Rect, front: Rect | None) -> None:
        self.placed.append(placed)
        self.bodies.append(body)
        if front is not None:
            self.fronts.append(front)

    def quiet_place(self, width: float, height: float, rng: np.random.Generator) -> Rect | None:
        """Tell where a text of this size stands clear of everything, as near to the middle as
        it can.
        """
        if width > self.rect.width - 20 or height > self.rect.height - 20:
            return None
        x = rng.uniform(self.rect.left + 10, self.rect.right - width - 10, 80)
        y = rng.uniform(self.rect.top + 10, self.rect.bottom - height - 10, 80)
        middle = (
            np.array(
                [
                    self.rect.left + self.rect.right - width,
                    self.rect.top + self.rect.bottom - height,
                ]
            )
            / 2
        )
        order = np.argsort(np.hypot(x - middle[0], y - middle[1]), kind="stable")
        for i in order.tolist():
            place = Rect(float(x[i]), float(y[i]), float(x[i]) + width, float(y[i]) + height)
            if not any(place.grown(12).overlaps(other) for other in [*self.bodies, *self.kept]):
                return place
        return None
