"""Opens runs; of a large one, its spots on the open page are shown while the rest is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from spotlab.errors import SpotlabError
from spotlab.files import is_file
from spotlab.gui.inspect.state.annotation_files import AnnotationFiles
from spotlab.gui.inspect.state.inspection_truth import InspectionTruth, TruthRequest
from spotlab.gui.inspect.state.job_queue import JobQueue
from spotlab.gui.inspect.state.run_styles import RunStyles
from spotlab.gui.kit import garbage
from spotlab.gui.kit.plots.drawn import prepare_curves
from spotlab.measures.cuts import prepare_points
from spotlab.progress import Progress
from spotlab.report.colours import RunStyle
from spotlab.signal import Signal
from spotlab.studies.evaluate.inspected_run import (
    FirstLook,
    FirstPage,
    InspectedRun,
    Judging,
    RunFile,
    is_large,
    read_inspected_run,
    tally_inspected_run,
    with_annotation_ids,
)
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

Looked = tuple[TruthSet, FirstPage]
Opened = Sequence[InspectedRun | SpotlabError]
NOTHING: Mapping[Path, RunFile] = {}


class OpenedRuns(Protocol):
    """The open runs, as far as others are added to them."""

    truth: InspectionTruth
    figures_changed: Signal[[]]
    unfit: Signal[[InspectedRun]]

    @property
    def judging(self) -> Judging:
        """How runs are judged now."""

    def __len__(self) -> int:
        """How many are open."""

    def __iter__(self) -> Iterator[InspectedRun]:
        """Every open run."""

    def use(self, runs: Sequence[InspectedRun], current: int | None = None) -> None:
        """Have these runs."""


class RunOpening:
    """Reads and tallies runs; of a large one the page in sight is shown before.

    Attributes
    ----------
    annotations : AnnotationFiles
        What names the ids of which run.
    """

    def __init__(self, workbench: Workbench, runs: OpenedRuns, jobs: JobQueue) -> None:
        self._workbench, self._runs, self._jobs = workbench, runs, jobs
        self.annotations = AnnotationFiles(workbench.settings)
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
                        run = read_inspected_run(path, named, progress)
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
            if isinstance(error, SpotlabError):
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
    """What to look at before these files are read; None where all is read soon enough."""
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
