"""Training a network for words from fonts and texts alone."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadArgument, BadInput, Cancelled
from spotlab.formats.rows.atomic import write_atomically
from spotlab.learning.words.batches import ALPHABET, LEVELS, written_words
from spotlab.learning.words.fonts import Font
from spotlab.learning.words.framework import need_framework
from spotlab.learning.words.onnx_file import folded, onnx_bytes, told_of
from spotlab.learning.words.state import State, read_state, state_file, write_state
from spotlab.learning.words.texts import Words
from spotlab.progress import Progress, silent

if TYPE_CHECKING:
    from spotlab.learning.words.lesson import Learner, Losses

_RATE = 2e-3
_LEAST_RATE = 0.02  # share of it that is left at the end
_WARM = 150  # steps until the full rate
_AVERAGED = 0.998  # of the average of weights is kept from step to step
_KEEP = 180.0  # s between kept states


@dataclass(frozen=True)
class TrainingSettings:
    """How long and from what a network learns.

    Attributes
    ----------
    minutes : float
        min; the rate falls until then. Ignored where `steps` are given.
    steps : int
        End after so many steps, which makes a run that can be repeated exactly with one job; 0 to
        end after `minutes`.
    seed : int
        Of the first weights and of all that is drawn.
    batch : int
        Words in a step.
    jobs : int
        Processes: with more than one, words are written ahead by another, and the network uses
        the rest.
    """

    minutes: float = 60.0
    steps: int = 0
    seed: int = 0
    batch: int = 64
    jobs: int = 1

    def __post_init__(self) -> None:
        if not self.steps and not (math.isfinite(self.minutes) and self.minutes > 0):
            raise BadArgument("`minutes` must be greater than 0")
        if self.steps < 0 or self.batch < 2 or self.jobs < 1:
            raise BadArgument("`steps`, `batch` and `jobs` must be 0, 2 and 1 or greater")


@dataclass(frozen=True)
class Trained:
    """How a network was trained.

    Attributes
    ----------
    file : Path
        The network.
    steps : int
    minutes : float
    words : int
        Pictures of words it has seen.
    resumed : bool
        Whether an earlier run of the same settings was continued.
    ended : bool
        False where it was cancelled; the file has what was reached until then.
    """

    file: Path
    steps: int
    minutes: float
    words: int
    resumed: bool
    ended: bool


def train_words(
    fonts: Sequence[Font],
    words: Words,
    out: Path,
    settings: TrainingSettings = TrainingSettings(),
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
    run = _Run(fonts, words, out, settings)
    try:
        with written_words(
            [font.path for font in fonts], words, settings.batch, run.drawn_by, settings.jobs > 1
        ) as source:
            while run.done < 1:
                progress(int(run.done * 1000), 1000, run.doing)
                run.learn(source.next())
        run.keep()
        state_file(out).unlink(missing_ok=True)
    except (Cancelled, KeyboardInterrupt):
        run.keep()
        return run.trained(ended=False)
    return run.trained(ended=True)


class _Run:
    """A run of training under way."""

    def __init__(
        self, fonts: Sequence[Font], words: Words, out: Path, settings: TrainingSettings
    ) -> None:
        # an extra, and slow to import
        import torch  # noqa: PLC0415

        from spotlab.learning.words.lesson import Learner  # noqa: PLC0415
        from spotlab.learning.words.network import new_network  # noqa: PLC0415

        torch.manual_seed(settings.seed)
        torch.set_num_threads(max(settings.jobs - 1, 1))
        attributes = sum(LEVELS) * len(ALPHABET)
        self._network = new_network(attributes, len(ALPHABET) + 1)
        self._learner: Learner = Learner(self._network)
        self._fonts, self._words, self._out, self._settings = fonts, words, out, settings
        self._digest = _digest(fonts, words, settings)
        self._average = self._floats()
        self.steps, self._earlier = 0, 0.0
        self._recent: list[Losses] = []
        self.resumed = self._resume()
        self._begun = self._kept = time.monotonic()

    @property
    def minutes(self) -> float:
        return self._earlier + (time.monotonic() - self._begun) / 60

    @property
    def done(self) -> float:
        if self._settings.steps:
            return self.steps / self._settings.steps
        return self.minutes / self._settings.minutes

    @property
    def drawn_by(self) -> int:
        """The seed of what is written: another one where a run is continued."""
        return self._settings.seed + 1_000_003 * self.steps

    @property
    def doing(self) -> str:
        if not self._recent:
            return "learning to describe words"
        wrong = float(np.mean([losses.characters for losses in self._recent]))
        return f"learning to describe words (step {self.steps:,}, loss {wrong:.2f})"

    def learn(self, batch: Any) -> None:
        falling = 0.5 * (1 + math.cos(math.pi * min(self.done, 1.0)))
        warm = min(1.0, (self.steps + 1) / _WARM)
        rate = _RATE * warm * (_LEAST_RATE + (1 - _LEAST_RATE) * falling)
        self._recent = [*self._recent[-49:], self._learner.step(batch, rate)]
        self.steps += 1
        keep = min(_AVERAGED, (self.steps + 1) / (self.steps + 20))
        for name, value in self._floats().items():
            self._average[name] = keep * self._average[name] + (1 - keep) * value
        if time.monotonic() - self._kept > _KEEP:
            self.keep()

    def keep(self) -> None:
        """Write the network as it is, and the state of the run."""
        told = told_of(ALPHABET, LEVELS, self._told())
        write_atomically(self._out, onnx_bytes(folded(self._average), told))
        write_state(
            state_file(self._out),
            State(self._digest, self.steps, self.minutes, self._learner, self._average),
        )
        self._kept = time.monotonic()

    def trained(self, ended: bool) -> Trained:
        words = self.steps * self._settings.batch
        return Trained(self._out, self.steps, self.minutes, words, self.resumed, ended)

    def _told(self) -> dict[str, object]:
        return {
            "made_by": "spotlab train words",
            "settings": asdict(self._settings),
            "steps": self.steps,
            "minutes": round(self.minutes, 1),
            "words": len(self._words.known),
            "running_words": len(self._words.running),
            "fonts": [font.told for font in self._fonts],
        }

    def _floats(self) -> dict[str, NDArray[np.float32]]:
        return {
            name: value.detach().numpy().astype(np.float32, copy=True)
            for name, value in self._network.state_dict().items()
            if value.is_floating_point()
        }

    def _resume(self) -> bool:
        try:
            state = read_state(state_file(self._out), self._digest, self._learner)
        except BadInput:
            return False
        if state is None:
            return False
        self.steps, self._earlier = state.steps, state.minutes
        self._average = state.average
        return True


def _digest(fonts: Sequence[Font], words: Words, settings: TrainingSettings) -> str:
    """Of all that a run depends on, but how many processes it has."""
    depends = asdict(settings) | {"jobs": 0, "fonts": [font.told for font in fonts]}
    text = json.dumps(depends, sort_keys=True) + "\n".join(words.known + words.running)
    return hashlib.sha256(text.encode()).hexdigest()
