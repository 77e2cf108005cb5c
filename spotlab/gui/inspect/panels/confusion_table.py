"""The table of what was taken for what, its cells shaded by share."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.rows import ROW_ROLE, RowColumn, RowModel
from spotlab.gui.kit.table_view import tabular
from spotlab.measures.confusion import Confusion, row_shares
from spotlab.report.figure_text import written_area

RIGHT, OTHER, NOWHERE, MISSED = "#009E73", "#56B4E9", "#D55E00", "#0072B2"
WIDTH, HEIGHT, HEAD = 46, 23, 100  # px of a column, a row, and the head
SMALLEST = 4  # px of a cell of the whole table
SHARE_ROLE, COLOUR_ROLE = ROW_ROLE + 1, ROW_ROLE + 2


class HeatRow(NamedTuple):
    """A row of the table."""

    name: str
    values: tuple[float, ...]
    shares: tuple[float, ...]


class ConfusionModel(RowModel[HeatRow]):
    """The shown rows and columns of a confusion table, as numbers or as shares of rows."""

    def __init__(self) -> None:
        super().__init__()
        self.confusion: Confusion | None = None
        self.by, self.as_shares, self.worst_first = "spots", False, True
        self.rows = np.empty(0, np.int64)  # places in the confusion table
        self.across = np.empty(0, np.int64)
        self.names = RowColumn("", lambda row: row.name, lambda row: row.name)

    def use(self, confusion: Confusion | None, by: str, as_shares: bool) -> None:
        """Show this table by spots or by area."""
        counted = confusion.table(by) if confusion is not None else None
        same = confusion is not None and (by, as_shares) == (self.by, self.as_shares)
        before = self.rows.tolist(), self.across.tolist()
        self.confusion, self.by, self.as_shares = confusion, by, as_shares
        if confusion is None or counted is None:
            self.beginResetModel()
            self.columns, self.shown = (), ()
            self.endResetModel()
            return
        self.rows, self.across = confusion.worst_first(by) if self.worst_first else confusion.shown
        shares = row_shares(counted)
        rows = [
            HeatRow(
                confusion.rows[row],
                tuple(counted[row, self.across].tolist()),
                tuple(shares[row, self.across].tolist()),
            )
            for row in self.rows.tolist()
        ]
        same = same and before == (self.rows.tolist(), self.across.tolist()) and bool(self.columns)
        if not same:
            self.columns = tuple(
                self._column(confusion, place, at) for place, at in enumerate(self.across.tolist())
            )
            self.beginResetModel()
            self.shown = ()
            self.endResetModel()
        self.show_rows(rows, same=same)

    def _column(self, confusion: Confusion, place: int, at: int) -> RowColumn[HeatRow]:
        name, queries = confusion.columns[at], len(confusion.rows) - 1

        def colour(row: HeatRow) -> str:
            if row.name == confusion.rows[-1]:
                return MISSED
            return RIGHT if row.name == name else NOWHERE if at > queries else OTHER

        return RowColumn(
            name,
            lambda row: self._text(row.values[place], row.shares[place]),
            lambda row: self._tip(row, place, name),
            head_tip=name,
            more={SHARE_ROLE: lambda row: row.shares[place], COLOUR_ROLE: colour},
        )

    def _text(self, value: float, share: float) -> str:
        if not value:
            return ""
        if self.as_shares:
            return f"{100 * share:.0f} %" if share >= 0.005 else "<1 %"
        return f"{value:,.0f}" if value < 10_000 else f"{value / 1000:,.0f} k"

    def _tip(self, row: HeatRow, place: int, name: str) -> str:
        value, share = row.values[place], row.shares[place]
        amount = f"{value:,.0f} spots" if self.by == "spots" else written_area(value)
        if self.confusion is not None and row.name == self.confusion.rows[-1]:
            amount = amount.replace("spots", "regions")
            return f"{name}: {amount} missed"
        where = "on no truth" if name.startswith("(no truth") else f"on {name}"
        of_row = "" if np.isnan(share) else f" ({100 * share:.1f} % of the row)"
        return f"Query {row.name}, {where}: {amount}{of_row}"


class ConfusionTable(QTableView):
    """Cells are shaded by their share of the row; a cell has a click of its own."""

    def __init__(self, model: ConfusionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName("Confusion table")
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setFont(tabular(self.font(), 0.9))
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setItemDelegate(_Heat(self))
        self.setHorizontalHeader(_Standing(self))
        self.horizontalHeader().setDefaultSectionSize(WIDTH)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        for mode in (self.setHorizontalScrollMode, self.setVerticalScrollMode):
            mode(QTableView.ScrollMode.ScrollPerPixel)
        self.whole = False
        self.horizontalHeader().setMinimumSectionSize(SMALLEST)
        self.verticalHeader().setMinimumSectionSize(SMALLEST)
        self._font = self.verticalHeader().font()
        model.modelReset.connect(self._fit)

    def show_whole(self, whole: bool) -> None:
        """Make cells so small that all of them are in sight, or large enough for numbers."""
        self.whole = whole
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room for all cells."""
        super().resizeEvent(event)
        if self.whole:
            self._fit()

    def _fit(self) -> None:
        rows, columns = self.model().rowCount(), self.model().columnCount()
        width, height = WIDTH, HEIGHT
        if self.whole and rows and columns:
            room = self.viewport().size()
            width = max(SMALLEST, min(WIDTH, room.width() // columns))
            height = max(SMALLEST, min(HEIGHT, room.height() // rows))
        font = QFont(self._font)
        font.setPixelSize(max(SMALLEST, min(QFontInfo(self._font).pixelSize(), height - 1)))
        self.verticalHeader().setFont(font)
        if self.horizontalHeader().defaultSectionSize() != width:
            self.horizontalHeader().setDefaultSectionSize(width)
        if self.verticalHeader().defaultSectionSize() != height:
            self.verticalHeader().setDefaultSectionSize(height)


class _Heat(QStyledItemDelegate):
    """Paints a cell."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        share, text = index.data(SHARE_ROLE), index.data() or ""
        palette, place = option.palette, option.rect.adjusted(0, 0, -1, -1)
        painter.fillRect(place, palette.color(QPalette.ColorRole.AlternateBase))
        if share and not np.isnan(share):
            colour = QColor(index.data(COLOUR_ROLE))
            colour.setAlphaF(0.12 + 0.68 * float(share))
            painter.fillRect(place, colour)
        painter.setFont(option.font)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        metrics = option.fontMetrics
        if metrics.height() <= place.height() + 4 and (
            metrics.horizontalAdvance(text) <= place.width()
        ):
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        table = self.parent()
        if isinstance(table, QTableView) and index == table.currentIndex():
            painter.setPen(palette.color(QPalette.ColorRole.Highlight))
            painter.drawRect(place.adjusted(0, 0, -1, -1))
            painter.drawRect(place.adjusted(1, 1, -2, -2))


class _Standing(QHeaderView):
    """A head whose titles stand upright, so that columns are narrow."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(False)

    def sizeHint(self) -> QSize:
        """Room for the titles."""
        return QSize(super().sizeHint().width(), HEAD)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Write the title from the bottom to the top."""
        text = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.DisplayRole)
        painter.save()
        painter.fillRect(rect, self.palette().color(QPalette.ColorRole.Window))
        painter.setPen(theme.quiet(self.palette()) if str(text).startswith("(") else
                       self.palette().color(QPalette.ColorRole.Text))  # fmt: skip
        painter.translate(rect.left(), rect.bottom())
        painter.rotate(-90)
        place = QRect(4, 0, rect.height() - 8, rect.width())
        shown = painter.fontMetrics().elidedText(
            str(text), Qt.TextElideMode.ElideRight, place.width()
        )
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()


MOST_PAIRS = 100  # that are listed; the table has all


class PairList(QListWidget):
    """The pairs of labels that are confused most, the worst first."""

    chosen = Signal(int, int)  # a row and a column of the confusion

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs: list[tuple[str, tuple[int, int]]] = []
        self.setAccessibleName("Labels that are confused, the worst first")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setMinimumWidth(150)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(lambda _: self.chosen.emit(*self._pairs[self.currentRow()][1]))

    def show_pairs(self, by: str, confusion: Confusion | None) -> None:
        """List the pairs by their number of spots or by their area, as far as they are known."""
        counted = None if confusion is None else confusion.table(by)
        shown: list[tuple[str, tuple[int, int]]] = []
        if confusion is not None and counted is not None:
            shares = row_shares(counted)
            cells = zip(*(places.tolist() for places in confusion.confused(by)), strict=True)
            for row, column in islice(cells, MOST_PAIRS):
                value, share = counted[row, column], shares[row, column]
                amount = f"{value:,.0f}" if by == "spots" else written_area(value)
                names = f"{confusion.rows[row]} → {confusion.columns[column]}"
                shown.append((f"{amount} ({100 * share:.0f} %)  {names}", (row, column)))
        if shown == self._pairs:
            return
        self._pairs = shown
        self.clear()
        for text, _ in shown:
            item = QListWidgetItem(text, self)
            item.setToolTip(text)  # the end of long names is cut off
