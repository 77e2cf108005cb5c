"""The network for symbols while it learns, in PyTorch, which is an extra of spotlab.

Call it only after `spotlab.learning.framework.need_framework` has found PyTorch.
"""

from __future__ import annotations

from typing import Any

from spotlab.learning.framework import functional, nn
from spotlab.spotting.symbols.embedding.network import SIZE

# name, side of the kernel, channels in and out; "_b" adds to what it is given
LAYERS = (
    ("stem", 5, 1, 24),
    ("one", 3, 24, 40),
    ("two_a", 3, 40, 64),
    ("two_b", 3, 64, 64),
    ("three_a", 3, 64, 128),
    ("three_b", 3, 128, 128),
    ("pool", 1, 128, 48),
)
POOLED = {"two_a", "three_a"}  # made half as large first
PLACES = 36  # of the last layer
_DROPPED = 0.15


def new_network() -> Any:
    """A network that has not learned yet, its activations normalised by batches."""
    parts: dict[str, Any] = {}
    for name, kernel, before, after in LAYERS:
        stride = 2 if name == "stem" else 1
        conv = nn.Conv2d(before, after, kernel, stride, kernel // 2, bias=False)
        norm = nn.BatchNorm2d(after, eps=1e-3, momentum=0.03)
        parts[name] = nn.ModuleDict({"conv": conv, "norm": norm})
    flat = LAYERS[-1][-1] * PLACES
    parts |= {"embed": nn.Linear(flat, SIZE), "symbol": nn.Linear(flat, 1)}
    return nn.ModuleDict(parts)


def run(network: Any, pictures: Any) -> tuple[Any, Any]:
    """Describe pictures.

    Parameters
    ----------
    network : torch.nn.ModuleDict
    pictures : (N, 1, 48, 48) tensor
        0 to 1.

    Returns
    -------
    embedding : (N, E) tensor
        Unit vectors.
    symbol : (N,) tensor
        Log-odds that it is a symbol.
    """
    x = pictures
    for name, *_ in LAYERS:
        x = functional.max_pool2d(x, 2) if name in POOLED else x
        found = network[name]["norm"](network[name]["conv"](x))
        x = functional.relu(found + x if name.endswith("_b") else found)
    x = functional.dropout(x.flatten(1), _DROPPED, network.training)
    embedding, symbol = network["embed"](x).float(), network["symbol"](x).float()
    return functional.normalize(embedding, dim=1), symbol[:, 0]
