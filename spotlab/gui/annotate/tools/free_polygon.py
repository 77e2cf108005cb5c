"""A free polygon by clicks."""

from __future__ import annotations

from spotlab.gui.annotate.tools.clicking import ClickTool, as_clicked
from spotlab.gui.canvas.tool import ToolKind
from spotlab.model import Primitive


class FreeTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.POLYGON
    shape = staticmethod(as_clicked)


KIND = ToolKind(
    name="free_polygon",
    title="Free polygon",
    icon="mdi6.vector-polygon",
    shortcut="F5",
    hint="Click the corners of the outline; Enter closes it",
    keys="Backspace takes the last corner back, Esc all of them",
    order=4,
    make=FreeTool,
    workspace="annotate",
)
