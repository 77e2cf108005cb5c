"""Trained networks in ONNX files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Singles
from spotlab.compute import each_in_threads
from spotlab.errors import BadInput, SpotlabError, reason
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.resources import needed_model
from spotlab.spotting.network_engines import (
    ConfinedEngine,
    NetworkEngine,
    prepare_network,
)

_LARGEST = 1 << 28  # bytes of a network
_METADATA, _KEY, _VALUE = 14, 1, 2  # fields of ONNX's ModelProto and StringStringEntryProto
_BYTES = 2  # kind of a field that holds so many bytes
_FIXED = {1: 8, 5: 4}  # kinds of fields of fixed size, by their bytes

Said = TypeVar("Said")


@dataclass(frozen=True, eq=False)
class Network:
    """A network that can be run.

    Attributes
    ----------
    file : Path
        An ONNX file; its metadata say what its outputs mean.
    digest : str
        Of its content.
    metadata : mapping of str to str
        What the file says of itself.
    """

    file: Path
    digest: str
    metadata: Mapping[str, str]
    _engine: NetworkEngine = field(repr=False)
    _shapes: dict[str, tuple[int, ...]] = field(repr=False, default_factory=dict)

    __repr__ = short_repr

    def run(self, given: Singles, name: str, outputs: Sequence[str]) -> list[Singles]:
        """Run it.

        Parameters
        ----------
        given : (N, …) float32
            Always as many: engines prepare themselves anew for each other number.
        name : str
            Of this input.
        outputs : sequence of str
            What is wanted.

        Returns
        -------
        list of (N, …) float32

        Raises
        ------
        NotRunnable
            It has no such input or outputs.
        BadInput
            It yields NaN or infinity, or not as many rows as it was given.

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.resources import needed_model
        >>> network = open_network(needed_model("symbols.onnx"), "symbols")
        >>> blank = np.zeros((1, 1, 48, 48), np.float32)
        >>> [output.shape for output in network.run(blank, "pictures", ["embedding", "symbol"])]
        [(1, 128), (1, 1)]
        """
        found = self._engine.run(given, name, outputs)
        for output, values in zip(outputs, found, strict=True):
            shape = (len(given), *self._shapes.setdefault(output, values.shape[1:]))
            if values.shape != shape:
                problem = f"its output {output!r} has the shape {values.shape}"
                raise BadInput(self.file, problem, expected=str(shape))
        if not all(np.isfinite(output).all() for output in found):
            problem = "it yields values that are no numbers"
            raise BadInput(self.file, problem, expected="a network that has learned")
        return found


def open_network(file: Path, kind: str) -> Network:
    """Read a network, once as long as its file stays the same.

    Parameters
    ----------
    file : Path
    kind : str
        What it is for, as the command that trains it is called.

    Raises
    ------
    BadInput
        It cannot be read, or is no network.

    Examples
    --------
    >>> from spotlab.resources import needed_model
    >>> open_network(needed_model("symbols.onnx"), "symbols").metadata["made_by"]
    'spotlab train symbols'
    """
    try:
        stamp = file.stat()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    return _opened(file, kind, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=4)
def _opened(file: Path, kind: str, _changed: int, size: int) -> Network:
    if size > _LARGEST:
        raise BadInput(file, f"{size:,} bytes are more than a network has")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    try:
        said = metadata_of(content)
        engine = prepare_network(content) if _is_ours(file) else ConfinedEngine(file, content)
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise no_network(file, kind) from error
    return Network(file, hashlib.sha256(content).hexdigest(), said, engine)


def _is_ours(file: Path) -> bool:
    """Whether it comes with spotlab; any other may be a stranger's."""
    try:
        return needed_model(file.name) == file
    except SpotlabError:
        return False


def in_batches(
    describe: Callable[[NDArray[np.uint8]], Said],
    pictures: NDArray[np.uint8],
    size: int,
    progress: Progress = silent,
) -> list[Said]:
    """Describe pictures in batches, as many at once as there are processors.

    Parameters
    ----------
    describe : callable
        Says something of (M, H, W) uint8 pictures, M ≤ ``size``.
    pictures : (N, H, W) uint8
    size : int
        Pictures of a batch; the last one may have fewer.
    progress : Progress
        Told of each batch.

    Returns
    -------
    list
        What it said of each batch, in their order; empty without pictures.

    Examples
    --------
    >>> in_batches(len, np.zeros((5, 48, 160), np.uint8), 2)
    [2, 2, 1]
    """
    batches = [pictures[start : start + size] for start in range(0, len(pictures), size)]
    said = dict(each_in_threads(describe, batches, progress, "describing pictures"))
    return [said[number] for number in range(len(batches))]


def no_network(file: Path, kind: str) -> BadInput:
    """The error that a file is not what `open_network` was asked for.

    Parameters
    ----------
    file : Path
    kind : str

    Examples
    --------
    >>> no_network(Path("notes.txt"), "words").problem
    'it is no network for words'
    """
    expected = f"an ONNX file of spotlab train {kind}"
    return BadInput(file, f"it is no network for {kind}", expected=expected)


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
