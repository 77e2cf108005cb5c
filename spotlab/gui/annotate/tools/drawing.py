"""Tools that draw: a press and drag begins something new, whatever is selected."""

from __future__ import annotations

from spotlab.gui.annotate.tools.picking import ClickOr, pick
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Surface, Tool
from spotlab.model import Region

EDITING = "select"  # the tool that changes outlines


class DrawingTool(Tool):
    """A tool that draws; outlines are changed in Select, where a double click leads."""

    def double_click(self, pointer: Pointer) -> bool:
        """Go to Select with the region there, until it is no longer selected."""
        self.workbench.selection.clear()
        if not pick(self.surface, pointer) or not self.workbench.selected:
            return False
        self.workbench.borrow_tool(EDITING)
        return True


class ShapeDrawing(ClickOr):
    """A press in a drawing tool; a drag draws, and ends the selection unless it changes that.

    Parameters
    ----------
    surface : Surface
    pointer : Pointer
        The press.
    changes : bool
        Whether Shift and Alt mean the selected region, not a new one.
    """

    def __init__(self, surface: Surface, pointer: Pointer, *, changes: bool = False) -> None:
        super().__init__(surface, pointer)
        self.removes = changes and pointer.alt
        self.changes = changes and (pointer.shift or pointer.alt)
        if self.changes:
            surface.workbench.editing.select_at_hand()
        self._selected = surface.workbench.selection.ids  # others may be, before the drag ends

    def begin(self, pointer: Pointer) -> None:
        """Something new begins."""
        if not self.changes:
            self.surface.workbench.editing.begin_drawing()

    def cancel(self) -> None:
        """Forget what was being drawn; what was selected before is selected again."""
        super().cancel()
        if self.dragged and not self.changes:
            self.surface.workbench.editing.select_again(self._selected)

    def to_change(self) -> Region | None:
        """Return the region that Shift or Alt changes; None, and said why, if it is not one."""
        document = self.surface.workbench.document
        selected = document.regions_of(self._selected) if document is not None else ()
        if len(selected) == 1:
            return selected[0]
        what = "Alt takes away from it" if self.removes else "Shift adds to it"
        found = f"{len(selected)} are selected" if selected else "none is selected"
        self.surface.workbench.editing.refuse(f"Select one region first: {what}, and {found}")
        return None
