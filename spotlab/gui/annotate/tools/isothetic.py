"""An isothetic polygon by clicks."""

from __future__ import annotations

from spotlab.gui.annotate.tools.clicking import ClickTool, as_isothetic
from spotlab.model import Primitive


class IsotheticTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.ISOTHETIC
    shape = staticmethod(as_isothetic)
