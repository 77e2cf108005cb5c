"""The whole content of a file that a person gives, unless it is far too large."""

from __future__ import annotations

from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.files import check_regular, read_file

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
