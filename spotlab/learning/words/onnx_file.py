"""A trained network as an ONNX file, which OpenCV runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.words.embedding.pictures import HEIGHT, WIDTH

Arrays = Mapping[str, NDArray[np.float32]]

PLACES = 40  # along a word, at which there are characters
POOLS = (1, 2, 4, 5)  # parts of a word whose largest activations describe it
COLUMNS = 20  # of the last layer
_EPSILON = 1e-3  # added to the variances of activations


class _Graph:
    """Nodes and weights of a graph, while it is built."""

    def __init__(self, arrays: Arrays) -> None:
        # an extra, not needed to run a network
        import onnx  # noqa: PLC0415

        self._onnx = onnx
        self._arrays = arrays
        self.nodes: list[Any] = []
        self.kept: list[Any] = []

    def keep(self, name: str) -> str:
        """Weights in half precision, which a node turns into single precision."""
        half = np.ascontiguousarray(self._arrays[name], np.float16)
        self.kept.append(self._onnx.numpy_helper.from_array(half, f"{name}.half"))
        return self.node("Cast", [f"{name}.half"], name, to=self._onnx.TensorProto.FLOAT)

    def sizes(self, name: str, sizes: list[int]) -> str:
        """Sizes of a shape."""
        made = self._onnx.numpy_helper.from_array(np.array(sizes, np.int64), name)
        self.kept.append(made)
        return name

    def node(self, kind: str, inputs: list[str], output: str, **options: Any) -> str:
        self.nodes.append(
            self._onnx.helper.make_node(kind, inputs, [output], name=f"{output}.node", **options)
        )
        return output

    def layer(self, name: str, x: str, stride: int = 1, add: str = "") -> str:
        """A convolution, and what is below 0 cut off."""
        kernel = self._arrays[f"{name}.w"].shape[2:]
        pads = [0, 0] if kernel == (3, 1) else [kernel[0] // 2, kernel[1] // 2]
        inputs = [x, self.keep(f"{name}.w"), self.keep(f"{name}.b")]
        options = {"kernel_shape": list(kernel), "strides": [stride] * 2, "pads": pads * 2}
        out = self.node("Conv", inputs, f"{name}.conv", **options)
        if add:
            out = self.node("Add", [out, add], f"{name}.sum")
        return self.node("Relu", [out], f"{name}.out")

    def smaller(self, x: str, rows: int, columns: int, name: str) -> str:
        sides = [rows, columns]
        return self.node("MaxPool", [x], name, kernel_shape=sides, strides=sides)

    def dense(self, name: str, x: str) -> str:
        inputs = [x, self.keep(f"{name}.w"), self.keep(f"{name}.b")]
        return self.node("Gemm", inputs, f"{name}.sum")


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
    graph = _Graph(arrays)
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
    plain: dict[str, NDArray[np.float32]] = {}
    for name in (key.removesuffix(".conv.weight") for key in arrays if key.endswith("conv.weight")):
        scale = arrays[f"{name}.norm.weight"]
        factor = scale / np.sqrt(arrays[f"{name}.norm.running_var"] + np.float32(_EPSILON))
        shift = arrays[f"{name}.norm.bias"] - arrays[f"{name}.norm.running_mean"] * factor
        plain[f"{name}.w"] = arrays[f"{name}.conv.weight"] * factor[:, None, None, None]
        plain[f"{name}.b"] = shift
    plain |= {"ctc.w": arrays["ctc.weight"], "ctc.b": arrays["ctc.bias"]}
    for name in ("embed", "phoc"):
        plain |= {f"{name}.w": arrays[f"{name}.weight"].T, f"{name}.b": arrays[f"{name}.bias"]}
    plain["hand.w"] = np.eye(len(plain["embed.b"]), dtype=np.float32)
    return plain


def _characters(graph: _Graph, x: str, arrays: Arrays) -> None:
    """Two characters for each column."""
    inputs = [x, graph.keep("ctc.w"), graph.keep("ctc.b")]
    x = graph.node("Conv", inputs, "ctc.conv", kernel_shape=[1, 1])  # (N, 2 × (1 + C), 1, 20)
    x = graph.node("Transpose", [x], "ctc.turned", perm=[0, 2, 3, 1])
    shape = graph.sizes("ctc.shape", [-1, PLACES, len(arrays["ctc.b"]) // 2])
    x = graph.node("Reshape", [x, shape], "ctc.rows")
    graph.node("LogSoftmax", [x], "characters", axis=2)


def _written(graph: _Graph, arrays: Arrays, told: Mapping[str, str]) -> bytes:
    import onnx  # noqa: PLC0415

    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    symbols = len(arrays["ctc.b"]) // 2
    made = helper.make_graph(
        graph.nodes,
        "word",
        [helper.make_tensor_value_info("images", kind, ["N", 1, HEIGHT, WIDTH])],
        [
            helper.make_tensor_value_info("embedding", kind, ["N", len(arrays["embed.b"])]),
            helper.make_tensor_value_info("attributes", kind, ["N", len(arrays["phoc.b"])]),
            helper.make_tensor_value_info("characters", kind, ["N", PLACES, symbols]),
        ],
        graph.kept,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    model.producer_name = "spotlab"
    helper.set_model_props(model, dict(told))
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def told_of(alphabet: str, levels: tuple[int, ...], more: Mapping[str, object]) -> dict[str, str]:
    """Metadata that say what the outputs of a network mean, and how it was made."""
    sizes = {"height": HEIGHT, "width": WIDTH, "levels": list(levels), **more}
    return {"alphabet": alphabet} | {
        key: value if isinstance(value, str) else json.dumps(value) for key, value in sizes.items()
    }
