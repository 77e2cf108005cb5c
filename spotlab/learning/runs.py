"""A run of training: how long it takes, at which rate, and what is kept of it."""

from __future__ import annotations

import importlib.util
import io
import math
import multiprocessing
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Empty
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadArgument, BadInput, Cancelled, SpotlabError
from spotlab.extras import cv2
from spotlab.files import is_missing, name_with, read_file
from spotlab.formats.rows.files import write_atomically
from spotlab.interruption import check, install_in_worker, shielded
from spotlab.learning.onnx_graph import Arrays
from spotlab.libraries import LateModule
from spotlab.progress import Progress

_AHEAD = 12  # batches that are kept ready


class Source(Protocol):
    """Gives batches."""

    def next(self) -> Any: ...  # noqa: D102


@contextmanager
def batches(make: Callable[[], Source], ahead: bool) -> Iterator[Source]:
    """Make batches, in a process of their own or not.

    Parameters
    ----------
    make : callable
        Makes their source; it can be pickled.
    ahead : bool
        Make batches in another process while this one learns.
    """
    if not ahead:
        yield make()
        return
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(_AHEAD)
    process = context.Process(target=_make_ahead, args=(queue, make), daemon=True)
    with shielded():
        process.start()
    try:
        yield _Ahead(queue, process)
    finally:
        process.kill()
        process.join()


class _Ahead:
    """Takes what another process has made."""

    def __init__(self, queue: Any, process: Any) -> None:
        self._queue, self._process = queue, process

    def next(self) -> Any:
        while True:
            check()
            try:
                return self._queue.get(timeout=1)
            except Empty:
                if not self._process.is_alive():
                    raise SpotlabError("the process that makes batches has ended") from None


def _make_ahead(queue: Any, make: Callable[[], Source]) -> None:
    install_in_worker()
    cv2.setNumThreads(1)
    source = make()
    while True:
        queue.put(source.next())


INSTALL = "pip install spotlab[learn]"

torch: Any = LateModule("torch")
nn: Any = LateModule("torch.nn")
functional: Any = LateModule("torch.nn.functional")


def is_installed() -> bool:
    """Tell whether networks can be trained here."""
    return all(importlib.util.find_spec(name) is not None for name in ("torch", "onnx"))


def need_framework() -> None:
    """Make sure that networks can be trained.

    Raises
    ------
    SpotlabError
        They cannot.
    """
    if not is_installed():
        raise SpotlabError(f"training needs PyTorch, which is not installed: {INSTALL}")


@dataclass(frozen=True, eq=False)
class TrainingState:
    """State of a training run.

    Attributes
    ----------
    digest : str
        Of what the run depends on.
    steps : int
    minutes : float
    updates : Updates
    average : dict of str to array
        Averaged weights.
    """

    digest: str
    steps: int
    minutes: float
    updates: Updates
    average: dict[str, NDArray[np.float32]]


def state_file(out: Path) -> Path:
    """The file beside a network that has the state of its training.

    Examples
    --------
    >>> state_file(Path("own.onnx")).name
    'own.onnx.training'
    """
    return out.with_name(name_with(out.name, ".training"))


def write_state(file: Path, state: TrainingState) -> None:
    """Write a state.

    Parameters
    ----------
    file : Path
    state : TrainingState
    """
    arrays: dict[str, NDArray[np.generic]] = {
        "digest": np.array(state.digest),
        "steps": np.array(state.steps),
        "minutes": np.array(state.minutes),
    }
    arrays |= {f"average/{name}": value for name, value in state.average.items()}
    arrays |= {f"learner/{name}": value for name, value in state.updates.arrays().items()}
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's names of arrays are any
    write_atomically(file, content.getvalue())


def read_state(file: Path, digest: str, updates: Updates) -> TrainingState | None:
    """Read a state, and put the network into it; None if there is none, or of another run.

    Parameters
    ----------
    file : Path
    digest : str
        Of what the run depends on.
    updates : Updates

    Raises
    ------
    BadInput
        It cannot be read.
    """
    if is_missing(file):
        return None
    try:
        with np.load(io.BytesIO(read_file(file)), allow_pickle=False) as arrays:
            if str(arrays["digest"]) != digest:
                return None
            updates.set_arrays(_under("learner/", arrays))
            average = _under("average/", arrays)
            return TrainingState(
                digest, int(arrays["steps"]), float(arrays["minutes"]), updates, average
            )
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise BadInput(file, "it is no state of a training run") from error


def _under(start: str, arrays: np.lib.npyio.NpzFile) -> dict[str, NDArray[np.float32]]:
    return {
        name.removeprefix(start): arrays[name] for name in arrays.files if name.startswith(start)
    }


_LEAST_RATE = 0.02  # share of the rate that is left at the end
_WARM = 150  # steps until the full rate
_AVERAGED = 0.998  # of the average of weights is kept from step to step
_KEEP = 180.0  # s between kept states


@dataclass(frozen=True)
class TrainingSettings:
    """Settings for the duration of a network's training and the size of its batches.

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
    """Result of training a network.

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
    """Training task of a network.

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
        state = TrainingState(
            self._subject.digest, self.steps, self.minutes, updates, self._average
        )
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


_CLIP = 2.0  # length of a gradient, at most
_DECAY = 0.02


class Updates:
    """Moves weights against the gradient of a loss (AdamW).

    Parameters
    ----------
    network : torch.nn.ModuleDict
    """

    def __init__(self, network: Any) -> None:
        self._network = network
        self._all = list(network.parameters())
        groups = [
            {"params": [each for each in self._all if each.ndim > 1], "weight_decay": _DECAY},
            {"params": [each for each in self._all if each.ndim < 2], "weight_decay": 0.0},
        ]
        self._rule = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)

    def update(self, loss: Any, rate: float) -> None:
        """Change the weights.

        Parameters
        ----------
        loss : tensor
        rate : float
            Of the optimiser, in this step.
        """
        for group in self._rule.param_groups:
            group["lr"] = rate
        self._rule.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._all, _CLIP)
        self._rule.step()

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """All that has been learned, and what the optimiser keeps of it."""
        found = {f"{place}": value.detach().numpy() for place, value in enumerate(self._all)}
        found |= {f"buffer/{name}": each.numpy() for name, each in self._network.named_buffers()}
        for place, value in enumerate(self._all):
            for name, each in self._rule.state.get(value, {}).items():
                found[f"rule/{place}/{name}"] = each.numpy()
        return found

    def set_arrays(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Go back to what `arrays` gave.

        Parameters
        ----------
        arrays : mapping of str to array
        """
        with torch.no_grad():
            for place, value in enumerate(self._all):
                value.copy_(torch.from_numpy(arrays[str(place)]))
                kept = {
                    name: torch.from_numpy(arrays[f"rule/{place}/{name}"].copy())
                    for name in ("step", "exp_avg", "exp_avg_sq")
                    if f"rule/{place}/{name}" in arrays
                }
                if kept:
                    self._rule.state[value] = kept
            for name, each in self._network.named_buffers():
                each.copy_(torch.from_numpy(arrays[f"buffer/{name}"]))
