"""Where work that falls into independent parts is run; nothing else knows where that is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor


def executor(jobs: int = 0) -> Executor:
    """An executor of ``jobs`` processes of this machine, by default one a processor.

    Raises
    ------
    ValueError
        ``jobs`` is negative.
    """
    if jobs < 0:
        raise ValueError(f"{jobs} processes cannot work; use 0 for one a processor")
    # "spawn": a fork would copy the locks of whatever threads are running, Qt's among them
    return ProcessPoolExecutor(
        jobs or os.cpu_count() or 1,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_work,
    )


def _begin_work() -> None:
    # Ctrl+C reaches the workers too: only the caller answers it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_caller, daemon=True).start()


def _end_with_caller() -> None:
    """End this process when its caller is gone, who, if killed, could not say so."""
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)
