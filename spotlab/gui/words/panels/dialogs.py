"""Dialogs of Words: files of lists, and learning the hand of these pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from spotlab.errors import SpotlabError
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.kit.panel import OnScreen
from spotlab.gui.kit.widgets import in_column, in_row
from spotlab.gui.words.state.hand_adapting import MINUTES, HandChoices
from spotlab.gui.words.state.word_files import save_lists
from spotlab.gui.words.state.words import Words
from spotlab.learning.runs import INSTALL, is_installed
from spotlab.studies.words.transcription import texts_of

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


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
    dialog.setNameFilters(["Ranked lists (*.csv)"])
    dialog.setDefaultSuffix("csv")
    dialog.selectFile(f"{workbench.state(Words).queries.query or 'lists'}.csv")
    dialog.accepted.connect(lambda: save(workbench, dialog.path))
    dialog.open()


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
        self.listed.setText("frequent English words" if path is None else path.name)
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
        self.choose.setToolTip(
            "Text file with a word per line, with its frequency behind it or the most frequent "
            "first: the words that may be written on these pages"
        )
        self.choose.clicked.connect(lambda _: self._ask())
        self.choose_list(None)
        self.minutes = QDoubleSpinBox()
        self.minutes.setRange(0.5, LONGEST)
        self.minutes.setDecimals(1)
        self.minutes.setValue(MINUTES)
        self.minutes.setSuffix(" min")
        self.minutes.setToolTip("Time to learn, besides finding and reading the words")
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
        dialog = FileDialog(self, "List of words", here, FileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Lists of words (*.txt *.csv *.tsv)", "All files (*)"])
        dialog.accepted.connect(lambda: self.choose_list(dialog.path))
        dialog.open()


def ask_to_adapt(workbench: Workbench, parent: QWidget) -> None:
    """Ask, and adapt if it is wanted."""
    dialog = AdaptDialog(workbench, parent)
    dialog.finished.connect(lambda _: dialog.deleteLater())
    dialog.open()


def _text(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setProperty("role", "quiet")
    return label
