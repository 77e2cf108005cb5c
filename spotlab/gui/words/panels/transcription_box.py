"""Transcribed share, words to search next, and the button that writes ✓ words."""

from __future__ import annotations

import html
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from spotlab.errors import counted
from spotlab.gui.kit import icons, theme
from spotlab.gui.kit.panel import LivePanel
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Flow, in_column
from spotlab.gui.words.panels.query_list import QueryPictures
from spotlab.gui.words.state.transcription import SUGGESTED, TextSuggestion
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery

WIDE, HIGH = 84, 26  # px of a picture, at most
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
        self.share = QProgressBar()
        self.share.setTextVisible(False)
        self.share.setFixedHeight(6)
        self.share.setRange(0, 1000)
        self.said = QLabel(wordWrap=True)
        self.said.setProperty("role", "quiet")
        self.write = QPushButton("Write ✓ Words…")
        self.write.setToolTip(
            "Write the ✓ words of all named queries into the truth of their pages; asks first"
        )
        self.write.clicked.connect(lambda _: words.writing.write(words.query_list.listed))
        self.next = QLabel("Search next")
        self.next.setToolTip(NEXT)
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
        flow = Flow()
        for button in self.buttons:
            flow.addWidget(button)
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
            round(WIDE * ratio),
            round(HIGH * ratio),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        fitted.setDevicePixelRatio(ratio)
        return fitted

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(WIDE, HIGH))
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
