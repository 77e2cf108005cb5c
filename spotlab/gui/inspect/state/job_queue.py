"""Work in the background, one job after the other, so that each sees what the one before made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from spotlab.errors import SpotlabError
from spotlab.gui.kit import background
from spotlab.progress import Progress
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

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
        self.busy_changed = Signal[[]]()
        self._workbench = workbench
        self._before_next = before_next
        self._job: background.Job | None = None
        self._quick: background.Job | None = None
        self._waiting: list[Callable[[], object]] = []  # each starts a job, or nothing

    @property
    def busy(self) -> bool:
        """Whether a job is under way or waits; quick ones do not count."""
        return self._job is not None or bool(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether no job is under way, not even a quick one."""
        return self._job is None and self._quick is None

    def add(self, start: Callable[[], object]) -> None:
        """Call ``start`` when all jobs before are done; it may call `run`."""
        self._waiting.append(start)
        self._go_on()

    def run(self, work: Callable[[Progress], Result], done: Callable[[Result], object]) -> None:
        """Start a job with progress; ``done`` gets its result."""

        def succeed(result: Result) -> None:
            self._end()
            done(result)
            self._go_on()

        def fail(error: Exception) -> None:
            self._waiting.clear()  # what failed would fail again
            self._end()
            if not isinstance(error, SpotlabError):
                raise error
            self._workbench.said.emit(str(error), True)

        self._job = background.run(
            work, done=succeed, failed=fail, progress=self._workbench.progressed.emit
        )
        self.busy_changed.emit()

    def run_quick(
        self, work: Callable[[Progress], Result], done: Callable[[Result], object]
    ) -> None:
        """Start a job that is soon done: it does not wait, and nobody is told of it."""

        def succeed(result: Result) -> None:
            self._quick = None
            done(result)
            self._go_on()

        def fail(error: Exception) -> None:
            self._quick = None
            raise error

        self._quick = background.run(work, done=succeed, failed=fail, urgent=True)

    def cancel(self) -> None:
        """Give up the job under way, and all that wait."""
        if self._job:
            self._job.cancel()
            self._waiting.clear()
            self._end()
            self._before_next()

    def clear(self) -> None:
        """Drop everything without a word: it is about what is gone."""
        for job in (self._job, self._quick):
            if job:
                job.cancel()
        self._job = self._quick = None
        self._waiting.clear()

    def _go_on(self) -> None:
        self._before_next()
        while self._waiting and self.idle:
            self._waiting.pop(0)()

    def _end(self) -> None:
        self._job = None
        self._workbench.finished.emit()
        self.busy_changed.emit()
