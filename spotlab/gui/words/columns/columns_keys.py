"""What the keys do in the columns: move to other cells, and the letters of commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spotlab.gui.words.columns.cell_commands import CellCommands
from spotlab.gui.words.columns.cell_layout import CellLayout
from spotlab.gui.words.columns.cell_selection import CellSelection

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words

_Key = Qt.Key
Command = Callable[[], object]


class ColumnsKeys:
    """Finds the command of a key.

    Parameters
    ----------
    words : Words
    cells : CellLayout
    selection : CellSelection
    commands : CellCommands
    letters : mapping of Qt.Key to callable
        Keys that do not depend on where one is.
    """

    def __init__(
        self,
        words: Words,
        cells: CellLayout,
        selection: CellSelection,
        commands: CellCommands,
        letters: Mapping[Qt.Key, Command],
    ) -> None:
        self._words, self._cells, self._selection = words, cells, selection
        self._commands, self._letters = commands, letters

    def command_for(self, event: QKeyEvent) -> Command | None:
        """What a key does here; None if nothing."""
        key, held = _Key(event.key()), event.modifiers()
        if held & Qt.KeyboardModifier.AltModifier or not len(self._cells.placing):
            return None
        control = bool(held & Qt.KeyboardModifier.ControlModifier)
        if key in (_Key.Key_Left, _Key.Key_Right):
            return partial(self._sideways, 1 if key == _Key.Key_Right else -1, control)
        if key == _Key.Key_Home and not control and self._cells.kept is not None:
            return partial(self._commands.choose_top, self._selection.column)
        row = self._row_for(key)
        if row is not None:
            extend = bool(held & Qt.KeyboardModifier.ShiftModifier)
            return partial(self._to_row, row, extend)
        if control:
            return self._commands.select_column if key == _Key.Key_A else None
        return self._letters.get(key)

    def _row_for(self, key: Qt.Key) -> int | None:
        """The row that a key leads to; None for other keys."""
        geometry, column = self._cells.geometry, self._selection.column
        page = max(1, int(geometry.height // geometry.row_height))
        row = self._selection.row
        last = len(self._cells.placing.items[column]) - 1
        if key == _Key.Key_Home:
            return 0
        if key == _Key.Key_End:
            return last
        steps = {_Key.Key_Down: 1, _Key.Key_Up: -1, _Key.Key_PageDown: page, _Key.Key_PageUp: -page}
        if key not in steps:
            return None
        if row is None:  # begin with what is visible
            return geometry.row_near(column, 0)
        return min(max(row + steps[key], 0), last)

    def _to_row(self, row: int, extend: bool) -> None:
        if len(self._cells.placing.items[self._selection.column]):
            self._commands.choose(self._selection.column, row, extend)

    def _sideways(self, step: int, same_item: bool) -> None:
        """To the next column: the cell beside, or the same word there."""
        geometry, placing = self._cells.geometry, self._cells.placing
        column = self._selection.column + step
        if not 0 <= column < len(placing):
            return
        row = placing.row_of(column, self._words.item) if same_item else None
        if row is None:
            here = self._selection.row or 0
            beside = geometry.cell(self._selection.column, here).center().y()
            row = geometry.row_near(column, beside)
        if row is not None:
            self._commands.choose(column, row)
