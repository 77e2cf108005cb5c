"""Other programs that work for this one, and end when it does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from spotlab.interruption import letting_go, undisturbed

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
