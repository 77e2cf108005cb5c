"""The regions of the open page in a table: sorted, filtered, selected, hidden and locked."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QVBoxLayout, QWidget

from spotlab.editing.operations import bounds_of
from spotlab.editing.region_index import Rectangle
from spotlab.editing.selection import RegionColumn
from spotlab.errors import counted
from spotlab.gui.annotate.panels.region_menu import menu_of_regions
from spotlab.gui.annotate.panels.region_model import WIDTHS, RegionModel
from spotlab.gui.annotate.panels.region_selection import RegionSelection
from spotlab.gui.annotate.panels.totals import TruthTotals
from spotlab.gui.annotate.region_list import RegionList
from spotlab.gui.kit import icons
from spotlab.gui.kit.empty_note import EmptyNote
from spotlab.gui.kit.live_panel import LivePanel
from spotlab.gui.kit.row_table import row_table
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.pages.workbench import Workbench
from spotlab.model.labels import DIGITS

_PAUSE = 80  # ms until the table follows an edit
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NONE = "No regions on this page. Draw a stroke around a symbol to make one."
_NO_PAGE = "Open a page to see its regions."
_FILTERED = "No region contains these words."
_SIGNS = (RegionColumn.HIDDEN, RegionColumn.LOCKED)


class RegionsView(Protocol):
    """What moves the view of the page."""

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
        self.box = QLineEdit()
        self.box.setPlaceholderText("Filter regions")
        self.box.setClearButtonEnabled(True)
        self.box.setAccessibleName("Filter regions")
        self.box.setToolTip(
            "Words of the label, comment, transcription or author; "
            "also uncertain, ignored, unlabeled, #12"
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
        self.foot = QLabel()
        self.foot.setProperty("role", "quiet")
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
            icons.repainted.changed,
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(8, 8, 8, 4)
        head.addWidget(self.box)
        layout.addLayout(head)
        layout.addWidget(self.nothing, 1)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.foot)

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
        """Whether the button went down on an eye or a lock, which then changes."""
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
        """What can be done with the chosen rows."""
        regions = self.chosen.regions()
        if regions:
            menu = menu_of_regions(regions, self.workbench, self._zoom, self)
            menu.exec(self.table.viewport().mapToGlobal(place))
