"""How wide the docks at the sides are: narrower in a narrow window, and as before in a wide one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

CENTRE = 0.36  # of the window's width, at least
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
WIDEST = {LEFT: 0.25, RIGHT: 0.325}  # of the window's width, where the middle has too little

Area = Qt.DockWidgetArea


class SideWidths(QObject):
    """The widths that are wanted at the sides of each workspace, and those that there is room for.

    What is wanted is what a panel starts with or what the user drags it to; a window that becomes
    narrower changes only what there is room for.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wanted: dict[tuple[str, Area], int] = {}
        self._workspace = ""
        self._fitted_in = 0  # px of the window's width when they were fitted last
        self._area_of: dict[QDockWidget, Area] = {}

    def want(self, workspace: str, area: Area, width: int) -> None:
        """Make the docks at a side this wide when they are fitted, if there is room."""
        self._wanted[workspace, area] = width

    def fit(self, workspace: str, sides: Mapping[Area, Sequence[QDockWidget]]) -> None:
        """Give the docks of this workspace their widths in the window as it is now."""
        self._follow(sides)
        now = {area: docks[0].width() for area, docks in sides.items() if docks}
        wanted = {area: self._wanted.setdefault((workspace, area), now[area]) for area in now}
        total = self._window.width()
        middle, layout = self._window.centralWidget(), self._window.layout()
        assert middle is not None and layout is not None  # the window has both from the start
        spare = middle.width() + sum(now.values()) - sum(wanted.values())
        narrow = spare < CENTRE * total
        for area, most in wanted.items():
            width = min(most, int(WIDEST[area] * total)) if narrow else most
            if width != now[area]:
                docks = list(sides[area])
                self._window.resizeDocks(docks, [width] * len(docks), Qt.Orientation.Horizontal)
        self._workspace = workspace
        layout.activate()
        self._fitted_in = total

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the user drags what is between a side and the middle."""
        if (
            event.type() == QEvent.Type.Resize
            and isinstance(watched, QDockWidget)
            and self._dragged()
            and watched in self._area_of
        ):
            self._wanted[self._workspace, self._area_of[watched]] = watched.width()
        return super().eventFilter(watched, event)

    def _dragged(self) -> bool:
        """Whether a button is held while the window keeps its size."""
        held = bool(QApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        return held and self._window.width() == self._fitted_in

    def _follow(self, sides: Mapping[Area, Sequence[QDockWidget]]) -> None:
        for area, docks in sides.items():
            for dock in docks:
                if dock not in self._area_of:
                    dock.installEventFilter(self)
                self._area_of[dock] = area
