"""Area, points and bounds of the regions that a panel shows; of many, added up in a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from PySide6.QtCore import QTimer

from spotlab.editing.document import MANY
from spotlab.editing.region_index import RegionTotals, totals_of
from spotlab.gui.kit.task import Task
from spotlab.model import Region


class TruthTotals:
    """What the regions are together that were asked for last.

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
