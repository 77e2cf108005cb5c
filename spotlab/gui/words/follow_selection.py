"""Brings the chosen word into sight on its page, and opens that page where it is another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy

from spotlab.gui.kit.widgets import in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words

Show = Callable[[float, float, float, float], object]
PAUSE = 120  # ms: who walks through a list does not want every page opened


class WordInSight(QObject):
    """Follows the chosen word.

    Parameters
    ----------
    workbench : Workbench
    show : callable
        Brings left, top, right, bottom, in px of the page, into sight.
    centre : callable
        Brings them into the middle, wherever they are.
    """

    def __init__(self, workbench: Workbench, show: Show, centre: Show, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._show = self._usual = show
        self._centre = centre
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._follow)
        self._wanted = ""
        workbench.state(Words).item_changed.connect(self._timer.start)
        workbench.page_changed.connect(self._arrived)

    def go(self) -> None:
        """Bring the chosen word into the middle at once."""
        self._timer.stop()
        self._show = self._centre
        self._go()

    def _follow(self) -> None:
        self._show = self._usual
        self._go()

    def _go(self) -> None:
        words, entry = self._workbench.state(Words), self._workbench.entry
        if (
            words.item is None
            or words.queries.items is None
            or words.queries.items.page[words.item] < 0
        ):
            return
        self._wanted = words.queries.items.page_name(words.item)
        if entry is not None and entry.name == self._wanted:
            self._arrived()
            return
        names = [each.name for each in self._workbench.entries]
        if self._wanted in names:
            self._workbench.open_page(names.index(self._wanted))
        else:
            self._workbench.said.emit(
                f"The page {self._wanted} is not in the open collection", False
            )

    def _arrived(self) -> None:
        words, entry = self._workbench.state(Words), self._workbench.entry
        if not self._wanted or entry is None or self._workbench.document is None:
            return
        if (
            entry.name == self._wanted
            and words.queries.items is not None
            and words.item is not None
        ):
            self._show(*words.queries.items.boxes[words.item].tolist())
        self._wanted = ""


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
        in_row((self.text, 1), self.letters, of=self, margins=(12, 5, 8, 5))
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
