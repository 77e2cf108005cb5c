"""Steps that are drawn by programs of their own, which may be killed."""

from __future__ import annotations

import os
from collections.abc import Callable

from spotlab.editing.session import EditingSession
from spotlab.model import Region

SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))


def draw(session: EditingSession, label: str) -> None:
    session.history.do(f"Draw {label}", session.document.adding(Region(SQUARE, label)))


def in_a_child(work: Callable[[], object]) -> int:
    """Do the work in a process of its own; gives how it ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
    return os.waitpid(child, 0)[1]
