"""The window: puts the parts together and knows who asks whom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spotlab.geometry.polygon import bounds
from spotlab.gui.annotate.context_menu import menu_for_page, menu_of_panels
from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.panels.findings import FindingsPanel
from spotlab.gui.annotate.panels.ink_box import InkBox
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tools_found import tool_kinds
from spotlab.gui.inspect.dialogs import run_naming
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.symbol_spotting import SymbolSpotting
from spotlab.gui.kit import theme
from spotlab.gui.kit.on_screen import OnScreen
from spotlab.gui.kit.panel_area import PanelArea
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.state import Systems
from spotlab.gui.window import closing
from spotlab.gui.window import file_dialogs as files
from spotlab.gui.window.action_updates import keep_updated
from spotlab.gui.window.actions import Actions
from spotlab.gui.window.banner import Banner
from spotlab.gui.window.centre import Centre
from spotlab.gui.window.command_palette import CommandPalette
from spotlab.gui.window.docks import Docks
from spotlab.gui.window.help_viewer import HelpViewer
from spotlab.gui.window.keymap import Keymap
from spotlab.gui.window.keys_dialog import KeysDialog
from spotlab.gui.window.over_canvas import OverCanvas
from spotlab.gui.window.plugin_problems import PluginProblems
from spotlab.gui.window.question_dialog import ask
from spotlab.gui.window.rail import Rail
from spotlab.gui.window.recent import Recent
from spotlab.gui.window.status import StatusLine
from spotlab.gui.window.welcome import Welcome
from spotlab.gui.workspace.action import may_draw
from spotlab.gui.workspace.workspace import workspaces
from spotlab.registry import guarded

Kind = TypeVar("Kind", bound=QWidget)


class MainWindow(QMainWindow):
    """One window on one workbench."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.workbench = workbench
        self.recent = Recent(workbench.settings)
        self.keymap = Keymap(workbench.settings)
        self.setWindowTitle("spotlab")
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks)
        self.canvas = Canvas(workbench)
        self.banner = Banner(workbench, lambda: files.ask_copy(self))
        self.welcome = Welcome(
            lambda: files.ask_folder(self),
            lambda: files.open_sample(self),
            lambda path: self.open_paths([path]),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(PanelArea(self.welcome))
        self.finder = LabelFinder(self.canvas, workbench)
        self.ink_box = InkBox(workbench, self.canvas.set_light, self.canvas)
        self.workspaces = {space.name: space for space in workspaces()}
        self.above = {
            name: widget
            for name, space in self.workspaces.items()
            if space.above and (widget := guarded(space, partial(space.above, self)))
        }
        self.centre = Centre(self.canvas, self.above, workbench.settings)
        self._stack.addWidget(self.centre)
        self._help: HelpViewer | None = None
        self._keys: KeysDialog | None = None
        self._assemble()
        self._connect()
        self._restore()
        self._follow_page()
        self._plugin_problems = PluginProblems(self.banner)

    def _assemble(self) -> None:
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        strips = [self.banner, ProposalsBar(self.workbench)]
        self.over_canvas = OverCanvas(self.canvas, strips, middle)
        self.setCentralWidget(middle)
        self.status = StatusLine(self.workbench)
        self.setStatusBar(self.status)
        made = {
            name: panels
            for name, space in self.workspaces.items()
            if (panels := guarded(space, partial(space.make, self))) is not None
        }
        self.workspaces = {name: self.workspaces[name] for name in made}
        self.panels = {panel.name: panel for panels in made.values() for panel in panels}
        self.docks = Docks(self, made, self.workbench.settings)
        self.actions_by_id = Actions(self)
        self.actions_by_id.fill(self.menuBar())
        self.rail = Rail(list(self.workspaces.values()), self.actions_by_id)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.docks.enter(self.workspaces[self.workbench.workspace])
        self.centre.enter(self.workbench.workspace)
        self.rail.offer(self.workbench.workspace)
        self.palette_of_commands = CommandPalette(self)

    def _connect(self) -> None:
        workbench = self.workbench
        self.status.follow(self.canvas)
        workbench.state(Inspection).runs.unfit.connect(lambda run: run_naming.offer(self, run))
        self.canvas.context_requested.connect(self._offer)
        self.canvas.installEventFilter(self)
        keep_updated(self.actions_by_id, workbench)
        workbench.page_changed.connect(self._follow_page)
        for worker in (
            workbench.state(Inspection).runs, workbench.state(Systems), workbench.state(Proposals),
            workbench.state(SymbolSpotting), workbench.collection_steps,
        ):  # fmt: skip
            self.status.watch_when_busy(worker)
        workbench.collection_steps.asked.connect(lambda question, go: ask(question, go, self))
        workbench.state(Proposals).current_changed.connect(self._follow_proposal)
        workbench.state(Proposals).may_go = lambda: self.canvas.pointing.gesture is None
        workbench.disk.may_change = workbench.state(Proposals).may_go

    # What actions ask for

    @property
    def pages(self) -> PagesPanel:
        """The page list."""
        return self._panel("pages", PagesPanel)

    def open_paths(self, paths: Sequence[Path], demo: bool = False) -> bool:
        """Open a collection and remember it, but for the sample, which has its own place."""
        opened = self.workbench.open_paths(paths)
        if opened:
            if not demo:
                self.recent.note(paths)
            self.canvas.setFocus()
            if self.workbench.workspace == "inspect":
                self.workbench.state(Inspection).runs.open_beside()
        self._follow_page()
        return opened

    def enter(self, name: str) -> None:
        """Work in another workspace; the page, its place and the zoom stay."""
        workspace = self.workspaces[name]
        if name != self.workbench.workspace:
            self.canvas.cancel()
            tools = tool_kinds(name)
            self.workbench.set_workspace(name, tools[0].name if tools else "")
            self.docks.enter(workspace)
            self.centre.enter(name)
            self.rail.offer(name)
            self._follow_page()
            middle = self.canvas if self.canvas.isVisible() else self.above.get(name, self.canvas)
            middle.setFocus()
            if name == "inspect":
                self.workbench.state(Inspection).runs.open_beside()

    def set_theme(self, name: str) -> None:
        """Paint the window like this from now on."""
        self.workbench.settings.set("theme", name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, name)

    def toggle_dock(self, name: str) -> None:
        """Show a panel, bring it before others that hide it, or hide it."""
        if self.is_dock_shown(name) and self.docks.is_in_front(name):
            self.docks.by_name[name].hide()
        else:
            self.docks.bring(name)

    def is_dock_shown(self, name: str) -> bool:
        """Whether a panel is shown."""
        return not self.docks.by_name[name].isHidden()

    def has_dock(self, name: str) -> bool:
        """Whether this workspace has the panel."""
        return self.docks.offered(name)

    def toggle_ink_box(self) -> None:
        """Show the sliders over the canvas, or hide them."""
        self.ink_box.setVisible(not self.ink_box.isVisible())

    def focus_filter(self) -> None:
        """Let the user filter pages."""
        self.docks.bring("pages")
        self.pages.box.setFocus()
        self.pages.box.selectAll()

    def focus_comment(self) -> None:
        """Let the user write a remark on the selection."""
        self.docks.bring("properties")
        self._panel("properties", PropertiesPanel).focus_comment()

    def validate(self) -> None:
        """Look through the truth of all pages."""
        self.docks.bring("findings")
        job = self._panel("findings", FindingsPanel).run()
        if job:
            self.status.watch(job)

    def show_keys(self) -> None:
        """Show all keys, to choose others."""
        self._keys = self._keys or KeysDialog(self.actions_by_id, self)
        self._keys.show()
        self._keys.raise_()

    def show_help(self, name: str) -> None:
        """Show a help page."""
        self._help = self._help or HelpViewer(self.actions_by_id, self)
        self._help.open(name)

    # Events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A letter typed on the page finds a label."""
        if (
            watched is self.canvas
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and may_draw(self)
            and self.canvas.pointing.gesture is None
            and event.text().isalpha()
            and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        ):
            self.finder.open(event.text())
            return True
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders are welcome."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if self.workbench.workspace == "systems":
            self.workbench.state(Systems).open(paths)
        else:
            self.open_paths(paths)

    def changeEvent(self, event: QEvent) -> None:
        """Save on leaving the window; on coming back see what other programs have done."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            if self.isActiveWindow():
                self.workbench.check_disk()
            else:
                self.workbench.left()

    def createPopupMenu(self) -> QMenu:
        """Qt would list the panels of all workspaces on its docks and on the menu bar."""
        return menu_of_panels(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels share a place where there is little height."""
        super().resizeEvent(event)
        self.docks.fold_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save; ask only if something cannot be saved."""
        event.setAccepted(closing.close(self))

    def remember(self) -> None:
        """Keep for the next start where the window and its panels are."""
        geometry = self.saveGeometry().toBase64().toStdString()
        self.workbench.settings.set("window.geometry", geometry)
        self.docks.remember()

    def _offer(self, place: QPoint) -> None:
        menu_for_page(self).popup(place)

    def _follow_page(self) -> None:
        entry = self.workbench.entry
        pageless = self.workspaces[self.workbench.workspace].pageless
        there = bool(self.workbench.entries) or pageless
        self._stack.setCurrentIndex(1 if there else 0)
        self.docks.show(there)
        folder = self.workbench.collection.folder
        name = f"{entry.name} – {folder.name if folder else ''} – " if entry else ""
        self.setWindowTitle(f"{name}spotlab")
        if not self.workbench.entries:
            self.welcome.show_recent(self.recent.paths)

    def _follow_proposal(self) -> None:
        current = self.workbench.state(Proposals).current
        if current is not None and self.workbench.document is not None:
            self.canvas.gliding.show(bounds(current.outline))

    def _restore(self) -> None:
        settings = self.workbench.settings
        self.resize(1440, 900)
        geometry = settings.get("window.geometry", "")
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        OnScreen(self)

    def _panel(self, name: str, kind: type[Kind]) -> Kind:
        widget = self.panels[name].widget
        assert isinstance(widget, kind)
        return widget
