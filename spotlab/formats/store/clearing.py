"""Limits the size of folders of page files: the longest unused files are deleted first."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LARGEST = 4 << 30  # bytes that the files of one folder may take
OLDEST = 60 * 86_400  # seconds without use after which a file goes: its version is gone, most often
IN_USE = 86_400  # seconds without use before which none goes, however large the folder is

_NAME = re.compile(
    r"([0-9a-f]{2})[0-9a-f]{38}\.(symbols|words|described|spots|preview|tallies|labels|summaries)"
)
_cleared: set[Path] = set()


def clear_once(folder: Path) -> None:
    """Clear a folder, unless this process has done so already.

    Parameters
    ----------
    folder : Path
    """
    if folder not in _cleared:
        _cleared.add(folder)
        clear(folder)


def clear(folder: Path, largest: int = LARGEST) -> None:
    """Delete page files that were not used for `OLDEST`, and the longest unused of too many.

    Parameters
    ----------
    folder : Path
        Of `spotlab.formats.store.arrays.keyed_file`; whatever else is there stays.
    largest : int
        Bytes that may stay; files that were used within a day stay anyway.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "notes.txt").touch()
    ...     clear(Path(folder), largest=0)
    ...     print(Path(folder, "notes.txt").exists())
    True
    """
    now = time.time()
    total = 0
    for path, status in sorted(_files(folder), key=lambda file: -file[1].st_mtime):
        unused = now - status.st_mtime
        total += status.st_size
        if unused > OLDEST or (total > largest and unused > IN_USE):
            with suppress(OSError):
                path.unlink()


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    with suppress(OSError):
        for path in folder.glob("??/*"):
            match = _NAME.fullmatch(path.name)
            if match and match[1] == path.parent.name:
                with suppress(OSError):
                    yield path, path.lstat()
