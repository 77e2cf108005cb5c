"""The files in which journals are kept: beside the truth file, or else in the user's state folder.

A journal lies beside its truth file. Where that cannot be written, because the disk is full or the
folder is read-only, the whole journal goes into ``journals`` of the user's state folder, under a
name that is made of the truth file's path. Both places are looked at when a page is opened. A
damaged journal is never deleted: it stays as ``NAME.journal.damaged``.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_state_path

from spotlab.errors import SpotlabError
from spotlab.files import name_with
from spotlab.formats.rows.atomic import lock, sync_folder, unlock, write_atomically

_TRIES = 5  # at a lock that somebody may only be looking at
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class InUse(SpotlabError):
    """Another window is editing the page."""


def journal_path(truth_path: Path) -> Path:
    """The journal of a truth file lies beside it."""
    return truth_path.with_name(name_with(truth_path.name, ".journal"))


def second_journal_path(truth_path: Path) -> Path:
    """Where the journal is kept when nothing can be written beside the truth file."""
    where = hashlib.sha256(os.fsencode(os.path.realpath(truth_path))).hexdigest()[:32]
    return user_state_path("spotlab") / "journals" / f"{where}.journal"


def journal_paths(truth_path: Path) -> tuple[Path, Path]:
    """Both places, the one beside the truth file first."""
    return journal_path(truth_path), second_journal_path(truth_path)


def has_journal(truth_path: Path) -> bool:
    """Whether there is a journal in one of its places."""
    return any(os.path.lexists(path) for path in journal_paths(truth_path))


def is_in_use(truth_path: Path) -> bool:
    """Whether a living process, or another session of this one, holds the page's journal."""
    return any(_is_held(path) for path in journal_paths(truth_path))


def _is_held(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        return not lock(handle)
    finally:
        os.close(handle)


class JournalFile:
    """One file that holds the beginning of a journal, or all of it, while this process writes it.

    Attributes
    ----------
    path : Path
    size : int
        How many bytes of the journal are in it.
    blocked : bool
        Something lies there that must not be written to.
    superseded : bool
        What lies there goes as soon as another journal has its steps.
    """

    def __init__(self, path: Path, page: str, own_folder: bool = False) -> None:
        self.path = path
        self._page = page  # what messages call it
        self.size = 0
        self.blocked = False
        self.superseded = False
        self._own_folder = own_folder
        self._handle: int | None = None
        self._named = False  # the folder's entry is durable

    @property
    def is_open(self) -> bool:
        """Whether this process holds the file."""
        return self._handle is not None

    def write(self, content: bytes | bytearray) -> None:
        """Bring the file up to this content, of which it holds the beginning.

        Raises
        ------
        InUse
            Another window holds it, or has left steps there.
        OSError, NotSaved
            The system refused; what is in the file already stays.
        """
        if self.superseded:
            self._replace(bytes(content))
            return
        if self._handle is None:
            self._open()
        assert self._handle is not None
        try:
            os.ftruncate(self._handle, self.size)
            os.lseek(self._handle, self.size, os.SEEK_SET)
            at = self.size
            with memoryview(content) as whole:
                while at < len(content):
                    at += os.write(self._handle, whole[at:])
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self.size)  # no half line stays
            raise
        self.size = len(content)

    def resume(self, size: int) -> None:
        """Go on behind the first bytes of the file that is there."""
        self._open(size)
        self.size = size

    def durable(self) -> Callable[[], None]:
        """What has to be called, in any thread, to have it on the disk, power cuts included."""
        handle = None if self._handle is None else os.dup(self._handle)
        folder = None if self._named else self.path.parent
        self._named = True

        def sync() -> None:
            if handle is not None:
                with contextlib.suppress(OSError):
                    os.fsync(handle)
                os.close(handle)
                if folder:
                    sync_folder(folder)

        return sync

    def remove(self) -> None:
        """Delete the file if this process holds it, or if it is superseded."""
        if self._handle is not None or self.superseded:
            try:
                self.path.unlink()
                self.superseded = False
            except FileNotFoundError:
                self.superseded = False
            except OSError:
                if self._handle is not None:
                    with contextlib.suppress(OSError):
                        os.ftruncate(self._handle, 0)  # the folder has become read-only
        self.release()

    def release(self) -> None:
        """Close the file and leave it where it is."""
        if self._handle is not None:
            unlock(self._handle)  # a copy of the handle may be open while it is made durable
            os.close(self._handle)
        self._handle = None
        self._named = False
        self.size = 0

    def _replace(self, content: bytes) -> None:
        """Put another content in place of the file's at once."""
        self._check()
        write_atomically(self.path, content)
        self.superseded = False
        self.resume(len(content))
        self._named = True

    def _check(self) -> None:
        if self.blocked:
            raise OSError(errno.EEXIST, "a file or folder of another kind is in its place")
        if self._own_folder:
            self.path.parent.mkdir(parents=True, exist_ok=True)

    def _open(self, size: int = 0) -> None:
        self._check()
        handle = os.open(self.path, _FLAGS, 0o666)
        try:
            self._take(handle, size)
        except InUse:
            os.close(handle)
            raise
        self._handle = handle

    def _take(self, handle: int, size: int) -> None:
        for attempt in range(_TRIES):
            if lock(handle):
                break
            if attempt == _TRIES - 1:
                raise InUse(f"{self._page} is being edited in another window")
            time.sleep(0.001)
        if not size and os.fstat(handle).st_size:
            raise InUse(
                f"{self._page} has unsaved steps from a window that ended unexpectedly: "
                f"open the page again"
            )
