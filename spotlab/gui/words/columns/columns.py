"""The columns of ranked words under hands: mouse, wheel, keys, menu and tips."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from spotlab.gui.words.columns.marks import pill_of
from spotlab.gui.words.columns.saying import tip_of
from spotlab.gui.words.columns.view import ColumnsView
from spotlab.gui.words.state.words import Words

_Key = Qt.Key
JUDGING: dict[Qt.Key, bool | None] = {
    _Key.Key_G: True,
    _Key.Key_R: False,
    _Key.Key_U: None,
    _Key.Key_Delete: None,
}
ZOOM = 1.12  # a notch of the wheel


class WordColumns(ColumnsView):
    """One column of word images per ranked list, to look through and to judge.

    Parameters
    ----------
    words : Words
        The state: what is listed, chosen, judged.
    """

    page_wanted = Signal(int)  # an item to be shown on its page

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.heads.pressed.connect(self._to_top)
        self._letters: dict[Qt.Key, Callable[[], object]] = {
            _Key.Key_Return: self._show_on_page,
            _Key.Key_Enter: self._show_on_page,
            _Key.Key_L: lambda: self.set_level(not self.level),
            _Key.Key_M: lambda: self.set_all_moves(not self.all_moves),
            **{key: partial(self.judge, relevant) for key, relevant in JUDGING.items()},
        }

    def choose(self, column: int, row: int, extend: bool = False) -> None:
        """Make a cell the current one and its word the chosen one."""
        self.selection.set(self.placing, column, row, extend)
        self._chosen()

    def judge(self, relevant: bool | None) -> None:
        """Judge what is selected, as one step, and go to the next word not judged yet."""
        if self.selection.row is None or not self.selection.items:
            return
        following = self._next_unjudged() if relevant is not None else None
        self.words.judge_items(sorted(self.selection.items), relevant)
        if following is not None:
            self.words.choose_item(following)

    def toggle(self, column: int, row: int) -> None:
        """What is relevant is not, and the other way round; what is not known is relevant."""
        item = self.placing.item_at(column, row)
        if item is not None:
            self.words.judge(item, self.words.relevance[item] != 1)

    def _next_unjudged(self) -> int | None:
        """The next item down the column that the user has not judged, from the top at the end."""
        items = self.placing.items[self.selection.column]
        rows = [self.placing.row_of(self.selection.column, each) for each in self.selection.items]
        after = max(row for row in rows if row is not None) + 1
        order = np.concatenate([items[after:], items[:after]])
        free = (self.words.judged[order] < 0) & ~np.isin(order, list(self.selection.items))
        return int(order[np.argmax(free)]) if free.any() else None

    def _chosen(self) -> None:
        self.words.choose_item(self.current_item)
        self._place()
        self.show_current()
        self._repaint()

    def _to_top(self, column: int) -> None:
        if self.placing.items[column].size:
            self.choose(column, 0)

    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose; on a cell's corner judge; on an arrow at the edge go where the word is."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() != Qt.MouseButton.LeftButton or self._press_pill(event.position()):
            return
        cell = self.geometry_now.cell_at(event.position())
        held = event.modifiers()
        if cell is None:
            return
        if held & Qt.KeyboardModifier.ControlModifier:
            self.selection.toggle(self.placing, *cell)
            self._chosen()
            return
        extend = bool(held & Qt.KeyboardModifier.ShiftModifier)
        self.choose(*cell, extend=extend)
        if not extend and self.geometry_now.corner(*cell).contains(event.position()):
            self.toggle(*cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Judge a word the other way round."""
        cell = self.geometry_now.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.toggle(*cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say where the word under the pointer is in the other columns."""
        self._hover(self.geometry_now.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        self._hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl change the size."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = event.angleDelta().y() / 120
            height = self.geometry_now.picture * ZOOM**notches
            self.set_picture_height(
                int(np.ceil(height) if notches > 0 else height), event.position().y()
            )
            event.accept()
            return
        super().wheelEvent(event)
        self._hover(self.geometry_now.cell_at(event.position()))

    def _hover(self, cell: tuple[int, int] | None) -> None:
        if cell != self.hovered:
            self.hovered = cell
            self.viewport().update()

    def _press_pill(self, place: QPointF) -> bool:
        item = self.words.item
        for column in self.geometry_now.columns() if item is not None else ():
            assert item is not None
            pill = pill_of(self.geometry_now, self.placing, column, item)
            row = self.placing.row_of(column, item)
            if pill is not None and row is not None and pill.contains(place):
                self.choose(column, row)
                return True
        return False

    # keys

    def event(self, event: QEvent) -> bool:
        """Letters of the columns come before the window's shortcuts."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and self._action_for(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, judge, show."""
        action = self._action_for(event)
        if action is None:
            event.ignore()
        else:
            action()

    def _action_for(self, event: QKeyEvent) -> Callable[[], object] | None:
        key, held = _Key(event.key()), event.modifiers()
        if held & Qt.KeyboardModifier.AltModifier or not len(self.placing):
            return None
        control = bool(held & Qt.KeyboardModifier.ControlModifier)
        if key in (_Key.Key_Left, _Key.Key_Right):
            return partial(self._sideways, 1 if key == _Key.Key_Right else -1, control)
        row = self._row_for(key)
        if row is not None:
            extend = bool(held & Qt.KeyboardModifier.ShiftModifier)
            return partial(self._to_row, row, extend)
        if control:
            return self._select_all if key == _Key.Key_A else None
        return self._letters.get(key)

    def _row_for(self, key: Qt.Key) -> int | None:
        """The row that a key leads to; None for other keys."""
        page = max(1, int(self.geometry_now.height // self.geometry_now.row_height))
        row = self.selection.row
        last = len(self.placing.items[self.selection.column]) - 1
        if key == _Key.Key_Home:
            return 0
        if key == _Key.Key_End:
            return last
        steps = {_Key.Key_Down: 1, _Key.Key_Up: -1, _Key.Key_PageDown: page, _Key.Key_PageUp: -page}
        if key not in steps:
            return None
        if row is None:  # begin with what is in sight
            return self.geometry_now.row_near(self.selection.column, 0)
        return min(max(row + steps[key], 0), last)

    def _to_row(self, row: int, extend: bool) -> None:
        if len(self.placing.items[self.selection.column]):
            self.choose(self.selection.column, row, extend)

    def _sideways(self, step: int, same_item: bool) -> None:
        """To the next column: the cell beside, or the same word there."""
        geometry, column = self.geometry_now, self.selection.column + step
        if not 0 <= column < len(self.placing):
            return
        row = self.placing.row_of(column, self.words.item) if same_item else None
        if row is None:
            here = self.selection.row or 0
            beside = geometry.cell(self.selection.column, here).center().y()
            row = geometry.row_near(column, beside)
        if row is not None:
            self.choose(column, row)

    def _select_all(self) -> None:
        column = self.selection.column
        count = len(self.placing.items[column])
        if count:
            self.selection.set(self.placing, column, 0)
            self.selection.set(self.placing, column, count - 1, extend=True)
            self._chosen()

    def _show_on_page(self) -> None:
        if self.words.item is not None:
            self.page_wanted.emit(self.words.item)

    # tips and menu

    def viewportEvent(self, event: QEvent) -> bool:
        """What is known of a word, where the pointer rests on it."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.geometry_now.cell_at(QPointF(event.pos()))
            item = None if cell is None else self.placing.item_at(*cell)
            if item is None:
                QToolTip.hideText()
            else:
                tip = tip_of(self.words, self.placing, item)
                QToolTip.showText(event.globalPos(), tip, self.viewport())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the selected words."""
        cell = self.geometry_now.cell_at(QPointF(event.pos()))
        if cell is not None and self.placing.item_at(*cell) not in self.selection.items:
            self.choose(*cell)
        if self.selection.row is not None:
            self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """The menu of the selected words."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        several = len(self.selection.items) > 1
        what = f"{len(self.selection.items):,} words" if several else "word"
        entries: list[tuple[str, Callable[[], object]]] = [
            (f"Judge {what} relevant\tG", partial(self.judge, True)),
            (f"Judge {what} not relevant\tR", partial(self.judge, False)),
            ("Take judgement back\tU", partial(self.judge, None)),
            ("", lambda: None),
            ("Show on its page\tEnter", self._show_on_page),
            ("Search this word", self._search),
        ]
        for title, action in entries:
            menu.addAction(title, action) if title else menu.addSeparator()
        menu.addSeparator()
        options = (
            ("Chosen word level in all lists\tL", self.level, self.set_level),
            ("Arrows for all words\tM", self.all_moves, self.set_all_moves),
        )
        for title, checked, setting in options:
            choice = menu.addAction(title)
            choice.setCheckable(True)
            choice.setChecked(checked)
            choice.toggled.connect(setting)
        return menu

    def _search(self) -> None:
        if self.words.item is not None:
            self.words.search_item(self.words.item)
