"""Where work that falls into independent parts is run; nothing else knows where that is."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from spotlab.errors import SpotlabError
from spotlab.interruption import install_in_worker, shielded, undisturbed
from spotlab.progress import Progress, track

PATIENCE = 10.0  # seconds in which a scheduler has to answer
POLL = 0.1  # seconds between two questions whether results are still wanted

Work = TypeVar("Work")
Result = TypeVar("Result")


def executor(jobs: int = 0, cluster: str | None = None) -> _Processes | _ClusterExecutor:
    """An executor of ``jobs`` processes of this machine, by default one a processor.

    Parameters
    ----------
    jobs : int
    cluster : str, optional
        Address of a Dask scheduler, ``tcp://host:8786``: its workers do the work instead, and
        ``jobs`` says nothing. They need the same spotlab, and the same paths to the same files.
        What is exchanged are pickles, which can run anything: the scheduler, its workers and all
        who reach them have to be trusted. ``tls://host:8786`` uses Dask's own settings of
        ``distributed.comm.tls`` for encryption, and lets in only who has a certificate.

    Raises
    ------
    ValueError
        ``jobs`` is negative.
    SpotlabError
        Dask is not installed, or the scheduler does not answer.
    """
    if cluster is not None:
        return _ClusterExecutor(cluster)
    if jobs < 0:
        raise ValueError(f"{jobs} processes cannot work; use 0 for one a processor")
    return _Processes(jobs or os.cpu_count() or 1)


def each_done(
    function: Callable[[Work], Result],
    works: Sequence[Work],
    jobs: int,
    cluster: str | None,
    progress: Progress,
    doing: str,
) -> Iterator[tuple[int, Result]]:
    """Do all works wherever `executor` says; with one job, here and one after the other.

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
    """
    if not works:
        return
    if cluster is None and (jobs == 1 or len(works) == 1):
        for number, work in enumerate(track(works, progress, doing)):
            yield number, function(work)
        return
    futures: dict[Future[Result], int] = {}
    finished: SimpleQueue[Future[Result]] = SimpleQueue()
    with executor(jobs, cluster) as pool:
        try:
            for number, work in enumerate(works):
                future = pool.submit(function, work)
                futures[future] = number
                future.add_done_callback(finished.put)
            progress(0, len(works), doing)
            for done in range(len(works)):
                future = _next(finished, partial(progress, done, len(works), doing))
                # nobody else holds it: a cluster does what is held again when it loses a worker
                number, result = futures.pop(future), _result(future)
                del future
                yield number, result
                progress(done + 1, len(works), doing)
        except BaseException:
            pool.stop()
            raise


def _next(
    finished: SimpleQueue[Future[Result]], still_waiting: Callable[[], None]
) -> Future[Result]:
    """The next of the futures that finish; asks now and then whether it is still waited for."""
    while True:
        try:
            return finished.get(timeout=POLL)
        except Empty:
            still_waiting()


def _result(future: Future[Result]) -> Result:
    again = "what was finished and kept is not done again"
    try:
        return future.result()
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


class _Processes(ProcessPoolExecutor):
    """Processes of this machine, which signals reach only once they are ready for them."""

    def __init__(self, jobs: int) -> None:
        # "spawn": a fork would copy the locks of whatever threads are running, Qt's among them
        context = multiprocessing.get_context("spawn")
        _track_quietly()
        super().__init__(jobs, mp_context=context, initializer=install_in_worker)

    def submit(
        self, function: Callable[..., Result], /, *given: Any, **named: Any
    ) -> Future[Result]:
        with shielded(), undisturbed:  # it may start a process
            return super().submit(function, *given, **named)

    def stop(self) -> None:
        """Wait for no work; each process ends as soon as it writes no file."""
        # not by cancelling: a broken pool of Python 3.11 does not survive cancelled work
        for process in tuple((self._processes or {}).values()):
            process.terminate()


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


class _ClusterExecutor(Executor):
    """Work for the workers of a Dask scheduler; the connection ends with it."""

    def __init__(self, address: str) -> None:
        self._client = _connected(address)
        # one function may give different results: it also writes files
        self._executor = self._client.get_executor(pure=False)

    def submit(
        self, function: Callable[..., Result], /, *given: Any, **named: Any
    ) -> Future[Result]:
        future: Future[Result] = self._executor.submit(function, *given, **named)
        return future

    def stop(self) -> None:
        """Wait for none of its workers."""
        self.shutdown(wait=False, cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        # of a scheduler that is gone there is nothing to let go, and Dask fails in many ways then
        with suppress(Exception):
            self._executor.shutdown(wait=wait and not cancel_futures)
        with suppress(Exception):
            self._client.close()


def _connected(address: str) -> Any:
    """A client of the scheduler."""
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
