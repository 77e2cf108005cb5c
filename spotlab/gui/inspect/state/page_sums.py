"""How much of the open page is of each kind: at once for few outlines, else by a thread."""

from __future__ import annotations

from typing import NamedTuple

from spotlab.gui.inspect.state.run_on_page import RunOnPage
from spotlab.gui.kit.task import Task
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.overlay import PageAreas
from spotlab.signal import Signal
from spotlab.studies.tally.page_view import AreaSums, area_sums

FEW = 80  # spots and regions that are measured while the window waits


class ShownSums(NamedTuple):
    """What is known of the areas of the open page.

    Attributes
    ----------
    sums : AreaSums or None
        None where no run is tallied, or while nothing is known of the page.
    current : bool
        Whether they are of what is shown now; else they are of the cut before, and others follow.
    """

    sums: AreaSums | None
    current: bool


class PageSums:
    """Measures what the canvas paints of the open page.

    Attributes
    ----------
    changed : Signal
        A thread has measured.
    """

    def __init__(self, page: RunOnPage, workbench: Workbench) -> None:
        self.changed = Signal[[]]()
        self._page = page
        self._workbench = workbench
        self._known: tuple[PageAreas, object, AreaSums] | None = None
        self._task = Task(urgent=True)

    @property
    def busy(self) -> bool:
        """Whether a thread is measuring."""
        return self._task.busy

    def get(self) -> ShownSums:
        """The areas as painted now, or the last ones of this page while a thread measures."""
        areas, document = self._page.areas(), self._workbench.document
        if areas is None or document is None:
            return ShownSums(None, True)
        entry, page = self._workbench.entry, document.truth.page
        size = page.width, page.height
        known = self._known
        if known is not None and known[0] is areas:
            return ShownSums(known[2], True)
        if len(areas.spots) + len(areas.truth) <= FEW:
            sums = area_sums(areas, size)
            self._known = (areas, entry, sums)
            return ShownSums(sums, True)
        if not self._task.busy:  # else what is shown now is measured after that
            self._task.start(
                area_sums, areas, size, done=lambda sums: self._take(areas, entry, sums)
            )
        return ShownSums(known[2] if known and known[1] == entry else None, False)

    def _take(self, areas: PageAreas, entry: object, sums: AreaSums) -> None:
        self._known = (areas, entry, sums)
        self.changed.emit()
