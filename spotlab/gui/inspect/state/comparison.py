"""Two runs that are compared: the current one, A, and another one, B.

Figures and symbols are algebra and come first; the areas and false spots of single pages follow,
the open page before the others. What is known of a page is kept while its tallies stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer

from spotlab.gui.inspect.state.inspection import Inspection, RunOnPage
from spotlab.gui.kit.background import Task
from spotlab.measures.cuts import CutRun
from spotlab.measures.tally import PageTally
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.compare.comparison import (
    CHANGES,
    ChangeList,
    ComparedFigures,
    PageComparison,
    are_comparable,
    compare_figures,
    compare_page,
    list_changes,
)
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.tallying import Models, common_models, common_truths, figures_without

if TYPE_CHECKING:
    from spotlab.arrays import Ints
    from spotlab.gui.pages.workbench import Workbench


AT_ONCE = 8  # pages between two looks at which page is open

# of both runs: the page's tally, the queries, the spots that are kept
_Key = tuple[PageTally, PageTally, tuple[tuple[str, ...], ...], tuple[bytes, bytes]]


class PageComparisons:
    """Comparisons of the pages of two runs, as far as they are computed.

    Parameters
    ----------
    workbench : Workbench
    arrived : callable
        Called when more pages are compared.
    """

    def __init__(self, workbench: Workbench, arrived: Callable[[], object]) -> None:
        self._workbench = workbench
        self._arrived = arrived
        self._task = Task(urgent=True)
        self._cuts: tuple[CutRun, CutRun] | None = None
        self._models: Models = {}
        self._known: dict[str, tuple[_Key, PageComparison]] = {}

    @property
    def busy(self) -> bool:
        """Tell whether pages are being compared."""
        return self._task.busy

    @property
    def known(self) -> Mapping[str, PageComparison]:
        """The pages that are compared, by name."""
        return {name: known for name, (_, known) in self._known.items()}

    @property
    def progress(self) -> tuple[int, int] | None:
        """Tell how many pages of how many are compared; None when all are."""
        if self._cuts is None:
            return None
        total = len(self._cuts[0].tally.pages)
        return None if len(self._known) == total else (len(self._known), total)

    def stop(self) -> None:
        """Compare nothing more, and forget what is known."""
        self._task.cancel()
        self._cuts, self._known = None, {}

    def use(self, first: CutRun, second: CutRun, models: Models) -> None:
        """Compare these without these models; pages that are the same as before stay known."""
        self._task.cancel()
        self._cuts, self._models = (first, second), models
        self._known = {
            name: known
            for name, known in self._known.items()
            if name in first.tally.parts and _key(first, second, name) == known[0]
        }
        self.go_on()

    def go_on(self) -> None:
        """Compare the pages that are not known, the open one first."""
        if self._cuts is None or self._task.busy:
            return
        first, second = self._cuts
        missing = [name for name in first.tally.pages if name not in self._known]
        entry = self._workbench.entry
        opened = entry.name if entry is not None else ""
        chosen = [opened] if opened in missing else missing[:AT_ONCE]
        if not chosen:
            return
        runs = self._workbench.state(Inspection).runs
        known = {name: runs.truth.of(name) for name in chosen}
        truths = common_truths(
            {name: truth for name, truth in known.items() if truth is not None}, self._models
        )
        self._task.start(_compared_pages, first, second, truths, runs.primitive, done=self._take)

    def _take(self, found: Mapping[str, PageComparison]) -> None:
        assert self._cuts is not None  # else the task would have been cancelled
        for name, compared in found.items():
            self._known[name] = _key(*self._cuts, name), compared
        if found:
            self.go_on()
        self._arrived()


def _compared_pages(
    first: CutRun,
    second: CutRun,
    truths: Mapping[str, Truth],
    primitive: Primitive | None,
    progress: Progress,
) -> dict[str, PageComparison]:
    found = {}
    for done, (name, truth) in enumerate(truths.items()):
        progress(done, len(truths), "Comparing pages")
        found[name] = compare_page(first, second, name, truth, primitive)
    return found


def _key(first: CutRun, second: CutRun, page: str) -> _Key:
    return (
        first.tally.parts[page], second.tally.parts[page],
        (first.tally.queries, second.tally.queries),
        (_kept_places(first, page), _kept_places(second, page)),
    )  # fmt: skip


def _kept_places(run: CutRun, page: str) -> bytes:
    """Tell which spots of the page are kept, and where they stand in the tally."""
    place = np.searchsorted(run.tally.spot, run.tally.parts[page].spot)
    return bytes(place[run.kept[place]].tobytes())


STILL = 120  # ms without a change until all is compared again: a slider moves it many times


class ComparisonSide(StrEnum):
    """Choice of the results to show on the page when two runs are compared."""

    DIFFERENCES = "differences"
    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class ComparisonState:
    """The run that the current one is compared with, what changes, and what the page shows of it.

    Attributes
    ----------
    second : InspectedRun or None
        B; None: nothing is compared.
    side : ComparisonSide
        What the page shows.
    figures : ComparedFigures or None
        None until they are computed.
    changes : ChangeList or None
        From A to B, the biggest first; without false spots until all pages are compared.
    chosen : int or None
        The chosen entry of ``changes``.
    changed, side_changed, computed, chosen_changed : Signal
        Other runs are compared; the page shows another side; figures or changes are new; another
        change is chosen.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._inspection = workbench.state(Inspection)
        self.second: InspectedRun | None = None
        self.side = ComparisonSide.DIFFERENCES
        self.figures: ComparedFigures | None = None
        self.changes: ChangeList | None = None
        self.chosen: int | None = None
        self.changed = Signal[[]]()
        self.side_changed = Signal[[]]()
        self.computed = Signal[[]]()
        self.chosen_changed = Signal[[]]()
        self._first: InspectedRun | None = None
        self._cuts: tuple[CutRun, CutRun] | None = None
        self._task = Task(urgent=True)
        self._pages = PageComparisons(workbench, self._take_pages)
        self._timer = QTimer(singleShot=True, interval=STILL)
        self._timer.timeout.connect(self._compute)
        inspection = self._inspection
        inspection.runs.changed.connect(self._follow_runs)
        inspection.cut_changed.connect(self._soon)
        inspection.query_changed.connect(self._soon)
        workbench.page_changed.connect(self._follow_page)

    @property
    def first(self) -> InspectedRun | None:
        """A, the current run."""
        return self._inspection.runs.current

    @property
    def models(self) -> Models:
        """Return what the queries of either run were taken from, by page: it is ignored for
        both.
        """
        if self.first is None or self.second is None:
            return {}
        return common_models(self.first.models, self.second.models)

    @property
    def on(self) -> bool:
        """Tell whether two runs are compared."""
        return self.second is not None and self.first is not None

    @property
    def busy(self) -> bool:
        """Tell whether something is still being computed."""
        return self._timer.isActive() or self._task.busy or self._pages.busy

    @property
    def progress(self) -> tuple[int, int] | None:
        """Tell how many pages of how many are compared; None when all are."""
        return self._pages.progress

    @property
    def pages(self) -> Mapping[str, PageComparison]:
        """The pages that are compared already, by name."""
        return self._pages.known

    @property
    def others(self) -> list[InspectedRun]:
        """The runs that the current one can be compared with."""
        current = self.first
        return [run for run in self._inspection.runs if run is not current]

    @property
    def next_place(self) -> int:
        """The place among the others of the run that is listed after the current one."""
        return self._inspection.runs.current_index % max(1, len(self.others))

    def choose(self, run: InspectedRun | None) -> None:
        """Compare the current run with this one; None ends it."""
        if run is self.first or run is self.second:
            return
        self.second, self._first = run, self.first
        self._forget()
        if run is None:
            self.side = ComparisonSide.DIFFERENCES
        self.changed.emit()
        self.side_changed.emit()
        self._compute()

    def swap(self) -> None:
        """Let A be B, and B be A."""
        if self.second is not None:  # `_follow_runs` lets the run that was current be B
            self._inspection.runs.choose(list(self._inspection.runs).index(self.second))

    def show(self, side: ComparisonSide) -> None:
        """Show this on the page."""
        if self.on and side is not self.side:
            self.side = side
            self.side_changed.emit()

    def flip(self) -> None:
        """Show B instead of A, or A instead of B."""
        self.show(
            ComparisonSide.SECOND if self.side is ComparisonSide.FIRST else ComparisonSide.FIRST
        )

    def words_of(self, entry: int) -> str:
        """Return what an entry of the changes is, in words."""
        assert self.changes is not None  # else there are no entries
        return CHANGES[int(self.changes.kind[entry])].words

    def choose_change(self, entry: int | None) -> None:
        """Choose a change: the spots that it is about are chosen, and its page is opened."""
        self.chosen = entry
        changes = self.changes
        if entry is not None and changes is not None:
            inspection, spot = self._inspection, int(changes.first_spot[entry])
            region, page = changes.region_id(entry), changes.page_name(entry)
            if spot < 0 and region is not None:
                inspection.choose_region(page, region)
            else:
                inspection.choose_spot(spot if spot >= 0 else None)
                inspection.open_page(page)
        self.chosen_changed.emit()

    def _follow_runs(self) -> None:
        """Keep both runs, in whatever state they are now; B is A's place when A is chosen as B."""
        if self.second is None:
            self._first = self.first
            return
        before, current = self._first, self.first
        second = _same(self.second, self._inspection.runs)
        if current is not None and second is current:  # B has become the current run: they swap
            second = _same(before, self._inspection.runs) if before is not None else None
            second = None if second is current else second
        others = (self.second is None) is not (second is None)
        same = (
            not others and second is not None and current is not None and before is not None
            and second.figures is self.second.figures and current.figures is before.figures
        )  # fmt: skip
        self._first, self.second = current, second if current is not None else None
        if self.second is None:
            self._forget()
            self.side = ComparisonSide.DIFFERENCES
            self.side_changed.emit()
        self.changed.emit()
        if not same:
            self._soon()

    def _follow_page(self) -> None:
        if self.on:
            self._pages.go_on()

    def _soon(self) -> None:
        if self.on:
            self._timer.start()

    def _forget(self) -> None:
        self._timer.stop()
        self._task.cancel()
        self._pages.stop()
        self.figures = self.changes = self._cuts = None
        if self.chosen is not None:
            self.chosen = None
            self.chosen_changed.emit()

    def _compute(self) -> None:
        self._timer.stop()
        first, second, inspection = self.first, self.second, self._inspection
        if first is None or second is None or first.figures is None or second.figures is None:
            return
        cuts = (
            CutRun(first.name, first.figures, inspection.counts_of(first)),
            CutRun(second.name, second.figures, inspection.counts_of(second)),
        )
        models = self.models
        truths = {page: inspection.runs.truth.of(page) for page in models}
        judged = _Judged(
            cuts,
            (first.models, second.models),
            models,
            {page: truth for page, truth in truths.items() if truth is not None},
            inspection.runs.primitive,
            inspection.query,
        )
        self._task.start(_compared, judged, done=self._take)

    def _take(self, found: ComparedFigures | None) -> None:
        """Show what is known already; `None` where one run is of another truth for a moment."""
        if found is None:
            return
        before, self._cuts = self.changes, (found.first, found.second)
        self.figures = found
        self._pages.use(found.first, found.second, self.models)
        self._use_changes(found.symbols, before)

    def _take_pages(self) -> None:
        """More pages are compared; false spots are listed when all are."""
        if self._cuts is not None and self.progress is None:
            cuts, pages = self._cuts, tuple(self._pages.known.values())
            self._task.start(
                _listed, cuts, pages, done=lambda changes: self._use_changes(changes, self.changes)
            )
        self.computed.emit()

    def _use_changes(self, changes: ChangeList, before: ChangeList | None) -> None:
        self.changes = changes
        if self.chosen is not None and before is not None:
            self.chosen = _same_entry(before, self.chosen, changes)
            self.chosen_changed.emit()
        self.computed.emit()


