"""What has opened over the window: menus, dialogs, other windows; and how a user closes them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

ESCAPES = 3  # times that Esc is pressed before something counts as not to be closed
LOOK_EVERY = 50  # ms


def popup() -> QWidget | None:
    """The menu or list that is open over everything else."""
    return QApplication.activePopupWidget()


def opened_over(window: QWidget) -> QWidget | None:
    """What lies over the window now: a menu first, then what waits for an answer."""
    return popup() or QApplication.activeModalWidget() or _other_dialog(window)


def escape(opened: QWidget) -> bool:
    """Close something by Esc; False if it stays, then it is closed otherwise."""
    for _ in range(ESCAPES):
        if not isValid(opened) or not opened.isVisible():
            return True
        QTest.keyClick(opened.focusWidget() or opened, Qt.Key.Key_Escape)
        QApplication.processEvents()
    if isValid(opened) and opened.isVisible():
        opened.close()
        return False
    return True


class Guard:
    """Presses Esc for a menu or dialog in whose own loop a deed waits."""

    def __init__(self) -> None:
        self._doing = False
        self._timer = QTimer(interval=LOOK_EVERY)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        """Look from now on."""
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def do(self, deed: Callable[[], object]) -> None:
        """Do something that may open what waits for an answer."""
        self._doing = True
        try:
            deed()
        finally:
            self._doing = False

    def _look(self) -> None:
        blocking = (popup() or QApplication.activeModalWidget()) if self._doing else None
        if blocking is not None:
            QTest.keyClick(blocking, Qt.Key.Key_Escape)


def _other_dialog(window: QWidget) -> QWidget | None:
    for widget in QApplication.topLevelWidgets():
        if widget.isVisible() and widget is not window and isinstance(widget, QDialog):
            return widget
    return None
