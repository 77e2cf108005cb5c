"""The network that describes pictures of words, run by OpenCV."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import BadInput, reason
from spotlab.extras import cv2
from spotlab.representation import short_repr
from spotlab.resources import model_file
from spotlab.spotting.words.embedding.alphabet import Alphabet
from spotlab.spotting.words.embedding.attributes import stored_attributes
from spotlab.spotting.words.embedding.characters import stored_characters
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
_LARGEST = 1 << 28  # bytes of a network
_METADATA, _KEY, _VALUE = 14, 1, 2  # fields of ONNX's ModelProto and StringStringEntryProto
_BYTES = 2  # kind of a field that holds so many bytes
_FIXED = {1: 8, 5: 4}  # kinds of fields of fixed size


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
    file : Path
        An ONNX file; its metadata say what its outputs mean.
    digest : str
        Of its content.
    alphabet : Alphabet
    levels : tuple of int
        Of its attributes.
    sizes : (int, int)
        Numbers of an embedding, and places along a word at which there are characters.
    metadata : mapping of str to str
        What the file says of itself.
    """

    file: Path
    digest: str
    alphabet: Alphabet
    levels: tuple[int, ...]
    sizes: tuple[int, int]
    metadata: Mapping[str, str] = field(repr=False)
    _net: Any = field(repr=False)
    _lock: Lock = field(
        default_factory=Lock, repr=False
    )  # OpenCV's networks keep what they work on

    __repr__ = short_repr

    def describe(self, grey: Grey, boxes: ArrayLike) -> Described:
        """Describe the words in boxes on a page.

        Parameters
        ----------
        grey : (H, W) uint8
            The page.
        boxes : (N, 4) float
            left, top, right, bottom in px.
        """
        return self.describe_pictures(cut_pictures(grey, boxes))

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
            with self._lock:
                self._net.setInput(normalise_pictures(whole), "images")
                outputs = self._net.forward(list(OUTPUTS))
                embedding, attributes, characters = (output[: len(part)] for output in outputs)
                described = Described(
                    embedding.astype(np.float16),
                    stored_attributes(attributes),
                    stored_characters(characters),
                )
            yield described

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
    try:
        stamp = file.stat()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    return _network(file, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=4)
def _network(file: Path, _changed: int, size: int) -> WordNetwork:
    if size > _LARGEST:
        raise BadInput(file, f"{size:,} bytes are more than a network for words has")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    try:
        said = metadata_of(content)
        alphabet = Alphabet(said["alphabet"])
        levels = tuple(int(level) for level in json.loads(said["levels"]))
        net = cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))
        net.setInput(np.zeros((_BATCH, 1, HEIGHT, WIDTH), np.float32), "images")
        embedding, attributes, characters = net.forward(list(OUTPUTS))
    except (cv2.error, KeyError, ValueError, TypeError, IndexError) as error:
        raise BadInput(
            file, "it is no network for words", expected="an ONNX file of spotlab train words"
        ) from error
    letters = len(alphabet)
    if attributes.shape[1] != sum(levels) * letters or characters.shape[2] != 1 + letters:
        raise BadInput(file, "its outputs do not fit its alphabet and levels")
    return WordNetwork(
        file,
        hashlib.sha256(content).hexdigest(),
        alphabet,
        levels,
        (embedding.shape[1], characters.shape[1]),
        said,
        net,
    )


def metadata_of(content: bytes) -> dict[str, str]:
    """Read the metadata of an ONNX file.

    Parameters
    ----------
    content : bytes
        Of the file.

    Raises
    ------
    IndexError, ValueError
        It is cut off, or something else.

    References
    ----------
    onnx.proto3, ModelProto.metadata_props; Protocol Buffers' encoding.

    Examples
    --------
    >>> metadata_of(b"\\x72\\x06\\x0a\\x01a\\x12\\x01b")
    {'a': 'b'}
    """
    entries = (dict(_fields(value)) for number, value in _fields(content) if number == _METADATA)
    return {entry[_KEY].decode(): entry[_VALUE].decode() for entry in entries}


def _fields(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a message that hold bytes."""
    place = 0
    while place < len(content):
        tag, place = _number(content, place)
        kind = tag & 7
        if kind == _BYTES:
            size, place = _number(content, place)
            yield tag >> 3, content[place : place + size]
            place += size
        elif kind in _FIXED:
            place += _FIXED[kind]
        elif kind == 0:
            _, place = _number(content, place)
        else:
            raise ValueError(f"there is no field of kind {kind}")


def _number(content: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
