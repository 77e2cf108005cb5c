"""Opens files of other people for reading, and nothing that only looks like a file.

A pipe would wait for ever for somebody to write, and a device has no end. Whatever reads what a
folder happens to hold reads it through here.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

LONGEST_NAME = 255  # bytes; of most file systems
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


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
    """Whether other libraries can open the path: some crash at names in another encoding.

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


def _check_mode(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    for matches, kind in _KINDS:
        if matches(mode):
            raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
