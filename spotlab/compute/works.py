"""Does many works side by side, and adds up what they give: the only place where that is done.

A work is a page, or some pages. It is done here, in processes of this machine, or on a cluster, and
what comes of it never depends on where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from spotlab.compute import executors
from spotlab.compute.executors import cores
from spotlab.errors import SpotlabError
from spotlab.progress import Progress, track

WIDTH = 8  # results that are added at a time


class SumTree:
    """Adds `WIDTH` results in a row as soon as all of them are there, then `WIDTH` such sums, ….

    So few are held at a time, and the form of the tree, and with it the last digits of a sum,
    depends on the number of results only.

    Parameters
    ----------
    add : callable
        The sum of some results in a row.

    Examples
    --------
    >>> tree = SumTree("".join)
    >>> for number in reversed(range(10)):
    ...     tree.put(number, "abcdefghij"[number])
    >>> tree.total(), tree.held
    ('abcdefghij', 0)
    """

    def __init__(self, add: Callable[[Sequence[Any]], Any]) -> None:
        self._add = add
        self._groups: dict[tuple[int, int], dict[int, Any]] = {}

    @property
    def held(self) -> int:
        """Number of results and sums that are held."""
        return sum(map(len, self._groups.values()))

    def put(self, number: int, result: Any) -> None:
        """Take a result.

        Parameters
        ----------
        number : int
            Its place, from 0.
        result : object
        """
        self._put(0, number, result)

    def total(self) -> Any:
        """The sum of all results, of whose numbers none is missing; None where there is none."""
        while self._groups:
            level, place = min(self._groups)
            group = self._groups.pop((level, place))
            if not self._groups and len(group) == 1:
                return group[0]
            self._put(level + 1, place, self._sum(group))
        return None

    def _put(self, level: int, number: int, value: Any) -> None:
        key = level, number // WIDTH
        group = self._groups.setdefault(key, {})
        group[number % WIDTH] = value
        if len(group) == WIDTH:
            del self._groups[key]
            self._put(level + 1, key[1], self._sum(group))

    def _sum(self, group: dict[int, Any]) -> Any:
        return self._add([group[place] for place in sorted(group)])


POLL = 0.1  # seconds between two questions whether results are still wanted

Work = TypeVar("Work")
Result = TypeVar("Result")


def each_done(
    function: Callable[..., Result],
    works: Iterable[Work],
    jobs: int,
    cluster: str | None,
    progress: Progress,
    doing: str,
    *,
    common: tuple[Any, ...] = (),
) -> Iterator[tuple[int, Result]]:
    """Do all works wherever `executor` says; with one job or work, here and one after the other.

    Few works are handed out at a time, so that there may be any number of them.

    Parameters
    ----------
    function : callable
        Called with a work and all of ``common``; has to come through to another process.
    works : iterable
        Works are taken as they are needed.
    jobs : int
        Number of processes, of which no more are started than there are works; 0 for one a core.
    cluster : str or None
        Address of a Dask scheduler whose workers do the work instead; see `executor`.
    progress : Progress
        Told of each work.
    doing : str
        What is going on.
    common : tuple
        What all works need; each worker gets it once.

    Yields
    ------
    (int, result)
        The number of the work and what the function returned, as soon as it has.

    Raises
    ------
    SpotlabError
        Whoever worked has ended before its time. What was yielded is done nevertheless.
    Cancelled
        From ``progress``; what has not begun is never begun then, and what has is given up.

    Examples
    --------
    >>> from spotlab.progress import silent
    >>> list(each_done(abs, [-3, 4], 1, None, silent, "measuring"))
    [(0, 3), (1, 4)]
    >>> list(each_done(pow, [2, 3], 1, None, silent, "measuring", common=(10,)))
    [(0, 1024), (1, 59049)]
    """
    if isinstance(works, Sized) and not len(works):
        return
    jobs = _useful(works, jobs)
    if cluster is None and jobs == 1:
        for number, work in enumerate(track(works, progress, doing)):
            yield number, function(work, *common)
        return
    with executors.executor(jobs, cluster, common) as pool:
        for number, future in _finished(pool, function, works, progress, doing):
            with _told_in_a_line():
                result = future.result()
            del future
            yield number, result


def add_up(
    function: Callable[..., Result],
    add: Callable[[Sequence[Result]], Result],
    works: Iterable[Work],
    jobs: int,
    cluster: str | None,
    progress: Progress,
    doing: str,
    *,
    common: tuple[Any, ...] = (),
) -> Result | None:
    """Do all works, and add up what they give in a tree whose form depends on their number only.

    The last digits of sums are therefore the same wherever the works are done. On a cluster the
    workers add, and only the total comes here.

    Parameters
    ----------
    function, works, jobs, cluster, progress, doing, common
        As in `each_done`.
    add : callable
        The sum of some results in a row, one or more.

    Returns
    -------
    result or None
        None without works.

    Raises
    ------
    SpotlabError, Cancelled
        As `each_done` does.

    Examples
    --------
    >>> from spotlab.progress import silent
    >>> add_up(abs, sum, [-3, 4, -5], 1, None, silent, "measuring")
    12
    """
    if cluster is None:
        tree = SumTree(add)
        done = each_done(function, works, jobs, cluster, progress, doing, common=common)
        for number, part in done:
            tree.put(number, part)
        here: Result | None = tree.total()
        return here
    with executors.executor(jobs, cluster, common) as pool:
        sums = SumTree(lambda futures: pool.submit(add, futures))
        for number, future in _finished(pool, function, works, progress, doing):
            with _told_in_a_line():
                if future.status != "finished":
                    future.result()
            sums.put(number, future)
            del future
        total = sums.total()
        if total is None:
            return None
        with _told_in_a_line():
            there: Result = _waited(total, progress, doing).result()
        return there


def _useful(works: Iterable[Any], jobs: int) -> int:
    """The number of processes that have something to do."""
    most = jobs or cores()
    return min(most, len(works)) if isinstance(works, Sized) else most


def _finished(
    pool: Any, function: Callable[..., Any], works: Iterable[Any], progress: Progress, doing: str
) -> Iterator[tuple[int, Any]]:
    """The number and the future of each work that has finished."""
    total = len(works) if isinstance(works, Sized) else None
    numbers: dict[Any, int] = {}
    finished: SimpleQueue[Any] = SimpleQueue()
    waiting = enumerate(works)
    done = 0
    try:
        progress(done, total, doing)
        while True:
            for number, work in islice(waiting, max(pool.room - len(numbers), 0)):
                with _told_in_a_line():
                    future = pool.do(function, work)
                numbers[future] = number
                future.add_done_callback(finished.put)
                del future, work
            if not numbers:
                return
            last = [_next(finished, partial(progress, done, total, doing))]
            # nobody else holds it: a cluster does what is held again when it loses a worker
            yield numbers.pop(last[0]), last.pop()
            done += 1
            progress(done, total, doing)
    except BaseException:
        pool.stop()
        raise


def _next(finished: SimpleQueue[Any], still_waiting: Callable[[], None]) -> Any:
    """The next of the futures that finish; asks now and then whether it is still waited for."""
    while True:
        try:
            return finished.get(timeout=POLL)
        except Empty:
            still_waiting()


def _waited(future: Any, progress: Progress, doing: str) -> Any:
    """The future once it has finished."""
    finished: SimpleQueue[Any] = SimpleQueue()
    future.add_done_callback(finished.put)
    return _next(finished, partial(progress, 0, None, doing))


@contextmanager
def _told_in_a_line() -> Iterator[None]:
    """Say in a line why a worker or the cluster failed; errors of the work stay as they are."""
    again = "what was finished and kept is not done again"
    try:
        yield
    except BrokenProcessPool as error:
        raise SpotlabError(
            "a process that worked was ended, perhaps for want of memory; try again, with fewer "
            f"jobs if it is: {again}"
        ) from error
    except CancelledError as error:
        raise SpotlabError(f"the Dask scheduler is gone; try again: {again}") from error
    except Exception as error:
        if not type(error).__module__.startswith("distributed"):  # which need not be installed
            raise
        if type(error).__name__ == "KilledWorker":
            problem = "several workers of the cluster ended over the same work"
        else:
            problem = f"the cluster failed: {error}"
        raise SpotlabError(f"{problem}; try again: {again}") from error
