"""The errors of the current run across the collection, worst first, to step through."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from spotlab.gui.inspect.navigation import GoTo
from spotlab.gui.inspect.panels.error_model import KINDS, ErrorModel
from spotlab.gui.inspect.panels.kind_chips import KindChips
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import icons
from spotlab.gui.kit.live_panel import LivePanel
from spotlab.gui.kit.table_delegate import tabular
from spotlab.gui.kit.task import Task
from spotlab.measures.error_list import ErrorList, list_errors
from spotlab.measures.errors import Errors, classify_errors
from spotlab.measures.tally import Ints
from spotlab.progress import Progress

STILL = 150  # ms without a change until the list follows: a slider moves it many times a second
Key = tuple[Errors, bytes]  # and how many spots each query keeps, where there is a cut
WIDE = 520  # px at which there is room for the kinds in words
WIDTHS = (130, 130, 170, 62, 78)


class ErrorsPanel(LivePanel):
    """A table of errors with a chip for each kind; a click goes there."""

    def __init__(self, inspection: Inspection, go_to: GoTo, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=STILL, settle=True)
        self.inspection = inspection
        self.model = ErrorModel(self.inspection, self)
        self._go_to = go_to
        self.head = KindChips()
        self.head.changed.connect(self._filter)
        self.table = self._table()
        self.nothing = QLabel()
        self.nothing.setProperty("role", "quiet")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._following = False
        self._listing = Task(urgent=True)
        self._key: Key | None = None
        self._then: Callable[[], object] | None = None  # what waits for the list
        self.redraw_on(
            self.inspection.runs.changed,
            self.inspection.runs.figures_changed,
            self.inspection.query_changed,
            self.inspection.cut_changed,
        )
        self.inspection.spot_changed.connect(self._follow)
        icons.repainted.changed.connect(self.table.viewport().update)
        self._use(None)

    def is_wanted(self) -> bool:
        """Also to step through the list, and to let go of it when the last run is closed."""
        return super().is_wanted() or self._then is not None or self._wanted() is None

    def draw(self) -> None:
        """List the errors; they are put in order in the background."""
        key = self._wanted()
        if key is None:
            self._key = None
            self._use(None)
        elif key == self._key:
            self._use(self.model.list)
        elif not self._listing.busy:
            errors, cut = key
            counts = self.inspection.counts if cut else None
            self._listing.start(
                _listed, errors, counts, self.inspection.runs.settings.iou,
                done=lambda found: self._done(key, found),
            )  # fmt: skip

    def _wanted(self) -> Key | None:
        """Which errors to list; where a cut ends lists, regions found after it are missed."""
        current, inspection = self.inspection.runs.current, self.inspection
        if current is None or current.errors is None:
            return None
        counts = b"" if inspection.cut.value is None else inspection.counts.tobytes()
        return current.errors, counts

    def step(self, by: int) -> None:
        """Go to the next error of those listed, or back; after the last comes the first."""
        if self._must_read(lambda: self.step(by)):
            return
        count = self.model.rowCount()
        if not count:
            self.inspection.collection.said.emit("There are no errors of the chosen kinds", False)
            return
        at = self.model.row_of_choice()
        start = -1 if by > 0 else 0
        self._go(((start if at is None else at) + by) % count)

    def step_kind(self, by: int) -> None:
        """Go to the worst error of the next kind, or of the one before."""
        if self._must_read(lambda: self.step_kind(by)):
            return
        kinds = [kind for kind in KINDS if self.model.first_of(kind) is not None]
        if not kinds:
            self.step(by)
            return
        at = self.model.row_of_choice()
        here = self.model.place(at).kind if at is not None else None
        number = (kinds.index(here) + by) % len(kinds) if here in kinds else 0
        row = self.model.first_of(kinds[number])
        assert row is not None  # kinds without one were left out
        self._go(row)

    def _must_read(self, then: Callable[[], object]) -> bool:
        """Whether the list is not what it should be; it is read, then this is done."""
        if not self.outdated and not self._listing.busy:
            return False
        self._then = then
        self.refresh()
        return True

    def _done(self, key: Key, found: ErrorList) -> None:
        if key == self._wanted():
            self._key = key
            self._use(found)
        else:
            self.draw()  # others by now

    def _use(self, errors: ErrorList | None) -> None:
        self._following = True
        self.model.use(errors)
        self._following = False
        self._show_counts()
        self._follow()
        then, self._then = self._then, None
        if then:
            then()

    def _go(self, row: int) -> None:
        place = self.model.place(row)
        self._go_to(place)
        told = f"{place.kind.words} · {row + 1:,} of {self.model.rowCount():,}"
        self.inspection.collection.said.emit(told[:1].upper() + told[1:], False)

    def _table(self) -> QTableView:
        table = QTableView(self)
        table.setModel(self.model)
        table.setAccessibleName("Errors")
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setFrameShape(QTableView.Shape.NoFrame)
        table.setFont(tabular(table.font()))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(25)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for column, width in enumerate(WIDTHS):
            header.resizeSection(column, width)
        header.setStretchLastSection(False)
        table.selectionModel().currentRowChanged.connect(self._chosen)
        table.clicked.connect(lambda index: self._chosen(index, index))
        return table

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.stack, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, icons say the kinds."""
        super().resizeEvent(event)
        self._show_counts()

    def _filter(self) -> None:
        self._following = True
        self.model.set_kinds(self.head.kinds)
        self._following = False
        self._show_counts()
        self._follow()

    def _show_counts(self) -> None:
        shown, all = self.model.rowCount(), sum(self.model.counts.values())
        self.head.show_counts(self.model.counts, shown, in_words=self.width() >= WIDE)
        current = self.inspection.runs.current
        if current is None:
            text = "Open a run to step through its errors."
        elif current.errors is None:
            text = "Computing …"
        elif all:
            text = "There are no errors of the chosen kinds."
        else:
            text = "No errors: all regions are found, and nothing else is retrieved."
        self.nothing.setText(text)
        self.stack.setCurrentIndex(1 if shown else 0)

    def _chosen(self, now: QModelIndex, _: QModelIndex) -> None:
        if now.isValid() and not self._following and now.row() != self.model.row_of_choice():
            self._go(now.row())

    def _follow(self) -> None:
        """Mark the chosen spot or region, if it is listed."""
        row = self.model.row_of_choice()
        self._following = True
        if row is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(row)
        self._following = False


def _listed(errors: Errors, counts: Ints | None, iou: float, _: Progress) -> ErrorList:
    return list_errors(errors if counts is None else classify_errors(errors.tally, iou, counts))
