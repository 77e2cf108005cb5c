"""Starting point of a word search, and the queries that were searched or opened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QFormLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from spotlab.gui.kit.background import QUICK
from spotlab.gui.kit.widgets import Choice, Flow, Option, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.panels.dialogs import ask_lists, open_dropped
from spotlab.gui.words.panels.query_list import WordQueryList
from spotlab.gui.words.panels.transcription_box import TranscriptionBox
from spotlab.gui.words.state.words import Words
from spotlab.model import Items
from spotlab.spotting.words.extraction.ink import WordInk
from spotlab.spotting.words.word_index import WordQuery, plain_text
from spotlab.studies.words.word_truth import frequent_texts

_BETWEEN = re.compile(r"[\s,;]+")
_LAST = re.compile(r"[^\s,;]*$")


def typed_words(text: str, known: Items | None) -> list[str]:
    """The words that somebody has typed, with spaces or commas between, each once.

    Parameters
    ----------
    text : str
    known : Items or None
        A text that is written so, spaces included, is one word.

    Examples
    --------
    >>> typed_words("orders, Company orders", None)
    ['orders', 'Company']
    >>> typed_words("New York", Items(("a",), [0], [[0, 0, 9, 9]], ("New York",)))
    ['New York']
    """
    whole = " ".join(text.split())
    if known is not None and whole and whole in known.texts:
        return [whole]
    return list(dict.fromkeys(word for word in _BETWEEN.split(whole) if plain_text(word)))


class _LastWord(QCompleter):
    """Completes the word that is being typed, behind those that are there."""

    def splitPath(self, path: str) -> list[str]:
        """The word that is being typed."""
        match = _LAST.search(path)
        return [match.group() if match else ""]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Return what the field holds then."""
        field = self.widget()
        before = _LAST.sub("", field.text()) if isinstance(field, QLineEdit) else ""
        return f"{before}{index.data()}"


