"""The queries of the current run, to choose one or all."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QVBoxLayout, QWidget

from spotlab.gui.inspect.panels.run_model import RunQueryDelegate, RunQueryModel, query_columns
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit.row_model import ROW_ROLE
from spotlab.gui.kit.widgets import in_column
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
        self.list.setModel(self.model)
        self.delegate = RunQueryDelegate(self.list)
        self.list.setItemDelegate(self.delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setAccessibleName("Queries")
        self.head = _Head(self.list, self.delegate)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(0)
        box = in_column(self.box, margins=(8, 0, 8, 2))
        layout.addLayout(box)
        layout.addWidget(self.head)
        layout.addWidget(self.list, 1)
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
