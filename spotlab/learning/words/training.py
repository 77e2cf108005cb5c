"""Training a network for words from fonts and texts alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from spotlab.errors import BadArgument
from spotlab.learning.framework import need_framework
from spotlab.learning.onnx_graph import Arrays
from spotlab.learning.runs import Learner, Subject, Trained, TrainingSettings, train
from spotlab.learning.words.batches import ALPHABET, LEVELS, written_words
from spotlab.learning.words.fonts import Font
from spotlab.learning.words.onnx_file import folded, onnx_bytes, told_of
from spotlab.learning.words.texts import Words
from spotlab.progress import Progress, silent

_AN_HOUR = TrainingSettings()


def train_words(
    fonts: Sequence[Font],
    words: Words,
    out: Path,
    settings: TrainingSettings = _AN_HOUR,
    progress: Progress = silent,
) -> Trained:
    """Train a network on words that fonts write, and keep it as an ONNX file.

    A run that was cancelled or killed is continued by the next one with the same fonts, words and
    settings: beside the file there is its state, until it has ended.

    Parameters
    ----------
    fonts : sequence of Font
    words : Words
        What is written.
    out : Path
        Where the network goes.
    settings : TrainingSettings
    progress : Progress
        Told per mille of the run. Cancelling keeps what was reached.

    Raises
    ------
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
    subject = Subject(
        "learning to describe words",
        _digest(fonts, words, settings),
        {
            "made_by": "spotlab train words",
            "words": len(words.known),
            "running_words": len(words.running),
            "fonts": [font.told for font in fonts],
        },
        _learner,
        lambda seed: written_words(paths, words, settings.batch, seed, settings.jobs > 1),
        _file,
    )
    return train(subject, out, settings, progress)


def _learner() -> Learner:
    # an extra, and slow to import
    from spotlab.learning.words.lesson import WordLearner  # noqa: PLC0415
    from spotlab.learning.words.network import new_network  # noqa: PLC0415

    attributes = sum(LEVELS) * len(ALPHABET)
    return WordLearner(new_network(attributes, len(ALPHABET) + 1))


def _file(average: Arrays, told: Mapping[str, object]) -> bytes:
    return onnx_bytes(folded(average), told_of(ALPHABET, LEVELS, told))


def _digest(fonts: Sequence[Font], words: Words, settings: TrainingSettings) -> str:
    """Of all that a run depends on, but how many processes it has."""
    depends = asdict(settings) | {"jobs": 0, "fonts": [font.told for font in fonts]}
    text = json.dumps(depends, sort_keys=True) + "\n".join(words.known + words.running)
    return hashlib.sha256(text.encode()).hexdigest()
