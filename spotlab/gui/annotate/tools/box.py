"""A box, drawn out from corner to corner."""

from __future__ import annotations

from spotlab.gui.annotate.tools.stretching import StretchTool
from spotlab.model import Primitive


class BoxTool(StretchTool):
    """Drags it out."""

    primitive = Primitive.BOX
