"""A convex polygon by clicks."""

from __future__ import annotations

from spotlab.gui.annotate.tools.clicking import ClickTool, as_hull
from spotlab.model import Primitive


class ConvexTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.HULL
    shape = staticmethod(as_hull)