@dataclass(frozen=True)
class _Judged:
    """Input for comparing two runs in a thread."""

    cuts: tuple[CutRun, CutRun]
    own: tuple[Models, Models]
    common: Models
    truths: Mapping[str, Truth]  # of the pages that models are on
    primitive: Primitive | None
    query: str | None


def _compared(judged: _Judged, progress: Progress) -> ComparedFigures | None:
    first, second = (
        replace(
            cut,
            figures=figures_without(
                cut.figures, own, judged.common, judged.truths, judged.primitive
            ),
        )
        for cut, own in zip(judged.cuts, judged.own, strict=True)
    )
    if not are_comparable(first, second):
        return None
    return compare_figures(first, second, query=judged.query, progress=progress)


def _listed(
    cuts: tuple[CutRun, CutRun], pages: tuple[PageComparison, ...], _: Progress
) -> ChangeList:
    return list_changes(*cuts, pages)


def _same(run: InspectedRun, runs: Iterable[InspectedRun]) -> InspectedRun | None:
    """The run as it is now, though it may have been tallied or read again; None if it is closed."""
    now = tuple(runs)
    source = run.run.source
    found = [each for each in now if each.run is run.run]
    found += [each for each in now if source is not None and each.run.source == source]
    return found[0] if found else None


def _same_entry(before: ChangeList, entry: int, after: ChangeList) -> int | None:
    """The entry of another list that is about the same symbol or spots."""
    wanted = _about(before, entry)
    return next((at for at in range(len(after)) if _about(after, at) == wanted), None)