class WordField(QLineEdit):
    """Suggests words that begin with what is typed, the most frequent first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Words to search")
        self.setClearButtonEnabled(True)
        self.setAccessibleName("Words to search")
        self.setToolTip("One word or several, with spaces or commas between")
        self._texts = QStringListModel(self)
        completer = _LastWord(self._texts, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchStartsWith)
        completer.setMaxVisibleItems(10)
        popup = completer.popup()
        assert popup is not None  # made at the first call
        popup.setProperty("role", "suggestions")
        self.setCompleter(completer)

    def suggest(self, texts: Sequence[str]) -> None:
        """Suggest these words."""
        if list(texts) != self._texts.stringList():
            self._texts.setStringList(list(texts))


INKS = (
    Option(WordInk.NONE, "Darkness itself", "No threshold: how dark a place is"),
    Option(WordInk.OTSU, "Otsu", "One threshold for the whole page (Otsu 1979)"),
    Option(
        WordInk.SAUVOLA,
        "Sauvola",
        "A threshold for each place, by the mean and deviation around it",
    ),
    Option(WordInk.WOLF, "Wolf", "Sauvola's, normalised by the page's contrast (Wolf 2002)"),
)
NOTHING = (
    "Draw a box around a word on the page, or type a word.\n\n"
    "You can also open ranked lists (CSV, TREC), or drop them here."
)
NO_PAGES = "Open pages first,\nthen search a word on them."


class WordQueriesPanel(QWidget):
    """Enter searches what is typed; a click on a query looks at its lists."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.words = workbench.state(Words)
        self.searching = workbench.state(Words).searching
        self.setAcceptDrops(True)
        self._slow = QTimer(self, singleShot=True, interval=QUICK)
        self._slow.timeout.connect(lambda: self._show_progress(True))
        self._make_widgets()
        self._lay_out()
        self._show_progress(False)
        self._connect()
        self._follow_busy()
        self._follow_queries()

    def _make_widgets(self) -> None:
        self.field = WordField()
        self.go = QPushButton("Search")
        self.go.setToolTip("Search each typed word on all pages")
        self.ink = Choice(INKS, "Ink")
        self.ink.setToolTip("Method that separates ink from paper before words are detected")
        self.given = QCheckBox("Only words of the truth")
        self.given.setToolTip(
            "Search among the words that the truth has boxes for, instead of finding words"
        )
        self.doing = QLabel()
        self.doing.setProperty("role", "quiet")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.cancel = QPushButton("Cancel")
        self.open = QPushButton("Open Lists…")
        self.open.setToolTip("Open ranked lists (CSV or TREC runs) and scores between items (.npz)")
        self.list = WordQueryList(self.words)
        self.transcription = TranscriptionBox(self.words)
        self.nothing = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.nothing.setProperty("role", "quiet")

    def _lay_out(self) -> None:
        row = in_row((self.field, 1), self.go)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        name = QLabel("Ink")
        name.setToolTip(self.ink.toolTip())
        form.addRow(name, self.ink)
        form.addRow(self.given)
        under_way = in_row((self.bar, 1), self.cancel)
        layout = in_column(
            row,
            form,
            self.doing,
            under_way,
            (self.list, 1),
            (self.nothing, 1),
            self.transcription,
            of=self,
            margins=(8, 8, 8, 6),
            spacing=6,
        )
        last = Flow()
        for button in (self.transcription.write, self.open):
            last.addWidget(button)
        layout.addLayout(last)

    def _connect(self) -> None:
        self.field.returnPressed.connect(self.search)
        self.go.clicked.connect(lambda _: self.search())
        self.cancel.clicked.connect(lambda _: self.searching.cancel())
        self.open.clicked.connect(lambda _: ask_lists(self.workbench, self))
        self.ink.chosen.connect(self._set_ink)
        self.given.toggled.connect(self._set_given)
        self.list.write_wanted.connect(lambda query: self.words.writing.write([query]))
        words, workbench = self.words, self.workbench
        ends = [
            words.searching.busy_changed.connect(self._follow_busy),
            words.transcription.changed.connect(self._follow_known),
            words.searching.known_changed.connect(self._follow_known),
            words.searching.known_changed.connect(self.list.pictures.forget),
            words.queries.changed.connect(self._follow_queries),
            words.query_list.changed.connect(self._follow_queries),
            words.judgements.changed.connect(self._follow_queries),
            workbench.progressed.connect(self._progressed),
            workbench.entries_changed.connect(self._follow_queries),
            workbench.entries_changed.connect(self._follow_busy),
        ]
        self.destroyed.connect(lambda *_: [end() for end in ends])

    def search(self) -> None:
        """Search what is typed."""
        words = typed_words(self.field.text(), self.words.transcription.words)
        if words:
            self.searching.search(*(WordQuery(text=word) for word in words))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be lists."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped as lists."""
        names = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        open_dropped(self.workbench, names)

    def _set_ink(self, ink: WordInk) -> None:
        self.searching.settings = replace(self.searching.settings, ink=ink)

    def _set_given(self, given: bool) -> None:
        self.searching.given = given
        self.ink.setEnabled(not self.searching.busy)

    def _follow_busy(self) -> None:
        busy = self.searching.busy
        if busy:
            self._slow.start()
        else:
            self._slow.stop()
            self._show_progress(False)
        self.bar.setRange(0, 0)
        self.doing.setText("Searching…" if busy else "")
        any_pages = bool(self.workbench.entries)
        self.go.setEnabled(any_pages)  # a further word joins the search
        for control in (self.ink, self.given):
            control.setEnabled(not busy and any_pages)

    def _show_progress(self, shown: bool) -> None:
        for widget in (self.doing, self.bar, self.cancel):
            widget.setVisible(shown)

    def _progressed(self, done: int, total: int | None, doing: str) -> None:
        if self.searching.busy:
            self.bar.setRange(0, total or 0)
            self.bar.setValue(done)
            self.doing.setText(f"{doing} {done} of {total}" if total else doing)

    def _follow_known(self) -> None:
        words = self.words.transcription.words
        texts = [text for text, _ in frequent_texts(words)] if words is not None else []
        known = self.searching.known
        reader = None if known is None else known.reader
        read = () if reader is None else reader.lexicon.words
        self.field.suggest(list(dict.fromkeys([*texts, *read])))
        self._follow_queries()

    def _follow_queries(self) -> None:
        self.list.reread()
        any_queries, any_pages = bool(self.list.rows.shown), bool(self.workbench.entries)
        self.list.setVisible(any_queries)
        self.nothing.setVisible(not any_queries)
        self.transcription.setVisible(any_pages)
        self.nothing.setText(NOTHING if any_pages else NO_PAGES)
        self.field.setEnabled(any_pages)
        self.go.setEnabled(any_pages)
