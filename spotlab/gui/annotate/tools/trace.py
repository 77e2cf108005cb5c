"""Trace: a click takes a component, a stroke several, with their exact outline."""

from __future__ import annotations

from spotlab.gui.annotate.tools.drawing import DrawingTool
from spotlab.gui.annotate.tools.sketch import SketchStroke
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture
from spotlab.model import Primitive


class TraceTool(DrawingTool):
    """Clicks and strokes take ink."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """A click or a stroke."""
        return TraceStroke(self.surface, pointer)


class TraceStroke(SketchStroke):
    """Like a sketch, with the exact outline; a click takes the component under the pointer."""

    primitive = Primitive.TRACE

    def click(self, pointer: Pointer) -> None:
        """Trace the component here; Shift and Alt change the selected region."""
        if self.changes:
            super().click(pointer)
            return
        editing = self.surface.workbench.editing
        ink = self.surface.workbench.ink.page
        editing.begin_drawing()
        taken = ink.component_at(*pointer.place) if ink else None
        if taken:
            editing.draw(taken.outline(Primitive.TRACE), Primitive.TRACE)
        else:
            editing.draw_nothing("No ink there: nothing was traced")
