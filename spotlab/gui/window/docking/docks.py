"""Puts the workspaces' panels around the canvas, and remembers where the user wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

from spotlab.gui.kit.panel import PanelArea
from spotlab.gui.kit.settings import FOLDED, PANELS, Settings
from spotlab.gui.window.docking.sides import (
    BOTTOM,
    LEFT,
    NAMES,
    RIGHT,
    WIDEST,
    DockTabs,
    MadeDocks,
    SideStrip,
    SideWidths,
    Width,
)
from spotlab.gui.window.panels import PanelWidgets
from spotlab.gui.workspace import Panel, Workspace

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
        """Return what is shown at a side, one of those that share a place."""
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


CLASSES = {"narrow": 1200, "": 1700, "wide": 1 << 24}  # px of width up to which a window is so
OPPOSITE = {LEFT: RIGHT, RIGHT: LEFT}
HIGHEST = 0.36  # of the window's height, for what is below the middle


class Docks:
    """The docks of all workspaces; only those of the current one are shown.

    Those of a workspace are made when it is entered for the first time.

    At the sides they stand below each other while there is height for that, and share a place as
    tabs where there is not: showing one never makes the window larger. A side may be folded away;
    a strip at the edge of the canvas then names its panels. Where docks are, how large, and which
    sides are folded is remembered for narrow, usual and wide windows apart.

    Attributes
    ----------
    strips : dict of Qt.DockWidgetArea to SideStrip
        What stands between the canvas and each side.
    by_name : dict of str to QDockWidget
        Those that are made, by the panel's name.
    """

    def __init__(self, window: QMainWindow, widgets: PanelWidgets, settings: Settings) -> None:
        self._window = window
        self._panels = widgets.by_workspace  # those of no workspace under ""
        self._settings = settings
        self._workspace: Workspace | None = None
        self._any_pages = False
        self._folded = False  # since the window is shown
        self._unsized = False  # nobody has chosen how wide the docks are
        self._away: list[QDockWidget] | None = None  # None: this workspace is to be arranged
        self._class = _class_of(window.width())
        self._put_away: dict[Qt.DockWidgetArea, tuple[str, ...]] = {}  # what is folded
        self.strips = {area: SideStrip(area) for area in (LEFT, RIGHT, BOTTOM)}
        for area, strip in self.strips.items():
            strip.pressed.connect(partial(self.fold_side, area))
            strip.chosen.connect(self.bring)
        self._docks = MadeDocks(window, widgets, self.fold_soon)
        self.by_name = self._docks.by_name
        self._tabs = DockTabs(window, self.by_name)
        self._groups = DockGroups(window, self._docks, self._tabs)
        self._widths = SideWidths(window)
        self._folding = QTimer(window, singleShot=True, interval=0)
        self._folding.timeout.connect(self.fold)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self._docks.fill_made()

    def bring(self, name: str) -> None:
        """Show a panel in front of those that share its place."""
        self._docks.make(name)
        dock = self._docks.dock(name)
        self._unfold(name)
        dock.show()
        self.fold()
        self._make_room(name)
        dock.raise_()

    def _make_room(self, name: str) -> None:
        """Fold the side opposite to a panel away, if the middle has too little beside both."""
        middle, opposite = self._window.centralWidget(), OPPOSITE.get(self._docks.area(name))
        wanted = self._workspace.middle if self._workspace and self._class == "narrow" else 0
        if opposite and middle and middle.width() < wanted and self._at(opposite):
            self._put(opposite)
            self.fold()

    def fold_side(self, area: Qt.DockWidgetArea) -> None:
        """Fold the panels of a side away, or bring those back that are."""
        if area in self._put_away:
            self.bring(self._put_away[area][0])
        else:
            self._put(area)
            self.fold()

    def toggle(self, name: str) -> None:
        """Show a panel, bring it before others that hide it, or hide it."""
        if self.is_shown(name) and self.is_in_front(name):
            self.by_name[name].hide()
        else:
            self.bring(name)

    def is_shown(self, name: str) -> bool:
        """Tell whether a panel is shown."""
        return name in self.by_name and not self.by_name[name].isHidden()

    def is_in_front(self, name: str) -> bool:
        """Tell whether no other panel that shares its place hides it."""
        return self._tabs.is_in_front(self.by_name[name])

    def fold_soon(self) -> None:
        """See `fold`; one time for several changes."""
        self._folding.start()

    def fold(self) -> None:
        """Let the docks at the sides share places as tabs, or not, as there is room."""
        window = self._window
        if not window.isVisible() or self._workspace is None:
            return
        self._folding.stop()
        if _class_of(window.width()) != self._class:
            self.remember()
            self._class = _class_of(window.width())
            if self._any_pages:
                self._arrange(self._workspace)
        self._tabs.retire()
        around = window.menuBar().sizeHint(), window.statusBar().sizeHint()
        room = window.height() - sum(size.height() for size in around)
        changed, self._folded = not self._folded, True
        for area in (LEFT, RIGHT):
            units = self._groups.units(area)
            wanted = grouped([(names, self._groups.needed(names)) for names in units], room)
            now = self._groups.groups(units)
            if units and (self._unsized or list(map(set, wanted)) != list(map(set, now))):
                self._groups.regroup(area, wanted, self._comes_to_front)
                changed = True
        if changed:  # Qt takes away the bars of tabs whose group is no more only then
            window.restoreState(window.saveState())
        self._tabs.retire()
        self._tabs.show_titles()
        if self._unsized:
            self._size()
            self._unsized = False
        self._widths.fit(self._key, {area: self._groups.side(area) for area in WIDEST})
        self._show_strips()

    def enter(self, workspace: Workspace) -> None:
        """Show this workspace's panels as they were when it was left, also in an earlier start."""
        self.remember()
        self._workspace = workspace
        for name in (*self._own_names(workspace), *workspace.shares, *workspace.offers):
            self._docks.dock(name)
        if self._any_pages:
            self._make_all(workspace)
            self._arrange(workspace)
            self.fold()
        else:
            self._away = None  # they belong to the workspace before
            for dock in self.by_name.values():
                dock.hide()  # as does what was asked for there with nothing open
            self._put_away.clear()
            self._show_strips()

    def _make_all(self, workspace: Workspace) -> None:
        for name in (*self._own_names(workspace), *workspace.shares):
            self._docks.make(name)

    def _own_names(self, workspace: Workspace) -> list[str]:
        return [panel.name for panel in self._panels[workspace.name]]

    def _arrange(self, workspace: Workspace) -> None:
        for area in WIDEST:
            at_side = [panel for panel in self._own() if panel.area is area]
            if at_side:
                width = Width(max(p.width for p in at_side), max(p.share for p in at_side))
                self._widths.start_with(self._key, area, width)
        for dock in self.by_name.values():
            dock.hide()  # or the window grows until it holds the panels of both
        state = QByteArray.fromBase64(self._settings.get(PANELS.of(self._key)).encode())
        if not state.isEmpty() and self._window.restoreState(state, workspace.arrangement):
            self._hide_others()
            self._put_away = dict(self._folded_before())
            for name in self.by_name:
                if self.is_shown(name):
                    self._docks.make(name)
            return
        self._widths.reset(self._key)  # those of now are Qt's, of a window of another width
        shown = {panel.name for panel in self._panels[workspace.name] if panel.shown}
        shown.update(workspace.shares)
        self._put_away = {}
        for area in (*workspace.folds * (self._class == "narrow"), BOTTOM):
            names = tuple(
                p.name for p in self._docks.panels() if p.area is area and p.name in shown
            )
            if names and (area is not BOTTOM or self._class != "wide"):
                self._put_away[area] = names
                shown.difference_update(names)
        for name, dock in self.by_name.items():
            self._docks.put_back(name)
            dock.setVisible(name in shown)
        self._unsized = True
        for panel in self._panels[workspace.name]:
            if panel.shown and any(other.beside == panel.name for other in self._docks.panels()):
                self.by_name[panel.name].raise_()

    def offered(self, name: str) -> bool:
        """Tell whether the current workspace has this panel."""
        space = self._workspace
        own = (*self._own_names(space), *space.shares, *space.offers) if space else ()
        return name in own

    def remember(self) -> None:
        """Keep where the current workspace's panels are."""
        if self._workspace is not None and self._any_pages:
            state = self._window.saveState(self._workspace.arrangement).toBase64().toStdString()
            self._settings.set(PANELS.of(self._key), state)
            folded = {NAMES[area]: list(names) for area, names in self._put_away.items()}
            self._settings.set(FOLDED.of(self._key), folded)

    def reset(self) -> None:
        """Put the panels of the current workspace back to where they are at first."""
        if self._workspace is not None and self._any_pages:
            self._settings.set(PANELS.of(self._key), "")
            self._arrange(self._workspace)
            self.fold()

    def show(self, any_pages: bool) -> None:
        """Take all docks away while there is nothing to show in them, or bring them back."""
        if any_pages == self._any_pages:
            return
        if any_pages:
            self._any_pages = True
            if self._workspace is not None:
                self._make_all(self._workspace)
            if self._away is None and self._workspace is not None:
                self._arrange(self._workspace)
            else:
                for dock in self._away or ():
                    dock.show()
                self._hide_others()
            self.fold()
        else:
            self._away = [dock for dock in self.by_name.values() if not dock.isHidden()]
            for dock in self._away:
                dock.hide()
            self._any_pages = False
            self._show_strips()

    @property
    def _key(self) -> str:
        """Return what of the current workspace is remembered under, in windows of this width."""
        assert self._workspace is not None  # asked for one of its docks
        return f"{self._workspace.name}.{self._class}".removesuffix(".")

    def _at(self, area: Qt.DockWidgetArea) -> list[str]:
        """The panels that are shown at a side."""
        panels = self._docks.panels()
        return [p.name for p in panels if p.area is area and not self.by_name[p.name].isHidden()]

    def _put(self, area: Qt.DockWidgetArea) -> None:
        """Hide what is shown at a side, and remember it as folded."""
        names = tuple(self._at(area))
        if names:
            self._put_away[area] = names
        for name in names:
            self.by_name[name].hide()

    def _unfold(self, name: str) -> None:
        """Show all that was folded together with a panel, or where it belongs."""
        area = self._docks.area(name)
        folded = [each for each in self._put_away.pop(area, ()) if self.offered(each)]
        for each in folded:
            self._docks.make(each)
            self.by_name[each].show()
        if folded and area in WIDEST:
            self._groups.share(self._groups.groups(self._groups.units(area)))

    def _folded_before(self) -> Iterable[tuple[Qt.DockWidgetArea, tuple[str, ...]]]:
        """Return what was folded in such a window before, as the settings have it."""
        known = self._settings.get(FOLDED.of(self._key))
        for area, side in NAMES.items():
            kept = [name for name in known.get(side, ()) if name in self.by_name]
            hidden = tuple(name for name in kept if not self.is_shown(name) and self.offered(name))
            if hidden:
                yield area, hidden

    def _show_strips(self) -> None:
        for area, strip in self.strips.items():
            folded = self._put_away.get(area, ()) if self._any_pages else ()
            titles = {name: self.by_name[name].windowTitle() for name in folded}
            if titles.keys() != strip.tabs.keys() or strip.isHidden():
                strip.show_folded(titles)
            strip.setVisible(bool(titles) or (self._any_pages and bool(self._at(area))))

    def _comes_to_front(self, dock: QDockWidget) -> bool:
        if not self._unsized:
            return self._tabs.is_in_front(dock)
        return any(
            panel.front and self.by_name[panel.name] is dock for panel in self._docks.panels()
        )

    def _own(self) -> list[Panel]:
        """The panels of the current workspace, and those of no workspace that it offers."""
        assert self._workspace is not None  # asked for one of them
        of_none = [panel for panel in self._panels.get("", []) if self.offered(panel.name)]
        return self._panels[self._workspace.name] + of_none

    def _hide_others(self) -> None:
        for name, dock in self.by_name.items():
            if not self.offered(name):
                dock.hide()

    def _size(self) -> None:
        """As wide as the panels want to be, and as high as they need."""
        window = self._window
        self._groups.settle_layout()  # or there is nothing yet that could get another size
        assert self._workspace is not None  # its panels are sized
        self._widths.reset(self._key)
        below = [panel for panel in self._own() if panel.area not in WIDEST]
        height = window.height()
        heights = [min(panel.width, int((panel.share or HIGHEST) * height)) for panel in below]
        docks = [self.by_name[panel.name] for panel in below]
        window.resizeDocks(docks, heights, Qt.Orientation.Vertical)
        for area in WIDEST:
            self._groups.share(self._groups.groups(self._groups.units(area)))


def _class_of(width: int) -> str:
    """Name how wide a window is; the usual class has no name."""
    return next(name for name, limit in CLASSES.items() if width < limit)
