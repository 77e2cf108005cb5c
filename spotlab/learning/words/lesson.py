"""One step of learning: what a network should say of pictures, and how it gets closer to it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.runs import Source, Updates, batches, functional, torch
from spotlab.learning.words import network as networks
from spotlab.learning.words.hands import LATIN, LONGEST, Texts, WordTexts
from spotlab.learning.words.paper import Mask
from spotlab.learning.words.writer import Writer
from spotlab.spotting.words.embedding.characters import Alphabet, attributes_of
from spotlab.spotting.words.embedding.network import normalise_pictures

LEVELS = (1, 2, 3, 4, 5)
LABEL = LONGEST + 2  # characters of a text that are learned


@dataclass(frozen=True, eq=False)
class Batch:
    """WordTexts to learn from.

    Attributes
    ----------
    pictures : (N, 48, 160) uint8
    attributes : (N, A) uint8
        Of what each picture says.
    numbers : (N, L) uint8
        Characters of each text as 1, 2, … in the alphabet, then 0.
    """

    pictures: Mask
    attributes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]


def labelled(pictures: Sequence[Mask], texts: Sequence[str], alphabet: Alphabet = LATIN) -> Batch:
    """Make a batch of pictures whose texts are known.

    Parameters
    ----------
    pictures : sequence of (48, 160) uint8
    texts : sequence of str
        In characters of the alphabet.
    alphabet : Alphabet
    """
    numbers = np.zeros((len(texts), LABEL), np.uint8)
    for place, text in enumerate(texts):
        found = alphabet.numbers(text)[:LABEL]
        numbers[place, : len(found)] = found + 1
    attributes = attributes_of(texts, alphabet, LEVELS).astype(np.uint8)
    return Batch(np.stack(pictures), attributes, numbers)


class WrittenWords:
    """Batches of words that fonts write, each word twice.

    Parameters
    ----------
    fonts : sequence of Path
    words : WordTexts
    size : int
        WordTexts of a batch.
    seed : int
    alphabet : Alphabet
    """

    def __init__(
        self,
        fonts: Sequence[Path],
        words: WordTexts,
        size: int,
        seed: int,
        alphabet: Alphabet = LATIN,
    ) -> None:
        self._writer = Writer(fonts, seed, alphabet)
        self._texts = Texts(words, seed + 1, alphabet)
        self._size, self._alphabet = size, alphabet

    def next(self) -> Batch:
        """The next batch."""
        fold = self._alphabet.fold
        words = [self._texts.word() for _ in range((self._size + 1) // 2)]
        drawn = [self._texts.dressed(word) for word in words * 2][: self._size]
        pictures = [self._writer.write(text) for text in drawn]
        return labelled(pictures, [fold(text)[:LABEL] for text in drawn], self._alphabet)


def written_words(
    fonts: Sequence[Path],
    words: WordTexts,
    size: int,
    seed: int,
    ahead: bool,
    alphabet: Alphabet = LATIN,
) -> AbstractContextManager[Source]:
    """Write words, in a process of its own or not.

    Parameters
    ----------
    fonts : sequence of Path
    words : WordTexts
    size : int
        WordTexts of a batch.
    seed : int
        The same seed gives the same words in the same order.
    ahead : bool
        Write in another process while this one learns.
    alphabet : Alphabet
    """
    return batches(partial(WrittenWords, list(fonts), words, size, seed, alphabet), ahead)


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
    """Tell how badly words find those of the same text among all of a batch, by cosine.

    The mean over pairs of the same text of - log softmax, as of Khosla et al. (2020), "Supervised
    contrastive learning", NeurIPS.
    """
    rows = functional.normalize(embedding)
    own = torch.eye(len(rows), dtype=torch.bool)
    likely = (rows @ rows.T / _SHARP).masked_fill(own, float("-inf")).log_softmax(1)
    same = (numbers[:, None] == numbers[None]).all(2) & ~own
    return -likely[same].mean() if same.any() else embedding.new_zeros(())
