"""Other programs that work for this one, and end when it does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from spotlab.interruption import letting_go, undisturbed


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
