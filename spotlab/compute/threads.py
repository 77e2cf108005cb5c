"""Works done in threads of this process: for machine code and array work that share one memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

from spotlab.compute.cores import cores
from spotlab.progress import Progress

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
