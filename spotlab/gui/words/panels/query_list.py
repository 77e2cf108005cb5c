"""The list of queries: a picture of each, what it is called, how much is found and judged."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QProgressBar,
    QPushButton,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from spotlab.errors import counted
from spotlab.formats.lists.kept_lines import Place
from spotlab.gui.kit import background, theme
from spotlab.gui.kit import theme as icons
from spotlab.gui.kit.controls import set_up, set_up_list
from spotlab.gui.kit.cut_pictures import image_of
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.rows import ROW_ROLE, Index, RowColumn, RowDelegate, RowModel, RowPainter
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Flow, fill, in_column
from spotlab.gui.words.state.queries import WordQueryRow, query_rows
from spotlab.gui.words.state.transcription import SUGGESTED, TextSuggestion
from spotlab.gui.words.state.words import Words
from spotlab.imaging.reading.pixels import WordCrops
from spotlab.model import Items
from spotlab.progress import Progress
from spotlab.spotting.words.word_index import WordQuery

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
    """A row for each query; one that was searched can be named."""

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
        is_named = index.isValid() and self.shown[index.row()].listed is not None
        return flags | Qt.ItemFlag.ItemIsEditable if is_named else flags

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        """Name a query."""
        listed = self.shown[index.row()].listed if index.isValid() else None
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
        if pixmap is not None:
            theme.paint_fitted(painter, room, pixmap)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A field for what is written there."""
        field = QLineEdit(parent, placeholderText="What is written there")
        return field

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Over the text, beside the picture."""
        room = option.rect.adjusted(0, 4, -EDGE, -4)
        room.setLeft(_text_left(option.rect, index.data(ROW_ROLE)) - 4)
        editor.setGeometry(room)  # all of it: no text is half seen behind

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
        self.pictures = QueryPictures(words, self.viewport().update)
        delegate = WordQueryDelegate(self.pictures, self)
        set_up_list(self, "Queries", self.rows, delegate, self._offer)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.clicked.connect(self._choose)
        self.rows.named.connect(words.rename)

    def reread(self) -> None:
        """The queries are others, or other words of them are judged."""
        words = self.words
        rows = query_rows(
            words.queries.sources,
            words.query_list.listed,
            words.judgements.keeper.judged(),
            words.searching.pending,
            words.found,
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
            title = "Rename…" if listed.is_named else "Name…"
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


BOX_WIDE, BOX_HIGH = 84, 26  # px of a picture, at most
UNKNOWN = "How much is transcribed is known after the first search"
SHARE = rich(
    "<p>Of the places that look like words, those that the truth has words with texts at. "
    "Words are counted in the truth.</p>"
)
NEXT = rich(
    "<p>Words that look alike in many places, are not transcribed and were not searched yet. "
    "Click one to search it; a right click leaves it out.</p>"
)


class TranscriptionBox(LivePanel):
    """Follows the truth, the judgements and the queries.

    Parameters
    ----------
    words : Words

    Attributes
    ----------
    buttons : list of QToolButton
        The suggested words.
    write : QPushButton
        For whoever has room for it.
    """

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent, delay=30)
        self.words = words
        self.share = QProgressBar(textVisible=False)
        self.share.setFixedHeight(6)
        self.share.setRange(0, 1000)
        self.said = set_up(QLabel(wordWrap=True), role="quiet")
        self.write = QPushButton("Write ✓ Words…")
        self.write.setToolTip(
            "Write the ✓ words of all named queries into the truth of their pages; asks first"
        )
        self.write.clicked.connect(lambda _: words.writing.write(words.query_list.listed))
        self.next = set_up(QLabel("Search next"), tip=NEXT)
        self.buttons = [self._button() for _ in range(SUGGESTED)]
        self._shown: tuple[TextSuggestion, ...] = ()
        self._pictures = QueryPictures(words, self.refresh_soon)
        icons.repainted.changed.connect(self.refresh_soon)
        self._lay_out()
        transcription = words.transcription
        self.redraw_on(
            transcription.changed, transcription.busy_changed, words.query_list.changed,
            words.judgements.changed, words.writing.busy_changed,
        )  # fmt: skip

    def _lay_out(self) -> None:
        flow = fill(Flow(), *self.buttons)
        in_column(self.share, self.said, self.next, flow, of=self, margins=(0, 2, 0, 0), spacing=4)

    def draw(self) -> None:
        """Show what is known now."""
        words, transcription = self.words, self.words.transcription
        share, known = transcription.share, transcription.words
        self.share.setVisible(share is not None)
        self.share.setValue(round(1000 * (share or 0)))
        count = 0 if known is None else sum(1 for text in known.texts if text)
        self.said.setText(said(share, count))
        self.said.setToolTip(UNKNOWN if share is None else SHARE)
        named = any(query.text for query in words.query_list.listed)
        self.write.setEnabled(named and not words.writing.busy)
        self._show(transcription.suggestions)
        self.next.setText("Looking for frequent words…" if self._looks else "Search next")
        self.next.setVisible(self._looks or bool(transcription.suggestions))

    @property
    def _looks(self) -> bool:
        transcription = self.words.transcription
        return transcription.busy and not transcription.suggestions

    def _show(self, suggestions: tuple[TextSuggestion, ...]) -> None:
        self._shown = suggestions
        for number, button in enumerate(self.buttons):
            there = number < len(suggestions)
            button.setVisible(there)
            if not there:
                continue
            place, places = suggestions[number].place, suggestions[number].places
            pixmap = self._pictures.get(place)
            button.setIcon(QIcon() if pixmap is None else QIcon(theme.shaded(self._fitted(pixmap))))
            button.setText(f"{places:,}")
            tip = (
                f"<p>Looks alike in {counted(places, 'place')}. It is on "
                f"{html.escape(place[0])}.</p>"
            )
            button.setToolTip(rich(tip + NEXT))
            button.setAccessibleName(f"A word on {place[0]}, in {counted(places, 'place')}")

    def _fitted(self, pixmap: QPixmap) -> QPixmap:
        ratio = self.devicePixelRatioF()
        fitted = pixmap.scaled(
            round(BOX_WIDE * ratio),
            round(BOX_HIGH * ratio),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        fitted.setDevicePixelRatio(ratio)
        return fitted

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(BOX_WIDE, BOX_HIGH))
        button.clicked.connect(lambda _: self._search(button))
        button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        button.customContextMenuRequested.connect(partial(self._offer, button))
        return button

    def _search(self, button: QToolButton) -> None:
        page, left, top, right, bottom = self._shown[self.buttons.index(button)].place
        self.words.searching.search(WordQuery(page, (left, top, right, bottom)))

    def _offer(self, button: QToolButton, place: QPoint) -> None:
        suggestion = self._shown[self.buttons.index(button)]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Search This Word", lambda: self._search(button))
        menu.addAction("Do Not Suggest It", lambda: self.words.transcription.skip(suggestion))
        menu.popup(button.mapToGlobal(place))


def said(share: float | None, count: int) -> str:
    """Tell how much is transcribed, in a line.

    Examples
    --------
    >>> said(0.126, 1203), said(None, 1), said(0.0, 0)
    ('13 % transcribed · 1,203 words', '1 word transcribed', 'Nothing is transcribed yet')
    """
    words = counted(count, "word")
    if not count:
        return "Nothing is transcribed yet"
    if share is None:
        return f"{words} transcribed"
    percent = "< 1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")
    return f"{percent} transcribed · {words}"
