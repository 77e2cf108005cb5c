"""The window: puts workspaces, panels, canvas and menus together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar, cast

from PySide6.QtCore import QByteArray, QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QMainWindow, QMenu, QStackedWidget, QWidget

from spotlab.errors import Cancelled
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.ink_box import InkBox
from spotlab.gui.kit import theme
from spotlab.gui.kit.panel import OnScreen, PanelArea
from spotlab.gui.kit.settings import GEOMETRY, PAPER, THEME
from spotlab.gui.pages.workbench import PageUndo, Workbench
from spotlab.gui.window.actions import Actions, Keymap
from spotlab.gui.window.banner import Banner, PluginProblems
from spotlab.gui.window.bars import Rail, StatusLine
from spotlab.gui.window.centre import AboveCanvas, Centre, OverCanvas, Recent, Welcome
from spotlab.gui.window.command_palette import (
    CommandPalette,
    menu_for_page,
    menu_of_panels,
    name_controls,
)
from spotlab.gui.window.dialogs.file_dialogs import ImportOffer
from spotlab.gui.window.docking.docks import Docks
from spotlab.gui.window.docking.sides import BOTTOM, LEFT, RIGHT
from spotlab.gui.window.menu_bar.menus import menus
from spotlab.gui.window.panels import LateWorkspaces, PanelWidgets
from spotlab.gui.window.session import Session
from spotlab.gui.workspace import SUFFIX, PageMenu, UndoStack, Window, Workspace, tool_kinds
from spotlab.libraries import late_imports
from spotlab.signal import Signal

with late_imports(__name__):
    from spotlab.gui.window.dialogs import file_dialogs, help_viewer, preferences
    from spotlab.gui.window.dialogs import file_dialogs as closing


Widget = TypeVar("Widget", bound=QWidget)
Part = TypeVar("Part")


class MainWindow(QMainWindow):
    """One window on one workbench; what workspaces may ask of it is `Window`."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.workbench = workbench
        self.entered = Signal[[str]]()
        self.opened = Signal[[]]()
        self._parts: dict[object, object] = {}
        self._is_closing = False
        self.recent = Recent(workbench.settings)
        self.keymap = Keymap(workbench.settings)
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks)
        self.canvas = Canvas(workbench, {kind.name: kind for kind in tool_kinds()})
        self.banner = Banner(workbench, lambda: file_dialogs.ask_copy(self))
        self.welcome = Welcome(
            lambda: file_dialogs.ask_folder(self),
            self._open_own_sample,
            lambda path: self.open_paths([path]),
        )
        self.ink_box = InkBox(self.canvas)
        self._help: help_viewer.HelpViewer | None = None
        self._keys: preferences.KeysDialog | None = None
        self._page_undo = PageUndo(workbench)
        self._make_workspaces()
        self._assemble()
        self._begin()
        self.session = self.part(Session)
        self.part(ImportOffer)
        self._restore()
        self._follow_page()
        theme.use(workbench.settings.get(PAPER))
        self._plugin_problems = PluginProblems(self.banner)
        workbench.settings.tell(workbench.said.emit)

    def _make_workspaces(self) -> None:
        """Declare all workspaces and their panels; one that fails is left out."""
        self.late = self.part(LateWorkspaces)
        self.workbench.collection_changed.connect(
            lambda: self.late.make(self.workbench.workspace), self
        )
        self.panels = PanelWidgets(self, list(self.late.by_name.values()))
        for name in set(self.late.by_name) - set(self.panels.workspaces):
            self.late.leave_out(name)
        self._use(next(iter(self.workspaces.values())))
        self.above = AboveCanvas(self, self.workspaces)
        self.centre = Centre(self.canvas, self.above, self.workbench.settings)

    def _assemble(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(PanelArea(self.welcome))
        self._stack.addWidget(self.centre)
        middle = QWidget()
        layout = QGridLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 0, 1)
        self.over_canvas = OverCanvas(self.canvas, middle)
        self.add_strip(self.banner)
        self.setCentralWidget(middle)
        self.status = StatusLine(self.workbench)
        self.setStatusBar(self.status)
        settings = self.workbench.settings
        self.docks = Docks(self, self.panels, settings)
        places = {LEFT: (0, 0), RIGHT: (0, 2), BOTTOM: (1, 1)}
        for area, strip in self.docks.strips.items():
            layout.addWidget(strip, *places[area])
        self.actions_by_id = Actions(self, self.keymap, menus(self.panels.every))
        self.actions_by_id.fill(self.menuBar())
        self.actions_by_id.ran.connect(self.banner.begin_act)
        self.rail = Rail(list(self.workspaces.values()), self.actions_by_id, settings)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        name = self.workbench.workspace
        self.docks.enter(self.workspaces[name])
        self.centre.enter(name)
        self.rail.offer(name)
        self.palette_of_commands = CommandPalette(self, self.actions_by_id)

    def _begin(self) -> None:
        workbench = self.workbench
        self.status.follow(self.canvas)
        self.status.watch_when_busy(workbench.collection_steps)
        self.status.watch_when_busy(workbench.opening)
        self.canvas.context_requested.connect(self._offer)
        self.recent.changed.connect(lambda: self.welcome.show_recent(self.recent.paths), self)
        workbench.page_changed.connect(self._follow_page)
        workbench.collection_steps.asked.connect(
            lambda question, go: closing.ask(question, go, self), self
        )
        workbench.disk.may_change = lambda: self.canvas.pointing.gesture is None
        self._naming = QTimer(self, singleShot=True, interval=200)
        self._naming.timeout.connect(self._name_controls)
        for signal in (self.entered, self.panels.made, workbench.page_changed):
            signal.connect(lambda *_: self._naming.start(), self)
        self._naming.start()
        self.late.begin()

    @property
    def workspaces(self) -> dict[str, Workspace]:
        """The workspaces that could be made, or can be made when they are needed, by name."""
        return self.late.by_name

    # What workspaces and actions ask for: see `Window`

    @property
    def frame(self) -> QWidget:
        """The parent of dialogs."""
        return self

    @property
    def undo_stack(self) -> UndoStack:
        """Return what Undo and Redo mean in the current workspace."""
        return self.late.undo_stacks.get(self.workbench.workspace, self._page_undo)

    @property
    def recent_paths(self) -> Sequence[Path]:
        """The collections that were open before."""
        return self.recent.paths

    def part(self, kind: Callable[[Window], Part]) -> Part:
        """Return what a workspace keeps for this window; it is made when it is asked for first."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        return cast("Part", self._parts[kind])

    def panel(self, kind: type[Widget]) -> Widget:
        """Return the panel of this class."""
        return self.panels.of(kind)

    def open_paths(self, paths: Sequence[Path], demo: bool = False) -> bool:
        """Open a collection or a view, and what a workspace opens beside pages, such as runs.

        The collection is remembered, but for the sample, which has its own place.
        """
        if len(paths) == 1 and paths[0].suffix.lower() == SUFFIX:
            return self.session.open(paths[0])
        try:
            pages, others, space = file_dialogs.told_apart(self, paths)
        except Cancelled:
            return False
        if space is not None:
            return file_dialogs.open_in(self, space, others, pages)
        if file_dialogs.open_foreign(self, paths):
            return False  # it is asked first
        self.session.file_away()
        opened = self.workbench.open_paths(paths)
        if opened:
            self.session.note(paths)
            if not demo:
                self.recent.note(paths)
            self.canvas.setFocus()
            self.opened.emit()
            if not demo:
                self.session.come_back()
        self._follow_page()
        return opened

    def open_sample(self, name: str) -> None:
        """Open this user's copy of a sample collection."""
        file_dialogs.open_sample(self, name)

    def _open_own_sample(self) -> None:
        """Open the sample pages that suit the current workspace."""
        space = self.workspaces[self.workbench.workspace]
        (space.sample or file_dialogs.open_sample)(self)

    def has_workspace(self, name: str) -> bool:
        """Tell whether a workspace could be made."""
        return name in self.workspaces

    def enter(self, name: str) -> None:
        """Work in another workspace; the page, its place and the zoom stay."""
        workspace = self.workspaces[name]
        if name != self.workbench.workspace:
            self.canvas.cancel()
            self.late.make(name)
            self._use(workspace)
            self.docks.enter(workspace)
            self.centre.enter(name)
            self.rail.offer(name)
            self._follow_page()
            above = None if self.canvas.isVisible() else self.above.get(name)
            (above or self.canvas).setFocus()
            self.entered.emit(name)

    def add_strip(self, strip: QWidget) -> None:
        """Lay a strip over the top of the canvas, below those that are there."""
        self.over_canvas.add(strip)

    def find_command(self, text: str = "") -> None:
        """Open the command palette with this typed already."""
        self.palette_of_commands.open(text)

    def set_theme(self, name: str) -> None:
        """Paint the window like this from now on."""
        self.workbench.settings.set(THEME, name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, name)

    def show_preferences(self) -> None:
        """Show all choices about the window."""
        preferences.PreferencesDialog(self, self.actions_by_id).open()

    def show_keys(self) -> None:
        """Show all keys, to choose others."""
        self._keys = self._keys or preferences.KeysDialog(self.actions_by_id, self)
        self._keys.show()
        self._keys.raise_()

    def show_help(self, name: str) -> None:
        """Show a help page."""
        self._help = self._help or help_viewer.HelpViewer(self.actions_by_id, self)
        self._help.open(name)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders are welcome."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        space = self.workspaces[self.workbench.workspace]
        if space.open_dropped:
            space.open_dropped(self, paths)
        else:
            self.open_paths(paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Say why keys do nothing that belong to an action which cannot be done now."""
        super().keyPressEvent(event)
        self.actions_by_id.explain(event)

    def changeEvent(self, event: QEvent) -> None:
        """Save on leaving the window; on coming back see what other programs have done."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            if self.isActiveWindow():
                self.workbench.disk.look()
                self.workbench.folders.look_soon()
                self.recent.look()
            else:
                self.workbench.autosave.now()

    def createPopupMenu(self) -> QMenu:
        """Qt would list the panels of all workspaces on its docks and on the menu bar."""
        return menu_of_panels(self.actions_by_id, self.docks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels share a place where there is little height."""
        super().resizeEvent(event)
        self.docks.fold_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save; ask only if something cannot be saved."""
        if self._is_closing:  # saving takes its time, and somebody has clicked again
            event.ignore()
            return
        self._is_closing = True
        try:
            event.setAccepted(closing.close(self, self.canvas, self.remember))
        finally:
            self._is_closing = False

    def remember(self) -> None:
        """Keep for the next start where the window and its panels are."""
        geometry = self.saveGeometry().toBase64().toStdString()
        self.workbench.settings.set(GEOMETRY, geometry)
        self.docks.remember()
        self.session.keep()

    def _name_controls(self) -> None:
        name_controls(self)

    def _use(self, space: Workspace) -> None:
        tools = tool_kinds(space.name)
        self.workbench.set_workspace(space.name, tools[0].name if tools else "", space.draws)

    def _offer(self, place: QPoint) -> None:
        page_menu = self.workspaces[self.workbench.workspace].page_menu
        offered = page_menu(self) if page_menu else PageMenu(())
        menu_for_page(self.actions_by_id, offered).popup(place)

    def _follow_page(self) -> None:
        collection, index = self.workbench.collection, self.workbench.index
        pageless = self.workspaces[self.workbench.workspace].pageless
        there = bool(self.workbench.entries) or pageless
        if there:
            self.late.make(self.workbench.workspace)
        self._stack.setCurrentIndex(1 if there else 0)
        self.docks.show(there)
        folder = collection.folder.name if collection.folder else ""
        name = "" if index is None else f"{collection.entries[index].name} – {folder} – "
        self.setWindowTitle(f"{name}spotlab")
        if not there:
            self.welcome.show_recent(self.recent.paths)

    def _restore(self) -> None:
        settings = self.workbench.settings
        self.resize(1440, 900)
        geometry = settings.get(GEOMETRY)
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        OnScreen(self)
