"""An ellipse, drawn out from corner to corner."""

from __future__ import annotations

from spotlab.gui.annotate.tools.stretching import StretchTool
from spotlab.gui.canvas.tool import ToolKind
from spotlab.model import Primitive


class EllipseTool(StretchTool):
    """Drags it out."""

    primitive = Primitive.ELLIPSE


KIND = ToolKind(
    name="ellipse",
    title="Ellipse",
    icon="mdi6.ellipse-outline",
    shortcut="F7",
    hint="Drag from corner to corner",
    keys="Shift makes the sides equal, Alt starts at the centre, a click selects",
    order=6,
    make=EllipseTool,
    workspace="annotate",
)
