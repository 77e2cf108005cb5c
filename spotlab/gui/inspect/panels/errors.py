"""The errors of the current run across the collection, worst first, to step through."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from itertools import groupby

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QStackedWidget, QTableView, QToolButton, QWidget

from spotlab.arrays import Ints
from spotlab.gui.inspect.panels.error_filters import ErrorFilters, KindChips
from spotlab.gui.inspect.panels.error_model import NAMES, WORST, ErrorModel, ErrorPictures
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import GoTo
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.table_view import row_table
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import EmptyNote, in_column, in_row
from spotlab.measures.confusion import ErrorColumns
from spotlab.measures.matching import ErrorList, Errors, list_errors
from spotlab.measures.tally import Tally
from spotlab.measures.tide import TIDE_KINDS, TideErrors, TideKind, tide_errors
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.studies.tally.label_areas import label_areas


class PageSwitch(QWidget):
    """Two buttons; they are there while the page list leaves pages out."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self.all = self._button("Compute figures, curves and tables from all pages")
        self.shown = self._button(
            "Compute figures, curves and tables from the pages that the page list shows"
        )
        group = QButtonGroup(self)
        row = in_row(of=self, margins=(8, 0, 8, 6), spacing=2)
        for button in (self.all, self.shown):
            group.addButton(button)
            row.addWidget(button)
        row.addStretch()
        group.buttonClicked.connect(lambda _: inspection.shown.set_only(self.shown.isChecked()))
        inspection.shown.changed.connect(self.follow)
        inspection.collection.entries_changed.connect(self.follow)
        inspection.runs.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show which pages figures are of."""
        names, entries = self.inspection.shown.names, self.inspection.collection.entries
        self.setVisible(names is not None and bool(self.inspection.runs))
        self.all.setText(f"All {len(entries):,} Pages")
        self.shown.setText(f"{len(names or ()):,} Shown")
        only = self.inspection.shown.only
        (self.shown if only else self.all).setChecked(True)

    def _button(self, tip: str) -> QToolButton:
        return set_up(QToolButton(), tip=tip, checkable=True)


class TideBar(QLabel):
    """AP, and ΔAP of each kind, the largest first; the tooltip has counts and definitions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, wordWrap=True)
        self.setContentsMargins(12, 0, 12, 4)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._mending = Task(urgent=True)
        self._tide: TideErrors | None = None
        self._query: str | None = None
        self.hide()

    def mend(self, tally: Tally, iou: float, counts: Ints | None) -> None:
        """Find in the background what mending each kind would gain, and show it."""

        def done(tide: TideErrors) -> None:
            self._tide = tide
            self.show_query(self._query)

        self._mending.start(_mended, tally, iou, counts, done=done)

    def forget(self) -> None:
        """There are no errors."""
        self._mending.cancel()
        self._tide = None
        self.hide()

    def show_query(self, query: str | None) -> None:
        """Show what is known of this query, or the mean over queries."""
        self._query, tide = query, self._tide
        if tide is None:
            return
        names = tide.tally.queries
        number = names.index(query) if query in names else None
        gains = {kind: tide.gain(kind, number) for kind in TIDE_KINDS}
        ordered = sorted(TIDE_KINDS[:6], key=lambda kind: -(gains[kind] or 0.0))
        alike = groupby(ordered, lambda kind: _gain(gains[kind]))  # in less room where many are 0
        parts = [f"{', '.join(k.words for k in kinds)} <b>{gain}</b>" for gain, kinds in alike]
        parts += [f"all {kind.words}s {_gain(gains[kind])}" for kind in TIDE_KINDS[6:]]
        of = html.escape(query) if number is not None and query else "mean"
        head = f"ΔAP if mended (TIDE, AP {written(tide.mean(number))}, {of})"
        self.setText(rich(f"{head}: {' · '.join(parts)}"))
        self.setToolTip(_tip(tide, number, gains))
        self.show()


def _mended(tally: Tally, iou: float, counts: Ints | None, _: Progress) -> TideErrors:
    return tide_errors(tally, iou, counts)


def _gain(gain: float | None) -> str:
    return UNDEFINED if gain is None else f"{gain:+.3f}".replace("0.", ".").replace("-", "−")


def _tip(tide: TideErrors, query: int | None, gains: Mapping[TideKind, float | None]) -> str:
    rows = []
    for kind in TIDE_KINDS:
        counts = tide.count(kind)
        count = int(counts.sum() if query is None else counts[query])
        rows.append(
            f"<tr><td><b>{kind.words}</b> ({kind.short})</td><td align='right'>{count:,}</td>"
            f"<td align='right'>{_gain(gains[kind])}</td><td>{kind.meaning}</td></tr>"
        )
    return rich(
        f"<p>What average precision at IoU {tide.iou:g} would gain without each kind of error "
        "(Bolya et al. 2020). TIDE tests kinds in another order than the list below, so numbers "
        f"may differ.</p><table cellspacing='6'>{''.join(rows)}</table>"
    )


STILL = 150  # ms without a change until the list follows: a slider moves it many times a second
Key = tuple[Errors, bytes]  # and how many spots each query keeps, where there is a cut
WIDE = 520  # px at which there is room for the kinds in words
WIDTHS = (130, 120, 120, 130, 58, 70, 58, 92, 88, 102, 88, 100)


