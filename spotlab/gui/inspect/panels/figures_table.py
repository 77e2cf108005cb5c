"""All figures of the current run's queries, and of all runs, with their intervals."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from functools import partial
from typing import get_args

from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QLabel,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.formats.rows.json_values import json_text
from spotlab.gui.inspect.panels import figure_rows
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.uncertainty import DRAWS, Over, Uncertainty
from spotlab.gui.kit import background, icons
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.live_panel import LivePanel
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.table_model import Rows
from spotlab.gui.kit.table_view import FiguresView
from spotlab.measures.figures import RunFigures
from spotlab.progress import Progress
from spotlab.report.safe_cells import safe_cell, safe_csv
from spotlab.report.tables import Table, as_latex, queries_table, runs_table

SOON = 60  # ms: one look at several changes
NOTHING = "Open a run to see its figures for each query, and beside those of other runs."


class FiguresPanel(LivePanel):
    """Two tables: the queries of the current run, and the runs. A click chooses."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=SOON)
        self.inspection = inspection
        self.uncertainty = Uncertainty(self.inspection)
        self._ready: set[RunFigures] = set()  # all their columns are there
        self.queries = FiguresView("Query", tall=False)
        self.runs = FiguresView("Run", tall=True)
        self.by_query = self._chip("Queries", "Show a row for each query of the current run")
        self.by_run = self._chip("Runs", "Show a row for each open run")
        self.compared = self._chip("Differences", "Show the differences to the current run")
        self.state = QLabel(wordWrap=True)
        self.state.setProperty("role", "quiet")
        self.more = QToolButton()
        self.more.setToolTip("Copy or export the table, choose what intervals are drawn over")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._menu())
        self._lay_out()
        self._connect()
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()
        self._fill()

    @property
    def shown(self) -> FiguresView:
        """The table in sight."""
        return self.runs if self.by_run.isChecked() else self.queries

    def copy(self) -> None:
        """Put the selected rows, or all, on the clipboard, unrounded."""
        table = self.shown.copied_table()
        data = QMimeData()
        data.setText("\n".join("\t".join(map(safe_cell, row)) for row in table) + "\n")
        data.setData("text/csv", safe_csv(_as_csv(table)).encode())
        QApplication.clipboard().setMimeData(data)
        count = len(table) - 1
        self.inspection.collection.said.emit(f"Copied {count:,} row{'s' * (count != 1)}", False)

    def _chip(self, text: str, tip: str) -> QToolButton:
        chip = QToolButton()
        chip.setText(text)
        chip.setToolTip(tip)
        chip.setCheckable(True)
        return chip

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Copy", self.copy)
        for kind in export_figures.FORMATS:
            menu.addAction(f"Export {kind.title}…").triggered.connect(partial(self._export, kind))
        menu.addSeparator()
        drawn = menu.addMenu("Intervals over")
        offers: dict[Over, QAction] = {}
        for over in get_args(Over):
            action = drawn.addAction(over.capitalize())
            action.setCheckable(True)
            offers[over] = action
            action.triggered.connect(lambda _=False, over=over: self.uncertainty.draw_over(over))
        drawn.aboutToShow.connect(lambda: self._check(offers))
        return menu

    def _check(self, offers: Mapping[Over, QAction]) -> None:
        for over, action in offers.items():
            action.setChecked(over == self.uncertainty.over)

    def _lay_out(self) -> None:
        head = Flow(2, 0)
        head.setContentsMargins(8, 4, 8, 2)
        self.switch = QButtonGroup(self)
        for chip in (self.by_query, self.by_run):
            self.switch.addButton(chip)
            head.addWidget(chip)
        self.by_query.setChecked(True)
        head.addWidget(self.compared)
        head.addStretch()
        head.addWidget(self.state)
        head.addWidget(self.more)
        self.nothing = QLabel(NOTHING)
        self.nothing.setProperty("role", "quiet")
        self.nothing.setContentsMargins(12, 12, 12, 12)
        self.nothing.setWordWrap(True)
        self.stack = QStackedWidget()
        for widget in (self.nothing, self.queries, self.runs):
            self.stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.stack, 1)

    def _connect(self) -> None:
        inspection = self.inspection
        self._job: background.Job | None = None
        self.redraw_on(
            inspection.runs.changed,
            inspection.runs.figures_changed,
            inspection.runs.busy_changed,
            self.inspection.collection.labels_changed,
            self.uncertainty.changed,
        )
        inspection.query_changed.connect(self._mark)
        self.switch.buttonClicked.connect(lambda _: self.refresh())
        self.compared.toggled.connect(lambda _: self.refresh())
        self.queries.chosen.connect(self._choose_query)
        self.runs.chosen.connect(self._choose_run)
        for view in (self.queries, self.runs):
            view.copied.connect(self.copy)
            view.menu_wanted.connect(self._offer)

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
        return super().is_wanted() and self._job is None

    def draw(self) -> None:
        """Show what is known now; figures that take long are computed in the background first."""
        wanted = self._wanted()
        if all(figures is None or figures in self._ready for figures in wanted):
            self._ready = {figures for figures in wanted if figures is not None}
            self._fill()
            return
        self.state.setText("computing …")
        self._job = background.run(_compute, wanted, done=self._computed, urgent=True)

    def _computed(self, figures: list[RunFigures | None]) -> None:
        self._job = None
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
        self.state.setText(self._state())
        if current is None:
            self.stack.setCurrentWidget(self.nothing)
            return
        self.stack.setCurrentWidget(self.shown)
        if self.by_run.isChecked():
            differences = known.differences if self.compared.isChecked() else None
            self.runs.show_rows(
                figure_rows.run_rows(tuple(runs), known.intervals, differences, current.name)
            )
        elif current.figures is None:
            self.queries.show_rows(Rows())
        else:
            colours = {label.name: label.colour for label in self.inspection.collection.labels}
            intervals = known.intervals.get(self.inspection.runs.current_index)
            self.queries.show_rows(
                figure_rows.query_rows(current.figures, colours),
                figure_rows.summary_rows(current.figures, intervals),
            )
        self._mark()

    def _state(self) -> str:
        if not self.inspection.runs:
            return ""
        if self.inspection.runs.busy:
            return "computing …"
        if self.uncertainty.busy:
            return "drawing intervals …"
        return f"95 % intervals of {DRAWS:,} draws over {self.uncertainty.over}"

    def _mark(self) -> None:
        self.queries.mark(self.inspection.query)
        self.runs.mark(self.inspection.runs.current_index)

    def _choose_query(self, key: object) -> None:
        if key is None or key in self.inspection.queries:
            self.inspection.choose_query(key if isinstance(key, str) else None)

    def _choose_run(self, key: object) -> None:
        if isinstance(key, int) and key != self.inspection.runs.current_index:
            self.inspection.runs.choose(key)

    def _export(self, kind: export_figures.ExportFormat, *_: object) -> None:
        current = self.inspection.runs.current
        if current is not None:
            name = "runs" if self.by_run.isChecked() else current.name
            collection = self.inspection.collection
            export_figures.ask(
                self, kind, name, lambda: self.text(kind), collection.folder, collection.said.emit
            )

    def text(self, kind: export_figures.ExportFormat) -> str:
        """The table in sight, as it is written to a file of this kind."""
        if kind is export_figures.LATEX:
            return as_latex(self._table())
        head, *rows = self.shown.whole_table()
        if kind is export_figures.JSON:
            named = [
                {"name": name} | {key: float(value) if value else None
                                  for key, value in zip(head[1:], values, strict=True)}
                for name, *values in rows
            ]  # fmt: skip
            return json_text(named) + "\n"
        return _as_csv([head, *rows])

    def _table(self) -> Table:
        current, runs = self.inspection.runs.current, self.inspection.runs
        assert current is not None  # nothing is exported before
        if not self.by_run.isChecked() and current.figures is not None:
            return queries_table(current.name, current.figures)
        known = self.uncertainty.known.intervals
        ready = [(run.name, run.figures, known.get(at, {})) for at, run in enumerate(runs)
                 if run.figures is not None]  # fmt: skip
        names, figures, intervals = zip(*ready, strict=True) if ready else ((), (), ())
        return runs_table(names, figures, intervals)

    def _offer(self, place: QPoint) -> None:
        self.more.menu().popup(place)

    def _paint_icons(self) -> None:
        self.more.setIcon(icons.icon("dots-horizontal"))


def _as_csv(table: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue()


def _compute(wanted: list[RunFigures | None], progress: Progress) -> list[RunFigures | None]:
    """Have all columns computed, here in a thread."""
    for place, figures in enumerate(wanted):
        progress(place, len(wanted), "Computing figures")
        if figures is not None:
            _ = figures.mean, figures.pooled, figures.defined
    return wanted
