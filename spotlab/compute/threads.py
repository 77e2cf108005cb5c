"""Processor cores that work may use, and work in threads that share one memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import ContextVar
from itertools import islice
from typing import TypeVar

from spotlab.progress import Progress

_OPENCV = "OPENCV_FOR_THREADS_NUM"  # which OpenCV reads when it is loaded
_ALL = -1  # as OpenCV calls its default

_CORES: ContextVar[int] = ContextVar("cores", default=0)  # 0 for all


def cores() -> int:
    """Tell how many processor cores work may use, called from this thread: all unless `use_cores`
    says.

    Returns
    -------
    int
        At least 1; those that the system gives this process, where it says so.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return _CORES.get() or (len(allowed(0)) if allowed else os.cpu_count() or 1)


def use_cores(count: int) -> None:
    """Use so many processor cores from now on, in work that this thread asks for.

    OpenCV has one number for all threads. A second thread of its own gains a twentieth where it
    takes a tenth more processor time, which is missing where other work goes on side by side.

    Parameters
    ----------
    count : int
        0 for all.

    Examples
    --------
    >>> from contextvars import copy_context
    >>> context = copy_context()
    >>> context.run(use_cores, 3)
    >>> context.run(cores)
    3
    >>> context.run(use_cores, 0)
    """
    limited = _CORES.get()
    _CORES.set(count)
    if not count and not limited:
        return  # whoever set OpenCV's number, it is not for us to change
    os.environ.pop(_OPENCV, None)
    limit = getattr(sys.modules.get("cv2"), "setNumThreads", None)  # another thread may load it
    if limit is not None:
        limit(count or _ALL)
    elif count:
        os.environ[_OPENCV] = str(count)


POLL = 0.1  # seconds between two questions whether results are still wanted

Work = TypeVar("Work")
Result = TypeVar("Result")


def each_in_threads(
    function: Callable[[Work], Result],
    works: Sequence[Work],
    progress: Progress,
    doing: str,
    threads: int = 0,
) -> Iterator[tuple[int, Result]]:
    """Do all works in threads; nothing is copied, and nothing is sent to another process.

    This pays where ``function`` spends its time in code that releases Python's lock.

    Parameters
    ----------
    function : callable
        Called with a work.
    works : sequence
    progress : Progress
        Told of each work, in the thread that asks for results.
    doing : str
        What is going on.
    threads : int
        0 for one on each of the `cores`.

    Yields
    ------
    (int, result)
        The number of the work and what the function returned, as soon as it has.

    Raises
    ------
    Cancelled
        From ``progress``; what has not begun is never begun then, and what has is waited for.

    Examples
    --------
    >>> from spotlab.progress import silent
    >>> sorted(each_in_threads(abs, [-3, 4], silent, "measuring", threads=2))
    [(0, 3), (1, 4)]
    """
    count = threads or cores()
    waiting = iter(enumerate(works))
    running: dict[Future[Result], int] = {}
    done = 0
    pool = ThreadPoolExecutor(count, "spotlab-work")
    try:
        progress(done, len(works), doing)
        while True:
            for number, work in islice(waiting, 2 * count - len(running)):
                running[pool.submit(function, work)] = number
            if not running:
                return
            finished, _ = wait(running, POLL, FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
                done += 1
            progress(done, len(works), doing)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
