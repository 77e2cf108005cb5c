"""Runs trained networks: by ONNX Runtime where it is installed, else by OpenCV.

Both give the same but for the last digits. OpenCV, which everything on pixels needs anyway, takes
up to two and a half times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Singles
from spotlab.confined.client import Limits, Worker
from spotlab.confined.worker import Call
from spotlab.extras import cv2, optional_module

ENGINE = "onnxruntime"
LIMITS = Limits(bytes=1_200_000_000, seconds=60)  # of a network from outside
_SILENT = 4  # of what it writes to the terminal; problems are raised, too


class NotRunnable(ValueError):
    """A file is no network, or the network cannot be run with what it was given."""


class NetworkEngine(Protocol):
    """A network that is ready to run."""

    def run(self, given: Singles, name: str, outputs: Sequence[str]) -> list[Singles]:
        """Compute outputs of the network.

        Parameters
        ----------
        given : (N, …) float32
        name : str
            Of this input.
        outputs : sequence of str
            What is wanted.

        Returns
        -------
        list of (N, …) float32

        Raises
        ------
        NotRunnable
            The network has no such input or outputs.
        """


def prepare_network(content: bytes, threads: int = 1) -> NetworkEngine:
    """Prepare a network for running.

    Parameters
    ----------
    content : bytes
        Of an ONNX file.
    threads : int
        For one run; to run several at once, as `in_batches` does, gains more.

    Raises
    ------
    NotRunnable
        It is no network.

    Examples
    --------
    >>> from spotlab.resources import needed_model
    >>> engine = prepare_network(needed_model("symbols.onnx").read_bytes())
    >>> [embedding] = engine.run(np.zeros((2, 1, 48, 48), np.float32), "pictures", ["embedding"])
    >>> embedding.shape
    (2, 128)
    """
    try:
        runtime = optional_module(ENGINE)
    except ImportError:  # it is not installed, or cannot be loaded on this system
        return _ByOpenCV(content)
    return _ByRuntime(content, runtime, threads)


class _ByOpenCV:
    """Calls of several threads wait for each other."""

    def __init__(self, content: bytes) -> None:
        self._lock = Lock()  # it keeps what it works on
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))
        except cv2.error as error:
            raise NotRunnable(str(error)) from error

    def run(self, given: Singles, name: str, outputs: Sequence[str]) -> list[Singles]:
        try:
            with self._lock:
                self._net.setInput(given, name)
                return [np.array(output) for output in self._net.forward(list(outputs))]
        except cv2.error as error:
            raise NotRunnable(str(error)) from error


class _ByRuntime:
    """Threads share it."""

    def __init__(self, content: bytes, runtime: ModuleType, threads: int) -> None:
        kinds = vars(runtime.capi.onnxruntime_pybind11_state).values()
        self._errors: tuple[type[Exception], ...] = (
            ValueError,  # it checks in Python how many inputs there are
            *(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)),
        )
        options = runtime.SessionOptions()
        options.log_severity_level = _SILENT
        options.enable_mem_pattern = False  # 13 MB less, and no slower
        options.intra_op_num_threads = threads
        try:
            self._session = runtime.InferenceSession(
                content, options, providers=["CPUExecutionProvider"]
            )
        except self._errors as error:
            raise NotRunnable(str(error)) from error

    def run(self, given: Singles, name: str, outputs: Sequence[str]) -> list[Singles]:
        try:
            return list(self._session.run(list(outputs), {name: given}))
        except self._errors as error:
            raise NotRunnable(str(error)) from error


class ConfinedEngine:
    """A network from outside, which a process of its own runs; calls wait for each other.

    Parameters
    ----------
    file : Path
        For errors.
    content : bytes
        Of an ONNX file.

    Raises
    ------
    NotRunnable
        It is no network.
    BadInput
        It has ended its process, or exceeds the limits.
    """

    def __init__(self, file: Path, content: bytes) -> None:
        self._file, self._content = file, np.frombuffer(content, np.uint8)
        self._lock = Lock()
        self._worker: Worker | None = None
        with self._lock:
            self._started()

    def run(self, given: Singles, name: str, outputs: Sequence[str]) -> list[Singles]:
        """See `NetworkEngine.run`; raises BadInput, too, as when it was opened."""
        with self._lock:
            arguments = {"name": name, "outputs": list(outputs)}
            return self._ask(self._started(), "_run", arguments, given)

    def __del__(self) -> None:
        if getattr(self, "_worker", None) is not None:
            assert self._worker is not None
            self._worker.end()

    def _started(self) -> Worker:
        """The process, in which the network is ready; another one where that has ended."""
        if self._worker is None or not self._worker.is_alive():
            self._worker = Worker()
            self._ask(self._worker, "_open", {}, self._content)
        return self._worker

    def _ask(
        self, worker: Worker, task: str, arguments: dict[str, Any], given: NDArray[Any]
    ) -> list[NDArray[Any]]:
        problem, made = worker.do(
            self._file, f"{__name__}:{task}", arguments, LIMITS, given=[given]
        )
        if problem is not None:
            raise NotRunnable(problem)
        return made


_engines: list[NetworkEngine] = []  # of a process that runs a network for another one


def _open(call: Call) -> tuple[str | None, list[NDArray[Any]]]:
    try:
        _engines[:] = [prepare_network(call.given[0].tobytes(), call.cores)]
    except NotRunnable as error:
        return str(error), []
    return None, []


def _run(call: Call, name: str, outputs: list[str]) -> tuple[str | None, list[Singles]]:
    try:
        made = _engines[0].run(call.given[0], name, outputs)
        return None, [np.asarray(output, np.float32) for output in made]
    except ValueError as error:
        return str(error), []
