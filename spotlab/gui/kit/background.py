"""Run a plain function in a thread and hear of it on the window's thread."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import PurePath
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, Signal, Slot

from spotlab.errors import Cancelled, SpotlabError
from spotlab.gui.kit import garbage
from spotlab.gui.kit.worker_threads import WorkerThreads

PROGRESS_EVERY = 0.05  # seconds between two reports: the window needs no more
AT_ONCE = 0.03  # seconds that the window waits for an answer before it handles other events
PATIENCE = 10.0  # seconds after which `call` gives a file system up
TURN = 0.001  # seconds that a busy thread may keep the window's waiting; Python's own are five

_pool = WorkerThreads(2, "spotlab")
_urgent_pool = WorkerThreads(2, "spotlab-urgent")  # never waits behind a long list of work
_running: set[Job] = set()

Result = TypeVar("Result")


class NoAnswer(SpotlabError):
    """A file system that does not answer."""


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
        awaited = job in _running
        job.deliver(message)
        if awaited and not _running:
            _pool.submit(garbage.settle_after_work)  # the window need not wait for it


@cache
def _post() -> _Post:
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
        self._outcome: tuple[str, Any] | None = None
        if QCoreApplication.instance() is not None:  # before there is one, no timer can be started
            garbage.collect_on_this_thread()
        self._post = _post()  # made on the window's thread, where it belongs

    def cancel(self) -> None:
        """Want nothing of it any more: no callback comes, the work ends at its next report."""
        self.cancelled = True

    def work(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Call the function; this runs in the thread."""
        try:
            if self.cancelled:
                raise Cancelled
            self._outcome = ("done", function(*args, self.report))
        except Exception as error:
            self._outcome = ("failed", error)
        self._ended.set()
        with suppress(RuntimeError):  # the program has ended meanwhile
            self._post.arrived.emit(self, self._outcome)

    def wait(self, seconds: float) -> None:
        """Wait until the function has ended, so long at most; its callback comes with the events.

        Events of this kind come before the next frame is painted.
        """
        self._ended.wait(seconds)

    @property
    def has_ended(self) -> bool:
        """Whether the function has ended, though its callback may not have been called yet."""
        return self._ended.is_set()

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised, once it has ended."""
        assert self._outcome is not None
        what, value = self._outcome
        if what == "failed":
            raise value
        return value

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
    awaited: bool = True,
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
    awaited : bool
        Closing the window waits for its end; False of what only looks at something.
    """
    threads = _urgent_pool if urgent else _pool
    job = Job(done, failed, progress, threads)
    if awaited:
        _running.add(job)
    threads.submit(job.work, function, args)
    return job


def call(function: Callable[..., Result], *args: object) -> Result:
    """Call ``function(*args)`` in a thread and return its result; the window is drawn meanwhile.

    For short questions to the file system, which usually answers at once: where it does not, other
    events than those of keys and the mouse are handled until it does.

    Raises
    ------
    NoAnswer
        The function is still under way after `PATIENCE` seconds.
    """
    job = run(lambda _: function(*args), failed=lambda _: None, urgent=True)
    job.wait(AT_ONCE)
    if not job.has_ended and not wait_for(lambda: job.has_ended, PATIENCE):
        job.cancel()
        named = next((f"{value}: " for value in args if isinstance(value, PurePath)), "")
        raise NoAnswer(f"{named}the file system has not answered for {PATIENCE:.0f} s")
    result: Result = job.result()
    return result


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
