"""One step of learning: what a network should say of pictures, and how it gets closer to it."""

from __future__ import annotations

from typing import Any

from spotlab.learning.framework import functional, torch
from spotlab.learning.updates import Updates
from spotlab.learning.words import network as networks
from spotlab.learning.words.batches import Batch
from spotlab.spotting.words.embedding.pictures import normalise_pictures

_CHARACTERS = 3.0  # weight of the characters' loss, per character
_ALIKE = 3.0  # weight of the loss of embeddings
_SHARP = 0.1  # cosines are divided by it before they are compared


class WordLearner:
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
            How wrong its characters were before, in nats per character.
        """
        self.network.train()
        images = torch.from_numpy(normalise_pictures(batch.pictures))
        images = images.to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = networks.run(self.network, images)
        attributes, characters, alike = self._losses(outputs, batch)
        self.updates.update(attributes + _CHARACTERS * characters + _ALIKE * alike, rate)
        return float(characters.item())

    def _losses(self, outputs: networks.Outputs, batch: Batch) -> tuple[Any, Any, Any]:
        wanted = torch.from_numpy(batch.attributes).float()
        numbers = torch.from_numpy(batch.numbers).long()
        lengths = (numbers > 0).sum(1).clamp(min=1)
        attributes = functional.binary_cross_entropy_with_logits(
            outputs.attributes.float(), wanted, reduction="sum"
        ) / len(wanted)
        likely = outputs.characters.float().log_softmax(2).transpose(0, 1)
        places = torch.full_like(lengths, len(likely))
        characters = functional.ctc_loss(likely, numbers, places, lengths, zero_infinity=True)
        return attributes, characters, _alike(outputs.embedding.float(), numbers)


def _alike(embedding: Any, numbers: Any) -> Any:
    """How badly words find those of the same text among all of a batch, by cosine.

    The mean over pairs of the same text of - log softmax, as of Khosla et al. (2020), "Supervised
    contrastive learning", NeurIPS.
    """
    rows = functional.normalize(embedding)
    own = torch.eye(len(rows), dtype=torch.bool)
    likely = (rows @ rows.T / _SHARP).masked_fill(own, float("-inf")).log_softmax(1)
    same = (numbers[:, None] == numbers[None]).all(2) & ~own
    return -likely[same].mean() if same.any() else embedding.new_zeros(())
