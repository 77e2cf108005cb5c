"""The sides around the canvas: docks, how wide they are, and the strips that fold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import PanelArea
from spotlab.gui.kit.widgets import in_row
from spotlab.gui.window.panels import PanelWidgets
from spotlab.gui.workspace import Panel

CROSS, ON_TAB, CROSS_ICON = 20, 14, 12  # px: in a title, on a tab, at most
RIGHT_SIDE = QTabBar.ButtonPosition.RightSide
FOLLOWED = "crossed"  # property of a bar that is followed


class Cross(QToolButton):
    """Closes a dock."""

    def __init__(self, dock: QDockWidget, side: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "cross")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(1, 1) * min(side - 4, CROSS_ICON))
        self.setFixedSize(side, side)
        self.setAccessibleName(f"Close {dock.windowTitle()}")
        self.setToolTip("Close this panel; View → Panels opens it again")
        self.dock = dock
        self.clicked.connect(dock.close)
        self.setIcon(theme.icon("close"))


class DockTitle(QWidget):
    """Title bar of a panel that shares its place with no other: its name and ✕."""

    def __init__(self, dock: QDockWidget, text: str) -> None:
        super().__init__(dock)
        self.label = set_up(QLabel(text), role="heading")
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


CENTRE = 0.36  # of the window's width, at least
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
WIDEST = {LEFT: 0.25, RIGHT: 0.325}  # of the window's width, where the middle has too little

Area = Qt.DockWidgetArea


@dataclass(frozen=True)
class Width:
    """Width of a side of the window: a fixed width, or a share of the window if it is wide.

    Examples
    --------
    >>> Width(430, 0.3).within(1440), Width(430, 0.3).within(1920), Width(430).within(1920)
    (432, 576, 430)
    """

    px: int
    share: float = 0.0

    def within(self, total: int) -> int:
        """Px in a window of this width."""
        return max(self.px, int(self.share * total))


class SideWidths(QObject):
    """The widths that are wanted at the sides of each workspace, and those that there is room for.

    What is wanted is what a panel starts with, which may grow with the window, or what the user
    drags it to; a window that becomes narrower changes only what there is room for.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._defaults: dict[tuple[str, Area], Width] = {}
        self._wanted: dict[tuple[str, Area], Width] = {}
        self._workspace = ""
        self._fitted_in = 0  # px of the window's width when they were fitted last
        self._area_of: dict[QDockWidget, Area] = {}

    def start_with(self, workspace: str, area: Area, width: Width) -> None:
        """Let the docks at a side be this wide as long as the user does not drag them."""
        self._defaults[workspace, area] = width

    def reset(self, workspace: str) -> None:
        """Want the widths that panels start with."""
        own = {key: width for key, width in self._defaults.items() if key[0] == workspace}
        self._wanted |= own

    def fit(self, workspace: str, sides: Mapping[Area, Sequence[QDockWidget]]) -> None:
        """Give the docks of this workspace their widths in the window as it is now."""
        self._follow(sides)
        now = {area: docks[0].width() for area, docks in sides.items() if docks}
        middle, layout = self._window.centralWidget(), self._window.layout()
        assert middle is not None and layout is not None  # the window has both from the start
        room = middle.width() + sum(now.values())
        self._find_wanted(workspace, now, room)
        fitted = self._fitted({area: self._wanted[workspace, area] for area in now}, room)
        for area, width in fitted.items():
            if width != now[area]:
                docks = list(sides[area])
                self._window.resizeDocks(docks, [width] * len(docks), Qt.Orientation.Horizontal)
        self._workspace = workspace
        layout.activate()
        self._fitted_in = self._window.width()

    def _find_wanted(self, workspace: str, now: Mapping[Area, int], room: int) -> None:
        """Want widths of an earlier start, unless they are those that the panels start with."""
        defaults = {area: self._defaults.get((workspace, area), Width(now[area])) for area in now}
        fitted = self._fitted(defaults, room)
        for area, width in now.items():
            same = abs(fitted[area] - width) <= 1
            self._wanted.setdefault((workspace, area), defaults[area] if same else Width(width))

    def _fitted(self, wanted: Mapping[Area, Width], room: int) -> dict[Area, int]:
        """The widths in px that there is room for, beside the middle."""
        total = self._window.width()
        widths = {area: width.within(total) for area, width in wanted.items()}
        if room - sum(widths.values()) >= CENTRE * total:
            return widths
        return {area: min(width, int(WIDEST[area] * total)) for area, width in widths.items()}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the user drags what is between a side and the middle."""
        if (
            event.type() == QEvent.Type.Resize
            and isinstance(watched, QDockWidget)
            and self._dragged()
            and watched in self._area_of
        ):
            self._wanted[self._workspace, self._area_of[watched]] = Width(watched.width())
        return super().eventFilter(watched, event)

    def _dragged(self) -> bool:
        """Tell whether a button is held while the window keeps its size."""
        held = bool(QApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        return held and self._window.width() == self._fitted_in

    def _follow(self, sides: Mapping[Area, Sequence[QDockWidget]]) -> None:
        for area, docks in sides.items():
            for dock in docks:
                if dock not in self._area_of:
                    dock.installEventFilter(self)
                self._area_of[dock] = area


OPEN, FOLDED, ICON = 6, 22, 12  # px across, of an open and a folded side; of the arrow

BOTTOM = Area.BottomDockWidgetArea
NAMES = {LEFT: "left", RIGHT: "right", BOTTOM: "lower"}
_ARROWS = {  # towards the side, and away from it
    LEFT: ("chevron-left", "chevron-right"),
    RIGHT: ("chevron-right", "chevron-left"),
    BOTTOM: ("chevron-down", "chevron-up"),
}


class SideStrip(QWidget):
    """A narrow bar along one edge of the canvas.

    Its arrow folds the panels of the side away, or brings them back. While they are folded, their
    names stand beside it; a click on a name brings them back with that panel in front.

    Attributes
    ----------
    arrow : QToolButton
    tabs : dict of str to QToolButton
        The names of what is folded, by the panels' names.
    pressed : Signal
        The arrow is pressed.
    chosen : Signal
        The name of a panel that is folded.
    """

    pressed = Signal()
    chosen = Signal(str)

    def __init__(self, area: Area, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        self._area = area
        self.tabs: dict[str, QToolButton] = {}
        self.arrow = _Arrow(_ARROWS[area])
        self.arrow.clicked.connect(self.pressed)
        self._row: QBoxLayout = QHBoxLayout(self) if area is BOTTOM else QVBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._row.addStretch(1)
        self._row.addWidget(self.arrow)
        self._row.addStretch(1)
        self.show_folded({})
        self.hide()

    def show_folded(self, titles: Mapping[str, str]) -> None:
        """List the panels that are folded, by name and title; none: the side is open."""
        for tab in self.tabs.values():
            tab.hide()
            self._row.removeWidget(tab)
            tab.deleteLater()
        self.tabs = {name: self._tab(name, title) for name, title in titles.items()}
        self._row.setStretch(0, 0 if titles else 1)  # the arrow of an open side is in the middle
        for at, tab in enumerate(self.tabs.values(), 2):
            self._row.insertWidget(at, tab)
        hints = [tab.minimumSizeHint() for tab in self.tabs.values()]
        sides = [hint.height() if self._area is BOTTOM else hint.width() for hint in hints]
        across = max([FOLDED, *sides]) if titles else OPEN
        deed = "Show" if titles else "Fold away"
        self.arrow.setToolTip(f"{deed} the {NAMES[self._area]} panels")
        self.arrow.setAccessibleName(self.arrow.toolTip())
        if self._area is BOTTOM:
            self.setFixedHeight(across)
            self.arrow.setFixedSize(48 if not titles else FOLDED, across)
        else:
            self.setFixedWidth(across)
            self.arrow.setFixedSize(across, 48 if not titles else FOLDED)
        self.arrow.point(outwards=not titles)

    def _tab(self, name: str, title: str) -> QToolButton:
        tab = QToolButton() if self._area is BOTTOM else _UpwardButton()
        tab.setAutoRaise(True)
        tab.setText(title)
        tab.setToolTip(f"Show {title}")
        tab.clicked.connect(lambda: self.chosen.emit(name))
        return tab


class _Arrow(QToolButton):
    """A button that is no wider than the strip; its icons point towards the side, and away."""

    def __init__(self, names: tuple[str, str]) -> None:
        super().__init__()
        self._names, self._outwards = names, True
        self.setAutoRaise(True)
        self.setProperty("role", "cross")
        self.setIconSize(QSize(ICON, ICON))

    def point(self, *, outwards: bool) -> None:
        """Point towards the side, or away from it."""
        self._outwards = outwards
        self.setIcon(theme.icon(self._names[0 if self._outwards else 1]))

    def sizeHint(self) -> QSize:
        """The size that the strip gives it."""
        return self.maximumSize()

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.maximumSize()


class _UpwardButton(QToolButton):
    """A button whose text runs upwards."""

    def sizeHint(self) -> QSize:
        """As of a button whose text runs to the right, turned."""
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button turned to the left."""
        painter = QStylePainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        painter.rotate(-90)
        painter.translate(-self.height(), 0)
        option.rect = option.rect.transposed()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)


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
