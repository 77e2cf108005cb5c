"""Writes a small network with random weights as ONNX, to run without what was trained."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
LEVELS = (1, 2, 3)
SIZE, PLACES = 24, 40
_FLOAT = 1


def _number(value: int) -> bytes:
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    content = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(content)) + content


def _tensor(name: str, array: np.ndarray) -> bytes:
    kinds = {"float32": _FLOAT, "int64": 7}
    sizes = b"".join(_field(1, size) for size in array.shape)
    return sizes + _field(2, kinds[str(array.dtype)]) + _field(8, name) + _field(9, array.tobytes())


def _attribute(name: str, value: int | list[int]) -> bytes:
    if isinstance(value, int):
        return _field(5, _field(1, name) + _field(3, value) + _field(20, 2))
    numbers = b"".join(_field(8, number & (1 << 64) - 1) for number in value)
    return _field(5, _field(1, name) + numbers + _field(20, 7))


def _node(kind: str, inputs: list[str], output: str, **options: int | list[int]) -> bytes:
    content = b"".join(_field(1, name) for name in inputs) + _field(2, output)
    content += _field(3, output) + _field(4, kind)
    return _field(1, content + b"".join(_attribute(*option) for option in options.items()))


def _value(name: str, sizes: list[int | str]) -> bytes:
    dimensions = b"".join(
        _field(1, _field(2, size) if isinstance(size, str) else _field(1, size)) for size in sizes
    )
    return _field(1, name) + _field(2, _field(1, _field(1, _FLOAT) + _field(2, dimensions)))


def write_network(file: Path, seed: int = 0, alphabet: str = ALPHABET, **metadata: str) -> Path:
    """Write a network whose outputs depend on the picture, but mean nothing."""
    random, letters = np.random.default_rng(seed), len(alphabet)
    attributes = sum(LEVELS) * letters

    def drawn(*sizes: int) -> np.ndarray:
        return (random.standard_normal(sizes) / np.sqrt(np.prod(sizes[1:]))).astype(np.float32)

    weights = {
        "look.w": drawn(1 + letters, 1, 48, 4) * np.float32(6),
        "look.b": np.zeros(1 + letters, np.float32),
        "part.w": drawn(8, 1, 12, 16) * np.float32(6),
        "part.b": np.zeros(8, np.float32),
        "embed.w": drawn(8 * 40, SIZE),
        "embed.b": np.zeros(SIZE, np.float32),
        "asked.w": drawn(SIZE, attributes),
        "asked.b": np.full(attributes, -2, np.float32),
        "shape": np.array([-1, 1 + letters, PLACES]),
    }
    slit, part = [48, 4], [12, 16]
    nodes = [
        _node("Conv", ["images", "look.w", "look.b"], "look", kernel_shape=slit, strides=slit),
        _node("Reshape", ["look", "shape"], "row"),
        _node("Transpose", ["row"], "along", perm=[0, 2, 1]),
        _node("LogSoftmax", ["along"], "characters", axis=2),
        _node("Conv", ["images", "part.w", "part.b"], "part", kernel_shape=part, strides=part),
        _node("Flatten", ["part"], "flat"),
        _node("Gemm", ["flat", "embed.w", "embed.b"], "embed"),
        _node("Relu", ["embed"], "embedding"),
        _node("Gemm", ["embedding", "asked.w", "asked.b"], "asked"),
        _node("Sigmoid", ["asked"], "attributes"),
    ]
    graph = b"".join(nodes) + _field(2, "words")
    graph += b"".join(_field(5, _tensor(name, array)) for name, array in weights.items())
    graph += _field(11, _value("images", ["N", 1, 48, 160]))
    for name, sizes in (
        ("embedding", ["N", SIZE]), ("attributes", ["N", attributes]),
        ("characters", ["N", PLACES, 1 + letters]),
    ):  # fmt: skip
        graph += _field(12, _value(name, sizes))
    said = {"alphabet": alphabet, "levels": json.dumps(LEVELS), **metadata}
    model = _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))
    model += b"".join(_field(14, _field(1, key) + _field(2, text)) for key, text in said.items())
    file.write_bytes(model)
    return file
