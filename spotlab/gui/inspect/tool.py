"""The one tool of the Inspect workspace: says what a spot is, and chooses it by a click."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface, Tool
from spotlab.gui.inspect.state.inspection import Inspection


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
