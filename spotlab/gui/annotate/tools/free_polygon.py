"""A free polygon by clicks."""

from __future__ import annotations

from spotlab.gui.annotate.tools.clicking import ClickTool, as_clicked
from spotlab.model import Primitive


class FreeTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.POLYGON
    shape = staticmethod(as_clicked)
