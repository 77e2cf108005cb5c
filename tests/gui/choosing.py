"""Chooses in a combo box as a hand does: opens it, moves to the row, clicks."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.widgets import Choice

T = TypeVar("T")
LEFT = Qt.MouseButton.LeftButton


def pick(choice: Choice[T], value: T) -> None:
    """Click the box, then the row of a value."""
    QTest.mouseClick(choice, LEFT, pos=choice.rect().center())
    QApplication.processEvents()
    rows = choice.view()
    assert rows.isVisible()
    index = choice.model().index(choice.values.index(value), 0)
    rows.scrollTo(index)
    place = QPoint(8, rows.visualRect(index).center().y())
    QTest.mouseMove(rows.viewport(), place)
    QTest.mouseClick(rows.viewport(), LEFT, pos=place)
    QApplication.processEvents()
    if rows.isVisible():  # Qt passes over a click where the box was opened a moment ago
        QTest.keyClick(rows, Qt.Key.Key_Return)
        QApplication.processEvents()
    assert not rows.isVisible()
