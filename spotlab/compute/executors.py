"""Executors for parallel work: processes on this machine or the workers of a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import islice
from multiprocessing import resource_tracker
from threading import Lock
from time import monotonic
from types import ModuleType
from typing import Any, TypeVar

from spotlab.errors import SpotlabError
from spotlab.interruption import install_in_worker, shielded, undisturbed
from spotlab.processes import keep_for_next_work
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


@contextmanager
def limited_to(count: int) -> Iterator[None]:
    """Use so many processor cores while the block runs; with 0 as many as without it.

    Parameters
    ----------
    count : int

    Examples
    --------
    >>> with limited_to(1):
    ...     cores()
    1
    """
    before = _CORES.get()
    if count:
        use_cores(count)
    try:
        yield
    finally:
        if count:
            use_cores(before)


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


PATIENCE = 10.0  # seconds in which a scheduler has to answer
AHEAD = 4  # works that are handed out for each worker: one it does, others that wait for it
COUNTING = 2.0  # seconds after which the workers of a cluster are counted again


def executor(
    jobs: int = 0, cluster: str | None = None, common: tuple[Any, ...] = ()
) -> _Processes | _ClusterExecutor:
    """An executor of ``jobs`` processes of this machine, by default one a core.

    Parameters
    ----------
    jobs : int
        0 for one on each of the `cores`; these are shared by the processes.
    cluster : str, optional
        Address of a Dask scheduler, ``tcp://host:8786``: its workers do the work instead, and
        ``jobs`` says nothing. They need the same spotlab, and the same paths to the same files.
        What is exchanged are pickles, which can run anything: the scheduler, its workers and all
        who reach them have to be trusted. ``tls://host:8786`` uses Dask's own settings of
        ``distributed.comm.tls`` for encryption, and lets in only who has a certificate.
    common : tuple
        Further arguments of every work of `do`; each worker gets them once, however many works it
        does.

    Raises
    ------
    ValueError
        ``jobs`` is negative.
    SpotlabError
        Dask is not installed, or the scheduler does not answer.
    """
    if cluster is not None:
        return _ClusterExecutor(cluster, common)
    if jobs < 0:
        raise ValueError(f"{jobs} processes cannot work; use 0 for one a core")
    return _Processes(jobs or cores(), common)


class _Processes(ProcessPoolExecutor):
    """Processes of this machine, which signals reach only once they are ready for them."""

    def __init__(self, jobs: int, common: tuple[Any, ...] = ()) -> None:
        # "spawn": a fork would copy the locks of whatever threads are running, Qt's among them
        context = multiprocessing.get_context("spawn")
        _track_quietly()
        sent = pickle.dumps(common)
        given = sent, max(1, cores() // jobs)
        super().__init__(jobs, mp_context=context, initializer=_start_worker, initargs=given)
        self.room = AHEAD * jobs

    def do(self, function: Callable[..., Result], work: object) -> Future[Result]:
        """Call ``function(work, *common)`` in one of the processes."""
        return self.submit(_with_common, function, work)

    def submit(
        self, function: Callable[..., Result], /, *given: Any, **named: Any
    ) -> Future[Result]:
        with shielded(), undisturbed, _without_script():  # it may start a process
            return super().submit(function, *given, **named)

    def stop(self) -> None:
        """Wait for no work; each process ends as soon as it writes no file."""
        # not by cancelling: a broken pool of Python 3.11 does not survive cancelled work
        for process in tuple((self._processes or {}).values()):
            process.terminate()


@contextmanager
def _without_script() -> Iterator[None]:
    """Keep processes that start here from running the script that the user has started again.

    By default each would, to find functions in it; ours need none of these, and a script that does
    not guard its work by ``if __name__ == "__main__"`` would begin anew in each of them.
    """
    with _SCRIPT_LOCK:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


_SCRIPT_LOCK = Lock()


def _track_quietly() -> None:
    """Start the process that removes what locks leave behind, should this one end by force.

    It would say on standard error that it had to.
    """
    name = "PYTHONWARNINGS"
    before = os.environ.get(name)
    os.environ[name] = ",".join(filter(None, [before, "ignore:resource_tracker"]))
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class _SharedArguments:
    """The arguments that all works of a process share."""

    given: tuple[Any, ...] = ()


def _start_worker(common: bytes, share: int) -> None:
    install_in_worker()
    use_cores(share)
    keep_for_next_work()
    _SharedArguments.given = pickle.loads(common)


def _with_common(function: Callable[..., Result], work: object) -> Result:
    return function(work, *_SharedArguments.given)


def _called(function: Callable[..., Result], work: object, common: tuple[Any, ...]) -> Result:
    # for all that its process does, which it has not started
    keep_for_next_work()
    use_cores(1)  # it has a thread for each work that it does
    return function(work, *common)


class _ClusterExecutor(Executor):
    """Work for the workers of a Dask scheduler; the connection ends with it.

    Futures are Dask's own. As arguments of further work they stay on the cluster.
    """

    def __init__(self, address: str, common: tuple[Any, ...] = ()) -> None:
        self._client = _connected(address)
        self._counted = (-COUNTING, 0)
        # a task and not scattered data: if all workers that have it end, it is made again
        self._common = self.submit(pickle.loads, pickle.dumps(common)) if common else common

    @property
    def room(self) -> int:
        """Tell how many works may be handed out at the same time."""
        at, threads = self._counted
        if monotonic() - at > COUNTING:
            threads = 0
            with suppress(Exception):  # while it looks for its scheduler
                threads = sum(self._client.nthreads().values())
            self._counted = (monotonic(), threads)
        return AHEAD * max(threads, 1)

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        # one function may give different results: it also writes files
        return self._client.submit(function, *given, pure=False, **named)

    def do(self, function: Callable[..., Any], work: object) -> Any:
        """Call ``function(work, *common)`` on one of the workers."""
        return self.submit(_called, function, work, self._common)

    def stop(self) -> None:
        """Wait for none of its workers."""
        self.shutdown(wait=False, cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        # of a scheduler that is gone there is nothing to let go, and Dask fails in many ways then
        with suppress(Exception):
            self._client.close()  # what has not begun is never begun then


def _connected(address: str) -> Any:
    """A client of the scheduler."""
    import asyncio  # noqa: PLC0415 - takes a while, too

    try:
        import distributed  # noqa: PLC0415 - takes a while, and need not be there
    except ImportError as error:
        raise SpotlabError(
            "a cluster needs Dask, which is not installed: pip install spotlab[cluster]"
        ) from error
    # it tells at length what is raised here in a line
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        # a client that finds no scheduler, or something else there, is slow and loud about it
        with ThreadPoolExecutor(1) as thread:  # in a notebook this one has an event loop already
            thread.submit(asyncio.run, _greet(address)).result()
        connect: Any = distributed.Client
        return connect(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # whatever it makes of what something else answers
        raise SpotlabError(
            f"no Dask scheduler answers at {address!r}; expected an address such as "
            "tcp://host:8786 of one that is running, or tls://host:8786 and the certificates of "
            "Dask's settings distributed.comm.tls"
        ) from error


async def _greet(address: str) -> None:
    from distributed.comm import core  # noqa: PLC0415
    from distributed.security import Security  # noqa: PLC0415

    # parts of Dask have types, others have none
    connect: Any = core.connect
    security: Any = Security
    settings = security().get_connection_args("client")  # what Dask's configuration says
    comm = await connect(address, timeout=PATIENCE, **settings)
    await comm.close()
