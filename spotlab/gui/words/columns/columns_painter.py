"""Paints the visible cells of the columns, and the lines and arrows between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractScrollArea

from spotlab.gui.kit import theme
from spotlab.gui.kit.cut_pictures import CutPictures
from spotlab.gui.words.columns.cell_layout import CellLayout
from spotlab.gui.words.columns.cell_painter import CellPainter, WordCell, colour_of
from spotlab.gui.words.columns.cell_selection import CellSelection
from spotlab.gui.words.columns.connectors import Connectors
from spotlab.gui.words.columns.geometry import GAP, PAD
from spotlab.gui.words.columns.marks import paint_pill, paint_purge_line, pill_of
from spotlab.gui.words.columns.saying import text_of

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words

NOTHING = "Search a word or open ranked lists. Each list becomes a column of words."
REST = 100  # ms without a frame, after which pictures out of sight are cut
BUSY = "Making the lists…"


class ColumnsPainter:
    """Paints the viewport of a scroll area.

    Parameters
    ----------
    area : QAbstractScrollArea
        Its palette, font and focus are used.
    words : Words
    cells : CellLayout
    selection : CellSelection

    Attributes
    ----------
    all_moves : bool
        Whether all visible words have arrows, rather than the chosen one.
    hovered : (int, int) or None
        Column and row of the cell under the pointer.
    pictures : CutPictures
    """

    def __init__(
        self, area: QAbstractScrollArea, words: Words, cells: CellLayout, selection: CellSelection
    ) -> None:
        self._area, self._words, self._cells, self._selection = area, words, cells, selection
        self.all_moves = False
        self.hovered: tuple[int, int] | None = None
        self.pictures = CutPictures(words.crop, area, at_once=words.crop_at_once)
        self.pictures.arrived.connect(self._show_pictures)
        self._rest = QTimer(area, singleShot=True, interval=REST)
        self._rest.timeout.connect(lambda: self.pictures.want(self._items_around()))
        self._look: object = None
        self._painter: CellPainter
        self._visible: dict[int, None] = {}  # items of the last frame

    def hover(self, cell: tuple[int, int] | None) -> None:
        """Show where the word of this cell is in the other columns."""
        if cell != self.hovered:
            self.hovered = cell
            self._area.viewport().update()

    def paint(self) -> None:
        """Paint the visible cells, lines and arrows."""
        area = self._area
        with QPainter(area.viewport()) as painter:
            painter.fillRect(area.viewport().rect(), QColor(theme.colours(area.palette()).window))
            if not len(self._cells.placing):
                self._paint_empty(painter)
                return
            self._paint_cells(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_moves(painter)
            self._paint_pills(painter)
        self.pictures.want(list(self._visible))
        self._rest.start()

    def _paint_cells(self, painter: QPainter) -> None:
        geometry, ratio = self._cells.geometry, self._area.devicePixelRatioF()
        palette, threshold = self._area.palette(), self._words.threshold
        self.pictures.fit(int(geometry.cell_width - 2 * PAD), geometry.picture, ratio)
        cells = self._cell_painter(ratio)
        self._visible.clear()
        for column in geometry.columns():
            kept = self._words.ranking.lists[column].kept(threshold)
            painter.setFont(cells.font)
            for row in geometry.rows(column):
                place = geometry.cell(column, row)
                cells.paint(painter, self._cell(column, row, kept), place.left(), place.top())
            painter.setFont(self._area.font())
            paint_purge_line(painter, palette, geometry, column, kept, threshold)

    def _cell_painter(self, ratio: float) -> CellPainter:
        """Another one only where cells look otherwise."""
        geometry, palette, font = self._cells.geometry, self._area.palette(), self._area.font()
        size = geometry.cell_width, geometry.row_height - GAP
        look = palette.cacheKey(), font.key(), size, ratio
        if look != self._look:
            self._look, self._painter = look, CellPainter(palette, font, *size, ratio)
        return self._painter

    def _cell(self, column: int, row: int, kept: int) -> WordCell:
        words, placing = self._words, self._cells.placing
        item = int(placing.items[column][row])
        current = column == self._selection.column and row == self._selection.row
        picture = self.pictures.get(item)
        known = self.pictures.known(item)
        self._visible[item] = None
        return WordCell(
            picture=picture,
            waiting=not known,
            words=text_of(words, item) if known and picture is None else "",
            relevance=int(words.judgements.relevance[item]),
            judged=int(words.judgements.judged[item]),
            rank=row + 1,
            score=float(words.ranking.lists[column].ranked.score[row]),
            climbed=placing.climbed(column, row),
            purged=row >= kept,
            chosen=item == words.item,
            selected=item in self._selection.items,
            current=current,
            focused=current and self._area.hasFocus(),
            hovered=self.hovered == (column, row),
        )

    def _paint_moves(self, painter: QPainter) -> None:
        connectors = Connectors(self._cells.geometry, self._cells.placing)

        def colour(item: int) -> QColor:
            return colour_of(int(self._words.judgements.relevance[item]))

        if self.all_moves:
            connectors.paint_all(painter, colour)
        with_arrows = {self._words.item}
        if self.hovered is not None:
            with_arrows.add(self._cells.placing.item_at(*self.hovered))
        for item in with_arrows - {None}:
            assert item is not None
            connectors.paint_item(painter, item, colour)

    def _paint_pills(self, painter: QPainter) -> None:
        """Say at the edge where the chosen word is in a column that does not show it."""
        item, placing = self._words.item, self._cells.placing
        for column in self._cells.geometry.columns() if item is not None else ():
            assert item is not None
            place = pill_of(self._cells.geometry, placing, column, item)
            if place is not None:
                row = placing.row_of(column, item)
                assert row is not None  # else it has no pill
                paint_pill(painter, self._area.palette(), place, row)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setPen(theme.quiet(self._area.palette()))
        room = self._area.viewport().rect().adjusted(40, 20, -40, -20)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(room, int(flags), BUSY if self._words.ranking.busy else NOTHING)

    def _show_pictures(self, items: list[int]) -> None:
        if not self._visible.keys().isdisjoint(items):
            self._area.viewport().update()

    def _items_around(self) -> list[int]:
        """The visible items, then those of the next page of scrolling."""
        geometry = self._cells.geometry
        around: dict[int, None] = {}
        for beyond in (0.0, geometry.height):
            for column in geometry.columns():
                rows = geometry.rows(column, beyond)
                items = self._cells.placing.items[column][rows.start : rows.stop]
                around.update(dict.fromkeys(items.tolist()))
        return list(around)
