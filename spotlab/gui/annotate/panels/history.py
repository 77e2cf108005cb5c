"""All steps of the open page; a click goes back or on to one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from operator import is_

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from spotlab.editing.document import MANY
from spotlab.editing.region_index import RegionTotals, totals_of
from spotlab.gui.kit import theme
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.widgets import in_column
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import Contribution, Deed, Region

NOBODY = "–"
_DEEDS = {
    Deed.DRAWN: "drawn",
    Deed.CHANGED: "changed",
    Deed.AGREED: "drawn alike",
    Deed.KEPT: "kept",
    Deed.TAKEN: "taken",
    Deed.MERGED: "merged",
    Deed.UNDECIDED: "left undecided",
}
_PLAIN = frozenset({Deed.DRAWN, Deed.CHANGED})


def time_text(time: datetime) -> str:
    """The time where the user is, to the minute."""
    return f"{time.astimezone():%Y-%m-%d %H:%M}"


def people_text(history: Sequence[Contribution]) -> str:
    """Tell who drew a region, and who changed it or decided on it last.

    A dash where nobody is known.

    Examples
    --------
    >>> people_text(())
    '–'
    """
    if not history:
        return NOBODY
    first, last = history[0], history[-1]
    who = last.author if first.author == last.author else f"{first.author} → {last.author}"
    return f"{who}, {time_text(last.time)}"


def history_text(history: Sequence[Contribution]) -> str:
    """A line for each contribution, the oldest first; empty where there is none."""
    lines = []
    for entry in history:
        what = _DEEDS[entry.deed] if entry.deed in _PLAIN else _decision(entry)
        lines.append(f"{time_text(entry.time)}  {what} by {entry.author}")
    return "\n".join(lines)


def _decision(entry: Contribution) -> str:
    """Return what was decided and whose region it was."""
    return _DEEDS[entry.deed] + (f" ({entry.source})" if entry.source else "")


class TruthTotals:
    """Totals over the regions that were last requested.

    Parameters
    ----------
    arrived : callable
        Called when they are known.
    """

    def __init__(self, arrived: Callable[[], object]) -> None:
        self._arrived = arrived
        self._task = Task()
        # once the frame is painted, which a thread would hold up
        self._soon = QTimer(singleShot=True, interval=0)
        self._soon.timeout.connect(self._add_up)
        self._regions: Sequence[Region] = ()
        self._known: RegionTotals | None = None

    def of(self, regions: Sequence[Region]) -> RegionTotals | None:
        """The totals, or None while they are added up; there has to be a region."""
        if len(regions) != len(self._regions) or not all(map(is_, regions, self._regions)):
            self._task.cancel()
            self._soon.stop()
            self._regions, self._known = tuple(regions), None
            if len(regions) < MANY:
                self._known = totals_of(regions)
            else:
                self._soon.start()
        return self._known

    def _add_up(self) -> None:
        self._task.start(totals_of, self._regions, done=self._take)

    def _take(self, known: RegionTotals) -> None:
        self._known = known
        self._arrived()


SHOWN = 500  # steps; older ones can be reached by undoing
START = "State when opened"


class HistoryPanel(QWidget):
    """The step done last is marked, undone ones are pale."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Steps of this page")
        self.list.setToolTip("Click a step to return to the state after it")
        self._done = 0
        in_column(self.list, of=self, margins=(0, 4, 0, 0))
        self.list.itemClicked.connect(self._go)
        workbench.history_moved.connect(self._fill)
        workbench.page_changed.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        history = self.workbench.history
        self.list.clear()
        if history is None:
            return
        done, undone = history.done_names, history.undone_names
        self._done = len(done)
        first = max(0, len(done) - SHOWN)
        names = [START, *done] if first == 0 else done[first:]
        before = 0 if first == 0 else first + 1
        for place, name in enumerate([*names, *undone[:SHOWN]]):
            item = QListWidgetItem(name)
            item.setData(Qt.ItemDataRole.UserRole, before + place)
            if before + place > self._done:
                item.setForeground(theme.quiet(self.palette()))
            self.list.addItem(item)
        self.list.setCurrentRow(self._done - before)

    def _go(self, item: QListWidgetItem) -> None:
        steps = item.data(Qt.ItemDataRole.UserRole) - self._done
        for _ in range(abs(steps)):
            if steps < 0:
                self.workbench.editing.undo()
            else:
                self.workbench.editing.redo()
