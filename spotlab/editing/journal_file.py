"""The files in which journals are kept: beside the truth file, or else in the user's state folder.

A journal lies beside its truth file. Where that cannot be written, because the disk is full or the
folder is read-only, the whole journal goes into ``journals`` of the user's state folder, under a
name that is made of the truth file's path. Both places are looked at when a page is opened. A
damaged journal is never deleted: it stays as ``NAME.journal.damaged``.

Other programs may take a journal's name away, put another file in its place, or cut it off: `git
clean` does, and programs that synchronise folders. Before each write the open file is therefore
compared with the one that has the name now. A file that is gone or cut off is written anew; a file
of somebody else is left alone, and the journal goes to the other place.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_state_path

from spotlab.editing.journal_lines import RENEW_AFTER, Lease, find_lease
from spotlab.errors import NotSaved, SpotlabError
from spotlab.files import name_with
from spotlab.formats.rows.files import lock, share, sync_folder, unlock, write_atomically

_TRIES = 5  # at a lock that somebody may only be looking at
_PATIENCE = 1.0  # seconds that those who look are waited for
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class InUse(SpotlabError):
    """Another window is editing the page."""


def journal_path(truth_path: Path) -> Path:
    """The journal of a truth file lies beside it."""
    return truth_path.with_name(name_with(truth_path.name, ".journal"))


def second_journal_path(truth_path: Path) -> Path:
    """The journal's path for when nothing can be written beside the truth file."""
    where = hashlib.sha256(os.fsencode(os.path.realpath(truth_path))).hexdigest()[:32]
    return user_state_path("spotlab") / "journals" / f"{where}.journal"


def journal_paths(truth_path: Path) -> tuple[Path, Path]:
    """Both places, the one beside the truth file first."""
    return journal_path(truth_path), second_journal_path(truth_path)


def has_journal(truth_path: Path) -> bool:
    """Tell whether there is a journal in one of its places."""
    return any(os.path.lexists(path) for path in journal_paths(truth_path))


Identity = tuple[int, int]  # of a file: device, number
_held: list[Identity] = []  # the files that this process has locked, or is about to lock


def user_of(truth_path: Path, is_own: Callable[[Identity], bool] = lambda _: False) -> str:
    """Say who is editing a page, as words after "in"; empty if nobody is.

    Parameters
    ----------
    truth_path : Path
    is_own : callable
        Tells the files of the journal that asks. It is called during the look, because another
        thread may begin or save the journal meanwhile.

    Returns
    -------
    user : str
        "another window", or "another window on HOST".
    """
    return next(filter(None, (_holder(path, is_own) for path in journal_paths(truth_path))), "")


def _holder(path: Path, is_own: Callable[[Identity], bool]) -> str:
    handle = _open_to_look(path)
    if handle is None:
        return ""
    try:
        status = os.fstat(handle)
        identity = _identity(status)
        if is_own(identity):
            return ""
        for _ in range(_TRIES):
            if share(handle):
                unlock(handle)
                lease = _lease(handle, status)
                return _named(lease) if lease and _is_alive(lease, path, handle, status) else ""
            time.sleep(0.001)  # on Windows somebody may only be looking, too
        if not os.fstat(handle).st_nlink or is_own(identity):
            return ""
        return _named(_lease(handle, status))
    finally:
        os.close(handle)


