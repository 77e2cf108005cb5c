"""The network while it learns, in PyTorch, which is an extra of spotlab.

Call it only after `spotlab.learning.runs.need_framework` has found PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.onnx_graph import Arrays, OnnxGraph, Shapes, folded_layers, metadata
from spotlab.learning.runs import functional, nn, torch
from spotlab.spotting.words.embedding.network import HEIGHT, WIDTH

PLACES = 40  # along a word, at which there are characters
POOLS = (1, 2, 4, 5)  # parts of a word whose largest activations describe it
COLUMNS = 20  # of the last layer


def onnx_bytes(arrays: Arrays, told: Mapping[str, str]) -> bytes:
    """Write a network as an ONNX file, its weights in half precision.

    Parameters
    ----------
    arrays : mapping of str to array
        Weights as `folded` gives them.
    told : mapping of str to str
        Metadata of the file.

    Returns
    -------
    bytes
        Of the file.
    """
    graph = OnnxGraph(arrays)
    x = graph.layer("one", graph.layer("stem", "images", 2))
    x = graph.layer("two_a", graph.smaller(x, 2, 2, "pool1"))
    x = graph.smaller(graph.layer("two_b", x, add=x), 2, 1, "pool2")
    x = graph.layer("three_a", x)
    x = graph.smaller(graph.layer("three_b", x, add=x), 2, 2, "pool3")
    x = graph.layer("four_a", x)
    x = graph.layer("down", graph.layer("four_b", x, add=x))
    x = graph.layer("along", x, add=x)
    _characters(graph, x, arrays)
    x = graph.layer("pool", x)
    parts = [
        graph.node(
            "Flatten", [graph.smaller(x, 1, COLUMNS // count, f"part{count}")], f"flat{count}"
        )
        for count in POOLS
    ]
    x = graph.node("Concat", parts, "parts", axis=1)
    x = graph.node("Relu", [graph.dense("embed", x)], "embed.out")
    graph.node("Sigmoid", [graph.dense("phoc", x)], "attributes")
    graph.node("MatMul", [x, graph.keep("hand.w")], "embedding")
    return _written(graph, arrays, told)


def folded(arrays: Arrays) -> dict[str, NDArray[np.float32]]:
    """Fold the normalisation of layers into their weights.

    Parameters
    ----------
    arrays : mapping of str to array
        Weights of `spotlab.learning.words.network.new_network` by their names there.

    Returns
    -------
    dict of str to array of float32
        As an ONNX file has them. ``hand.w``, by which the embedding is multiplied, is the identity
        until a network is adapted to a hand.
    """
    plain = folded_layers(arrays)
    plain |= {"ctc.w": arrays["ctc.weight"], "ctc.b": arrays["ctc.bias"]}
    for name in ("embed", "phoc"):
        plain |= {f"{name}.w": arrays[f"{name}.weight"].T, f"{name}.b": arrays[f"{name}.bias"]}
    plain["hand.w"] = np.eye(len(plain["embed.b"]), dtype=np.float32)
    return plain


def _characters(graph: OnnxGraph, x: str, arrays: Arrays) -> None:
    """Two characters for each column."""
    inputs = [x, graph.keep("ctc.w"), graph.keep("ctc.b")]
    x = graph.node("Conv", inputs, "ctc.conv", kernel_shape=[1, 1])  # (N, 2 × (1 + C), 1, 20)
    x = graph.node("Transpose", [x], "ctc.turned", perm=[0, 2, 3, 1])
    shape = graph.sizes("ctc.shape", [-1, PLACES, len(arrays["ctc.b"]) // 2])
    x = graph.node("Reshape", [x, shape], "ctc.rows")
    graph.node("LogSoftmax", [x], "characters", axis=2)


def _written(graph: OnnxGraph, arrays: Arrays, told: Mapping[str, str]) -> bytes:
    symbols = len(arrays["ctc.b"]) // 2
    outputs: Shapes = {
        "embedding": ["N", len(arrays["embed.b"])],
        "attributes": ["N", len(arrays["phoc.b"])],
        "characters": ["N", PLACES, symbols],
    }
    return graph.written("word", {"images": ["N", 1, HEIGHT, WIDTH]}, outputs, told)


def told_of(alphabet: str, levels: tuple[int, ...], more: Mapping[str, object]) -> dict[str, str]:
    """Metadata that say what the outputs of a network mean, and how it was made."""
    sizes = {"height": HEIGHT, "width": WIDTH, "levels": list(levels), **more}
    return metadata({"alphabet": alphabet, **sizes})


EMBEDDING = 320
# name, kernel, channels in and out; a second layer of a pair starts almost as what it is given
_LAYERS = (
    ("stem", (5, 5), 1, 24),
    ("one", (3, 3), 24, 40),
    ("two_a", (3, 3), 40, 64),
    ("two_b", (3, 3), 64, 64),
    ("three_a", (3, 3), 64, 112),
    ("three_b", (3, 3), 112, 112),
    ("four_a", (3, 3), 112, 192),
    ("four_b", (3, 3), 192, 192),
    ("down", (3, 1), 192, 192),
    ("along", (1, 5), 192, 192),
    ("pool", (1, 1), 192, 128),
)
_DROPPED = 0.25  # share of what the embedding is made of


@dataclass(frozen=True)
class Outputs:
    """Outputs of a network for pictures.

    Attributes
    ----------
    attributes : (N, A) tensor
        Log-odds.
    characters : (N, T, 1 + C) tensor
        Not yet probabilities.
    embedding : (N, E) tensor
    """

    attributes: Any
    characters: Any
    embedding: Any


def new_network(attributes: int, symbols: int) -> Any:
    """A network that has not learned yet, its activations normalised by batches.

    Parameters
    ----------
    attributes : int
        Outputs for attributes.
    symbols : int
        Characters, and none.
    """
    parts: dict[str, Any] = {}
    for name, kernel, before, after in _LAYERS:
        conv = _convolution(name, kernel, before, after, bias=False)
        nn.init.kaiming_normal_(conv.weight, mode="fan_in", nonlinearity="relu")
        norm = nn.BatchNorm2d(after, eps=1e-3, momentum=0.03)
        if name.endswith("_b"):
            nn.init.constant_(norm.weight, 0.3)
        parts[name] = nn.ModuleDict({"conv": conv, "norm": norm})
    parts |= _heads(attributes, symbols)
    for name, gain in (("phoc", 1.0), ("embed", 2.0), ("ctc", 1.0)):
        size = parts[name].weight[0].numel()
        nn.init.normal_(parts[name].weight, std=(gain / size) ** 0.5)
        nn.init.constant_(parts[name].bias, -3 if name == "phoc" else 0)  # most are absent
    return nn.ModuleDict(parts)


def network_of(weights: Mapping[str, NDArray[np.float32]]) -> Any:
    """A network with the weights of an ONNX file, to be learned on.

    Parameters
    ----------
    weights : mapping of str to array
        As `spotlab.learning.words.network.weights_of` reads them.
    """
    parts: dict[str, Any] = {}
    for name, kernel, before, after in _LAYERS:
        conv = _convolution(name, kernel, before, after, bias=True)
        parts[name] = nn.ModuleDict({"conv": conv})
    parts |= _heads(len(weights["phoc.b"]), len(weights["ctc.b"]) // 2)
    network = nn.ModuleDict(parts)
    with torch.no_grad():
        for name, parameter in plain_parameters(network).items():
            given = torch.from_numpy(np.ascontiguousarray(weights[name]))
            parameter.copy_(given.T if _is_turned(name) else given)
    return network


def plain_parameters(network: Any) -> dict[str, Any]:
    """Parameters of a network of `network_of` by their names in an ONNX file."""
    found: dict[str, Any] = {}
    for name, *_ in _LAYERS:
        conv = network[name]["conv"]
        found |= {f"{name}.w": conv.weight, f"{name}.b": conv.bias}
    for name in ("ctc", "embed", "phoc"):
        found |= {f"{name}.w": network[name].weight, f"{name}.b": network[name].bias}
    return found


def plain_weights(parameters: Mapping[str, Any]) -> dict[str, NDArray[np.float32]]:
    """Arrays of parameters as an ONNX file has them.

    Parameters
    ----------
    parameters : mapping of str to tensor
        As of `plain_parameters`.
    """
    return {
        name: (value.detach().T if _is_turned(name) else value.detach()).contiguous().numpy()
        for name, value in parameters.items()
    }


def run(network: Any, images: Any) -> Outputs:
    """Describe pictures.

    Parameters
    ----------
    network : torch.nn.ModuleDict
    images : (N, 1, 48, 160) tensor
        Of ink.
    """
    x = _layer(network, "one", _layer(network, "stem", images))
    x = _layer(network, "two_a", functional.max_pool2d(x, 2))
    x = functional.max_pool2d(_layer(network, "two_b", x, x), (2, 1))
    x = _layer(network, "three_a", x)
    x = functional.max_pool2d(_layer(network, "three_b", x, x), 2)
    x = _layer(network, "four_a", x)
    x = _layer(network, "down", _layer(network, "four_b", x, x))
    x = _layer(network, "along", x, x)
    symbols = network["ctc"].out_channels // 2
    characters = network["ctc"](x).squeeze(2).transpose(1, 2).reshape(len(x), PLACES, symbols)
    x = _layer(network, "pool", x)
    parts = [functional.max_pool2d(x, (1, COLUMNS // count)).flatten(1) for count in POOLS]
    x = functional.dropout(torch.cat(parts, 1), _DROPPED, network.training)
    embedding = functional.relu(network["embed"](x))
    return Outputs(network["phoc"](embedding), characters, embedding)


def _layer(network: Any, name: str, x: Any, add: Any = None) -> Any:
    part = network[name]
    x = part["conv"](x)
    if "norm" in part:
        x = part["norm"](x)
    return functional.relu(x if add is None else x + add)


def _convolution(name: str, kernel: tuple[int, int], before: int, after: int, bias: bool) -> Any:
    padding = (0, 0) if name == "down" else (kernel[0] // 2, kernel[1] // 2)
    return nn.Conv2d(before, after, kernel, 2 if name == "stem" else 1, padding, bias=bias)


def _heads(attributes: int, symbols: int) -> dict[str, Any]:
    return {
        "ctc": nn.Conv2d(192, 2 * symbols, 1),
        "embed": nn.Linear(128 * sum(POOLS), EMBEDDING),
        "phoc": nn.Linear(EMBEDDING, attributes),
    }


def _is_turned(name: str) -> bool:
    """ONNX has the matrices of these the other way round."""
    return name in ("embed.w", "phoc.w")


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
