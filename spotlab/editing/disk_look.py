"""Sees whether a truth file is still the one that a session knows, without reading it in vain."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path

from spotlab.editing.journal import Journal, digest, user_of
from spotlab.editing.journal_file import journal_paths
from spotlab.errors import NotSaved, reason
from spotlab.files import check_regular, read_file

Stamp = tuple[int, int, int, int]  # of a file: changed at, size, number, device
TRIES = 5  # at a file that changes while it is read
SETTLED = 2_000_000_000  # ns after which another change gives another time on every file system


@dataclass(frozen=True)
class Look:
    """What it takes to see whether the truth file is still the one that a session knows."""

    path: Path
    state: str
    stamp: Stamp | None
    journal: Journal

    def run(self) -> Seen:
        """Look at the file; may run in another thread. It is read only if its status is another.

        Raises
        ------
        NotSaved
            The file is there but cannot be read.
        """
        self.journal.keep()
        used_by = user_of(self.path, self.journal.holds)
        left = not used_by and _has_steps(self.path, self.journal)
        now = time.time_ns()
        stamp = _stamp(self.path)
        if self.stamp == stamp:
            return Seen(False, b"", stamp, used_by, left)
        content = content_of(self.path)
        changed = digest(content) != self.state
        settled = now - stamp[0] > SETTLED
        known = stamp if settled and not changed else None
        return Seen(changed, content if changed else b"", known, used_by, left)


@dataclass(frozen=True)
class Seen:
    """What a look has found.

    Attributes
    ----------
    changed : bool
        Another program has written or removed the truth file.
    content : bytes
        What it has written; empty if it has removed the file, or changed nothing.
    stamp : tuple or None
        The file's status by which it is known; None if that is too fresh to tell it.
    used_by : str
        Who else has unsaved steps of this page, see `user_of`; empty if nobody has.
    left_by_another : bool
        There is a journal that nobody holds.
    """

    changed: bool
    content: bytes
    stamp: Stamp | None
    used_by: str
    left_by_another: bool


def is_in_state(path: Path, state: str) -> bool:
    """Whether a truth file has the content with this digest, up to the moment of the answer.

    Parameters
    ----------
    path : Path
    state : str
        See `spotlab.editing.journal.digest`.

    Raises
    ------
    NotSaved
        The file is there but cannot be read.
    """
    for _ in range(TRIES):
        before = _stamp(path)
        if digest(content_of(path)) != state:
            return False
        if _stamp(path) == before:
            return True
    return False


def content_of(path: Path) -> bytes:
    """The file's content; empty where there is none."""
    try:
        return read_file(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise NotSaved(f"{path} cannot be read: {reason(error)}") from error


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return 0, 0, 0, 0
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev


def _has_steps(path: Path, own: Journal) -> bool:
    """Whether there is a journal that could be taken over."""
    for place in journal_paths(path):
        with contextlib.suppress(OSError):
            status = check_regular(place)
            if status.st_size and not own.holds((status.st_dev, status.st_ino)):
                return True
    return False
