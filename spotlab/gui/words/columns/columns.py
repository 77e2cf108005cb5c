"""Shows ranked lists as columns of word images: one widget that paints the visible cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QStyle, QWidget

from spotlab.gui.kit.settings import (
    PICTURE_HEIGHT,
    WORDS_ALL_MOVES,
    WORDS_FLOW,
    WORDS_FOLLOW_CUT,
    WORDS_LEVEL,
    WORDS_ONLY_INK,
    Settings,
)
from spotlab.gui.words.columns.commands import CellCommands, ColumnsKeys, ColumnsPointer, Command
from spotlab.gui.words.columns.head import HEIGHT, ColumnHeads, spoken
from spotlab.gui.words.columns.layout import (
    GUTTER,
    MARGIN,
    NARROWEST,
    TOP,
    CellLayout,
    CellSelection,
    Placing,
)
from spotlab.gui.words.columns.painting import ColumnsPainter

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words


NAME = "Ranked words"
ZOOM = 1.12  # a notch of the wheel
LISTS, ROWS = 3, 4  # to be seen at least, if there is any room
_Key = Qt.Key


class WordColumns(QAbstractScrollArea):
    """One column of word images per ranked list, to look through and to judge.

    Parameters
    ----------
    words : Words
        The state: what is listed, chosen, judged.

    Attributes
    ----------
    selection : CellSelection
    cells : CellLayout
    painter : ColumnsPainter
    commands : CellCommands
    heads : ColumnHeads
    follow_cut : bool
        Whether the lists show where they are cut while the threshold moves.
    """

    options_changed = Signal()  # see `keep_options`
    page_wanted = Signal(int)  # an item to be shown on its page

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = words
        self.selection = CellSelection()
        self.cells = CellLayout(self, self.selection)
        self.painter = ColumnsPainter(self, words, self.cells, self.selection)
        self.commands = CellCommands(words, self.cells, self.selection, self.page_wanted.emit)
        self._keys = ColumnsKeys(
            words, self.cells, self.selection, self.commands, self._letters()
        )  # fmt: skip
        self._pointer = ColumnsPointer(
            self.viewport(), words, self.cells, self.selection, self.commands,
            self.painter.hover, self.menu,
        )  # fmt: skip
        self.follow_cut = True
        self._items: object = None
        self._crops: object = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(NAME)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setViewportMargins(0, HEIGHT, 0, 0)
        self.heads = ColumnHeads(words, self)
        self._connect()
        self._reread()

    def set_level(self, level: bool) -> None:
        """Show the chosen word at one height in all columns, or rank beside rank."""
        if level != self.cells.level:
            self.cells.level = level
            self.cells.kept = None
            self.cells.update()
            self.cells.show_current()
            self.options_changed.emit()

    def set_flow(self, flows: bool) -> None:
        """Show the words of a list one after the other, in lines, or below each other."""
        if flows != self.cells.flows:
            self.cells.flows = flows
            self.cells.kept = None
            self.cells.update()
            self.cells.show_current()
            self.options_changed.emit()

    def set_only_ink(self, only_ink: bool) -> None:
        """Show words without the background of their pages, or as they are."""
        if only_ink != self.words.only_ink:
            self.words.show_only_ink(only_ink)
            self._reread()
            self.options_changed.emit()

    def set_follow_cut(self, follow: bool) -> None:
        """Show where lists are cut while the threshold moves, or stay where one is."""
        if follow != self.follow_cut:
            self.follow_cut = follow
            if follow:
                self._show_cut()
            else:
                self.cells.leave_cut()
            self.options_changed.emit()

    def set_all_moves(self, shown: bool) -> None:
        """Draw arrows for all visible words, or for the chosen one."""
        if shown != self.painter.all_moves:
            self.painter.all_moves = shown
            self.viewport().update()
            self.options_changed.emit()

    def set_picture_height(self, height: int, anchor: float = 0.0) -> None:
        """Set the height of pictures in px; what is at the height ``anchor`` stays there."""
        if self.cells.set_picture_height(height, anchor):
            self.options_changed.emit()

    def menu(self) -> QMenu:
        """The menu of the selected words."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        commands, count = self.commands, len(self.selection.items)
        what = f"{count:,} words" if count > 1 else "word"
        entries: list[tuple[str, Callable[[], object]]] = [
            (f"Judge {what} relevant\tG", partial(commands.judge, True)),
            (f"Judge {what} not relevant\tR", partial(commands.judge, False)),
            ("Take judgement back\tU", partial(commands.judge, None)),
            ("", lambda: None),
            ("Purge what follows this word\tC", commands.purge_after),
            ("", lambda: None),
            ("Show on its page\tEnter", commands.show_on_page),
            ("Search this word", commands.search),
        ]
        for title, action in entries:
            menu.addAction(title, action) if title else menu.addSeparator()
        menu.addSeparator()
        options = (
            ("Words in lines\tW", self.cells.flows, self.set_flow),
            ("Without background\tB", self.words.only_ink, self.set_only_ink),
            ("Chosen word level in all lists\tL", self.cells.level, self.set_level),
            ("Arrows for all words\tM", self.painter.all_moves, self.set_all_moves),
            ("Lists follow the purge threshold\tF", self.follow_cut, self.set_follow_cut),
        )
        for title, checked, setting in options:
            choice = menu.addAction(title)
            choice.setCheckable(True)
            choice.setChecked(checked)
            choice.toggled.connect(setting)
        return menu

    def _letters(self) -> dict[Qt.Key, Command]:
        commands = self.commands
        return {
            _Key.Key_Return: commands.show_on_page,
            _Key.Key_Enter: commands.show_on_page,
            _Key.Key_W: lambda: self.set_flow(not self.cells.flows),
            _Key.Key_B: lambda: self.set_only_ink(not self.words.only_ink),
            _Key.Key_L: lambda: self.set_level(not self.cells.level),
            _Key.Key_M: lambda: self.set_all_moves(not self.painter.all_moves),
            _Key.Key_F: lambda: self.set_follow_cut(not self.follow_cut),
            _Key.Key_C: commands.purge_after,
            _Key.Key_G: partial(commands.judge, True),
            _Key.Key_R: partial(commands.judge, False),
            _Key.Key_U: partial(commands.judge, None),
            _Key.Key_Delete: partial(commands.judge, None),
        }

    def _connect(self) -> None:
        words = self.words
        self.heads.pressed.connect(self.commands.choose_top)
        self.commands.chosen.connect(self._repaint)
        self.cells.moved.connect(self._follow_layout)
        words.ranking.changed.connect(self._reread)
        words.judgements.changed.connect(self._repaint)
        words.threshold_changed.connect(self._follow_threshold)
        words.item_changed.connect(self._follow_item)
        words.ranking.busy_changed.connect(self.viewport().update)

    def _reread(self) -> None:
        """Show other lists: the chosen word stays chosen, and visible if it was."""
        words = self.words
        count = len(words.queries.items) if words.queries.items is not None else 0
        if words.queries.items is not self._items or words.crops is not self._crops:
            self._items, self._crops = words.queries.items, words.crops
            self.painter.pictures.forget()
            self.cells.leave_cut()
            self.verticalScrollBar().setValue(0)
        visible = self.cells.sees_current()
        self.cells.placing = Placing([shown.ranked for shown in words.ranking.lists], count)
        self.painter.hovered = None
        self.selection.follow(self.cells.placing, words.item)
        if self.cells.kept is not None:
            self.cells.kept = self._kept()
        self.cells.update()
        if visible:
            self.cells.show_current()
        self._repaint()

    def _follow_item(self) -> None:
        """Show a word that was chosen elsewhere."""
        if self.words.item == self.selection.item:
            return
        self.selection.items = frozenset()
        self.selection.follow(self.cells.placing, self.words.item)
        self.cells.update()
        self.cells.show_current()
        self._repaint()

    def _follow_threshold(self) -> None:
        if self.follow_cut:
            self._show_cut()
        self._repaint()

    def _show_cut(self) -> None:
        """Bring the cut of every list into the middle."""
        self.cells.follow_cut(self._kept())

    def _kept(self) -> tuple[int, ...]:
        threshold = self.words.threshold
        return tuple(shown.kept(threshold) for shown in self.words.ranking.lists)

    def _follow_layout(self) -> None:
        self.heads.place(self.cells.geometry)
        self.viewport().update()

    def _repaint(self) -> None:
        row, column = self.selection.row, self.selection.column
        placing = self.cells.placing
        self.setAccessibleName(NAME if row is None else spoken(self.words, placing, column, row))
        self.heads.update()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """As much as `LISTS` lists and `ROWS` rows of them need."""
        geometry = self.cells.geometry
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
        width = 2 * MARGIN + LISTS * NARROWEST + (LISTS - 1) * GUTTER
        height = HEIGHT + TOP + ROWS * geometry.row_height
        return QSize(int(width) + bar, int(height) + bar)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll all columns together."""
        self.cells.follow_scroll_bars()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width between the columns."""
        self.heads.setGeometry(0, 0, self.viewport().width(), HEIGHT)
        self.cells.update()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible cells."""
        self.painter.paint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl change the size of pictures."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = event.angleDelta().y() / 120
            height = self.cells.geometry.picture * ZOOM**notches
            self.set_picture_height(
                int(np.ceil(height) if notches > 0 else height), event.position().y()
            )
            event.accept()
            return
        super().wheelEvent(event)
        self._pointer.follow(event.position())

    def event(self, event: QEvent) -> bool:
        """Take the letters of the columns before the window's shortcuts."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and self._keys.command_for(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, judge, show."""
        command = self._keys.command_for(event)
        if command is None:
            event.ignore()
        else:
            command()


PAUSE = 400  # ms: a turn of the wheel is many changes, and settings are a file


def keep_options(view: WordColumns, settings: Settings) -> None:
    """Look at the columns as before, and remember what is changed."""
    view.set_picture_height(settings.get(PICTURE_HEIGHT))
    view.set_flow(settings.get(WORDS_FLOW))
    view.set_only_ink(settings.get(WORDS_ONLY_INK))
    view.set_level(settings.get(WORDS_LEVEL))
    view.set_all_moves(settings.get(WORDS_ALL_MOVES))
    view.set_follow_cut(settings.get(WORDS_FOLLOW_CUT))

    def remember() -> None:
        settings.set(PICTURE_HEIGHT, view.cells.geometry.picture)
        settings.set(WORDS_FLOW, view.cells.flows)
        settings.set(WORDS_ONLY_INK, view.words.only_ink)
        settings.set(WORDS_LEVEL, view.cells.level)
        settings.set(WORDS_ALL_MOVES, view.painter.all_moves)
        settings.set(WORDS_FOLLOW_CUT, view.follow_cut)

    timer = QTimer(view)
    timer.setSingleShot(True)
    timer.setInterval(PAUSE)
    timer.timeout.connect(remember)
    view.options_changed.connect(timer.start)
