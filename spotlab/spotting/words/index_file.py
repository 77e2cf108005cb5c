"""Keeps the words of one page in a file."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.store.entries import code_digest, key_of, read_arrays, write_arrays
from spotlab.geometry.outlines import has_form
from spotlab.spotting.words.extraction.descriptor import LENGTH
from spotlab.spotting.words.extraction.page_words import PageWords

_MAGIC = b"spotlab words 3\n"
_NAMES = {field.name for field in fields(PageWords)}


@cache
def extraction_version() -> str:
    """Digest that changes with everything that decides which words are extracted."""
    words = Path(__file__).parent
    rooms = (words / "extraction", words.parents[1] / "imaging")
    return code_digest(file for room in rooms for file in sorted(room.rglob("*.py")))


def page_key(
    image_digest: str, frame: int, settings: str, boxes: NDArray[np.float64] | None
) -> str:
    """Name of a page's file, which depends on everything that its content depends on.

    Parameters
    ----------
    image_digest : str
        Digest of the image file.
    frame : int
        Number of the page in that file.
    settings : str
    boxes : (N, 4) float, optional
        left, top, right, bottom in px of given words.

    Examples
    --------
    >>> page_key("0a", 0, "plain", None) == page_key("0a", 0, "plain", np.zeros((0, 4)))
    False
    """
    given = "" if boxes is None else hashlib.sha256(boxes.tobytes()).hexdigest()
    return key_of(image_digest, str(frame), settings, extraction_version(), given)


def write_words(words: PageWords, path: Path) -> None:
    """Write the file; where that fails, leave what was there.

    Parameters
    ----------
    words : PageWords
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> none = np.zeros((0, LENGTH), np.float16)
    >>> with TemporaryDirectory() as folder:
    ...     words = PageWords(
    ...         np.zeros((0, 4)), none, none, np.zeros(0, np.float32), np.zeros(0, np.int8)
    ...     )
    ...     write_words(words, Path(folder, "page.words"))
    ...     print(len(read_words(Path(folder, "page.words"))))
    0
    """
    arrays = {name: getattr(words, name) for name in _NAMES}
    write_arrays(arrays, path, _MAGIC)


def read_words(path: Path) -> PageWords | None:
    """Read the words of a page.

    Parameters
    ----------
    path : Path

    Returns
    -------
    PageWords or None
        None where there is no file, or it is damaged in any way.
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != _NAMES:
        return None
    words = PageWords(**arrays)
    fits = (
        has_form(words.raw, np.float16, None, LENGTH)
        and has_form(words.changes, np.float16, None, LENGTH)
        and has_form(words.boxes, np.float64, len(words.raw), 4)
        and has_form(words.apart, np.float32, len(words.raw))
        and has_form(words.turns, np.int8, len(words.raw))
        and bool(np.isfinite(words.boxes).all() and np.isfinite(words.apart).all())
    )
    return words if fits else None
