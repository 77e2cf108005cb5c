"""Selection in the Inspect workspace: one run, one query or all, a cut, a spot.

Panels and plots read it, call its methods and listen to its signals; it knows none of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from spotlab.arrays import Ints
from spotlab.gui.inspect.state.open_runs import OpenRuns
from spotlab.gui.inspect.state.run_cuts import CurveView, RunCuts
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.settings import OVERLAY, VIEW
from spotlab.gui.pages.workbench import Workbench
from spotlab.imaging.overlay import PageAreas
from spotlab.imaging.reading.pixels import WordCrops
from spotlab.measures.figures import RunFigures
from spotlab.measures.matching import ErrorPlace
from spotlab.measures.tally import Tally
from spotlab.signal import Signal
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut
from spotlab.studies.evaluate.inspected_run import InspectedRun, RunReading
from spotlab.studies.tally.page_view import (
    AreaSums,
    PageSpots,
    PageSymbols,
    area_sums,
    page_spots,
    page_symbols,
)
from spotlab.studies.tally.tallying import truth_without_models

if TYPE_CHECKING:
    from spotlab.model import Primitive, Region


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


class Inspection:
    """Selection within the open runs.

    Attributes
    ----------
    collection : Collection
        The pages that the runs are about.
    shown : ShownPages
        Those that the page list shows, and whether figures are of these alone.
    runs : OpenRuns
    page : RunOnPage
        What the current run has on the open page.
    query : str or None
        None looks at all queries.
    cuts : RunCuts
        Where the lists of each run end.
    spot : int or None
        The chosen spot's place in the current run's tally.
    region : str or None
        The id of a chosen truth region, one that was missed.
    region_page : str
        The page that it is on: ids are a page's own.
    view : CurveView
        How precision and recall are looked at.
    query_changed, cut_changed, spot_changed, view_changed : Signal
    """

    def __init__(self, workbench: Workbench) -> None:
        self.collection = workbench.collection
        self.shown = workbench.shown
        self.runs = OpenRuns(workbench)
        self.page = RunOnPage(self, workbench)
        self.query: str | None = None
        self.view = CurveView(workbench.settings.get(VIEW))
        self.view_changed = Signal[[]]()
        self.cuts = RunCuts(self.runs, lambda: self.query, lambda: self.view)
        self.spot: int | None = None
        self.region: str | None = None
        self.region_page = ""
        self.query_changed = Signal[[]]()
        self.cut_changed = self.cuts.changed
        self.spot_changed = Signal[[]]()
        self._at_cut: dict[RunFigures, FiguresAtCut] = {}
        self._workbench = workbench
        self._pictures = WordCrops({})
        self._current: InspectedRun | None = None  # the one that all of this is about
        self._reading: RunReading | None = None  # under way
        self.runs.reread.connect(self._note_reading)
        self.runs.changed.connect(self._follow_runs)  # before anybody else hears of it
        workbench.collection_changed.connect(self.forget)

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries of the current run, and those that it should have."""
        tally = self._tally
        return tally.queries if tally else ()

    @property
    def cut(self) -> ListCut:
        """Tell where the lists of the current run end."""
        return self.cuts.cut

    @property
    def counts(self) -> Ints:
        """(Q,) how many spots each query of the current run keeps at the cut."""
        current = self.runs.current
        return self.counts_of(current) if current else np.zeros(0, np.int64)

    def counts_of(self, run: InspectedRun) -> Ints:
        """(Q,) how many spots each query of any open run keeps at its cut.

        `RunCuts.of` says where that is, and why there is no cut where nothing is kept for that.
        """
        return self.cuts.counts(run)

    def at_cut(self, run: InspectedRun) -> FiguresAtCut | None:
        """Return what any open run has at its cut; None while its figures are being computed."""
        figures = run.figures
        if figures is None:
            return None
        counts = self.counts_of(run)
        if figures not in self._at_cut or self._at_cut[figures].counts is not counts:
            self._at_cut[figures] = FiguresAtCut(figures, counts)
        return self._at_cut[figures]

    def choose_query(self, query: str | None) -> None:
        """Look at one query, or at all."""
        if query != self.query:
            self.query = query
            self.query_changed.emit()
            if self.cuts.follows_query:
                self.cut_changed.emit()

    def choose_view(self, view: CurveView) -> None:
        """Look at precision and recall like this, also after the next start."""
        if view is not self.view:
            self.view = view
            self._workbench.settings.set(VIEW, view.value)
            self.view_changed.emit()
            if self.cuts.follows_query:
                self.cut_changed.emit()

    def set_cut(self, cut: ListCut) -> None:
        """End the current run's lists there, and those of the others as `cuts` relates them."""
        self.cuts.set(cut)

    def cut_at_best_f(self) -> None:
        """End the current run's lists where F is highest, for what is looked at."""
        current = self.runs.current
        best = self.cuts.best_f(current) if current else None
        if best is None:
            self.collection.said.emit("F is undefined: there is no best cut", False)
        else:
            self.set_cut(best)

    def choose_spot(self, spot: int | None, go: bool = True) -> None:
        """Look at this spot; ``go`` opens its page."""
        tally = self._tally
        if spot is not None and spot >= len(tally or ()):
            return  # of a list that is being replaced
        known = spot == self.spot and self.region is None
        self.spot, self.region = spot, None
        if go and spot is not None and tally is not None:
            self.open_page(tally.pages[tally.page[spot]])  # also if another was opened since
        if not known:
            self.spot_changed.emit()

    def choose_region(self, page: str, id: str) -> None:
        """Look at a truth region."""
        self.spot, self.region, self.region_page = None, id, page
        self.open_page(page)
        self.spot_changed.emit()

    def go_to(self, place: ErrorPlace) -> None:
        """Look at this error."""
        tally = self._tally
        if tally is None:
            return
        if place.spot is not None:
            self.choose_spot(place.spot)
        elif place.region is not None:
            page = tally.pages[tally.region_page[place.region]]
            self.choose_region(page, tally.region_id[place.region])

    def page_pictures(self) -> WordCrops:
        """Return what reads the images of the listed pages, in a thread."""
        files = {entry.name: (entry.image, entry.frame) for entry in self._workbench.entries}
        if files != self._pictures.files:
            self._pictures = WordCrops(files)
        return self._pictures

    def open_page(self, page: str) -> None:
        """Open a page by its name, unless it is open."""
        names = [entry.name for entry in self._workbench.entries]
        if page in names and names.index(page) != self._workbench.index:
            self._workbench.open_page(names.index(page))

    def forget(self) -> None:
        """Other pages are listed: what was open was about others."""
        self.cuts.forget()
        self.runs.forget()

    @property
    def _tally(self) -> Tally | None:
        current = self.runs.current
        return current.tally if current else None

    def _note_reading(self, reading: RunReading) -> None:
        """The runs change next, by this reading."""
        self._reading = reading

    def _follow_runs(self) -> None:
        """Keep the chosen spot and query if they are there, whatever their places are now."""
        self._at_cut.clear()
        before, after = self._current, self.runs.current
        query, spot = self.query, self.spot
        self._current = after
        self.cuts.follow_runs()
        self.page.forget()
        reading, self._reading = self._reading, None
        if before and reading and before.run is reading.before.run and after is reading.after:
            self.spot = _spot_in(reading, self.spot)
        elif before is None or after is None or before.run is not after.run:
            self.spot = self.region = None
        elif self.spot is not None and before.tally is not after.tally:
            self.spot = _same_spot(self.spot, before.tally, after.tally)
        if self.query not in self.queries:
            self.query = None
        if self.query != query:
            self.query_changed.emit()
        if (before and before.run) is not (after and after.run):
            self.cut_changed.emit()
            self.spot_changed.emit()
        elif self.spot != spot:
            self.spot_changed.emit()


