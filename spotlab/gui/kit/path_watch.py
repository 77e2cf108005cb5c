"""Tells when files and folders change; a thread looks at them, so that nothing waits for a disk.

The system's own notices would have to be asked for on the window's thread, which hangs where a
network drive does, and they do not come from other computers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QTimer

from spotlab.gui.kit import background
from spotlab.progress import Progress

EVERY = 1_000  # ms between two looks
SLOWER = 10  # times as long as a look took, at least
SETTLED = 2.0  # seconds after which another change gives another time on every file system

Stamp = tuple[int, int, int, bool] | None  # time, size, number, settled; None of what is not there


class PathWatch:
    """Looks at paths again and again.

    Parameters
    ----------
    changed : callable
        Called when a path has appeared, changed or gone. What has changed just now is told of
        once more when it has settled: it may have changed twice within the file system's clock.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._paths: frozenset[Path] = frozenset()
        self._stamps: dict[Path, Stamp] = {}
        self._job: background.Job | None = None
        self._timer = QTimer(singleShot=True, interval=EVERY)
        self._timer.timeout.connect(self._look)

    def follow(self, paths: Iterable[Path]) -> None:
        """Watch these paths and no others."""
        paths = frozenset(paths)
        if paths == self._paths:
            return
        self._paths = paths
        self._stamps = {path: stamp for path, stamp in self._stamps.items() if path in paths}
        self._timer.stop()
        if self._job is None and paths:
            self._look()

    def _look(self) -> None:
        self._job = background.run(
            _stamps, self._paths, done=self._compare, urgent=True, awaited=False
        )

    def _compare(self, looked: tuple[dict[Path, Stamp], float]) -> None:
        self._job = None
        stamps, took = looked
        before = self._stamps
        self._stamps = {path: stamp for path, stamp in stamps.items() if path in self._paths}
        if self._paths:
            self._timer.start(max(EVERY, round(1000 * SLOWER * took)))
        if any(path in before and before[path] != stamp for path, stamp in self._stamps.items()):
            self._changed()


def _stamps(paths: frozenset[Path], progress: Progress) -> tuple[dict[Path, Stamp], float]:
    begin = time.monotonic()
    stamps: dict[Path, Stamp] = {}
    for path in paths:
        progress(len(stamps), len(paths), "")
        stamps[path] = _stamp(path)
    return stamps, time.monotonic() - begin


def _stamp(path: Path) -> Stamp:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    settled = time.time() - status.st_mtime > SETTLED
    return status.st_mtime_ns, status.st_size, status.st_ino, settled
