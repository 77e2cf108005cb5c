"""A line at the pointer that says why what was done there came to nothing."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QLabel, QWidget

_SHOWN_FOR = 6000  # ms
_WIDEST = 420  # px
_AWAY = 18  # px from the pointer, which hides nothing of it
_EDGE = 6  # px from the canvas' edges


class PointerNote(QLabel):
    """Goes by itself, and as soon as something else is done."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("role", "note")
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, singleShot=True, interval=_SHOWN_FOR)
        self._timer.timeout.connect(self.hide)
        self.hide()

    def tell(self, text: str, place: QPoint) -> None:
        """Show a line beside a place of the canvas."""
        self.setText(text)
        self.setAccessibleName(text)
        wide = self.fontMetrics().horizontalAdvance(text) + 24
        self.setFixedWidth(min(wide, _WIDEST, max(40, self._canvas.width() - 2 * _EDGE)))
        self.setFixedHeight(self.heightForWidth(self.width()))
        right, low = self._canvas.width() - self.width(), self._canvas.height() - self.height()
        x, y = place.x() + _AWAY, place.y() + _AWAY
        if y > low - _EDGE:
            y = place.y() - self.height() - _AWAY
        self.move(max(_EDGE, min(x, right - _EDGE)), max(_EDGE, min(y, low - _EDGE)))
        self.show()
        self.raise_()
        self._timer.start()
