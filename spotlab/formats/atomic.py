"""Write a file so that at every moment either the old or the new one is there, whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from spotlab.errors import NotSaved, reason
from spotlab.interruption import undisturbed


@undisturbed
def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file's content, or raise and leave the old file as it was.

    Follows a symbolic link to the file it names and keeps an existing file's permissions.

    Raises
    ------
    NotSaved
        The folder is missing or read-only, the disk is full, …
    """
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
