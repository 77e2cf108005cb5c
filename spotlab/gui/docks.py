"""Puts the workspaces' panels around the canvas, and remembers where the user wants them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QTabWidget,
    QToolButton,
    QWidget,
)

from spotlab.gui import icons
from spotlab.gui.settings import Settings
from spotlab.gui.workspaces.base import Panel, Workspace

CROSS = 20  # px: the button that closes a panel
STATE = "window.state."  # and the workspace's name: the setting with its docks


class Docks:
    """The docks of all workspaces; only those of the current one are shown.

    Attributes
    ----------
    by_name : dict of str to QDockWidget
        By the panel's name.
    """

    def __init__(
        self, window: QMainWindow, panels: dict[str, list[Panel]], settings: Settings
    ) -> None:
        self._window = window
        self._panels = panels  # by workspace
        self._settings = settings
        self._workspace: Workspace | None = None
        self._any_pages = True
        self._away: list[QDockWidget] | None = []  # None: another workspace was entered since
        everything = [panel for of_workspace in panels.values() for panel in of_workspace]
        tabbed = {
            name for panel in everything if panel.beside for name in (panel.name, panel.beside)
        }
        self.by_name = {
            panel.name: _dock(window, panel, titled=panel.name not in tabbed)
            for panel in everything
        }
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        for panel in everything:
            if panel.beside:
                window.tabifyDockWidget(self.by_name[panel.beside], self.by_name[panel.name])

    def enter(self, workspace: Workspace) -> None:
        """Show this workspace's panels as they were when it was left, also in an earlier start."""
        self.remember()
        self._workspace = workspace
        if self._any_pages:
            self._arrange(workspace)
        else:
            self._away = None  # they belong to the workspace before

    def _arrange(self, workspace: Workspace) -> None:
        for dock in self.by_name.values():
            dock.hide()  # or the window grows until it holds the panels of both
        state = self._settings.get(STATE + workspace.name, "")
        if state and self._window.restoreState(QByteArray.fromBase64(state.encode())):
            self._hide_others()
            return
        shown = {panel.name for panel in self._panels[workspace.name] if panel.shown}
        shown.update(workspace.shares)
        for name, dock in self.by_name.items():
            dock.setVisible(name in shown)
        self._size(self._panels[workspace.name])
        for panel in self._panels[workspace.name]:
            if panel.shown and any(other.beside == panel.name for other in self._all()):
                self.by_name[panel.name].raise_()

    def offered(self, name: str) -> bool:
        """Whether the current workspace has this panel."""
        workspace = self._workspace
        if workspace is None:
            return False
        own = {panel.name for panel in self._panels[workspace.name]}
        return name in own or name in workspace.shares or name in workspace.offers

    def remember(self) -> None:
        """Keep where the current workspace's panels are."""
        if self._workspace is not None and self._any_pages:
            state = self._window.saveState().toBase64().toStdString()
            self._settings.set(STATE + self._workspace.name, state)

    def show(self, any_pages: bool) -> None:
        """Take all docks away while there is nothing to show in them, or bring them back."""
        if any_pages == self._any_pages:
            return
        if any_pages:
            self._any_pages = True
            if self._away is None and self._workspace is not None:
                self._arrange(self._workspace)
                return
            for dock in self._away or ():
                dock.show()
            self._hide_others()
        else:
            self._away = [dock for dock in self.by_name.values() if not dock.isHidden()]
            for dock in self._away:
                dock.hide()
            self._any_pages = False

    def _all(self) -> list[Panel]:
        return [panel for panels in self._panels.values() for panel in panels]

    def _hide_others(self) -> None:
        for name, dock in self.by_name.items():
            if not self.offered(name):
                dock.hide()

    def _size(self, panels: Sequence[Panel]) -> None:
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        for side in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
            across = side is Qt.Orientation.Horizontal
            sized = [panel for panel in panels if (panel.area is not bottom) is across]
            self._window.resizeDocks(
                [self.by_name[panel.name] for panel in sized],
                [panel.width for panel in sized],
                side,
            )


def _dock(window: QMainWindow, panel: Panel, *, titled: bool) -> QDockWidget:
    """A dock with a quiet title and a button that closes it; among tabs the tab is the title."""
    dock = QDockWidget(panel.title, window)
    dock.setObjectName(f"dock.{panel.name}")
    dock.setTitleBarWidget(_Title(dock, panel.title if titled else ""))
    dock.setWidget(panel.widget)
    dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
    window.addDockWidget(panel.area, dock)
    dock.hide()  # or the window grows until it holds the panels of all workspaces
    return dock


class _Title(QWidget):
    """What stands over a panel: its name, unless a tab says it, and ✕."""

    def __init__(self, dock: QDockWidget, text: str) -> None:
        super().__init__(dock)
        label = QLabel(text)
        label.setProperty("role", "heading")
        self.close_button = QToolButton()
        self.close_button.setAutoRaise(True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.close_button.setIconSize(QSize(12, 12))
        self.close_button.setFixedSize(CROSS, CROSS)
        self.close_button.setAccessibleName(f"Close {dock.windowTitle()}")
        self.close_button.setToolTip("Close this panel; View → Panels shows it again")
        self.close_button.clicked.connect(dock.close)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4 if text else 0, 4, 0)
        row.addWidget(label, 1)
        row.addWidget(self.close_button)
        icons.repainted.changed.connect(self._paint_icon)
        self._paint_icon()

    def _paint_icon(self) -> None:
        self.close_button.setIcon(icons.icon("close"))
