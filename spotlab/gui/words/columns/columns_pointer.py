"""What the mouse does in the columns: choose, judge, point at, and ask for tips and the menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from spotlab.gui.words.columns.cell_commands import CellCommands
from spotlab.gui.words.columns.cell_layout import CellLayout
from spotlab.gui.words.columns.cell_selection import CellSelection
from spotlab.gui.words.columns.marks import pill_of
from spotlab.gui.words.columns.saying import tip_of

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words

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
