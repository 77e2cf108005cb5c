"""Weights of a network in its ONNX file: read them, and put others of the same sizes there.

A file is changed without any library for ONNX, so that an adapted network can be written by what
spotlab itself is installed with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

NetworkWeights = dict[str, NDArray[np.float32]]

_GRAPH, _PROPERTIES = 7, 14  # fields of ModelProto
_TENSORS, _OUTPUTS = 5, 12  # of GraphProto
_VALUE_NAME, _VALUE_TYPE = 1, 2  # of ValueInfoProto
_TENSOR_TYPE = 1  # of TypeProto
_ELEMENT, _SHAPE = 1, 2  # of TypeProto.Tensor
_DIM = 1  # of TensorShapeProto
_DIM_SIZE, _DIM_NAME = 1, 2  # of TensorShapeProto.Dimension
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9  # of TensorProto
_KEY, _VALUE = 1, 2  # of StringStringEntryProto
_FLOAT, _HALF = 1, 10  # types of tensors
_ENDING = ".half"  # of the names of tensors that are weights
_FIXED = {1: 8, 5: 4}  # bytes of fields of fixed size, by the kind of field


def weights_of(content: bytes) -> NetworkWeights:
    """Read the weights of a network.

    Parameters
    ----------
    content : bytes
        Of an ONNX file that `onnx_bytes` has made.

    Returns
    -------
    dict of str to array of float32
        By their names, as in ``four_a.w``.

    Raises
    ------
    ValueError
        It is no such file.
    """
    found: NetworkWeights = {}
    for name, dims, start, end in _tensors(content):
        halves = np.frombuffer(content[start:end], np.float16)
        found[name] = halves.reshape(dims).astype(np.float32)
    if not found:
        raise ValueError("no weights in half precision")
    return found


def with_weights(content: bytes, weights: Mapping[str, NDArray[np.float32]]) -> bytes:
    """Put weights in the place of those that a file has.

    Parameters
    ----------
    content : bytes
        Of an ONNX file that `onnx_bytes` has made.
    weights : mapping of str to array
        The others stay as they are.

    Raises
    ------
    ValueError
        There is no such weight, or it has another shape.
    """
    changed, missing = bytearray(content), set(weights)
    for name, dims, start, end in _tensors(content):
        if name not in missing:
            continue
        if weights[name].shape != dims:
            raise ValueError(f"{name} is {dims}, not {weights[name].shape}")
        changed[start:end] = np.ascontiguousarray(weights[name], np.float16).tobytes()
        missing.discard(name)
    if missing:
        raise ValueError(f"no weights {', '.join(sorted(missing))}")
    return bytes(changed)


def with_weights_between(content: bytes, other: bytes, share: float) -> bytes:
    """Put weights between those of two files of the same network.

    Parameters
    ----------
    content, other : bytes
        Of ONNX files that `onnx_bytes` has made.
    share : float
        0 for the weights of ``content``, 1 for those of ``other``.

    Raises
    ------
    ValueError
        They are files of different networks.

    References
    ----------
    Wortsman et al. (2022), "Robust fine-tuning of zero-shot models", CVPR, §3.
    """
    here, there = weights_of(content), weights_of(other)
    if here.keys() != there.keys():
        raise ValueError("weights of two different networks")
    return with_weights(
        content, {name: here[name] + share * (there[name] - here[name]) for name in here}
    )


def with_properties(content: bytes, told: Mapping[str, str]) -> bytes:
    """Add metadata to an ONNX file; of two with the same key the added one counts.

    Parameters
    ----------
    content : bytes
    told : mapping of str to str
    """
    entries = [
        _field(_PROPERTIES, _field(_KEY, key.encode()) + _field(_VALUE, value.encode()))
        for key, value in told.items()
    ]
    return content + b"".join(entries)


def with_outputs(content: bytes, sizes: Mapping[str, Sequence[int]]) -> bytes:
    """Let a network also give what is inside of it.

    Parameters
    ----------
    content : bytes
        Of an ONNX file that `onnx_bytes` has made.
    sizes : mapping of str to sequence of int
        Shapes of values of its graph for one word, as in ``{"parts": [1536]}``.

    Raises
    ------
    ValueError
        It is no such file.
    """
    more = b"".join(_output(name, shape) for name, shape in sizes.items())
    changed, place = bytearray(), 0
    for number, start, end in _fields(content, 0, len(content)):
        if number == _GRAPH:
            changed += _field(_GRAPH, content[start:end] + more)
        else:
            changed += content[place:end]
        place = end
    return bytes(changed)


def _output(name: str, shape: Sequence[int]) -> bytes:
    """A value of float32 of a graph, as one of its outputs."""
    words = _field(_DIM, _field(_DIM_NAME, b"N"))
    sizes = [_field(_DIM, _varint(_DIM_SIZE << 3) + _varint(size)) for size in shape]
    kind = _varint(_ELEMENT << 3) + _varint(_FLOAT) + _field(_SHAPE, words + b"".join(sizes))
    typed = _field(_VALUE_TYPE, _field(_TENSOR_TYPE, kind))
    return _field(_OUTPUTS, _field(_VALUE_NAME, name.encode()) + typed)


def _tensors(content: bytes) -> Iterator[tuple[str, tuple[int, ...], int, int]]:
    """Name, shape, and place in the file of each tensor of half precision."""
    for graph_field, start, end in _fields(content, 0, len(content)):
        if graph_field != _GRAPH:
            continue
        for field, first, last in _fields(content, start, end):
            if field == _TENSORS:
                yield from _tensor(content, first, last)


def _tensor(
    content: bytes, start: int, end: int
) -> Iterator[tuple[str, tuple[int, ...], int, int]]:
    name, kind, dims, raw = "", 0, [], (0, 0)
    for field, first, last in _fields(content, start, end):
        if field == _NAME:
            name = content[first:last].decode("utf-8", "replace")
        elif field == _RAW:
            raw = first, last
        elif field == _TYPE:
            kind = _number(content, first)[0]
        elif field == _DIMS:
            place = first
            while place < last:
                size, place = _number(content, place)
                dims.append(size)
    if kind == _HALF and name.endswith(_ENDING) and 2 * int(np.prod(dims)) == raw[1] - raw[0]:
        yield name.removesuffix(_ENDING), tuple(dims), *raw


def _fields(content: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Number, start and end of each field of a message; a number's start is where it is written."""
    while start < end:
        tag, start = _number(content, start)
        kind = tag & 7
        if kind == 0:
            _, after = _number(content, start)
        elif kind == 2:
            size, start = _number(content, start)
            after = start + size
        elif kind in _FIXED:
            after = start + _FIXED[kind]
        else:
            raise ValueError(f"no field of kind {kind} in an ONNX file")
        if after > end:
            raise ValueError("the file ends too early")
        yield tag >> 3, start, after
        start = after


def _number(content: bytes, place: int) -> tuple[int, int]:
    """A number of variable size, and what comes after it."""
    value = shift = 0
    while True:
        if place >= len(content) or shift > 63:
            raise ValueError("the file ends too early")
        byte = content[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes([*written, value])
