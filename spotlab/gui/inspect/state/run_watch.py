"""Watches the files of the open runs, and says when one is to be read again.

Looking is done in a thread: a file system that hangs does not hold the window up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer

from spotlab.formats.runs.file_state import (
    FileState,
    Step,
    WatchedFile,
    file_state,
    is_being_written,
)
from spotlab.gui.kit.known_settings import READS_CHANGED_RUNS
from spotlab.gui.kit.settings import Settings
from spotlab.gui.kit.task import Task
from spotlab.progress import Progress

EVERY = 250  # ms between two looks
SOON = 60  # ms between two looks while a file changes
SLOWER = 10  # times as long as a look took, at least

Looks = Sequence[tuple[Path, FileState, bool]]


class RunWatch:
    """Looks at files as long as there are some and the user wants it.

    Parameters
    ----------
    settings : Settings
        Remember whether the user wants it.
    reread : callable
        Called with the path of a run to be read again, and whether it has been left alone for long.
    tell : callable
        Called with the path and the problem of a file that cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        reread: Callable[[Path, bool], object],
        tell: Callable[[Path, str], object],
    ) -> None:
        self._settings, self._reread, self._tell = settings, reread, tell
        self._files: dict[Path, WatchedFile] = {}
        self._task = Task(urgent=True)
        self._timer = QTimer()
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)

    @property
    def wanted(self) -> bool:
        """Whether changed runs are read."""
        return self._settings.get(READS_CHANGED_RUNS)

    def set_wanted(self, wanted: bool) -> None:
        """Read changed runs from now on, or do not."""
        self._settings.set(READS_CHANGED_RUNS, wanted)
        self._begin_or_end()

    def follow(self, files: Sequence[tuple[Path, FileState]]) -> None:
        """Watch these, each read in that state."""
        before = self._files
        self._files = {}
        for path, state in files:
            known = before.get(path)
            if known is None:
                known = WatchedFile(path, state)
            elif known.read != state:
                known.read = state
            self._files[path] = known
        self._begin_or_end()

    def refuse(self, path: Path, problem: str) -> None:
        """What was read of a file cannot be used, until it changes again."""
        if path in self._files:
            self._files[path].refuse(problem)

    def look(self) -> None:
        """See how all files are, in a thread."""
        if self._task.busy or not self._timer.isActive():
            return
        wanted = [(file.path, file.read) for file in self._files.values()]
        self._task.start(_look, wanted, done=self._take, failed=lambda _: None)

    def _take(self, found: tuple[Looks, float]) -> None:
        looks, took = found
        now = time.monotonic()
        changing = False
        for path, state, being_written in looks:
            file = self._files.get(path)
            if file is None:
                continue
            changing |= state != file.read
            step = file.look(now, state, being_written)
            if step in (Step.READ, Step.READ_PATIENTLY):
                self._reread(path, step is Step.READ_PATIENTLY)
            elif step is Step.TELL:
                self._tell(path, file.problem)
        self._timer.setInterval(max(SOON if changing else EVERY, round(1000 * SLOWER * took)))

    def _begin_or_end(self) -> None:
        if self._files and self.wanted:
            if not self._timer.isActive():
                self._timer.start()
            return
        self._timer.stop()
        self._task.cancel()


def _look(wanted: Sequence[tuple[Path, FileState]], _: Progress) -> tuple[Looks, float]:
    begin = time.monotonic()
    looks = []
    for path, read in wanted:
        state = file_state(path)
        looks.append((path, state, state != read and bool(state) and is_being_written(path)))
    return looks, time.monotonic() - begin
