"""Whether a panel is really in sight: shown, and in front of those that it shares tabs with."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QDockWidget, QWidget


class InFront(QObject):
    """Follows a panel, as Qt calls one visible that is a tab behind others.

    The dock that it is in is looked for whenever the panel is shown.
    """

    changed = Signal(bool)  # whether it is now

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self._dock: QDockWidget | None = None
        self._before_others = True
        self._was = False
        panel.installEventFilter(self)

    def __bool__(self) -> bool:
        return self._before_others and self._panel.isVisible()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the panel is shown or hidden."""
        if event.type() == QEvent.Type.Show:
            self._find_dock()
            self._follow(self._before_others)
        elif event.type() == QEvent.Type.Hide:
            self._tell(False)
        return super().eventFilter(watched, event)

    def _find_dock(self) -> None:
        """Hear from the dock that the panel is in whether it is behind others."""
        parent = self._panel.parentWidget()
        while parent is not None and not isinstance(parent, QDockWidget):
            parent = parent.parentWidget()
        if isinstance(parent, QDockWidget) and parent is not self._dock:
            self._dock = parent
            self._before_others = self._panel.window().rect().intersects(parent.geometry())
            parent.visibilityChanged.connect(self._follow)

    def _follow(self, before_others: bool) -> None:
        self._before_others = before_others
        self._tell(bool(self))

    def _tell(self, is_now: bool) -> None:
        was, self._was = self._was, is_now
        if is_now != was:
            self.changed.emit(is_now)
