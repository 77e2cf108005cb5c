"""The rooms of the open page: found in the background, kept, and found again for another gap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import convert, to_builtins

from spotlab.arrays import Points
from spotlab.editing.document import Edit
from spotlab.editing.operations import dividing_line, drawn, reshaped, split
from spotlab.editing.region_index import RegionIndex
from spotlab.errors import SpotlabError
from spotlab.formats.collection.label_file import RoomChoices
from spotlab.geometry import polygon
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.canvas.tool import NEAR, Surface
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.settings import ROOMS
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.rooms.room_map import (
    Plan,
    RoomMap,
    RoomSettings,
    fitting_margin,
    map_rooms,
    survey_plan,
)
from spotlab.imaging.rooms.walls import WallKind
from spotlab.libraries import shapely
from spotlab.model import Primitive, Region
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


Place = tuple[float, float]

TOOL = "room"
_LARGER = (1.3, 1.7, 2.2, 3.0, 4.0, 5.5)  # times the gap: what is tried where a space is open


class Rooms:
    """The open page's rooms, and the user's choices about them.

    Attributes
    ----------
    settings : RoomSettings
        The gap and the margin are of this page's px; they go on from page to page. All but the
        gap are kept with the collection.
    map : RoomMap or None
        None until it is known.
    larger : tuple of float, float and float, or None
        A gap that would enclose a place, and the place; None where none is looked for or found.
    learns : bool
        Whether the margin follows the rooms that the user draws or corrects; kept with the
        collection.
    taken : dict of str to tuple of (x, y)
        Points of the regions that were made of spaces, by id: while unchanged they teach nothing.
    changed : Signal
        The map, the settings or ``larger`` are others.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.settings = RoomSettings()
        self.learns = True
        self.taken: dict[str, tuple[Place, ...]] = {}
        self._learnt: tuple[Points, ...] | None = ()  # what the margin was fitted to; None: ask
        self._use_collection()
        self.map: RoomMap | None = None
        self.larger: tuple[float, float, float] | None = None
        self.changed = Signal[[]]()
        self._plans: WeakKeyDictionary[PageInk, Plan] = WeakKeyDictionary()
        self._ink: PageInk | None = None  # of which the map is, or is being made
        self._waiting: Callable[[RoomMap], object] | None = None
        self._task = Task(workbench, urgent=True)
        self._trying = Task(urgent=True)
        self._fitting = Task(workbench, urgent=True)
        workbench.collection_changed.connect(self._use_collection)
        workbench.ink_changed.connect(self._follow)
        workbench.tool_changed.connect(self._follow)
        workbench.page_changed.connect(self._follow)

    @property
    def busy(self) -> bool:
        """Tell whether the page's rooms are being found, or their margin."""
        return self._task.busy or self._fitting.busy

    @property
    def active(self) -> bool:
        """Tell whether the Room tool is in use."""
        return self.workbench.tool == TOOL and self.workbench.draws

    def when_known(self, do: Callable[[RoomMap], object]) -> None:
        """Do something with the map, at once or as soon as it is there; the latest counts."""
        self._learn()
        if self.map is not None and not self.busy:
            do(self.map)
            return
        self.prepare()
        self._waiting = do

    def prepare(self) -> None:
        """Find the rooms of the open page, unless they are known or being found."""
        ink = self.workbench.ink.page
        if ink is not self._ink:
            self._forget()
            self._ink = ink
        if ink is None or self.map is not None or self.busy:
            return
        self._find()

    def set(self, **values: Any) -> None:
        """Change settings, for instance ``gap=120.0`` or ``margin=3``, which then stays."""
        self._set(self.learns and "margin" not in values, values)

    def _set(self, learns: bool, values: Mapping[str, Any]) -> None:
        settings = replace(self.settings, **values)
        if settings == self.settings and learns == self.learns:
            return
        self.settings, self.learns = settings, learns
        kept = RoomChoices(settings.wide, settings.margin, str(settings.kind), learns)
        self.workbench.settings.set(ROOMS, kept)
        self.workbench.collection.keep(ROOMS.name, to_builtins(kept))
        self.larger = None
        if self._ink is not None:
            self._find()
        self.changed.emit()

    def look_for_larger_gap(self, x: float, y: float) -> None:
        """Find out, in the background, which gap would enclose a place."""
        room_map = self.map
        if room_map is None:
            return

        def found(gap: float | None) -> None:
            if self.map is room_map:
                self.larger = None if gap is None else (gap, x, y)
                self.changed.emit()

        self._trying.start(_enclosing_gap, room_map.plan, self.settings, x, y, done=found)

    def fit_margin(self) -> None:
        """Let the margin follow the rooms that are drawn again, those of this page first."""
        self._set(True, {})
        self._learnt = None
        self.when_known(lambda _: None)

    def _learn(self) -> None:
        """Fit the margin to the rooms of the page that the user drew or corrected since."""
        document, room_map, said = self.workbench.document, self.map, self.workbench.said
        if document is None or room_map is None or self._task.busy or not self.learns:
            return
        drawn = [region for region in document if self.taken.get(region.id) != region.points]
        outlines = tuple(region.array for region in drawn)
        known, asked = self._learnt or (), self._learnt is None
        if not asked and len(outlines) == len(known) and all(map(np.array_equal, outlines, known)):
            return
        self._learnt = outlines

        def fitted(margin: int | None) -> None:
            if margin is None and not asked:
                pass
            elif margin is None:
                said.emit("No region on this page is a room: draw one as you want it", False)
            elif asked or margin != self.settings.margin:
                self._set(True, {"margin": margin})
                side = "away from" if margin >= 0 else "inside"
                said.emit(f"Rooms stay {abs(margin)} px {side} the walls, as those drawn", False)
            self._go_on()

        def failed(error: Exception) -> None:
            self._fitting.tell(error)
            self._go_on()

        self._fitting.start(fitting_margin, room_map, outlines, done=fitted, failed=failed)

    def stop(self) -> None:
        """Find nothing any more."""
        self._forget()

    def _use_collection(self) -> None:
        """Take the settings that are kept with the collection, or those chosen last."""
        kept = self.workbench.collection.kept(ROOMS.name)
        stored = self.workbench.settings.get(ROOMS) if kept is None else convert(kept, RoomChoices)
        self.learns = stored.learns
        kind = stored.kind if stored.kind in list(WallKind) else WallKind.AUTOMATIC
        self.settings = RoomSettings(None, stored.wide, stored.margin, WallKind(kind))

    def _follow(self) -> None:
        """Another page, ink or tool: find rooms where they are asked for."""
        if self.workbench.ink.page is not self._ink:
            self._forget()
        if self.active:
            self.prepare()
            self._learn()
        self.changed.emit()

    def _forget(self) -> None:
        self._task.cancel()
        self._trying.cancel()
        self._fitting.cancel()
        self._ink, self.map, self.larger, self._waiting = None, None, None, None
        self.taken, self._learnt = {}, ()

    def _find(self) -> None:
        ink = self._ink
        assert ink is not None
        self._trying.cancel()
        self._task.start(
            _mapped, ink, self._plans.get(ink), self.map, self.settings,
            done=self._arrived, failed=self._failed,
        )  # fmt: skip

    def _arrived(self, room_map: RoomMap) -> None:
        assert self._ink is not None
        self._plans[self._ink] = room_map.plan
        self.map = room_map
        self.changed.emit()
        self._learn()
        self._go_on()

    def _go_on(self) -> None:
        """Do what waits for the map, unless it is being made again."""
        if self.map is not None and not self.busy and self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            waiting(self.map)

    def _failed(self, error: Exception) -> None:
        self._waiting = None
        self._task.tell(error)


