"""The network that describes pictures of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import BadInput
from spotlab.formats.rows.json_values import parse_json
from spotlab.representation import short_repr
from spotlab.resources import model_file
from spotlab.spotting.networks import Network, in_batches, no_network, open_network
from spotlab.spotting.words.embedding.alphabet import Alphabet
from spotlab.spotting.words.embedding.attributes import stored_attributes
from spotlab.spotting.words.embedding.characters import stored_characters
from spotlab.spotting.words.embedding.pictures import (
    HEIGHT,
    WIDTH,
    Grey,
    cut_pictures,
    move_pictures,
    normalise_pictures,
)

SHIPPED = "words.onnx"
OUTPUTS = ("embedding", "attributes", "characters")
_BATCH = 4  # pictures; more take more memory, and hardly less time


@dataclass(frozen=True, eq=False)
class Described:
    """What a network says of words.

    Attributes
    ----------
    embedding : (N, E) float16
        Alike for the same word, whoever has written it.
    attributes : (N, A) int8
        Which characters are where; see `spotlab.spotting.words.embedding.attributes`.
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
        """What the file says of itself."""
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
