"""What changes the weights of a network, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.framework import torch

_CLIP = 2.0  # length of a gradient, at most
_DECAY = 0.02


class Updates:
    """Moves weights against the gradient of a loss (AdamW).

    Parameters
    ----------
    network : torch.nn.ModuleDict
    """

    def __init__(self, network: Any) -> None:
        self._network = network
        self._all = list(network.parameters())
        groups = [
            {"params": [each for each in self._all if each.ndim > 1], "weight_decay": _DECAY},
            {"params": [each for each in self._all if each.ndim < 2], "weight_decay": 0.0},
        ]
        self._rule = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)

    def update(self, loss: Any, rate: float) -> None:
        """Change the weights.

        Parameters
        ----------
        loss : tensor
        rate : float
            Of the optimiser, in this step.
        """
        for group in self._rule.param_groups:
            group["lr"] = rate
        self._rule.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._all, _CLIP)
        self._rule.step()

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """All that has been learned, and what the optimiser keeps of it."""
        found = {f"{place}": value.detach().numpy() for place, value in enumerate(self._all)}
        found |= {f"buffer/{name}": each.numpy() for name, each in self._network.named_buffers()}
        for place, value in enumerate(self._all):
            for name, each in self._rule.state.get(value, {}).items():
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
                    self._rule.state[value] = kept
            for name, each in self._network.named_buffers():
                each.copy_(torch.from_numpy(arrays[f"buffer/{name}"]))
