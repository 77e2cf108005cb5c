"""The open runs, what could not be used of them, and the queries to choose from."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QListView,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.inspect.dialogs.run_dialogs import (
    ProblemsDialog,
    RunChangesDialog,
    ask_runs,
    lines,
    open_runs,
    summary,
)
from spotlab.gui.inspect.panels.errors import PageSwitch
from spotlab.gui.inspect.panels.query_list import SOON, RunQueryList
from spotlab.gui.inspect.panels.run_model import WARNING, RunDelegate, RunModel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit import icons
from spotlab.gui.kit.widgets import EmptyNote, in_column, in_row
from spotlab.measures.measure import Figure, known_figures

NOTHING = "Open a run: CSV, Parquet,\nCOCO results, PAGE.\n\nOr drop its file here."
NO_PAGES = "Open pages with truth first,\nthen a run to evaluate."
SHARE = 0.45  # of the height, for runs
LEAST = 3  # in sight


class RunsPanel(QWidget):
    """A click on a run shows it on the page, its box shows it in the plots."""

    def __init__(self, inspection: Inspection, go_to: GoTo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self._go_to = go_to
        self.setAcceptDrops(True)
        self.model = RunModel(inspection, self)
        self.delegate = RunDelegate(self.model, self)
        self.list = self._list()
        self.open = QPushButton("Open Run…")
        self.open.setToolTip("CSV, Parquet, COCO results or PAGE with confidence")
        self.open.clicked.connect(lambda: ask_runs(inspection, self))
        self.more = QToolButton()
        self.more.setToolTip("Choose the figure that the list shows")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._menu())
        self.nothing = EmptyNote()
        self.warning = QPushButton()
        self.warning.setStyleSheet(
            "text-align: left; border: none; padding: 6px 12px; background: transparent;"
        )
        self.warning.setCursor(Qt.CursorShape.PointingHandCursor)
        self.warning.clicked.connect(self._show_current_problems)
        self.pages = PageSwitch(inspection)
        self.queries = RunQueryList(inspection)
        self._sliding = QTimer(self, singleShot=True, interval=SOON)
        self._sliding.timeout.connect(self.model.tell_changed)
        inspection.cut_changed.connect(self._tell_soon)
        self._lay_out()
        for signal in (
            self.inspection.runs.changed,
            self.inspection.runs.figures_changed,
            self.inspection.runs.busy_changed,
            inspection.collection.entries_changed,
        ):
            signal.connect(self._follow)
        self.more.setIcon(icons.icon("dots-horizontal"))
        self.warning.setIcon(icons.icon("alert", WARNING))
        self._follow()

    def close_run(self, index: int) -> None:
        """Let go of a run."""
        if 0 <= index < len(self.inspection.runs):
            self.inspection.runs.close(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Runs give way to queries where there is little room."""
        super().resizeEvent(event)
        self._fit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be runs."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped as runs."""
        names = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        open_runs(self.inspection, names)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delete closes the run of the row, Space shows it in the plots or hides it."""
        if watched is self.list and isinstance(event, QKeyEvent):
            index = self.list.currentIndex().row()
            mine = event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Space) and index >= 0
            if mine and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if mine and event.type() == QEvent.Type.KeyPress:
                if event.key() == Qt.Key.Key_Delete:
                    self.close_run(index)
                else:
                    self.inspection.runs.show(index, not self.inspection.runs[index].shown)
                return True
        return super().eventFilter(watched, event)

    def _list(self) -> QListView:
        view = QListView(self)
        view.setModel(self.model)
        view.setItemDelegate(self.delegate)
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setAccessibleName("Runs")
        view.customContextMenuRequested.connect(self._offer)
        view.clicked.connect(self._choose)
        view.activated.connect(self._choose)
        view.installEventFilter(self)
        return view

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        self._offers: dict[str, QAction] = {}
        for figure in known_figures():
            action = menu.addAction(figure.title)
            action.setCheckable(True)
            action.setToolTip(figure.definition)
            self._offers[figure.name] = action
            action.triggered.connect(lambda _=False, figure=figure: self._show_figure(figure))
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._check_figure)
        return menu

    def _lay_out(self) -> None:
        head = in_row((self.open, 1), self.more, margins=(8, 8, 8, 6))
        in_column(
            head,
            self.pages,
            self.list,
            self.warning,
            (self.nothing, 1),
            (self.queries, 1),
            of=self,
            margins=0,
            spacing=0,
        )

    def _follow(self) -> None:
        runs = self.inspection.runs
        self.model.reread()
        self._fit()
        for widget in (self.list, self.queries):
            widget.setVisible(bool(runs))
        self.nothing.setVisible(not runs)
        text = NOTHING if self.inspection.collection.entries else NO_PAGES
        self.nothing.setText("Reading …" if self.inspection.runs.busy else text)
        self.open.setEnabled(bool(self.inspection.collection.entries))
        self.more.setVisible(bool(runs))
        if runs:
            self.list.setCurrentIndex(self.model.index(self.inspection.runs.current_index, 0))
        current = self.inspection.runs.current
        problems = summary(current) if current else ""
        self.warning.setVisible(bool(problems))
        count = len(lines(current)) if current and problems else 0
        self.warning.setText(f"{counted(count, 'problem')}: show all")
        self.warning.setToolTip(problems)

    def _tell_soon(self) -> None:
        """A slider moves the cut many times a second."""
        if not self._sliding.isActive():
            self._sliding.start()

    def _fit(self) -> None:
        """Let the list be as high as its runs, but leave most of the room to the queries."""
        fitting = int(self.height() * SHARE) // self.delegate.ROW
        rows = min(len(self.inspection.runs), max(fitting, LEAST))
        self.list.setFixedHeight(rows * self.delegate.ROW)

    def _choose(self, index: QModelIndex) -> None:
        if self.delegate.took_click():
            return
        if index.row() != self.inspection.runs.current_index:
            self.inspection.runs.choose(index.row())

    def _offer(self, place: QPoint) -> None:
        index = self.list.indexAt(place).row()
        if index < 0:
            return
        run = self.inspection.runs[index]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = menu.addAction("Shown in Plots")
        shown.setCheckable(True)
        shown.setChecked(run.shown)
        shown.triggered.connect(lambda: self.inspection.runs.show(index, not run.shown))
        if run.has_problems:
            menu.addAction("Problems…", lambda: self._show_problems(index))
        changes = menu.addAction("Changes…", lambda: self.show_changes(index))
        changes.setEnabled(bool(run.changes))
        menu.addAction("Close", lambda: self.close_run(index))
        menu.popup(self.list.viewport().mapToGlobal(place))

    def _show_current_problems(self) -> None:
        self._show_problems(self.inspection.runs.current_index)

    def show_changes(self, index: int) -> None:
        """List what changed when the run's file was read again."""
        if 0 <= index < len(self.inspection.runs):
            run = self.inspection.runs[index]
            self.changes = RunChangesDialog(self.inspection, run, self._go_to, self)
            self.changes.show()

    def _show_problems(self, index: int) -> None:
        self.problems = ProblemsDialog(self.inspection.runs[index], self)
        self.problems.show()

    def _show_figure(self, figure: Figure) -> None:
        self.model.figure = figure
        self.model.reread()

    def _check_figure(self) -> None:
        for name, action in self._offers.items():
            action.setChecked(name == self.model.figure.name)
