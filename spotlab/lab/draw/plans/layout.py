"""Divides a building into rooms: a corridor, rooms along it, and living rooms at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.lab.draw.plans.strokes import Rect

# least and greatest width in cm of a room that lies along a corridor
WIDTHS: dict[str, tuple[float, float]] = {
    "bedroom": (300, 400),
    "master bedroom": (370, 480),
    "child": (280, 370),
    "office": (270, 380),
    "open office": (480, 720),
    "meeting": (400, 560),
    "dining": (320, 430),
    "bath": (190, 270),
    "laundry": (180, 240),
    "storage": (140, 200),
    "stairs": (235, 270),
    "lift": (190, 230),
    "hall": (170, 230),
    "terrace": (260, 420),
    "kitchen": (250, 360),
}
OUTSIDE = -1


class NoPlan(Exception):
    """These rooms do not fit together; other random numbers will give a plan."""


@dataclass(frozen=True)
class RoomPlan:
    """A room between the centre lines of its walls, in cm."""

    kind: str
    rect: Rect

    @property
    def built(self) -> bool:
        """Tell whether walls and a roof are around it."""
        return self.kind != "terrace"


@dataclass(frozen=True)
class Link:
    """A way from a room, into which its door opens, to another one or outside."""

    room: int
    other: int
    style: str  # door, double, passage, entrance, sliding


@dataclass(frozen=True)
class BuildingPlan:
    """Rooms and the ways between them."""

    rooms: tuple[RoomPlan, ...]
    links: tuple[Link, ...]


def plan_rooms(rng: np.random.Generator, portrait: bool = False) -> BuildingPlan:
    """A house, a flat or a floor of offices.

    Raises
    ------
    NoPlan
        Rooms of these sizes do not fill the building.
    """
    kind = rng.choice(["house", "flat", "offices"], p=[0.5, 0.28, 0.22])
    builders: dict[str, Callable[[np.random.Generator], _PlanBuilder]] = {
        "house": _house,
        "flat": _flat,
        "offices": _offices,
    }
    builder = builders[str(kind)](rng)
    mirror_x, mirror_y = rng.random(2) < 0.5
    rooms = tuple(
        RoomPlan(room.kind, _turned(room.rect, bool(mirror_x), bool(mirror_y), portrait))
        for room in builder.rooms
    )
    return BuildingPlan(rooms, tuple(builder.links))


def _turned(rect: Rect, mirror_x: bool, mirror_y: bool, swap: bool) -> Rect:
    left, top, right, bottom = rect
    if mirror_x:
        left, right = -right, -left
    if mirror_y:
        top, bottom = -bottom, -top
    return Rect(top, left, bottom, right) if swap else Rect(left, top, right, bottom)


class _PlanBuilder:
    """Collects rooms and links."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.rooms: list[RoomPlan] = []
        self.links: list[Link] = []

    def room(self, kind: str, left: float, top: float, right: float, bottom: float) -> int:
        self.rooms.append(RoomPlan(kind, Rect(left, top, right, bottom)))
        return len(self.rooms) - 1

    def link(self, room: int, other: int, style: str = "door") -> None:
        self.links.append(Link(room, other, style))

    def between(self, low: float, high: float) -> float:
        """A random length in whole 5 cm."""
        return float(5 * round(self.rng.uniform(low, high) / 5))

    def strip(
        self,
        kinds: Sequence[str],
        along: tuple[float, float],
        outer: float,
        inner: float,
        corridor: int,
    ) -> None:
        """Put rooms side by side between the outer wall and the corridor."""
        spans = self._spans(kinds, *along)
        slots: list[int] = []
        baths: list[tuple[int, float, float]] = []
        for kind, (start, stop) in zip(kinds, spans, strict=True):
            top, bottom = min(outer, inner), max(outer, inner)
            if kind == "bath":
                baths.append((len(slots), start, stop))
                slots.append(self._bath(start, stop, outer, inner, corridor))
                continue
            index = self.room(kind, start, top, stop, bottom)
            slots.append(index)
            if kind == "terrace":
                self.link(slots[-2], index, "sliding")
            elif kind == "hall":
                self.link(index, corridor, "passage")
                self.link(index, OUTSIDE, "entrance")
            else:
                self.link(
                    index, corridor, "double" if kind in ("meeting", "open office") else "door"
                )
        for place, start, stop in baths:
            self._second_bath(place, slots, start, stop, outer)

    def _spans(self, kinds: Sequence[str], left: float, right: float) -> list[tuple[float, float]]:
        least = np.array([WIDTHS[kind][0] for kind in kinds])
        most = np.array([WIDTHS[kind][1] for kind in kinds])
        share = (right - left - least.sum()) / (most - least).sum()
        weights = self.rng.uniform(0.6, 1.4, len(kinds)) * (most - least)
        extra = weights / weights.sum() * (most - least).sum() * share
        edges = left + np.concatenate([[0], np.cumsum(least + extra)])
        edges[1:-1] = 5 * np.round(edges[1:-1] / 5)
        edges[-1] = right
        return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))

    def _bath(self, start: float, stop: float, outer: float, inner: float, corridor: int) -> int:
        """A bathroom at the corridor; what is left of the depth becomes another room later."""
        depth = abs(inner - outer)
        if depth > 370:
            depth = self.between(max(190, depth - 230), depth - 170)
        wall = inner + np.sign(outer - inner) * depth
        index = self.room("bathroom", start, min(wall, inner), stop, max(wall, inner))
        self.link(index, corridor)
        return index

    def _second_bath(
        self, place: int, slots: list[int], start: float, stop: float, outer: float
    ) -> None:
        first = self.rooms[slots[place]].rect
        if outer in (first.top, first.bottom):
            return
        wall = first.top if outer < first.top else first.bottom
        beside = [
            slots[i]
            for i in (place - 1, place + 1)
            if 0 <= i < len(slots) and "bedroom" in self.rooms[slots[i]].kind
        ]
        index = self.room(
            "bathroom" if beside else "laundry", start, min(wall, outer), stop, max(wall, outer)
        )
        self.link(index, int(self.rng.choice(beside)) if beside else slots[place])


