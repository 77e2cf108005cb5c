"""The list of queries: a picture of each, what it is called, how much is found and judged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QMenu,
    QStyleOptionViewItem,
    QWidget,
)

from spotlab.formats.lists.place_lines import Place
from spotlab.gui.kit import background, icons, theme
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.row_delegate import RowDelegate, RowPainter
from spotlab.gui.kit.row_model import ROW_ROLE, Index, RowColumn, RowModel
from spotlab.gui.words.state.queries import WordQueryRow, query_rows
from spotlab.gui.words.state.words import Words
from spotlab.imaging.reading.crops import WordCrops
from spotlab.model import Items
from spotlab.progress import Progress

KEPT = 200  # pictures


class QueryPictures:
    """Keeps pictures while the pages are the same.

    Parameters
    ----------
    words : Words
    arrived : callable
        Called when a picture has come.
    """

    def __init__(self, words: Words, arrived: Callable[[], object]) -> None:
        self._words, self._arrived = words, arrived
        self._crops: WordCrops | None = None
        self._kept: dict[Place, QPixmap | None] = {}

    def get(self, place: Place) -> QPixmap | None:
        """The picture; None: it comes later, or there is none."""
        crops = self._words.crops
        if self._crops is not crops:
            self.forget()
        if place not in self._kept:
            if len(self._kept) > KEPT:
                self._kept.clear()
            self._kept[place] = None
            background.run(_cut, crops, place, done=partial(self._keep, crops, place))
        return self._kept[place]

    def forget(self) -> None:
        """Make all pictures anew: the pages are others, or it is known now how words run."""
        self._crops = self._words.crops
        self._kept = {}

    def _keep(self, crops: WordCrops, place: Place, grey: NDArray[np.uint8] | None) -> None:
        if grey is None or crops is not self._crops or place not in self._kept:
            return
        self._kept[place] = QPixmap.fromImage(image_of(grey))
        self._arrived()


def _cut(crops: WordCrops, place: Place, _: Progress) -> NDArray[np.uint8] | None:
    return crops.crop(Items((place[0],), np.zeros(1, np.int64), np.array([place[1:]])), 0)


WIDE, HIGH = 92, 34  # px of a picture, at most
EDGE = 8  # px around it
_Role = Qt.ItemDataRole


class WordQueryModel(RowModel[WordQueryRow]):
    """A row for each query; one that was drawn on a page can be named."""

    named = Signal(object, str)  # a ListedQuery, and what is written there

    def __init__(self, parent: QWidget) -> None:
        edited = {int(_Role.EditRole): lambda row: row.listed.text if row.listed else ""}
        column = RowColumn[WordQueryRow](
            "Query",
            lambda row: f"{row.title}   {row.detail}",
            lambda row: row.tip,
            more=edited,
        )
        super().__init__((column,), parent)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Opened lists have the names that they have."""
        flags = super().flags(index)
        is_named = index.isValid() and self.shown[index.row()].drawn is not None
        return flags | Qt.ItemFlag.ItemIsEditable if is_named else flags

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        """Name a query."""
        listed = self.shown[index.row()].drawn if index.isValid() else None
        if role != _Role.EditRole or listed is None:
            return False
        self.named.emit(listed, str(value))
        return True


