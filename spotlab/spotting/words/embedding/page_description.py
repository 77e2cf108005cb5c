"""Describes the words of a page by a network, boxes that are nearly the same only once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.formats.store.entries import code_digest, key_of, read_arrays, write_arrays
from spotlab.geometry.boxes import share_boxes
from spotlab.geometry.outlines import has_form
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.characters import characters_read
from spotlab.spotting.words.embedding.network import Described, Grey, WordNetwork, cut_pictures

_GIVEN_MOVES = (0, 3, -3)  # px downwards in the pictures of a word; chosen on five pages of letters
_TALL = 1.5  # widths in a box's height from which its word may run up or down the page
_MORE = 2  # characters that are read in it, at least, when it is turned
_UPWARDS, _DOWNWARDS = 1, -1  # quarter turns clockwise that make a word run from left to right


def describe_given(
    network: WordNetwork, grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0
) -> Described:
    """Describe words whose boxes are given.

    People draw boxes more or less tightly above and below, so each word is shown to the network
    three times: as it is, a bit lower and a bit higher. What it says is the mean.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    turns : int or (N,) int
        Quarter turns clockwise that make each word run from left to right, as of `writing_turns`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> sizes = ((2,), (3,), (4, 5))
    >>> network = SimpleNamespace(
    ...     describe=lambda grey, boxes, turns, moves: Described(
    ...         *(np.zeros((len(boxes), *size), np.uint8) for size in sizes)
    ...     )
    ... )
    >>> page = np.full((90, 90), 255, np.uint8)
    >>> len(describe_given(network, page, [[5, 5, 65, 30], [70, 5, 90, 55]]))
    2
    """
    return network.describe(grey, boxes, turns, _GIVEN_MOVES)


def writing_turns(network: WordNetwork, grey: Grey, boxes: ArrayLike) -> Ints:
    """Find the words of a page that are written up or down it.

    A word is, if its box is tall and more is read in it when it is turned. All of them run the same
    way: the one in which more is read.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N,) int
        Quarter turns clockwise that make each word run from left to right: 1 for a word that is
        written upwards, -1 for one that is written downwards, 0 for the others.

    Examples
    --------
    A box that is wider than tall is never turned:

    >>> writing_turns(None, np.full((90, 90), 255, np.uint8), [[5, 5, 65, 30]]).tolist()
    [0]
    """
    corners = np.asarray(boxes, np.float64).reshape(-1, 4)
    turns = np.zeros(len(corners), np.int64)
    width, height = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    tall = np.flatnonzero(height > _TALL * width)
    if not len(tall):
        return turns
    level, upwards, downwards = (
        characters_read(
            network.describe_pictures(cut_pictures(grey, corners[tall], turn)).characters
        )
        for turn in (0, _UPWARDS, _DOWNWARDS)
    )
    are_turned = np.maximum(upwards, downwards) >= level + _MORE
    runs_up = upwards[are_turned].sum() >= downwards[are_turned].sum()
    turns[tall[are_turned]] = _UPWARDS if runs_up else _DOWNWARDS
    return turns


Turns = NDArray[np.int8] | Ints

# Intersection over union from which candidates share one description; chosen on five pages of
# letters
SAME = 0.92
# px downwards in the pictures of a candidate; chosen there, on three photographs, and so that two
# pages of print are not found less well: 2 up and 2 down found letters better, and print worse
_MOVES = (0, 2)


@dataclass(frozen=True, eq=False)
class PageDescription:
    """Descriptions of the words of a page computed by a network.

    Attributes
    ----------
    described : Described
        Of M different words.
    row : (N,) int
        Which of them describes each word.
    """

    described: Described
    row: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.row)


def describe_page(
    network: WordNetwork, grey: Grey, boxes: Boxes, turns: Turns, *, given: bool = False
) -> PageDescription:
    """Describe the words of a page.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    turns : (N,) int
        Quarter turns clockwise that make each word run from left to right.
    given : bool
        Boxes that somebody has drawn are described one by one. Candidates overlap: those that are
        nearly the same share a description.
    """
    if given:
        return PageDescription(describe_given(network, grey, boxes, turns), np.arange(len(boxes)))
    chosen, row = _shared(boxes, turns)
    return PageDescription(network.describe(grey, boxes[chosen], turns[chosen], _MOVES), row)


def _shared(boxes: Boxes, turns: Turns) -> tuple[Ints, Ints]:
    """Boxes that are described, and which of them stands for each; words run alike in both."""
    chosen, row, count = [], np.zeros(len(boxes), np.int64), 0
    for turn in np.unique(turns):
        alike = np.flatnonzero(turns == turn)
        own, place = share_boxes(boxes[alike], SAME)
        row[alike] = count + place
        chosen.append(alike[own])
        count += len(own)
    return np.concatenate([np.zeros(0, np.int64), *chosen]), row


_MAGIC = b"spotlab word descriptions 1\n"
_NAMES = {"embedding", "attributes", "characters", "row"}


@cache
def description_version() -> str:
    """Digest that changes with everything that decides what a network is shown."""
    room = Path(__file__).parent
    names = "alphabet", "characters", "network", "page_description"
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
