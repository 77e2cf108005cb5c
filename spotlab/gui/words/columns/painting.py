"""Paints ranked lists: heads, words, judgements and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QAbstractScrollArea

from spotlab.gui.kit import theme
from spotlab.gui.kit.cut_pictures import CutPictures
from spotlab.gui.kit.plots.curve_items import mixed
from spotlab.gui.words.columns.head import text_of
from spotlab.gui.words.columns.layout import (
    APART,
    CAPTION,
    CORNER,
    GAP,
    PAD,
    CellLayout,
    CellSelection,
    Connectors,
    Geometry,
    Placing,
)
from spotlab.gui.words.state.word_search import score_text
from spotlab.ranking.list_scale import ListScale, written_cut
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from spotlab.gui.words.state.words import Words


PILL = (64.0, 18.0)  # px


def paint_purge_line(
    painter: QPainter, palette: QPalette, geometry: Geometry, column: int, kept: int, said: str
) -> None:
    """A thin line above the first purged word of a column; none where nothing is purged."""
    if kept >= geometry.lengths[column]:
        return
    place = geometry.cell(column, kept)
    y = round(place.top() - GAP / 2 - 1) + 0.5
    if not -GAP < y < geometry.height + GAP:
        return
    colours = theme.colours(palette)
    painter.setPen(QPen(QColor(colours.text), 1.0, Qt.PenStyle.DashLine))
    left = geometry.left(column)
    x = round(place.left() - APART / 2) + 0.5 if kept % geometry.across else left
    if x > left:  # above what is purged of this line, and below what is kept of it
        below = y + geometry.row_height
        corners = [(left, below), (x, below), (x, y), (left + geometry.column_width, y)]
        painter.drawPolyline([QPointF(*corner) for corner in corners])
        return
    painter.drawLine(QPointF(left, y), QPointF(left + geometry.column_width, y))
    font = painter.font()
    small = painter.font()
    small.setPixelSize(10)
    painter.setFont(small)
    width = painter.fontMetrics().horizontalAdvance(said) + 8
    label = QRectF(left + (geometry.column_width - width) / 2, y - 6.5, width, 13)
    painter.fillRect(label, QColor(colours.window))
    painter.drawText(label, Qt.AlignmentFlag.AlignCenter, said)
    painter.setFont(font)


def pill_of(geometry: Geometry, placing: Placing, column: int, item: int) -> QRectF | None:
    """Tell where it is said that an item is out of sight in a column.

    None if it is in sight, or not.
    """
    row = placing.row_of(column, item)
    if row is None:
        return None
    middle = geometry.frame(column, row).center().y()
    if 0 <= middle <= geometry.height:
        return None
    width, height = PILL
    left = geometry.left(column) + (geometry.column_width - width) / 2
    top = 4.0 if middle < 0 else geometry.height - height - 4
    return QRectF(left, top, width, height)


def paint_pill(painter: QPainter, palette: QPalette, place: QRectF, row: int) -> None:
    """An arrow to where the chosen word is, and its rank there."""
    colours = theme.colours(palette)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.accent))
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
    painter.setPen(QColor(colours.on_accent))
    arrow = "↑" if place.top() < place.height() else "↓"
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{arrow} {row + 1:,}")
    painter.setBrush(Qt.BrushStyle.NoBrush)


RELEVANT, IRRELEVANT = QColor("#009E73"), QColor("#D55E00")
UNKNOWN = QColor("#8b95a0")
FAINT = 0.38  # opacity of what is purged
TINT = 0.22  # of the accent, around what is selected
FRAME, RING = 2.0, 2.0  # px
EDGE = 5.0  # px around a cell, for the ring; less than half of what is between two cells

_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_CHECK = [(0.24, 0.54), (0.43, 0.72), (0.77, 0.3)]
_CROSS = [[(0.29, 0.29), (0.71, 0.71)], [(0.71, 0.29), (0.29, 0.71)]]


class WordCell(NamedTuple):
    """Display data of one word in one list.

    Attributes
    ----------
    picture : QPixmap or None
        None while it has not come, or where there is none.
    waiting : bool
        Whether the picture may still come.
    words : str
        Instead of a picture.
    relevance, judged : int
        1 relevant, 0 not, -1 not known, not judged.
    rank : int
        From 1.
    climbed : int or None
        By how many ranks it is better than in the column before; None where that lacks it.
    current, focused : bool
        Whether it is the current one, and keys go to it.
    """

    picture: QPixmap | None
    waiting: bool
    words: str
    relevance: int
    judged: int
    rank: int
    score: str
    climbed: int | None
    purged: bool
    chosen: bool
    selected: bool
    current: bool
    focused: bool
    hovered: bool


class CellPainter:
    """Holds what many cells have in common: colours, the font and painted grounds.

    Parameters
    ----------
    palette : QPalette
        Of the theme.
    font : QFont
        Of the window.
    width, height : float
        px of a cell: its frame and its caption.
    ratio : float
        Dots of the screen a px.
    """

    def __init__(
        self, palette: QPalette, font: QFont, width: float, height: float, ratio: float
    ) -> None:
        colours = theme.colours(palette)
        self._behind = QColor(colours.window)
        self._text, self._quiet = QColor(colours.text), QColor(colours.quiet)
        self._base, self._raised = QColor(colours.base), QColor(colours.raised)
        self._accent = QColor(colours.accent)
        self._tint = QColor(mixed(colours.accent, colours.window, TINT))
        self._veils = _veil(self._behind), _veil(self._tint)
        self.font = QFont(font)
        self.font.setPointSizeF(font.pointSizeF() * 0.86)
        self._width, self._height, self._ratio = width, height, ratio
        self._grounds: dict[tuple[bool, bool, int], QPixmap] = {}
        self._marks: dict[tuple[int, bool], QPixmap] = {}

    def paint(self, painter: QPainter, cell: WordCell, left: float, top: float) -> None:
        """Paint a cell, with `EDGE` around it, where its frame begins.

        It is painted on the spot: while a cut is dragged nearly every cell is a new one.

        Parameters
        ----------
        painter : QPainter
            With `font`; smooth pictures and lines are turned on and off.
        cell : Cell
        left, top : float
            px; moved to the nearest dot of the screen.
        """
        left, top = (round(each * self._ratio) / self._ratio for each in (left, top))
        place = QRectF(left, top, self._width, self._height)
        painter.drawPixmap(QPointF(left - EDGE, top - EDGE), self._ground(cell))
        self._paint_picture(painter, cell, place.adjusted(0, 0, 0, -CAPTION))
        if cell.relevance >= 0 or cell.hovered:
            corner = QPointF(left + self._width - CORNER, top)
            painter.drawPixmap(corner, self._mark(cell))
        self._paint_caption(
            painter, cell, QRectF(left, top + self._height - CAPTION, self._width, CAPTION)
        )
        if cell.purged:  # a veil at the end: text of some opacity takes five times as long
            painter.fillRect(place, self._veils[cell.selected or cell.chosen])
        if cell.current:
            pen = QPen(self._accent if cell.focused else self._quiet, RING)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(place.adjusted(-4, -4, 4, 2))

    def _ground(self, cell: WordCell) -> QPixmap:
        """Return what many cells have in common: the frame and what lies in and around it."""
        tinted = cell.selected or cell.chosen
        key = tinted, cell.hovered, cell.relevance
        if key not in self._grounds:
            place = QRectF(EDGE, EDGE, self._width, self._height)
            ground = self._empty(self._width + 2 * EDGE, self._height + 2 * EDGE, self._behind)
            with QPainter(ground) as painter:
                frame = place.adjusted(0, 0, 0, -CAPTION)
                if tinted:
                    painter.fillRect(place.adjusted(-4, -4, 4, 2), self._tint)
                painter.fillRect(frame, self._raised if cell.hovered else self._base)
                pen = QPen(colour_of(cell.relevance), FRAME)
                pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
                painter.setPen(pen)
                painter.drawRect(frame.adjusted(1, 1, -1, -1))
            self._grounds[key] = ground
        return self._grounds[key]

    def _empty(self, width: float, height: float, colour: QColor) -> QPixmap:
        empty = QPixmap(round(width * self._ratio), round(height * self._ratio))
        empty.setDevicePixelRatio(self._ratio)
        empty.fill(colour)
        return empty

    def _paint_picture(self, painter: QPainter, cell: WordCell, frame: QRectF) -> None:
        inside = frame.adjusted(PAD, PAD, -PAD, -PAD)
        if cell.picture is not None:
            ratio = self._ratio
            dots = cell.picture.deviceIndependentSize()
            width, height = dots.width(), dots.height()
            scale = min(inside.width() / width, inside.height() / height)
            if 0.97 < scale < 1.03 or (scale > 1 and height >= inside.height() - 1):
                scale = 1.0  # made for this size: dot by dot
            width, height = width * scale, height * scale
            left = round((inside.center().x() - width / 2) * ratio) / ratio
            top = round((inside.center().y() - height / 2) * ratio) / ratio
            if scale == 1.0:
                painter.drawPixmap(QPointF(left, top), cell.picture)
                theme.shade(painter, QRectF(left, top, width, height))
                return
            whole = QRectF(0, 0, cell.picture.width(), cell.picture.height())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(left, top, width, height), cell.picture, whole)
            theme.shade(painter, QRectF(left, top, width, height))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        elif not cell.waiting:
            painter.setPen(self._quiet)
            said = painter.fontMetrics().elidedText(
                cell.words, Qt.TextElideMode.ElideMiddle, int(inside.width())
            )
            painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, said)

    def _mark(self, cell: WordCell) -> QPixmap:
        """The corner of a cell: filled it is the user's word, hollow the truth's."""
        key = cell.relevance, cell.judged >= 0
        if key not in self._marks:
            mark = self._empty(CORNER, CORNER, self._base)
            with QPainter(mark) as painter:
                self._paint_mark(painter, *key, QRectF(0, 0, CORNER, CORNER))
            self._marks[key] = mark
        return self._marks[key]

    def _paint_mark(self, painter: QPainter, relevance: int, judged: bool, corner: QRectF) -> None:
        colour = colour_of(relevance)
        painter.fillRect(corner, colour)
        if not judged:
            painter.fillRect(corner.adjusted(FRAME, FRAME, -FRAME, -FRAME), self._base)
        if relevance < 0:
            return
        pen = QPen(QColor("#ffffff") if judged else colour, 2.0)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in [_CHECK] if relevance else _CROSS:
            points = [
                QPointF(corner.left() + x * corner.width(), corner.top() + y * corner.height())
                for x, y in line
            ]
            painter.drawPolyline(points)

    def _paint_caption(self, painter: QPainter, cell: WordCell, line: QRectF) -> None:
        painter.setPen(self._text)
        painter.drawText(line, _RIGHT, cell.score)
        painter.setPen(self._quiet)
        said = f"{cell.rank:,}"
        if cell.climbed:
            said += f"  {'↑' if cell.climbed > 0 else '↓'}{abs(cell.climbed):,}"
        painter.drawText(line, _LEFT, said)


def _veil(colour: QColor) -> QColor:
    """Over what is purged."""
    veil = QColor(colour)
    veil.setAlphaF(1 - FAINT)
    return veil


def colour_of(relevance: int) -> QColor:
    """Green, red or neither."""
    return {1: RELEVANT, 0: IRRELEVANT}.get(relevance, UNKNOWN)


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
        said = self._said_of_cut(threshold)
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
            paint_purge_line(painter, palette, geometry, column, kept, said)

    def _said_of_cut(self, threshold: float) -> str:
        scale = self._words.queries.scale
        if scale is ListScale.RANK:
            return f"purged after rank {written_cut(threshold, scale)}"
        return f"purged below {written(threshold)}"

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
            score=score_text(
                float(words.ranking.lists[column].ranked.score[row]), words.queries.scale
            ),
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
