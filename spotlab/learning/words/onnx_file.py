"""A trained network as an ONNX file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.onnx_graph import Arrays, OnnxGraph, Shapes, folded_layers, metadata
from spotlab.spotting.words.embedding.pictures import HEIGHT, WIDTH

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
