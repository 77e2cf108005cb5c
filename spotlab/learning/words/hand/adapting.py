"""Adapting a network to the hand of a collection, round by round: read the words, learn on."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadArgument, SpotlabError
from spotlab.learning.runs import is_installed, torch
from spotlab.learning.words.hand.hand_words import HandWords, SureLabels, sure_labels
from spotlab.learning.words.hand.light import lightly_adapted
from spotlab.learning.words.hands import words_of
from spotlab.learning.words.lesson import Batch, WrittenWords, labelled
from spotlab.learning.words.network import weights_of, with_weights, with_weights_between
from spotlab.learning.words.writer import rewritten
from spotlab.progress import Progress, silent
from spotlab.ranking.displacement import average_precision
from spotlab.spotting.words.embedding.network import Described, WordNetwork, read_network
from spotlab.spotting.words.readings import Lexicon
from spotlab.spotting.words.word_index import LearnedWords

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


SHORTEST = 3  # characters of a text that is asked for
FEWEST_QUERIES = 4  # texts that are asked for, so that there are figures
_EVERY = 4  # one of so many texts is held out


@dataclass(frozen=True)
class HandFigures:
    """Mean average precisions among words whose texts are known.

    Attributes
    ----------
    queries : int
        Words that were asked for by example, each with another one of the same text.
    by_example : float or None
        Mean average precision in [0, 1]; None without queries.
    texts : int
        Texts that were asked for.
    typed : float or None
        Mean average precision in [0, 1]; None without texts.
    """

    queries: int = 0
    by_example: float | None = None
    texts: int = 0
    typed: float | None = None

    def gain_over(self, before: HandFigures) -> float | None:
        """By how much the mean of the figures is higher than before; None where there are none.

        Parameters
        ----------
        before : HandFigures
            Of the same words.

        Examples
        --------
        >>> round(HandFigures(9, 0.9, 4, 0.8).gain_over(HandFigures(9, 0.7, 4, 0.8)), 3)
        0.1
        """
        pairs = ((self.by_example, before.by_example), (self.typed, before.typed))
        gains = [now - then for now, then in pairs if now is not None and then is not None]
        return float(np.mean(gains)) if gains else None


def held_out(texts: Sequence[str]) -> NDArray[np.int64]:
    """Choose the words that are not learned from: all with every fourth of the texts.

    Parameters
    ----------
    texts : sequence of str
        What N words say, folded; "" where that is not known.

    Returns
    -------
    (K,) int
        Rows of the words; none where too few texts are known.

    Examples
    --------
    >>> words = ["the", "letters", "orders", "and", "the", "company"] + ["wagons"] * 2 + ["", "of"]
    >>> held_out(words).tolist()
    []
    >>> named = [f"text{n}" for n in range(16)]
    >>> [named[row] for row in held_out(named)]
    ['text1', 'text3', 'text7', 'text13']
    """
    counts: dict[str, int] = {}
    for text in texts:
        if len(text) >= SHORTEST:
            counts[text] = counts.get(text, 0) + 1
    ordered = sorted(counts, key=lambda text: (-counts[text], text))
    apart = set(ordered[1::_EVERY])
    if len(apart) < FEWEST_QUERIES:
        return np.zeros(0, np.int64)
    return np.array([row for row, text in enumerate(texts) if text in apart], np.int64)


def hand_figures(
    network: WordNetwork, described: Described, texts: Sequence[str], asked: NDArray[np.int64]
) -> HandFigures:
    """Search words among all words whose texts are known, by example and typed.

    Parameters
    ----------
    network : WordNetwork
    described : Described
        What it says of N words.
    texts : sequence of str
        What they say, folded; "" where that is not known.
    asked : (K,) int
        Rows of the words that are asked for.
    """
    if not len(asked):
        return HandFigures()
    known = np.flatnonzero([bool(text) for text in texts])
    said = np.array([texts[row] for row in known.tolist()])
    embedding = described.embedding[known].astype(np.float32)
    unit = embedding / np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-9)
    by_example = []
    for place in np.searchsorted(known, asked).tolist():
        others = np.arange(len(known)) != place
        relevant = (said == said[place])[others]
        if relevant.any():
            by_example.append(_average_precision((unit @ unit[place])[others], relevant))
    learned = LearnedWords(
        network,
        described.attributes[known],
        described.characters[known],
        np.arange(len(known)),
    )
    wanted = sorted({texts[row] for row in asked.tolist()})
    typed = [_average_precision(learned.log_likelihood(text), said == text) for text in wanted]
    return HandFigures(
        len(by_example),
        float(np.mean(by_example)) if by_example else None,
        len(typed),
        float(np.mean(typed)) if typed else None,
    )


def _average_precision(scores: NDArray[np.floating], relevant: NDArray[np.bool_]) -> float:
    """Ties in the order given; one or more are relevant."""
    order = np.argsort(-scores, kind="stable")
    return average_precision(relevant[order], int(relevant.sum())) or 0.0


FEWEST = 20  # words to learn from
# probability of a reading from which it is learned: a network that has learned its own readings is
# too sure of them; both were chosen on five pages of letters
SURENESS, LATER_SURENESS = 0.6, 0.9
# of the way from the weights as they came to those that were learned; words of fonts keep what the
# network knew already; both were chosen there, too
LEARNED, LEARNED_WITH_FONTS = 0.25, 0.5


@dataclass(frozen=True)
class AdaptingSettings:
    """Settings for adapting a network.

    Attributes
    ----------
    minutes : float
        min; for learning, of all rounds together. Ignored where `steps` are given.
    steps : int
        Learn for so many steps in all instead, which can be repeated exactly; 0 for `minutes`.
    rounds : int
        How often words are read anew with what was learned.
    sureness : float
        Probability in [0, 1] of a reading from which it is learned in the first round; later, and
        where the last layers only are fitted, .9 or more is needed.
    batch : int
        Words in a step.
    seed : int
        Of all chance.
    light : bool
        Fit the last layers only, by numpy. That is also done where PyTorch is not installed.
    """

    minutes: float = 1.0
    steps: int = 0
    rounds: int = 1
    sureness: float = SURENESS
    batch: int = 64
    seed: int = 0
    light: bool = False

    def __post_init__(self) -> None:
        if not self.minutes > 0 or self.steps < 0 or self.rounds < 1 or self.batch < 2:
            raise BadArgument(
                "`minutes`, `steps`, `rounds` and `batch` must be above 0, and at least 0, 1 and 2"
            )
        if not 0 <= self.sureness <= 1:
            raise BadArgument("`sureness` must be from 0 to 1")


@dataclass(frozen=True)
class AdaptedNetwork:
    """A network that was adapted to a hand.

    Attributes
    ----------
    content : bytes
        Its file.
    is_light : bool
        Whether the last layers only were fitted.
    learned : int
        Words it has learned from, in the last round.
    known : int
        Those of them whose texts were known; the others were read.
    held_out : int
        Known words that it has not learned from.
    before, after : HandFigures
        How well these are found.
    """

    content: bytes = field(repr=False)
    is_light: bool
    learned: int
    known: int
    held_out: int
    before: HandFigures
    after: HandFigures

    @property
    def gain(self) -> float | None:
        """By how much the figures are higher; None where too few words were known to tell."""
        return self.after.gain_over(self.before)


def adapt_network(
    network: WordNetwork,
    words: HandWords,
    lexicon: Lexicon,
    settings: AdaptingSettings = AdaptingSettings(),
    fonts: Sequence[Path] = (),
    progress: Progress = silent,
) -> AdaptedNetwork:
    """Adapt a network to the hand of a collection.

    It reads the words with a list of words, and learns from those that it reads surely and from
    those whose texts are known. The weights go a part of the way only, so that less of what it knew
    is forgotten. All known words with every fourth of the known texts are held out, to tell whether
    it helped.

    Parameters
    ----------
    network : WordNetwork
        One that `spotlab train words` has made.
    words : HandWords
        Words of the collection; texts that are known are taken as certain.
    lexicon : Lexicon
        Words that may be written.
    settings : AdaptingSettings
    fonts : sequence of Path
        Fonts of handwriting. Words that they draw are learned beside those of the collection.
    progress : Progress
        May raise `Cancelled`; nothing is left then.

    Raises
    ------
    SpotlabError
        There are too few words to learn from, or the network is none of `spotlab train words`.

    References
    ----------
    Wolf & Fink (2022), "Self-training of handwritten word recognition for synthetic-to-real
    adaptation", ICPR. Wortsman et al. (2022), "Robust fine-tuning of zero-shot models", CVPR, §3.
    """
    fold = network.alphabet.fold
    texts = [fold(text) if text else "" for text in words.texts]
    apart = held_out(texts)
    is_light = settings.light or not is_installed()
    lexicon = lexicon.with_words(_counts(texts, apart))
    given, now = network.file.read_bytes(), network
    content = given
    progress(0, None, "describing words")
    described = words.describe(now)
    before = hand_figures(now, described, texts, apart)
    labels = SureLabels.none()
    rounds = 1 if is_light else settings.rounds
    with tempfile.TemporaryDirectory(prefix="spotlab-") as folder:
        for number in range(rounds):
            is_first = not number and not is_light
            sureness = max(settings.sureness, 0.0 if is_first else LATER_SURENESS)
            labels = sure_labels(now, described, words, lexicon, apart, sureness, progress)
            if len(labels) < FEWEST:
                raise SpotlabError(_too_few(len(labels)))
            if is_light:
                content = lightly_adapted(content, words, labels, settings.seed, progress)
            else:
                part = FineTuning(
                    settings.minutes, settings.steps, settings.batch, settings.seed,
                    number, rounds, tuple(fonts), lexicon.words,
                )  # fmt: skip
                content = fine_tuned(content, words, labels, part, progress)
                share = LEARNED_WITH_FONTS if fonts else LEARNED
                content = with_weights_between(given, content, share)
            file = Path(folder, f"round{number}.onnx")
            file.write_bytes(content)
            now = read_network(file)
            progress(0, None, "describing words")
            described = words.describe(now)
    after = hand_figures(now, described, texts, apart)
    return AdaptedNetwork(content, is_light, len(labels), labels.known, len(apart), before, after)


def _counts(texts: Sequence[str], apart: NDArray[np.int64]) -> dict[str, int]:
    """Tell how often known texts are written, without those that are held out."""
    hidden = {texts[row] for row in apart.tolist()}
    counts: dict[str, int] = {}
    for text in texts:
        if text and text not in hidden:
            counts[text] = counts.get(text, 0) + 1
    return counts


def _too_few(count: int) -> str:
    return (
        f"only {count} words can be read surely, and {FEWEST} are needed: transcribe or judge some "
        "words, or name a list of the words that are written"
    )
