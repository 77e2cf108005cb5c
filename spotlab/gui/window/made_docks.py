"""Makes the docks of panels when they are asked for first."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from spotlab.gui.kit.panel_area import PanelArea
from spotlab.gui.window.dock_crosses import DockTitle
from spotlab.gui.window.panels import PanelWidgets
from spotlab.gui.workspace.workspace import Panel


class MadeDocks:
    """The docks that are made, in the order in which their panels are declared.

    Parameters
    ----------
    window : QMainWindow
    widgets : PanelWidgets
        What fills them.
    changed : callable
        Called when a dock is shown or hidden.

    Attributes
    ----------
    by_name : dict of str to QDockWidget
        By the panel's name.
    """

    def __init__(
        self, window: QMainWindow, widgets: PanelWidgets, changed: Callable[[], object]
    ) -> None:
        self._window, self._widgets, self._changed = window, widgets, changed
        self._declared = {panel.name: panel for panel in widgets.every}
        self.by_name: dict[str, QDockWidget] = {}

    def panels(self) -> list[Panel]:
        """The panels whose docks are made."""
        return [self._declared[name] for name in self.by_name]

    def fill_made(self) -> None:
        """Put widgets into their docks: those that are made, and others once they are."""
        for name in self._declared:
            if self._widgets.is_made(name):
                self._fill(name)
        self._widgets.made.connect(self._fill)

    def make(self, name: str) -> None:
        """Make a panel's widget, which fills its dock, unless that is done."""
        _ = self._widgets[name]

    def dock(self, name: str) -> QDockWidget:
        """A panel's dock."""
        if name not in self.by_name:
            panel = self._declared[name]
            dock = _dock(self._window, panel)
            known = self.by_name | {name: dock}
            self.by_name.clear()  # it is handed out: the same dict in another order
            self.by_name.update((each, known[each]) for each in self._declared if each in known)
            if panel.beside:
                self._window.tabifyDockWidget(self.dock(panel.beside), dock)
            dock.visibilityChanged.connect(lambda _: self._changed())
        return self.by_name[name]

    def area(self, name: str) -> Qt.DockWidgetArea:
        """The side that a panel belongs to."""
        return self._declared[name].area

    def put_back(self, name: str) -> None:
        """Restoring an arrangement that is older than a dock has put the dock anywhere."""
        window, dock, panel = self._window, self.by_name[name], self._declared[name]
        if window.dockWidgetArea(dock) is not panel.area:
            window.addDockWidget(panel.area, dock)
        if panel.beside and dock not in window.tabifiedDockWidgets(self.dock(panel.beside)):
            window.tabifyDockWidget(self.dock(panel.beside), dock)

    def _fill(self, name: str) -> None:
        self.dock(name).setWidget(PanelArea(self._widgets[name]))


def _dock(window: QMainWindow, panel: Panel) -> QDockWidget:
    """An empty dock with a title and a button that closes it; among tabs the tab is the title."""
    dock = QDockWidget(panel.title, window)
    dock.setObjectName(f"dock.{panel.name}")
    dock.setTitleBarWidget(DockTitle(dock, panel.title))
    dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
    window.addDockWidget(panel.area, dock)
    dock.hide()  # or the window grows until it holds the panels of all workspaces
    return dock
