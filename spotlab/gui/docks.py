"""Puts a workspace's panels around the canvas."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QTabWidget

from spotlab.gui.workspaces.base import Panel


def add_docks(window: QMainWindow, panels: list[Panel]) -> dict[str, QDockWidget]:
    """A dock for each panel, with a quiet title; those at the right share the height."""
    window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
    window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
    docks: dict[str, QDockWidget] = {}
    for panel in panels:
        dock = QDockWidget(panel.title, window)
        dock.setObjectName(f"dock.{panel.name}")
        dock.setTitleBarWidget(_title(panel.title))
        dock.setWidget(panel.widget)
        dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        window.addDockWidget(panel.area, dock)
        dock.setVisible(panel.shown)
        docks[panel.name] = dock
    for side in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
        across = side is Qt.Orientation.Horizontal
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        sized = [panel for panel in panels if (panel.area is not bottom) is across]
        window.resizeDocks(
            [docks[panel.name] for panel in sized], [panel.width for panel in sized], side
        )
    return docks


class DockMemory:
    """Takes all docks away while there is nothing to show in them, and brings them back."""

    def __init__(self, docks: dict[str, QDockWidget]) -> None:
        self._docks = docks
        self._shown = True
        self._away: list[QDockWidget] = []

    def show(self, shown: bool) -> None:
        """Show those again that were shown before, or hide all."""
        if shown == self._shown:
            return
        self._shown = shown
        if not shown:
            self._away = [dock for dock in self._docks.values() if not dock.isHidden()]
        for dock in self._away:
            dock.setVisible(shown)


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "heading")
    label.setContentsMargins(12, 8, 12, 0)
    return label
