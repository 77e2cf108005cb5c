"""Commands on the cells of ranked lists, given by keys and by the pointer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from spotlab.gui.words.columns.head import tip_of
from spotlab.gui.words.columns.layout import CellLayout, CellSelection
from spotlab.gui.words.columns.painting import pill_of
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
        """Return what a key does here; None if nothing."""
        key, held = _Key(event.key()), event.modifiers()
        if held & Qt.KeyboardModifier.AltModifier or not len(self._cells.placing):
            return None
        control = bool(held & Qt.KeyboardModifier.ControlModifier)
        if key in (_Key.Key_Left, _Key.Key_Right) and (control or not self._cells.flows):
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
        line, page = geometry.across, page * geometry.across
        steps = {_Key.Key_Down: line, _Key.Key_Up: -line} | {
            _Key.Key_PageDown: page, _Key.Key_PageUp: -page, _Key.Key_Right: 1, _Key.Key_Left: -1
        }  # fmt: skip
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


Hover = Callable[[tuple[int, int] | None], object]


class ColumnsPointer(QObject):
    """Filters the mouse events of the columns' viewport.

    Parameters
    ----------
    viewport : QWidget
    words : Words
    cells : CellLayout
    selection : CellSelection
    commands : CellCommands
    hover : callable
        Called with column and row of the cell under the pointer, or None.
    menu : callable
        Makes the menu of the selected words.
    """

    def __init__(
        self,
        viewport: QWidget,
        words: Words,
        cells: CellLayout,
        selection: CellSelection,
        commands: CellCommands,
        hover: Hover,
        menu: Callable[[], QMenu],
    ) -> None:
        super().__init__(viewport)
        self._viewport, self._words = viewport, words
        self._cells, self._selection, self._commands = cells, selection, commands
        self._hover, self._menu = hover, menu
        viewport.setMouseTracking(True)
        viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the events of the mouse, except those of the wheel."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
        elif isinstance(event, QContextMenuEvent):
            self._open_menu(event)
        elif event.type() == QEvent.Type.Leave:
            self._hover(None)
            return False
        elif isinstance(event, QMouseEvent):
            return self._take(event)
        else:
            return False
        return True

    def follow(self, place: QPointF) -> None:
        """The pointer is at this place of the viewport."""
        self._hover(self._cells.geometry.cell_at(place))

    def _take(self, event: QMouseEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            self._press(event)
        elif event.type() == QEvent.Type.MouseButtonDblClick:
            self._double_click(event)
        elif event.type() == QEvent.Type.MouseMove:
            self.follow(event.position())
        else:
            return False
        return True

    def _press(self, event: QMouseEvent) -> None:
        """Choose; on a cell's corner judge; on an arrow at the edge go where the word is."""
        self._viewport.setFocus(Qt.FocusReason.MouseFocusReason)  # the area is its proxy
        place, held = event.position(), event.modifiers()
        if event.button() != Qt.MouseButton.LeftButton or self._press_pill(place):
            return
        cell = self._cells.geometry.cell_at(place)
        if cell is None:
            return
        if held & Qt.KeyboardModifier.ControlModifier:
            self._commands.select_also(*cell)
            return
        extend = bool(held & Qt.KeyboardModifier.ShiftModifier)
        self._commands.choose(*cell, extend=extend)
        if not extend and self._cells.geometry.corner(*cell).contains(place):
            self._commands.invert_judgement(*cell)

    def _press_pill(self, place: QPointF) -> bool:
        item, geometry, placing = self._words.item, self._cells.geometry, self._cells.placing
        for column in geometry.columns() if item is not None else ():
            assert item is not None
            pill = pill_of(geometry, placing, column, item)
            row = placing.row_of(column, item)
            if pill is not None and row is not None and pill.contains(place):
                self._commands.choose(column, row)
                return True
        return False

    def _double_click(self, event: QMouseEvent) -> None:
        cell = self._cells.geometry.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self._commands.invert_judgement(*cell)

    def _show_tip(self, event: QHelpEvent) -> None:
        cell = self._cells.geometry.cell_at(QPointF(event.pos()))
        item = None if cell is None else self._cells.placing.item_at(*cell)
        if item is None:
            QToolTip.hideText()
        else:
            tip = tip_of(self._words, self._cells.placing, item)
            QToolTip.showText(event.globalPos(), tip, self._viewport)

    def _open_menu(self, event: QContextMenuEvent) -> None:
        cell = self._cells.geometry.cell_at(QPointF(event.pos()))
        if cell is not None and self._cells.placing.item_at(*cell) not in self._selection.items:
            self._commands.choose(*cell)
        if self._selection.row is not None:
            self._menu().popup(event.globalPos())
