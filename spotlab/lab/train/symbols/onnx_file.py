"""A trained network for symbols as an ONNX file."""

from __future__ import annotations

from collections.abc import Mapping

from spotlab.lab.train.symbols.network import LAYERS, POOLED
from spotlab.learning.onnx_graph import Arrays, OnnxGraph, Shapes, folded_layers, metadata
from spotlab.spotting.symbols.embedding.network import INPUT, OUTPUTS
from spotlab.spotting.symbols.embedding.pictures import SIDE


def onnx_bytes(average: Arrays, told: Mapping[str, object]) -> bytes:
    """Write a network as an ONNX file, its weights in half precision.

    Parameters
    ----------
    average : mapping of str to array
        Weights of `spotlab.lab.train.symbols.network.new_network` by their names there.
    told : mapping of str to object
        Metadata of the file.

    Returns
    -------
    bytes
        Of the file.
    """
    arrays = folded_layers(average)
    for name in ("embed", "symbol"):
        arrays |= {f"{name}.w": average[f"{name}.weight"].T, f"{name}.b": average[f"{name}.bias"]}
    graph = OnnxGraph(arrays)
    x = INPUT
    for name, *_ in LAYERS:
        x = graph.smaller(x, 2, 2, f"{name}.half") if name in POOLED else x
        x = graph.layer(name, x, 2 if name == "stem" else 1, add=x if name.endswith("_b") else "")
    flat = graph.node("Flatten", [x], "flat")
    embedding, symbol = OUTPUTS
    graph.node("LpNormalization", [graph.dense("embed", flat)], embedding, axis=1, p=2)
    graph.node("Identity", [graph.dense("symbol", flat)], symbol)
    shapes: Shapes = {embedding: ["N", len(arrays["embed.b"])], symbol: ["N", 1]}
    inputs: Shapes = {INPUT: ["N", 1, SIDE, SIDE]}
    return graph.written("symbol", inputs, shapes, metadata({"side": SIDE, **told}))
