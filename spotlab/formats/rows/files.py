"""Reads files of a sane size whole, and writes them so that the old or the new one is there."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from filelock import lock_descriptor, unlock_descriptor  # not late: writing must not need a disk

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.files import check_regular, name_with, read_file
from spotlab.interruption import undisturbed

if sys.platform != "win32":
    import fcntl

# Windows neither renames nor removes a file that is open, so there the lock has to go before
_WHILE_OPEN = os.name != "nt"
_SUFFIX = ".tmp"
_RANDOM = 8  # characters
_LONGEST = (
    120  # bytes of the target's name that go into the temporary one, which must not be longer
)
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@undisturbed
def make_folder_of(path: Path) -> None:
    """Make the folder of a file that a person asks for, where it is not there.

    Parameters
    ----------
    path : Path

    Raises
    ------
    NotSaved
        It cannot be made.
    """
    try:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"its folder cannot be made: {reason(error)}"
        raise NotSaved(f"{path} cannot be written: {problem}") from error


def write_atomically(
    path: Path, content: bytes | memoryview, check: Callable[[], object] | None = None
) -> None:
    """Replace the file's content, or raise and leave the old file as it was.

    Follows a symbolic link to a file that exists; one that leads nowhere is refused. The new file
    has the permissions and, as far as the system allows it, the owner, group and extended
    attributes (access control lists among them) of the old one. Other hard links to the old file
    keep the old content. What is no file, such as a pipe, a device or a stream of this process
    (/dev/stdout), takes the content as it comes and stays what it is.

    Parameters
    ----------
    path : Path
    content : bytes or memoryview
    check : callable, optional
        Called directly before the old file is replaced, when the new one is on the disk already.
        If it raises, nothing is replaced. A writer that has read the file before looks here
        whether it still is the one that was read.

    Raises
    ------
    NotSaved
        The folder is missing or read-only, the disk is full, …
    """
    if is_stream(path):
        _write_into(path, content)
        return
    target = Path(os.path.realpath(path))
    temporary: str | None = None
    try:
        old = _status(target)
        if old is None and os.path.islink(path):  # so that no folder has files made elsewhere
            raise NotSaved(f"{path} was not saved: it is a link to {target}, which does not exist")
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")  # renaming over it would not ask
        handle, temporary = _create(target, 0o666 if old is None else stat.S_IMODE(old.st_mode))
        with os.fdopen(handle, "wb") as file:
            if old is not None:
                _copy_attributes(target, old, temporary)
            file.write(content)
            file.flush()
            os.fsync(handle)
            if _WHILE_OPEN:
                _replace(temporary, target, check)  # while it is still ours
        if not _WHILE_OPEN:
            _replace(temporary, target, check)
        temporary = None
        sync_folder(target.parent)
    except OSError as error:
        raise NotSaved(
            f"{path} was not saved: {reason(error)}; the old file is untouched"
        ) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def is_stream(path: Path) -> bool:
    """Tell whether the path is no file that could be replaced by another one."""
    if _own_handle(path) is not None:
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _own_handle(path: Path) -> int | None:
    """Tell which of this process's open files a path such as /dev/stdout or /dev/fd/3 means."""
    named = {"/dev/stdout": 1, "/dev/stderr": 2}
    if str(path) in named:
        return named[str(path)]
    is_open = os.path.realpath(path.parent) == f"/proc/{os.getpid()}/fd"
    return int(path.name) if is_open and path.name.isdecimal() else None


def _write_into(path: Path, content: bytes | memoryview) -> None:
    own = _own_handle(path)
    try:
        sys.stdout.flush()  # what was said before comes before
        # an open file keeps its place: the shell may have sent other output there, too
        handle = os.open(path, os.O_WRONLY | os.O_APPEND) if own is None else os.dup(own)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except OSError as error:
        raise NotSaved(f"{path} was not written completely: {reason(error)}") from error


def keep_damaged(path: Path) -> Path | None:
    """Keep a damaged file's content under another name beside it; None if that is not possible."""
    content = read_file(path)
    for number in range(1, 1000):
        ending = ".damaged" if number == 1 else f".damaged-{number}"
        copy = path.with_name(name_with(path.name, ending))
        try:
            if os.path.lexists(copy):
                if read_file(copy) == content:
                    return copy  # a start that was itself killed has kept it
                continue
            try:
                os.link(path, copy)  # takes no room
            except OSError:
                write_atomically(copy, content)
            return copy
        except (OSError, NotSaved):
            return None
    return None


