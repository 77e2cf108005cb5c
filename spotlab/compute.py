"""Where work that falls into independent parts is run; nothing else knows where that is."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context


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
        mp_context=get_context("spawn"),
        initializer=signal.signal,  # Ctrl+C reaches the workers too: only the caller answers it
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
