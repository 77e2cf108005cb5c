"""Training a network for symbols on drawings that nobody has made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path

from spotlab.errors import BadArgument
from spotlab.lab.train.symbols.batches import SMALLEST, DrawnSymbols
from spotlab.lab.train.symbols.onnx_file import onnx_bytes
from spotlab.learning.batches_ahead import batches
from spotlab.learning.framework import need_framework
from spotlab.learning.runs import Learner, Subject, Trained, TrainingSettings, train
from spotlab.progress import Progress, silent

BATCH = 240  # pictures
_RATE = 2e-3
_AN_HOUR = TrainingSettings(batch=BATCH)


def train_symbols(
    out: Path, settings: TrainingSettings = _AN_HOUR, progress: Progress = silent
) -> Trained:
    """Train a network on symbols of invented kinds, and keep it as an ONNX file.

    A run that was cancelled or killed is continued by the next one with the same settings: beside
    the file there is its state, until it has ended.

    Parameters
    ----------
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
    Khosla et al. (2020), "Supervised contrastive learning", NeurIPS. Snell, Swersky & Zemel (2017),
    "Prototypical networks for few-shot learning", NIPS.
    """
    need_framework()
    if settings.batch < SMALLEST:
        raise BadArgument(f"`batch` must be {SMALLEST} or greater")
    depends = json.dumps(asdict(settings) | {"jobs": 0}, sort_keys=True)
    subject = Subject(
        "learning to describe symbols",
        hashlib.sha256(depends.encode()).hexdigest(),
        {"made_by": "spotlab train symbols"},
        _learner,
        lambda seed: batches(partial(DrawnSymbols, settings.batch, seed), settings.jobs > 1),
        onnx_bytes,
        _RATE,
    )
    return train(subject, out, settings, progress)


def _learner() -> Learner:
    # an extra, and slow to import
    from spotlab.lab.train.symbols.lesson import SymbolLearner  # noqa: PLC0415
    from spotlab.lab.train.symbols.network import new_network  # noqa: PLC0415

    return SymbolLearner(new_network())