class ErrorsPanel(LivePanel):
    """A table or gallery of errors with chips for kinds and filters; a click goes there."""

    def __init__(self, inspection: Inspection, go_to: GoTo, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=STILL, settle=True)
        self.inspection = inspection
        self.model = ErrorModel(self.inspection, self)
        self._go_to = go_to
        self.head = KindChips()
        self.head.changed.connect(self._filter)
        self.filters = ErrorFilters(self.model.texts_of)
        self.filters.changed.connect(self._filter)
        self.tide = TideBar()
        self.as_pictures = _pictures_button()
        self.as_pictures.toggled.connect(lambda _: self._show_counts())
        self.pictures = ErrorPictures(inspection, self.model)
        self.gallery = self.pictures.gallery
        self.gallery.chosen.connect(self._go)
        self.table = _errors_table(self.model, self)
        self.table.horizontalHeader().sortIndicatorChanged.connect(lambda *_: self._filter())
        self.table.selectionModel().currentRowChanged.connect(self._chosen)
        self.table.clicked.connect(lambda index: self._chosen(index, index))
        self.nothing = EmptyNote()
        self._lay_out()
        self._following = False
        self._listing, self._measuring = Task(urgent=True), Task(urgent=True)
        self._key: Key | None = None
        self._then: Callable[[], object] | None = None  # what waits for the list
        self.redraw_on(
            self.inspection.runs.changed,
            self.inspection.runs.figures_changed,
            self.inspection.query_changed,
            self.inspection.cut_changed,
        )
        self.inspection.spot_changed.connect(self._follow)
        self.as_pictures.setIcon(theme.icon("view-grid-outline"))
        self._use(None)

    def is_wanted(self) -> bool:
        """Also to step through the list."""
        return super().is_wanted() or self._then is not None

    def is_empty(self) -> bool:
        """Tell whether no run has errors to list."""
        return self._wanted() is None

    def draw(self) -> None:
        """List the errors; they are put in order in the background."""
        key = self._wanted()
        if key is None:
            self._key = None
            self._use(None)
        elif key == self._key:
            self._use(self.model.table)
        elif not self._listing.busy:
            errors, cut = key
            counts = self.inspection.counts if cut else None
            self._listing.start(_listed, errors, counts, done=lambda found: self._done(key, found))

    def _wanted(self) -> Key | None:
        """Tell which errors to list; where a cut ends lists, regions found after it are missed."""
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
        row = self.model.row_of_next_kind(by)
        if row is None:
            self.step(by)
        else:
            self._go(row)

    def _must_read(self, then: Callable[[], object]) -> bool:
        """Tell whether the list is not what it should be; it is read, then this is done."""
        if not self.outdated and not self._listing.busy:
            return False
        self._then = then
        self.refresh()
        return True

    def _done(self, key: Key, found: ErrorColumns) -> None:
        if key != self._wanted():
            self.draw()  # others by now
            return
        self._key = key
        self._use(found)
        self._measure(found)

    def _measure(self, found: ErrorColumns) -> None:
        """Find the shares of spots on truth, and what mending would gain; both may take long."""
        runs, errors = self.inspection.runs, found.list.errors
        truths = runs.truth.all

        def measured(table: ErrorColumns) -> None:
            if self.model.table is not found:
                return
            if self._key == self._wanted():
                self._use(table)
            else:
                self._key = None  # others are wanted by now; these are listed anew when they are

        counts = None if self.inspection.cut.value is None else self.inspection.counts
        self.tide.mend(errors.tally, runs.settings.iou, counts)
        self._measuring.start(_measured, found.list, truths, runs.primitive, done=measured)

    def _use(self, errors: ErrorColumns | None) -> None:
        self._following = True
        self.model.use(errors)
        self._following = False
        if errors is None:
            self.tide.forget()
        self.tide.show_query(self.inspection.query)
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

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.gallery)
        row = in_row(
            (self.filters, 1), (self.as_pictures, Qt.AlignmentFlag.AlignTop), margins=(8, 0, 8, 4)
        )
        in_column(self.head, row, self.tide, (self.stack, 1), of=self, margins=0, spacing=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show kinds as icons where there is little width."""
        super().resizeEvent(event)
        self._show_counts()

    def _filter(self) -> None:
        self._following = True
        self.model.set_kinds(self.head.kinds)
        if self.model.filters != self.filters.filters:
            self.model.set_filters(self.filters.filters)
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
        elif self.filters.filters and self.model.list is not None:
            text = "No errors pass the filters."
        elif all:
            text = "There are no errors of the chosen kinds."
        else:
            text = "No errors: all regions are found, and nothing else is retrieved."
        self.nothing.setText(text)
        self.stack.setCurrentIndex((2 if self.as_pictures.isChecked() else 1) if shown else 0)
        if self.as_pictures.isChecked():
            self.pictures.show_rows()

    def _chosen(self, now: QModelIndex, _: QModelIndex) -> None:
        if now.isValid() and not self._following and now.row() != self.model.row_of_choice():
            self._go(now.row())

    def _follow(self) -> None:
        """Mark the chosen spot or region, if it is listed."""
        row = self.model.row_of_choice()
        self.gallery.mark(row)
        self._following = True
        if row is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(row)
        self._following = False


def _pictures_button() -> QToolButton:
    button = QToolButton()
    button.setText("Pictures")
    button.setCheckable(True)
    button.setToolTip("Show small pictures of the page instead of a table")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def _errors_table(model: ErrorModel, parent: QWidget) -> QTableView:
    table = row_table(model, "Errors", WIDTHS, parent)
    table.horizontalHeader().setSortIndicator(NAMES.index(WORST[0]), Qt.SortOrder.DescendingOrder)
    table.setSortingEnabled(True)
    return table


def _listed(errors: Errors, counts: Ints | None, _: Progress) -> ErrorColumns:
    table = ErrorColumns(list_errors(errors if counts is None else errors.at(counts)))
    table.prepare()
    return table


def _measured(
    listed: ErrorList, truths: Mapping[str, Truth], primitive: Primitive | None, progress: Progress
) -> ErrorColumns:
    table = ErrorColumns(listed, label_areas(listed.errors.tally, truths, primitive, progress))
    table.prepare()
    return table
