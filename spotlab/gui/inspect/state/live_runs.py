"""Reads the files of open runs again as they change; only whole readings are used."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QTimer

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.collection.truth_files import without_copies
from spotlab.formats.runs.side_files import (
    FileState,
    FileStep,
    WatchedFile,
    file_state,
    is_being_written,
)
from spotlab.formats.truth.page_xml import read
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.settings import ANNOTATION_FILES, READS_CHANGED_RUNS, Settings
from spotlab.model import LabelSet, Truth
from spotlab.progress import Progress, track
from spotlab.studies.evaluate.inspected_run import InspectedRun, Judging, RunReading, reread_run
from spotlab.studies.tally.truth import TruthSet, ids_of_truths

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


MOST = 50  # runs that are remembered


class AnnotationFiles:
    """The annotation files that were chosen for runs."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of(self, run: Path) -> Path | None:
        """Return the annotation file that was chosen for a run's file; it may have gone."""
        chosen = self._settings.get(ANNOTATION_FILES).get(str(run))
        return None if chosen is None else Path(chosen)

    def remember(self, run: Path, annotations: Path) -> None:
        """Use this annotation file for a run's file from now on."""
        chosen = self._settings.get(ANNOTATION_FILES)
        others = {name: file for name, file in chosen.items() if name != str(run)}
        recent = dict(list(others.items())[-(MOST - 1) :])
        self._settings.set(ANNOTATION_FILES, {**recent, str(run): str(annotations)})


@dataclass(frozen=True)
class TruthRequest:
    """Truth for a thread to read: truth files by page name, and truths already known.

    ``labels`` are the collection's, in the order of its list.
    """

    names: tuple[str, ...]
    files: Mapping[str, Path]
    known: Mapping[str, Truth]
    labels: LabelSet = field(default_factory=LabelSet)

    def only(self, name: str) -> TruthRequest:
        """The request for one page."""
        files = {name: self.files[name]} if name in self.files else {}
        known = {name: self.known[name]} if name in self.known else {}
        return replace(self, names=(name,), files=files, known=known)

    def read(
        self, progress: Progress, failed: Callable[[SpotlabError], object] | None = None
    ) -> TruthSet:
        """Read the files; ``failed`` is told of each that cannot be read, its page has no truth.

        Raises
        ------
        SpotlabError
            A file cannot be read, and nobody wants to be told.
        """
        truths = dict(self.known)
        for name, path in track(list(self.files.items()), progress, "Reading truth"):
            try:
                truths[name] = read(path)
            except SpotlabError as error:
                if failed is None:
                    raise
                failed(error)
        ordered = {name: truths[name] for name in self.names if name in truths}
        without = tuple(name for name in self.names if name not in truths)
        ids = ids_of_truths(ordered, self.labels)
        labels = tuple(label.name for label in self.labels)
        return TruthSet(ordered, without, ids.images, ids.categories, labels=labels)


