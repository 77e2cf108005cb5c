"""How wide the docks at the sides are: narrower in a narrow window, and as before in a wide one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

CENTRE = 0.36  # of the window's width, at least
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
WIDEST = {LEFT: 0.25, RIGHT: 0.325}  # of the window's width, where the middle has too little

Area = Qt.DockWidgetArea


@dataclass(frozen=True)
class Width:
    """How wide a side shall be: in a wide window, a share of it.

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
        """Whether a button is held while the window keeps its size."""
        held = bool(QApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        return held and self._window.width() == self._fitted_in

    def _follow(self, sides: Mapping[Area, Sequence[QDockWidget]]) -> None:
        for area, docks in sides.items():
            for dock in docks:
                if dock not in self._area_of:
                    dock.installEventFilter(self)
                self._area_of[dock] = area
