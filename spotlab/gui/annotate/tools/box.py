"""A box, drawn out from corner to corner."""

from __future__ import annotations

from spotlab.gui.annotate.tools.stretching import StretchTool
from spotlab.gui.canvas.tool import ToolKind
from spotlab.model import Primitive


class BoxTool(StretchTool):
    """Drags it out."""

    primitive = Primitive.BOX


KIND = ToolKind(
    name="box",
    title="Box",
    icon="mdi6.rectangle-outline",
    shortcut="F6",
    hint="Drag from corner to corner",
    keys="Shift makes the sides equal, Alt starts at the centre, a click selects",
    order=5,
    make=BoxTool,
    workspace="annotate",
)