def _about(changes: ChangeList, at: int) -> tuple[object, ...]:
    region = changes.region_id(at)
    if region is not None:
        return changes.page_name(at), region
    run = changes.first if changes.first_spot[at] >= 0 else changes.second
    spot = changes.first_spot[at] if changes.first_spot[at] >= 0 else changes.second_spot[at]
    return run is changes.first, int(run.tally.spot[spot])


class SecondRun:
    """View of run B; it follows the query and the cut of the current run.

    Attributes
    ----------
    runs : OnlyRun
        Holds B as its current run.
    page : RunOnPage
        What B has on the open page.
    query_changed, cut_changed, spot_changed : Signal
    """

    def __init__(self, workbench: Workbench) -> None:
        self._inspection = workbench.state(Inspection)
        self._comparison = workbench.state(ComparisonState)
        self.runs = OnlyRun(self._inspection, self._comparison)
        self.page = RunOnPage(self, workbench)
        self.query_changed = self._inspection.query_changed
        self.cut_changed = self._inspection.cut_changed
        self.spot_changed = self._comparison.chosen_changed

    @property
    def query(self) -> str | None:
        """The query that is looked at; None: all."""
        return self._inspection.query

    @property
    def counts(self) -> Ints:
        """(Q,) how many spots each query of B keeps at the cut."""
        run = self._comparison.second
        assert run is not None  # else nobody asks
        return self._inspection.counts_of(run)

    @property
    def spot(self) -> int | None:
        """Return what B has where the chosen change is, by its place in B's tally."""
        entry, changes = self._comparison.chosen, self._comparison.changes
        if entry is None or changes is None or not self._is_current():
            return None
        spot = int(changes.second_spot[entry])
        return spot if spot >= 0 else None

    @property
    def region(self) -> str | None:
        """The symbol of the chosen change, where B has nothing on it."""
        entry, changes = self._comparison.chosen, self._comparison.changes
        if entry is None or changes is None or self.spot is not None:
            return None
        return changes.region_id(entry)

    @property
    def region_page(self) -> str:
        """The page that the symbol is on."""
        entry, changes = self._comparison.chosen, self._comparison.changes
        return "" if entry is None or changes is None else changes.page_name(entry)

    def _is_current(self) -> bool:
        """Tell whether the changes are of B as it is tallied now."""
        changes, run = self._comparison.changes, self._comparison.second
        return changes is not None and run is not None and changes.second.tally.run is run.run


class OnlyRun:
    """Run B where the canvas expects the open runs.

    Attributes
    ----------
    changed, figures_changed : Signal
    """

    def __init__(self, inspection: Inspection, comparison: ComparisonState) -> None:
        self._inspection = inspection
        self._comparison = comparison
        self.changed: Signal[[]] = comparison.changed
        self.figures_changed: Signal[[]] = inspection.runs.figures_changed

    @property
    def current(self) -> InspectedRun | None:
        """B; None where it does not know the query that is looked at."""
        run, query = self._comparison.second, self._inspection.query
        known = run is not None and run.tally is not None and query in (None, *run.tally.queries)
        return run if known else None

    @property
    def primitive(self) -> Primitive | None:
        """Return what outlines are converted to before they are compared."""
        return self._inspection.runs.primitive
