"""Hands a page's steps to its journal in a thread, so that no stroke waits for a slow disk.

A step is in the journal before it is shown wherever the disk answers at once. Where it does not, as
on a network drive that is slow or has gone, the step is shown while it is still being written: a
kill in that moment loses it.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from spotlab.editing.history import Kind, Step
from spotlab.editing.journal import Journal
from spotlab.model import Page

PATIENCE = 0.03  # seconds that the disk may take before a step is shown without it
SLOW = 2.0  # seconds after which the user is told that steps are not in the journal yet
_TURN = 0.005  # seconds between two looks at what the disk does


class _Task:
    """Something that is done to the journal in its turn."""

    def __init__(self, function: Callable[[], object], late: Callable[[], object]) -> None:
        self.function = function
        self.late = late  # instead, once nobody can hear any more that the function was refused
        self.ended = threading.Event()
        self.is_late = False  # nobody waits for its end any more
        self.error: Exception | None = None


class JournalWriter:
    """Writes to a journal in the order in which it is asked, in a thread.

    Attributes
    ----------
    count : int
        Number of steps since the journal was begun, those included that are being written.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()  # held for a moment
        self._tasks: deque[_Task] = deque()  # the first is under way
        self._late_error = ""  # of a step that is shown already
        self.count = journal.count

    @property
    def trouble(self) -> str:
        """Why steps are not in the journal at the moment; empty if they are."""
        since = self._journal.busy_since
        if since is not None and time.monotonic() - since > SLOW:
            return f"{self._journal.truth_path}: the disk is slow, the last steps are not safe yet"
        return self._late_error or self._journal.trouble

    def record(self, kind: Kind, step: Step) -> None:
        """Append a step, and wait until it is handed to the system if the disk answers at once.

        Raises
        ------
        InUse
            Another window is editing the page.
        """
        record = partial(self._journal.record, kind, step)
        task = self._add(record, partial(record, is_shown=True), steps=1)
        while not task.ended.wait(_TURN):
            since = self._journal.busy_since
            if since is not None and time.monotonic() - since > PATIENCE:
                with self._lock:
                    if not task.ended.is_set():
                        task.is_late = True
                        return
        if task.error is not None:
            with self._lock:
                self.count -= 1
            raise task.error

    def announce(self, state: str, steps: int) -> None:
        """Append that the truth file is about to become this; see `Journal.announce`."""
        self._wait(partial(self._journal.announce, state, steps))

    def prepare(self, page: Page, source: bytes) -> None:
        """Do beforehand what the first step on this content would wait for."""
        self._journal.prepare(page, source)

    def begin_after(self, steps: int, page: Page, source: bytes) -> None:
        """Start over if the truth file with this content has all steps; waits for the disk.

        Parameters
        ----------
        steps : int
            How many steps the truth file has.
        page : Page
        source : bytes
            The content of the truth file.
        """

        def begin() -> None:
            if self._journal.count == steps:
                self._journal.begin(page, source)
                self._late_error = ""
                with self._lock:
                    self.count -= steps

        self._wait(begin)

    @contextlib.contextmanager
    def alone(self) -> Iterator[Journal]:
        """Wait until all is written, and give the journal itself, for anything else."""
        self._wait(lambda: None)
        try:
            yield self._journal
        finally:
            self._wait(lambda: None)
            self.count = self._journal.count

    def _wait(self, function: Callable[[], object]) -> None:
        task = self._add(function, function)
        task.ended.wait()
        if task.error is not None:
            raise task.error

    def _add(
        self, function: Callable[[], object], late: Callable[[], object], steps: int = 0
    ) -> _Task:
        task = _Task(function, late)
        with self._lock:
            self.count += steps
            self._tasks.append(task)
            if len(self._tasks) == 1:
                threading.Thread(target=self._work, name="journal", daemon=True).start()
        return task

    def _work(self) -> None:
        while True:
            self._run(self._tasks[0])
            with self._lock:
                self._tasks.popleft()
                if not self._tasks:
                    return

    def _run(self, task: _Task) -> None:
        try:
            task.function()
        except Exception as error:
            with self._lock:
                task.error = error
                if not task.is_late:
                    task.ended.set()
                    return
            try:
                task.late()
            except Exception as late_error:
                self._late_error = str(late_error)
        task.ended.set()
