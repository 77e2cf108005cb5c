"""The votes: items × systems, most disputed first or as the file has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QToolButton,
    QWidget,
)

from spotlab.arrays import Ints
from spotlab.errors import counted
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.table_view import NAME_STYLE
from spotlab.gui.kit.widgets import STRETCH, Choice, Flow, Option, fill, in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.state import ShownTables, Systems
from spotlab.gui.systems.votes.vote_model import (
    LINE,
    NARROW,
    By,
    VoteDelegate,
    VoteFilter,
    VoteHead,
    VoteModel,
    arrange_items,
)
from spotlab.progress import silent

Show = Callable[[float, float, float, float], object]
PAUSE = 120  # ms: who walks through a table does not want every page opened


class VoteNavigator(QObject):
    """Follows the chosen item.

    Parameters
    ----------
    workbench : Workbench
    show : callable
        Brings left, top, right, bottom, in px of the page, into sight.
    want_canvas : callable
        Is told whether there are pages to show beside the votes.
    """

    def __init__(
        self,
        workbench: Workbench,
        show: Show,
        want_canvas: Callable[[bool], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._show, self._want_canvas = show, want_canvas
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self._go)
        self._wanted = False
        workbench.state(Systems).chosen_changed.connect(self._timer.start)
        workbench.state(Systems).table_changed.connect(self._offer)
        workbench.entries_changed.connect(self._offer)
        workbench.page_changed.connect(self._arrived)
        self._offer()

    def _offer(self) -> None:
        table = self._workbench.state(Systems).table
        pages = set(table.pages) if table else set()
        self._want_canvas(any(entry.name in pages for entry in self._workbench.entries))

    def _go(self) -> None:
        systems, entry = self._workbench.state(Systems), self._workbench.entry
        table = systems.table
        if systems.item is None or table is None or not table.pages:
            return
        page = table.pages[systems.item]
        names = [each.name for each in self._workbench.entries]
        if page not in names or self._workbench.workspace != "systems":
            return
        self._wanted = True
        if entry is not None and entry.name == page:
            self._arrived()
        else:
            self._workbench.open_page(names.index(page))

    def _arrived(self) -> None:
        box = chosen_box(self._workbench)
        if self._wanted and self._workbench.document is not None:
            self._wanted = False
            if box is not None:
                self._show(*box)


def chosen_box(workbench: Workbench) -> tuple[float, float, float, float] | None:
    """Left, top, right, bottom of the chosen item, if it is a region of the open page."""
    systems, entry = workbench.state(Systems), workbench.entry
    table = systems.table
    if systems.item is None or table is None or entry is None:
        return None
    if not table.pages or table.pages[systems.item] != entry.name:
        return None
    if table.boxes is None:
        return systems.place[1] if systems.place and systems.place[0] == systems.item else None
    left, top, right, bottom = table.boxes[systems.item].tolist()
    return left, top, right, bottom


def item_at(workbench: Workbench, x: float, y: float) -> int | None:
    """The smallest item of the open page under a place of it."""
    table, entry = workbench.state(Systems).table, workbench.entry
    if table is None or table.boxes is None or entry is None or not table.pages:
        return None
    left, top, right, bottom = table.boxes.T
    under = np.flatnonzero((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
    here = [item for item in under.tolist() if table.pages[item] == entry.name]
    area = (right - left) * (bottom - top)
    return min(here, key=lambda item: float(area[item]), default=None)


def show_item_at(systems: Systems, item: int, box: tuple[float, float, float, float]) -> None:
    """Let the page show an item there, which its votes did not say."""
    systems.place = item, box
    if item == systems.item:
        systems.chosen_changed.emit()


HERE = 20_000  # items that are sorted at once; more in a thread
SOON = 250  # ms after the last step of a slider until rows are sorted anew
NAMES, WIDEST, VOTE = 190, 170, 64  # px
ORDERS: tuple[Option[By], ...] = (
    Option("file", "As in the file", "Items in the order in which they were read"),
    Option("disputed", "Most disputed first", "P(δ) nearest ½ first: where the voters agree least"),
    Option("likely", "Likely first", "The highest P(δ) first"),
    Option("unlikely", "Unlikely first", "The lowest P(δ) first"),
)


class VoteTablePanel(QWidget):
    """Rows are fetched as they come into sight, so a million of them cost nothing."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.systems = workbench.state(Systems)
        self._shown = workbench.state(ShownTables)
        self.wanted = VoteFilter()
        self.model = VoteModel(self.systems, self)
        self._sorting = Task(urgent=True)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._order_as_chosen()
        self._follow_table()

    def order_by(self, by: By) -> None:
        """Sort rows."""
        self.order.show_value(by)
        self._want()

    def refresh(self) -> None:
        """Find the rows to show and sort them; large tables in a thread."""
        self._timer.stop()
        self._sorting.cancel()
        loaded, weights = self.systems.loaded, self.systems.voting_weights
        if loaded is None or weights is None:
            self._show_order(self.model.order[:0])
            return
        args = (loaded.table, loaded.votes, weights, self.wanted)
        if len(loaded.table) <= HERE or self.wanted == VoteFilter():
            self._show_order(arrange_items(*args, silent))
            return
        if self.model.loaded is not loaded:
            self.model.use(self.model.order[:0])  # rows of other votes
        self.count.setText("sorting …")
        self._sorting.start(arrange_items, *args, done=self._show_order)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape lets go of what is chosen."""
        if event.key() == Qt.Key.Key_Escape:
            self.systems.choose_item(None)
            self.systems.choose_system(None)
        else:
            super().keyPressEvent(event)

    def _follow_table(self) -> None:
        table = self.systems.table
        known = table is not None and table.truth is not None
        self.judged.setVisible(known)
        if not known:
            self.judged.setChecked(False)
        self.field.clear()
        self.wanted = replace(self.wanted, text="", judged=self.judged.isChecked())
        self.title.setText(table.name if table else "")
        self.title.setToolTip("\n".join(table.remarks) if table else "")
        self.refresh()
        self._widen()

    def _follow_weights(self) -> None:
        self.model.weigh(self._in_sight())
        if self.wanted.by != "file":
            self._timer.start()

    def _in_sight(self) -> range:
        first, last = self.view.rowAt(0), self.view.rowAt(self.view.viewport().height())
        return range(max(first, 0), (last if last >= 0 else self.model.rowCount() - 1) + 1)

    def _show_order(self, order: Ints) -> None:
        self.model.use(order)
        table = self.systems.table
        if table is None:
            return
        shown = f"{len(order):,} of " if len(order) < len(table) else ""
        many = "s" * (len(table.systems) != 1)
        self.count.setText(
            f"{shown}{counted(len(table), 'item')} × {len(table.systems):,} system{many}"
        )
        self._follow_chosen()

    def _follow_chosen(self) -> None:
        row = self.model.row_of(self.systems.item)
        current = self.view.currentIndex()
        column = self.model.column_of(
            "vote", -1 if self.systems.system is None else self.systems.system
        )
        if row is not None and current.row() != row:
            at = max(column, 0) if column >= 0 else max(current.column(), 0)
            self.view.setCurrentIndex(self.model.index(row, at))
            self.view.scrollTo(self.model.index(row, at))
        elif column >= 0:
            self.view.scrollTo(self.model.index(max(self.view.rowAt(0), 0), column))
        self.view.viewport().update()
        self.head.viewport().update()
        self.view.verticalHeader().viewport().update()

    def _clicked(self, index: QModelIndex) -> None:
        self._choose(index)
        column = self.model.votes[index.column()]
        if column.kind == "vote":
            self.systems.choose_system(column.system)

    def _moved(self, now: QModelIndex, before: QModelIndex) -> None:
        if now.isValid() and self.view.hasFocus():
            self._clicked(now)

    def _choose(self, index: QModelIndex) -> None:
        self.systems.choose_item(self.model.item(index.row()))

    def _head_clicked(self, section: int) -> None:
        column = self.model.votes[section]
        if column.kind == "vote":
            again = self.systems.system == column.system
            self.systems.choose_system(None if again else column.system)
        elif column.kind == "probability":
            self.order_by("unlikely" if self.wanted.by == "likely" else "likely")

    def _want(self, *_: object) -> None:
        wanted = VoteFilter(self.order.value, self.field.text().strip(), self.judged.isChecked())
        if wanted != self.wanted:
            self.wanted = wanted
            self.refresh()
            self._shown.choose(votes=wanted.by)

    def _order_as_chosen(self) -> None:
        """Sort as the user did before."""
        for option in ORDERS:
            if option.value == self._shown.choices.votes != self.wanted.by:
                self.order_by(option.value)

    def _widen(self) -> None:
        table, metrics = self.systems.table, self.view.fontMetrics()
        if table is None:
            return
        self.head.reset()
        for at, column in enumerate(self.model.votes):
            title = metrics.horizontalAdvance(column.title) + 20
            if column.kind == "vote":
                width = NARROW if self.head.upright else min(max(title, VOTE), WIDEST)
            elif column.kind in ("text", "page"):
                values = (table.texts if column.kind == "text" else table.pages)[:200]
                longest = max((metrics.horizontalAdvance(text) for text in values), default=0)
                width = min(max(title, longest + 20), WIDEST)
            else:
                width = max(title, 54 if column.kind == "truth" else 66)
            self.view.setColumnWidth(at, width)
        names = (metrics.horizontalAdvance(name) + 22 for name in table.items[:200])
        self.view.verticalHeader().setFixedWidth(min(max(names, default=0), NAMES))

    def _make_widgets(self) -> None:
        self.title, self.count = QLabel(), QLabel()
        self.title.setProperty("role", "heading")
        self.count.setProperty("role", "quiet")
        self.field = set_up(
            QLineEdit(placeholderText="Search items", clearButtonEnabled=True), name="Search items"
        )
        self.field.setMaximumWidth(220)
        self.order = Choice(ORDERS, "Order of the items")
        self.order.setToolTip("The order in which items are listed")
        self.judged = QToolButton()
        self.judged.setText("Truth known")
        self.judged.setToolTip("Only items of which it is known whether they are relevant")
        self.judged.setCheckable(True)
        self.view = QTableView()
        self.head = VoteHead(self.model, self.view)
        self.view.setHorizontalHeader(self.head)
        self.head.sectionPressed.disconnect()  # a click on a system chooses no cell of it
        self.view.setModel(self.model)
        self.view.setItemDelegate(VoteDelegate(self.view))
        self.view.setAccessibleName("Votes")
        self.setFocusProxy(self.view)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setCornerButtonEnabled(False)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.view.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        names = self.view.verticalHeader()
        names.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        names.setDefaultSectionSize(LINE)
        names.setMinimumSectionSize(LINE)
        names.setHighlightSections(False)
        names.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        names.setStyleSheet(NAME_STYLE)

    def _lay_out(self) -> None:
        line = fill(
            Flow(8),
            self.title,
            self.count,
            STRETCH,
            self.judged,
            self.field,
            self.order,
            margins=(12, 6, 8, 4),
        )
        in_column(line, (self.view, 1), of=self, margins=0, spacing=0)

    def _connect(self) -> None:
        self._timer = QTimer(self, singleShot=True, interval=SOON)
        self._timer.timeout.connect(self.refresh)
        self._typing = QTimer(self, singleShot=True, interval=SOON // 2)
        self._typing.timeout.connect(self._want)
        self._shown.changed.connect(self._order_as_chosen)
        self.field.textChanged.connect(lambda _: self._typing.start())
        self.field.returnPressed.connect(self._want)
        self.order.chosen.connect(self._want)
        self.judged.toggled.connect(self._want)
        self.view.clicked.connect(self._clicked)
        self.view.selectionModel().currentChanged.connect(self._moved)
        self.head.sectionClicked.connect(self._head_clicked)
        self.view.verticalHeader().sectionClicked.connect(
            lambda row: self.systems.choose_item(self.model.item(row))
        )
        self.systems.table_changed.connect(self._follow_table)
        self.systems.weights_changed.connect(self._follow_weights)
        self.systems.chosen_changed.connect(self._follow_chosen)
