"""What the Inspect workspace looks at: one run, one query or all, a cut, a spot.

Panels and plots read it, call its methods and listen to its signals; it knows none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.clip import clip_to_page
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.polygon import contains
from spotlab.gui.inspect.state.inspected_run import InspectedRun, PageSpots
from spotlab.gui.inspect.state.open_runs import OpenRuns
from spotlab.imaging.area_overlay import AreaKind, PageAreas
from spotlab.measures.errors import KINDS, ErrorKind, ErrorPlace
from spotlab.measures.tally import Tally
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


@dataclass(frozen=True)
class Cut:
    """Where the lists of all queries end.

    Attributes
    ----------
    by : str
        "rank": each query keeps its first ``value`` spots; "score": those before the first whose
        score is below ``value``.
    value : float or None
        None keeps everything.
    """

    by: str = "rank"
    value: float | None = None


Place = ErrorPlace


class Inspection(OpenRuns):
    """The open runs, and what of them is looked at.

    Attributes
    ----------
    query : str or None
        None looks at all queries.
    cut : Cut
    spot : int or None
        The chosen spot's place in the current run's tally.
    region : str or None
        The id of a chosen truth region, one that was missed.
    region_page : str
        The page that it is on: ids are a page's own.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.query: str | None = None
        self.cut = Cut()
        self.spot: int | None = None
        self.region: str | None = None
        self.region_page = ""
        self.query_changed = Signal[[]]()
        self.cut_changed = Signal[[]]()
        self.spot_changed = Signal[[]]()
        self._counts: NDArray[np.int64] | None = None
        self._page_spots: tuple[object, PageSpots] | None = None
        self._page_areas: tuple[object, PageAreas] | None = None

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries of the current run, and those that it should have."""
        tally = self.current.tally if self.current else None
        return tally.queries if tally else ()

    @property
    def counts(self) -> NDArray[np.int64]:
        """(Q,) how many spots each query of the current run keeps at the cut."""
        if self._counts is None:
            current = self.current
            self._counts = counts_at(self.cut, current) if current else np.zeros(0, np.int64)
        return self._counts

    def choose_query(self, query: str | None) -> None:
        """Look at one query, or at all."""
        if query != self.query:
            self.query = query
            self.query_changed.emit()

    def set_cut(self, cut: Cut) -> None:
        """End all lists there."""
        if cut != self.cut:
            self.cut = cut
            self._counts = None
            self.cut_changed.emit()

    def choose_spot(self, spot: int | None, go: bool = True) -> None:
        """Look at this spot; ``go`` opens its page."""
        tally = self.current.tally if self.current else None
        known = spot == self.spot and self.region is None
        self.spot, self.region = spot, None
        if go and spot is not None and tally is not None:
            self._open(tally.pages[tally.page[spot]])  # also if another was opened since
        if not known:
            self.spot_changed.emit()

    def choose_region(self, page: str, id: str) -> None:
        """Look at a truth region."""
        self.spot, self.region, self.region_page = None, id, page
        self._open(page)
        self.spot_changed.emit()

    def places(self, kinds: Sequence[ErrorKind] | None = None) -> list[Place]:
        """The errors of these kinds, or of all, of the chosen query within the cut, worst first."""
        current = self.current
        if current is None or current.tally is None or current.errors is None:
            return []
        tally, errors = current.tally, current.errors
        wanted = None if self.query is None else tally.queries.index(self.query)
        kept = (tally.rank <= self.counts[tally.query]).tolist()
        of_spot, of_region = tally.query.tolist(), tally.region_query.tolist()
        found = []
        for place in errors.worst:
            if kinds is not None and place.kind not in kinds:
                continue
            if place.spot is not None:
                there = kept[place.spot] and wanted in (None, of_spot[place.spot])
            else:
                there = wanted is None or of_region[place.region or 0] == wanted
            if there:
                found.append(place)
        return found

    def go_to(self, place: Place) -> None:
        """Look at this error."""
        tally = self.current.tally if self.current else None
        if tally is None:
            return
        if place.spot is not None:
            self.choose_spot(place.spot)
        elif place.region is not None:
            page = tally.pages[tally.region_page[place.region]]
            self.choose_region(page, tally.region_id[place.region])

    def page_of(self, place: Place) -> str:
        """The page that an error is on."""
        tally = self.current.tally if self.current else None
        if tally is None:
            return ""
        if place.spot is not None:
            return tally.pages[int(tally.page[place.spot])]
        return tally.pages[int(tally.region_page[place.region or 0])]

    def step(self, kind: ErrorKind | None = None, by: int = 1) -> None:
        """Look at the next error of this kind, or of any; after the last comes the first."""
        places = self.places(None if kind is None else (kind,))
        if not places:
            self.workbench.said.emit("There are no errors of this kind here", False)
            return
        at = next((index for index, place in enumerate(places) if self._is_at(place)), None)
        start = -1 if by > 0 else 0
        number = ((start if at is None else at) + by) % len(places)
        self.go_to(places[number])
        self.workbench.said.emit(
            f"{places[number].kind.words} · {number + 1:,} of {len(places):,}", False
        )

    def page_spots(self) -> PageSpots | None:
        """The current run's spots of the chosen query, or of all, on the open page."""
        entry, current = self.workbench.entry, self.current
        if entry is None or current is None or current.tally is None:
            return None
        tally = current.tally
        key = (tally, entry.name, self.query, self.counts.tobytes())
        if self._page_spots is None or self._page_spots[0] != key:
            self._page_spots = (key, self._find_page_spots(current, entry.name))
        return self._page_spots[1]

    def page_areas(self) -> PageAreas | None:
        """The open page's truth and the spots that the cut keeps, as the canvas paints them."""
        spots, document, current = self.page_spots(), self.workbench.document, self.current
        if spots is None or document is None or current is None or current.tally is None:
            return None
        key = (spots, document.truth.regions)
        if self._page_areas is None or self._page_areas[0] != key:
            self._page_areas = (key, self._find_page_areas(current.tally, spots))
        return self._page_areas[1]

    def page_sums(self) -> dict[AreaKind, float] | None:
        """Area found, false and missed on the open page in px², exactly, each query by itself."""
        spots, tally = self.page_spots(), self.current.tally if self.current else None
        entry = self.workbench.entry
        if spots is None or tally is None or entry is None or entry.name not in tally.pages:
            return None
        kept = spots.spot[spots.kept]
        found, covered = tally.new_relevant[kept].sum(), tally.new_area[kept].sum()
        truth = tally.truth_area[:, tally.pages.index(entry.name)]
        wanted = truth.sum() if self.query is None else truth[tally.queries.index(self.query)]
        return {
            AreaKind.FOUND: float(found),
            AreaKind.FALSE: max(0.0, float(covered - found)),
            AreaKind.MISSED: max(0.0, float(wanted - found)),
        }

    def spots_at(self, x: float, y: float) -> list[int]:
        """The kept spots that hold a place of the open page, the smallest first."""
        spots, tally = self.page_spots(), self.current.tally if self.current else None
        if spots is None or tally is None:
            return []
        left, top, right, bottom = spots.outlines.bounds.T
        near = (left <= x) & (x <= right) & (top <= y) & (y <= bottom) & spots.kept
        found = [at for at in np.flatnonzero(near).tolist() if contains(spots.outlines[at], x, y)]
        found.sort(key=lambda at: float(tally.area[spots.spot[at]]))
        return [int(spots.spot[at]) for at in found]

    def described(self, spot: int) -> str:
        """A spot in a few words: query, rank, score, overlap, kind."""
        current = self.current
        if current is None or current.tally is None or current.errors is None:
            return ""
        tally, errors = current.tally, current.errors
        words = [tally.queries[tally.query[spot]], f"rank {int(tally.rank[spot]):,}"]
        if not np.isnan(tally.score[spot]):
            words.append(f"score {tally.score[spot]:.3g}")
        if errors.iou[spot] > 0:
            words.append(f"IoU {errors.iou[spot]:.2f}")
        return " · ".join([*words, KINDS[errors.kind[spot]].words])

    def _find_page_areas(self, tally: Tally, spots: PageSpots) -> PageAreas:
        number = {name: at for at, name in enumerate(tally.queries)}
        document = self.workbench.document
        wanted = [
            region
            for region in document or ()
            if region.label in number and self.query in (None, region.label)
        ]
        kept = np.flatnonzero(spots.kept)
        regions, covered = (
            Outlines.of([region.array for region in wanted]),
            spots.outlines.take(kept),
        )
        if document is not None:  # what lies off the page counts nowhere
            page = document.truth.page
            size = page.width, page.height
            regions, covered = clip_to_page(regions, size), clip_to_page(covered, size)
        return PageAreas(
            regions,
            covered,
            np.array([number[region.label] for region in wanted], np.int64),
            spots.query[kept],
        )

    def _find_page_spots(self, current: InspectedRun, page: str) -> PageSpots:
        tally = current.tally
        assert tally is not None  # the only caller has looked
        part = tally.parts.get(page)
        spot = np.searchsorted(tally.spot, part.spot) if part else np.zeros(0, np.int64)
        if self.query is not None:
            spot = spot[tally.query[spot] == tally.queries.index(self.query)]
        outlines = current.run.outlines.take(tally.spot[spot])
        kept = tally.rank[spot] <= self.counts[tally.query[spot]]
        return PageSpots(spot, outlines, tally.query[spot], kept)

    def _is_at(self, place: Place) -> bool:
        if place.spot is not None:
            return place.spot == self.spot
        tally = self.current.tally if self.current else None
        return (
            tally is not None
            and place.region is not None
            and tally.region_id[place.region] == self.region
            and self.page_of(place) == self.region_page
        )

    def _open(self, page: str) -> None:
        names = [entry.name for entry in self.workbench.entries]
        if page in names and names.index(page) != self.workbench.index:
            self.workbench.open_page(names.index(page))

    def _set_runs(self, runs: tuple[InspectedRun, ...], current: int | None = None) -> None:
        run, query, spot = self.current and self.current.run, self.query, self.spot
        super()._set_runs(runs, current)
        if self.query != query:
            self.query_changed.emit()
        if (self.current and self.current.run) is not run:
            self.cut_changed.emit()
            self.spot_changed.emit()
        elif self.spot != spot:
            self.spot_changed.emit()

    def _use(self, runs: tuple[InspectedRun, ...], current: int) -> None:
        """The chosen spot and query stay if they are there, whatever their places are now."""
        before = self.current
        super()._use(runs, current)
        after = self.current
        self._counts = self._page_spots = self._page_areas = None
        if before is None or after is None or before.run is not after.run:
            self.spot = self.region = None
        elif self.spot is not None and before.tally is not after.tally:
            self.spot = _same_spot(self.spot, before.tally, after.tally)
        if self.query not in self.queries:
            self.query = None

    def forget(self) -> None:
        """Other pages are listed: what was open was about others."""
        self.cut = Cut()
        super().forget()


def counts_at(cut: Cut, inspected: InspectedRun) -> NDArray[np.int64]:
    """(Q,) how many spots each query keeps at a cut."""
    tally = inspected.tally
    if tally is None:
        return np.zeros(0, np.int64)
    lengths = np.diff(tally.starts)
    if cut.value is None:
        return lengths
    if cut.by == "rank":
        return np.minimum(lengths, int(cut.value))
    below = np.flatnonzero(tally.score < cut.value)  # without a score nothing is known against it
    counts = lengths.copy()
    queries, first = np.unique(tally.query[below], return_index=True)
    counts[queries] = below[first] - tally.starts[queries]
    return counts


def _same_spot(spot: int, before: Tally | None, after: Tally | None) -> int | None:
    """A spot's place in another tally of its run; None if its page is not tallied any more."""
    if before is None or after is None:
        return None
    wanted = before.spot[spot]
    place = int(np.searchsorted(after.spot, wanted))
    return place if place < len(after) and after.spot[place] == wanted else None
