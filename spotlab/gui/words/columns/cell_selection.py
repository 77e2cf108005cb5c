"""Which cells of the columns are selected: a current one, and rows of its column around it."""

from __future__ import annotations

from spotlab.gui.words.columns.placing import Placing


class CellSelection:
    """The current cell, and the items that a judgement is about.

    Attributes
    ----------
    column : int
    row : int or None
        None where nothing is current.
    item : int or None
        The item of the current cell.
    items : frozenset of int
        One, or several of one column.
    """

    def __init__(self) -> None:
        self.column = 0
        self.row: int | None = None
        self.item: int | None = None
        self.items: frozenset[int] = frozenset()
        self._anchor: int | None = None

    def set(self, placing: Placing, column: int, row: int, extend: bool = False) -> None:
        """Make a cell current; extended, select everything from where the selection began."""
        same = column == self.column and self._anchor is not None
        if not (extend and same):
            self._anchor = row
        assert self._anchor is not None
        self.column, self.row = column, row
        self.item = placing.item_at(column, row)
        first, last = sorted((self._anchor, row))
        self.items = frozenset(placing.items[column][first : last + 1].tolist())

    def toggle(self, placing: Placing, column: int, row: int) -> None:
        """Add a cell to the others, or remove it from them."""
        item = placing.item_at(column, row)
        assert item is not None
        others = self.items if column == self.column else frozenset()
        self.column, self.row, self._anchor, self.item = column, row, row, item
        self.items = others - {item} if item in others and len(others) > 1 else others | {item}

    def clear(self) -> None:
        """Select nothing; the column stays."""
        self.row = self._anchor = self.item = None
        self.items = frozenset()

    def follow(self, placing: Placing, item: int | None) -> None:
        """The lists have changed: the current item stays current, wherever it is now."""
        count = placing.row.shape[1]
        self.column = min(self.column, max(len(placing) - 1, 0))
        self.items = frozenset(kept for kept in self.items if kept < count)
        column = None if item is None else placing.column_with(item, self.column)
        if item is None or column is None:
            self.clear()
            return
        self.column, self.item = column, item
        self.row = self._anchor = placing.row_of(column, item)
        self.items = self.items | {item}
