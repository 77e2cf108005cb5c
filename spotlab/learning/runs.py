"""A run of training: how long it takes, at which rate, and what is kept of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadArgument, BadInput, Cancelled
from spotlab.formats.rows.files import write_atomically
from spotlab.learning.batches_ahead import Source
from spotlab.learning.framework import torch
from spotlab.learning.onnx_graph import Arrays
from spotlab.learning.state import State, read_state, state_file, write_state
from spotlab.progress import Progress

if TYPE_CHECKING:
    from spotlab.learning.updates import Updates


_LEAST_RATE = 0.02  # share of the rate that is left at the end
_WARM = 150  # steps until the full rate
_AVERAGED = 0.998  # of the average of weights is kept from step to step
_KEEP = 180.0  # s between kept states


@dataclass(frozen=True)
class TrainingSettings:
    """How long a network learns, and from how much at a time.

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
        Pictures in a step.
    jobs : int
        Processes: with more than one, pictures are drawn ahead by another, and the network uses
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
    pictures : int
        What it has seen.
    resumed : bool
        Whether an earlier run of the same settings was continued.
    ended : bool
        False where it was cancelled; the file has what was reached until then.
    """

    file: Path
    steps: int
    minutes: float
    pictures: int
    resumed: bool
    ended: bool


class Learner(Protocol):
    """A network that learns from batches of one kind.

    Attributes
    ----------
    network : torch.nn.ModuleDict
    updates : Updates
    """

    network: Any
    updates: Updates

    def step(self, batch: Any, rate: float) -> float:
        """Learn from a batch; returns how wrong the network was."""


@dataclass(frozen=True)
class Subject:
    """What a network is trained for.

    Attributes
    ----------
    doing : str
        For whoever waits, as "learning to describe words".
    digest : str
        Of all that the run depends on.
    told : mapping of str to object
        What the file tells of it, beside settings and steps.
    learner : callable
        Makes the learner.
    source : callable
        Given a seed, makes the context that gives batches.
    file : callable
        Given averaged weights and metadata, makes the content of the network's file.
    rate : float
        Of the optimiser, at most.
    """

    doing: str
    digest: str
    told: Mapping[str, object]
    learner: Callable[[], Learner]
    source: Callable[[int], AbstractContextManager[Source]]
    file: Callable[[Arrays, Mapping[str, object]], bytes]
    rate: float


def train(subject: Subject, out: Path, settings: TrainingSettings, progress: Progress) -> Trained:
    """Train a network, and keep it as an ONNX file.

    Parameters
    ----------
    subject : Subject
    out : Path
        Where the network goes. Until the run has ended, its state lies beside it, from which a run
        that was cancelled or killed is continued.
    settings : TrainingSettings
    progress : Progress
        Told per mille of the run. Cancelling keeps what was reached.
    """
    run = _Run(subject, out, settings)
    try:
        with subject.source(run.drawn_by) as source:
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

    def __init__(self, subject: Subject, out: Path, settings: TrainingSettings) -> None:
        torch.manual_seed(settings.seed)
        torch.set_num_threads(max(settings.jobs - 1, 1))
        self._subject, self._out, self._settings = subject, out, settings
        self._learner = subject.learner()
        self._average = self._floats()
        self.steps, self._earlier = 0, 0.0
        self._losses: list[float] = []
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
        """The seed of what is drawn: another one where a run is continued."""
        return self._settings.seed + 1_000_003 * self.steps

    @property
    def doing(self) -> str:
        if not self._losses:
            return self._subject.doing
        return f"{self._subject.doing} (step {self.steps:,}, loss {np.mean(self._losses):.2f})"

    def learn(self, batch: Any) -> None:
        falling = 0.5 * (1 + math.cos(math.pi * min(self.done, 1.0)))
        warm = min(1.0, (self.steps + 1) / _WARM)
        rate = self._subject.rate * warm * (_LEAST_RATE + (1 - _LEAST_RATE) * falling)
        self._losses = [*self._losses[-49:], self._learner.step(batch, rate)]
        self.steps += 1
        keep = min(_AVERAGED, (self.steps + 1) / (self.steps + 20))
        for name, value in self._floats().items():
            self._average[name] = keep * self._average[name] + (1 - keep) * value
        if time.monotonic() - self._kept > _KEEP:
            self.keep()

    def keep(self) -> None:
        """Write the network as it is, and the state of the run."""
        write_atomically(self._out, self._subject.file(self._average, self._told()))
        updates = self._learner.updates
        state = State(self._subject.digest, self.steps, self.minutes, updates, self._average)
        write_state(state_file(self._out), state)
        self._kept = time.monotonic()

    def trained(self, ended: bool) -> Trained:
        pictures = self.steps * self._settings.batch
        return Trained(self._out, self.steps, self.minutes, pictures, self.resumed, ended)

    def _told(self) -> dict[str, object]:
        return {
            "settings": asdict(self._settings),
            "steps": self.steps,
            "minutes": round(self.minutes, 1),
            **self._subject.told,
        }

    def _floats(self) -> dict[str, NDArray[np.float32]]:
        return {
            name: value.detach().numpy().astype(np.float32, copy=True)
            for name, value in self._learner.network.state_dict().items()
            if value.is_floating_point()
        }

    def _resume(self) -> bool:
        try:
            state = read_state(state_file(self._out), self._subject.digest, self._learner.updates)
        except BadInput:
            return False
        if state is None:
            return False
        self.steps, self._earlier = state.steps, state.minutes
        self._average = state.average
        return True
