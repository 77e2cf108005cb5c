"""What mouse, keys and menu do with the cells of the columns: choose, judge, search, show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from spotlab.gui.words.columns.cell_layout import CellLayout
from spotlab.gui.words.columns.cell_selection import CellSelection
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words


class CellCommands:
    """Chooses cells, and judges the words in them.

    Parameters
    ----------
    words : Words
    cells : CellLayout
    selection : CellSelection
    show_page : callable
        Shows an item on its page.

    Attributes
    ----------
    chosen : Signal
        Emitted when other cells are selected.
    """

    def __init__(
        self,
        words: Words,
        cells: CellLayout,
        selection: CellSelection,
        show_page: Callable[[int], object],
    ) -> None:
        self._words, self._cells, self._selection = words, cells, selection
        self._show_page = show_page
        self.chosen = Signal[[]]()

    def choose(self, column: int, row: int, extend: bool = False) -> None:
        """Make a cell the current one and its word the chosen one."""
        self._selection.set(self._cells.placing, column, row, extend)
        self._follow_selection()

    def choose_top(self, column: int) -> None:
        """Choose the first cell of a column, rank beside rank."""
        self._cells.leave_cut()
        if self._cells.placing.items[column].size:
            self.choose(column, 0)

    def select_also(self, column: int, row: int) -> None:
        """Add a cell to the selected ones, or remove it from them."""
        self._selection.toggle(self._cells.placing, column, row)
        self._follow_selection()

    def select_column(self) -> None:
        """Select all words of the current column."""
        column, placing = self._selection.column, self._cells.placing
        count = len(placing.items[column])
        if count:
            self._selection.set(placing, column, 0)
            self._selection.set(placing, column, count - 1, extend=True)
            self._follow_selection()

    def judge(self, relevant: bool | None) -> None:
        """Judge what is selected, as one step, and go to the next word not judged yet."""
        if self._selection.row is None or not self._selection.items:
            return
        following = self._next_unjudged() if relevant is not None else None
        self._words.judgements.judge_items(sorted(self._selection.items), relevant)
        if following is not None:
            self._words.choose_item(following)

    def invert_judgement(self, column: int, row: int) -> None:
        """Judge a relevant word not relevant, and any other one relevant."""
        item = self._cells.placing.item_at(column, row)
        if item is not None:
            self._words.judgements.judge(item, self._words.judgements.relevance[item] != 1)

    def search(self) -> None:
        """Search the chosen word."""
        if self._words.item is not None:
            self._words.search_item(self._words.item)

    def purge_after(self) -> None:
        """Keep the current word of this list and those before it, and purge what follows."""
        row, column = self._selection.row, self._selection.column
        if row is not None and column < len(self._words.ranking.lists):
            score = float(self._words.ranking.lists[column].ranked.score[row])
            self._words.set_threshold(score)

    def show_on_page(self) -> None:
        """Show the chosen word on its page."""
        if self._words.item is not None:
            self._show_page(self._words.item)

    def _next_unjudged(self) -> int | None:
        """The next item down the column that the user has not judged, from the top at the end."""
        column, placing = self._selection.column, self._cells.placing
        items = placing.items[column]
        rows = [placing.row_of(column, item) for item in self._selection.items]
        after = max(row for row in rows if row is not None) + 1
        order = np.concatenate([items[after:], items[:after]])
        free = (self._words.judgements.judged[order] < 0) & ~np.isin(
            order, list(self._selection.items)
        )
        return int(order[np.argmax(free)]) if free.any() else None

    def _follow_selection(self) -> None:
        self._words.choose_item(self._selection.item)
        self._cells.update()
        self._cells.show_current()
        self.chosen.emit()
