"""Training a network for symbols on drawings that nobody has made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadArgument
from spotlab.lab.train.symbols.drawn_symbols import DrawnKind, background, draw, new_kind
from spotlab.lab.train.symbols.shapes import Picture
from spotlab.learning.onnx_graph import Arrays, OnnxGraph, Shapes, folded_layers, metadata
from spotlab.learning.runs import (
    Learner,
    Subject,
    Trained,
    TrainingSettings,
    Updates,
    batches,
    functional,
    need_framework,
    nn,
    torch,
    train,
)
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.embedding.network import INPUT, OUTPUTS, SIDE, SIZE

EACH = 5  # symbols of a kind
SMALLEST = 16  # pictures of a batch
_SYMBOLS = 5 / 8  # of the pictures
_ALIKE = 0.55  # share of kinds whose outline another one has
NO_SYMBOL = -1


@dataclass(frozen=True, eq=False)
class SymbolBatch:
    """Pictures to learn from.

    Attributes
    ----------
    pictures : (N, 48, 48) uint8
    kinds : (N,) int
        `NO_SYMBOL` for what is none.
    """

    pictures: Picture
    kinds: NDArray[np.int64]


class DrawnSymbols:
    """Batches of symbols whose kinds are invented for each.

    Parameters
    ----------
    size : int
        Pictures of a batch, at least `SMALLEST`.
    seed : int
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._random = size, np.random.default_rng(seed)

    def next(self) -> SymbolBatch:
        """The next batch."""
        random = self._random
        kinds: list[DrawnKind] = []
        for _ in range(int(self._size * _SYMBOLS) // EACH):
            alike = bool(kinds) and not kinds[-1].is_filled and random.random() < _ALIKE
            kinds.append(new_kind(random, kinds[-1] if alike else None))
        pictures = [draw(kind, random) for kind in kinds for _ in range(EACH)]
        numbers = np.repeat(np.arange(len(kinds)), EACH)
        others = self._size - len(pictures)
        pictures += [background(random, kinds) for _ in range(others)]
        return SymbolBatch(np.stack(pictures), np.append(numbers, np.full(others, NO_SYMBOL)))


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


_TEMPERATURE = 0.1
_SYMBOL = 0.5  # weight of telling symbols from the rest


class SymbolLearner:
    """Learns with batches.

    Parameters
    ----------
    network : torch.nn.ModuleDict
    """

    def __init__(self, network: Any) -> None:
        self.network = network.to(memory_format=torch.channels_last)
        self.updates = Updates(self.network)

    def step(self, batch: SymbolBatch, rate: float) -> float:
        """Learn from a batch.

        Parameters
        ----------
        batch : SymbolBatch
        rate : float
            Of the optimiser, in this step.

        Returns
        -------
        float
            How badly kinds were told apart before, in nats per symbol.
        """
        self.network.train()
        pictures = torch.from_numpy(batch.pictures[:, None].astype(np.float32) / 255)
        with torch.autocast("cpu", torch.bfloat16):
            embedding, symbol = run(self.network, pictures.to(memory_format=torch.channels_last))
        kinds = torch.from_numpy(batch.kinds)
        apart = _kinds_apart(embedding, kinds)
        is_symbol = (kinds != NO_SYMBOL).float()
        told = functional.binary_cross_entropy_with_logits(symbol, is_symbol)
        self.updates.update(apart + _SYMBOL * told, rate)
        return float(apart.item())


def _kinds_apart(embedding: Any, kinds: Any) -> Any:
    """The supervised contrastive loss; what is no symbol is only unlike all."""
    own = torch.eye(len(kinds), dtype=torch.bool)
    alike = (embedding @ embedding.T / _TEMPERATURE).masked_fill(own, -1e9)
    likely = alike - alike.logsumexp(1, keepdim=True)
    same = (kinds[:, None] == kinds[None]) & ~own & (kinds[:, None] != NO_SYMBOL)
    some = same.any(1)
    return (-(likely * same).sum(1)[some] / same.sum(1)[some]).mean()


def onnx_bytes(average: Arrays, told: Mapping[str, object]) -> bytes:
    """Write a network as an ONNX file, its weights in half precision.

    Parameters
    ----------
    average : mapping of str to array
        Weights of `spotlab.lab.train.symbols.training.new_network` by their names there.
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


BATCH = 240  # pictures
_RATE = 2e-3
_AN_HOUR = TrainingSettings(batch=BATCH)


def train_symbols(
    out: Path, settings: TrainingSettings = _AN_HOUR, progress: Progress = silent
) -> Trained:
    """Train a network on symbols of invented kinds, and keep it as an ONNX file.

    A run that was cancelled or killed is continued by the next one with the same settings: beside
    the file there is its state, until it has ended.

    Parameters
    ----------
    out : Path
        Where the network goes.
    settings : TrainingSettings
    progress : Progress
        Told per mille of the run. Cancelling keeps what was reached.

    Raises
    ------
    SpotlabError
        The framework is not installed.

    References
    ----------
    Khosla et al. (2020), "Supervised contrastive learning", NeurIPS. Snell, Swersky & Zemel (2017),
    "Prototypical networks for few-shot learning", NIPS.
    """
    need_framework()
    if settings.batch < SMALLEST:
        raise BadArgument(f"`batch` must be {SMALLEST} or greater")
    depends = json.dumps(asdict(settings) | {"jobs": 0}, sort_keys=True)
    subject = Subject(
        "learning to describe symbols",
        hashlib.sha256(depends.encode()).hexdigest(),
        {"made_by": "spotlab train symbols"},
        _learner,
        lambda seed: batches(partial(DrawnSymbols, settings.batch, seed), settings.jobs > 1),
        onnx_bytes,
        _RATE,
    )
    return train(subject, out, settings, progress)


def _learner() -> Learner:
    # an extra, and slow to import

    return SymbolLearner(new_network())
