"""Processes: the memory that this one keeps, and programs that work for it and end with it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from spotlab.interruption import letting_go, undisturbed

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # as mallopt() names them
_OWN_PAGES = 32 * 1024 * 1024  # bytes, the most that glibc takes


def share_one_heap() -> None:
    """Make the C library keep all memory in one heap, from which what is free can be returned.

    By default glibc has a heap for each thread, with holes in each that the others cannot use: an
    eighth more where threads load a large run. Does nothing where the C library is not glibc.
    """
    mallopt = _library_function("mallopt")
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
    keep_for_next_work()


def keep_for_next_work() -> None:
    """Keep memory of arrays of up to 32 MB for those that come next; up to 64 MB are kept.

    Pages of their own would come from the system each time: large images and runs would take twice
    as long. Dask starts its workers with 64 kB, with which small pages, too, take half as long
    again. Does nothing where the C library is not glibc.
    """
    mallopt = _library_function("mallopt")
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _OWN_PAGES)
        mallopt(_TRIM_THRESHOLD, 2 * _OWN_PAGES)


def release_memory() -> None:
    """Return freed memory to the operating system: that of the C library, if it is glibc.

    After work on large arrays glibc keeps up to hundreds of megabytes of holes that only the next
    such work would use. So does pyarrow, which is asked, too, where it is in use.
    """
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None:
        pyarrow.default_memory_pool().release_unused()
    trim = _library_function("malloc_trim")
    if trim is not None:
        trim(0)


def _library_function(name: str) -> ctypes._NamedFuncPointer | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


_SAFE = "PYTHONSAFEPATH"
_OURS = "spotlab"  # any text means yes; this one tells that nobody else has set it
_ROOT = str(Path(__file__).absolute().parents[1])


def own_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of spotlab in a process of its own.

    Builds for people without Python understand it, too.

    Parameters
    ----------
    module : str
        Dotted name.
    *arguments : str
    """
    return [sys.executable, "-m", module, *arguments]


def run_nothing_from_here() -> None:
    """Keep the processes that this one starts from importing modules of the current folder.

    Python looks for modules in the current folder first when it runs ``-m`` or ``-c``, also for its
    own such as ``multiprocessing``. A stranger's folder could hold one of these names. The folder
    that spotlab itself was imported from stays known, as it may be a checkout.
    """
    if os.environ.setdefault(_SAFE, _OURS) == _OURS and _ROOT not in sys.path[1:]:
        paths = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_ROOT, paths)))


def environment_of_others() -> dict[str, str]:
    """The environment for programs of the user, without what `run_nothing_from_here` has set."""
    return {name: value for name, value in os.environ.items() if (name, value) != (_SAFE, _OURS)}


@contextmanager
def started(command: Sequence[str], **settings: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a program, which is killed if it is still running at the end.

    Parameters
    ----------
    command : sequence of str
    **settings
        Those of `subprocess.Popen`.
    """
    with ExitStack() as stack:
        with undisturbed:  # else it might be there and nobody know of it
            process = subprocess.Popen(command, **settings)
            stack.callback(_end, process)
            stack.enter_context(letting_go(process.kill))
        yield process


def _end(process: subprocess.Popen[Any]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
