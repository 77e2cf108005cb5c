"""Looks at how a file begins, to tell what it is."""

from __future__ import annotations

import csv
from pathlib import Path

from spotlab.errors import BadInput, reason
from spotlab.files import is_folder, open_file
from spotlab.formats.rows.csv_rows import is_remark

HEAD_BYTES = 65536


def head_of(path: Path) -> bytes:
    """The first bytes of a file; none of a folder.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    if is_folder(path):
        return b""
    try:
        with open_file(path) as file:
            return file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error


def first_line(path: Path) -> str:
    """Return the first line of a file that is neither empty nor a remark; "" if there is none."""
    lines = head_of(path).decode("utf-8", "replace").replace("\r", "\n").split("\n")
    return next((line.strip() for line in lines if line.strip() and not is_remark(line)), "")


def first_names(path: Path) -> tuple[str, ...]:
    """What the first line of a CSV file names, in lower case; at least one name."""
    try:
        row = next(csv.reader([first_line(path)], skipinitialspace=True), [])
    except csv.Error:
        row = []
    return tuple(name.strip().casefold() for name in row) or ("",)
