"""A label that says less where there is little room, instead of being cut off."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class Fitted(QLabel):
    """Shows the first of its texts that fits, the shortest if none does; all of it as its tip."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = [""]
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def say(self, *texts: str) -> None:
        """Show the first of these texts that fits; each is shorter than the one before."""
        self._texts = list(texts)
        self.setToolTip(texts[0])
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: D102
        return QSize(self._width(self._texts[0]), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: D102
        return QSize(self._width(self._texts[-1]), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        fitting = (text for text in self._texts if self._width(text) <= self.width())
        self.setText(next(fitting, self._texts[-1]))

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + 2
