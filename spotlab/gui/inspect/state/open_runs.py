"""The runs that are open: read, tallied and kept up to date with the truth, in threads.

A run stays as it was until the new one is there. One thing is computed after the other, so that
all runs are always evaluated against the same truth.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.errors import SpotlabError
from spotlab.files import is_file
from spotlab.formats.runs.format import ColumnChoice, UnknownColumns
from spotlab.gui.inspect.state.live_runs import (
    AnnotationFiles,
    InspectionTruth,
    JobQueue,
    LiveRuns,
    TruthRequest,
)
from spotlab.gui.kit import background
from spotlab.gui.kit import background as garbage
from spotlab.gui.kit.plots.curve_items import prepare_curves
from spotlab.gui.kit.settings import RUN_STYLES, Settings
from spotlab.measures.cuts import prepare_points
from spotlab.measures.intervals import PRIMARY, Over
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Primitive, Truth
from spotlab.progress import Progress
from spotlab.report.colours import STYLES, RunStyle, run_style
from spotlab.signal import Signal
from spotlab.studies.evaluate.inspected_run import (
    FirstLook,
    FirstPage,
    InspectedRun,
    Judging,
    RunFile,
    RunReading,
    evaluate_inspected_run,
    is_large,
    read_inspected_run,
    retally_page,
    tally_inspected_run,
    with_annotation_ids,
)
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


MOST = 500  # names that are remembered


class RunStyles:
    """Gives each run a style that no other open run has, as long as there are any."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def choose(self, name: str, taken: Collection[RunStyle]) -> RunStyle:
        """The style that a run of this name had before, or else one that no run has had.

        Parameters
        ----------
        name : str
        taken : collection of RunStyle
            Those of the open runs.
        """
        known = self._known()
        number = known.get(name)
        if number is not None and run_style(number) not in taken:
            self._remember(name, number, known)
            return run_style(number)
        free = [each for each in range(STYLES) if run_style(each) not in taken]
        if not free:
            return run_style(len(taken))
        last_used = {each: place for place, each in enumerate(known.values())}
        chosen = min(free, key=lambda each: last_used.get(each, -1))
        if number is None:  # of two open runs of one name, the first keeps what is known
            self._remember(name, chosen, known)
        return run_style(chosen)

    def _known(self) -> dict[str, int]:
        """The names, the one that was used last at the end."""
        kept = self._settings.get(RUN_STYLES)
        return {name: number for name, number in kept.items() if 0 <= number < STYLES}

    def _remember(self, name: str, number: int, known: dict[str, int]) -> None:
        others = {each: value for each, value in known.items() if each != name}
        recent = dict(list(others.items())[-(MOST - 1) :])
        self._settings.set(RUN_STYLES, {**recent, name: number})


Looked = tuple[TruthSet, FirstPage]
Opened = Sequence[InspectedRun | SpotlabError]
NOTHING: Mapping[Path, RunFile] = {}


class RunOpening:
    """Reads and tallies runs; of a large one the page in sight is shown before.

    Attributes
    ----------
    annotations : AnnotationFiles
        What names the ids of which run.
    """

    def __init__(self, workbench: Workbench, runs: OpenRuns, jobs: JobQueue) -> None:
        self._workbench, self._runs, self._jobs = workbench, runs, jobs
        self.annotations = AnnotationFiles(workbench.settings)
        self.columns: dict[Path, ColumnChoice] = {}  # that a person chose
        self._styles = RunStyles(workbench.settings)

    def open(self, paths: Sequence[Path]) -> None:
        """Read files; beside other runs, figures of one page would not be comparable."""
        request = self._runs.truth.request()
        look = None if len(self._runs) else page_in_sight(self._workbench, paths, request)
        if look is None:
            self._read(paths)
            return

        def done(found: Looked | None) -> None:
            known: dict[Path, RunFile] = {}
            if found is not None:
                truths, taken = found
                if taken.run is not None:
                    self._show(truths, taken.run)
                if taken.whole is not None:
                    known[look.path] = taken.whole
            self._read(paths, known)

        self._jobs.run(look_first(look, request, self._runs.judging), done)

    def drop_unfinished(self) -> None:
        """Let go of what is not read to its end."""
        whole = self._whole
        if len(whole) < len(self._runs):
            self._runs.truth.forget()
            self._runs.use(whole)
            self._runs.figures_changed.emit()

    def _show(self, truths: TruthSet, run: InspectedRun) -> None:
        if not self._runs.truth.all:
            self._runs.truth.use(truths)
        self._runs.use(self._styled([run]))
        self._runs.figures_changed.emit()

    @property
    def _whole(self) -> list[InspectedRun]:
        return [run for run in self._runs if run.so_far is None]

    def _read(self, paths: Sequence[Path], known: Mapping[Path, RunFile] = NOTHING) -> None:
        """Read files, but for those that are known, and tally the runs in them."""
        wanted = [(path, self.annotations.of(path)) for path in paths]
        columns = dict(self.columns)
        request, judging = self._runs.truth.request(), self._runs.judging

        def work(progress: Progress) -> tuple[TruthSet, Opened]:
            opened: list[InspectedRun | SpotlabError] = []
            truths = request.read(progress, opened.append)
            for path, chosen in wanted:
                naming = chosen if chosen is not None and is_file(chosen) else None
                try:
                    named = with_annotation_ids(truths, naming)
                    if path in known:
                        run = known[path].inspected(named)
                    else:
                        run = read_inspected_run(path, named, progress, columns.get(path))
                    run = replace(run, naming=naming) if naming else run
                    opened.append(tally_inspected_run(run, truths, judging, progress))
                except SpotlabError as error:
                    opened.append(error)
            prepared([run for run in opened if isinstance(run, InspectedRun)], 0)
            return truths, opened

        def done(result: tuple[TruthSet, Opened]) -> None:
            truths, opened = result
            self._runs.truth.use(truths)
            self._take(opened)

        self._jobs.run(work, done, self.drop_unfinished)

    def _take(self, opened: Opened) -> None:
        before = self._whole
        runs = self._styled([run for run in opened if isinstance(run, InspectedRun)])
        for error in opened:
            if isinstance(error, UnknownColumns) and error.may_be_chosen:
                self._runs.columns_unknown.emit(error)
            elif isinstance(error, SpotlabError):
                self._workbench.said.emit(str(error), True)
        if runs or len(before) < len(self._runs):
            self._runs.use((*before, *runs), len(before))
            self._runs.figures_changed.emit()
            garbage.settle_after_load(sum(len(run.run) for run in runs))
        for run in runs:
            if run.misfit:
                self._runs.unfit.emit(run)

    def _styled(self, runs: Sequence[InspectedRun]) -> Sequence[InspectedRun]:
        """The runs with colours and dashes that no open run has."""
        taken = [RunStyle(run.colour, run.dash) for run in self._whole]
        styled = []
        for run in runs:
            style = self._styles.choose(run.name, taken)
            taken.append(style)
            styled.append(replace(run, colour=style.colour, dash=style.dash))
        return styled


