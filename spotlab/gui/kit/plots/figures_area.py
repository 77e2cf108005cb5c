"""Lines of figures under a plot, as high as they are while there is room, else scrolled."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

LEAST = 64  # px: the head and two lines


class FiguresArea(QScrollArea):
    """Takes no more of the height than its share, so that the plot above keeps its own.

    Where it is too narrow for the figures they are scrolled rather than cut off.
    """

    def __init__(self, inside: QWidget, share: float = 0.4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = share  # at most, of what it stands in
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setWidget(inside)
        inside.installEventFilter(self)

    def sizeHint(self) -> QSize:
        """All lines, or the share."""
        inside, around = self.widget(), self.parentWidget()
        wanted = inside.minimumSizeHint().height() if inside else LEAST
        most = round(self._share * around.height()) if around else wanted
        return QSize(super().sizeHint().width(), max(min(wanted, most), min(LEAST, wanted)))

    def minimumSizeHint(self) -> QSize:
        """Two lines are always there."""
        return QSize(0, min(LEAST, self.sizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """More or fewer lines."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
