"""The network that describes pictures of words, run by OpenCV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import BadInput
from spotlab.extras import cv2
from spotlab.representation import short_repr
from spotlab.resources import model_file
from spotlab.spotting.networks import Network, no_network, open_network
from spotlab.spotting.words.embedding.alphabet import Alphabet
from spotlab.spotting.words.embedding.attributes import stored_attributes
from spotlab.spotting.words.embedding.characters import log_of_steps, stored_characters
from spotlab.spotting.words.embedding.pictures import (
    HEIGHT,
    WIDTH,
    Grey,
    cut_pictures,
    normalise_pictures,
)

SHIPPED = "words.onnx"
OUTPUTS = ("embedding", "attributes", "characters")
_BATCH = 16  # pictures; more fall out of the processor's cache


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

    @classmethod
    def mean(cls, views: Sequence[Described]) -> Described:
        """What a network says of the same words in several pictures of each.

        Parameters
        ----------
        views : sequence of Described
            One or more, of N words each.

        Examples
        --------
        A character that is sure in one picture is half as likely where another does not show it:

        >>> sure, never = (
        ...     Described(np.ones((1, 1)), np.zeros((1, 5)), np.full((1, 40, 1), step))
        ...     for step in (0, 255)
        ... )
        >>> Described.mean([sure, never]).characters[0, 0].tolist()
        [11]
        """
        embedding = np.mean([view.embedding.astype(np.float32) for view in views], axis=0)
        attributes = np.mean([view.attributes for view in views], axis=0, dtype=np.float32)
        logs = log_of_steps(views[0].characters.shape[1])
        characters = np.mean([np.exp(logs)[view.characters] for view in views], axis=0)
        return cls(
            embedding.astype(np.float16),
            np.rint(attributes).astype(np.int8),
            stored_characters(np.log(characters)),
        )


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

    def describe(self, grey: Grey, boxes: ArrayLike, turns: ArrayLike = 0) -> Described:
        """Describe the words in boxes on a page.

        Parameters
        ----------
        grey : (H, W) uint8
            The page.
        boxes : (N, 4) float
            left, top, right, bottom in px.
        turns : int or (N,) int
            Quarter turns clockwise that make each word run from left to right.
        """
        return self.describe_pictures(cut_pictures(grey, boxes, turns))

    def describe_pictures(self, pictures: Grey) -> Described:
        """Describe pictures of words.

        Parameters
        ----------
        pictures : (N, 48, 160) uint8
            As `cut_pictures` makes them.
        """
        parts = [self._empty(), *self._run(pictures)]
        return Described(
            np.concatenate([part.embedding for part in parts]),
            np.concatenate([part.attributes for part in parts]),
            np.concatenate([part.characters for part in parts]),
        )

    def _run(self, pictures: Grey) -> Iterator[Described]:
        for start in range(0, len(pictures), _BATCH):
            part = pictures[start : start + _BATCH]
            # always as many pictures: OpenCV prepares itself anew for each other number
            whole = np.zeros((_BATCH, HEIGHT, WIDTH), np.uint8)
            whole[: len(part)] = part
            outputs = self._network.run(normalise_pictures(whole), "images", OUTPUTS)
            embedding, attributes, characters = (output[: len(part)] for output in outputs)
            yield Described(
                embedding.astype(np.float16),
                stored_attributes(attributes),
                stored_characters(characters),
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
        levels = tuple(int(level) for level in json.loads(network.metadata["levels"]))
        blank = np.zeros((_BATCH, 1, HEIGHT, WIDTH), np.float32)
        embedding, attributes, characters = network.run(blank, "images", OUTPUTS)
    except (cv2.error, KeyError, ValueError, TypeError, IndexError) as error:
        raise no_network(network.file, "words") from error
    letters = len(alphabet)
    if attributes.shape[1] != sum(levels) * letters or characters.shape[2] != 1 + letters:
        raise BadInput(network.file, "its outputs do not fit its alphabet and levels")
    return WordNetwork(alphabet, levels, (embedding.shape[1], characters.shape[1]), network)
