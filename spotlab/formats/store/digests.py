"""Digests of files, code and settings, of which the keys of entries are made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np

from spotlab.extras import cv2


def digest_of(path: Path) -> str:
    """Compute the SHA-256 digest of a file's content.

    Parameters
    ----------
    path : Path
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_digest(sources: Iterable[Path], libraries: Sequence[ModuleType] = (np, cv2)) -> str:
    """Compute a digest that changes with source files and with the libraries that they use.

    The sources have to be files: a build without Python keeps them as such.

    Parameters
    ----------
    sources : iterable of Path
    libraries : sequence of module
        numpy and OpenCV by default, which is imported for its version.
    """
    versions = " ".join(library.__version__ for library in libraries)
    digest = hashlib.sha256(versions.encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def key_of(*parts: str) -> str:
    """Make the name of a file from all that its content depends on.

    Parameters
    ----------
    *parts : str

    Returns
    -------
    str
        40 hexadecimal digits.
    """
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]
