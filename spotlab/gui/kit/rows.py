"""Rows of tables and lists: models of them, and how they are painted."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from spotlab.arrays import Floats, Ints
from spotlab.gui.kit import theme
from spotlab.gui.kit.text import plain, rich
from spotlab.libraries import late_imports
from spotlab.report.figure_text import hint, written
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.representation import visible

with late_imports(__name__):
    from spotlab.measures import measure

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
ROW_ROLE = Qt.ItemDataRole.UserRole  # the row itself, for delegates

_Role = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, eq=False)
class RowColumn(Generic[Row]):
    """Column of a view: the text, tooltip and further data shown for each row.

    Attributes
    ----------
    title : str
        In the head of the table.
    text : callable
        The text of a row's cell.
    tip : callable, optional
        The tooltip of a row's cell.
    icon : callable, optional
    right : bool
        Whether text and title are aligned to the right, as numbers are.
    head_tip : str
        The tooltip of the title.
    more : mapping
        Data of further roles, such as those that a delegate asks for.
    """

    title: str
    text: Callable[[Row], str]
    tip: Callable[[Row], str] | None = None
    icon: Callable[[Row], QIcon] | None = None
    right: bool = False
    head_tip: str = ""
    more: Mapping[int, Callable[[Row], Any]] = field(default_factory=dict)

    @cached_property
    def data(self) -> dict[int, Callable[[Row], Any]]:
        """Return what gives the data of a role; no entry: there is none."""
        given: dict[int, Callable[[Row], Any]] = {_Role.DisplayRole: self._shown, **self.more}
        if (tip := self.tip) is not None:
            given[_Role.ToolTipRole] = lambda row: plain(tip(row))
        if self.icon is not None:
            given[_Role.DecorationRole] = self.icon
        if self.right:
            given[_Role.TextAlignmentRole] = lambda _: _RIGHT
        return given

    def _shown(self, row: Row) -> str:
        return visible(self.text(row))

    def head(self, role: int) -> Any:
        """The title, its tooltip and its alignment."""
        if role == _Role.DisplayRole:
            return visible(self.title)
        if role == _Role.ToolTipRole:
            return plain(self.head_tip) or None
        if role == _Role.TextAlignmentRole:
            return _RIGHT if self.right else _LEFT
        return None


class LazyRows(Sequence[Row]):
    """Rows that are made when they are looked at, so that millions of them cost nothing.

    Examples
    --------
    >>> squares = LazyRows(1_000_000, lambda at: at * at)
    >>> len(squares), squares[999]
    (1000000, 998001)
    """

    def __init__(self, count: int, make: Callable[[int], Row]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        places = range(self._count)[at]
        if isinstance(places, range):
            return [self._make(place) for place in places]
        return self._make(places)


class RowModel(QAbstractTableModel, Generic[Row]):
    """A table of rows, or a list: then there is one column.

    A subclass declares its columns and calls `show_rows`; it needs no ``rowCount`` and no ``data``.
    Rows may be any values. Those that take long to make or are many are `LazyRows`.

    Attributes
    ----------
    columns : tuple of RowColumn
    names : RowColumn or None
        What stands at the left of each row.
    tip : callable or None
        The tooltip of a row, where a column has none.
    shown : sequence of Row
    """

    def __init__(
        self,
        columns: Sequence[RowColumn[Row]] = (),
        parent: QObject | None = None,
        *,
        tip: Callable[[Row], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.names: RowColumn[Row] | None = None
        self.tip = tip
        self.shown: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row], *, same: bool = False) -> None:
        """Show these rows.

        Parameters
        ----------
        rows : sequence of Row
        same : bool
            Whether they stand for the same things as before, in the same order: then the view
            keeps its place and its selection.
        """
        if same and len(rows) == len(self.shown):
            self.shown = rows
            self.tell_changed()
            return
        self.beginResetModel()
        self.shown = rows
        self.endResetModel()

    def tell_changed(self) -> None:
        """Have the view paint all rows again."""
        if self.shown and self.columns:
            last = self.index(len(self.shown) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index | None = None) -> int:
        """Tell how many rows are shown."""
        return 0 if parent is not None and parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index | None = None) -> int:
        """Tell how many columns there are."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """Return what the column gives for this role.

        The row is made only if it gives something.
        """
        if not index.isValid() or index.row() >= len(self.shown):
            return None
        if role == ROW_ROLE:
            return self.shown[index.row()]
        give = self.columns[index.column()].data.get(role)
        if give is None and role == _Role.ToolTipRole and self.tip is not None:
            return plain(self.tip(self.shown[index.row()]))
        return give(self.shown[index.row()]) if give is not None else None

    def headerData(self, section: int, side: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        """Titles at the top, names at the left."""
        if side is Qt.Orientation.Horizontal:
            return self.columns[section].head(role) if section < len(self.columns) else None
        give = self.names.data.get(role) if self.names is not None else None
        if give is None or section >= len(self.shown):
            return None
        return give(self.shown[section])


ACCENT, HOVERED = 46, 120  # of 255: how strong the background is
STRIP = 3  # px at the left of the current row
SWATCH = 12

_Align = Qt.AlignmentFlag
_Shade = QPalette.ColorRole


class RowDelegate(QStyledItemDelegate):
    """Paints rows of one height.

    A subclass sets `ROW` and implements `paint_row`, in most cases with a `RowPainter`::

        row = RowPainter(painter, option)
        row.background(current)
        row.swatch(label.colour)
        row.right(f"{count:,}", quiet=True)
        row.text(label.name, bold=current)
    """

    ROW = 30  # px

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All alike."""
        return QSize(120, self.ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row, with smooth edges."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_row(painter, option, index)
        painter.restore()

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint what is in the row; the painter may be left in any state."""
        super().paint(painter, option, index)


class RowPainter:
    """Paints the parts of a row from its edges inwards: each part takes its room from the next.

    First the background, then what stands at the left, then what stands at the right, and last the
    text that fills the rest. For a row of two lines, `upper` and `lower` are painters of one each.

    Parameters
    ----------
    painter : QPainter
    option : QStyleOptionViewItem
    left, right, above, below : int
        Margins in px.

    Attributes
    ----------
    room : QRect
        What is left of the row.
    """

    def __init__(
        self, painter: QPainter, option: QStyleOptionViewItem,
        *, left: int = 12, right: int = 10, above: int = 0, below: int = 0,
    ) -> None:  # fmt: skip
        self.painter = painter
        self.palette: QPalette = option.palette
        self.rect: QRect = option.rect
        self.room = self.rect.adjusted(left, above, -right, -below)
        self.selected = bool(option.state & QStyle.StateFlag.State_Selected)
        self.hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._align = _Align.AlignVCenter

    @property
    def upper(self) -> RowPainter:
        """The upper line of what is left."""
        return self._line(_Align.AlignTop)

    @property
    def lower(self) -> RowPainter:
        """The lower line of what is left."""
        return self._line(_Align.AlignBottom)

    def background(self, current: bool) -> None:
        """The accent with a strip at the left for the current row, grey under the pointer."""
        if not current and not self.hovered:
            return
        colour = QColor(self.palette.color(_Shade.Highlight if current else _Shade.Midlight))
        colour.setAlpha(ACCENT if current else HOVERED)
        self.painter.fillRect(self.rect, colour)
        if current:
            strip = QRect(self.rect.left(), self.rect.top(), STRIP, self.rect.height())
            self.painter.fillRect(strip, self.palette.color(_Shade.Highlight))

    def swatch(self, colour: str) -> None:
        """A square in the colour of what the row stands for."""
        place = QRectF(self.room.left(), self.room.center().y() - 5.5, SWATCH, SWATCH)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour))
        self.painter.drawRoundedRect(place, 3, 3)
        self.room.adjust(SWATCH + 6, 0, 0, 0)

    def icon(self, icon: QIcon | QPixmap, size: int, gap: int = 4) -> None:
        """An icon of so many px at the left."""
        low = self._align == _Align.AlignBottom
        top = self.room.bottom() - size - 1 if low else self.room.center().y() - size // 2
        QIcon(icon).paint(self.painter, QRect(self.room.left(), top, size, size))
        self.room.adjust(size + gap, 0, 0, 0)

    def pixmap(self, pixmap: QPixmap, width: int, height: int, gap: int = 6) -> None:
        """A picture of so many px at the left, in the middle of the line of text."""
        line = self.painter.fontMetrics().height()
        low = self._align == _Align.AlignBottom
        middle = self.room.bottom() - line // 2 if low else self.room.center().y()
        place = QRect(self.room.left(), middle - height // 2, width, height)
        self.painter.drawPixmap(place, pixmap)
        self.room.adjust(width + gap, 0, 0, 0)

    def right(
        self, text: str, *, quiet: bool = False, gap: int = 8, widest: int | None = None
    ) -> None:
        """A text at the right, elided at its left where it is wider than ``widest`` px."""
        metrics = self.painter.fontMetrics()
        if widest is not None:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, widest)
        self.write(self.room, text, _Align.AlignRight | self._align, quiet=quiet)
        self.room.adjust(0, 0, -metrics.horizontalAdvance(text) - gap, 0)

    def text(
        self,
        text: str,
        *,
        quiet: bool = False,
        bold: bool = False,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        """The text that fills what is left."""
        plain = self.painter.font()
        if bold:
            strong = QFont(plain)
            strong.setBold(True)
            self.painter.setFont(strong)
        shown = self.painter.fontMetrics().elidedText(text, elide, self.room.width())
        self.write(self.room, shown, _Align.AlignLeft | self._align, quiet=quiet)
        self.painter.setFont(plain)

    def write(self, place: QRect, text: str, align: _Align, *, quiet: bool = False) -> None:
        """A text in a place of its own."""
        palette = self.palette
        self.painter.setPen(theme.quiet(palette) if quiet else palette.color(_Shade.Text))
        self.painter.drawText(place, align, text)

    def _line(self, align: _Align) -> RowPainter:
        line = copy(self)
        line.room = QRect(self.room)
        line._align = align
        return line


HINT = Qt.ItemDataRole.UserRole + 1
QUIET = Qt.ItemDataRole.UserRole + 2  # whether the row is dimmed: it cannot be used now

FAINT = 0.5  # of the icon of a dimmed row


class CommandDelegate(RowDelegate):
    """Rows of one height; the selected one stands on a rounded ground."""

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        has_icon = isinstance(icon, QIcon | QPixmap)
        row = RowPainter(painter, option, left=8 if has_icon else 12)
        if row.selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(row.palette.color(QPalette.ColorRole.Midlight))
            painter.drawRoundedRect(row.rect.adjusted(0, 1, 0, -1), 5, 5)
        quiet = bool(index.data(QUIET))
        if has_icon:
            painter.setOpacity(FAINT if quiet else 1)
            row.icon(icon, 17, gap=9)
            painter.setOpacity(1)
        row.right(index.data(HINT) or "", quiet=True, gap=16, widest=row.rect.width() // 2)
        row.text(index.data(), quiet=quiet)


NOTE_ROLE = ROW_ROLE + 1  # what stands under a figure: its interval or a difference
STRONG_ROLE = ROW_ROLE + 2  # whether that is to be read as certain
MARKED_ROLE = ROW_ROLE + 3  # whether this is the chosen row
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
    texts : mapping
        By place of row and name of figure: what stands in place of the value, by which is sorted.
    settings : MeasureSettings or None
        Of the figures: heads name thresholds.
    """

    names: tuple[str, ...] = ()
    keys: tuple[object, ...] = ()
    values: Floats = field(default_factory=lambda: np.empty((0, len(measure.known_figures()))))
    colours: tuple[str, ...] = ()
    swatches: tuple[QPixmap, ...] = ()
    means: frozenset[int] = frozenset()
    notes: Mapping[tuple[int, str], Note] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    ends: Mapping[tuple[int, str], tuple[float, float]] = field(default_factory=dict)
    texts: Mapping[tuple[int, str], str] = field(default_factory=dict)
    settings: measure.MeasureSettings | None = None


class FiguresModel(RowModel[int]):
    """One row for each query or run, one column for each figure.

    What is shown are places in `rows`, in the order of the table.
    """

    def __init__(self, parent: QObject | None = None, *, sorts: bool = True) -> None:
        super().__init__(parent=parent)
        self.figures: tuple[measure.Figure, ...] = measure.known_figures()
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
        heads_change = rows.settings != self.rows.settings
        self.rows = rows
        if heads_change:
            self.columns = self._columns()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)
        order = self._sorted()
        moved = not np.array_equal(order, self._order)
        self._show_order(order, same=same)
        if same and (moved or rows.colours or rows.swatches):
            self._tell_names_changed()

    def use_figures(self, figures: tuple[measure.Figure, ...]) -> None:
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

    def table(self, rows: Sequence[int] | None = None, *, with_ends: bool = False) -> Table:
        """These rows for other programs, or all; ``with_ends`` adds both ends of intervals."""
        shown = range(len(self._order)) if rows is None else rows
        places = [int(self._order[row]) for row in shown]
        cells = [
            (
                Cell(self.rows.names[place]),
                *(self._cell(place, number) for number in range(len(self.figures))),
            )
            for place in places
        ]
        heads = [
            Column("Name", "name"),
            *(Column(self._title(each), each.name) for each in self.figures),
        ]
        return Table("", tuple(heads), tuple(cells), has_ends=with_ends)

    def _title(self, figure: measure.Figure) -> str:
        return figure.titled(self.rows.settings, unit=True)

    def _cell(self, row: int, column: int) -> Cell:
        figure = self.figures[column]
        cell = figure_cell(self._value(row, column), figure.unit, mean=row in self.rows.means)
        return replace(cell, ends=self.rows.ends.get((row, figure.name)))

    def _value(self, row: int, column: int) -> float:
        return float(self.rows.values[row, column])

    def _sorted(self) -> Ints:
        if not self._sorts:
            return np.arange(len(self.rows.names))
        names = np.array([name.casefold() for name in self.rows.names], dtype=object)
        by_name = np.argsort(names, kind="stable").astype(np.int64)
        if self.column == BY_NAME:
            return by_name[::-1] if self.falling else by_name
        values = self.rows.values[by_name, self.column]
        values = -values if self.falling else values
        return by_name[np.argsort(values, kind="stable")]  # NaN is put last either way

    def _show_order(self, order: Ints, *, same: bool = False) -> None:
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
            instead = self.rows.texts.get((row, figure.name))
            if instead is not None:
                return instead
            return written(self._value(row, number), figure.unit, mean=row in self.rows.means)

        mark = ("▾ " if self.falling else "▴ ") if number == self.column else ""
        return RowColumn(
            f"{mark}{self._title(figure)}",
            text,
            lambda row: self._tip(row, number),
            right=True,
            head_tip=rich(hint(figure, self.rows.settings)),
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
        head = html.escape(f"{self.rows.names[row]}: {figure.titled(self.rows.settings)}")
        about = hint(figure, self.rows.settings)
        if np.isnan(value):
            reason = self.rows.reasons[row] if self.rows.reasons else ""
            return rich(f"<p><b>{head}</b> is undefined: {html.escape(reason)}</p>{about}")
        note = self.rows.notes.get((row, figure.name), NO_NOTE)
        more = f"<p>{note.tip}</p>" if note.tip else ""
        return rich(f"<p><b>{head}</b> {value:.6g}</p>{more}{about}")

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
