"""Brings the chosen word into sight on its page, and opens that page where it is another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

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
