"""A line of text that gives way to its neighbours."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class Elided(QLabel):
    """As much of a text as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""

    def setText(self, text: str) -> None:
        """As much of this as there is room for."""
        self._whole = text
        self._elide()

    def whole(self) -> str:
        """All of the text."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._whole, Qt.TextElideMode.ElideRight, max(0, self.width() - 4)
        )
        super().setText(shown)
