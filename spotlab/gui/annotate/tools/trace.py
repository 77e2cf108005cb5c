"""Trace: a click takes a component, a stroke several, with their exact outline."""

from __future__ import annotations

from spotlab.editing.hit import Hit
from spotlab.gui.annotate.tools.picking import is_on_outline
from spotlab.gui.annotate.tools.points import PointsTool
from spotlab.gui.annotate.tools.sketch import Stroke
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture
from spotlab.model import Primitive


class TraceTool(PointsTool):
    """Clicks and strokes take ink."""

    def begin(self, pointer: Pointer, found: Hit) -> Gesture | None:
        """A click or a stroke."""
        return TraceStroke(self.surface, pointer)


class TraceStroke(Stroke):
    """Like a sketch, with the exact outline; a click takes the component under the pointer."""

    primitive = Primitive.TRACE

    def click(self, pointer: Pointer) -> None:
        """Trace the component here; Shift and Alt change the selected region."""
        workbench = self.surface.workbench
        if self.adds or self.removes:
            super().click(pointer)
            return
        ink = workbench.ink.page
        taken = ink.component_at(*pointer.place) if ink else None
        if taken:
            workbench.editing.add_region(taken.outline(Primitive.TRACE), Primitive.TRACE)
        elif not is_on_outline(self.surface, pointer):
            workbench.editing.draw_nothing("No ink there: nothing was traced")
