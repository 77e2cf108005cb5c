"""Training a network for words from fonts and texts alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from spotlab.errors import BadArgument, BadInput
from spotlab.files import read_file
from spotlab.formats.store import digest_of
from spotlab.learning.runs import Learner, Subject, Trained, TrainingSettings, need_framework, train
from spotlab.learning.words.hands import LATIN, Font, WordTexts
from spotlab.learning.words.lesson import LEVELS, written_words
from spotlab.learning.words.network import NetworkWeights, folded, onnx_bytes, told_of, weights_of
from spotlab.progress import Progress, silent
from spotlab.spotting.networks import metadata_of
from spotlab.spotting.words.embedding.characters import Alphabet

_RATE = 2e-3
_LEARNED_RATE = 8e-4  # of a network that knows words already
_AN_HOUR = TrainingSettings()


def needed_alphabet(characters: str) -> Alphabet:
    """Make an alphabet of the characters that somebody names.

    Parameters
    ----------
    characters : str

    Raises
    ------
    BadArgument
        One is there twice, or is none by which words are told apart, as a capital.

    Examples
    --------
    >>> needed_alphabet("abc").letters
    'abc'
    """
    problem = [sign for sign in characters if sign.isspace() or sign.casefold() != sign]
    try:
        alphabet = Alphabet(characters)
    except ValueError as error:
        raise BadArgument(str(error)) from error
    if problem or not alphabet.letters:
        raise BadArgument(f"alphabet is {characters!r}; expected small letters and digits")
    return alphabet


def train_words(
    fonts: Sequence[Font],
    words: WordTexts,
    out: Path,
    settings: TrainingSettings = _AN_HOUR,
    progress: Progress = silent,
    start: Path | None = None,
    alphabet: Alphabet = LATIN,
) -> Trained:
    """Train a network on words that fonts write, and keep it as an ONNX file.

    A run that was cancelled or killed is continued by the next one with the same fonts, words and
    settings: beside the file there is its state, until it has ended.

    Parameters
    ----------
    fonts : sequence of Font
    words : WordTexts
        What is written.
    out : Path
        Where the network goes.
    settings : TrainingSettings
    progress : Progress
        Told per mille of the run. Cancelling keeps what was reached.
    start : Path, optional
        Network that learns on; else it starts with weights drawn by chance.
    alphabet : Alphabet
        What the network reads; that of `start`, if there is one.

    Raises
    ------
    BadArgument
        There are no fonts, or no words in letters of the alphabet.
    BadInput
        `start` is no network for words, was adapted to a hand, or reads another alphabet.
    SpotlabError
        The framework is not installed.

    References
    ----------
    Almazán, Gordo, Fornés & Valveny (2014), "Word spotting and recognition with embedded
    attributes", IEEE PAMI 36(12). Graves, Fernández, Gomez & Schmidhuber (2006), "Connectionist
    temporal classification", ICML. Krishnan & Jawahar (2016), "Generating synthetic data for text
    recognition", arXiv 1608.04224.
    """
    need_framework()
    if not fonts or not words.known:
        raise BadArgument(f"training needs fonts, and words of the letters {alphabet.letters}")
    paths = [font.path for font in fonts]
    begun = None if start is None else _weights(start, alphabet)
    subject = Subject(
        "learning to describe words",
        _digest(fonts, words, settings, begun, alphabet),
        {
            "made_by": "spotlab train words",
            "words": len(words.known),
            "running_words": len(words.running),
            "fonts": [font.told for font in fonts],
            **({} if start is None else {"learned_on_from": digest_of(start)}),
        },
        lambda: _learner(begun, alphabet),
        lambda seed: written_words(paths, words, settings.batch, seed, settings.jobs > 1, alphabet),
        lambda average, told: onnx_bytes(
            folded(average), told_of(alphabet.characters, LEVELS, told)
        ),
        _RATE if begun is None else _LEARNED_RATE,
    )
    return train(subject, out, settings, progress)


def _learner(start: NetworkWeights | None, alphabet: Alphabet) -> Learner:
    # an extra, and slow to import
    from spotlab.learning.words.lesson import WordLearner  # noqa: PLC0415
    from spotlab.learning.words.network import network_of, new_network  # noqa: PLC0415

    if start is not None:
        return WordLearner(network_of(start))
    attributes = sum(LEVELS) * len(alphabet)
    return WordLearner(new_network(attributes, len(alphabet) + 1))


def _weights(path: Path, alphabet: Alphabet) -> NetworkWeights:
    """Of a network that can learn on."""
    content = read_file(path)
    try:
        weights, known = weights_of(content), metadata_of(content).get("alphabet")
    except (ValueError, IndexError, KeyError) as error:
        raise BadInput(path, f"no network for words: {error}") from error
    own = weights.get("hand.w")
    if known is not None and known != alphabet.characters:
        raise BadInput(path, f"it reads {known}", expected=f"one that reads {alphabet.characters}")
    if own is None or len(weights.get("phoc.b", ())) != sum(LEVELS) * len(alphabet):
        raise BadInput(path, "no network for words", expected="one of spotlab train words")
    if not np.array_equal(own, np.eye(len(own))):
        raise BadInput(path, "it was adapted to a hand", expected="one of spotlab train words")
    return weights


def _digest(
    fonts: Sequence[Font],
    words: WordTexts,
    settings: TrainingSettings,
    start: NetworkWeights | None,
    alphabet: Alphabet,
) -> str:
    """Of all that a run depends on, but how many processes it has."""
    depends = asdict(settings) | {
        "jobs": 0,
        "fonts": [font.told for font in fonts],
        "alphabet": alphabet.characters,
    }
    text = json.dumps(depends, sort_keys=True) + "\n".join(words.known + words.running)
    digest = hashlib.sha256(text.encode())
    for _, array in sorted((start or {}).items()):
        digest.update(array.tobytes())
    return digest.hexdigest()