def _mapped(
    ink: PageInk,
    plan: Plan | None,
    known: RoomMap | None,
    settings: RoomSettings,
    progress: Progress,
) -> RoomMap:
    if known and replace(known.settings, margin=settings.margin) == settings:
        return replace(known, settings=settings)
    if plan is None or plan.kind is not settings.kind:
        plan = survey_plan(ink.ink(0, 0, *ink.page_size), settings.kind, progress)
    return map_rooms(plan, settings, progress)


def _enclosing_gap(
    plan: Plan, settings: RoomSettings, x: float, y: float, progress: Progress
) -> float | None:
    """The smallest of some larger gaps with which a place is not open to the page's edge."""
    now = plan.default_gap if settings.gap is None else settings.gap
    for times in _LARGER:
        gap = round(min(times * now, plan.widest_gap))
        rooms = map_rooms(plan, replace(settings, gap=gap), progress)
        label = rooms.label_at(x, y)
        if label and not rooms.is_outside(label):
            return gap
    return None


_INSIDE = 0.85  # share of a region's area inside a space, from which it is the room or a part of it
_PART = 0.05  # share of the space's area that a part has at least
_COVERED = 0.8  # share of the space's area that is covered where the room is drawn already
_BESIDE = 40.0  # px beside a space that a region may extend
_OPEN = (
    "This space is open to the edge of the page: raise Gap, above the page, to close wider openings"
)
_WALL = "That is a wall or an opening: click inside a room"


