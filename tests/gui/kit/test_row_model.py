"""Rows of values in lists and tables, with declared columns."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.rows import ROW_ROLE, LazyRows, RowColumn, RowModel

_Role = Qt.ItemDataRole
COLUMNS = (
    RowColumn[int]("Number", str, head_tip="As it is", right=True),
    RowColumn[int]("Square", lambda row: f"{row * row:,}", lambda row: f"{row} × {row}"),
)


def model() -> RowModel[int]:
    model = RowModel(COLUMNS, tip=lambda row: f"row {row}")
    model.show_rows([3, 4])
    return model


def test_cells_are_what_columns_say(qapp: QApplication) -> None:
    rows = model()
    assert (rows.rowCount(), rows.columnCount()) == (2, 2)
    assert [rows.index(1, column).data() for column in (0, 1)] == ["4", "16"]
    assert rows.index(1, 0).data(ROW_ROLE) == 4
    tips = [rows.index(0, column).data(_Role.ToolTipRole) for column in (0, 1)]
    assert tips == ["row 3", "3 × 3"]
    assert rows.index(0, 0).data(_Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert rows.index(0, 1).data(_Role.TextAlignmentRole) is None


def test_heads_are_what_columns_say(qapp: QApplication) -> None:
    rows, across, down = model(), Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [rows.headerData(column, across) for column in (0, 1)] == ["Number", "Square"]
    assert rows.headerData(0, across, _Role.ToolTipRole) == "As it is"
    assert rows.headerData(0, down) is None
    rows.names = RowColumn("", lambda row: f"no. {row}")
    assert rows.headerData(1, down) == "no. 4"


def test_a_view_keeps_its_place_where_rows_are_the_same(qapp: QApplication) -> None:
    rows, told = model(), list[str]()
    rows.modelReset.connect(lambda: told.append("reset"))
    rows.dataChanged.connect(lambda *_: told.append("changed"))
    rows.show_rows([5, 6], same=True)
    rows.show_rows([5], same=True)  # they cannot be
    rows.show_rows([7])
    assert told == ["changed", "reset", "reset"]


def test_rows_are_made_only_where_they_are_looked_at(qapp: QApplication) -> None:
    made: list[int] = []

    def make(at: int) -> int:
        made.append(at)
        return at

    rows = RowModel(COLUMNS)
    rows.show_rows(LazyRows(3_000_000, make))
    assert rows.rowCount() == 3_000_000
    last = rows.index(2_999_999, 0)
    assert last.data(_Role.DecorationRole) is None and made == []
    assert last.data() == "2999999" and made == [2_999_999]
