"""Asks for files of other people, and opens them, but nothing that only looks like a file.

A pipe would wait for ever for somebody to write, and a device has no end. Whatever reads what a
folder happens to hold reads it through here.

Questions whether something exists have two forms. `exists`, `is_file` and `is_folder` answer False
where the file system gives no answer: a folder without permission, a network drive that has gone, a
name that is too long. Where False would mean "begin a new one", `is_missing` raises instead.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias

from spotlab.errors import BadInput, reason

PathLike: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = PathLike | Sequence[PathLike]

LONGEST_NAME = 255  # bytes; of most file systems
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def exists(path: Path) -> bool:
    """Return whether there is anything at the path, as far as the file system says.

    Examples
    --------
    >>> exists(Path("/")), exists(Path("no\\0name")), exists(Path("n" * 999))
    (True, False, False)
    """
    return _mode_of(path) is not None


def is_file(path: Path) -> bool:
    """Return whether the path is a regular file, or a link to one, as far as one can see."""
    mode = _mode_of(path)
    return mode is not None and stat.S_ISREG(mode)


def is_folder(path: Path) -> bool:
    """Return whether the path is a folder, or a link to one, as far as one can see."""
    mode = _mode_of(path)
    return mode is not None and stat.S_ISDIR(mode)


def composed(name: str) -> str:
    """A name in Unicode's composed form (NFC); some systems write accents apart.

    Examples
    --------
    >>> len("Bu\u0308ro"), len(composed("Bu\u0308ro"))
    (5, 4)
    """
    return unicodedata.normalize("NFC", name)


def as_on_disk(path: Path) -> Path:
    """The path as the file system spells it, which may write accents otherwise; else as it is."""
    if str(path).isascii() or exists(path):
        return path
    folder = as_on_disk(path.parent)
    try:
        names = os.listdir(folder)
    except (OSError, ValueError):
        return path
    wanted = composed(path.name)
    return folder / next((name for name in names if composed(name) == wanted), path.name)


def is_missing(path: Path) -> bool:
    """Return whether the file system says that there is nothing at the path.

    Raises
    ------
    BadInput
        It does not say: the folder cannot be looked into, the network drive has gone, …

    Examples
    --------
    >>> is_missing(Path("/")), is_missing(Path("/no such folder/plan.xml"))
    (False, True)
    """
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError as error:
        raise BadInput(path, f"cannot be looked at: {reason(error)}") from error
    except ValueError as error:  # a zero byte, for instance
        raise BadInput(path, f"no file can have this name: {error}") from error
    return False


def open_file(path: Path) -> BinaryIO:
    """Open a regular file, or a link to one, for reading.

    Raises
    ------
    OSError
        It is missing, may not be read, or is a folder, a pipe, a socket or a device.

    Examples
    --------
    >>> open_file(Path("/"))
    Traceback (most recent call last):
    IsADirectoryError: [Errno 21] it is a folder: '/'
    """
    check_regular(path)
    handle = os.open(path, _FLAGS)  # does not wait if it has become a pipe in between
    try:
        _check_mode(os.fstat(handle).st_mode, path)
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def read_file(path: Path) -> bytes:
    """The content of a regular file; raises as `open_file` does."""
    with open_file(path) as file:
        return file.read()


def check_regular(path: Path) -> os.stat_result:
    """The status of a regular file, or of the one that a link leads to; raises as `open_file`."""
    status = path.stat()
    _check_mode(status.st_mode, path)
    return status


def name_with(name: str, ending: str) -> str:
    """The name of a file that belongs to another one, as short as file systems want it.

    Where name and ending have more than 255 bytes together, the end of the name is replaced by a
    checksum of it, so that different files have different ones.

    Examples
    --------
    >>> name_with("plan", ".xml")
    'plan.xml'
    >>> name_with("n" * 252, ".xml")[-30:]
    'nnnnnnnnnnnnnnnnn~e4bd1aa0.xml'
    """
    room = LONGEST_NAME - len(os.fsencode(ending))
    if len(os.fsencode(name)) <= room:
        return name + ending
    mark = "~" + hashlib.sha256(os.fsencode(name)).hexdigest()[:8]
    kept = name
    while len(os.fsencode(kept)) > room - len(mark):
        kept = kept[:-1]
    return kept + mark + ending


def has_utf8_name(path: Path) -> bool:
    """Tell whether other libraries can open the path: some crash at names in another encoding.

    Examples
    --------
    >>> has_utf8_name(Path("café.png")), has_utf8_name(Path(os.fsdecode(b"caf\\xe9.png")))
    (True, False)
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _mode_of(path: Path) -> int | None:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):  # a name with a zero byte, or in no encoding
        return None


def _check_mode(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    for matches, kind in _KINDS:
        if matches(mode):
            raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