class WordQueryDelegate(RowDelegate):
    """A picture at the left; the name above what is known."""

    ROW = HIGH + 2 * EDGE

    def __init__(self, pictures: QueryPictures, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures = pictures

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        row: WordQueryRow = index.data(ROW_ROLE)
        line = RowPainter(painter, option, left=EDGE + 2, above=6, below=6)
        line.background(line.selected)
        if row.drawn is not None:
            self._paint_picture(painter, _picture_room(option.rect), row)
        line.room.setLeft(_text_left(option.rect, row))
        line.upper.text(row.title, bold=row.source is not None, quiet=not row.named)
        line.lower.text(row.detail, quiet=True)

    def _paint_picture(self, painter: QPainter, room: QRect, row: WordQueryRow) -> None:
        assert row.drawn is not None
        pixmap = self._pictures.get(row.drawn.place)
        if pixmap is None:
            return
        size = pixmap.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        shown = QRect(room.topLeft(), size)
        shown.moveCenter(room.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(shown, pixmap)
        theme.shade(painter, shown)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A field for what is written there."""
        field = QLineEdit(parent)
        field.setPlaceholderText("What is written there")
        return field

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Over the text, beside the picture."""
        room = option.rect.adjusted(0, 4, -EDGE, -4)
        room.setLeft(_text_left(option.rect, index.data(ROW_ROLE)) - 4)
        height = editor.sizeHint().height()
        editor.setGeometry(room.left(), room.center().y() - height // 2, room.width(), height)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All alike."""
        return QSize(160, self.ROW)


def _picture_room(row: QRect) -> QRect:
    wide = min(WIDE, max(row.width() // 3, 40))
    return QRect(row.left() + EDGE + 2, row.top() + EDGE, wide, HIGH)


def _text_left(rect: QRect, row: WordQueryRow) -> int:
    return _picture_room(rect).right() + EDGE + 2 if row.drawn else rect.left() + EDGE + 2


class WordQueryList(QListView):
    """A click shows a query's lists, or searches it; F2 names it, Delete removes it."""

    write_wanted = Signal(object)  # a ListedQuery whose ✓ words are to be written

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = words
        self.rows = WordQueryModel(self)
        self.setModel(self.rows)
        self.pictures = QueryPictures(words, self.viewport().update)
        self.setItemDelegate(WordQueryDelegate(self.pictures, self))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setAccessibleName("Queries")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self._choose)
        self.customContextMenuRequested.connect(self._offer)
        self.rows.named.connect(words.rename)

    def reread(self) -> None:
        """The queries are others, or other words of them are judged."""
        words = self.words
        rows = query_rows(
            words.queries.sources, words.query_list.listed, words.judgements.keeper.judged()
        )
        same = [row.listed and row.listed.place for row in self.rows.shown] == [
            row.listed and row.listed.place for row in rows
        ]
        self.rows.show_rows(rows, same=same)
        current = words.queries.index if words.queries.sources else -1
        at = next((at for at, row in enumerate(rows) if row.source == current), None)
        if at is not None and self.state() != QAbstractItemView.State.EditingState:
            self.setCurrentIndex(self.rows.index(at, 0))

    def name(self, row: int) -> None:
        """Have the user say what is written there."""
        index = self.rows.index(row, 0)
        self.setCurrentIndex(index)
        self.edit(index)

    def remove(self, row: int) -> None:
        """List a query no more."""
        shown = self.rows.shown[row]
        if shown.source is not None:
            self.words.close_source(shown.source)
        elif shown.listed is not None:
            self.words.remove_query(shown.listed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes the current query; Enter searches it."""
        index = self.currentIndex()
        if index.isValid() and event.key() == Qt.Key.Key_Delete:
            self.remove(index.row())
        elif index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(index)
        else:
            super().keyPressEvent(event)

    def menu(self, row: int) -> QMenu:
        """Return what can be done with a query."""
        shown = self.rows.shown[row]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        listed = shown.listed
        if listed is not None:
            if not listed.typed:
                title = "Rename…" if listed.text else "Name…"
                menu.addAction(icons.icon("pencil-outline"), f"{title}\tF2", lambda: self.name(row))
            if listed.text:
                menu.addAction(
                    icons.icon("file-document-edit-outline"),
                    f"Write ✓ Words “{listed.text}” into the Truth…",
                    lambda: self.write_wanted.emit(listed),
                )
            if listed.examples:
                menu.addAction(
                    icons.icon("image-outline"),
                    "Search by the First Box Only",
                    lambda: self.words.forget_examples(listed),
                )
        menu.addAction(icons.icon("close"), "Remove Query\tDel", lambda: self.remove(row))
        return menu

    def _choose(self, index: QModelIndex | QPersistentModelIndex) -> None:
        if not index.isValid():
            return
        row = self.rows.shown[index.row()]
        if row.source is None and row.listed is not None:
            self.words.search_kept(row.listed)
        elif row.source is not None and row.source != self.words.queries.index:
            self.words.choose_source(row.source)

    def _offer(self, place: QPoint) -> None:
        row = self.indexAt(place).row()
        if row >= 0:
            self.menu(row).popup(self.viewport().mapToGlobal(place))
