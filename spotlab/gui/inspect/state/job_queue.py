"""Work in the background, one job after the other, so that each sees what the one before made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from spotlab.gui.kit.task import Task
from spotlab.progress import Progress

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
        self._before_next = before_next
        self._task = Task(workbench)
        self._quick = Task(urgent=True)
        self.busy_changed = self._task.busy_changed
        self._waiting: list[Callable[[], object]] = []  # each starts a job, or nothing

    @property
    def busy(self) -> bool:
        """Whether a job is under way or waits; quick ones do not count."""
        return self._task.busy or bool(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether no job is under way, not even a quick one."""
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
