"""Rows of values as a model for lists and tables: columns are declared, cells made when seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QIcon

from spotlab.gui.kit.text import plain
from spotlab.representation import visible

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
