"""An isothetic polygon by clicks."""

from __future__ import annotations

from spotlab.gui.annotate.tools.clicking import ClickTool, as_isothetic
from spotlab.gui.canvas.tool import ToolKind
from spotlab.model import Primitive


class IsotheticTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.ISOTHETIC
    shape = staticmethod(as_isothetic)


KIND = ToolKind(
    name="isothetic",
    title="Isothetic polygon",
    icon="mdi6.vector-polyline",
    shortcut="F8",
    hint="Click corners; edges run along x and y; Enter closes",
    keys="Backspace takes the last corner back, Esc all of them",
    order=7,
    make=IsotheticTool,
    workspace="annotate",
)