def _open_to_look(path: Path) -> int | None:
    for way in (os.O_RDWR, os.O_RDONLY):  # some file systems lock only what may be written
        with contextlib.suppress(OSError):
            return os.open(path, way | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    return None


def _lease(handle: int, status: os.stat_result) -> Lease | None:
    """Read who has written a journal last, as far as it says so."""
    if not stat.S_ISREG(status.st_mode):
        return None
    try:
        return find_lease(_content(handle))
    except OSError:
        return None


def _named(lease: Lease | None) -> str:
    """The window that writes a journal, in words."""
    if lease is None or lease.host == socket.gethostname():
        return "another window"
    return f"another window on {lease.shown_host}"


def _is_alive(lease: Lease, path: Path, handle: int, status: os.stat_result) -> bool:
    """Tell whether a journal is being written although its lock is free."""
    has_locks = lease.is_of_this_boot and _has_locks(path, handle)
    return lease.is_alive(status.st_mtime, has_locks, _identity(status) in _held)


def _has_locks(path: Path, handle: int) -> bool:
    """Tell whether locks work: an open file that is shared cannot be locked by somebody else."""
    other = _open_to_look(path)
    if other is None:
        return True
    try:
        return not (share(handle) and lock(other))
    finally:
        os.close(other)
        unlock(handle)


def _identity(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino


def _content(handle: int) -> bytes:
    """All that stands in an open file."""
    with os.fdopen(os.dup(handle), "rb") as file:
        file.seek(0)
        return file.read()


class JournalFile:
    """One file that holds the beginning of a journal, or all of it, while this process writes it.

    Attributes
    ----------
    path : Path
    size : int
        How many bytes of the journal are in it.
    blocked : bool
        Something lies there that must not be written to.
    identity : tuple of (int, int) or None
        Device and number of the open file, from before it is locked until it is let go.
    """

    def __init__(self, path: Path, page: str, own_folder: bool = False) -> None:
        self.path = path
        self._page = page  # what messages call it
        self.size = 0
        self.blocked = False
        self.identity: Identity | None = None
        self._superseded: Identity | None = None
        self._own_folder = own_folder
        self._handle: int | None = None
        self._named = False  # the folder's entry is durable
        self._stamp = (0, 0)  # size and time after the last write
        self._renewed = 0.0  # when the file's time was renewed, by `time.monotonic`

    @property
    def is_open(self) -> bool:
        """True if this process holds the file."""
        return self._handle is not None

    @property
    def is_superseded(self) -> bool:
        """True if the file is removed as soon as another journal has its steps."""
        return self._superseded is not None

    def supersede(self) -> None:
        """Have what lies there now go as soon as another journal has its steps."""
        self._superseded = self._lying_there()

    def write(self, content: bytes | bytearray) -> bool:
        """Bring the file up to this content, of which it holds the beginning.

        Returns
        -------
        wrote : bool
            False if the file held all of it already.

        Raises
        ------
        InUse
            Another window holds it, or has left steps there.
        OSError, NotSaved
            The system refused, or something else is in its place; what is in the file stays.
        """
        if self._superseded is not None:
            self._replace(bytes(content))
            return True
        if self._handle is not None:
            self._verify(self._handle, content)
        if self._handle is None:
            self._open()
        assert self._handle is not None
        wrote = self.size < len(content)
        if wrote:
            self._append(self._handle, content)
        return wrote

    def resume(self, size: int) -> None:
        """Go on behind the first bytes of the file that is there."""
        self._open(size)
        assert self._handle is not None
        os.ftruncate(self._handle, size)
        self.size = size
        self._note_stamp(self._handle)

    @property
    def is_intact(self) -> bool:
        """True if the open file has its name, and is as it was written."""
        handle = self._handle
        try:
            if handle is None or _identity(os.stat(self.path)) != self.identity:
                return False
            return self._stamp_now(handle) == self._stamp
        except OSError:
            return False

    @property
    def is_due(self) -> bool:
        """True if it is time to show other machines that the journal's writer is alive."""
        return self._handle is not None and time.monotonic() - self._renewed > RENEW_AFTER

    def renew(self) -> None:
        """Show other machines that the journal's writer is alive."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.utime(self._handle if os.utime in os.supports_fd else self.path)
                self._note_stamp(self._handle)

    def durable(self) -> Callable[[], None]:
        """Function that puts the file on the disk, power cuts included; for any thread."""
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
        going = {self.identity, self._superseded} - {None}
        if going:
            try:
                if self._lying_there() in going:  # else it is somebody else's by now
                    self.path.unlink()
                self._superseded = None
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
        self._forget_identity()
        self._handle = None
        self._named = False
        self.size = 0

    def _verify(self, handle: int, content: bytes | bytearray) -> None:
        """See that the open file still has the name, and what it holds of the content."""
        try:
            there = _identity(os.stat(self.path))
        except FileNotFoundError:
            self.release()  # it is written anew
            return
        except OSError:
            self._superseded = self.identity  # goes if the folder is there again
            self.release()
            raise
        if there == self.identity:
            if self._stamp_now(handle) == self._stamp:
                return
            held = _content(handle)
            if content.startswith(held):  # it was cut off, or the last write failed halfway
                self.size = len(held)
                self._note_stamp(handle)
                return
        self.release()
        self.blocked = True
        self._check()

    def _append(self, handle: int, content: bytes | bytearray) -> None:
        try:
            at = self.size
            os.lseek(handle, at, os.SEEK_SET)
            with memoryview(content) as whole:
                while at < len(content):
                    at += os.write(handle, whole[at:])
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, self.size)  # no half line stays
            raise
        self.size = len(content)
        self._note_stamp(handle)
        if self._stamp[0] != self.size:
            self._stamp = (0, 0)  # somebody else writes into it, too: looked at before the next

    def _note_stamp(self, handle: int) -> None:
        self._stamp = self._stamp_now(handle)
        self._renewed = time.monotonic()

    def _stamp_now(self, handle: int) -> tuple[int, int]:
        status = os.fstat(handle)
        return status.st_size, status.st_mtime_ns

    def _lying_there(self) -> Identity | None:
        """Identity of the file that has the name now; None where there is none."""
        try:
            return _identity(os.stat(self.path))
        except OSError:
            return None

    def _replace(self, content: bytes) -> None:
        """Put another content in place of the superseded file at once."""
        self._check()
        write_atomically(self.path, content, self._check_superseded)
        self._superseded = None
        self.resume(len(content))
        self._named = True

    def _check_superseded(self) -> None:
        if self._lying_there() not in (None, self._superseded):
            self._superseded, self.blocked = None, True
            raise NotSaved("another file is in its place")

    def _check(self) -> None:
        if self.blocked and os.path.lexists(self.path):
            raise OSError(errno.EEXIST, "another file or folder is in its place")
        self.blocked = False
        if self._own_folder:
            self.path.parent.mkdir(parents=True, exist_ok=True)

    def _open(self, size: int = 0) -> None:
        self._check()
        handle = os.open(self.path, _FLAGS, 0o666)
        self.identity = _identity(os.fstat(handle))
        _held.append(self.identity)  # before it is locked: whoever finds it locked finds it here
        try:
            self._take(handle, size)
        except InUse:
            os.close(handle)
            self._forget_identity()
            raise
        self._handle = handle

    def _forget_identity(self) -> None:
        if self.identity is not None:
            _held.remove(self.identity)
        self.identity = None

    def _take(self, handle: int, size: int) -> None:
        refused, ends = 0, time.monotonic() + _PATIENCE
        while not lock(handle):
            if share(handle):
                unlock(handle)  # others are only looking
            else:
                refused += 1
            if refused == _TRIES or time.monotonic() > ends:
                writer = _named(_lease(handle, os.fstat(handle)))
                raise InUse(f"{self._page} is being edited in {writer}")
            time.sleep(0.001)
        status = os.fstat(handle)
        if not size and status.st_size:
            lease = _lease(handle, status)
            if lease and _is_alive(lease, self.path, handle, status):
                raise InUse(f"{self._page} is being edited in {_named(lease)}")
            raise InUse(
                f"{self._page} has unsaved steps from a window that ended unexpectedly: "
                f"open the page again"
            )
