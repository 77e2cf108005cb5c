"""Where the pointer is and which keys are held, in page px: all that a gesture needs to know."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent

from spotlab.gui.canvas.style import NEAR
from spotlab.gui.canvas.view import View


@dataclass(frozen=True)
class Pointer:
    """The pointer at one moment.

    Attributes
    ----------
    x, y : float
        In page px; may lie outside the page.
    near : float
        How far from something still counts as on it, in page px.
    shift, alt, ctrl : bool
        Which modifiers are held.
    """

    x: float
    y: float
    near: float = 1.0
    shift: bool = False
    alt: bool = False
    ctrl: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """(x, y) in page px."""
        return self.x, self.y

    @classmethod
    def of(cls, event: QMouseEvent, view: View) -> Pointer:
        """What a mouse event says."""
        x, y = view.to_page(event.position().x(), event.position().y())
        held = event.modifiers()
        modifier = Qt.KeyboardModifier
        return cls(
            x,
            y,
            NEAR / view.scale,
            bool(held & modifier.ShiftModifier),
            bool(held & modifier.AltModifier),
            bool(held & modifier.ControlModifier),
        )
