"""Threads for jobs of which any may hang, as calls to a file system that has gone do."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition, Thread, Timer, current_thread

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