class InspectionTruth:
    """The truth of the whole collection, read once and kept up to date."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._known: TruthSet | None = None

    def request(self) -> TruthRequest:
        """Return what has to be read now."""
        sessions = {session.path: session for session in self._workbench.sessions}
        known = dict(self._known.truths) if self._known else {}
        files: dict[str, Path] = {}
        with_truth, without = list[PageEntry](), list[PageEntry]()
        for entry in self._workbench.entries:
            session = sessions.get(entry.truth_path)
            if session is not None and (session.document.truth.regions or entry.has_truth):
                known[entry.name] = session.document.truth
            elif entry.name not in known and entry.has_truth:
                files[entry.name] = entry.truth_path
            (with_truth if entry.name in known or entry.name in files else without).append(entry)
        others = without_copies(without, [entry.image for entry in with_truth])
        left_out = {entry.name for entry in without} - {entry.name for entry in others}
        names = tuple(e.name for e in self._workbench.entries if e.name not in left_out)
        return TruthRequest(names, files, known, self._workbench.labels)

    def use(self, truths: TruthSet) -> None:
        """This is the truth now."""
        self._known = truths

    def knows(self, name: str) -> bool:
        """Tell whether the page was among those with truth."""
        return self._known is not None and name in self._known.truths

    @property
    def all(self) -> Mapping[str, Truth]:
        """The truths that the figures are of, by page name."""
        return self._known.truths if self._known is not None else {}

    def of(self, name: str) -> Truth | None:
        """The truth of a page that the figures are of; None where it has none."""
        return self._known.truths.get(name) if self._known is not None else None

    def changed(self) -> tuple[str, Truth] | None:
        """A page that was opened and its truth, if that is not the one that is known."""
        if self._known is None:
            return None
        sessions = {session.path: session for session in self._workbench.sessions}
        for entry in self._workbench.entries if sessions else ():
            session = sessions.get(entry.truth_path)
            if session is None:
                continue
            truth, before = session.document.truth, self._known.truths.get(entry.name)
            if truth is not before and truth.regions != (before.regions if before else ()):
                return entry.name, truth
        return None

    def take(self, truths: Mapping[str, Truth]) -> bool:
        """These were written; False if nothing was known of any."""
        if self._known is None:
            return False
        self._known = replace(self._known, truths={**self._known.truths, **truths})
        return True

    def note(self, name: str, truth: Truth) -> None:
        """This is what the figures are of now."""
        if self._known is not None:
            self._known = replace(self._known, truths={**self._known.truths, name: truth})

    def forget(self) -> None:
        """Nothing is known."""
        self._known = None


Result = TypeVar("Result")


class JobQueue:
    """One job at a time; those that wait are started in their order.

    Parameters
    ----------
    workbench : Workbench
        Shows the progress of jobs, and why one failed.
    before_next : callable
        Called before a job that waits is started; it may start a quick one, which goes first.
    """

    def __init__(self, workbench: Workbench, before_next: Callable[[], object]) -> None:
        self._before_next = before_next
        self._task = Task(workbench)
        self._quick = Task(urgent=True)
        self.busy_changed = self._task.busy_changed
        self._waiting: list[Callable[[], object]] = []  # each starts a job, or nothing

    @property
    def busy(self) -> bool:
        """Tell whether a job is under way or waits; quick ones do not count."""
        return self._task.busy or bool(self._waiting)

    @property
    def idle(self) -> bool:
        """Tell whether no job is under way, not even a quick one."""
        return not self._task.busy and not self._quick.busy

    def add(self, start: Callable[[], object]) -> None:
        """Call ``start`` when all jobs before are done; it may call `run`."""
        self._waiting.append(start)
        self._go_on()

    def run(
        self,
        work: Callable[[Progress], Result],
        done: Callable[[Result], object],
        failed: Callable[[], object] | None = None,
    ) -> None:
        """Start a job with progress; ``done`` gets its result, ``failed`` is called without it."""

        def succeed(result: Result) -> None:
            done(result)
            self._go_on()

        def fail(error: Exception) -> None:
            self._waiting.clear()  # what failed would fail again
            if failed:
                failed()
            self.busy_changed.emit()
            self._task.tell(error)

        self._task.start(work, done=succeed, failed=fail)

    def run_quick(
        self, work: Callable[[Progress], Result], done: Callable[[Result], object]
    ) -> None:
        """Start a job that is soon done: it does not wait, and nobody is told of it."""

        def succeed(result: Result) -> None:
            done(result)
            self._go_on()

        self._quick.start(work, done=succeed)

    def cancel(self) -> None:
        """Give up the job under way, and all that wait."""
        if self._task.busy:
            self._waiting.clear()
            self._task.cancel()
            self._before_next()

    def clear(self) -> None:
        """Drop everything: it is about what is gone."""
        self._waiting.clear()
        self._task.cancel()
        self._quick.cancel()

    def _go_on(self) -> None:
        self._before_next()
        while self._waiting and self.idle:
            self._waiting.pop(0)()


EVERY = 250  # ms between two looks
SOON = 60  # ms between two looks while a file changes
SLOWER = 10  # times as long as a look took, at least

Looks = Sequence[tuple[Path, FileState, bool]]


class RunWatch:
    """Looks at files as long as there are some and the user wants it.

    Parameters
    ----------
    settings : Settings
        Remember whether the user wants it.
    reread : callable
        Called with the path of a run to be read again, and whether it has been left alone for long.
    tell : callable
        Called with the path and the problem of a file that cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        reread: Callable[[Path, bool], object],
        tell: Callable[[Path, str], object],
    ) -> None:
        self._settings, self._reread, self._tell = settings, reread, tell
        self._files: dict[Path, WatchedFile] = {}
        self._task = Task(urgent=True)
        self._timer = QTimer()
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)

    @property
    def wanted(self) -> bool:
        """Tell whether changed runs are read."""
        return self._settings.get(READS_CHANGED_RUNS)

    def set_wanted(self, wanted: bool) -> None:
        """Read changed runs from now on, or do not."""
        self._settings.set(READS_CHANGED_RUNS, wanted)
        self._begin_or_end()

    def follow(self, files: Sequence[tuple[Path, FileState]]) -> None:
        """Watch these, each read in that state."""
        before = self._files
        self._files = {}
        for path, state in files:
            known = before.get(path)
            if known is None:
                known = WatchedFile(path, state)
            elif known.read != state:
                known.read = state
            self._files[path] = known
        self._begin_or_end()

    def refuse(self, path: Path, problem: str) -> None:
        """Refuse what was read of a file, until it changes again."""
        if path in self._files:
            self._files[path].refuse(problem)

    def look(self) -> None:
        """See how all files are, in a thread."""
        if self._task.busy or not self._timer.isActive():
            return
        wanted = [(file.path, file.read) for file in self._files.values()]
        self._task.start(_look, wanted, done=self._take, failed=lambda _: None)

    def _take(self, found: tuple[Looks, float]) -> None:
        looks, took = found
        now = time.monotonic()
        changing = False
        for path, state, being_written in looks:
            file = self._files.get(path)
            if file is None:
                continue
            changing |= state != file.read
            step = file.look(now, state, being_written)
            if step in (FileStep.READ, FileStep.READ_PATIENTLY):
                self._reread(path, step is FileStep.READ_PATIENTLY)
            elif step is FileStep.TELL:
                self._tell(path, file.problem)
        self._timer.setInterval(max(SOON if changing else EVERY, round(1000 * SLOWER * took)))

    def _begin_or_end(self) -> None:
        if self._files and self.wanted:
            if not self._timer.isActive():
                self._timer.start()
            return
        self._timer.stop()
        self._task.cancel()


def _look(wanted: Sequence[tuple[Path, FileState]], _: Progress) -> tuple[Looks, float]:
    begin = time.monotonic()
    looks = []
    for path, known in wanted:
        state = file_state(path)
        looks.append((path, state, state != known and bool(state) and is_being_written(path)))
    return looks, time.monotonic() - begin


class ReadableRuns(Protocol):
    """The open runs, as far as they are to be read again."""

    truth: InspectionTruth

    @property
    def judging(self) -> Judging:
        """Tell how runs are judged now."""

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
