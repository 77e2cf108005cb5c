"""Puts a furnished plan on a page: everything as strokes in px, with what each one belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Points
from spotlab.lab.draw.plans import sheet
from spotlab.lab.draw.plans.groups import Catalogue
from spotlab.lab.draw.plans.layout import BuildingPlan, NoPlan, plan_rooms
from spotlab.lab.draw.plans.options import MANNERS, WALLS, FloorPlanOptions, Project, choose
from spotlab.lab.draw.plans.recipes import furnish, spaces
from spotlab.lab.draw.plans.sheet import lettering, text_width
from spotlab.lab.draw.plans.strokes import Rect, box, turned
from spotlab.lab.draw.plans.walls import Shell, Space, build_shell, strokes_of
from spotlab.libraries import shapely

NAMES = {
    "master bedroom": ("BEDROOM", "MASTER BEDROOM", "BEDROOM 1"),
    "bedroom": ("BEDROOM", "BEDROOM 2", "GUEST ROOM"),
    "child": ("BEDROOM 3", "BEDROOM 4", "CHILD", "KIDS"),
    "bathroom": ("BATH", "BATHROOM", "SHOWER"),
    "laundry": ("LAUNDRY", "UTILITY"),
    "storage": ("STORAGE", "STORE"),
    "kitchen": ("KITCHEN",),
    "living": ("LIVING ROOM", "LIVING"),
    "lounge": ("LOUNGE", "STAFF ROOM"),
    "dining": ("DINING ROOM", "DINING"),
    "office": ("OFFICE", "STUDY"),
    "open office": ("OFFICE", "STUDIO"),
    "meeting": ("MEETING ROOM", "CONFERENCE"),
    "stairs": ("STAIRS",),
    "lift": ("LIFT",),
    "hall": ("ENTRANCE", "HALL"),
    "corridor": ("CORRIDOR", "HALL"),
    "garage": ("GARAGE",),
    "terrace": ("TERRACE", "BALCONY"),
}


@dataclass(frozen=True)
class PlanMark:
    """Strokes that belong together, in px; those of a symbol carry its label."""

    strokes: tuple[Points, ...]
    label: str = ""
    heavier: int = 0  # px that the pen is wider than usual


@dataclass(frozen=True)
class Scene:
    """Content of a page: filled outlines (with holes by the even-odd rule) and marks."""

    fills: tuple[tuple[Points, ...], ...]
    marks: tuple[PlanMark, ...]


def compose(
    options: FloorPlanOptions,
    rng: np.random.Generator,
    project: Project | None = None,
    wanted: int | None = None,
) -> Scene:
    """Design a building, furnish it and lay it out on a page.

    Parameters
    ----------
    project : Project, optional
        How everything is drawn; without one the page has its own manner.
    wanted : int, optional
        How many symbols of furniture stay, if there are so many; all of them if not given.
    """
    for _ in range(60):
        try:
            design = plan_rooms(rng, portrait=options.height > options.width)
            building = build_shell(design, rng)
        except NoPlan:
            continue
        return _Draughtsman(options, rng, design, building, project).draw(wanted)
    raise NoPlan("60 plans in a row came to nothing")


class _Draughtsman:
    """Draws one plan."""

    def __init__(
        self,
        options: FloorPlanOptions,
        rng: np.random.Generator,
        design: BuildingPlan,
        building: Shell,
        project: Project | None,
    ) -> None:
        self.options, self.rng, self.design, self.building = options, rng, design, building
        self.project = project
        room = shapely.union_all(
            [building.walls, *(shapely.box(*r.rect) for r in design.rooms if not r.built)]
        )
        self.extent = Rect(*room.bounds)
        margin = 0.12 if options.dimensions else 0.05
        side = min(options.width, options.height) * margin
        self.scale = min(
            (options.width - 2 * side) / self.extent.width,
            (options.height - 2 * side) / self.extent.height,
        )
        self.origin = (
            np.array([options.width, options.height])
            - self.scale * np.array([self.extent.right, self.extent.bottom])
            - self.scale * np.array([self.extent.left, self.extent.top])
        ) / 2
        self.unit = min(options.width, options.height) / 100  # letters are about this high
        self.marks: list[PlanMark] = []
        self.fills: list[tuple[Points, ...]] = []
        angle = float(rng.uniform(-options.skew, options.skew))
        self.angle = angle if options.skew else 0.0
        # what is turned has to become smaller to stay on the page
        c, s = np.cos(np.radians(abs(self.angle))), np.sin(np.radians(abs(self.angle)))
        long, short = max(options.width, options.height), min(options.width, options.height)
        self.shrink = float(short / (long * s + short * c))

    def draw(self, wanted: int | None) -> Scene:
        self._walls()
        self._openings()
        rooms = self._furniture(wanted)
        if self.options.text:
            self._names(rooms)
        if self.options.dimensions:
            self._sheet()
        return Scene(tuple(self.fills), tuple(self.marks))

    def _skewed(self, strokes: list[Points]) -> list[Points]:
        if not self.angle:
            return strokes
        middle = np.array([self.options.width, self.options.height]) / 2
        return [turned((s - middle) * self.shrink, self.angle, *middle.tolist()) for s in strokes]

    def _px(self, strokes: list[Points]) -> list[Points]:
        return self._skewed([stroke * self.scale + self.origin for stroke in strokes])

    def _mark(self, strokes: list[Points], label: str = "", heavier: int = 0) -> None:
        if strokes:
            self.marks.append(PlanMark(tuple(self._px(strokes)), label, heavier))

    def _walls(self) -> None:
        manner = self.rng.choice(list(WALLS), p=list(WALLS.values()))
        if self.project:
            manner = self.project.walls
        rings: list[Points] = []
        for part in shapely.get_parts(self.building.walls):
            around = [part.exterior, *part.interiors]
            rings += [shapely.get_coordinates(ring) for ring in around]
            heavy = manner == "thick" and part.area > 0
            if manner == "solid" or heavy:
                self.fills.append(tuple(self._px([shapely.get_coordinates(r) for r in around])))
        self._mark(rings, heavier=1)
        if manner == "hatched":
            self._mark(self._hatching())
        for room in self.design.rooms:
            if not room.built:
                self._mark(self._railing(room.rect))

    def _hatching(self) -> list[Points]:
        left, top, right, bottom = self.extent
        step, reach = float(self.rng.uniform(14, 22)), bottom - top
        lines = [[(x, bottom), (x + reach, top)] for x in np.arange(left - reach, right, step)]
        cut = shapely.intersection(shapely.multilinestrings(lines), self.building.walls)
        return [
            shapely.get_coordinates(part)
            for part in shapely.get_parts(cut)
            if part.geom_type == "LineString" and part.length > 1
        ]

    def _railing(self, terrace: Rect) -> list[Points]:
        """The edge of a terrace where it is no wall."""
        built = shapely.union_all(
            [shapely.box(*room.rect) for room in self.design.rooms if room.built]
        )
        walls = shapely.union_all([self.building.walls, built.buffer(1, join_style="mitre")])
        edges = shapely.multilinestrings([box(*terrace), box(*terrace.grown(-6))])
        parts = shapely.get_parts(shapely.line_merge(shapely.difference(edges, walls)))
        return [shapely.get_coordinates(part) for part in parts]

    def _openings(self) -> None:
        doors, windows = self.rng.integers(MANNERS, size=2).tolist()
        if self.project:
            doors, windows = self.project.doors, self.project.windows
        for opening in self.building.openings:
            window = opening.style == "window"
            label = "window" if window else "" if opening.style == "passage" else "door"
            strokes = strokes_of(opening, windows if window else doors)
            self._mark(strokes, label if self.options.openings else "")

    def _furniture(self, wanted: int | None) -> list[Space]:
        clear = (self.options.pen + 4 + 2 * self.options.jitter) / (self.scale * self.shrink)
        drawings = self.project.drawings if self.project else None
        catalogue = Catalogue(self.rng, self.options, clear, drawings)
        rooms = spaces(self.design, self.building, clear)
        furniture: dict[int, str] = {}
        for room, space in zip(self.design.rooms, rooms, strict=True):
            furnish(room.kind, space, catalogue)
            for group in space.placed:
                self._mark(list(group.lines))
                for piece in group.pieces:
                    furniture[len(self.marks)] = piece.label
                    self._mark(list(piece.strokes()), piece.label)
        if wanted is not None:
            self._thin_out(furniture, wanted)
        return rooms

    def _thin_out(self, furniture: Mapping[int, str], wanted: int) -> None:
        """Leave only so many of the symbols, which are known by their places among the marks."""
        places = list(furniture)
        stay = choose(list(furniture.values()), wanted, self.rng)
        gone = {place for number, place in enumerate(places) if number not in stay}
        self.marks = [mark for place, mark in enumerate(self.marks) if place not in gone]

    def _names(self, rooms: list[Space]) -> None:
        height = 1.15 * self.unit / self.scale
        with_area = self.rng.random() < 0.5
        used: list[str] = []
        for room, space in zip(self.design.rooms, rooms, strict=True):
            name = self._name(room.kind, used)
            area = f"{space.rect.width * space.rect.height / 10_000:.1f} M2"
            wide = max(text_width(name, height), text_width(area, height) * with_area)
            for text in ((name, area), (name,)) if with_area else ((name,),):
                place = space.quiet_place(wide, height * (1.8 * len(text) - 0.8), self.rng)
                if place is None:
                    continue
                for i, words in enumerate(text):
                    x = place.left + (wide - text_width(words, height)) / 2
                    self._mark(lettering(words, x, place.top + 1.8 * i * height, height))
                break

    def _name(self, kind: str, used: list[str]) -> str:
        """A name for a room that no other one has, if there is one left."""
        free = [name for name in NAMES[kind] if name not in used] or [NAMES[kind][0]]
        used.append(str(self.rng.choice(free)))
        return used[-1]

    def _sheet(self) -> None:
        ((left, top), (right, bottom)) = (
            np.array([self.extent[:2], self.extent[2:]]) * self.scale + self.origin
        )
        drawn = sheet.dimensions(
            self.design, Rect(left, top, right, bottom), self.scale, self.origin, self.unit
        )
        drawn += sheet.title_block(self.options, self.unit, self.scale, self.rng)
        self.marks.append(PlanMark(tuple(self._skewed(drawn))))
