"""Shows ranked lists as columns of word images: one widget that paints the cells in sight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.words.columns.cell_painter import EDGE, Cell, colour_of
from spotlab.gui.words.columns.connectors import Connectors
from spotlab.gui.words.columns.geometry import LARGEST, PAD, SMALLEST, Geometry
from spotlab.gui.words.columns.head import HEIGHT, ColumnHeads
from spotlab.gui.words.columns.marks import paint_pill, paint_purge_line, pill_of
from spotlab.gui.words.columns.painted_cells import PaintedCells
from spotlab.gui.words.columns.pictures import WordPictures
from spotlab.gui.words.columns.placing import Placing
from spotlab.gui.words.columns.saying import spoken, text_of
from spotlab.gui.words.columns.selection import Selection

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words

NAME = "Ranked words"
NOTHING = "Search a word, or open ranked lists: there will be one column of words for each list"
BUSY = "Making the lists…"


class ColumnsView(QAbstractScrollArea):
    """The columns, without hands: it follows the words' state and paints.

    Parameters
    ----------
    words : Words
    """

    options_changed = Signal()  # level, all_moves or the size of pictures

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = words
        self.level = False  # the chosen word at one height in all columns
        self.all_moves = False  # arrows for all words in sight
        self.selection = Selection()
        self.hovered: tuple[int, int] | None = None
        self.geometry_now = Geometry((), (), 1, 1)
        self.placing = Placing((), 0)
        self.pictures = WordPictures(words.crop, self)
        self.pictures.arrived.connect(self._show_pictures)
        self._painted = PaintedCells()
        self._seen: set[int] = set()  # items of the last frame
        self._items: object = None
        self._crops: object = None
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(NAME)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setViewportMargins(0, HEIGHT, 0, 0)
        self.heads = ColumnHeads(words, self)
        self._ends = [
            words.lists_changed.connect(self._reread),
            words.relevance_changed.connect(self._repaint),
            words.threshold_changed.connect(self._repaint),
            words.item_changed.connect(self._follow_item),
            words.busy_changed.connect(self.viewport().update),
        ]
        self.destroyed.connect(lambda *_, ends=self._ends: [end() for end in ends])
        self._reread()

    def set_level(self, level: bool) -> None:
        """Let the chosen word stand at one height in all columns, or rank beside rank."""
        if level != self.level:
            self.level = level
            self._place()
            self.show_current()
            self.options_changed.emit()

    def set_all_moves(self, shown: bool) -> None:
        """Draw arrows for all words in sight, or for the chosen one."""
        if shown != self.all_moves:
            self.all_moves = shown
            self.viewport().update()
            self.options_changed.emit()

    def set_picture_height(self, height: int, anchor: float = 0.0) -> None:
        """Let pictures be so high, in px; what is at the height ``anchor`` of the view stays."""
        height = min(max(height, SMALLEST), LARGEST)
        before = self.geometry_now
        if height == before.picture:
            return
        at = (before.y + anchor) / before.row_height
        self.geometry_now = replace(before, picture=height)
        self._place()
        self.verticalScrollBar().setValue(round(at * self.geometry_now.row_height - anchor))
        self.options_changed.emit()

    def show_current(self) -> None:
        """Scroll until the current cell is in sight, as little as that takes."""
        row = self.selection.row
        if row is None:
            return
        geometry, column = self.geometry_now, self.selection.column
        self.verticalScrollBar().setValue(round(geometry.y_showing(column, row)))
        left = geometry.left(column) + geometry.x
        sideways = self.horizontalScrollBar()
        sideways.setValue(int(min(sideways.value(), left - PAD)))
        sideways.setValue(int(max(sideways.value(), left + geometry.cell_width - geometry.width)))

    def _reread(self) -> None:
        """Other lists: the chosen word stays chosen, and in sight if it was."""
        words = self.words
        count = len(words.items) if words.items is not None else 0
        if words.items is not self._items or words.crops is not self._crops:
            self._items, self._crops = words.items, words.crops
            self.pictures.forget()
            self.verticalScrollBar().setValue(0)
        seen = self._sees_current()
        self.placing = Placing([each.ranked for each in words.lists], count)
        self.hovered = None
        self.selection.follow(self.placing, words.item)
        self._place()
        if seen:
            self.show_current()
        self._repaint()

    def _sees_current(self) -> bool:
        row = self.selection.row
        return row is not None and row in self.geometry_now.rows(self.selection.column)

    def _follow_item(self) -> None:
        """Somebody else has chosen a word: show it."""
        if self.words.item == self.current_item:
            return
        self.selection.items = frozenset()
        self.selection.follow(self.placing, self.words.item)
        self._place()
        self.show_current()
        self._repaint()

    @property
    def current_item(self) -> int | None:
        """The item of the current cell."""
        row = self.selection.row
        return None if row is None else self.placing.item_at(self.selection.column, row)

    def _repaint(self) -> None:
        row = self.selection.row
        self.setAccessibleName(
            NAME
            if row is None
            else spoken(self.words, self.placing, self.selection.column, row)
        )  # fmt: skip
        self.heads.update()
        self.viewport().update()

    def _place(self) -> None:
        """Say anew where cells are, and how far one may scroll."""
        lengths = tuple(len(items) for items in self.placing.items)
        shifts = (0,) * len(lengths)
        if self.level:
            shifts = self.placing.shifts(self.words.item, self.selection.column)
        size = self.viewport().size()
        geometry = replace(
            self.geometry_now, lengths=lengths, shifts=shifts, width=size.width(),
            height=size.height(),
        )  # fmt: skip
        down, sideways = self.verticalScrollBar(), self.horizontalScrollBar()
        self.geometry_now = geometry
        first, last = geometry.span
        down.setRange(int(first), int(last))
        down.setSingleStep(max(1, int(geometry.row_height / 3)))
        down.setPageStep(max(1, int(geometry.height - geometry.row_height)))
        sideways.setRange(0, max(0, int(geometry.content_width - geometry.width)))
        sideways.setPageStep(max(1, int(geometry.width)))
        sideways.setSingleStep(20)
        self._scrolled()

    def _scrolled(self) -> None:
        self.geometry_now = replace(
            self.geometry_now,
            x=float(self.horizontalScrollBar().value()),
            y=float(self.verticalScrollBar().value()),
        )
        self.heads.place(self.geometry_now)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """All columns together."""
        self._scrolled()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The columns share the width."""
        self.heads.setGeometry(0, 0, self.viewport().width(), HEIGHT)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """Other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The cells in sight, lines and arrows."""
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), QColor(theme.colours(self.palette()).window))
            if not len(self.placing):
                self._paint_empty(painter)
                return
            self._paint_cells(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_moves(painter)
        self.pictures.want(self._items_around())

    def _paint_cells(self, painter: QPainter) -> None:
        """Dot by dot, as they were painted before where they look the same."""
        geometry, ratio = self.geometry_now, self.devicePixelRatioF()
        self.pictures.fit(int(geometry.cell_width - 2 * PAD), geometry.picture, ratio)
        self._painted.fit(self.palette(), self.font(), geometry, ratio)
        self._seen.clear()
        for column in geometry.columns():
            kept = self.words.lists[column].kept(self.words.threshold)
            painter.save()
            painter.scale(1 / ratio, 1 / ratio)
            for row in geometry.rows(column):
                place = geometry.cell(column, row)
                left, top = place.left() - EDGE, place.top() - EDGE
                cell = self._painted.get(self._cell(column, row, kept))
                painter.drawPixmap(round(left * ratio), round(top * ratio), cell)
            painter.restore()
            paint_purge_line(
                painter, self.palette(), geometry, column, kept, self.words.threshold
            )  # fmt: skip

    def _show_pictures(self, items: list[int]) -> None:
        if not self._seen.isdisjoint(items):
            self.viewport().update()

    def _cell(self, column: int, row: int, kept: int) -> Cell:
        words, item = self.words, int(self.placing.items[column][row])
        current = column == self.selection.column and row == self.selection.row
        known = self.pictures.known(item)
        picture = self.pictures.get(item)
        self._seen.add(item)
        return Cell(
            picture=picture,
            waiting=not known,
            words=text_of(words, item) if known and picture is None else "",
            relevance=int(words.relevance[item]),
            judged=int(words.judged[item]),
            rank=row + 1,
            score=float(words.lists[column].ranked.score[row]),
            climbed=self.placing.climbed(column, row),
            purged=row >= kept,
            chosen=item == words.item,
            selected=item in self.selection.items,
            current=current,
            focused=current and self.hasFocus(),
            hovered=self.hovered == (column, row),
        )

    def _paint_moves(self, painter: QPainter) -> None:
        connectors = Connectors(self.geometry_now, self.placing)

        def colour(item: int) -> QColor:
            return colour_of(int(self.words.relevance[item]))

        if self.all_moves:
            connectors.paint_all(painter, colour)
        looked_at = {self.words.item}
        if self.hovered is not None:
            looked_at.add(self.placing.item_at(*self.hovered))
        for item in looked_at - {None}:
            assert item is not None
            connectors.paint_item(painter, item, colour)
        chosen = self.words.item
        for column in self.geometry_now.columns() if chosen is not None else ():
            assert chosen is not None
            place = pill_of(self.geometry_now, self.placing, column, chosen)
            if place is not None:
                row = self.placing.row_of(column, chosen)
                assert row is not None  # else it has no pill
                paint_pill(painter, self.palette(), place, row)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setPen(theme.quiet(self.palette()))
        room = self.viewport().rect().adjusted(40, 20, -40, -20)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(room, int(flags), BUSY if self.words.busy else NOTHING)

    def _items_around(self) -> list[int]:
        """Those in sight, then those that the next page of scrolling shows."""
        geometry = self.geometry_now
        found: dict[int, None] = {}
        for beyond in (0.0, geometry.height):
            for column in geometry.columns():
                rows = geometry.rows(column, beyond)
                items = self.placing.items[column][rows.start : rows.stop]
                found.update(dict.fromkeys(items.tolist()))
        return list(found)
