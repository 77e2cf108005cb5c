"""Keeps what a network says of a page's words in a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.store.entries import code_digest, key_of, read_arrays, write_arrays
from spotlab.geometry.outlines import has_form
from spotlab.spotting.words.embedding.network import Described, WordNetwork
from spotlab.spotting.words.embedding.page_description import PageDescription

_MAGIC = b"spotlab word descriptions 1\n"
_NAMES = {"embedding", "attributes", "characters", "row"}


@cache
def description_version() -> str:
    """Digest that changes with everything that decides what a network is shown."""
    room = Path(__file__).parent
    names = (
        "attributes", "characters", "given_words", "network", "page_description", "pictures",
    )  # fmt: skip
    return code_digest(room / f"{name}.py" for name in names)


def description_key(page_key: str, network: WordNetwork) -> str:
    """Name of the file of a page.

    Parameters
    ----------
    page_key : str
        Name of the file of the page's words.
    network : WordNetwork

    Examples
    --------
    Another network has another file:

    >>> from types import SimpleNamespace
    >>> networks = SimpleNamespace(digest="one"), SimpleNamespace(digest="two")
    >>> keys = [description_key("page", network) for network in networks]
    >>> len(keys[0]), keys[0] == keys[1]
    (40, False)
    """
    return key_of(page_key, network.digest, description_version())


def write_description(description: PageDescription, path: Path) -> None:
    """Write the file; where that fails, leave what was there.

    Parameters
    ----------
    description : PageDescription
    path : Path

    Raises
    ------
    NotSaved
        The folder is read-only, the disk is full, …

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> nothing = Described(np.empty((0, 4)), np.empty((0, 4)), np.empty((0, 4)))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.described")
    ...     write_description(PageDescription(nothing, np.empty(0, np.int64)), path)
    ...     print(path.exists())
    True
    """
    said = description.described
    arrays: dict[str, NDArray[Any]] = {
        "embedding": said.embedding,
        "attributes": said.attributes,
        "characters": said.characters,
        "row": description.row,
    }
    write_arrays(arrays, path, _MAGIC)


def read_description(path: Path, network: WordNetwork, words: int) -> PageDescription | None:
    """Read the description of a page's words.

    Parameters
    ----------
    path : Path
    network : WordNetwork
        Whose description it has to be.
    words : int
        How many words the page has.

    Returns
    -------
    PageDescription or None
        None where there is no file, or it is damaged in any way.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from types import SimpleNamespace
    >>> network = SimpleNamespace(alphabet="ab", levels=(1, 2), sizes=(4, 5))
    >>> said = Described(
    ...     np.zeros((1, 4), np.float16), np.zeros((1, 6), np.int8), np.zeros((1, 5, 3), np.uint8))
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.described")
    ...     write_description(PageDescription(said, np.zeros(2, np.int64)), path)
    ...     print(len(read_description(path, network, 2)), read_description(path, network, 3))
    2 None
    """
    arrays = read_arrays(path, _MAGIC)
    if arrays is None or arrays.keys() != _NAMES:
        return None
    count, letters = len(arrays["embedding"]), len(network.alphabet)
    size, places = network.sizes
    row = arrays["row"]
    fits = (
        has_form(arrays["embedding"], np.float16, None, size)
        and has_form(arrays["attributes"], np.int8, count, sum(network.levels) * letters)
        and has_form(arrays["characters"], np.uint8, count, places, 1 + letters)
        and has_form(row, np.int64, words)
        and bool(((row >= 0) & (row < count)).all())
        and bool(np.isfinite(arrays["embedding"]).all())
    )
    if not fits:
        return None
    said = Described(arrays["embedding"], arrays["attributes"], arrays["characters"])
    return PageDescription(said, row)
