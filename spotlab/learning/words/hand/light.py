"""A light adaptation, by numpy alone: the last layers of a network, fitted to words of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Singles
from spotlab.errors import SpotlabError
from spotlab.learning.words.hand.hand_words import HandWords, SureLabels
from spotlab.learning.words.hands import LATIN
from spotlab.learning.words.lesson import LEVELS
from spotlab.learning.words.network import (
    COLUMNS,
    PLACES,
    POOLS,
    NetworkWeights,
    weights_of,
    with_outputs,
    with_weights,
)
from spotlab.learning.words.writer import rewritten
from spotlab.progress import Progress, silent, track
from spotlab.spotting.networks import ConfinedEngine, NotRunnable, in_batches
from spotlab.spotting.words.embedding.characters import attributes_of, text_paths
from spotlab.spotting.words.embedding.network import OUTPUTS, SHIPPED, normalise_pictures


def ctc_gradient(
    log_probabilities: NDArray[np.floating], texts: list[NDArray[np.int64]]
) -> tuple[Floats, Floats]:
    """Compute how unlikely texts are, and which way to change what was seen.

    Parameters
    ----------
    log_probabilities : (N, T, 1 + C) float
        Natural logarithms at T places along each word; of no character first.
    texts : list of (L,) int
        N texts as numbers of characters in the alphabet.

    Returns
    -------
    losses : (N,) float
        Negative log-likelihoods; inf for a text that is too long to be read.
    gradient : (N, T, 1 + C) float
        Of the losses by the logits whose softmax the probabilities are; 0 where the loss is inf.

    References
    ----------
    Graves, Fernández, Gomez & Schmidhuber (2006), "Connectionist temporal classification", ICML,
    equations 6 to 16.

    Examples
    --------
    At one place, a text of one character is as unlikely as that character:

    >>> seen = np.log([[[0.5, 0.25, 0.25]]])
    >>> losses, gradient = ctc_gradient(seen, [np.array([1])])
    >>> np.exp(-losses).round(3).tolist(), gradient.round(3).tolist()
    ([0.25], [[[0.5, 0.25, -0.75]]])
    """
    seen = np.asarray(log_probabilities, np.float64)
    paths, lengths = text_paths(texts)
    along = np.take_along_axis(seen, np.repeat(paths[:, None], seen.shape[1], axis=1), axis=2)
    along[np.arange(paths.shape[1]) >= lengths[:, None, None].repeat(seen.shape[1], 1)] = -np.inf
    jumps = np.zeros(paths.shape, np.bool_)
    jumps[:, 3::2] = paths[:, 3::2] != paths[:, 1:-2:2]
    forward = _sums(along, np.where(jumps, 0.0, -np.inf))
    # the other way round: each path from its own end
    columns = lengths[:, None] - 1 - np.arange(paths.shape[1])
    columns = np.where(columns < 0, np.arange(paths.shape[1]), columns)
    back = np.take_along_axis(jumps, np.minimum(columns + 2, paths.shape[1] - 1), axis=1)
    back &= (columns + 2 < lengths[:, None]) & (np.arange(paths.shape[1]) < lengths[:, None])
    turned = np.take_along_axis(along[:, ::-1], columns[:, None], axis=2)
    backward = _sums(turned, np.where(back, 0.0, -np.inf))[:, ::-1]
    backward = np.take_along_axis(backward, columns[:, None], axis=2)
    rows = np.arange(len(paths))
    ends = forward[rows, -1, lengths - 1], forward[rows, -1, np.maximum(lengths - 2, 0)]
    likely = np.logaddexp(ends[0], np.where(lengths > 1, ends[1], -np.inf))
    with np.errstate(invalid="ignore"):
        shares = np.exp(forward + backward - along - likely[:, None, None])
    shares = np.nan_to_num(shares, nan=0.0, posinf=0.0)
    gradient = np.exp(seen)
    places = np.arange(seen.shape[1])
    for step in range(
        paths.shape[1]
    ):  # in a path's step, each place along a word has one character
        gradient[rows[:, None], places, paths[:, step, None]] -= shares[:, :, step]
    gradient[np.isinf(likely)] = 0
    return -likely, gradient


def _sums(along: Floats, jumps: Floats) -> Floats:
    """Log-probabilities of all ways to each place of each path, (N, T, S)."""
    sums = np.full(along.shape, -np.inf)
    sums[:, 0, :2] = along[:, 0, :2]
    for place in range(1, along.shape[1]):
        arrived = sums[:, place - 1].copy()
        arrived[:, 1:] = np.logaddexp(arrived[:, 1:], sums[:, place - 1, :-1])
        over = sums[:, place - 1, :-2] + jumps[:, 2:]
        arrived[:, 2:] = np.logaddexp(arrived[:, 2:], over)
        sums[:, place] = arrived + along[:, place]
    return sums


_LAYERS = {
    "along.out": (192, 1, COLUMNS),
    "parts": (128 * sum(POOLS),),
}  # what characters, and what embeddings are made of
HEADS = ("ctc.w", "ctc.b", "embed.w", "embed.b", "phoc.w", "phoc.b")
_VIEWS = 4  # pictures of each word
_STEPS = 300
_BATCH = 64
_RATE = 2e-4
_PULL = 0.02  # back to the weights as they were, in each step of the full rate
_CHARACTERS = 3.0  # weight of the characters' loss, as when a network is trained
_DROPPED = 0.25  # share of what an embedding is made of
_RUN = 16  # pictures


def lightly_adapted(
    content: bytes,
    words: HandWords,
    labels: SureLabels,
    seed: int = 0,
    progress: Progress = silent,
) -> bytes:
    """Fit the last layers of a network.

    Parameters
    ----------
    content : bytes
        Of its file.
    words : HandWords
    labels : SureLabels
    seed : int
    progress : Progress

    Returns
    -------
    bytes
        Of the changed file.
    """
    random = np.random.default_rng(seed)
    pictures = []
    for at in track(range(len(labels)), progress, "looking at words"):
        row = int(labels.rows[at])
        box = tuple(words.boxes[row].tolist())
        pictures += [rewritten(words.cuts[row], box, random) for _ in range(_VIEWS)]
    seen = _last_layers(content, np.stack(pictures), progress)
    weights = {name: array for name, array in weights_of(content).items() if name in HEADS}
    fitted = _fitted(weights, seen, labels.texts, random, progress)
    return with_weights(content, fitted)


def _last_layers(
    content: bytes, pictures: NDArray[np.uint8], progress: Progress
) -> tuple[Singles, Singles]:
    """Return what the last layers are given: (N, 192, 20) and (N, 1536)."""
    opened = with_outputs(content, _LAYERS)
    outputs = [*OUTPUTS, *_LAYERS]  # OpenCV 5 wants all names

    def look(part: NDArray[np.uint8]) -> tuple[Singles, Singles]:
        whole = np.zeros((_RUN, *part.shape[1:]), np.uint8)
        whole[: len(part)] = part
        *_, one, other = engine.run(normalise_pictures(whole), "images", outputs)
        return one[: len(part), :, 0].astype(np.float16), other[: len(part)].astype(np.float16)

    try:
        engine = ConfinedEngine(Path(SHIPPED), opened)
        columns, parts = zip(*in_batches(look, pictures, _RUN, progress), strict=True)
    except NotRunnable as error:
        raise SpotlabError("this network cannot be adapted by numpy") from error
    return np.concatenate(columns), np.concatenate(parts)


def _fitted(
    weights: NetworkWeights,
    seen: tuple[Singles, Singles],
    texts: Sequence[str],
    random: np.random.Generator,
    progress: Progress,
) -> NetworkWeights:
    alphabet = LATIN
    wanted = attributes_of(texts, alphabet, LEVELS)
    numbers = [alphabet.numbers(text) for text in texts]
    heads = _Heads({name: array.copy() for name, array in weights.items()})
    rule, average = _Adam(), {name: array.copy() for name, array in weights.items()}
    for step in track(range(_STEPS), progress, "fitting the last layers"):
        chosen = random.integers(len(seen[0]), size=_BATCH)
        said = chosen // _VIEWS
        gradients = heads.gradients(
            seen[0][chosen].astype(np.float32),
            seen[1][chosen].astype(np.float32),
            wanted[said],
            [numbers[at] for at in said.tolist()],
            random,
        )
        falling = 0.5 * (1 + np.cos(np.pi * step / _STEPS))
        keep = min(0.98, (step + 1) / (step + 10))
        for name, change in rule.changes(gradients).items():
            array = heads.weights[name]
            array -= np.float32(_RATE * falling) * change
            array += np.float32(_PULL * falling) * (weights[name] - array)
            average[name] += np.float32(1 - keep) * (array - average[name])
    return average


@dataclass(frozen=True, eq=False)
class _Heads:
    """The last layers."""

    weights: NetworkWeights

    def gradients(
        self,
        columns: Singles,
        parts: Singles,
        wanted: Singles,
        numbers: list[NDArray[np.int64]],
        random: np.random.Generator,
    ) -> NetworkWeights:
        w = self.weights
        kept = random.random(parts.shape, np.float32) >= _DROPPED
        parts = np.asarray(parts * kept / (1 - _DROPPED), np.float32)
        embedding = np.maximum(parts @ w["embed.w"] + w["embed.b"], 0)
        odds = embedding @ w["phoc.w"] + w["phoc.b"]
        wrong = (0.5 + 0.5 * np.tanh(odds / 2) - wanted) / np.float32(len(parts))
        back = (wrong @ w["phoc.w"].T) * (embedding > 0)
        sides = self._characters(columns, numbers)
        return {
            "phoc.w": embedding.T @ wrong,
            "phoc.b": wrong.sum(axis=0),
            "embed.w": parts.T @ back,
            "embed.b": back.sum(axis=0),
            **sides,
        }

    def _characters(self, columns: Singles, numbers: list[NDArray[np.int64]]) -> NetworkWeights:
        kernel = self.weights["ctc.w"]
        flat = kernel.reshape(len(kernel), -1)
        along = columns.transpose(0, 2, 1)  # (N, 20, 192)
        logits = (along @ flat.T + self.weights["ctc.b"]).reshape(len(columns), PLACES, -1)
        logits -= logits.max(axis=2, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=2, keepdims=True))
        _, gradient = ctc_gradient(logits, numbers)
        letters = np.array([max(len(number), 1) for number in numbers])
        gradient *= _CHARACTERS / len(columns) / letters[:, None, None]
        wrong = gradient.astype(np.float32).reshape(len(columns) * along.shape[1], -1)
        change = wrong.T @ along.reshape(len(wrong), -1)
        return {"ctc.w": change.reshape(kernel.shape), "ctc.b": wrong.sum(axis=0)}


class _Adam:
    """Kingma & Ba (2015), "Adam: a method for stochastic optimization", ICLR, algorithm 1."""

    _FIRST, _SECOND = 0.9, 0.98

    def __init__(self) -> None:
        self._step = 0
        self._means: dict[str, tuple[Singles, Singles]] = {}

    def changes(self, gradients: NetworkWeights) -> NetworkWeights:
        """Tell which way weights go, for a rate of 1."""
        self._step += 1
        changes = {}
        for name, gradient in gradients.items():
            mean, square = self._means.get(name, (np.float32(0), np.float32(0)))
            mean = self._FIRST * mean + (1 - self._FIRST) * gradient
            square = self._SECOND * square + (1 - self._SECOND) * gradient**2
            self._means[name] = mean, square
            size = np.sqrt(square / (1 - self._SECOND**self._step)) + 1e-8
            changes[name] = np.asarray(mean / (1 - self._FIRST**self._step) / size, np.float32)
        return changes
