"""Graphs of ONNX files, their weights in half precision."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.float32]]
Shapes = Mapping[str, Sequence[int | str]]  # by names; a letter stands for any number

_EPSILON = 1e-3  # added to the variances of activations


class OnnxGraph:
    """Nodes and weights of a graph, while it is built.

    Parameters
    ----------
    arrays : mapping of str to array
        Weights by the names that layers have, as in ``stem.w``.
    """

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
        """A node of a kind; gives the name of its output."""
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
        """The largest of so many rows and columns."""
        sides = [rows, columns]
        return self.node("MaxPool", [x], name, kernel_shape=sides, strides=sides)

    def dense(self, name: str, x: str) -> str:
        """A matrix and what is added."""
        inputs = [x, self.keep(f"{name}.w"), self.keep(f"{name}.b")]
        return self.node("Gemm", inputs, f"{name}.sum")

    def written(
        self,
        name: str,
        inputs: Shapes,
        outputs: Shapes,
        told: Mapping[str, str],
    ) -> bytes:
        """Write the graph as a file.

        Parameters
        ----------
        name : str
        inputs, outputs : mapping of str to sequence of int or str
        told : mapping of str to str
            Metadata.
        """
        helper, kind = self._onnx.helper, self._onnx.TensorProto.FLOAT
        ends = [
            [helper.make_tensor_value_info(key, kind, list(shape)) for key, shape in each.items()]
            for each in (inputs, outputs)
        ]
        made = helper.make_graph(self.nodes, name, *ends, self.kept)
        opset = [helper.make_opsetid("", 13)]
        model = helper.make_model(made, opset_imports=opset, ir_version=8)
        model.producer_name = "spotlab"
        helper.set_model_props(model, dict(told))
        self._onnx.checker.check_model(model)
        return bytes(model.SerializeToString())


def folded_layers(arrays: Arrays) -> dict[str, NDArray[np.float32]]:
    """Fold the normalisation of convolutions into their weights.

    Parameters
    ----------
    arrays : mapping of str to array
        Of modules that have a ``conv``, with its ``norm`` if that is not folded yet; others are
        left out.

    Returns
    -------
    dict of str to array of float32
        As in ``stem.w`` and ``stem.b``.
    """
    plain: dict[str, NDArray[np.float32]] = {}
    for name in (key.removesuffix(".conv.weight") for key in arrays if key.endswith("conv.weight")):
        if f"{name}.norm.weight" not in arrays:
            plain[f"{name}.w"] = arrays[f"{name}.conv.weight"]
            plain[f"{name}.b"] = arrays[f"{name}.conv.bias"]
            continue
        scale = arrays[f"{name}.norm.weight"]
        factor = scale / np.sqrt(arrays[f"{name}.norm.running_var"] + np.float32(_EPSILON))
        shift = arrays[f"{name}.norm.bias"] - arrays[f"{name}.norm.running_mean"] * factor
        plain[f"{name}.w"] = arrays[f"{name}.conv.weight"] * factor[:, None, None, None]
        plain[f"{name}.b"] = shift
    return plain


def metadata(told: Mapping[str, object]) -> dict[str, str]:
    """Write what a file tells as strings: those as they are, all else as JSON.

    Parameters
    ----------
    told : mapping of str to object
    """
    return {
        key: value if isinstance(value, str) else json.dumps(value) for key, value in told.items()
    }
