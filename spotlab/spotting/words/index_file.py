"""Keeps what was seen on one page in a file, which is whole and the right one, or is not used."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.errors import NotSaved, reason
from spotlab.formats.atomic import write_atomically

_MAGIC = b"spotlab words 1\n"
_DIGEST = 64  # of SHA-256, in hexadecimal digits
# all others in this folder say how a page is seen
_NOT_EYES = {
    "index",
    "index_file",
    "overlaps",
    "projection",
    "query",
    "scores",
    "search",
    "texts",
    "word_index",
}


@dataclass(frozen=True, eq=False)
class PageWords:
    """What was seen on one page.

    Attributes
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.
    raw : (N, D) float16
        Descriptors before projection.
    changes : (M, D) float16
        What disturbing some of them does to their descriptors.
    """

    boxes: NDArray[np.float64]
    raw: NDArray[np.float16]
    changes: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.boxes)


@cache
def eyes_version() -> str:
    """Changes with everything that decides what is seen on a page."""
    folder = Path(__file__).parent
    sources = sorted(each for each in folder.glob("*.py") if each.stem not in _NOT_EYES)
    digest = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for source in sources:
        digest.update(source.read_bytes())
    digest.update((folder.parents[1] / "imaging" / "ink.py").read_bytes())
    return digest.hexdigest()


def digest_of(path: Path) -> str:
    """Of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def page_key(
    image_digest: str, frame: int, settings: str, boxes: NDArray[np.float64] | None
) -> str:
    """What the file of a page is named by: everything that its content depends on."""
    parts = [image_digest, str(frame), settings, eyes_version()]
    parts.append("" if boxes is None else hashlib.sha256(boxes.tobytes()).hexdigest())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def write_words(words: PageWords, path: Path) -> None:
    """Write the file, or raise and leave what was there.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
    """
    content = io.BytesIO()
    np.savez(content, boxes=words.boxes, raw=words.raw, changes=words.changes)
    body = content.getvalue()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{path.parent} cannot be made: {reason(error)}") from error
    write_atomically(path, _MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def read_words(path: Path) -> PageWords | None:
    """What the file holds; None where there is none, or it is damaged in any way."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST + 1
    body = content[start:]
    digest = hashlib.sha256(body).hexdigest().encode() + b"\n"
    if content[:start] != _MAGIC + digest:
        return None
    try:
        with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
            words = PageWords(arrays["boxes"], arrays["raw"], arrays["changes"])
    except (KeyError, ValueError, zipfile.BadZipFile):
        return None
    fits = words.boxes.shape == (len(words.raw), 4) and words.raw.ndim == words.changes.ndim == 2
    return words if fits and words.changes.shape[1] == words.raw.shape[1] else None
