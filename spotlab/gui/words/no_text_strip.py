"""A line over pages of which no text is known, and a button that leads to some with text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words

NO_TEXT = "No text is known on these pages."


class NoTextStrip(QFrame):
    """Shown in Words until something is searched on pages without text.

    Parameters
    ----------
    workbench : Workbench
    try_letters : callable
        Opens the sample letters and searches a word on them.
    """

    def __init__(self, workbench: Workbench, try_letters: Callable[[], object]) -> None:
        super().__init__()
        self._workbench, self._words = workbench, workbench.state(Words)
        self.setProperty("role", "strip")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.text = QLabel(NO_TEXT)
        self.letters = QPushButton("Try the Sample Letters")
        self.letters.setProperty("prominent", True)
        self.letters.setToolTip(
            "Open a copy of handwritten pages in which every word is known, and search one"
        )
        self.letters.clicked.connect(lambda _: try_letters())
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 8, 5)
        row.addWidget(self.text, 1)
        row.addWidget(self.letters)
        words = self._words
        signals = (
            words.transcription.changed,
            words.queries.changed,
            words.query_list.changed,
            words.searching.busy_changed,
            workbench.workspace_changed,
            workbench.entries_changed,
        )
        ends = [signal.connect(self._follow) for signal in signals]
        self.destroyed.connect(lambda *_: [end() for end in ends])
        self._follow()

    def _follow(self, *_: object) -> None:
        words, workbench = self._words, self._workbench
        nothing_searched = not (words.queries.sources or words.query_list.listed)
        self.setVisible(
            workbench.workspace == "words"
            and bool(workbench.entries)
            and nothing_searched
            and not words.searching.busy
            and words.transcription.has_read
            and words.transcription.words is None
        )
