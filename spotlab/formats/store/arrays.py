"""Entries of arrays about a page, each a file that is used only if it is whole."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import NotSaved, reason
from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.npz import array_of
from spotlab.formats.store.clearing import clear_once

LARGEST = 1 << 30  # bytes of the arrays of one page
_DIGEST = 64  # of SHA-256, in hexadecimal digits


def keyed_file(folder: Path, key: str, suffix: str) -> Path:
    """Name the file of a key, in one of 256 subfolders.

    Parameters
    ----------
    folder : Path
    key : str
        As `key_of` makes it.
    suffix : str

    Returns
    -------
    Path
        Absolute.

    Examples
    --------
    >>> keyed_file(Path("/cache"), "ab12", ".words").as_posix()
    '/cache/ab/ab12.words'
    """
    return folder.absolute() / key[:2] / f"{key}{suffix}"


def write_arrays(
    arrays: Mapping[str, NDArray[Any]], path: Path, magic: bytes, *, sparse: bool = False
) -> None:
    """Write arrays to a file; where that fails, leave what was there.

    Parameters
    ----------
    arrays : mapping of str to array
        Of any shape.
    path : Path
        Its folder is made where it is missing.
    magic : bytes
        The file's first line, which says what it is.
    sparse : bool
        Compress arrays that are mostly zeros, as ink is.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_arrays({"one": np.arange(3)}, Path(folder, "page"), b"mine\\n")
    ...     print(read_arrays(Path(folder, "page"), b"mine\\n"))
    {'one': array([0, 1, 2])}
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            # numpy's savez takes no names with "file" and allows objects
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    body = content.getvalue()
    if len(body) > LARGEST:
        raise NotSaved(f"{path} was not saved: {len(body):,} bytes, of at most {LARGEST:,}")
    if sparse:
        body = zlib.compress(body, 1)  # more takes twice as long for a fiftieth less
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{path.parent} cannot be made: {reason(error)}") from error
    write_atomically(path, magic + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    if path.parent.name == path.name[:2]:
        clear_once(path.parent.parent)


def read_arrays(path: Path, magic: bytes, *, used: bool = True) -> dict[str, NDArray[Any]] | None:
    """Read arrays from a file.

    Parameters
    ----------
    path : Path
    magic : bytes
        The first line that the file has to have.
    used : bool
        Whether this counts as a use: what was not used for long is cleared.

    Returns
    -------
    dict of str to array, or None
        Of any shape; None where there is no file, or it is damaged in any way.

    Examples
    --------
    >>> read_arrays(Path("missing"), b"mine\\n") is None
    True
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    start = len(magic) + _DIGEST + 1
    body = content[start:]
    digest = hashlib.sha256(body).hexdigest().encode() + b"\n"
    if content[:start] != magic + digest:
        return None
    try:
        arrays = _unpacked(body if body.startswith(b"PK") else _inflated(body))
    except Exception:  # it has the digest of what it holds, and was not written by us all the same
        return None
    if used:
        with suppress(OSError):
            os.utime(path)
    return arrays


def _inflated(body: bytes) -> bytes:
    inflating = zlib.decompressobj()
    archive = inflating.decompress(body, LARGEST)
    if not inflating.eof:
        raise ValueError("it is cut off, or inflates to more than we write")
    return archive


def _unpacked(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        packed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
        if packed or sum(member.file_size for member in members) > len(content):
            raise ValueError("it inflates to more than it holds")
        return {
            member.filename.removesuffix(".npy"): array_of(archive.read(member))
            for member in members
        }
