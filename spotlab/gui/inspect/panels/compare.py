"""Differences between the current run, A, and another run, B: changes, pages, labels."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QStackedWidget, QTableView, QToolButton, QWidget

from spotlab.errors import counted
from spotlab.gui.inspect.panels import run_changes
from spotlab.gui.inspect.panels.run_changes import LOOKS, MEANINGS, ChangeModel
from spotlab.gui.inspect.state.comparison import ComparisonSide, ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.table_view import FiguresView, row_table
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, EmptyNote, Flow, Option, fill, in_column
from spotlab.report.figure_text import UNDEFINED, written, written_difference
from spotlab.studies.compare.comparison import ChangeKind
from spotlab.studies.evaluate.inspected_run import InspectedRun

NOBODY = "Nothing"
SIDES = {
    ComparisonSide.DIFFERENCES: (
        "Differences",
        "Show what only A found, only B, both, and neither (Shift+B)",
    ),
    ComparisonSide.FIRST: ("A", "Show run A alone; B flips between A and B"),
    ComparisonSide.SECOND: ("B", "Show run B alone; B flips between A and B"),
    ComparisonSide.BOTH: (
        "Side by Side",
        "Show A at the left and B at the right, with linked zoom (Ctrl+B)",
    ),
}


class CompareHead(QWidget):
    """Boxes to choose both runs, a button that swaps them, and what the page shows."""

    def __init__(self, comparison: ComparisonState, inspection: Inspection) -> None:
        super().__init__()
        self._comparison = comparison
        self._inspection = inspection
        self.first: Choice[InspectedRun | None] = Choice(name="Run A")
        self.second: Choice[InspectedRun | None] = Choice(name="Run B")
        for box, name in ((self.first, "Run A, the current run"), (self.second, "Run B")):
            box.setToolTip(f"{name}; changes go from A to B")
            box.give_way()
            box.setFixedWidth(112)
        self.first.chosen.connect(self._choose_first)
        self.second.chosen.connect(comparison.choose)
        self.swap = set_up(
            QToolButton(), tip="Swap A and B", name="Swap A and B", does=comparison.swap
        )
        self.sides = {side: self._chip(side) for side in ComparisonSide}
        self.change = QLabel()
        self._group = QButtonGroup(self)
        row = fill(
            Flow(4, 2),
            QLabel("A"),
            self.first,
            self.swap,
            QLabel("B"),
            self.second,
            margins=(8, 4, 8, 2),
        )
        for chip in self.sides.values():
            self._group.addButton(chip)
            row.addWidget(chip)
        row.addStretch()
        row.addWidget(self.change)
        self.setLayout(row)
        comparison.side_changed.connect(self._follow_side)
        self.swap.setIcon(theme.icon("swap-horizontal"))

    def follow(self) -> None:
        """Show the runs that are compared, and how F changes."""
        comparison, runs = self._comparison, tuple(self._inspection.runs)
        self.first.offer(Option(run, run.name) for run in runs)
        self.first.show_value(comparison.first)
        options: list[Option[InspectedRun | None]] = [Option(None, NOBODY, "Compare nothing")]
        options += [Option(run, run.name) for run in comparison.others]
        self.second.offer(options)
        self.second.show_value(comparison.second)
        self.swap.setEnabled(comparison.on)
        self.second.setEnabled(bool(comparison.others))
        self._follow_side()
        self._follow_change()

    def _follow_side(self) -> None:
        for side, chip in self.sides.items():
            chip.setVisible(self._comparison.on)
            chip.setChecked(side is self._comparison.side)

    def _follow_change(self) -> None:
        comparison, figures = self._comparison, self._comparison.figures
        self.change.setVisible(comparison.on)
        if figures is None:
            self.change.setText("comparing …")
            return
        mean = figures.mean["f"]
        if mean.value is None:
            said = UNDEFINED
        elif mean.difference is None:
            said = written(mean.value, "change")
        else:
            said = written_difference(mean.difference)
        self.change.setText(rich(f"<b>ΔF {html.escape(said)}</b>"))
        lines = [
            f"<p>{title}: A {written(each.before)}, B {written(each.after)}, change "
            f"{UNDEFINED if each.value is None else written(each.value, 'change')}</p>"
            for title, each in (
                ("F", mean),
                ("Area precision", figures.mean["area_precision"]),
                ("Area recall", figures.mean["area_recall"]),
            )
        ]
        self.change.setToolTip(
            rich(
                f"{''.join(lines)}<p>Means at the cut over the "
                f"{counted(mean.queries, 'query')} that both "
                "runs have the figure of. B minus A; in brackets the 95 % interval over "
                "queries.</p>"
            )
        )

    def _choose_first(self, run: InspectedRun | None) -> None:
        runs = list(self._inspection.runs)
        if run is self._comparison.second:
            self._comparison.swap()
        elif run is not None and run in runs:
            self._inspection.runs.choose(runs.index(run))

    def _chip(self, side: ComparisonSide) -> QToolButton:
        title, tip = SIDES[side]
        chip = QToolButton()
        chip.setText(title)
        chip.setToolTip(tip)
        chip.setCheckable(True)
        chip.clicked.connect(lambda _=False: self._comparison.show(side))
        return chip


WIDE = 900  # px at which there is room for the kinds in words
SOON = 30  # ms: one look at several changes
WIDTHS = (140, 110, 150, 96, 120, 110, 90)
NOTHING = "Choose a run B to see what changes from the current run to it."
ONE = "Open a second run to compare it with the current one."
GoTo = Callable[[int], object]


class ComparePanel(LivePanel):
    """Panel with the choice of compared runs and three tables; a click goes to the place.

    Attributes
    ----------
    head : CompareHead
    model : ChangeModel
    changes : QTableView
    pages, labels : FiguresView
    """

    def __init__(
        self, comparison: ComparisonState, inspection: Inspection, go_to: GoTo,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent, delay=SOON)
        self.comparison = comparison
        self.inspection = inspection
        self._go_to = go_to
        self._following = False
        self.head = CompareHead(comparison, inspection)
        self.model = ChangeModel(comparison, inspection, self)
        self.changes = _changes_table(self.model, self)
        self.changes.selectionModel().currentRowChanged.connect(self._chosen)
        self.changes.clicked.connect(lambda index: self._chosen(index, index))
        self.pages = FiguresView("Page", tall=True)
        self.labels = FiguresView("Label", tall=True)
        self.pages.model.use_figures(run_changes.PAGE_FIGURES)
        self.pages.summary.use_figures(run_changes.PAGE_FIGURES)
        self.labels.model.use_figures(run_changes.LABEL_FIGURES)
        self.labels.summary.use_figures(run_changes.LABEL_FIGURES)
        self.pages.chosen.connect(self._open_page)
        self.labels.chosen.connect(self._choose_label)
        self.by_change = self._tab("Changes", "Symbols and false spots gained and lost")
        self.by_page = self._tab("Pages", "How the figures of each page change")
        self.by_label = self._tab("Labels", "How the figures of each label change")
        self.kinds = {kind: self._chip(kind) for kind in ChangeKind}
        self.state = set_up(QLabel(), role="quiet")
        self.nothing = EmptyNote()
        self._lay_out()
        self.redraw_on(
            comparison.changed,
            comparison.computed,
            inspection.runs.changed,
            inspection.query_changed,
            inspection.collection.labels_changed,
        )
        comparison.chosen_changed.connect(self._follow_choice)
        for kind, chip in self.kinds.items():
            chip.setIcon(theme.icon(*LOOKS[kind]))
        self.head.follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show kinds as icons where there is little width."""
        super().resizeEvent(event)
        self.refresh_soon()

    def step(self, by: int) -> None:
        """Go to the next change of those listed, or back; after the last comes the first."""
        if self.outdated or self.model.list is not self.comparison.changes:
            self.model.reread()
        count = self.model.rowCount()
        if not count:
            text = (
                "Nothing changes from A to B" if self.model.list else "The runs are being compared"
            )
            self.inspection.collection.said.emit(text, False)
            return
        at = self.model.row_of(self.comparison.chosen)
        start = -1 if by > 0 else 0
        self._go(((start if at is None else at) + by) % count)

    def is_empty(self) -> bool:
        """Tell whether no run is open."""
        return not self.inspection.runs

    def draw(self) -> None:
        """Show who is compared, and the table in sight."""
        self.head.follow()
        comparison = self.comparison
        on = comparison.on
        for widget in (self.by_change, self.by_page, self.by_label):
            widget.setVisible(on)
        for chip in self.kinds.values():
            chip.setVisible(on and self.by_change.isChecked())
        self.state.setText(self._state() if on else "")
        if not on or comparison.figures is None:
            waiting = "Comparing …" if on else NOTHING if comparison.others else ONE
            self.nothing.setText(waiting)
            self.stack.setCurrentWidget(self.nothing)
            return
        if self.by_page.isChecked():
            self.pages.show_rows(
                run_changes.page_rows(
                    comparison.figures.pages, comparison.pages, self.inspection.query
                )
            )
            self.stack.setCurrentWidget(self.pages)
        elif self.by_label.isChecked():
            labels = self.inspection.collection.labels
            self.labels.show_rows(run_changes.label_rows(comparison.figures.labels, labels))
            self.labels.mark(self.inspection.query)
            self.stack.setCurrentWidget(self.labels)
        else:
            self._show_changes()

    def _show_changes(self) -> None:
        self._following = True
        self.model.reread()
        self._following = False
        changes = self.comparison.changes
        counts = changes.count(self.inspection.query) if changes is not None else {}
        wide = self.width() >= WIDE
        for kind, chip in self.kinds.items():
            count = f"{counts.get(kind, 0):,}"
            chip.setText(f"{kind.words} {count}" if wide else count)
        self.nothing.setText("Nothing changes: both runs find the same symbols.")
        self.stack.setCurrentWidget(self.changes if self.model.rowCount() else self.nothing)
        self._follow_choice()

    def _state(self) -> str:
        progress = self.comparison.progress
        if progress is not None:
            done, total = progress
            return f"comparing pages … {done:,} of {total:,}"
        return "comparing …" if self.comparison.busy else ""

    def _go(self, row: int) -> None:
        entry = self.model.entry(row)
        self._go_to(entry)
        kind = self.model.shown[row].kind
        told = f"{kind.words} · {row + 1:,} of {self.model.rowCount():,}"
        self.inspection.collection.said.emit(told[:1].upper() + told[1:], False)

    def _follow_choice(self) -> None:
        """Mark the chosen change, if it is listed."""
        row = self.model.row_of(self.comparison.chosen)
        self._following = True
        if row is None:
            self.changes.clearSelection()
            self.changes.setCurrentIndex(QModelIndex())
        else:
            self.changes.selectRow(row)
        self._following = False

    def _chosen(self, now: QModelIndex, _: QModelIndex) -> None:
        if not now.isValid() or self._following:
            return
        if self.model.list is not self.comparison.changes:
            return  # others by now; the table follows at once
        if self.model.entry(now.row()) != self.comparison.chosen:
            self._go(now.row())

    def _open_page(self, key: object) -> None:
        if isinstance(key, str):
            self.inspection.open_page(key)
            self.pages.mark(key)

    def _choose_label(self, key: object) -> None:
        if isinstance(key, str):
            self.inspection.choose_query(None if key == self.inspection.query else key)

    def _filter(self) -> None:
        self.model.kinds = frozenset(kind for kind, chip in self.kinds.items() if chip.isChecked())
        self._show_changes()

    def _tab(self, text: str, tip: str) -> QToolButton:
        return set_up(QToolButton(), text=text, tip=tip, checkable=True)

    def _chip(self, kind: ChangeKind) -> QToolButton:
        chip = self._tab(
            kind.words, rich(f"<p><b>{kind.words.capitalize()}</b>: {MEANINGS[kind]}</p>")
        )
        chip.setChecked(True)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.clicked.connect(lambda _=False: self._filter())
        return chip

    def _lay_out(self) -> None:
        tabs = Flow(2, 0)
        tabs.setContentsMargins(8, 0, 12, 2)
        self._tabs = QButtonGroup(self)
        for tab in (self.by_change, self.by_page, self.by_label):
            self._tabs.addButton(tab)
            tabs.addWidget(tab)
        self.by_change.setChecked(True)
        self._tabs.buttonClicked.connect(lambda _: self.refresh())
        for chip in self.kinds.values():
            tabs.addWidget(chip)
        tabs.addStretch()
        tabs.addWidget(self.state)
        self.stack = QStackedWidget()
        for widget in (self.nothing, self.changes, self.pages, self.labels):
            self.stack.addWidget(widget)
        in_column(self.head, tabs, (self.stack, 1), of=self, margins=0, spacing=0)


def _changes_table(model: ChangeModel, parent: QWidget) -> QTableView:
    table = row_table(model, "Changes", WIDTHS, parent)
    header = table.horizontalHeader()
    header.setSectionsClickable(True)
    header.sectionClicked.connect(model.sort_by)
    return table
