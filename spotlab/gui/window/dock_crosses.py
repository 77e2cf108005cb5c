"""The ✕ that closes a panel: in its title, or on the tab in front where panels share a place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QTabBar,
    QToolButton,
    QWidget,
)

from spotlab.gui.kit import icons

CROSS, ON_TAB, ICON = 20, 14, 12  # px: in a title, on a tab, at most
RIGHT = QTabBar.ButtonPosition.RightSide
FOLLOWED = "crossed"  # property of a bar that is followed


class Cross(QToolButton):
    """Closes a dock."""

    def __init__(self, dock: QDockWidget, side: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "cross")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(1, 1) * min(side - 4, ICON))
        self.setFixedSize(side, side)
        self.setAccessibleName(f"Close {dock.windowTitle()}")
        self.setToolTip("Close this panel; View → Panels opens it again")
        self.dock = dock
        self.clicked.connect(dock.close)
        icons.repainted.changed.connect(self._paint_icon)
        self._paint_icon()

    def _paint_icon(self) -> None:
        self.setIcon(icons.icon("close"))


class DockTitle(QWidget):
    """What stands over a panel that has its place to itself: its name and ✕."""

    def __init__(self, dock: QDockWidget, text: str) -> None:
        super().__init__(dock)
        self.label = QLabel(text)
        self.label.setProperty("role", "heading")
        self.label.setMinimumWidth(1)  # text may be cut off
        self.close_button = Cross(dock, CROSS, self)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.label, 1)
        self._row.addWidget(self.close_button)
        self.show_parts(True)

    def show_parts(self, shown: bool) -> None:
        """Show name and ✕, or take no room, as a tab has both."""
        self._row.setContentsMargins(*((12, 4, 4, 0) if shown else (0, 0, 0, 0)))
        self.label.setVisible(shown)
        self.close_button.setVisible(shown)


class TabCrosses:
    """Keeps a ✕ on the tab in front of each bar; the others would have less room for their names.

    ``dock_titled`` gives the dock that a tab stands for.
    """

    def __init__(
        self, window: QMainWindow, dock_titled: Callable[[str], QDockWidget | None]
    ) -> None:
        self._window = window
        self._dock_titled = dock_titled

    def follow(self, bar: QTabBar) -> None:
        """Put the ✕ on the tab in front, now and whenever that is another."""
        if not bar.property(FOLLOWED):
            bar.setProperty(FOLLOWED, True)
            bar.setUsesScrollButtons(False)  # names are shortened instead: all can be reached
            bar.setElideMode(Qt.TextElideMode.ElideRight)
            bar.currentChanged.connect(lambda _: self._put(bar))
        self._put(bar)

    def _put(self, bar: QTabBar) -> None:
        for at in range(bar.count()):
            dock = self._dock_titled(bar.tabText(at)) if at == bar.currentIndex() else None
            cross = bar.tabButton(at, RIGHT)
            if isinstance(cross, Cross) and cross.dock is dock:
                continue
            if cross is not None:
                cross.deleteLater()
            bar.setTabButton(at, RIGHT, Cross(dock, ON_TAB, bar) if dock is not None else None)
