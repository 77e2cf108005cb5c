"""A convex polygon by clicks."""

from __future__ import annotations

from spotlab.gui.annotate.tools.clicking import ClickTool, as_hull
from spotlab.gui.canvas.tool import ToolKind
from spotlab.model import Primitive


class ConvexTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.HULL
    shape = staticmethod(as_hull)


KIND = ToolKind(
    name="polygon",
    title="Convex polygon",
    icon="mdi6.hexagon-outline",
    shortcut="F4",
    hint="Click the corners of a convex outline; Enter closes it",
    keys="Backspace takes the last corner back, Esc all of them",
    order=3,
    make=ConvexTool,
    workspace="annotate",
)
