"""The regions of the open page in a table: sorted, filtered, selected, hidden and locked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Protocol, TypeVar, cast

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
)
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QMenu, QTableView, QWidget

from spotlab.editing.operations import bounds_of
from spotlab.editing.region_index import Rectangle
from spotlab.editing.selection import RegionColumn
from spotlab.errors import counted
from spotlab.gui.annotate.panels.history import TruthTotals
from spotlab.gui.annotate.panels.region_model import WIDTHS, RegionModel
from spotlab.gui.annotate.region_list import RegionList
from spotlab.gui.kit import theme
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.table_view import row_table
from spotlab.gui.kit.widgets import EmptyNote, in_column
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Region
from spotlab.model.region import DIGITS
from spotlab.signal import Signal


def menu_of_regions(
    regions: Sequence[Region], workbench: Workbench, zoom: Callable[[], object], parent: QWidget
) -> QMenu:
    """Zoom, show, hide, lock and delete; hidden and locked regions are among them."""
    visibility = workbench.state(RegionVisibility)
    hidden = all(map(visibility.is_hidden, regions))
    locked = all(map(visibility.is_locked, regions))
    label = regions[-1].label
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _add(menu, "Zoom to Selection", zoom)
    _add(menu, "Show" if hidden else "Hide", lambda: visibility.hide(regions, not hidden))
    _add(menu, "Unlock" if locked else "Lock", lambda: visibility.lock(regions, not locked))
    _add(menu, f"Show Only {label or 'Unlabeled'}", lambda: visibility.show_only(label))
    if visibility.hides:
        _add(menu, "Show All Regions", visibility.show_all)
    menu.addSeparator()
    delete = _add(menu, "Delete", workbench.editing.remove_selected)
    delete.setEnabled(bool(workbench.selected))
    return menu


def _add(menu: QMenu, title: str, run: Callable[[], object]) -> QAction:
    action = menu.addAction(title)
    action.triggered.connect(lambda _=False: run())
    return action


Value = TypeVar("Value")


class RegionSelection:
    """The page's selection has those of the chosen rows that can be changed.

    Attributes
    ----------
    changed : Signal
        Other rows were chosen by hand.
    """

    def __init__(
        self,
        table: QTableView,
        model: RegionModel,
        workbench: Workbench,
        visibility: RegionVisibility,
    ) -> None:
        self._table = table
        self._model = model
        self._workbench = workbench
        self._visibility = visibility
        self._following = False
        self.changed = Signal[[]]()
        table.selectionModel().selectionChanged.connect(self._choose)

    def regions(self) -> list[Region]:
        """The regions of the chosen rows, hidden and locked ones included."""
        return self._chosen(self._model.regions)

    def _chosen(self, values: Sequence[Value]) -> list[Value]:
        """Of values of all rows, those of the chosen ones."""
        selected = self._table.selectionModel().selection()  # a list of indexes takes long
        selection = cast("Iterable[QItemSelectionRange]", selected)
        blocks = sorted({(block.top(), block.bottom() + 1) for block in selection})
        chosen: list[Value] = []
        end = 0
        for top, bottom in blocks:
            chosen += values[max(top, end) : bottom]
            end = max(end, bottom)
        return chosen

    def _reachable_ids(self) -> list[str]:
        """The ids of the chosen regions that can be changed."""
        if not self._visibility.has_marks:
            return self._chosen(self._model.ids)
        return [region.id for region in filter(self._visibility.is_reachable, self.regions())]

    def region_at(self, index: QModelIndex) -> Region | None:
        """The region of a row."""
        at = index.row()
        return self._model.regions[at] if 0 <= at < len(self._model.regions) else None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let other rows be shown: those of the same regions are chosen afterwards."""
        before = self._chosen(self._model.ids)
        with self._quiet():
            yield
        if not _same(self._chosen(self._model.ids), before):
            self._select({*before, *self._workbench.selection.ids})
        self.follow()

    def follow(self) -> None:
        """Choose the rows of what is selected on the page, and bring the last one into sight."""
        if self._following:
            return
        ids = self._workbench.selection.ids
        if not _same(self._reachable_ids(), list(ids)):
            self._select(set(ids))
            place = self._model.place_of(ids[-1]) if ids else None
            if place is not None:
                self._table.scrollTo(self._model.index(place, 0))

    def _choose(self) -> None:
        if self._following:
            return
        ids = self._reachable_ids()
        current = self.region_at(self._table.currentIndex())
        if current is not None and current.id in ids:  # it gets the handles
            ids.remove(current.id)
            ids.append(current.id)
        with self._quiet():
            self._workbench.selection.set(ids)
        self.changed.emit()

    def _select(self, ids: set[str]) -> None:
        found = np.fromiter(map(self._model.places.get, ids, repeat(-1)), np.intp, len(ids))
        places = np.sort(found[found >= 0])
        breaks = np.flatnonzero(np.diff(places) != 1) + 1  # where a block of rows ends
        selection = QItemSelection()
        last = len(self._model.columns) - 1
        for block in np.split(places, breaks) if len(places) else ():
            first = self._model.index(int(block[0]), 0)
            end = self._model.index(int(block[-1]), last)
            selection.append(QItemSelectionRange(first, end))
        flags = QItemSelectionModel.SelectionFlag
        model = self._table.selectionModel()
        with self._quiet():
            if len(places):
                model.setCurrentIndex(self._model.index(int(places[-1]), 0), flags.NoUpdate)
            model.select(selection, flags.ClearAndSelect)

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Neither side answers to the other meanwhile."""
        self._following = True
        try:
            yield
        finally:
            self._following = False


def _same(ids: list[str], others: list[str]) -> bool:
    """Tell whether these are the same ids, in any order."""
    return ids == others or (len(ids) == len(others) and set(ids) == set(others))


_PAUSE = 80  # ms until the table follows an edit
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NONE = "No regions on this page. Draw a stroke around a symbol to make one."
_NO_PAGE = "Open a page to see its regions."
_FILTERED = "No region contains these words."
_SIGNS = (RegionColumn.HIDDEN, RegionColumn.LOCKED)


class RegionsView(Protocol):
    """Interface for moving the view of the page."""

    def show(self, place: Rectangle) -> None:
        """Bring a place into sight."""

    def zoom(self, place: Rectangle) -> None:
        """Show a place as large as there is room."""


class RegionsPanel(LivePanel):
    """A click goes to a region, Enter or a double click zooms to it.

    Rows of hidden and locked regions can be chosen to show and unlock them; the page's selection
    has only those that can be changed.
    """

    def __init__(
        self, workbench: Workbench, view: RegionsView, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, delay=_PAUSE)
        self.workbench = workbench
        self.listed = workbench.state(RegionList)
        self.visibility = workbench.state(RegionVisibility)
        self.model = RegionModel(workbench, self)
        self._view = view
        self._totals = TruthTotals(self._say)
        self.box = set_up(
            QLineEdit(placeholderText="Filter regions", clearButtonEnabled=True),
            tip="Words of the label, comment, transcription or author; "
            "also uncertain, ignored, unlabeled, #12",
            name="Filter regions",
        )
        self.table = row_table(self.model, "Regions", WIDTHS, self)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(24)
        header.setStretchLastSection(True)
        header.setSortIndicatorShown(True)
        self.nothing = EmptyNote()
        self.foot = set_up(QLabel(), role="quiet")
        self.foot.setContentsMargins(12, 3, 12, 5)
        self._lay_out()
        self.box.textChanged.connect(self.listed.filter)
        header.sectionClicked.connect(self._sort)
        self.chosen = RegionSelection(self.table, self.model, workbench, self.visibility)
        self.chosen.changed.connect(self._say)
        self.table.clicked.connect(self._go)
        self.table.doubleClicked.connect(self._zoom)
        self.table.customContextMenuRequested.connect(self._offer)
        self.table.installEventFilter(self)
        self.table.viewport().installEventFilter(self)
        self.redraw_on(
            workbench.page_changed,
            workbench.document_changed,
            workbench.labels_changed,
            self.visibility.changed,
            self.listed.changed,
            theme.repainted.changed,
        )
        self.follow(workbench.selection_changed, self._follow)

    def draw(self) -> None:
        """List the regions, and select those that are."""
        if self.box.text() != self.listed.text:
            self.box.setText(self.listed.text)
        order = Qt.SortOrder.DescendingOrder if self.listed.falling else Qt.SortOrder.AscendingOrder
        column = self.model.order.index(self.listed.column)
        self.table.horizontalHeader().setSortIndicator(column, order)
        with self.chosen.kept():
            self.model.show_list(self.listed)
        self._say()

    def paint_in_theme(self) -> None:
        """Paint the swatches anew."""
        self.model.paint_in_theme()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on an eye or a lock; Enter, Delete and digits in the table."""
        if watched is self.table.viewport() and isinstance(event, QMouseEvent):
            return self._sign_pressed(event) or super().eventFilter(watched, event)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event) or super().eventFilter(watched, event)
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        head = in_column(self.box, margins=(8, 8, 8, 4))
        in_column(
            head, (self.nothing, 1), (self.table, 1), self.foot, of=self, margins=0, spacing=0
        )

    def _sort(self, section: int) -> None:
        column = self.model.order[section]
        first_falling = column in (RegionColumn.HIDDEN, RegionColumn.LOCKED)
        same = column is self.listed.column
        self.listed.sort(column, not self.listed.falling if same else first_falling)
        self.refresh()

    def _follow(self) -> None:
        """The page has another selection."""
        self.chosen.follow()
        self._say()

    def _say(self) -> None:
        document = self.workbench.document
        listed, count = len(self.model.shown), len(document or ())
        chosen = self.chosen.regions()
        self.table.setVisible(bool(listed))
        self.foot.setVisible(bool(listed))
        self.nothing.setVisible(not listed)
        self.nothing.setText(_NO_PAGE if document is None else _FILTERED if count else _NONE)
        parts = [
            f"{listed:,} of {counted(count, 'region')}"
            if listed < count
            else counted(count, "region")
        ]
        if len(chosen) > 1:
            totals = self._totals.of(chosen)
            area = "" if totals is None else f", {totals.area:,.0f} px²"
            parts.append(f"{len(chosen):,} selected{area}")
        hidden, locked = self.visibility.hidden_count(), self.visibility.locked_count()
        parts += [f"{hidden:,} hidden"] if hidden else []
        parts += [f"{locked:,} locked"] if locked else []
        self.foot.setText(" · ".join(parts))

    def _go(self, index: QModelIndex) -> None:
        region = self.chosen.region_at(index)
        if region is not None:
            self._view.show(region.bounds)

    def _zoom(self) -> None:
        regions = self.chosen.regions()
        if regions:
            self._view.zoom(bounds_of(regions))

    def _sign_pressed(self, event: QMouseEvent) -> bool:
        """Tell whether the button went down on an eye or a lock, which then changes."""
        pressed = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        if not pressed or event.button() != Qt.MouseButton.LeftButton:
            return False
        index = self.table.indexAt(event.position().toPoint())
        region = self.chosen.region_at(index)
        if region is None or self.model.order[index.column()] not in _SIGNS:
            return False
        chosen = self.chosen.regions()
        regions = chosen if region in chosen else [region]
        row = self.model.shown[index.row()]
        if self.model.order[index.column()] is RegionColumn.HIDDEN:
            self.visibility.hide(regions, not row.hidden)
        else:
            self.visibility.lock(regions, not row.locked)
        self.refresh()
        return True

    def _key(self, event: QKeyEvent) -> bool:
        workbench = self.workbench
        if event.key() in _ENTER:
            self._zoom()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            workbench.editing.remove_selected()
        elif event.text() and event.text() in DIGITS and not event.modifiers():
            label = workbench.labels.by_digit(event.text())
            if label is not None and workbench.selected:
                workbench.editing.apply_label(label.name)
        else:
            return False
        return True

    def _offer(self, place: QPoint) -> None:
        """Offer what can be done with the chosen rows."""
        regions = self.chosen.regions()
        if regions:
            menu = menu_of_regions(regions, self.workbench, self._zoom, self)
            menu.exec(self.table.viewport().mapToGlobal(place))