def _spot_in(reading: RunReading, spot: int | None) -> int | None:
    """A spot's place in the tally of a new reading of its run; None if it is gone."""
    before, after = reading.before.tally, reading.after.tally if reading.after else None
    if spot is None or before is None or after is None or reading.places is None:
        return None
    wanted = reading.places[before.spot[spot]]
    place = int(np.searchsorted(after.spot, wanted))
    return place if place < len(after) and after.spot[place] == wanted else None


def _same_spot(spot: int, before: Tally | None, after: Tally | None) -> int | None:
    """A spot's place in another tally of its run; None if its page is not tallied any more."""
    if before is None or after is None or spot >= len(before):
        return None
    wanted = before.spot[spot]
    place = int(np.searchsorted(after.spot, wanted))
    return place if place < len(after) and after.spot[place] == wanted else None


class OverlayKind(StrEnum):
    """Kind of overlay painted over the page."""

    AREAS = "areas"
    SYMBOLS = "symbols"
    BOTH = "both"

    @property
    def has_areas(self) -> bool:
        """Tell whether areas are filled by their kinds."""
        return self is not OverlayKind.SYMBOLS

    @property
    def has_symbols(self) -> bool:
        """Tell whether symbols have outlines and marks by their states."""
        return self is not OverlayKind.AREAS


class OverlayChoice:
    """The choice, kept from one start to the next.

    Attributes
    ----------
    changed : Signal
    """

    def __init__(self, workbench: Workbench) -> None:
        self.changed = Signal[[]]()
        self._settings = workbench.settings

    @property
    def value(self) -> OverlayKind:
        """Return what is shown; areas at first."""
        return OverlayKind(self._settings.get(OVERLAY))

    def choose(self, value: OverlayKind) -> None:
        """Show this."""
        if value is not self.value:
            self._settings.set(OVERLAY, value.value)
            self.changed.emit()

    def next(self) -> None:
        """Show areas, then symbols, then both, then areas again."""
        order = list(OverlayKind)
        self.choose(order[(order.index(self.value) + 1) % len(order)])
