"""Files that begin with a digest of the rest, and folders that are known to hold all they should.

What is damaged, in whatever way, counts as not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import time
import uuid
from contextlib import suppress
from pathlib import Path

LARGEST = 1 << 28  # bytes of one file; machine code takes a hundred thousand
KEPT = 4  # folders of other versions that are kept, the last ones used
RECENT = 3600  # seconds
_LIST = "complete"  # the file that names all others of a folder
_DIGEST = 64  # of SHA-256, in hexadecimal digits

_whole: set[Path] = set()  # folders that were whole when this process looked


def write_checked(path: Path, content: bytes) -> None:
    """Replace the file by this content and its digest; raises OSError."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_bytes(_digest(content) + content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def read_checked(path: Path) -> bytes | None:
    """The content; None where there is none or it is not what was written."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return None
        whole = path.read_bytes()
    except OSError:
        return None
    content = whole[_DIGEST:]
    return content if whole[:_DIGEST] == _digest(content) else None


def mark_complete(folder: Path) -> None:
    """Note that all that is in the folder now has to be there; without effect if that fails."""
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".tmp" and path.name != _LIST
    )
    with suppress(OSError):
        write_checked(folder / _LIST, json.dumps(names).encode())


def is_complete(folder: Path) -> bool:
    """Whether the folder was marked, and holds what it then held, undamaged."""
    if folder in _whole:
        return True
    content = read_checked(folder / _LIST)
    if content is None:
        return False
    names = json.loads(content)  # as it was written: the digest says so
    if not names or any(read_checked(folder / name) is None for name in names):
        return False
    _whole.add(folder)
    with suppress(OSError):
        os.utime(folder)  # for `clear_old`
    return True


def remove_damaged_files(folder: Path) -> None:
    """Delete the files in the folder that are not what was written."""
    for path in folder.rglob("*"):
        if path.is_file() and read_checked(path) is None and not _is_being_written(path):
            with suppress(OSError):
                path.unlink()


def remove_old_folders(folder: Path, start: str) -> None:
    """Delete the folders beside this one that begin like this, but for those last used."""

    def used(path: Path) -> float:
        with suppress(OSError):
            return path.stat().st_mtime
        return 0.0

    others = [path for path in folder.parent.glob(f"{start}*") if path != folder]
    others = [path for path in others if path.is_dir() and not path.is_symlink()]
    for path in sorted(others, key=used, reverse=True)[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def _is_being_written(path: Path) -> bool:
    with suppress(OSError):
        return path.suffix == ".tmp" and time.time() - path.stat().st_mtime < RECENT
    return True


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
