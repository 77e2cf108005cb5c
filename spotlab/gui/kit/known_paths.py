"""Knows whether files and folders exist, without keeping the window waiting for the answer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from spotlab.files import exists
from spotlab.gui.kit import background
from spotlab.progress import Progress
from spotlab.signal import Signal


def is_there(path: Path) -> bool:
    """Ask the file system whether there is anything at a path; the window is drawn meanwhile.

    False where it does not answer.
    """
    try:
        return background.call(exists, path)
    except background.NoAnswer:
        return False


class KnownPaths:
    """Remembers which paths were there when they were looked at last; a thread looks.

    ``changed`` is emitted when the answer for a path is another one. A path that has not been
    looked at, or of which the file system says nothing yet, counts as there.
    """

    def __init__(self) -> None:
        self.changed = Signal[[]]()
        self._missing: frozenset[Path] = frozenset()
        self._job: background.Job | None = None
        self._waiting: tuple[Path, ...] | None = None

    def is_there(self, path: Path) -> bool:
        """Return whether the path was there when it was looked at last."""
        return path not in self._missing

    def look(self, paths: Iterable[Path]) -> None:
        """Look at these paths, and forget all others."""
        wanted = tuple(paths)
        if self._job is not None:
            self._waiting = wanted  # a file system that hangs takes one thread, not one each time
        else:
            self._job = background.run(_missing, wanted, done=self._note, awaited=False)

    def _note(self, missing: frozenset[Path]) -> None:
        self._job = None
        if missing != self._missing:
            self._missing = missing
            self.changed.emit()
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self.look(waiting)


def _missing(paths: tuple[Path, ...], _: Progress) -> frozenset[Path]:
    return frozenset(path for path in paths if not exists(path))
