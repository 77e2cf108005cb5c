"""The one tool of the Inspect workspace: says what a spot is, and chooses it by a click."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spotlab.gui.canvas.tool import Gesture, Pointer, Surface, Tool
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.pages.workbench import Workbench
from spotlab.measures.matching import ErrorPlace

ShowBounds = Callable[[float, float, float, float], object]  # left, top, right, bottom in px
GoTo = Callable[[ErrorPlace], object]
Bounds = tuple[float, float, float, float]


class ErrorNavigation:
    """Chooses an error, opens its page, and brings it into view when the page is there."""

    def __init__(self, workbench: Workbench, show: ShowBounds) -> None:
        self._workbench = workbench
        self._show = show
        self._page = ""
        workbench.page_changed.connect(self._arrived)

    def go_to(self, place: ErrorPlace) -> None:
        """Choose this error, open its page, show it."""
        inspection = self._workbench.state(Inspection)
        tally = inspection.runs.current.tally if inspection.runs.current else None
        if tally is None:
            return
        if place.spot is not None:
            page = tally.page[place.spot]
        else:
            assert place.region is not None  # a place is one or the other
            page = tally.region_page[place.region]
        self._page = tally.pages[page]
        inspection.go_to(place)
        self._arrived()

    def _arrived(self) -> None:
        entry = self._workbench.entry
        if not self._page or entry is None or self._workbench.document is None:
            return
        if entry.name == self._page:
            bounds = bounds_of_choice(self._workbench)
            if bounds is not None:
                self._show(*bounds)
        self._page = ""


def bounds_of_choice(workbench: Workbench) -> Bounds | None:
    """Around the chosen spot and the region that it is about, on the open page; None if neither.

    Returns
    -------
    tuple of float or None
        Left, top, right, bottom in px.
    """
    inspection, document = workbench.state(Inspection), workbench.document
    current = inspection.runs.current
    if current is None or current.tally is None:
        return None
    tally, regions, rings = current.tally, [inspection.region], []
    if inspection.spot is not None:
        rings.append(current.run.outlines[int(tally.spot[inspection.spot])])
        region = int(current.errors.region[inspection.spot]) if current.errors else -1
        on_page = region >= 0 and tally.region_page[region] == tally.page[inspection.spot]
        regions.append(tally.region_id[region] if on_page else None)
    for id in regions:
        if id is not None and document is not None and id in document:
            rings.append(document[id].array)
    points = np.concatenate([np.empty((0, 2)), *rings])
    if not len(points):
        return None
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


class InspectTool(Tool):
    """A click chooses the smallest spot under the pointer, another click the next larger one."""

    cursor = Qt.CursorShape.ArrowCursor

    def describe(self, pointer: Pointer) -> str | None:
        """The spot under the pointer: its query, rank, score, and what is wrong with it."""
        place = f"x {int(pointer.x // 1):,}  y {int(pointer.y // 1):,}"
        inspection, entry = self.workbench.state(Inspection), self.workbench.entry
        current = inspection.runs.current
        if current is None or entry is None:
            return None
        spots = inspection.page.spots_at(pointer.x, pointer.y)
        if not spots:
            regions = self.surface.index.regions_at(pointer.x, pointer.y)
            missed = [region for region in regions if current.misses(entry.name, region.id)]
            return f"{place} · {missed[0].label} · missed" if missed else None
        more = f" (+{len(spots) - 1})" if len(spots) > 1 else ""
        return f"{place} · {current.describe(spots[0])}{more}"

    def press(self, pointer: Pointer) -> Gesture | None:
        """Choose what is under the pointer when the button is up."""
        return _Click(self.surface, pointer)

    def point_out(self, pointer: Pointer) -> None:
        """The smallest spot there, unless one that is there is chosen."""
        inspection = self.workbench.state(Inspection)
        found = inspection.page.spots_at(pointer.x, pointer.y)
        if inspection.spot not in found:
            inspection.choose_spot(found[0] if found else None, go=False)

    def wants(self, event: QKeyEvent) -> bool:
        """Escape lets go of what is chosen."""
        inspection = self.workbench.state(Inspection)
        chosen = inspection.spot is not None or inspection.region is not None
        return chosen and event.key() == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Let go of what is chosen."""
        if not self.wants(event):
            return False
        self.workbench.state(Inspection).choose_spot(None)
        return True


class _Click(Gesture):
    def __init__(self, surface: Surface, start: Pointer) -> None:
        super().__init__(surface)
        self._start = start

    def release(self, pointer: Pointer) -> None:
        """Choose, unless the pointer has gone elsewhere."""
        self.over = True
        if not pointer.moved_from(self._start):
            choose_at(self.surface, pointer)


def choose_at(surface: Surface, pointer: Pointer) -> None:
    """Choose the spot there; the one that is chosen already gives way to the next larger one."""
    inspection = surface.workbench.state(Inspection)
    found = inspection.page.spots_at(pointer.x, pointer.y)
    if not found:
        inspection.choose_spot(None)
        return
    at = found.index(inspection.spot) + 1 if inspection.spot in found else 0
    inspection.choose_spot(found[at % len(found)], go=False)