def _fill(
    rng: np.random.Generator,
    length: float,
    pool: dict[str, float],
    needed: Sequence[str] = (),
    at_most: int = 2,
) -> list[str]:
    """Room kinds whose widths can fill the length: those needed, the others from the pool."""
    names, weights = list(pool), np.array(list(pool.values()))
    best: list[str] = []
    for _ in range(400):
        kinds = list(needed)
        while sum(WIDTHS[kind][1] for kind in kinds) < length:
            kinds.append(str(rng.choice(names, p=weights / weights.sum())))
        if sum(WIDTHS[kind][0] for kind in kinds) > length:
            continue
        best = kinds
        if max(kinds.count(kind) for kind in kinds) <= at_most:
            break
    if not best:
        raise NoPlan(f"no rooms fit {length:g} cm")
    return [best[i] for i in rng.permutation(len(best))]


def _with_terrace(kinds: list[str], rng: np.random.Generator, length: float) -> list[str]:
    """Open the far corner, if the other rooms can still fill their part."""
    for i in rng.permutation(len(kinds) - 1) if len(kinds) > 2 else ():
        if kinds[i] not in ("bedroom", "master bedroom", "dining", "child"):
            continue
        others = [kind for j, kind in enumerate(kinds[:-1]) if j != i]
        new = [*others, kinds[i], "terrace"]
        if kinds[-1] not in ("bath", "hall", "stairs") and sum(
            WIDTHS[k][0] for k in new
        ) <= length <= sum(WIDTHS[k][1] for k in new):
            return new
    return kinds


def _dwelling(
    rng: np.random.Generator, width: float, height: float, living: float, garage: bool
) -> _PlanBuilder:
    build = _PlanBuilder(rng)
    half = build.between(135, 160) / 2
    middle = build.between(0.47 * height, 0.53 * height)
    kitchen_height = build.between(max(280, 0.34 * height), 0.42 * height)
    kitchen = build.room("kitchen", 0, 0, living, kitchen_height)
    parlour = build.room("living", 0, kitchen_height, living, height)
    corridor = build.room("corridor", living, middle - half, width, middle + half)
    build.link(parlour, corridor, str(rng.choice(["passage", "double", "door"], p=[0.5, 0.3, 0.2])))
    build.link(kitchen, parlour, str(rng.choice(["passage", "door"], p=[0.6, 0.4])))
    length = width - living
    pool = {
        "bedroom": 3.0,
        "child": 2.0,
        "office": 1.5,
        "laundry": 0.6,
        "storage": 0.5,
        "dining": 0.8,
    }
    first = _fill(rng, length, pool, ["bath"])
    with_hall = garage or rng.random() < 0.4
    needed = ["hall"] if with_hall else []
    needed.append("master bedroom")
    if length > 1000 and rng.random() < 0.6:
        needed.append("stairs")
    second = _fill(rng, length, pool | {"bath": 0.8}, needed)
    if not garage and rng.random() < 0.45:
        second = _with_terrace(second, rng, length)
    build.strip(first, (living, width), 0, middle - half, corridor)
    build.strip(second, (living, width), height, middle + half, corridor)
    if garage:
        car = build.room("garage", width, 0, width + build.between(330, 370), middle + half + 60)
        build.link(car, OUTSIDE, "gate")
        build.link(corridor, car, "door")
    elif not with_hall:
        build.link(corridor, OUTSIDE, "entrance")
    return build


def _house(rng: np.random.Generator) -> _PlanBuilder:
    garage = bool(rng.random() < 0.35)
    width = float(5 * round(rng.uniform(1450, 1750) / 5))
    height = float(5 * round(rng.uniform(920, 1060) / 5))
    return _dwelling(rng, width - 200 * garage, height, float(rng.integers(46, 58) * 10), garage)


def _flat(rng: np.random.Generator) -> _PlanBuilder:
    width = float(5 * round(rng.uniform(1180, 1380) / 5))
    height = float(5 * round(rng.uniform(820, 920) / 5))
    return _dwelling(rng, width, height, float(rng.integers(42, 50) * 10), False)


def _offices(rng: np.random.Generator) -> _PlanBuilder:
    build = _PlanBuilder(rng)
    width, height = build.between(1600, 1950), build.between(950, 1080)
    half = build.between(150, 180) / 2
    middle = height / 2
    end = build.between(420, 560)
    meeting = build.room("meeting", 0, 0, end, middle + half)
    lounge = build.room("lounge", 0, middle + half, end, height)
    corridor = build.room("corridor", end, middle - half, width, middle + half)
    build.link(meeting, corridor, "double")
    build.link(lounge, meeting, "door")
    build.link(corridor, OUTSIDE, "entrance")
    pool = {"office": 4.0, "open office": 2.0, "storage": 0.5}
    first = _fill(rng, width - end, pool, ["bath", "stairs"], 3)
    second = _fill(rng, width - end, pool, ["kitchen", "lift"], 3)
    build.strip(first, (end, width), 0, middle - half, corridor)
    build.strip(second, (end, width), height, middle + half, corridor)
    return build
