"""Tabs and titles of docks: which are in use, what is in front, and the ✕ that closes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QMainWindow,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from spotlab.gui.kit import icons
from spotlab.gui.kit.widgets import in_row

CROSS, ON_TAB, ICON = 20, 14, 12  # px: in a title, on a tab, at most
RIGHT_SIDE = QTabBar.ButtonPosition.RightSide
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
        self.setIcon(icons.icon("close"))


class DockTitle(QWidget):
    """Title bar of a panel that shares its place with no other: its name and ✕."""

    def __init__(self, dock: QDockWidget, text: str) -> None:
        super().__init__(dock)
        self.label = QLabel(text)
        self.label.setProperty("role", "heading")
        self.label.setMinimumWidth(1)  # text may be cut off
        self.close_button = Cross(dock, CROSS, self)
        self._row = in_row((self.label, 1), self.close_button, of=self)
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
            cross = bar.tabButton(at, RIGHT_SIDE)
            if isinstance(cross, Cross) and cross.dock is dock:
                continue
            if cross is not None:
                cross.deleteLater()
            bar.setTabButton(at, RIGHT_SIDE, Cross(dock, ON_TAB, bar) if dock is not None else None)


class DockTabs:
    """Keeps one bar for each place that docks share, with a ✕ on its tab in front.

    Qt leaves bars where they were when their docks are put elsewhere.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        self._window = window
        self._docks = docks
        self._bar_of: dict[frozenset[str], QTabBar] = {}  # in use, by what its tabs say
        self._crosses = TabCrosses(window, self._dock_titled)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

    def together(self, dock: QDockWidget) -> frozenset[str]:
        """Objects' names of what shares a place with a dock, and its own."""
        others = [each for each in self._window.tabifiedDockWidgets(dock) if not each.isHidden()]
        return frozenset(each.objectName() for each in (dock, *others))

    def is_in_front(self, dock: QDockWidget) -> bool:
        """Tell whether no other dock that shares its place hides it."""
        for bar, titles in self._bars():
            if not bar.isHidden() and dock.windowTitle() in titles:
                return titles[bar.currentIndex()] == dock.windowTitle()
        return True

    def clear(self, docks: list[QDockWidget]) -> None:
        """Empty the bars of these docks: they are about to be put elsewhere."""
        for bar, titles in self._bars():
            if {dock.windowTitle() for dock in docks}.intersection(titles):
                _empty(bar)

    def retire(self) -> None:
        """Hide the bars that are left over.

        Of bars that say the same, the one that has come last is in use.
        """
        shown = [dock for dock in self._docks.values() if not dock.isHidden()]
        names = {dock.objectName(): dock.windowTitle() for dock in shown}
        groups = {frozenset(names[name] for name in self.together(dock)) for dock in shown}
        alike: dict[frozenset[str], list[QTabBar]] = {}
        for bar, titles in self._bars():
            if titles:
                alike.setdefault(frozenset(titles), []).append(bar)
        for named, bars in alike.items():
            new = [bar for bar in bars if bar is not self._bar_of.get(named)] or bars
            self._bar_of[named] = new[-1]
            for bar in bars:
                bar.setVisible(bar is new[-1] and len(named) > 1 and named in groups)
                if bar is not new[-1]:
                    _empty(bar)
            if not new[-1].isHidden():
                self._crosses.follow(new[-1])
        for bar, titles in self._bars():
            bar.setAccessibleName(f"Panels: {', '.join(titles)}")

    def show_titles(self) -> None:
        """Let a dock that has its place to itself have a title; among tabs the tab is the title."""
        for dock in self._docks.values():
            title = dock.titleBarWidget()
            if isinstance(title, DockTitle):
                title.show_parts(len(self.together(dock)) == 1)

    def _bars(self) -> list[tuple[QTabBar, list[str]]]:
        """All bars of tabs, with what they say."""
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [(bar, [bar.tabText(at) for at in range(bar.count())]) for bar in bars]

    def _dock_titled(self, title: str) -> QDockWidget | None:
        """The dock that a tab stands for; other workspaces may have one of the same title."""
        shown = (dock for dock in self._docks.values() if not dock.isHidden())
        return next((dock for dock in shown if dock.windowTitle() == title), None)


def _empty(bar: QTabBar) -> None:
    was = bar.blockSignals(True)
    while bar.count():
        bar.removeTab(0)
    bar.blockSignals(was)
    bar.hide()
