"""The open runs, what could not be used of them, and the queries to choose from."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
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
from spotlab.gui.inspect.panels.run_model import (
    WARNING,
    RunDelegate,
    RunModel,
    RunQueryDelegate,
    RunQueryModel,
    query_columns,
)
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit import theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.controls import set_up, set_up_list
from spotlab.gui.kit.rows import ROW_ROLE
from spotlab.gui.kit.widgets import EmptyNote, in_column, in_row, name_thresholds
from spotlab.measures.measure import Figure, known_figures
from spotlab.report.figure_text import short_count

PAUSE = 120  # ms of typing until the list follows
SOON = 50  # ms until it follows the cut
HEADS = {
    "symbols": ("truth", "Number of truth regions with this label on all pages"),
    "spots": ("spots", "Number of spots that the run has for the query, up to the cut"),
    "f": (
        "F",
        "F: weighted harmonic mean of area precision and area recall after the query's last spot, "
        "or where the cut ends its list",
    ),
}


class RunQueryList(QWidget):
    """A filter box and the list; arrow keys move through it, also from the box."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self.model = RunQueryModel(inspection, self)
        self.box = QLineEdit(placeholderText="Filter queries", clearButtonEnabled=True)
        self.box.setAccessibleName("Filter queries")
        self.list = QListView(self)
        self.delegate = RunQueryDelegate(self.list)
        set_up_list(self.list, "Queries", self.model, self.delegate)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.head = _Head(self.list, self.delegate)
        box = in_column(self.box, margins=(8, 0, 8, 2))
        in_column(box, self.head, (self.list, 1), of=self, margins=(0, 6, 0, 0), spacing=0)
        self._following = False
        self._typing = QTimer(self, singleShot=True, interval=PAUSE)
        self._typing.timeout.connect(self._filter)
        self.box.textChanged.connect(lambda _: self._typing.start())
        self.box.installEventFilter(self)
        self.list.selectionModel().currentChanged.connect(self._choose)
        self.inspection.runs.changed.connect(self._reread)
        self.inspection.runs.figures_changed.connect(self._reread)
        inspection.collection.labels_changed.connect(self._reread)
        self.inspection.query_changed.connect(self._follow)
        self._sliding = QTimer(self, singleShot=True, interval=SOON)
        self._sliding.timeout.connect(self._reread)
        self.inspection.cut_changed.connect(self._reread_soon)
        self.inspection.view_changed.connect(self._reread_soon)
        self._reread()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys in the box move in the list, Enter takes what is typed now."""
        if watched is self.box and isinstance(event, QKeyEvent):
            moves = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
            if event.type() == QEvent.Type.KeyPress and moves:
                QApplication.sendEvent(self.list, event)
                return True
            enters = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if event.type() == QEvent.Type.KeyPress and enters:
                self._filter()
                if self.model.rowCount():
                    self.list.setCurrentIndex(self.model.index(0, 0))
                return True
        return super().eventFilter(watched, event)

    def _filter(self) -> None:
        self._typing.stop()
        self._following = True  # another list chooses nothing
        self.model.set_wanted(self.box.text().strip())
        self._following = False
        self._follow()

    def _reread(self) -> None:
        self._following = True
        self.model.reread()
        self._measure()
        self._following = False
        self._follow()

    def _reread_soon(self) -> None:
        """A slider moves the cut many times a second."""
        if not self._sliding.isActive():
            self._sliding.start()

    def _measure(self) -> None:
        """Let columns be as wide as their heads and their counts."""
        metrics = self.list.fontMetrics()
        all = self.model.all_queries
        if all is None:
            return
        counts = {"symbols": all.symbols, "spots": all.spots}
        texts = {name: short_count(min(count, 99_999)) for name, count in counts.items()}
        texts["f"] = "1.000"
        self.delegate.widths = {
            name: max(metrics.horizontalAdvance(text), metrics.horizontalAdvance(HEADS[name][0]))
            + 8
            for name, text in texts.items()
        }
        self.head.update()

    def _choose(self, index: QModelIndex, _: QModelIndex) -> None:
        row = index.data(ROW_ROLE) if index.isValid() else None
        if row is not None and not self._following:
            self.inspection.choose_query(row.name)

    def _follow(self) -> None:
        """Mark the chosen query, if it is listed."""
        row = self.model.row_of(self.inspection.query)
        self._following = True
        if row is None:
            self.list.clearSelection()
            self.list.setCurrentIndex(QModelIndex())
        elif row != self.list.currentIndex().row():
            self.list.setCurrentIndex(self.model.index(row, 0))
        self._following = False


class _Head(QWidget):
    """Says what the columns are."""

    def __init__(self, list: QListView, delegate: RunQueryDelegate) -> None:
        super().__init__()
        self._list = list
        self._delegate = delegate
        self.setFixedHeight(20)

    def event(self, event: QEvent) -> bool:
        """Return what a column counts, where the pointer rests on its head."""
        if event.type() == QEvent.Type.ToolTip:
            places = self._places()
            at = self.mapFromGlobal(event.globalPos())  # type: ignore[attr-defined]
            self.setToolTip(
                next((HEADS[name][1] for name, place in places.items() if place.contains(at)), "")
            )
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Over the columns."""
        with QPainter(self) as painter:
            painter.setPen(theme.quiet(self.palette()))
            font = painter.font()
            font.setPointSizeF(font.pointSizeF() * 0.88)
            painter.setFont(font)
            middle_right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            for name, place in self._places().items():
                painter.drawText(place, middle_right, HEADS[name][0])

    def _places(self) -> dict[str, QRect]:
        place = QRect(0, 0, self._list.viewport().width(), self.height())
        return query_columns(place, self._delegate.widths)


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
        tip = "Choose the figure that the list shows"
        self.more = set_up(QToolButton(), tip=tip, menu=self._menu())
        self.nothing = EmptyNote()
        self.warning = set_up(QPushButton(), does=self._show_current_problems)
        self.warning.setStyleSheet(
            "text-align: left; border: none; padding: 6px 12px; background: transparent;"
        )
        self.warning.setCursor(Qt.CursorShape.PointingHandCursor)
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
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        open_runs(self.inspection, paths)

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
        set_up_list(view, "Runs", self.model, self.delegate, self._offer)
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
        pairs = [(self._offers[figure.name], figure) for figure in known_figures()]
        name_thresholds(pairs, self.inspection.runs.settings)
        for action, figure in pairs:
            action.setChecked(figure.name == self.model.figure.name)
