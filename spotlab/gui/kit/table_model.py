"""Figures in rows and columns, as a model that sorts itself and keeps what is undefined last."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QPixmap
from PySide6.QtWidgets import QApplication

from spotlab.measures.figure import Figure
from spotlab.measures.measure import known_figures
from spotlab.report.figure_text import hint, written

Index = QModelIndex | QPersistentModelIndex
NOTE_ROLE = Qt.ItemDataRole.UserRole  # what stands under a figure: its interval or a difference
STRONG_ROLE = Qt.ItemDataRole.UserRole + 1  # whether that is to be read as certain
MARKED_ROLE = Qt.ItemDataRole.UserRole + 2  # whether this is the chosen row
BY_NAME = -1  # instead of a column to sort by


@dataclass(frozen=True)
class Note:
    """A second line under a figure."""

    text: str
    tip: str = ""
    strong: bool = False


NO_NOTE = Note("")


@dataclass(frozen=True, eq=False)
class Rows:
    """What a table shows.

    Attributes
    ----------
    names : tuple of str
        Of the rows.
    keys : tuple of object
        What a row stands for: the name of a query, the place of a run, None for all queries.
    values : (rows, columns) float
        In the order of the columns; NaN is undefined.
    colours : tuple of str
        Of the rows' swatches; empty for none.
    means : set of int
        Rows whose counts are means, which need not be whole.
    notes : mapping
        By place of row and name of figure.
    reasons : tuple of str
        Why a figure of this row would be undefined.
    """

    names: tuple[str, ...] = ()
    keys: tuple[object, ...] = ()
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, len(known_figures()))))
    colours: tuple[str, ...] = ()
    means: frozenset[int] = frozenset()
    notes: Mapping[tuple[int, str], Note] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


class FiguresModel(QAbstractTableModel):
    """One row for each query or run, one column for each figure."""

    def __init__(self, parent: QObject | None = None, *, sorts: bool = True) -> None:
        super().__init__(parent)
        self.figures: tuple[Figure, ...] = known_figures()
        self._sorts = sorts
        self.rows = Rows()
        self.marked: object = None
        self.column = BY_NAME
        self.falling = False
        self._order = np.empty(0, np.int64)
        self._swatches: dict[str, QPixmap] = {}

    def set_rows(self, rows: Rows) -> None:
        """Show these, sorted as before; the view keeps its place where rows are the same."""
        same = rows.keys == self.rows.keys and rows.names == self.rows.names
        if not same:
            self.beginResetModel()
        self.rows = rows
        order = self._sorted()
        moved = not np.array_equal(order, self._order)
        self._order = order
        if not same:
            self.endResetModel()
        elif len(order):
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(order) - 1, len(self.figures) - 1)
            )
            if moved or rows.colours:
                self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(order) - 1)

    def use_figures(self, figures: tuple[Figure, ...]) -> None:
        """Have a column for each of these, and no rows as yet."""
        self.beginResetModel()
        self.figures = figures
        self.rows, self._order = Rows(), np.empty(0, np.int64)
        self.column = min(self.column, len(figures) - 1)
        self.endResetModel()

    def mark(self, key: object) -> None:
        """Mark the row that stands for this."""
        if key != self.marked:
            self.marked = key
            if len(self._order):
                last = self.index(len(self._order) - 1, len(self.figures) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
                self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self._order) - 1)

    def sort_by(self, column: int, falling: bool) -> None:
        """Sort by a column, or by name."""
        self.column, self.falling = column, falling
        self.layoutAboutToBeChanged.emit()
        self._order = self._sorted()
        self.layoutChanged.emit()

    def key(self, row: int) -> object:
        """What a shown row stands for."""
        return self.rows.keys[self._order[row]]

    def row_of(self, key: object) -> int | None:
        """Where this is shown."""
        return next((row for row in range(len(self._order)) if self.key(row) == key), None)

    def rowCount(self, parent: Index | None = None) -> int:
        """How many rows there are."""
        return 0 if parent is not None and parent.isValid() else len(self._order)

    def columnCount(self, parent: Index | None = None) -> int:
        """One for each figure."""
        return 0 if parent is not None and parent.isValid() else len(self.figures)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A figure, what stands under it, and what it means."""
        if not index.isValid():
            return None
        row, figure = int(self._order[index.row()]), self.figures[index.column()]
        note = self.rows.notes.get((row, figure.name), NO_NOTE)
        found: Any = None
        if role == Qt.ItemDataRole.DisplayRole:
            found = written(
                self._value(row, index.column()), figure.unit, mean=row in self.rows.means
            )
        elif role == NOTE_ROLE:
            found = note.text
        elif role == STRONG_ROLE:
            found = note.strong
        elif role == MARKED_ROLE:
            found = self.rows.keys[row] == self.marked
        elif role == Qt.ItemDataRole.TextAlignmentRole:
            found = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        elif role == Qt.ItemDataRole.ToolTipRole:
            found = self._tip(row, index.column())
        return found

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles with definitions at the top, names with colours at the left."""
        if side is Qt.Orientation.Horizontal:
            return self._head(section, role)
        if section >= len(self._order):
            return None
        row = int(self._order[section])
        found: Any = None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            found = self.rows.names[row]
        elif role == Qt.ItemDataRole.FontRole and self.rows.keys[row] == self.marked:
            found = QFont(QApplication.font())
            found.setBold(True)
        elif role == Qt.ItemDataRole.DecorationRole and self.rows.colours:
            found = self._swatch(self.rows.colours[row])
        return found

    def table(self, rows: Sequence[int] | None = None) -> list[list[str]]:
        """These rows with their head, unrounded and empty where undefined, for other programs."""
        shown = range(len(self._order)) if rows is None else rows
        body = []
        for row in shown:
            place = int(self._order[row])
            values = [self._value(place, column) for column in range(len(self.figures))]
            written_out = ["" if np.isnan(value) else repr(value) for value in values]
            body.append([self.rows.names[place], *written_out])
        return [["name", *(figure.name for figure in self.figures)], *body]

    def _value(self, row: int, column: int) -> float:
        return float(self.rows.values[row, column])

    def _sorted(self) -> NDArray[np.int64]:
        if not self._sorts:
            return np.arange(len(self.rows.names))
        names = np.array([name.casefold() for name in self.rows.names], dtype=object)
        by_name = np.argsort(names, kind="stable").astype(np.int64)
        if self.column == BY_NAME:
            return by_name[::-1] if self.falling else by_name
        values = self.rows.values[by_name, self.column]
        values = -values if self.falling else values
        return by_name[np.argsort(values, kind="stable")]  # NaN is put last either way

    def _head(self, section: int, role: int) -> Any:
        figure = self.figures[section]
        if role == Qt.ItemDataRole.DisplayRole:
            mark = ("▾ " if self.falling else "▴ ") if section == self.column else ""
            return f"{mark}{figure.title}" + (" %" if figure.unit == "%" else "")
        if role == Qt.ItemDataRole.ToolTipRole:
            return hint(figure)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _tip(self, row: int, column: int) -> str:
        figure, value = self.figures[column], self._value(row, column)
        head = f"{html.escape(self.rows.names[row])}: {figure.title}"
        if np.isnan(value):
            reason = self.rows.reasons[row] if self.rows.reasons else ""
            return f"<p><b>{head}</b> is undefined: {html.escape(reason)}</p>{hint(figure)}"
        note = self.rows.notes.get((row, figure.name), NO_NOTE)
        more = f"<p>{note.tip}</p>" if note.tip else ""
        return f"<p><b>{head}</b> {value:.6g}</p>{more}{hint(figure)}"

    def _swatch(self, colour: str) -> QPixmap | None:
        if not colour:
            return None
        if colour not in self._swatches:
            self._swatches[colour] = pixmap = QPixmap(10, 10)
            pixmap.fill(QColor(colour))
        return self._swatches[colour]
