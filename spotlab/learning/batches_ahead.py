"""Batches to learn from, made in this process or ahead by another one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty
from typing import Any, Protocol

from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.interruption import check, install_in_worker, shielded

_AHEAD = 12  # batches that are kept ready


class Source(Protocol):
    """Gives batches."""

    def next(self) -> Any: ...  # noqa: D102


@contextmanager
def batches(make: Callable[[], Source], ahead: bool) -> Iterator[Source]:
    """Make batches, in a process of their own or not.

    Parameters
    ----------
    make : callable
        Makes their source; it can be pickled.
    ahead : bool
        Make batches in another process while this one learns.
    """
    if not ahead:
        yield make()
        return
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(_AHEAD)
    process = context.Process(target=_make_ahead, args=(queue, make), daemon=True)
    with shielded():
        process.start()
    try:
        yield _Ahead(queue, process)
    finally:
        process.kill()
        process.join()


class _Ahead:
    """Takes what another process has made."""

    def __init__(self, queue: Any, process: Any) -> None:
        self._queue, self._process = queue, process

    def next(self) -> Any:
        while True:
            check()
            try:
                return self._queue.get(timeout=1)
            except Empty:
                if not self._process.is_alive():
                    raise SpotlabError("the process that makes batches has ended") from None


def _make_ahead(queue: Any, make: Callable[[], Source]) -> None:
    install_in_worker()
    cv2.setNumThreads(1)
    source = make()
    while True:
        queue.put(source.next())
