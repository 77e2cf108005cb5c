"""One step of learning: symbols of a kind are alike, others are not (Khosla et al. 2020)."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.lab.train.symbols.batches import NO_SYMBOL, Batch
from spotlab.lab.train.symbols.network import run
from spotlab.learning.framework import functional, torch
from spotlab.learning.updates import Updates

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

    def step(self, batch: Batch, rate: float) -> float:
        """Learn from a batch.

        Parameters
        ----------
        batch : Batch
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
