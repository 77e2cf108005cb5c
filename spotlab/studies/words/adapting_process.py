"""Adapts a network in a process of its own, which can be ended at any time and loses nothing."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Full
from typing import Any

from spotlab.errors import SpotlabError
from spotlab.interruption import install_in_worker, shielded
from spotlab.progress import Progress
from spotlab.studies.words.adapting import AdaptedHand, adapt_words

_POLL = 0.1  # s between two questions whether the result is still wanted
_PATIENCE = 5.0  # s for a process to end by itself
_NICE = 5  # learning for minutes gives way to whatever somebody waits for


@dataclass(frozen=True)
class _Told:
    """How far the process is."""

    done: int
    total: int | None
    doing: str


def adapt_in_process(arguments: dict[str, Any], progress: Progress) -> AdaptedHand:
    """Call `spotlab.studies.words.adapting.adapt_words` in a process of its own.

    Parameters
    ----------
    arguments : dict
        Its arguments but ``progress``, by name.
    progress : Progress
        Asked all the time; where it raises `Cancelled`, the process is ended.

    Raises
    ------
    SpotlabError
        What it raises, or that the process has ended before its time.
    """
    made: AdaptedHand = _run(adapt_words, arguments, progress)
    return made


def _run(function: Callable[..., Any], arguments: dict[str, Any], progress: Progress) -> Any:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(100)
    task = (queue, function, arguments)
    process = context.Process(target=_work, args=task, daemon=True)
    with shielded():
        process.start()
    told = _Told(0, None, "starting")
    try:
        while True:
            progress(told.done, told.total, told.doing)
            is_alive = process.is_alive()  # before the last word is looked for
            try:
                said = queue.get(timeout=_POLL)
            except Empty:
                if not is_alive:
                    raise SpotlabError("the process that learns has ended") from None
                continue
            if isinstance(said, Exception):
                raise said
            if not isinstance(said, _Told):
                process.join(_PATIENCE)
                return said
            told = said
    finally:
        process.terminate()  # it ends at once, but in the middle of no file
        process.join(_PATIENCE)
        if process.is_alive():
            process.kill()
        queue.close()


def _work(queue: Any, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    install_in_worker()
    with suppress(AttributeError, OSError):  # not on Windows
        os.nice(_NICE)

    def tell(done: int, total: int | None, doing: str) -> None:
        with suppress(Full):  # whoever listens is busy
            queue.put_nowait(_Told(done, total, doing))

    try:
        queue.put(function(**arguments, progress=tell))
    except Exception as error:
        queue.put(error)
