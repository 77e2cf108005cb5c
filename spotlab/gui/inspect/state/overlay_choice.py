"""Content of the canvas for a run: areas, the states of symbols, or both."""

from __future__ import annotations

from enum import StrEnum

from spotlab.gui.kit.settings import OVERLAY
from spotlab.gui.pages.workbench import Workbench
from spotlab.signal import Signal


class OverlayKind(StrEnum):
    """Kind of overlay painted over the page."""

    AREAS = "areas"
    SYMBOLS = "symbols"
    BOTH = "both"

    @property
    def has_areas(self) -> bool:
        """Tell whether areas are filled by their kinds."""
        return self is not OverlayKind.SYMBOLS

    @property
    def has_symbols(self) -> bool:
        """Tell whether symbols have outlines and marks by their states."""
        return self is not OverlayKind.AREAS


class OverlayChoice:
    """The choice, kept from one start to the next.

    Attributes
    ----------
    changed : Signal
    """

    def __init__(self, workbench: Workbench) -> None:
        self.changed = Signal[[]]()
        self._settings = workbench.settings

    @property
    def value(self) -> OverlayKind:
        """Return what is shown; areas at first."""
        return OverlayKind(self._settings.get(OVERLAY))

    def choose(self, value: OverlayKind) -> None:
        """Show this."""
        if value is not self.value:
            self._settings.set(OVERLAY, value.value)
            self.changed.emit()

    def next(self) -> None:
        """Show areas, then symbols, then both, then areas again."""
        order = list(OverlayKind)
        self.choose(order[(order.index(self.value) + 1) % len(order)])
