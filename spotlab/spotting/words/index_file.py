"""Keeps what was seen on one page in a file, which is whole and the right one, or is not used."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.array_form import has_form
from spotlab.spotting.page_file import code_digest, key_of, read_arrays, write_arrays
from spotlab.spotting.words.descriptor import LENGTH

_MAGIC = b"spotlab words 1\n"
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
def extraction_version() -> str:
    """Changes with everything that decides what is seen on a page."""
    folder = Path(__file__).parent
    sources = sorted(each for each in folder.glob("*.py") if each.stem not in _NOT_EYES)
    imaging = folder.parents[1] / "imaging"
    return code_digest([*sources, imaging / "ink.py", imaging / "paper.py"])


def page_key(
    image_digest: str, frame: int, settings: str, boxes: NDArray[np.float64] | None
) -> str:
    """What the file of a page is named by: everything that its content depends on."""
    given = "" if boxes is None else hashlib.sha256(boxes.tobytes()).hexdigest()
    return key_of(image_digest, str(frame), settings, extraction_version(), given)


def write_words(words: PageWords, path: Path) -> None:
    """Write the file, or raise and leave what was there.

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …
    """
    write_arrays({"boxes": words.boxes, "raw": words.raw, "changes": words.changes}, path, _MAGIC)


def read_words(path: Path) -> PageWords | None:
    """What the file holds; None where there is none, or it is damaged in any way."""
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != {"boxes", "raw", "changes"}:
        return None
    words = PageWords(**arrays)
    fits = (
        has_form(words.raw, np.float16, None, LENGTH)
        and has_form(words.changes, np.float16, None, LENGTH)
        and has_form(words.boxes, np.float64, len(words.raw), 4)
        and bool(np.isfinite(words.boxes).all())
    )
    return words if fits else None
