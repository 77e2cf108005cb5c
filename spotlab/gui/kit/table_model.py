"""Figures in rows and columns, as a model that sorts itself and keeps what is undefined last."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont, QPixmap
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.row_model import ROW_ROLE, LazyRows, RowColumn, RowModel
from spotlab.gui.kit.text import rich
from spotlab.measures.measure import Figure, known_figures
from spotlab.report.figure_text import hint, written

NOTE_ROLE = ROW_ROLE + 1  # what stands under a figure: its interval or a difference
STRONG_ROLE = ROW_ROLE + 2  # whether that is to be read as certain
MARKED_ROLE = ROW_ROLE + 3  # whether this is the chosen row
_Role = Qt.ItemDataRole
BY_NAME = -1  # instead of a column to sort by


@dataclass(frozen=True)
class Note:
    """A second line under a figure."""

    text: str
    tip: str = ""
    strong: bool = False


NO_NOTE = Note("")
NO_ENDS = (np.nan, np.nan)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a table.

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
    swatches : tuple of QPixmap
        Pictures that stand in the place of swatches; empty for none.
    means : set of int
        Rows whose counts are means, which need not be whole.
    notes : mapping
        By place of row and name of figure.
    reasons : tuple of str
        Why a figure of this row would be undefined.
    ends : mapping
        By place of row and name of figure: both ends of its interval, where it has one.
    """

    names: tuple[str, ...] = ()
    keys: tuple[object, ...] = ()
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, len(known_figures()))))
    colours: tuple[str, ...] = ()
    swatches: tuple[QPixmap, ...] = ()
    means: frozenset[int] = frozenset()
    notes: Mapping[tuple[int, str], Note] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    ends: Mapping[tuple[int, str], tuple[float, float]] = field(default_factory=dict)


class FiguresModel(RowModel[int]):
    """One row for each query or run, one column for each figure.

    What is shown are places in `rows`, in the order of the table.
    """

    def __init__(self, parent: QObject | None = None, *, sorts: bool = True) -> None:
        super().__init__(parent=parent)
        self.figures: tuple[Figure, ...] = known_figures()
        self._sorts = sorts
        self.rows = Rows()
        self.marked: object = None
        self.column = BY_NAME
        self.falling = False
        self._order = np.empty(0, np.int64)
        self._swatches: dict[str, QPixmap] = {}
        self.names = RowColumn(
            "", self._name, self._name,
            more={_Role.FontRole: self._font, _Role.DecorationRole: self._swatch},
        )  # fmt: skip
        self.columns = self._columns()

    def set_rows(self, rows: Rows) -> None:
        """Show these, sorted as before; the view keeps its place where rows are the same."""
        same = rows.keys == self.rows.keys and rows.names == self.rows.names
        self.rows = rows
        order = self._sorted()
        moved = not np.array_equal(order, self._order)
        self._show_order(order, same=same)
        if same and (moved or rows.colours or rows.swatches):
            self._tell_names_changed()

    def use_figures(self, figures: tuple[Figure, ...]) -> None:
        """Have a column for each of these, and no rows as yet."""
        self.figures = figures
        self.rows = Rows()
        self.column = min(self.column, len(figures) - 1)
        self.columns = self._columns()
        self._show_order(np.empty(0, np.int64))

    def mark(self, key: object) -> None:
        """Mark the row that stands for this."""
        if key != self.marked:
            self.marked = key
            self.tell_changed()
            self._tell_names_changed()

    def sort_by(self, column: int, falling: bool) -> None:
        """Sort by a column, or by name."""
        self.column, self.falling = column, falling
        self.layoutAboutToBeChanged.emit()
        self.columns = self._columns()  # the title says it
        self._order = self._sorted()
        self.layoutChanged.emit()

    def key(self, row: int) -> object:
        """Return what a shown row stands for."""
        return self.rows.keys[self._order[row]]

    def row_of(self, key: object) -> int | None:
        """Tell where this is shown."""
        return next((row for row in range(len(self._order)) if self.key(row) == key), None)

    def table(
        self, rows: Sequence[int] | None = None, *, with_ends: bool = False
    ) -> list[list[str]]:
        """These rows with their head, unrounded and empty where undefined, for other programs.

        ``with_ends`` adds two columns for each figure, for instance f_low and f_high.
        """
        shown = range(len(self._order)) if rows is None else rows
        body = []
        for row in shown:
            place = int(self._order[row])
            values = [
                value
                for column, figure in enumerate(self.figures)
                for value in (
                    self._value(place, column),
                    *(self.rows.ends.get((place, figure.name), NO_ENDS) if with_ends else ()),
                )
            ]
            written_out = ["" if np.isnan(value) else repr(value) for value in values]
            body.append([self.rows.names[place], *written_out])
        suffixes = ("", "_low", "_high") if with_ends else ("",)
        heads = (f"{figure.name}{suffix}" for figure in self.figures for suffix in suffixes)
        return [["name", *heads], *body]

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

    def _show_order(self, order: NDArray[np.int64], *, same: bool = False) -> None:
        self._order = order
        self.show_rows(LazyRows(len(order), lambda at: int(self._order[at])), same=same)

    def _tell_names_changed(self) -> None:
        if self.shown:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self.shown) - 1)

    def _columns(self) -> tuple[RowColumn[int], ...]:
        return tuple(self._column(number) for number in range(len(self.figures)))

    def _column(self, number: int) -> RowColumn[int]:
        figure = self.figures[number]

        def note(row: int) -> Note:
            return self.rows.notes.get((row, figure.name), NO_NOTE)

        def text(row: int) -> str:
            return written(self._value(row, number), figure.unit, mean=row in self.rows.means)

        mark = ("▾ " if self.falling else "▴ ") if number == self.column else ""
        return RowColumn(
            f"{mark}{figure.title}" + (" %" if figure.unit == "%" else ""),
            text,
            lambda row: self._tip(row, number),
            right=True,
            head_tip=rich(hint(figure)),
            more={
                NOTE_ROLE: lambda row: note(row).text,
                STRONG_ROLE: lambda row: note(row).strong,
                MARKED_ROLE: lambda row: self.rows.keys[row] == self.marked,
            },
        )

    def _name(self, row: int) -> str:
        return self.rows.names[row]

    def _font(self, row: int) -> QFont | None:
        if self.rows.keys[row] != self.marked:
            return None
        font = QFont(QApplication.font())
        font.setBold(True)
        return font

    def _tip(self, row: int, column: int) -> str:
        figure, value = self.figures[column], self._value(row, column)
        head = html.escape(f"{self.rows.names[row]}: {figure.title}")
        if np.isnan(value):
            reason = self.rows.reasons[row] if self.rows.reasons else ""
            return rich(f"<p><b>{head}</b> is undefined: {html.escape(reason)}</p>{hint(figure)}")
        note = self.rows.notes.get((row, figure.name), NO_NOTE)
        more = f"<p>{note.tip}</p>" if note.tip else ""
        return rich(f"<p><b>{head}</b> {value:.6g}</p>{more}{hint(figure)}")

    def _swatch(self, row: int) -> QPixmap | None:
        if self.rows.swatches:
            return self.rows.swatches[row]
        colour = self.rows.colours[row] if self.rows.colours else ""
        if not colour:
            return None
        if colour not in self._swatches:
            self._swatches[colour] = pixmap = QPixmap(10, 10)
            pixmap.fill(QColor(colour))
        return self._swatches[colour]
