"""Reads what no decoder tells of JPEG files: whether they end, and the first of their scans."""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from spotlab.files import open_file

_READ_AT_ONCE = 1 << 20  # bytes
_END = b"\xff\xd9"
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")  # within a scan stand filling and restarts only


def first_scan(path: Path) -> bytes | None:
    """Read a JPEG file up to its first scan.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bytes or None
        A file that ends there. Of a progressive one it holds the averages of 8 × 8 px, to half of
        their precision: enough for a small picture at an eighth of the size. None where there is
        no whole scan.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.jpg")
    ...     Image.effect_noise((64, 64), 90).save(path, progressive=True)
    ...     len(first_scan(path)) < path.stat().st_size / 2
    True
    """
    with open_file(path) as file:
        head = _up_to_scan(file)
        if head is None:
            return None
        content = bytearray(head)
        since = len(content)
        while block := file.read(_READ_AT_ONCE):
            content += block
            end = _MARKER.search(content, since)
            if end is not None:
                return bytes(content[: end.start()]) + _END
            since = len(content) - 1
    return None


def has_end(path: Path) -> bool:
    """Tell whether a JPEG file has its end marker, which libjpeg would make up.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    bool

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.jpg")
    ...     Image.new("L", (8, 8)).save(path)
    ...     has_end(path)
    True
    """
    with open_file(path) as file:
        # a preview in front of the first scan has its own end
        if _up_to_scan(file) is None:
            return False
        before = b""
        while block := file.read(_READ_AT_ONCE):
            if _END in before + block:
                return True
            before = block[-1:]
    return False


def _up_to_scan(file: BinaryIO) -> bytes | None:
    """A file's segments up to the begin of its first scan; None where there is none."""
    content = file.read(2)
    while (head := file.read(4))[:2] != b"\xff\xda":
        if len(head) < 4:
            return None
        if head[0] != 0xFF or head[1] == 0xFF:  # filling between segments
            file.seek(-3, 1)
            continue
        content += head + file.read(int.from_bytes(head[2:]) - 2)
    return content + head
