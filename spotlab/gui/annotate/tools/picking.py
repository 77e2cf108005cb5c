"""Clicks that select, for all tools: the smallest region first, then the next larger ones."""

from __future__ import annotations

from spotlab.editing.region_index import Hit, Part, clicked, hit
from spotlab.geometry import polygon
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface


def under(surface: Surface, pointer: Pointer) -> Hit:
    """What the pointer is on."""
    ids = surface.workbench.selection.ids
    return hit(surface.index, pointer.x, pointer.y, pointer.near, ids)


def _on_outline(found: Hit) -> bool:
    return found.part in (Part.HANDLE, Part.EDGE)


def pick(surface: Surface, pointer: Pointer) -> bool:
    """Select what is under the pointer; Shift adds it or takes it out. False on empty paper.

    On the outline of a selected region a click means that one, so that a double click finds it.
    A proposal there that is smaller than the region is meant by keys from then on.
    """
    selection, proposals = surface.workbench.selection, surface.workbench.state(Proposals)
    found = under(surface, pointer)
    if pointer.shift:
        region = found.candidates[0] if found.candidates else None
        if region is not None:
            selection.toggle(region.id)
        return region is not None
    region = found.region if _on_outline(found) else clicked(found, selection.primary)
    proposal = proposals.at(pointer.x, pointer.y)
    if proposal and (region is None or polygon.area(proposal.outline) < region.area):
        proposals.choose(proposal)
        return True
    selection.set([region.id] if region else [])
    return region is not None


def point_out(surface: Surface, pointer: Pointer) -> None:
    """Select what a menu at the pointer is about; what is selected already stays so.

    That is what a first click selects there: the smallest region or proposal. On empty paper it is
    the page, and nothing is selected.
    """
    selection, proposals = surface.workbench.selection, surface.workbench.state(Proposals)
    found = under(surface, pointer)
    smallest = found.candidates[0] if found.candidates else None
    region = found.region if _on_outline(found) else smallest
    proposal = proposals.at(pointer.x, pointer.y)
    if proposal and (region is None or polygon.area(proposal.outline) < region.area):
        proposals.choose(proposal)
    elif region is None:
        selection.clear()
    elif region.id not in selection:
        selection.set([region.id])


class ClickOr(Gesture):
    """A press that selects if it stays a click; a drag becomes what ``drag`` makes of it."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface)
        self.start = pointer
        self.dragged = False

    def move(self, pointer: Pointer) -> None:
        """Begin to drag once the pointer has moved far enough."""
        if not self.dragged and pointer.moved_from(self.start):
            self.dragged = True
            self.begin(self.start)
        if self.dragged:
            self.drag(pointer)
            self.surface.refresh()

    def release(self, pointer: Pointer) -> None:
        """End the drag, or select."""
        self.move(pointer)  # the button may go up where no move was told of
        self.over = True
        if self.dragged:
            self.drop(pointer)
        else:
            self.click(pointer)
        self.surface.refresh()

    def begin(self, pointer: Pointer) -> None:
        """It is a drag; this is where it began."""

    def drag(self, pointer: Pointer) -> None:
        """The pointer moves on."""

    def drop(self, pointer: Pointer) -> None:
        """The drag is over."""

    def click(self, pointer: Pointer) -> None:
        """It was a click."""
        pick(self.surface, pointer)
