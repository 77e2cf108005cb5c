"""The network that describes pictures of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.formats.rows.json_values import parse_json
from spotlab.representation import short_repr
from spotlab.resources import model_file
from spotlab.spotting.networks import Network, in_batches, no_network, open_network
from spotlab.spotting.words.embedding.alphabet import Alphabet, stored_attributes
from spotlab.spotting.words.embedding.characters import stored_characters

Pictures = NDArray[np.float32]
Grey = NDArray[np.uint8]

HEIGHT, WIDTH = 48, 160  # px
_NARROW = 2.4  # heights: a narrower word gets paper on both sides instead of being stretched
_LEAST = 0.35  # of the width, for the narrowest word
_LONG = 0.9  # of a picture's width, for a long word: there is paper on both sides
_TALL = 1.1  # picture's heights of a box: its upper and lower edge are left out
_DARKEST, _LIGHTEST = 1.2, -0.3  # bounds of what is kept, where 1 is ink and 0 is paper
_CONTRAST = 20.0  # grey levels between paper and ink, at least
_INKED = 0.35  # share of the contrast from which a pixel is ink
_ENOUGH = 200  # px of a word's width in which its ends are found
_EVERY = 7  # pixel by which paper and ink are estimated


def cut_pictures(grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0) -> Grey:
    """Cut words out of a page and bring them to the network's size.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px; what is beyond the page is left out.
    turns : int or (N,) int
        Quarter turns clockwise that make each word run from left to right.

    Returns
    -------
    (N, 48, 160) uint8
        From a word's first ink to its last, with paper on both sides; narrow words have more of it.
        The edges of a box above and below, 4 % of its height each, are left out: boxes are taller
        than letters.

    Examples
    --------
    >>> page = np.full((60, 300), 200, np.uint8)
    >>> page[20:40, 20:220:4] = 50
    >>> cut_pictures(page, [[10, 10, 230, 50], [10, 10, 40, 50]]).shape
    (2, 48, 160)
    """
    corners = np.asarray(boxes, np.float64).reshape(-1, 4)
    quarters = np.broadcast_to(np.asarray(turns), len(corners)).tolist()
    pictures = np.empty((len(corners), HEIGHT, WIDTH), np.uint8)
    for place, (corner, quarter) in enumerate(zip(corners, quarters, strict=True)):
        pictures[place] = _fitted(np.ascontiguousarray(np.rot90(_cut(grey, corner), -quarter)))
    return pictures


def move_pictures(pictures: Pictures, rows: int) -> Pictures:
    """Move words up or down in their pictures; the last row of paper is repeated.

    Parameters
    ----------
    pictures : (N, 1, 48, 160) float32
    rows : int
        px downwards.

    Examples
    --------
    >>> picture = np.arange(48, dtype=np.float32).reshape(1, 1, 48, 1).repeat(160, axis=3)
    >>> move_pictures(picture, 2)[0, 0, :4, 0].tolist()
    [0.0, 0.0, 0.0, 1.0]
    >>> move_pictures(picture, -2)[0, 0, -4:, 0].tolist()
    [46.0, 47.0, 47.0, 47.0]
    """
    seen = np.clip(np.arange(HEIGHT) - rows, 0, HEIGHT - 1)
    return np.asarray(pictures[:, :, seen])


def normalise_pictures(pictures: Grey) -> Pictures:
    """Turn greys into ink, whatever the paper and the contrast.

    Parameters
    ----------
    pictures : (N, 48, 160) uint8

    Returns
    -------
    (N, 1, 48, 160) float32
        0 for paper and 1 for ink, at most a little below and above.

    Examples
    --------
    >>> blank = np.full((1, 48, 160), 200, np.uint8)
    >>> normalise_pictures(blank).max()
    np.float32(0.0)
    """
    flat = pictures.reshape(len(pictures), -1)
    order = _sorted(flat[:, ::_EVERY]).astype(np.float32)
    paper = order[:, int(order.shape[1] * 0.75), None]
    ink = order[:, int(order.shape[1] * 0.01), None]
    scaled = (paper - flat) / np.maximum(paper - ink, np.float32(_CONTRAST))
    ink_map: Pictures = np.clip(scaled, _LIGHTEST, _DARKEST).reshape(-1, 1, HEIGHT, WIDTH)
    return ink_map


def _cut(grey: Grey, corner: NDArray[np.float64]) -> Grey:
    """Return what is in a box, 1 px at least."""
    height, width = grey.shape
    left, top = (
        min(int(max(edge, 0)), side - 1)
        for edge, side in zip(corner[:2], (width, height), strict=True)
    )
    part: Grey = grey[top : max(int(corner[3]), top + 2), left : max(int(corner[2]), left + 2)]
    return part


def _fitted(cut: Grey) -> Grey:
    cut = _without_sides(cut)
    high, wide = cut.shape
    width = int(WIDTH * _LONG * np.clip(wide / max(high, 1) / _NARROW, _LEAST, 1))
    height = int(HEIGHT * _TALL)
    shrinks = high > height or wide > width
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(cut, (width, height), interpolation=method), np.uint8)
    beyond = (height - HEIGHT) // 2
    seen = image[beyond : beyond + HEIGHT]
    paper = _percentile(_sorted(seen[:, ::3].ravel()), 75)
    whole = np.full((HEIGHT, WIDTH), paper, np.uint8)
    start = (WIDTH - width) // 2
    whole[:, start : start + width] = seen
    return whole


def _without_sides(cut: Grey) -> Grey:
    """The cut from its first ink to its last: boxes are drawn more or less tightly."""
    high, wide = cut.shape
    size = min(wide, _ENOUGH), min(high, HEIGHT)
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    order = np.sort(small, axis=None)
    ink, paper = (_percentile(order, percent) for percent in (1, 75))
    dark = paper - small > _INKED * max(paper - ink, _CONTRAST)
    columns = np.flatnonzero(dark.any(axis=0)) * (wide / size[0])
    if not len(columns):
        return cut
    return cut[:, int(columns[0]) : math.ceil(columns[-1] + wide / size[0])]


def _sorted(greys: Grey) -> Grey:
    """Each row in order; numpy counts bytes where it has to keep their order, 20 times as fast."""
    return np.sort(greys, axis=-1, kind="stable")


def _percentile(order: NDArray[Any], percent: int) -> float:
    """Of sorted values; `numpy.percentile` takes ten times as long for so few."""
    place, beyond = divmod((order.size - 1) * percent, 100)
    below, above = float(order[place]), float(order[min(place + 1, order.size - 1)])
    return below + (above - below) * beyond / 100


SHIPPED = "words.onnx"
OUTPUTS = ("embedding", "attributes", "characters")
_BATCH = 4  # pictures; more take more memory, and hardly less time


@dataclass(frozen=True, eq=False)
class Described:
    """Descriptions of words computed by a network.

    Attributes
    ----------
    embedding : (N, E) float16
        Alike for the same word, whoever has written it.
    attributes : (N, A) int8
        Which characters are where; see `spotlab.spotting.words.embedding.alphabet`.
    characters : (N, T, 1 + C) uint8
        The characters along the word; see `spotlab.spotting.words.embedding.characters`.
    """

    embedding: NDArray[np.float16]
    attributes: NDArray[np.int8]
    characters: NDArray[np.uint8]

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.embedding)

    def take(self, rows: NDArray[np.int64]) -> Described:
        """Choose some of the words.

        Parameters
        ----------
        rows : (K,) int

        Examples
        --------
        >>> said = Described(np.zeros((3, 4)), np.zeros((3, 5)), np.zeros((3, 6, 7)))
        >>> len(said.take(np.array([0, 2])))
        2
        """
        return Described(self.embedding[rows], self.attributes[rows], self.characters[rows])


@dataclass(frozen=True, eq=False)
class WordNetwork:
    """A network that was trained on pictures of words.

    Attributes
    ----------
    alphabet : Alphabet
    levels : tuple of int
        Of its attributes.
    sizes : (int, int)
        Numbers of an embedding, and places along a word at which there are characters.
    """

    alphabet: Alphabet
    levels: tuple[int, ...]
    sizes: tuple[int, int]
    _network: Network

    __repr__ = short_repr

    @property
    def file(self) -> Path:
        """An ONNX file; its metadata say what its outputs mean."""
        return self._network.file

    @property
    def digest(self) -> str:
        """Of its content."""
        return self._network.digest

    @property
    def metadata(self) -> Mapping[str, str]:
        """Return what the file says of itself."""
        return self._network.metadata

    def describe(
        self, grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0, moves: Sequence[int] = (0,)
    ) -> Described:
        """Describe the words in boxes on a page.

        Parameters
        ----------
        grey : (H, W) uint8
            The page.
        boxes : (N, 4) float
            left, top, right, bottom in px.
        turns : int or (N,) int
            Quarter turns clockwise that make each word run from left to right.
        moves : sequence of int
            As of `describe_pictures`.
        """
        return self.describe_pictures(cut_pictures(grey, boxes, turns), moves)

    def describe_pictures(self, pictures: Grey, moves: Sequence[int] = (0,)) -> Described:
        """Describe pictures of words.

        Parameters
        ----------
        pictures : (N, 48, 160) uint8
            As `cut_pictures` makes them.
        moves : sequence of int
            How many px lower each word is shown to the network, once for each: where its rows lie
            on a word is chance, and the mean of what it says errs less.

        Examples
        --------
        >>> from spotlab.resources import needed_model
        >>> network = read_network(needed_model(SHIPPED))
        >>> said = network.describe_pictures(np.full((2, 48, 160), 255, np.uint8), (2, -2))
        >>> said.characters.shape
        (2, 40, 37)
        """
        parts = [self._empty(), *in_batches(partial(self._run, moves=moves), pictures, _BATCH)]
        return Described(
            np.concatenate([part.embedding for part in parts]),
            np.concatenate([part.attributes for part in parts]),
            np.concatenate([part.characters for part in parts]),
        )

    def _run(self, pictures: Grey, moves: Sequence[int]) -> Described:
        # always as many pictures: engines prepare themselves anew for each other number
        whole = np.zeros((_BATCH, HEIGHT, WIDTH), np.uint8)
        whole[: len(pictures)] = pictures
        seen = normalise_pictures(whole)
        said = [self._network.run(move_pictures(seen, rows), "images", OUTPUTS) for rows in moves]
        embedding, attributes, characters = (
            np.stack(views)[:, : len(pictures)] for views in zip(*said, strict=True)
        )
        return Described(
            embedding.mean(axis=0).astype(np.float16),
            stored_attributes(attributes.mean(axis=0)),
            stored_characters(np.logaddexp.reduce(characters, axis=0) - math.log(len(moves))),
        )

    def _empty(self) -> Described:
        size, places = self.sizes
        letters = len(self.alphabet)
        return Described(
            np.empty((0, size), np.float16),
            np.empty((0, sum(self.levels) * letters), np.int8),
            np.empty((0, places, 1 + letters), np.uint8),
        )


def shipped_network() -> WordNetwork | None:
    """The network that comes with spotlab; None where it was not installed."""
    file = model_file(SHIPPED)
    return None if file is None else read_network(file)


def read_network(file: Path) -> WordNetwork:
    """Read a network.

    Parameters
    ----------
    file : Path
        ONNX, with the outputs embedding, attributes and characters, and with the metadata alphabet
        and levels.

    Raises
    ------
    BadInput
        It cannot be read, or is another network.
    """
    return _for_words(open_network(file, "words"))


@lru_cache(maxsize=4)
def _for_words(network: Network) -> WordNetwork:
    try:
        alphabet = Alphabet(network.metadata["alphabet"])
        levels = tuple(int(level) for level in parse_json(network.metadata["levels"]))
        blank = np.zeros((_BATCH, 1, HEIGHT, WIDTH), np.float32)
        embedding, attributes, characters = network.run(blank, "images", OUTPUTS)
        letters, sizes = len(alphabet), (embedding.shape[1], characters.shape[1])
        fits = attributes.shape[1:] == (sum(levels) * letters,)
        fits = fits and (embedding.ndim, characters.shape[2:]) == (2, (1 + letters,))
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise no_network(network.file, "words") from error
    if not fits:
        raise BadInput(network.file, "its outputs do not fit its alphabet and levels")
    return WordNetwork(alphabet, levels, sizes, network)
