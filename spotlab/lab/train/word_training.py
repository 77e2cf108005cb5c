"""Training a network for words from fonts and texts alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from spotlab.errors import BadArgument, BadInput
from spotlab.files import read_file
from spotlab.formats.store import digest_of
from spotlab.learning.onnx_graph import Arrays
from spotlab.learning.runs import Learner, Subject, Trained, TrainingSettings, need_framework, train
from spotlab.learning.words.hands import Font, WordTexts
from spotlab.learning.words.lesson import ALPHABET, LEVELS, written_words
from spotlab.learning.words.network import NetworkWeights, folded, onnx_bytes, told_of, weights_of
from spotlab.progress import Progress, silent

_RATE = 2e-3
_LEARNED_RATE = 8e-4  # of a network that knows words already
_AN_HOUR = TrainingSettings()


def train_words(
    fonts: Sequence[Font],
    words: WordTexts,
    out: Path,
    settings: TrainingSettings = _AN_HOUR,
    progress: Progress = silent,
    start: Path | None = None,
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

    Raises
    ------
    BadArgument
        There are no fonts, or no words of the letters a to z.
    BadInput
        `start` is no network for words, or is one that was adapted to a hand.
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
        raise BadArgument("training needs fonts, and words of the letters a to z")
    paths = [font.path for font in fonts]
    begun = None if start is None else _weights(start)
    subject = Subject(
        "learning to describe words",
        _digest(fonts, words, settings, begun),
        {
            "made_by": "spotlab train words",
            "words": len(words.known),
            "running_words": len(words.running),
            "fonts": [font.told for font in fonts],
            **({} if start is None else {"learned_on_from": digest_of(start)}),
        },
        lambda: _learner(begun),
        lambda seed: written_words(paths, words, settings.batch, seed, settings.jobs > 1),
        _file,
        _RATE if begun is None else _LEARNED_RATE,
    )
    return train(subject, out, settings, progress)


def _learner(start: NetworkWeights | None) -> Learner:
    # an extra, and slow to import
    from spotlab.learning.words.lesson import WordLearner  # noqa: PLC0415
    from spotlab.learning.words.network import network_of, new_network  # noqa: PLC0415

    if start is not None:
        return WordLearner(network_of(start))
    attributes = sum(LEVELS) * len(ALPHABET)
    return WordLearner(new_network(attributes, len(ALPHABET) + 1))


def _weights(path: Path) -> NetworkWeights:
    """Of a network that can learn on."""
    try:
        weights = weights_of(read_file(path))
    except ValueError as error:
        raise BadInput(path, f"no network for words: {error}") from error
    own = weights.get("hand.w")
    if own is None or len(weights.get("phoc.b", ())) != sum(LEVELS) * len(ALPHABET):
        raise BadInput(path, "no network for words", expected="one of spotlab train words")
    if not np.array_equal(own, np.eye(len(own))):
        raise BadInput(path, "it was adapted to a hand", expected="one of spotlab train words")
    return weights


def _file(average: Arrays, told: Mapping[str, object]) -> bytes:
    return onnx_bytes(folded(average), told_of(ALPHABET, LEVELS, told))


def _digest(
    fonts: Sequence[Font],
    words: WordTexts,
    settings: TrainingSettings,
    start: NetworkWeights | None,
) -> str:
    """Of all that a run depends on, but how many processes it has."""
    depends = asdict(settings) | {"jobs": 0, "fonts": [font.told for font in fonts]}
    text = json.dumps(depends, sort_keys=True) + "\n".join(words.known + words.running)
    digest = hashlib.sha256(text.encode())
    for _, array in sorted((start or {}).items()):
        digest.update(array.tobytes())
    return digest.hexdigest()
