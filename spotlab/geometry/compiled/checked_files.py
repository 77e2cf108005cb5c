"""Files that begin with a digest of their content, and folders that are known to be complete.

A damaged file counts as missing.
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

from spotlab.files import is_file, is_folder

LARGEST = 1 << 28  # bytes of one file; machine code takes a hundred thousand
KEPT = 4  # folders of other versions that are kept, the last ones used
RECENT = 3600  # seconds
_LIST = "complete"  # the file that names all others of a folder
_DIGEST = 64  # of SHA-256, in hexadecimal digits

_whole: set[Path] = set()  # folders that were whole when this process looked


def write_checked(path: Path, content: bytes) -> None:
    """Replace a file by this content, preceded by its digest.

    Parameters
    ----------
    path : Path
        The file; its folder has to exist.
    content : bytes
        What to write.

    Raises
    ------
    OSError
        The file cannot be written; the one before is then unchanged.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_checked(Path(folder) / "numbers", b"123")
    ...     read_checked(Path(folder) / "numbers")
    b'123'
    """
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_bytes(_digest(content) + content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def read_checked(path: Path) -> bytes | None:
    """Read a file that `write_checked` has written.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bytes or None
        Its content; None if it is missing, larger than 256 MiB, or does not match its digest.
    """
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
    """Record which files a folder holds, so that a missing one is noticed.

    Does nothing if the folder cannot be written.

    Parameters
    ----------
    folder : Path
        All files in it and below count, except those that are being written.
    """
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if is_file(path) and path.suffix != ".tmp" and path.name != _LIST
    )
    with suppress(OSError):
        write_checked(folder / _LIST, json.dumps(names).encode())


def is_complete(folder: Path) -> bool:
    """Tell whether a folder was marked complete and still holds every file, undamaged.

    Parameters
    ----------
    folder : Path
        Checked once per process: a folder that was complete stays so.

    Returns
    -------
    bool
    """
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
    """Delete the files of a folder that do not match their digest.

    Parameters
    ----------
    folder : Path
        Files that cannot be deleted stay, and so do those that are being written.
    """
    for path in folder.rglob("*"):
        if is_file(path) and read_checked(path) is None and not _is_being_written(path):
            with suppress(OSError):
                path.unlink()


def remove_old_folders(folder: Path, prefix: str) -> None:
    """Delete the folders beside this one that have the same prefix, except those last used.

    Parameters
    ----------
    folder : Path
        The folder that is in use; it always stays.
    prefix : str
        Beginning of the folders' names.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     folders = [Path(name, f"code-{number}") for number in range(9)]
    ...     for folder in folders:
    ...         folder.mkdir()
    ...     remove_old_folders(folders[0], "code-")
    ...     print(folders[0].exists(), len(list(Path(name).iterdir())) == 1 + KEPT)
    True True
    """

    def used(path: Path) -> float:
        with suppress(OSError):
            return path.stat().st_mtime
        return 0.0

    others = [path for path in folder.parent.glob(f"{prefix}*") if path != folder]
    others = [path for path in others if is_folder(path) and not path.is_symlink()]
    for path in sorted(others, key=used, reverse=True)[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def _is_being_written(path: Path) -> bool:
    with suppress(OSError):
        return path.suffix == ".tmp" and time.time() - path.stat().st_mtime < RECENT
    return True


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
