"""Steps that are drawn by programs of their own, which may be killed."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from spotlab.editing.session import EditingSession
from spotlab.errors import NotSaved
from spotlab.model import Page, Region

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


class Writer:
    """A program of its own that edits a page until it is killed.

    Parameters
    ----------
    path : Path
        The truth file.
    page : Page
    before : callable, optional
        Called in the program first, for instance to make it one of another machine.
    """

    def __init__(self, path: Path, page: Page, before: Callable[[], object] = int) -> None:
        here, there = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            here.close()
            before()
            _write_as_told(EditingSession.open(path, page), there)
        there.close()
        self._told = here.makefile("rw")
        self._turn = threading.Lock()

    def draw(self, *labels: str) -> None:
        """Draw regions with these labels."""
        for label in labels:
            self._tell(label)

    def save(self) -> str:
        """Save; gives what stood against it."""
        return self._tell("save!")

    def journal(self) -> str:
        """Where its steps are."""
        return self._tell("journal?")

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self._told.close()

    def _tell(self, what: str) -> str:
        with self._turn:  # a journal is written in a thread, which may tell it something, too
            print(what, file=self._told, flush=True)
            answer = self._told.readline()
        assert answer, "it has ended"
        return answer.strip()


def _write_as_told(session: EditingSession, told: socket.socket) -> NoReturn:
    try:
        with told.makefile("rw") as lines:
            for line in lines:
                answer = ""
                if line == "save!\n":
                    try:
                        session.save()
                    except NotSaved as error:
                        answer = str(error)
                elif line == "journal?\n":
                    answer = str(session.journal)
                else:
                    draw(session, line.strip())
                print(answer, file=lines, flush=True)
    finally:
        os._exit(1)


def wait_for(happened: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is the case."""
    ends = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.01)
