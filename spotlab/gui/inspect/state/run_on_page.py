"""Spots of the current run on the open page, found on request and cached."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from spotlab.gui.kit.background import Task
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.overlay import PageAreas
from spotlab.signal import Signal
from spotlab.studies.tally.page_view import (
    AreaSums,
    PageSpots,
    PageSymbols,
    area_sums,
    page_spots,
    page_symbols,
)
from spotlab.studies.tally.query_models import truth_without_models

if TYPE_CHECKING:
    from spotlab.arrays import Ints
    from spotlab.model import Primitive, Region
    from spotlab.studies.evaluate.inspected_run import InspectedRun


class ShownRun(Protocol):
    """Run to be shown, and the primitive to which outlines are converted before comparison."""

    @property
    def current(self) -> InspectedRun | None:
        """The run; None where there is none."""

    @property
    def primitive(self) -> Primitive | None:
        """The primitive; None: outlines are taken as they are."""


class ViewedRun(Protocol):
    """Run, query and spot counts to be shown."""

    @property
    def runs(self) -> ShownRun:
        """The run."""

    @property
    def query(self) -> str | None:
        """The query that is looked at; None: all."""

    @property
    def counts(self) -> Ints:
        """Tell how many spots of each query the cut keeps."""


class RunOnPage:
    """The spots of the chosen query, or of all, on the open page, as far as the cut keeps them."""

    def __init__(self, inspection: ViewedRun, workbench: Workbench) -> None:
        self._inspection = inspection
        self._workbench = workbench
        self._spots: tuple[object, bytes, PageSpots] | None = None
        self._areas: tuple[object, PageAreas] | None = None
        self._judged: tuple[Region, ...] = ()  # what the areas are of
        self._symbols: tuple[object, PageSymbols] | None = None

    def spots(self) -> PageSpots | None:
        """The spots; None where no page is open or no run is tallied."""
        entry, current = self._workbench.entry, self._inspection.runs.current
        if entry is None or current is None or current.tally is None:
            return None
        tally, query, counts = current.tally, self._inspection.query, self._inspection.counts
        key = (tally, entry.name, query)
        kept = counts.tobytes()
        if self._spots is None or self._spots[0] != key:
            self._spots = (key, kept, page_spots(tally, entry.name, query, counts))
        elif self._spots[1] != kept:
            self._spots = (key, kept, self._spots[2].cut(counts))
        return self._spots[2]

    def areas(self) -> PageAreas | None:
        """The page's truth and the kept spots, as the canvas paints them."""
        spots, document = self.spots(), self._workbench.document
        if spots is None or document is None:
            return None
        regions, page = document.truth.regions, document.truth.page
        primitive = self._inspection.runs.primitive
        key = (spots, regions, primitive)
        if self._areas is None or self._areas[0] != key:
            size = page.width, page.height
            current = self._inspection.runs.current
            models = current.models.get(spots.page, ()) if current is not None else ()
            judged = truth_without_models(document.truth, models)
            self._judged = tuple(judged.regions)
            self._areas = (key, spots.areas(self._judged, size, primitive))
        return self._areas[1]

    def symbols(self) -> PageSymbols | None:
        """The states of the page's symbols; None until the run's figures are computed."""
        spots, areas = self.spots(), self.areas()
        current = self._inspection.runs.current
        figures = current.figures if current else None
        if spots is None or areas is None or figures is None:
            return None
        if figures.tally is not spots.tally:
            return None
        key = (areas, figures)
        if self._symbols is None or self._symbols[0] != key:
            self._symbols = (key, page_symbols(spots, areas, self._judged, figures))
        return self._symbols[1]

    def spots_at(self, x: float, y: float) -> list[int]:
        """The kept spots that hold a point of the page in px, the smallest first."""
        spots = self.spots()
        return spots.spots_at(x, y) if spots is not None else []

    def forget(self) -> None:
        """Find everything anew: the runs are others."""
        self._spots = self._areas = self._symbols = None


FEW = 80  # spots and regions that are measured while the window waits


class ShownSums(NamedTuple):
    """Sums of the areas on the open page, as far as they are known.

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
        """Tell whether a thread is measuring."""
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
