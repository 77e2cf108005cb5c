"""The runs that are open: read, tallied and kept up to date with the truth, in threads.

A run stays as it was until the new one is there. One thing is computed after the other, so that
all runs are always evaluated against the same truth.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.errors import SpotlabError
from spotlab.gui.inspect.state.inspection_truth import InspectionTruth
from spotlab.gui.inspect.state.job_queue import JobQueue
from spotlab.gui.inspect.state.live_runs import LiveRuns
from spotlab.gui.inspect.state.opening import RunOpening, prepared
from spotlab.gui.kit import background, garbage
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.evaluate.inspected_run import (
    InspectedRun,
    Judging,
    RunReading,
    evaluate_inspected_run,
    retally_page,
    tally_inspected_run,
)
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

RUNS = "runs"  # a folder beside the pages
RUN_SUFFIXES = (".csv", ".parquet")

Runs = Sequence[InspectedRun]


class OpenRuns:
    """A sequence of runs over the workbench's collection, one of which is the current one.

    Attributes
    ----------
    settings : MeasureSettings
        How figures are computed.
    primitive : Primitive or None
        What regions and spots are converted to before they are compared; None: nothing.
    truth : InspectionTruth
    changed, figures_changed, settings_changed, busy_changed : Signal
        There are other runs or another current one; figures are new; work has begun or ended.
    unfit : Signal
        A run was opened of which nothing fits the truth.
    live : LiveRuns
        Reads runs again when their files change.
    reread : Signal
        A new reading of a run is about to take its place.
    awaited
        What `open_only` was asked to look at, while its runs are being read; else None.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.truth = InspectionTruth(workbench)
        self.settings = MeasureSettings()
        self.primitive: Primitive | None = None
        self.changed = Signal[[]]()
        self.figures_changed = Signal[[]]()
        self.settings_changed = Signal[[]]()
        self.unfit = Signal[[InspectedRun]]()
        self.reread = Signal[[RunReading]]()
        self._workbench = workbench
        self._runs: tuple[InspectedRun, ...] = ()
        self._current = 0
        self._pages = workbench.shown.pages
        self._looked_in: Path | None = None
        self.awaited: Any = None
        self._jobs = JobQueue(workbench, self.truth_edited)
        self._opening = RunOpening(workbench, self, self._jobs)
        self.busy_changed = self._jobs.busy_changed
        self.live = LiveRuns(workbench, self, self._jobs)
        self.changed.connect(self.live.follow)
        workbench.document_changed.connect(lambda _: self.truth_edited())
        workbench.truth_edited.connect(self.truth_edited)
        workbench.truth_written.connect(self.truth_written)
        workbench.page_changed.connect(self.truth_edited)
        workbench.shown.changed.connect(self._follow_pages)

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[InspectedRun]:
        return iter(self._runs)

    def __getitem__(self, index: int) -> InspectedRun:
        return self._runs[index]

    @property
    def current(self) -> InspectedRun | None:
        """The run that the canvas shows."""
        return self._runs[self._current] if self._runs else None

    @property
    def current_index(self) -> int:
        """Its place among the runs."""
        return self._current

    @property
    def judging(self) -> Judging:
        """How runs are judged now, and on which pages."""
        return Judging(self.settings, self.primitive, self._workbench.shown.pages)

    @property
    def busy(self) -> bool:
        """Whether runs are being read or tallied."""
        return self._jobs.busy

    def cancel(self) -> None:
        """Give up reading and tallying; the runs stay as they are."""
        self._jobs.cancel()
        self._opening.drop_unfinished()

    def open(self, paths: Sequence[Path]) -> None:
        """Read and tally these runs, one after the other, in the background."""
        if paths and self._workbench.entries:
            self._jobs.add(lambda: self._opening.open(paths))

    def open_only(self, paths: Sequence[Path], awaited: object, then: Callable[[], object]) -> None:
        """Open these runs and no others, then call ``then``; ``awaited`` says so until then."""
        self.forget()
        self._looked_in = self._workbench.collection.folder
        self.awaited = awaited
        self.open(paths)

        def opened() -> None:
            self.awaited = None
            then()

        self._jobs.add(opened)

    def open_beside(self) -> None:
        """Open the runs in the folder ``runs`` beside the pages, unless others are open."""
        folder = self._workbench.collection.folder
        if folder is None or self._runs or self.busy or self._looked_in == folder:
            return
        self._looked_in = folder
        try:
            names = background.call(os.listdir, folder / RUNS)
        except (OSError, background.NoAnswer):  # there is no such folder
            return
        files = sorted(folder / RUNS / name for name in names)
        self.open([path for path in files if path.suffix.lower() in RUN_SUFFIXES])

    def name_ids(self, source: Path, annotations: Path) -> None:
        """Read a run again with an annotation file that says what its ids mean; remember that."""
        self._opening.annotations.remember(source, annotations)
        for index, run in reversed(list(enumerate(self._runs))):
            if run.run.source == source:
                self.close(index)
        self.open([source])

    def close(self, index: int) -> None:
        """Close a run; the current one stays the current one."""
        if self._runs[index].so_far is not None:
            self.cancel()
            return
        current = self._current - (index < self._current)
        self.use((*self._runs[:index], *self._runs[index + 1 :]), current)
        self.figures_changed.emit()
        garbage.look_at_all_again()

    def show(self, index: int, shown: bool) -> None:
        """Show a run in the plots, or hide it."""
        run = replace(self._runs[index], shown=shown)
        self.use((*self._runs[:index], run, *self._runs[index + 1 :]))

    def choose(self, index: int) -> None:
        """Show this run on the canvas."""
        self.use(self._runs, index)
        self.figures_changed.emit()

    def use(self, runs: Runs, current: int | None = None) -> None:
        """Have these runs; the one at the same place stays the current one unless told."""
        wanted = self._current if current is None else current
        self._runs = tuple(runs)
        self._current = max(0, min(wanted, len(runs) - 1))
        self.changed.emit()

    def put_reading(self, reading: RunReading) -> None:
        """Put a new reading of a run in its place, if it is still open."""
        runs, after = list(self._runs), reading.after
        places = [at for at, run in enumerate(runs) if run.run is reading.before.run]
        if after is None or not places:
            return
        at = places[0]
        runs[at] = replace(after, shown=runs[at].shown)
        self.reread.emit(replace(reading, after=runs[at]))
        self.use(runs)
        self.figures_changed.emit()

    def set_settings(self, settings: MeasureSettings, primitive: Primitive | None = None) -> None:
        """Compute all figures in this way from now on."""
        again = primitive is not self.primitive
        self.settings, self.primitive = settings, primitive
        self.settings_changed.emit()
        self._jobs.add(self._tally if again else self._evaluate)

    def tally_again(self) -> None:
        """Tally all pages of all runs."""
        self._jobs.add(self._tally)

    def truth_written(self, truths: Mapping[str, Truth]) -> None:
        """The truth files of these pages have changed, and none of the pages is open."""
        if self.truth.take(truths):
            self.tally_again()

    def truth_edited(self) -> None:
        """Tally a page again if its truth is not the one that the figures are of."""
        if not self._runs or not self._jobs.idle:
            return  # the job under way looks again when it is done
        changed = self.truth.changed()
        if changed is None:
            return
        page, truth = changed
        if not self.truth.knows(page):
            self._tally()
            return
        runs, judging, at = self._runs, self.judging, self._current

        def work(_progress: Progress) -> Runs:
            return prepared(retally_page(runs, page, truth, judging), at, runs)

        def done(tallied: Runs) -> None:
            self.truth.note(page, truth)
            self._replace(tallied)

        self._jobs.run_quick(work, done)

    def forget(self) -> None:
        """Close all runs: other pages are listed than those that they are about."""
        self._jobs.clear()
        self.awaited = None
        self._looked_in = None
        self.truth.forget()
        self.use(())
        self.figures_changed.emit()
        garbage.look_at_all_again()

    def _follow_pages(self) -> None:
        """Figures are of the shown pages only, or of all again."""
        if self._workbench.shown.pages != self._pages:
            self._pages = self._workbench.shown.pages
            self._jobs.add(self._evaluate)

    def _evaluate(self) -> None:
        runs, judging, at = self._runs, self.judging, self._current

        def work(_progress: Progress) -> Runs:
            evaluated = [evaluate_inspected_run(run, judging) for run in runs]
            return prepared(evaluated, at, runs)

        if runs:
            self._jobs.run(work, self._replace)

    def _tally(self) -> None:
        request, judging = self.truth.request(), self.judging
        runs, at = self._runs, self._current

        def work(progress: Progress) -> tuple[TruthSet, Runs]:
            known: list[SpotlabError] = []  # they were reported when the runs were opened
            truths = request.read(progress, known.append)
            tallied = [tally_inspected_run(run, truths, judging, progress) for run in runs]
            return truths, prepared(tallied, at, runs)

        def done(result: tuple[TruthSet, Runs]) -> None:
            truths, tallied = result
            self.truth.use(truths)
            self._replace(tallied)

        if runs:
            self._jobs.run(work, done)

    def _replace(self, computed: Runs) -> None:
        """Put what was computed in the place of the runs that it is of, as far as they are open."""
        by_run = {run.run: run for run in computed}
        self.use(tuple(
            replace(by_run[run.run], shown=run.shown) if run.run in by_run else run
            for run in self._runs
        ))  # fmt: skip
        self.figures_changed.emit()
