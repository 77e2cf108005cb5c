"""Starting point of a word search, and the queries that were searched or opened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from spotlab.api.settings import WordAdaptationSettings, WordSpottingSettings
from spotlab.errors import SpotlabError
from spotlab.gui.kit.background import QUICK
from spotlab.gui.kit.controls import set_up
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.text import rich
from spotlab.gui.kit.widgets import Choice, Flow, Option, describe, fill, in_column, in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.panels.query_list import TranscriptionBox, WordQueryList
from spotlab.gui.words.state.hand_adapting import MINUTES, HandChoices
from spotlab.gui.words.state.word_search import WordSearching
from spotlab.gui.words.state.words import Words, save_lists
from spotlab.learning.runs import INSTALL, is_installed
from spotlab.model.spelling import fold
from spotlab.spotting.words.extraction.layout import WordInk
from spotlab.spotting.words.readings import languages
from spotlab.spotting.words.word_index import WordQuery
from spotlab.studies.words.transcription import texts_of
from spotlab.studies.words.word_truth import frequent_texts

FILTERS = (
    "Ranked lists and judgements (*.csv *.tsv *.run *.trec *.qrels *.txt)",
    "All files (*)",
)


def ask_lists(workbench: Workbench, parent: QWidget) -> None:
    """Open the lists that the user points at."""
    here = workbench.collection.folder
    dialog = FileDialog(parent, "Open ranked lists", here, FileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(list(FILTERS))
    dialog.accepted.connect(lambda: open_dropped(workbench, dialog.selectedFiles()))
    dialog.open()


def open_dropped(workbench: Workbench, names: list[str]) -> None:
    """Open these files as lists, or as judgements of lists."""
    workbench.state(Words).imported.open([Path(name) for name in names])


def ask_where_to_save(workbench: Workbench, parent: QWidget) -> None:
    """Save the lists that are shown where the user says."""
    dialog = FileDialog(parent, "Save the lists", workbench.collection.folder)
    dialog.setDefaultSuffix("csv")
    dialog.ask(
        lambda path: save(workbench, path),
        filters=["Ranked lists (*.csv)"],
        suggested=f"{workbench.state(Words).queries.query or 'lists'}.csv",
    )


def save(workbench: Workbench, path: Path) -> None:
    """Save the lists that are shown, and say so, or why not."""
    try:
        save_lists(workbench.state(Words), path)
    except SpotlabError as error:
        workbench.said.emit(str(error), True)
    else:
        workbench.said.emit(f"Saved the lists in {path.name}", False)


WIDTH = 480  # px
LONGEST = 240.0  # min
ABOUT = (
    "The network reads the words of these pages and learns from those that it reads surely, and "
    "from all that are transcribed or judged. A quarter of the known texts is held out to tell "
    "whether words are found better; if they are not, nothing changes."
)
LIGHT = (
    "PyTorch is not installed, so that only the last layers are fitted. This takes about a minute "
    f"and needs known words to help. For more: {INSTALL}"
)


class AdaptDialog(QDialog):
    """Dialog for adapting to a hand: learning material, word list, and time in minutes."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = workbench.state(Words)
        self._workbench = workbench
        self._listed: Path | None = None
        self.setWindowTitle("Adapt to this hand")
        self.setMinimumWidth(WIDTH)
        OnScreen(self)
        self._make_widgets()
        self._lay_out()

    def accept(self) -> None:
        """Begin."""
        super().accept()
        self.words.adapting.start(HandChoices(self.minutes.value(), self._listed))

    def choose_list(self, path: Path | None) -> None:
        """Read with this list of words."""
        self._listed = path
        usual = language_title(self.words.searching, "that of their language")
        self.listed.setText(usual if path is None else path.name)
        self.listed.setToolTip("" if path is None else str(path))

    def _make_widgets(self) -> None:
        words, adapting = self.words, self.words.adapting
        known = texts_of(
            words.transcription.words, words.query_list.listed, words.judgements.keeper.judged()
        )
        self.pages = QLabel(f"{len(self._workbench.entries):,}")
        self.known = QLabel(
            f"{len(known.transcribed):,} transcribed, {len(known.judged):,} judged or drawn as "
            "named queries"
        )
        self.known.setToolTip("Words whose texts are certain")
        self.listed = QLabel()
        self.choose = QPushButton("Choose…")
        describe(WordAdaptationSettings, "lexicon", self.choose)
        self.choose.clicked.connect(lambda _: self._ask())
        self.choose_list(None)
        self.minutes = QDoubleSpinBox()
        self.minutes.setRange(0.5, LONGEST)
        self.minutes.setDecimals(1)
        self.minutes.setValue(MINUTES)
        self.minutes.setSuffix(" min")
        describe(WordAdaptationSettings, "minutes", self.minutes)
        self.minutes.setEnabled(is_installed())
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        start = self.buttons.button(kinds.Ok)
        start.setText("Adapt Again" if adapting.is_adapted else "Adapt")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        line = in_row((self.listed, 1), self.choose)
        form = QFormLayout()
        form.addRow("Pages", self.pages)
        form.addRow("Known words", self.known)
        form.addRow("List of words", line)
        form.addRow("Learn for", self.minutes)
        column = in_column(_text(ABOUT), form, of=self, spacing=12)
        if not is_installed():
            column.addWidget(_text(LIGHT))
        column.addWidget(self.buttons)

    def _ask(self) -> None:
        here = self._listed.parent if self._listed else self._workbench.collection.folder
        FileDialog(self, "List of words", here, FileDialog.FileMode.ExistingFile).ask(
            self.choose_list, filters=["Lists of words (*.txt *.csv *.tsv)", "All files (*)"]
        )


