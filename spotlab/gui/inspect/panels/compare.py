"""What changes between the current run, A, and another one, B: changes, pages, labels."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QStackedWidget,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.inspect.panels import changed_rows
from spotlab.gui.inspect.panels.change_model import LOOKS, MEANINGS, ChangeModel
from spotlab.gui.inspect.panels.compare_head import CompareHead
from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import icons
from spotlab.gui.kit.empty_note import EmptyNote
from spotlab.gui.kit.flow import Flow
from spotlab.gui.kit.live_panel import LivePanel
from spotlab.gui.kit.plain_text import rich
from spotlab.gui.kit.row_table import row_table
from spotlab.gui.kit.table_view import FiguresView
from spotlab.studies.compare.comparison import ChangeKind

WIDE = 900  # px at which there is room for the kinds in words
SOON = 30  # ms: one look at several changes
WIDTHS = (140, 110, 150, 96, 120, 110, 90)
NOTHING = "Choose a run B to see what changes from the current run to it."
ONE = "Open a second run to compare it with the current one."
GoTo = Callable[[int], object]


class ComparePanel(LivePanel):
    """Who is compared, and three tables; a click goes to the place.

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
        self.pages.model.use_figures(changed_rows.PAGE_FIGURES)
        self.pages.summary.use_figures(changed_rows.PAGE_FIGURES)
        self.labels.model.use_figures(changed_rows.LABEL_FIGURES)
        self.labels.summary.use_figures(changed_rows.LABEL_FIGURES)
        self.pages.chosen.connect(self._open_page)
        self.labels.chosen.connect(self._choose_label)
        self.by_change = self._tab("Changes", "Symbols and false spots gained and lost")
        self.by_page = self._tab("Pages", "How the figures of each page change")
        self.by_label = self._tab("Labels", "How the figures of each label change")
        self.kinds = {kind: self._chip(kind) for kind in ChangeKind}
        self.state = QLabel()
        self.state.setProperty("role", "quiet")
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
        icons.repainted.changed.connect(self._paint_icons)
        self._paint_icons()
        self.head.follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, icons say the kinds."""
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
        """Whether no run is open."""
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
                changed_rows.page_rows(
                    comparison.figures.pages, comparison.pages, self.inspection.query
                )
            )
            self.stack.setCurrentWidget(self.pages)
        elif self.by_label.isChecked():
            labels = self.inspection.collection.labels
            self.labels.show_rows(changed_rows.label_rows(comparison.figures.labels, labels))
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
        tab = QToolButton()
        tab.setText(text)
        tab.setToolTip(tip)
        tab.setCheckable(True)
        return tab

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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addLayout(tabs)
        layout.addWidget(self.stack, 1)

    def _paint_icons(self) -> None:
        for kind, chip in self.kinds.items():
            chip.setIcon(icons.icon(*LOOKS[kind]))
        self.changes.viewport().update()


def _changes_table(model: ChangeModel, parent: QWidget) -> QTableView:
    table = row_table(model, "Changes", WIDTHS, parent)
    header = table.horizontalHeader()
    header.setSectionsClickable(True)
    header.sectionClicked.connect(model.sort_by)
    return table
