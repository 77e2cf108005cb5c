"""Write a file so that at every moment either the old or the new one is there, whole."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path

from spotlab.errors import NotSaved, reason


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file's content, or raise and leave the old file as it was.

    Follows a symbolic link to the file it names and keeps an existing file's permissions. What is
    no file, such as a pipe, a device or a stream of this process (/dev/stdout), takes the content
    as it comes and stays what it is.

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
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")  # renaming over it would not ask
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".tmp", dir=target.parent
        )
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
        temporary = None
        _sync_folder(target.parent)
    except OSError as error:
        raise NotSaved(
            f"{path} was not saved: {reason(error)}; the old file is untouched"
        ) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def is_stream(path: Path) -> bool:
    """Whether the path is no file that could be replaced by another one."""
    if _own_handle(path) is not None:
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _own_handle(path: Path) -> int | None:
    """Which of this process's open files a path such as /dev/stdout or /dev/fd/3 means."""
    named = {"/dev/stdout": 1, "/dev/stderr": 2}
    if str(path) in named:
        return named[str(path)]
    is_open = os.path.realpath(path.parent) == f"/proc/{os.getpid()}/fd"
    return int(path.name) if is_open and path.name.isdecimal() else None


def _write_into(path: Path, content: bytes) -> None:
    own = _own_handle(path)
    try:
        sys.stdout.flush()  # what was said before comes before
        # an open file keeps its place: the shell may have sent other output there, too
        handle = os.open(path, os.O_WRONLY | os.O_APPEND) if own is None else os.dup(own)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except OSError as error:
        raise NotSaved(f"{path} did not take all of it: {reason(error)}") from error


def _mode(target: Path) -> int:
    try:
        return target.stat().st_mode & 0o7777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
