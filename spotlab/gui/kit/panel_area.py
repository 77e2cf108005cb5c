"""A panel in its dock: scrolled where it has too little room, so the window never grows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedLayout, QStyle, QWidget

WIDEST = 270  # px that a panel may ask for, its scroll bar included
LEAST = 96  # px of height that a panel always gets


class PanelArea(QScrollArea):
    """Asks for no more than `WIDEST` × `LEAST` px, whatever is in the panel.

    The panel has all the room that there is, and is scrolled where it needs more: not more than it
    needs, as it would be with Qt's own resizing, which counts lines of text by what they want.
    """

    def __init__(self, panel: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it is focused
        self._panel = panel
        self.setWidget(panel)
        panel.installEventFilter(self)

    def needed(self) -> int:
        """The height in px at which it need not be scrolled, whatever it shows."""
        return _least(self._panel).height()

    def sizeHint(self) -> QSize:
        """The panel's."""
        return self._panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What the panel needs, within bounds."""
        wanted = _least(self._panel)
        return QSize(min(wanted.width() + self._bar, WIDEST), min(wanted.height(), LEAST))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The panel needs more or less."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room."""
        super().resizeEvent(event)
        self._fit()

    @property
    def _bar(self) -> int:
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)

    def _fit(self) -> None:
        panel, room = self._panel, self.maximumViewportSize()
        width = max(room.width(), _least(panel).width())
        if _least_height(panel, width) > room.height():
            width = max(room.width() - self._bar, _least(panel).width())
        panel.resize(width, max(room.height(), _least_height(panel, width)))


def _least(panel: QWidget) -> QSize:
    return panel.minimumSizeHint().expandedTo(panel.minimumSize())


def _least_height(panel: QWidget, width: int) -> int:
    """Px that all it shows needs at this width, lines of text at their fullest."""
    layout = panel.layout()
    if isinstance(layout, QStackedLayout):
        shown = layout.currentWidget()
        return _least_height(shown, width) if shown is not None else 0
    if layout is None or not layout.hasHeightForWidth():
        return _least(panel).height()
    return layout.totalMinimumHeightForWidth(width)
