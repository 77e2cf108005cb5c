"""What the canvas shows of a run: areas, the states of symbols, or both."""

from __future__ import annotations

from enum import StrEnum

from spotlab.gui.kit.settings import OVERLAY
from spotlab.gui.pages.workbench import Workbench
from spotlab.signal import Signal


class OverlayKind(StrEnum):
    """What is painted over the page."""

    AREAS = "areas"
    SYMBOLS = "symbols"
    BOTH = "both"

    @property
    def has_areas(self) -> bool:
        """Whether areas are filled by their kinds."""
        return self is not OverlayKind.SYMBOLS

    @property
    def has_symbols(self) -> bool:
        """Whether symbols have outlines and marks by their states."""
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
        """What is shown; areas at first."""
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