def prepared(
    runs: Sequence[InspectedRun], current: int, before: Sequence[InspectedRun] = ()
) -> Sequence[InspectedRun]:
    """The same runs; what plots show of them is computed, and all queries of the current one.

    ``before`` are the runs in whose places they come: of them it is known what is looked at.
    """
    for at, (run, earlier) in enumerate(zip_longest(runs, before)):
        if run.figures is not None:
            known = earlier.figures if earlier is not None else None
            prepare_curves(run.figures, known, lines=at == current)
            prepare_points(run.figures, known)
            run.figures.at(np.diff(run.figures.tally.starts))
    return runs


def page_in_sight(
    workbench: Workbench, paths: Sequence[Path], request: TruthRequest
) -> FirstLook | None:
    """Return what to look at before these files are read; None where all is read soon enough."""
    large = next((path for path in paths if is_large(path)), None)
    if large is None or workbench.index is None:
        return None
    page = workbench.entries[workbench.index].name
    pages = {*request.known, *request.files}
    return FirstLook(large, page, len(pages)) if page in pages and len(pages) > 1 else None


def look_first(
    look: FirstLook, request: TruthRequest, judging: Judging
) -> Callable[[Progress], Looked | None]:
    """Work that reads the page in sight, and the truth of it."""

    def work(progress: Progress) -> Looked | None:
        truths = request.only(look.page).read(progress, lambda _: None)
        truth = truths.truths.get(look.page)
        if truth is None:
            return None
        found = look.take(truth, replace(judging, pages=None), progress)
        return None if found is None else (truths, found)

    return work


RUNS = "runs"  # a folder beside the pages
RUN_SUFFIXES = (".csv", ".parquet")

Runs = Sequence[InspectedRun]


class OpenRuns:
    """A sequence of runs over the workbench's collection, one of which is the current one.

    Attributes
    ----------
    settings : MeasureSettings
    primary : str
        Name of the figure in which runs are tested for differences.
    over : {"queries", "pages"} or None
        The units of intervals and tests; None for what there is enough of.
        How figures are computed.
    primitive : Primitive or None
        What regions and spots are converted to before they are compared; None: nothing.
    truth : InspectionTruth
    changed, figures_changed, settings_changed, busy_changed : Signal
        There are other runs or another current one; figures are new; work has begun or ended.
    unfit : Signal
        A run was opened of which nothing fits the truth.
    columns_unknown : Signal
        A table was opened whose columns their names do not tell.
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
        self.primary = PRIMARY
        self.over: Over | None = None
        self.primitive: Primitive | None = None
        self.changed = Signal[[]]()
        self.figures_changed = Signal[[]]()
        self.settings_changed = Signal[[]]()
        self.unfit = Signal[[InspectedRun]]()
        self.columns_unknown = Signal[[UnknownColumns]]()
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
        """Tell how runs are judged now, and on which pages."""
        return Judging(self.settings, self.primitive, self._workbench.shown.pages)

    @property
    def busy(self) -> bool:
        """Tell whether runs are being read or tallied."""
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

    def name_columns(self, source: Path, columns: ColumnChoice) -> None:
        """Read a run whose columns a person has chosen."""
        self._opening.columns[source] = columns
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
