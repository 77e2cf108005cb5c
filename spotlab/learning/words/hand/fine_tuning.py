"""Learning on with words of a collection, by the framework for learning."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.runs import torch
from spotlab.learning.words.hand.hand_words import HandWords, SureLabels
from spotlab.learning.words.lesson import Batch, WrittenWords, labelled
from spotlab.learning.words.texts import words_of
from spotlab.learning.words.weights import weights_of, with_weights
from spotlab.learning.words.writer import rewritten
from spotlab.progress import Progress, silent

_RATE = 6e-4
_LEAST_RATE = 0.02  # share of it that is left at the end
_WARM = 40  # steps until the full rate
_AVERAGED = 0.98  # of the average of weights is kept from step to step
_DRAWN = 0.4  # share of words that fonts draw, where there are fonts


@dataclass(frozen=True)
class FineTuning:
    """One round of learning.

    Attributes
    ----------
    minutes : float
        min; of all rounds together.
    steps : int
        Steps of all rounds together instead; 0 for `minutes`.
    batch : int
        Words in a step.
    seed : int
    number : int
        Which round it is, from 0.
    rounds : int
        How many there are.
    fonts : tuple of Path
        Fonts that draw words, which are learned beside those of the collection.
    listed : tuple of str
        Words that they draw.
    """

    minutes: float
    steps: int = 0
    batch: int = 64
    seed: int = 0
    number: int = 0
    rounds: int = 1
    fonts: tuple[Path, ...] = ()
    listed: tuple[str, ...] = ()

    def done(self, steps: int, seconds: float) -> float:
        """Tell how much of the round is done, from 0 to 1.

        Parameters
        ----------
        steps : int
        seconds : float
            s; since it began.

        Examples
        --------
        >>> FineTuning(4, rounds=2).done(10, 60), FineTuning(4, steps=30, rounds=3).done(10, 60)
        (0.5, 1.0)
        """
        if self.steps:
            return steps * self.rounds / self.steps
        return seconds / 60 / self.minutes * self.rounds


def fine_tuned(
    content: bytes,
    words: HandWords,
    labels: SureLabels,
    settings: FineTuning,
    progress: Progress = silent,
) -> bytes:
    """Learn on with words of a collection.

    Parameters
    ----------
    content : bytes
        Of the file of a network that `spotlab train words` has made.
    words : HandWords
    labels : SureLabels
        What is learned.
    settings : FineTuning
    progress : Progress
        Told per mille of all rounds.

    Returns
    -------
    bytes
        Of the file with the changed weights, their average over the last steps.
    """
    # an extra, and slow to import
    from spotlab.learning.words.lesson import WordLearner  # noqa: PLC0415
    from spotlab.learning.words.network import (  # noqa: PLC0415
        network_of,
        plain_parameters,
        plain_weights,
    )

    torch.manual_seed(settings.seed + settings.number)
    source = _Batches(words, labels, settings)
    network = network_of(weights_of(content))
    learner = WordLearner(network)
    average = {name: value.detach().clone() for name, value in plain_parameters(network).items()}
    begun, step, done, wrong = time.monotonic(), 0, 0.0, ""
    while done < 1:
        whole = (settings.number + done) / settings.rounds
        progress(int(whole * 1000), 1000, f"learning this hand{wrong}")
        falling = 0.5 * (1 + math.cos(math.pi * done))
        rate = _RATE * min(1.0, (step + 1) / _WARM) * (_LEAST_RATE + (1 - _LEAST_RATE) * falling)
        loss = learner.step(source.next(), rate)
        step += 1
        keep = min(_AVERAGED, (step + 1) / (step + 10))
        with torch.no_grad():
            for name, value in plain_parameters(network).items():
                average[name].lerp_(value, 1 - keep)
        wrong = f" (step {step:,}, loss {loss:.2f})"
        done = settings.done(step, time.monotonic() - begun)
    return with_weights(content, plain_weights(average))


class _Batches:
    """Words of the collection, each time written a little differently, and words of fonts."""

    def __init__(self, words: HandWords, labels: SureLabels, settings: FineTuning) -> None:
        seed = 1_000 * settings.seed + settings.number
        self._words, self._labels = words, labels
        self._random = np.random.default_rng(seed)
        listed = words_of("\n".join(settings.listed))
        drawn = int(settings.batch * _DRAWN) if settings.fonts and listed.known else 0
        self._own = settings.batch - drawn
        self._written = WrittenWords(settings.fonts, listed, drawn, seed) if drawn else None

    def next(self) -> Batch:
        chosen = self._random.integers(len(self._labels), size=self._own)
        texts = [self._labels.texts[at] for at in chosen.tolist()]
        own = labelled([self._picture(row) for row in self._labels.rows[chosen].tolist()], texts)
        return own if self._written is None else _together(own, self._written.next())

    def _picture(self, row: int) -> NDArray[np.uint8]:
        left, top, right, bottom = self._words.boxes[row].tolist()
        return rewritten(self._words.cuts[row], (left, top, right, bottom), self._random)


def _together(one: Batch, other: Batch) -> Batch:
    def joined(name: str) -> Any:
        return np.concatenate([getattr(one, name), getattr(other, name)])

    return Batch(joined("pictures"), joined("attributes"), joined("numbers"))
