"""Run a plain function in a thread and hear of it on the window's thread."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from threading import Event
from typing import Any

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, Signal, Slot

from spotlab.errors import Cancelled
from spotlab.gui.kit import garbage
from spotlab.gui.kit.worker_threads import WorkerThreads

PROGRESS_EVERY = 0.05  # seconds between two reports: the window needs no more
TURN = 0.001  # seconds that a busy thread may keep the window's waiting; Python's own are five

_pool = WorkerThreads(2, "spotlab")
_urgent_pool = WorkerThreads(2, "spotlab-urgent")  # never waits behind a long list of work
_running: set[Job] = set()


class _Post(QObject):
    """Takes messages from the threads to the window's thread, for all jobs.

    A job is no QObject itself: the last to hold it may be a thread, and Qt does not survive an
    object that is deleted there while its events are on their way.
    """

    arrived = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @Slot(object, object)
    def _deliver(self, job: Job, message: tuple[str, Any]) -> None:
        job.deliver(message)
        if job.finished and not _running:
            _pool.submit(garbage.settle_after_work)  # the window need not wait for it


@cache
def _post() -> _Post:
    garbage.collect_on_this_thread()
    sys.setswitchinterval(TURN)
    return _Post()


class Job:
    """A function under way. Forgetting it is safe; cancelling it drops its result."""

    def __init__(
        self,
        done: Callable[[Any], object] | None,
        failed: Callable[[Exception], object] | None,
        progress: Callable[[int, int | None, str], object] | None,
        threads: WorkerThreads,
    ) -> None:
        self.cancelled = False
        self._threads = threads
        self.finished = False
        self._done = done
        self._failed = failed
        self._progress = progress
        self._last_report = 0.0
        self._ended = Event()
        self._post = _post()  # made on the window's thread, where it belongs

    def cancel(self) -> None:
        """Want nothing of it any more: no callback comes, the work ends at its next report."""
        self.cancelled = True

    def work(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Call the function; this runs in the thread."""
        try:
            if self.cancelled:
                raise Cancelled
            outcome = ("done", function(*args, self.report))
        except Exception as error:
            outcome = ("failed", error)
        self._post.arrived.emit(self, outcome)
        self._ended.set()

    def wait(self, seconds: float) -> None:
        """Wait until the function has ended, so long at most; its callback comes with the events.

        Events of this kind come before the next frame is painted.
        """
        self._ended.wait(seconds)

    def report(self, done: int, total: int | None, doing: str) -> None:
        """The progress that the function reports to, in its thread."""
        if self.cancelled:
            raise Cancelled
        self._threads.show_alive()
        now = time.monotonic()
        if self._progress and (now - self._last_report >= PROGRESS_EVERY or done == total):
            self._last_report = now
            self._post.arrived.emit(self, ("progress", (done, total, doing)))

    def deliver(self, message: tuple[str, Any]) -> None:
        """Tell whoever wants to hear of it; this runs on the window's thread."""
        what, value = message
        if what == "progress":
            if self._progress and not self.cancelled and not self.finished:
                self._progress(*value)
            return
        self.finished = True
        _running.discard(self)
        done, failed = self._done, self._failed
        self._done = self._failed = self._progress = (
            None  # no thread shall be the last to hold them
        )
        if self.cancelled or isinstance(value, Cancelled):
            return
        if what == "done":
            if done:
                done(value)
        elif failed:
            failed(value)
        else:
            raise value


def run(
    function: Callable[..., Any],
    *args: Any,
    done: Callable[[Any], object] | None = None,
    failed: Callable[[Exception], object] | None = None,
    progress: Callable[[int, int | None, str], object] | None = None,
    urgent: bool = False,
) -> Job:
    """Call ``function(*args, progress)`` in a thread.

    Parameters
    ----------
    function : callable
        Plain work on frozen values; its last argument is the progress to report to.
    done, failed, progress : callable, optional
        Called on the window's thread with the result, the exception, or how far it is. An exception
        that nobody wants to hear of is raised there, except `Cancelled`.
    urgent : bool
        Does not wait behind work that is not.
    """
    threads = _urgent_pool if urgent else _pool
    job = Job(done, failed, progress, threads)
    _running.add(job)
    threads.submit(job.work, function, args)
    return job


def wait_until(happened: Callable[[], bool], timeout: float = 30.0) -> bool:
    """Handle events until something has happened; False if that takes longer than ``timeout`` s."""
    end = time.monotonic() + timeout
    while not happened() and time.monotonic() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.001)
    return happened()


def wait_for(happened: Callable[[], bool], timeout: float) -> bool:
    """Wait as `wait_until` does, but leave keys and the mouse for later."""
    end = time.monotonic() + timeout
    while not happened() and time.monotonic() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 20)
        time.sleep(0.001)
    return happened()


def wait_for_all(timeout: float = 30.0) -> bool:
    """Handle events until no job is under way; False if that takes longer than ``timeout`` s."""
    return wait_until(lambda: not _running, timeout)


def cancel_all(timeout: float = 10.0) -> bool:
    """Cancel what is under way and wait until it has ended."""
    for job in tuple(_running):
        job.cancel()
    return wait_for_all(timeout)
