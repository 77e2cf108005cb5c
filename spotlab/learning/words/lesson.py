"""One step of learning: what a network should say of pictures, and how it gets closer to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.words import network as networks
from spotlab.learning.words.batches import Batch
from spotlab.learning.words.framework import functional, torch
from spotlab.spotting.words.embedding.pictures import normalise_pictures

_CHARACTERS = 3.0  # weight of the characters' loss, per character
_CLIP = 2.0  # length of a gradient, at most
_DECAY = 0.02


@dataclass(frozen=True)
class Losses:
    """How wrong a network was, before a step.

    Attributes
    ----------
    attributes : float
        nats per word.
    characters : float
        nats per character.
    """

    attributes: float
    characters: float


class Learner:
    """Learns with batches.

    Parameters
    ----------
    network : torch.nn.ModuleDict
    """

    def __init__(self, network: Any) -> None:
        self.network = network.to(memory_format=torch.channels_last)
        self._all = list(network.parameters())
        groups = [
            {"params": [each for each in self._all if each.ndim > 1], "weight_decay": _DECAY},
            {"params": [each for each in self._all if each.ndim < 2], "weight_decay": 0.0},
        ]
        self.rule = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)

    def step(self, batch: Batch, rate: float) -> Losses:
        """Learn from a batch.

        Parameters
        ----------
        batch : Batch
        rate : float
            Of the optimiser, in this step.
        """
        for group in self.rule.param_groups:
            group["lr"] = rate
        self.network.train()
        images = torch.from_numpy(normalise_pictures(batch.pictures))
        images = images.to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = networks.run(self.network, images)
        losses = self._losses(outputs, batch)
        loss = losses[0] + _CHARACTERS * losses[1]
        self.rule.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._all, _CLIP)
        self.rule.step()
        return Losses(*(each.item() for each in losses))

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """All that has been learned, and what the optimiser keeps of it."""
        found = {f"{place}": value.detach().numpy() for place, value in enumerate(self._all)}
        found |= {f"buffer/{name}": each.numpy() for name, each in self.network.named_buffers()}
        for place, value in enumerate(self._all):
            for name, each in self.rule.state.get(value, {}).items():
                found[f"rule/{place}/{name}"] = each.numpy()
        return found

    def set_arrays(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Go back to what `arrays` gave.

        Parameters
        ----------
        arrays : mapping of str to array
        """
        with torch.no_grad():
            for place, value in enumerate(self._all):
                value.copy_(torch.from_numpy(arrays[str(place)]))
                kept = {
                    name: torch.from_numpy(arrays[f"rule/{place}/{name}"].copy())
                    for name in ("step", "exp_avg", "exp_avg_sq")
                    if f"rule/{place}/{name}" in arrays
                }
                if kept:
                    self.rule.state[value] = kept
            for name, each in self.network.named_buffers():
                each.copy_(torch.from_numpy(arrays[f"buffer/{name}"]))

    def _losses(self, outputs: networks.Outputs, batch: Batch) -> tuple[Any, Any]:
        wanted = torch.from_numpy(batch.attributes).float()
        numbers = torch.from_numpy(batch.numbers).long()
        lengths = (numbers > 0).sum(1).clamp(min=1)
        attributes = functional.binary_cross_entropy_with_logits(
            outputs.attributes.float(), wanted, reduction="sum"
        ) / len(wanted)
        likely = outputs.characters.float().log_softmax(2).transpose(0, 1)
        places = torch.full_like(lengths, len(likely))
        characters = functional.ctc_loss(likely, numbers, places, lengths, zero_infinity=True)
        return attributes, characters
