"""Work in threads: run a plain function, and hear of it on the window's thread."""

from __future__ import annotations

import gc
import math
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import PurePath
from threading import Condition, Event, Thread, Timer, current_thread
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimerEvent, Slot
from PySide6.QtCore import Signal as QtSignal
from shiboken6 import isValid

from spotlab.errors import Cancelled, SpotlabError
from spotlab.processes import release_memory
from spotlab.signal import Signal, owner_of

LARGE = 100_000  # values, of which a load leaves objects that are not looked at again and again
EVERY = 100  # ms between two looks; nothing is done while little has been allocated
FULL_EVERY = 20.0  # seconds at least between two collections of everything


TURNS = 5  # times that nothing is under way after a load: what it leads to comes one by one

_spared = False  # whether a large load is not looked at
_closed = False  # whether it was closed, and nobody has looked since
_turns = 0  # that are left of these


@cache
def collect_on_this_thread() -> Collector:
    """Collect from now on where this is called first, which has to be the window's thread."""
    gc.disable()
    return Collector()


class Collector(QObject):
    """Looks now and then how much has been allocated and collects as Python itself would."""

    def __init__(self) -> None:
        super().__init__()
        self._last_full = time.monotonic()
        self.startTimer(EVERY)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Collect the oldest generation whose turn it is; all, once a large load is closed."""
        global _closed  # noqa: PLW0603
        if _closed:
            _closed = False
            gc.collect()
            release_memory()
            return
        generation = self.due()
        if generation is not None:
            gc.collect(generation)

    def due(self) -> int | None:
        """The generation to collect now, if any."""
        young, middle, old = (
            count > threshold > 0
            for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if not young:
            return None
        now = time.monotonic()
        if old and now - self._last_full >= FULL_EVERY:
            self._last_full = now
            return 2
        return 1 if middle else 0


def settle_after_load(values: int) -> None:
    """Spare what a large load has left from being looked at, and give back what it needed besides.

    Parameters
    ----------
    values : int
        How many values were loaded, such as spots; nothing is done after a load of few.
    """
    global _spared, _turns  # it is the process that collects
    if values >= LARGE:
        gc.freeze()
        _spared, _turns = True, TURNS
        release_memory()


def settle_after_work() -> None:
    """Give back what work after a large load needed besides; nothing is done long after it.

    Memory that one moves a slider with stays where it is, until `await_work` says otherwise.
    """
    global _turns  # noqa: PLW0603
    if _turns:
        _turns -= 1
        release_memory()


def await_work() -> None:
    """Expect that more is computed of a large load now, as after it."""
    global _turns  # noqa: PLW0603
    if _spared:
        _turns = TURNS


def look_at_all_again() -> None:
    """Collect all soon, and give back what a large load needed: it is being closed."""
    global _spared, _closed, _turns
    if _spared:
        gc.unfreeze()
        _spared, _closed, _turns = False, True, TURNS


STUCK = 10.0  # seconds without a sign of life after which another thread takes a job's place
SPARE = 6  # threads that may be stuck before jobs have to wait for them


class WorkerThreads:
    """Runs functions in so many threads at a time, in the order in which they were handed over.

    A `ThreadPoolExecutor` would wait for hanging calls for ever: with its later jobs, and when the
    program ends.

    Parameters
    ----------
    size : int
        Number of functions that run at a time, not counting those that hang.
    name : str
        Beginning of the threads' names.
    """

    def __init__(self, size: int, name: str) -> None:
        self.size = size
        self._name = name
        self._jobs: deque[Callable[[], object]] = deque()
        self._changed = Condition()
        self._count = 0
        self._idle = 0
        self._signs: dict[Thread, float] = {}  # when each busy thread gave its last sign of life
        self._timer: Timer | None = None

    def submit(self, function: Callable[..., object], *args: object) -> None:
        """Call the function in a thread, as soon as one is free."""
        with self._changed:
            self._jobs.append(partial(function, *args))
            self._changed.notify()
            self._begin_thread()

    def show_alive(self) -> None:
        """Say that the job in the calling thread gets on."""
        thread = current_thread()
        if thread in self._signs:
            self._signs[thread] = time.monotonic()

    def _begin_thread(self) -> None:
        """Begin a thread if jobs wait and too few threads get on with theirs."""
        if len(self._jobs) <= self._idle:
            return
        now = time.monotonic()
        stuck = sum(now - sign >= STUCK for sign in list(self._signs.values()))
        if self._count - stuck < self.size and self._count < self.size + SPARE:
            self._count += 1
            Thread(target=self._work, name=f"{self._name}_{self._count}", daemon=True).start()
        elif self._timer is None:
            self._timer = Timer(STUCK / 2, self._look_again)
            self._timer.daemon = True
            self._timer.start()

    def _look_again(self) -> None:
        with self._changed:
            self._timer = None
            self._begin_thread()

    def _work(self) -> None:
        this = current_thread()
        while (job := self._next_job(this)) is not None:
            job()
            del job  # nothing that it holds shall be deleted later, in this thread

    def _next_job(self, this: Thread) -> Callable[[], object] | None:
        """Wait for a job; None if other threads have taken the place of this one."""
        with self._changed:
            self._signs.pop(this, None)
            while not self._jobs:
                if self._count > self.size:
                    self._count -= 1
                    return None
                self._idle += 1
                self._changed.wait()
                self._idle -= 1
            self._signs[this] = time.monotonic()
            return self._jobs.popleft()


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

    arrived = QtSignal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @Slot(object, object)
    def _deliver(self, job: Job, message: tuple[str, Any]) -> None:
        awaited = job in _running
        job.deliver(message)
        if awaited and not _running:
            _pool.submit(settle_after_work)  # the window need not wait for it


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
            collect_on_this_thread()
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
        """Tell whether the function has ended, though its callback may not have been called yet."""
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
        hears = done if what == "done" else failed
        if hears:
            owner = owner_of(hears)
            if not isinstance(owner, QObject) or isValid(
                owner
            ):  # what Qt has deleted hears nothing
                hears(value)
        elif what == "failed":
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


QUICK = 250  # ms that work may take without a progress bar


class Reporter(Protocol):
    """Shows the user how far work is, and why it failed.

    Attributes
    ----------
    progressed : Signal
        Number of steps done, their total (None if unknown), and what is going on.
    finished : Signal
        The work has ended; its progress is hidden.
    said : Signal
        A line of text, and whether it is serious.
    retried : Signal
        Work that failed begins again: the serious text that was said of it.
    """

    progressed: Signal[[int, int | None, str]]
    finished: Signal[[]]
    said: Signal[[str, bool]]
    retried: Signal[[str]]


class Task:
    """Runs one function at a time in a thread; all calls come back on the window's thread.

    Parameters
    ----------
    reporter : Reporter, optional
        Shows progress and failures, usually the workbench. Without one, the work is silent.
    say : callable, optional
        Called with the text of a `SpotlabError` and True instead of the reporter's ``said``.
        Without either, every exception is raised.
    urgent : bool
        Does not wait behind work that is not urgent.

    Attributes
    ----------
    busy_changed : Signal
        Emitted when work begins and when it has ended, before ``done`` or ``failed`` is called.

    See Also
    --------
    spotlab.gui.kit.background.run : Runs several functions at a time.
    """

    def __init__(
        self,
        reporter: Reporter | None = None,
        *,
        say: Callable[[str, bool], object] | None = None,
        urgent: bool = False,
    ) -> None:
        self._reporter = reporter
        self._say = say or (reporter.said.emit if reporter else None)
        self._urgent = urgent
        self._job: Job | None = None
        self._told = ""  # why the work failed the last time
        self.busy_changed = Signal[[]]()

    @property
    def busy(self) -> bool:
        """Tell whether the function is still running."""
        return self._job is not None

    def start(
        self,
        function: Callable[..., Result],
        *arguments: object,
        done: Callable[[Result], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Call ``function(*arguments, progress)`` in a thread, and cancel what was under way.

        Parameters
        ----------
        function : callable
            Plain work on frozen values; its last argument is the progress to report to.
        *arguments : object
            Its other arguments.
        done : callable, optional
            Called with the result.
        failed : callable, optional
            Called with the exception, whatever it is, instead of `tell`.
        """

        def succeed(result: Result) -> None:
            self._end()
            if done:
                done(result)

        def fail(error: Exception) -> None:
            self._end()
            (failed or self.tell)(error)

        if self._job:
            self._job.cancel()
        if self._told and self._reporter:
            self._reporter.retried.emit(self._told)
            self._told = ""
        self._job = run(
            function,
            *arguments,
            done=succeed,
            failed=fail,
            progress=self._reporter.progressed.emit if self._reporter else None,
            urgent=self._urgent,
        )
        self.busy_changed.emit()

    def call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Call ``function(*arguments, progress)`` in a thread and return its result.

        The window goes on meanwhile: everything can be done, and the function can be cancelled.

        Raises
        ------
        Cancelled
            Somebody has cancelled it, or has started something else.
        """
        if self._job:
            self._job.cancel()
        job = self._job = run(
            function,
            *arguments,
            failed=lambda _: None,
            progress=self._reporter.progressed.emit if self._reporter else None,
            urgent=self._urgent,
        )
        self.busy_changed.emit()
        job.wait(AT_ONCE)
        if not job.has_ended:
            wait_until(lambda: job.has_ended or job.cancelled, math.inf)
        if job.cancelled:
            raise Cancelled
        job.finished = True  # progress that is still on its way is not shown any more
        self._end()
        result: Result = job.result()
        return result

    def wait(self, seconds: float) -> None:
        """Wait so long at most that what is done with the result is seen in the next frame."""
        if self._job:
            self._job.wait(seconds)

    def cancel(self) -> None:
        """Stop the function at its next report; neither ``done`` nor ``failed`` is called."""
        if self._job:
            self._job.cancel()
            self._end()

    def tell(self, error: Exception) -> None:
        """Show why the work failed; what is no `SpotlabError` is raised."""
        if self._say is None:
            raise error
        raise_unexpected(error)
        self._told = str(error)
        self._say(self._told, True)

    def _end(self) -> None:
        self._job = None
        if self._reporter:
            self._reporter.finished.emit()
        self.busy_changed.emit()


def raise_unexpected(error: Exception) -> None:
    """Raise an exception that is no `SpotlabError`: it is a fault of the program.

    Examples
    --------
    >>> raise_unexpected(SpotlabError("The file is empty"))
    >>> raise_unexpected(KeyError("colour"))
    Traceback (most recent call last):
        ...
    KeyError: 'colour'
    """
    if not isinstance(error, SpotlabError):
        raise error
