"""Keeps arrays about a page in a file, which is whole and the right one, or is not used."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.errors import NotSaved, reason
from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.rows.npz import array_of
from spotlab.spotting.page_cache import clear_once

LARGEST = 1 << 30  # bytes of the arrays of one page
_DIGEST = 64  # of SHA-256, in hexadecimal digits


def digest_of(path: Path) -> str:
    """Of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_digest(sources: Iterable[Path]) -> str:
    """Changes with these files and with the libraries that compute arrays."""
    digest = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def key_of(*parts: str) -> str:
    """What a file is named by: everything that its content depends on."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def keyed_file(folder: Path, key: str, suffix: str) -> Path:
    """Where the file of this key is, in a folder of a few hundred at most: its whole path."""
    return folder.absolute() / key[:2] / f"{key}{suffix}"


def write_arrays(
    arrays: Mapping[str, NDArray[Any]], path: Path, magic: bytes, *, sparse: bool = False
) -> None:
    """Write the file, or raise and leave what was there.

    Parameters
    ----------
    arrays : mapping of str to array
    path : Path
        Its folder is made where it is missing.
    magic : bytes
        A line, the file's first: what it is.
    sparse : bool
        They are mostly zeros, as ink is: compress them.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
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


def read_arrays(path: Path, magic: bytes) -> dict[str, NDArray[Any]] | None:
    """What the file holds; None where there is none, or it is damaged in any way."""
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
    with suppress(OSError):
        os.utime(path)  # what was not used for long is cleared
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