def clear_stale(paths: Iterable[Path]) -> int:
    """Remove what killed programs left of writing these files; gives how many there were."""
    folders: dict[Path, set[str]] = {}
    for path in paths:
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        folders.setdefault(target.parent, set()).add(_prefix(target))
    return sum(
        _remove_unowned(temporary)
        for folder, prefixes in folders.items()
        for temporary in _temporaries(folder, prefixes)
    )


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def lock(handle: int) -> bool:
    """Take an open file for this process; False only where another one has it."""
    try:
        return lock_descriptor(handle, blocking=False)
    except OSError:
        return True  # a file system without locks


def share(handle: int) -> bool:
    """Take an open file together with others that look at it; False where somebody has locked it.

    Where the system has no such locks, nobody else can share it meanwhile.
    """
    if sys.platform == "win32":
        return lock(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def unlock(handle: int) -> None:
    """Let an open file go, also where a copy of the handle is still open."""
    with contextlib.suppress(OSError):
        unlock_descriptor(handle)


def _create(target: Path, mode: int) -> tuple[int, str]:
    """A new empty file beside the target that this process holds."""
    while True:
        name = f"{_prefix(target)}{secrets.token_hex(_RANDOM // 2)}{_SUFFIX}"
        path = os.path.join(target.parent, name)
        try:
            handle = os.open(path, _FLAGS, mode)  # less what the umask takes
        except FileExistsError:
            continue
        lock(handle)
        with contextlib.suppress(FileNotFoundError):
            if os.stat(path).st_ino == os.fstat(handle).st_ino:
                return handle, path
        os.close(handle)  # it was taken for a stale one before the lock was ours


def _prefix(target: Path) -> str:
    name = target.name
    while len(os.fsencode(name)) > _LONGEST:
        name = name[:-1]
    return f".{name}."


def _temporaries(folder: Path, prefixes: set[str]) -> Iterator[str]:
    ending = re.compile(rf"\w{{{_RANDOM}}}{re.escape(_SUFFIX)}")
    length = _RANDOM + len(_SUFFIX)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(_SUFFIX)]
    except OSError:
        return
    for name in names:
        if name[:-length] in prefixes and ending.fullmatch(name[-length:]):
            yield os.path.join(folder, name)


def _remove_unowned(temporary: str) -> bool:
    try:
        handle = os.open(temporary, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        if not lock(handle):
            return False
        if _WHILE_OPEN:
            os.unlink(temporary)
    except OSError:
        return False
    finally:
        os.close(handle)
    if not _WHILE_OPEN:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    return True


def _replace(temporary: str, target: Path, check: Callable[[], object] | None) -> None:
    if check is not None:
        check()
    os.replace(temporary, target)


def _status(target: Path) -> os.stat_result | None:
    """The status of a file; None where there is none."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _copy_attributes(target: Path, old: os.stat_result, temporary: str) -> None:
    """Give the new file what the old one has besides its content."""
    if hasattr(os, "chown"):
        new = os.stat(temporary)
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            for owner in (-1, old.st_uid):
                with contextlib.suppress(OSError):  # only the superuser gives files away
                    os.chown(temporary, owner, old.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                with contextlib.suppress(OSError):  # some belong to the system
                    os.setxattr(temporary, name, os.getxattr(target, name))
    os.chmod(temporary, stat.S_IMODE(old.st_mode))  # whatever the umask is; after the owner


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAXIMUM_BYTES = 512 * 1024 * 1024  # of one truth file; the message names it


def read_bytes(path: Path) -> bytes:
    """The whole file.

    Raises
    ------
    BadInput
        It cannot be read, is empty, or is larger than `MAXIMUM_BYTES`.
    """
    try:
        size = check_regular(path).st_size
        if size > MAXIMUM_BYTES:
            raise BadInput(path, f"{size:,} bytes", expected=f"at most {MAXIMUM_BYTES:,}")
        content = read_file(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    if not content:
        raise BadInput(path, "the file is empty")
    return content