@dataclass(frozen=True)
class _Made:
    """A region that was made here, and what of, so that it can follow the gap."""

    region: str
    points: tuple[Place, ...]
    places: tuple[Place, ...]


class TakenRooms:
    """Makes regions of the spaces of a page, and changes them space by space."""

    def __init__(self, surface: Surface, rooms: Rooms) -> None:
        self.surface, self.rooms = surface, rooms
        self.workbench = surface.workbench
        self.made: _Made | None = None

    def take(self, room_map: RoomMap, places: tuple[Place, ...]) -> None:
        """Make a region of each room at these places, or say why there is none."""
        labels = _labels(room_map, places)
        inside = [label for label in labels if not room_map.is_outside(label)]
        editing = self.workbench.editing
        if not inside:
            editing.draw_nothing(_OPEN if labels else _WALL)
            if labels:
                self.rooms.look_for_larger_gap(*places[0])
            return
        outlines = [room_map.outline([label]) for label in inside]
        outlines = [outline for outline in outlines if len(outline)]
        drawn_there = [rooms_within(self.surface.index, outline) for outline in outlines]
        new = [ring for ring, there in zip(outlines, drawn_there, strict=True) if not there]
        there = [region.id for regions in drawn_there for region in regions]
        if len(outlines) == 1 and new:
            region = editing.add_region(new[0], Primitive.POLYGON)
            if region is not None:
                editing.select_drawn([region.id])
                self.rooms.taken[region.id] = region.points
                self.made = _Made(region.id, region.points, places)
        elif new:
            self._add(new)
        elif there and len(places) == 1:  # a click selects, a stroke draws
            here = [each.id for each in self.surface.index.regions_at(*places[0])]
            self.workbench.selection.set([id for id in there if id in here] or there)
        elif there:
            editing.draw_nothing("Each of these rooms is drawn already")
        else:
            editing.draw_nothing("The margin leaves nothing of this room: reduce it")

    def stroke(self, room_map: RoomMap, places: tuple[Place, ...]) -> None:
        """Divide the room that a stroke crosses from border to border, or take what it crosses."""
        document = self.workbench.document
        if document is None:
            return
        reach = max(NEAR / self.surface.view.scale, room_map.plan.thickness / 2)
        x, y = places[len(places) // 2]
        for region in self.surface.index.regions_at(x, y):
            line = dividing_line(region.array, places, reach)
            if line is not None and region.area >= room_map.least_area:
                parts = split(region, line, document.page)
                edits = document.replacing(parts[0]) + document.adding(*parts[1:])
                self._done("Divide room", edits, parts)
                return
        labels = _labels(room_map, places)
        if len(labels) == 1 and not room_map.is_outside(labels[0]):
            outline = room_map.outline(labels)
            line = dividing_line(outline, places, reach) if len(outline) else None
            whole = drawn(outline, Primitive.POLYGON, document.page, self.workbench.editing.label)
            if line is not None and whole and not rooms_within(self.surface.index, outline):
                parts = split(whole, line, document.page)
                self._done("Draw two rooms", document.adding(*parts), parts)
                return
        self.take(room_map, places)

    def _done(self, name: str, edits: list[Edit], parts: list[Region]) -> None:
        if self.workbench.editing.do(name, edits):
            self.workbench.editing.select_drawn([part.id for part in parts])
            self.rooms.taken |= {part.id: part.points for part in parts}

    def join(self, room_map: RoomMap, id: str, places: tuple[Place, ...], *, away: bool) -> None:
        """Join the spaces at places to a region, or take them away; nothing if that is gone."""
        editing, document = self.workbench.editing, self.workbench.document
        region = None if document is None else document.get(id)
        if document is None or region is None:
            return
        labels = _labels(room_map, places)
        crossed = {label for label in labels if not room_map.is_outside(label)}
        held = set(room_map.spaces_in(region.array))
        if not crossed:
            editing.refuse(_OPEN if labels else _WALL)
            return
        if not held:
            editing.refuse("The selected region is not a room of this page: select a room first")
            return
        changed = held - crossed if away else held | crossed
        if changed == held:
            editing.refuse("That space is not part of it" if away else "That space is part of it")
        elif not changed:
            editing.refuse("That would leave nothing of the region")
        elif not room_map.are_joined(sorted(changed)):
            editing.refuse("A wall lies between: only spaces side by side make one region")
        else:
            outline = room_map.outline(sorted(changed))
            try:
                after = reshaped(region, outline, document.page, Primitive.POLYGON)
            except SpotlabError as error:
                editing.refuse(str(error))
                return
            self.rooms.taken[after.id] = after.points
            editing.replace_regions("Take space away" if away else "Join space", [after])

    def _add(self, outlines: list[Points]) -> None:
        """Several at once, in one step."""
        document, editing = self.workbench.document, self.workbench.editing
        if document is None:
            return
        label = editing.label
        made = [drawn(each, Primitive.POLYGON, document.page, label) for each in outlines]
        regions = [each for each in made if each is not None]
        self.rooms.taken |= {each.id: each.points for each in regions}
        name = f"Draw {len(regions)} rooms" if len(regions) > 1 else "Draw room"
        if editing.do(name, document.adding(*regions)):
            editing.select_drawn([each.id for each in regions])

    def follow(self, room_map: RoomMap) -> None:
        """Another gap: what was made last is made again as long as nobody has changed it."""
        made, document = self.made, self.workbench.document
        if made and document:
            region = document.get(made.region)
            if region is None or region.points != made.points:
                self.made = None
            elif made.region in self.workbench.editing.at_hand:
                self._remake(room_map, made, region)

    def _remake(self, room_map: RoomMap, made: _Made, region: Region) -> None:
        document = self.workbench.document
        labels = _labels(room_map, made.places)
        if document is None or not labels or room_map.is_outside(labels[0]):
            return
        outline = room_map.outline(labels[:1])
        if not len(outline):
            return
        after = reshaped(region, outline, document.page, Primitive.POLYGON)
        if after.points != region.points:
            self.rooms.taken[after.id] = after.points
            self.workbench.editing.replace_regions("Change gap", [after], merge=True)
            self.made = _Made(region.id, after.points, made.places)


def rooms_within(index: RegionIndex, outline: Points) -> list[Region]:
    """Find the region that is a room already, or those that a room is divided into."""
    shape = polygon.even_odd_geometry(outline)
    left, top, right, bottom = shape.buffer(_BESIDE).bounds
    found, shapes = [], []
    for region in index.in_box((left, top, right, bottom)):
        own = polygon.even_odd_geometry(region.array)
        shared = own.intersection(shape).area
        if shared >= _INSIDE * own.area and shared >= _PART * shape.area:
            found.append(region)
            shapes.append(own)
    covered = shape.intersection(shapely.union_all(shapes)).area if shapes else 0.0
    return found if covered >= _COVERED * shape.area else []


def _labels(room_map: RoomMap, places: tuple[Place, ...]) -> list[int]:
    """The spaces at these places, each once."""
    labels = dict.fromkeys(room_map.label_at(*place) for place in places)
    labels.pop(0, None)
    return list(labels)


def propose_rooms(workbench: Workbench) -> None:
    """Propose every enclosed space of the open page that has no region yet."""
    entry = workbench.entry
    if workbench.document is None or entry is None:
        return

    def offer(room_map: RoomMap) -> None:
        index = RegionIndex(workbench.document or ())
        found = proposals_of(room_map, workbench.label, entry.name, index)
        if found:
            workbench.state(Proposals).offer("Rooms", found)
        else:
            text = "No enclosed space on this page: raise Gap, or choose how the walls are drawn"
            workbench.said.emit(text, False)

    workbench.state(Rooms).when_known(offer)


def proposals_of(
    room_map: RoomMap, label: str, page: str, drawn_there: RegionIndex
) -> list[Proposal]:
    """A proposal for each room that is not drawn; its score is the share of walls around it."""
    found = []
    for number in room_map.rooms:
        outline = room_map.outline([number])
        if len(outline) and not rooms_within(drawn_there, outline):
            closed = room_map.closed_share(number)
            why = f"enclosed; {closed:.0%} of its outline are closed openings"
            found.append(Proposal(page, label, outline, 1 - closed, why))
    return found
