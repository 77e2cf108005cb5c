"""Reads the files of open runs again as they change; only whole readings are used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from spotlab.gui.inspect.state.inspection_truth import InspectionTruth
from spotlab.gui.inspect.state.job_queue import JobQueue
from spotlab.gui.inspect.state.run_watch import RunWatch
from spotlab.progress import Progress
from spotlab.studies.evaluate.inspected_run import InspectedRun, Judging, RunReading, reread_run
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from spotlab.errors import SpotlabError
    from spotlab.gui.pages.workbench import Workbench


class ReadableRuns(Protocol):
    """The open runs, as far as they are to be read again."""

    truth: InspectionTruth

    @property
    def judging(self) -> Judging:
        """How runs are judged now."""

    def __iter__(self) -> Iterator[InspectedRun]:
        """Every open run."""

    def put_reading(self, reading: RunReading) -> None:
        """Put a new reading of a run in its place."""


class LiveRuns:
    """Follows the files of the open runs.

    Attributes
    ----------
    watch : RunWatch
    """

    def __init__(self, workbench: Workbench, runs: ReadableRuns, jobs: JobQueue) -> None:
        self._workbench, self._runs, self._jobs = workbench, runs, jobs
        self.watch = RunWatch(workbench.settings, self.reread, self._tell)
        workbench.page_changed.connect(self.follow)

    def follow(self) -> None:
        """Watch the files of the runs that are open now; none once the window is being closed."""
        runs = self._runs if self._workbench.index is not None else ()
        self.watch.follow([
            (run.run.source, run.file_state)
            for run in runs
            if run.run.source is not None and run.file_state
        ])  # fmt: skip

    def reread(self, path: Path, patient: bool) -> None:
        """Read the runs of a file again, after all that is under way."""
        self._jobs.add(lambda: self._reread(path, patient))

    def _reread(self, path: Path, patient: bool) -> None:
        runs = self._runs
        request, judging = runs.truth.request(), runs.judging
        wanted = [run for run in runs if run.run.source == path]

        def work(progress: Progress) -> tuple[TruthSet, list[RunReading]]:
            known: list[SpotlabError] = []  # they were reported when the runs were opened
            truths = request.read(progress, known.append)
            return truths, [
                reread_run(run, truths, judging, progress, patient=patient) for run in wanted
            ]

        def done(result: tuple[TruthSet, list[RunReading]]) -> None:
            truths, readings = result
            runs.truth.use(truths)
            for reading in readings:
                self._take(path, reading)

        if wanted:
            self._jobs.run(work, done)

    def _take(self, path: Path, reading: RunReading) -> None:
        after = reading.after
        if after is None:
            self.watch.refuse(path, reading.problem)
            return
        self._runs.put_reading(reading)
        if after.changes != reading.before.changes:
            text = f"{after.name} was read again: {after.changes[-1].words}"
            self._workbench.said.emit(text, False)

    def _tell(self, path: Path, problem: str) -> None:
        """Say why a changed file is not shown."""
        self._workbench.said.emit(
            f"{path.name}: {problem}; the run stays as it was last read", True
        )
