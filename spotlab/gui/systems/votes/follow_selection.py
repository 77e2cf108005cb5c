"""Brings the page of the chosen item of a vote into sight, where that page is open here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QTimer

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.state import Systems

Show = Callable[[float, float, float, float], object]
PAUSE = 120  # ms: who walks through a table does not want every page opened


class VoteNavigator(QObject):
    """Follows the chosen item.

    Parameters
    ----------
    workbench : Workbench
    show : callable
        Brings left, top, right, bottom, in px of the page, into sight.
    want_canvas : callable
        Is told whether there are pages to show beside the votes.
    """

    def __init__(
        self,
        workbench: Workbench,
        show: Show,
        want_canvas: Callable[[bool], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._show, self._want_canvas = show, want_canvas
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self._go)
        self._wanted = False
        workbench.state(Systems).chosen_changed.connect(self._timer.start)
        workbench.state(Systems).table_changed.connect(self._offer)
        workbench.entries_changed.connect(self._offer)
        workbench.page_changed.connect(self._arrived)
        self._offer()

    def _offer(self) -> None:
        table = self._workbench.state(Systems).table
        pages = set(table.pages) if table else set()
        self._want_canvas(any(entry.name in pages for entry in self._workbench.entries))

    def _go(self) -> None:
        systems, entry = self._workbench.state(Systems), self._workbench.entry
        table = systems.table
        if systems.item is None or table is None or not table.pages:
            return
        page = table.pages[systems.item]
        names = [each.name for each in self._workbench.entries]
        if page not in names or self._workbench.workspace != "systems":
            return
        self._wanted = True
        if entry is not None and entry.name == page:
            self._arrived()
        else:
            self._workbench.open_page(names.index(page))

    def _arrived(self) -> None:
        box = chosen_box(self._workbench)
        if self._wanted and self._workbench.document is not None:
            self._wanted = False
            if box is not None:
                self._show(*box)


def chosen_box(workbench: Workbench) -> tuple[float, float, float, float] | None:
    """Left, top, right, bottom of the chosen item, if it is a region of the open page."""
    systems, entry = workbench.state(Systems), workbench.entry
    table = systems.table
    if systems.item is None or table is None or entry is None:
        return None
    if not table.pages or table.pages[systems.item] != entry.name:
        return None
    if table.boxes is None:
        return systems.place[1] if systems.place and systems.place[0] == systems.item else None
    left, top, right, bottom = table.boxes[systems.item].tolist()
    return left, top, right, bottom


def item_at(workbench: Workbench, x: float, y: float) -> int | None:
    """The smallest item of the open page under a place of it."""
    table, entry = workbench.state(Systems).table, workbench.entry
    if table is None or table.boxes is None or entry is None or not table.pages:
        return None
    left, top, right, bottom = table.boxes.T
    under = np.flatnonzero((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
    here = [item for item in under.tolist() if table.pages[item] == entry.name]
    area = (right - left) * (bottom - top)
    return min(here, key=lambda item: float(area[item]), default=None)