def ask_to_adapt(workbench: Workbench, parent: QWidget) -> None:
    """Ask, and adapt if it is wanted."""
    dialog = AdaptDialog(workbench, parent)
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def _text(text: str) -> QLabel:
    return set_up(QLabel(text, wordWrap=True), role="quiet")


def language_title(searching: WordSearching, unknown: str = "") -> str:
    """Name the language by which pages are read: the wanted one, or the one that was found."""
    known = searching.known
    found = "" if known is None or known.reader is None else known.reader.lexicon.language
    if searching.language:
        return searching.language.capitalize() if unknown else "Automatic"
    return f"Automatic ({found.capitalize()})" if found else unknown or "Automatic"


_BETWEEN = re.compile(r"[,;]+")
_LAST = re.compile(r"[^\s,;]*$")


def typed_words(text: str) -> list[str]:
    """The queries that somebody has typed, with commas between, each once.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> typed_words("orders, le deux, cat OR dog, orders")
    ['orders', 'le deux', 'cat OR dog']
    """
    words = (word.strip() for word in _BETWEEN.split(text))
    return list(dict.fromkeys(word for word in words if fold(word)))


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
        self.setToolTip(
            "A word, a phrase, or words with AND or OR between; several queries with commas between"
        )
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
        self._follow_known()
        self._follow_busy()

    def _make_widgets(self) -> None:
        self.field = WordField()
        self.go = set_up(QPushButton("Search"), tip="Search each typed word on all pages")
        self.ink = Choice(INKS, "Ink")
        describe(WordSpottingSettings, "ink", self.ink)
        self.language: Choice[str] = Choice(name="Language")
        describe(WordSpottingSettings, "language", self.language)
        self.given = QCheckBox("Only words of the truth")
        describe(WordSpottingSettings, "given_boxes", self.given)
        self.doing = set_up(QLabel(), role="quiet")
        self.bar = QProgressBar(textVisible=False)
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
        name = set_up(QLabel("Ink"), tip=rich(self.ink.toolTip()))
        form.addRow(name, self.ink)
        spoken = set_up(QLabel("Language"), tip=rich(self.language.toolTip()))
        form.addRow(spoken, self.language)
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
        last = fill(Flow(), self.transcription.write, self.open)
        layout.addLayout(last)

    def _connect(self) -> None:
        self.field.returnPressed.connect(self.search)
        self.go.clicked.connect(lambda _: self.search())
        self.cancel.clicked.connect(lambda _: self.searching.cancel())
        self.open.clicked.connect(lambda _: ask_lists(self.workbench, self))
        self.ink.chosen.connect(self._set_ink)
        self.language.chosen.connect(self.searching.read_in)
        self.given.toggled.connect(self._set_given)
        self.list.write_wanted.connect(lambda query: self.words.writing.write([query]))
        words, workbench = self.words, self.workbench
        words.searching.busy_changed.connect(self._follow_busy)
        words.searching.pending_changed.connect(self._follow_queries)
        words.transcription.changed.connect(self._follow_known)
        words.searching.known_changed.connect(self._follow_known)
        words.searching.known_changed.connect(self.list.pictures.forget)
        words.queries.changed.connect(self._follow_queries)
        words.found_changed.connect(self.list.reread)
        words.query_list.changed.connect(self._follow_queries)
        words.judgements.changed.connect(self._follow_queries)
        workbench.progressed.connect(self._progressed)
        workbench.entries_changed.connect(self._follow_queries)
        workbench.entries_changed.connect(self._follow_busy)

    def search(self) -> None:
        """Search what is typed."""
        words = typed_words(self.field.text())
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
        for control in (self.ink, self.language, self.given):
            control.setEnabled(not busy and any_pages)
        if self.language.count() < 2:
            self.language.setEnabled(False)

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
        usual = Option("", language_title(self.searching), "The list that fits the pages best")
        self.language.offer((usual, *(Option(each, each.capitalize()) for each in languages())))
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
