"""What a truth format is: how to know it, read it and write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.model import Truth
from spotlab.progress import Progress

MAXIMUM_BYTES = 512 * 1024 * 1024  # of one truth file; the message names it


@dataclass(frozen=True)
class Format:
    """One truth file format, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    suffixes : tuple of str
        File name endings in lower case, with the dot.
    sniff : callable
        Whether a file of this name, with these first 4,096 bytes, is of this format.
    read : callable
        The truth of every page in the file. Raises `BadInput`.
    write : callable or None
        Writes the pages to a path: one file for a format that holds many pages, else a folder with
        a file per page. Raises `NotSaved`. None where the format is only read.
    many_pages : bool
        One file holds any number of pages.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Path, bytes], bool]
    read: Callable[[Path, Progress], Sequence[Truth]]
    write: Callable[[Sequence[Truth], Path, Progress], None] | None = None
    many_pages: bool = False


def read_bytes(path: Path) -> bytes:
    """The whole file.

    Raises
    ------
    BadInput
        It cannot be read, is empty, or is larger than `MAXIMUM_BYTES`.
    """
    try:
        size = path.stat().st_size
        if size > MAXIMUM_BYTES:
            raise BadInput(path, f"{size:,} bytes", expected=f"at most {MAXIMUM_BYTES:,}")
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    if not content:
        raise BadInput(path, "the file is empty")
    return content
