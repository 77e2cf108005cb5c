"""Groups of docks: those that share a place as tabs, while the groups stand below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from spotlab.gui.kit.panel_area import PanelArea
from spotlab.gui.window.dock_tabs import DockTabs
from spotlab.gui.window.made_docks import MadeDocks

HEAD = 28  # px of a dock's title, or of its tab
COMFORTABLE = 150  # px that a panel is given before others share its place

Group = tuple[str, ...]  # names of docks that share a place; one alone has it to itself


def grouped(wanted: Sequence[tuple[Group, int]], room: int) -> list[Group]:
    """Put the last ones together as tabs until all fit below each other.

    Parameters
    ----------
    wanted : sequence of (names, height)
        From the top, with the height in px that each needs.
    room : int
        Height in px that there is for all.

    Examples
    --------
    >>> places = [(("labels",), 160), (("region",), 300), (("steps",), 160)]
    >>> grouped(places, 640)
    [('labels',), ('region',), ('steps',)]
    >>> grouped(places, 500)
    [('labels',), ('region', 'steps')]
    >>> grouped(places, 400)
    [('labels', 'region', 'steps')]
    """
    places = list(wanted)
    while len(places) > 1 and sum(height for _, height in places) > room:
        (upper, above), (lower, below) = places[-2:]
        places[-2:] = [((*upper, *lower), max(above, below))]
    return [names for names, _ in places]


class DockGroups:
    """The docks at the sides: which share a place as tabs, and how high each place is.

    Parameters
    ----------
    window : QMainWindow
    docks : MadeDocks
    tabs : DockTabs
    """

    def __init__(self, window: QMainWindow, docks: MadeDocks, tabs: DockTabs) -> None:
        self._window, self._docks, self._tabs = window, docks, tabs

    def units(self, area: Qt.DockWidgetArea) -> list[Group]:
        """The docks that are shown at a side from the top, with those that always share a place."""
        units: dict[str, Group] = {}
        for panel in self._docks.panels():
            if panel.area is area and not self._docks.by_name[panel.name].isHidden():
                first = panel.beside or panel.name
                units[first] = (*units.get(first, ()), panel.name)
        return list(units.values())

    def groups(self, units: list[Group]) -> list[Group]:
        """As the docks share places now."""
        groups: dict[frozenset[str], Group] = {}
        for name in (name for names in units for name in names):
            together = self._tabs.together(self._docks.by_name[name])
            groups[together] = (*groups.get(together, ()), name)
        return list(groups.values())

    def side(self, area: Qt.DockWidgetArea) -> list[QDockWidget]:
        """What is shown at a side, one of those that share a place."""
        return [self._docks.by_name[names[0]] for names in self.units(area)]

    def needed(self, names: Group) -> int:
        """Height in px that docks need which share a place."""
        areas = [self._docks.by_name[name].widget() for name in names]
        heights = [area.needed() for area in areas if isinstance(area, PanelArea)]
        return max([COMFORTABLE, *heights]) + HEAD

    def regroup(
        self,
        area: Qt.DockWidgetArea,
        groups: list[Group],
        comes_to_front: Callable[[QDockWidget], bool],
    ) -> None:
        """Let these docks of a side stand below each other, those of a group as tabs."""
        window = self._window
        docks = [[self._docks.by_name[name] for name in names] for names in groups]
        every = [dock for group in docks for dock in group]
        in_front = [dock for dock in every if comes_to_front(dock)]
        width = max(dock.width() for dock in every)
        for dock in every:
            window.removeDockWidget(dock)
        self._tabs.clear(every)
        for first, *others in docks:
            window.addDockWidget(area, first)
            for dock in others:
                window.tabifyDockWidget(first, dock)
        for dock in every:
            dock.show()
        for group in docks:
            next((dock for dock in group if dock in in_front), group[0]).raise_()
        self.settle_layout()
        window.resizeDocks([docks[0][0]], [width], Qt.Orientation.Horizontal)
        self.share(groups)

    def share(self, groups: Sequence[Group]) -> None:
        """Give those below each other their height by what they need."""
        docks = [self._docks.by_name[names[0]] for names in groups]
        given = {panel.name: panel.height for panel in self._docks.panels()}
        heights = [max(given[name] for name in names) or self.needed(names) for names in groups]
        self._window.resizeDocks(docks, heights, Qt.Orientation.Vertical)

    def settle_layout(self) -> None:
        """Let Qt lay the window out now."""
        layout = self._window.layout()
        assert layout is not None  # a main window has one from the start
        layout.activate()
