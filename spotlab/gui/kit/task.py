"""One job at a time in a thread: its progress and its failure are shown, the next replaces it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol, TypeVar

from spotlab.errors import Cancelled, SpotlabError
from spotlab.gui.kit import background
from spotlab.signal import Signal

Result = TypeVar("Result")
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
        self._job: background.Job | None = None
        self._told = ""  # why the work failed the last time
        self.busy_changed = Signal[[]]()

    @property
    def busy(self) -> bool:
        """Whether the function is still running."""
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
        self._job = background.run(
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
        job = self._job = background.run(
            function,
            *arguments,
            failed=lambda _: None,
            progress=self._reporter.progressed.emit if self._reporter else None,
            urgent=self._urgent,
        )
        self.busy_changed.emit()
        job.wait(background.AT_ONCE)
        if not job.has_ended:
            background.wait_until(lambda: job.has_ended or job.cancelled, math.inf)
        if job.cancelled:
            raise Cancelled
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
