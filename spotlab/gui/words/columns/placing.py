"""Where each item stands in each of several ranked lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.model import RankedList


class Placing:
    """The rows of all items in all columns, looked up at once.

    Parameters
    ----------
    lists : sequence of RankedList
        One a column.
    count : int
        N, of the items that the lists are about.

    Attributes
    ----------
    row : (L, N) int
        The row of an item in a column, from 0; -1 where the list does not have it.

    Examples
    --------
    >>> lists = [RankedList("a", [2, 0], [0.9, 0.5]), RankedList("b", [0, 1], [0.7, 0.6])]
    >>> placing = Placing(lists, 3)
    >>> placing.row.tolist()
    [[1, -1, 0], [0, 1, -1]]
    >>> placing.climbed(1, 0), placing.climbed(1, 1), placing.climbed(0, 0)
    (1, None, None)
    """

    def __init__(self, lists: Sequence[RankedList], count: int) -> None:
        self.items: tuple[NDArray[np.int64], ...] = tuple(each.item for each in lists)
        self.row = np.full((len(lists), count), -1, np.int32)
        for column, items in enumerate(self.items):
            self.row[column, items] = np.arange(len(items))

    def __len__(self) -> int:
        return len(self.items)

    @property
    def longest(self) -> int:
        """The rows of the longest column."""
        return max((len(items) for items in self.items), default=0)

    def item_at(self, column: int, row: int) -> int | None:
        """The item of a cell; None where there is no such cell."""
        if 0 <= column < len(self.items) and 0 <= row < len(self.items[column]):
            return int(self.items[column][row])
        return None

    def row_of(self, column: int, item: int | None) -> int | None:
        """Where an item is in a column; None where it is not."""
        if item is None or not (0 <= column < len(self.items) and item < self.row.shape[1]):
            return None
        row = int(self.row[column, item])
        return row if row >= 0 else None

    def climbed(self, column: int, row: int) -> int | None:
        """By how many ranks a cell's item is better than in the column before.

        None in the first column, and where the column before does not have the item.
        """
        if column == 0:
            return None
        before = self.row_of(column - 1, self.item_at(column, row))
        return None if before is None else before - row

    def column_with(self, item: int, wanted: int) -> int | None:
        """The wanted column if it has the item, else the first that does; None if none does."""
        having = [each for each in range(len(self)) if self.row_of(each, item) is not None]
        if wanted in having:
            return wanted
        return having[0] if having else None

    def shifts(self, item: int | None, column: int) -> tuple[int, ...]:
        """How many rows each column has to go down for an item to be level in all of them."""
        here = self.row_of(column, item)
        if here is None:
            return (0,) * len(self)
        rows = [self.row_of(each, item) for each in range(len(self))]
        return tuple(0 if row is None else here - row for row in rows)
