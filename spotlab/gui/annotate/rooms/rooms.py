"""The rooms of the open page: found in the background, kept, and found again for another gap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from msgspec import convert, to_builtins

from spotlab.formats.collection.label_file import RoomChoices
from spotlab.gui.kit.known_settings import ROOMS
from spotlab.gui.kit.task import Task
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
from spotlab.progress import Progress
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

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
    changed : Signal
        The map, the settings or ``larger`` are others.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.settings = RoomSettings()
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
        """Whether the page's rooms are being found."""
        return self._task.busy

    @property
    def active(self) -> bool:
        """Whether the Room tool is in use."""
        return self.workbench.tool == TOOL and self.workbench.draws

    def when_known(self, do: Callable[[RoomMap], object]) -> None:
        """Do something with the map, at once or as soon as it is there; the latest counts."""
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
        """Change settings, for instance ``gap=120.0`` or ``margin=3``."""
        settings = replace(self.settings, **values)
        if settings == self.settings:
            return
        self.settings = settings
        kept = RoomChoices(settings.wide, settings.margin, str(settings.kind))
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
        """Use the margin of the rooms that are drawn on this page, found in the background."""
        self.when_known(self._fit_margin)

    def _fit_margin(self, room_map: RoomMap) -> None:
        document, said = self.workbench.document, self.workbench.said
        outlines = [region.array for region in document or ()]

        def fitted(margin: int | None) -> None:
            if margin is None:
                said.emit("No region on this page is a room: draw one as you want it", False)
            else:
                self.set(margin=margin)
                said.emit(f"Rooms stay {margin} px away from the walls, as those drawn", False)

        self._fitting.start(fitting_margin, room_map, outlines, done=fitted)

    def stop(self) -> None:
        """Find nothing any more."""
        self._forget()

    def _use_collection(self) -> None:
        """Take the settings that are kept with the collection, or those chosen last."""
        kept = self.workbench.collection.kept(ROOMS.name)
        stored = self.workbench.settings.get(ROOMS) if kept is None else convert(kept, RoomChoices)
        kind = stored.kind if stored.kind in list(WallKind) else WallKind.AUTOMATIC
        self.settings = RoomSettings(None, stored.wide, stored.margin, WallKind(kind))

    def _follow(self) -> None:
        """Another page, ink or tool: find rooms where they are asked for."""
        if self.workbench.ink.page is not self._ink:
            self._forget()
        if self.active:
            self.prepare()
        self.changed.emit()

    def _forget(self) -> None:
        self._task.cancel()
        self._trying.cancel()
        self._fitting.cancel()
        self._ink, self.map, self.larger, self._waiting = None, None, None, None

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
        waiting, self._waiting = self._waiting, None
        self.changed.emit()
        if waiting is not None:
            waiting(room_map)

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
