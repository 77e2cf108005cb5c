"""All figures of the current run's queries, and of all runs, with their intervals."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QStackedWidget, QToolButton, QWidget

from spotlab.errors import counted
from spotlab.gui.inspect.panels import figure_rows
from spotlab.gui.inspect.panels.figure_rows import (
    FigureRowColumns,
    FiguresMenu,
    RowsAre,
    TableExport,
)
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.uncertainty import Uncertainty
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.rows import Rows
from spotlab.gui.kit.settings import Settings
from spotlab.gui.kit.table_view import FiguresView
from spotlab.gui.kit.widgets import Elided, Flow, in_column
from spotlab.measures.figures import RunFigures
from spotlab.progress import Progress
from spotlab.report.figure_text import UNIT, design_note

SOON = 60  # ms: one look at several changes
WHOLE = "Of whole lists, without the cut"
COMPUTING = "Computing the figures …"
NOTHING = "Open a run to see its figures for each query, and beside those of other runs."


class FiguresPanel(LivePanel):
    """Tables of the current run's queries and pages, and of all runs. A click chooses."""

    def __init__(
        self, inspection: Inspection, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, delay=SOON)
        self.inspection = inspection
        self.uncertainty = Uncertainty(self.inspection)
        self._ready: set[RunFigures] = set()  # all their columns are there
        self.queries = FiguresView("Query", tall=False)
        self.pages = FiguresView("Page", tall=False)
        self.runs = FiguresView("Run", tall=True)
        self.by_query = _chip("Queries", "Show a row for each query of the current run")
        self.by_page = _chip("Pages", "Show a row for each page, of the current run")
        self.by_run = _chip("Runs", "Show a row for each open run")
        self.compared = _chip("Differences", "Show the differences to the current run")
        self.state = set_up(Elided(), role="quiet")
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        views = self.queries, self.pages, self.runs
        self.columns = FigureRowColumns(
            settings, views, self.refresh, lambda: inspection.runs.settings, self
        )
        self.export = TableExport(
            inspection,
            self.uncertainty,
            lambda: self.shown,
            lambda: self.rows_are,
            lambda: self.columns.shown,
        )
        self.more = set_up(
            QToolButton(), icon="dots-horizontal",
            tip="Copy or export the table, choose what intervals are drawn over",
            menu=FiguresMenu(self.export, self.columns, self.uncertainty, self),
        )  # fmt: skip
        self._lay_out()
        self._connect()
        self._fill()

    @property
    def shown(self) -> FiguresView:
        """The table in sight."""
        return {"runs": self.runs, "pages": self.pages, "queries": self.queries}[self.rows_are]

    @property
    def rows_are(self) -> RowsAre:
        """Return what the table in sight has a row for each of."""
        if self.by_run.isChecked():
            return "runs"
        return "pages" if self.by_page.isChecked() else "queries"

    def _lay_out(self) -> None:
        head = Flow(2, 0)
        head.setContentsMargins(8, 4, 8, 2)
        self.switch = QButtonGroup(self)
        for chip in (self.by_query, self.by_page, self.by_run):
            self.switch.addButton(chip)
            head.addWidget(chip)
        self.by_query.setChecked(True)
        head.addWidget(self.compared)
        head.addWidget(self.state)
        head.addWidget(self.more)
        self.nothing = set_up(QLabel(NOTHING), role="quiet")
        self.nothing.setContentsMargins(12, 12, 12, 12)
        self.nothing.setWordWrap(True)
        self.stack = QStackedWidget()
        for widget in (self.nothing, self.queries, self.pages, self.runs):
            self.stack.addWidget(widget)
        in_column(head, (self.stack, 1), of=self, margins=0, spacing=0)

    def _follow_view(self) -> None:
        self.columns.use_default(self.inspection.view.columns)
        self.refresh()

    def _connect(self) -> None:
        inspection = self.inspection
        self._computing = Task(urgent=True)
        self.redraw_on(
            inspection.runs.changed,
            inspection.runs.figures_changed,
            inspection.runs.busy_changed,
            self.inspection.collection.labels_changed,
            self.uncertainty.changed,
        )
        self.follow(inspection.view_changed, self._follow_view)
        self._follow_view()
        inspection.query_changed.connect(self._mark)
        self.follow(inspection.cut_changed, self._say_state)
        self.switch.buttonClicked.connect(lambda _: self.refresh())
        self.compared.toggled.connect(lambda _: self.refresh())
        self.queries.chosen.connect(self._choose_query)
        self.pages.chosen.connect(self._choose_page)
        self.runs.chosen.connect(self._choose_run)
        for view in (self.queries, self.pages, self.runs):
            view.copied.connect(self.export.copy)
            view.menu_wanted.connect(self.more.menu().popup)
            view.columns_wanted.connect(self.columns.menu.popup)

    def showEvent(self, event: QShowEvent) -> None:
        """Have the intervals computed."""
        self.uncertainty.set_wanted(True)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Compute no more intervals: nobody reads them."""
        super().hideEvent(event)
        self.uncertainty.set_wanted(False)

    def is_wanted(self) -> bool:
        """Not while figures are being computed: it is drawn when they are there."""
        return super().is_wanted() and not self._computing.busy

    def is_empty(self) -> bool:
        """Tell whether no run is open."""
        return not self.inspection.runs

    def draw(self) -> None:
        """Show what is known now; figures that take long are computed in the background first."""
        wanted = self._wanted()
        if all(figures is None or figures in self._ready for figures in wanted):
            self._ready = {figures for figures in wanted if figures is not None}
            self._fill()
            return
        self.state.setText("computing …")
        self.nothing.setText(COMPUTING)
        self._computing.start(_compute, wanted, done=self._computed)

    def _computed(self, figures: list[RunFigures | None]) -> None:
        self._ready.update(each for each in figures if each is not None)
        self.refresh()

    def _wanted(self) -> list[RunFigures | None]:
        """The figures of the table in sight."""
        current, runs = self.inspection.runs.current, self.inspection.runs
        if self.by_run.isChecked():
            return [run.figures for run in runs]
        return [current.figures] if current else []

    def _fill(self) -> None:
        """Fill the table in sight; the other one when it comes into sight."""
        current, runs = self.inspection.runs.current, self.inspection.runs
        known = self.uncertainty.known
        self.compared.setVisible(self.by_run.isChecked() and len(runs) > 1)
        self.more.setEnabled(bool(runs))
        self._say_state()
        if current is None:
            self.nothing.setText(COMPUTING if runs.busy else NOTHING)
            self.stack.setCurrentWidget(self.nothing)
            return
        self.stack.setCurrentWidget(self.shown)
        if self.by_run.isChecked():
            compared = self.compared.isChecked()
            differences = known.differences(runs.current_index) if compared else None
            self.runs.show_rows(
                figure_rows.run_rows(
                    tuple(runs), known.intervals, differences, current.name, known.design
                )
            )
        elif current.figures is None:
            self.shown.show_rows(Rows())
        elif self.by_page.isChecked():
            self.pages.show_rows(
                figure_rows.page_rows(current.figures),
                figure_rows.page_summary_rows(current.figures),
            )
        else:
            labels = self.inspection.collection.labels
            intervals = known.intervals(self.inspection.runs.current_index)
            self.queries.show_rows(
                figure_rows.query_rows(current.figures, labels),
                figure_rows.summary_rows(current.figures, intervals),
            )
        self._mark()

    def _say_state(self) -> None:
        self.state.setText(self._state())
        self.state.setToolTip(self._state())

    def _state(self) -> str:
        if not self.inspection.runs:
            return ""
        if self.inspection.runs.busy:
            return "computing …"
        design = self.uncertainty.known.design
        if design is None:
            drawn = "computing intervals …" if self.uncertainty.busy else ""
        elif self.by_run.isChecked() and self.compared.isChecked():
            drawn = design_note(design)
        else:
            drawn = f"95 % intervals over {counted(design.units, UNIT[design.over])}"
        return f"{WHOLE} · {drawn}" if self._is_cut() else drawn

    def _is_cut(self) -> bool:
        """Tell whether lists that the table in sight is of are cut elsewhere in the window."""
        current, runs = self.inspection.runs.current, self.inspection.runs
        shown = runs if self.by_run.isChecked() else [current] if current else []
        there = [self.inspection.at_cut(run) for run in shown]
        return any(each is not None and not each.whole for each in there)

    def _mark(self) -> None:
        self.queries.mark(self.inspection.query)
        self.runs.mark(self.inspection.runs.current_index)

    def _choose_query(self, key: object) -> None:
        if key is None or key in self.inspection.queries:
            self.inspection.choose_query(key if isinstance(key, str) else None)

    def _choose_page(self, key: object) -> None:
        if isinstance(key, str):
            self.inspection.open_page(key)

    def _choose_run(self, key: object) -> None:
        if isinstance(key, int) and key != self.inspection.runs.current_index:
            self.inspection.runs.choose(key)


def _chip(text: str, tip: str) -> QToolButton:
    return set_up(QToolButton(), text=text, tip=tip, checkable=True)


def _compute(wanted: list[RunFigures | None], progress: Progress) -> list[RunFigures | None]:
    """Have all columns computed, here in a thread."""
    for place, figures in enumerate(wanted):
        progress(place, len(wanted), "Computing figures")
        if figures is not None:
            _ = figures.mean, figures.pooled, figures.defined
    return wanted
