"""The runs that are open: read, tallied and kept up to date with the truth, in threads.

A run stays as it was until the new one is there. One thing is computed after the other, so that
all runs are always judged by the same truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.gui.inspect.state import inspected_run
from spotlab.gui.inspect.state.inspected_run import InspectedRun
from spotlab.gui.inspect.state.inspection_truth import InspectionTruth
from spotlab.gui.kit import background
from spotlab.measures.settings import MeasureSettings
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.colours import RUN_COLOURS
from spotlab.signal import Signal
from spotlab.studies.areas.truth_files import TruthSet

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

RUNS = "runs"  # a folder beside the pages
RUN_SUFFIXES = (".csv", ".parquet")
NAMINGS = "annotation files of runs"  # among the settings
MOST_NAMINGS = 50  # that are remembered

Loaded = tuple[TruthSet | None, Sequence[InspectedRun | SpotlabError]]


class OpenRuns:
    """A list of runs over the workbench's collection, one of which is the current one.

    Attributes
    ----------
    runs : tuple of InspectedRun
    settings : MeasureSettings
        How figures are computed.
    primitive : Primitive or None
        What regions and spots are turned into before; None: as they are.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.truth = InspectionTruth(workbench)
        self.runs: tuple[InspectedRun, ...] = ()
        self.settings = MeasureSettings()
        self.primitive: Primitive | None = None
        self.runs_changed = Signal[[]]()
        self.figures_changed = Signal[[]]()
        self.busy_changed = Signal[[]]()
        self.unfit = Signal[[object]]()  # an InspectedRun of which nothing fits the truth
        self._current = 0
        self._looked_in: Path | None = None
        self._loading: background.Job | None = None
        self._following: background.Job | None = None
        self._waiting: list[Callable[[], object]] = []  # starts what comes next
        workbench.document_changed.connect(lambda _: self.truth_edited())
        workbench.truth_edited.connect(self.truth_edited)
        workbench.truth_written.connect(self.truth_written)
        workbench.page_changed.connect(self.truth_edited)
        workbench.collection_changed.connect(self.forget)

    @property
    def current(self) -> InspectedRun | None:
        """The run that the canvas shows."""
        return self.runs[self._current] if self.runs else None

    @property
    def current_index(self) -> int:
        """Its place among the runs."""
        return self._current

    @property
    def busy(self) -> bool:
        """Whether runs are being read or tallied."""
        return self._loading is not None or bool(self._waiting)

    def cancel(self) -> None:
        """Give up reading and tallying; the runs stay as they are."""
        if self._loading:
            self._loading.cancel()
            self._loading = None
            self._waiting.clear()
            self.workbench.finished.emit()
            self.busy_changed.emit()
            self.truth_edited()

    def open_runs(self, paths: Sequence[Path]) -> None:
        """Read and tally these runs, one after the other, in the background."""
        if paths and self.workbench.entries:
            self._then(lambda: self._open_runs(paths))

    def name_ids(self, source: Path, annotations: Path) -> None:
        """Read a run again, with an annotation file that says what its ids mean; remember that."""
        named = self.workbench.settings.get(NAMINGS, {})
        kept = {run: file for run, file in named.items() if run != str(source)}
        recent = dict(list(kept.items())[-(MOST_NAMINGS - 1) :])
        self.workbench.settings.set(NAMINGS, {**recent, str(source): str(annotations)})
        for index, run in reversed(list(enumerate(self.runs))):
            if run.run.source == source:
                self.close_run(index)
        self.open_runs([source])

    def _naming(self, path: Path) -> Path | None:
        """The annotation file that was chosen for a run, if it is still there."""
        chosen = self.workbench.settings.get(NAMINGS, {}).get(str(path))
        return Path(chosen) if isinstance(chosen, str) and Path(chosen).is_file() else None

    def _open_runs(self, paths: Sequence[Path]) -> None:
        taken = {run.colour for run in self.runs}
        free = [colour for colour in RUN_COLOURS if colour not in taken] or list(RUN_COLOURS)
        wanted = [
            (path, free[index % len(free)], self._naming(path)) for index, path in enumerate(paths)
        ]
        request, settings, primitive = self.truth.request(), self.settings, self.primitive

        def work(progress: Progress) -> Loaded:
            opened: list[InspectedRun | SpotlabError] = []
            truths = request.read(progress, opened.append)
            for path, colour, naming in wanted:
                try:
                    named = inspected_run.with_ids(truths, naming)
                    run = inspected_run.read(path, colour, named, progress)
                    run = replace(run, naming=naming) if naming else run
                    opened.append(inspected_run.tallied(run, truths, settings, primitive, progress))
                except SpotlabError as error:
                    opened.append(error)
            return truths, opened

        self._start(work, self._opened)

    def open_beside(self) -> None:
        """Open the runs in the folder ``runs`` beside the pages, if nobody has opened others."""
        folder = self.workbench.collection.folder
        if folder is None or self.runs or self.busy or self._looked_in == folder:
            return
        self._looked_in = folder
        try:
            found = sorted(
                path for path in (folder / RUNS).iterdir() if path.suffix.lower() in RUN_SUFFIXES
            )
        except OSError:  # there is none
            return
        self.open_runs(found)

    def close_run(self, index: int) -> None:
        """Let go of a run; the current one stays the current one."""
        current = self._current - (index < self._current)
        self._set_runs((*self.runs[:index], *self.runs[index + 1 :]), current)
        self.figures_changed.emit()

    def show_run(self, index: int, shown: bool) -> None:
        """Show a run in the plots, or do not."""
        run = replace(self.runs[index], shown=shown)
        self._set_runs((*self.runs[:index], run, *self.runs[index + 1 :]))

    def choose_run(self, index: int) -> None:
        """Look at this run on the canvas."""
        self._set_runs(self.runs, index)
        self.figures_changed.emit()

    def set_settings(self, settings: MeasureSettings, primitive: Primitive | None = None) -> None:
        """Compute all figures in this way from now on."""
        again = primitive is not self.primitive
        self.settings, self.primitive = settings, primitive
        if again:
            self.tally_again()
        else:
            self._then(self._evaluate)

    def tally_again(self) -> None:
        """Tally all pages of all runs."""
        self._then(self._tally)

    def _evaluate(self) -> None:
        runs, settings = self.runs, self.settings

        def work(_progress: Progress) -> Loaded:
            return None, [inspected_run.evaluated(run, settings) for run in runs]

        if runs:
            self._start(work, self._recomputed)

    def _tally(self) -> None:
        """What is wrong with truth files was said when the runs were opened."""
        request, settings, primitive = self.truth.request(), self.settings, self.primitive
        runs = self.runs

        def work(progress: Progress) -> Loaded:
            problems: list[InspectedRun | SpotlabError] = []
            truths = request.read(progress, problems.append)
            return truths, [
                inspected_run.tallied(run, truths, settings, primitive, progress) for run in runs
            ]

        if runs:
            self._start(work, self._recomputed)

    def truth_written(self, truths: Mapping[str, Truth]) -> None:
        """The truth of these pages is another now, and nobody has them open."""
        if self.truth.take(truths):
            self.tally_again()

    def forget(self) -> None:
        """Other pages are listed: what was open was about others."""
        for job in (self._loading, self._following):
            if job:
                job.cancel()
        self._loading = self._following = None
        self._waiting.clear()
        self._looked_in = None
        self.truth.forget()
        self._set_runs(())
        self.figures_changed.emit()

    def _then(self, start: Callable[[], object]) -> None:
        """Start this when nothing else is under way."""
        self._waiting.append(start)
        self._go_on()

    def _go_on(self) -> None:
        """Start what comes next; the truth as it is drawn goes first."""
        self.truth_edited()
        while self._waiting and not self._loading and not self._following:
            self._waiting.pop(0)()

    def _start(
        self,
        work: Callable[[Progress], Loaded],
        done: Callable[[Sequence[InspectedRun | SpotlabError]], None],
    ) -> None:
        def end() -> None:
            self._loading = None
            self.workbench.finished.emit()
            self.busy_changed.emit()

        def succeed(loaded: Loaded) -> None:
            truths, result = loaded
            if truths is not None:
                self.truth.use(truths)
            end()
            done(result)
            self._go_on()  # the truth may have been edited meanwhile

        def fail(error: Exception) -> None:
            self._waiting.clear()  # what failed would fail again
            end()
            if not isinstance(error, SpotlabError):
                raise error
            self.workbench.said.emit(str(error), True)

        self._loading = background.run(
            work, done=succeed, failed=fail, progress=self.workbench.progressed.emit
        )
        self.busy_changed.emit()

    def _opened(self, opened: Sequence[InspectedRun | SpotlabError]) -> None:
        runs = [run for run in opened if isinstance(run, InspectedRun)]
        for error in opened:
            if isinstance(error, SpotlabError):
                self.workbench.said.emit(str(error), True)
        if runs:
            self._set_runs((*self.runs, *runs), len(self.runs))
            self.figures_changed.emit()
        for run in runs:
            if run.misfit:
                self.unfit.emit(run)

    def _recomputed(self, runs: Sequence[InspectedRun | SpotlabError]) -> None:
        computed = {run.run: run for run in runs if isinstance(run, InspectedRun)}
        self._set_runs(tuple(
            replace(computed[run.run], shown=run.shown) if run.run in computed else run
            for run in self.runs
        ))  # fmt: skip
        self.figures_changed.emit()

    def truth_edited(self) -> None:
        """Tally a page again if its truth is not what the figures are of."""
        if not self.runs or self._loading or self._following:
            return  # what is under way looks again when it is done
        changed = self.truth.changed()
        if changed is None:
            return
        page, truth = changed
        if not self.truth.knows(page):
            self._tally()
            return
        runs, settings, primitive = self.runs, self.settings, self.primitive

        def work(_progress: Progress) -> list[InspectedRun]:
            return [inspected_run.with_truth(run, page, truth, settings, primitive) for run in runs]

        def done(new: list[InspectedRun]) -> None:
            self._following = None
            self.truth.note(page, truth)
            self._recomputed(new)
            self._go_on()

        def fail(error: Exception) -> None:
            self._following = None
            raise error

        self._following = background.run(work, done=done, failed=fail, urgent=True)

    def _set_runs(self, runs: tuple[InspectedRun, ...], current: int | None = None) -> None:
        self._use(runs, self._current if current is None else current)
        self.runs_changed.emit()

    def _use(self, runs: tuple[InspectedRun, ...], current: int) -> None:
        self.runs, self._current = runs, max(0, min(current, len(runs) - 1))
