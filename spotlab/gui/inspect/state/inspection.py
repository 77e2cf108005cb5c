"""Selection in the Inspect workspace: one run, one query or all, a cut, a spot.

Panels and plots read it, call its methods and listen to its signals; it knows none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spotlab.arrays import Ints
from spotlab.gui.inspect.state.open_runs import OpenRuns
from spotlab.gui.inspect.state.run_cuts import RunCuts
from spotlab.gui.inspect.state.run_on_page import RunOnPage
from spotlab.imaging.reading.crops import WordCrops
from spotlab.measures.errors import ErrorPlace
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import Tally
from spotlab.signal import Signal
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut
from spotlab.studies.evaluate.inspected_run import InspectedRun, RunReading

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


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
    query_changed, cut_changed, spot_changed : Signal
    """

    def __init__(self, workbench: Workbench) -> None:
        self.collection = workbench.collection
        self.shown = workbench.shown
        self.runs = OpenRuns(workbench)
        self.page = RunOnPage(self, workbench)
        self.query: str | None = None
        self.cuts = RunCuts(self.runs, lambda: self.query)
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
