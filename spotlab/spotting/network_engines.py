"""Runs trained networks: by ONNX Runtime where it is installed, else by OpenCV.

Both give the same but for the last digits. OpenCV, which everything on pixels needs anyway, takes
up to two and a half times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from types import ModuleType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2, optional_module

ENGINE = "onnxruntime"
_SILENT = 4  # of what it writes to the terminal; problems are raised, too

Floats = NDArray[np.float32]


class NotRunnable(ValueError):
    """A file is no network, or the network cannot be run with what it was given."""


class NetworkEngine(Protocol):
    """A network that is ready to run."""

    def run(self, given: Floats, name: str, outputs: Sequence[str]) -> list[Floats]:
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


def prepare_network(content: bytes) -> NetworkEngine:
    """Prepare a network for running.

    Parameters
    ----------
    content : bytes
        Of an ONNX file.

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
    return _ByRuntime(content, runtime)


class _ByOpenCV:
    """Calls of several threads wait for each other."""

    def __init__(self, content: bytes) -> None:
        self._lock = Lock()  # it keeps what it works on
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8))
        except cv2.error as error:
            raise NotRunnable(str(error)) from error

    def run(self, given: Floats, name: str, outputs: Sequence[str]) -> list[Floats]:
        try:
            with self._lock:
                self._net.setInput(given, name)
                return [np.array(output) for output in self._net.forward(list(outputs))]
        except cv2.error as error:
            raise NotRunnable(str(error)) from error


class _ByRuntime:
    """Threads share it."""

    def __init__(self, content: bytes, runtime: ModuleType) -> None:
        kinds = vars(runtime.capi.onnxruntime_pybind11_state).values()
        self._errors: tuple[type[Exception], ...] = (
            ValueError,  # it checks in Python how many inputs there are
            *(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)),
        )
        options = runtime.SessionOptions()
        options.log_severity_level = _SILENT
        options.enable_mem_pattern = False  # 13 MB less, and no slower
        options.intra_op_num_threads = 1  # `in_batches` runs several at once, which gains more
        try:
            self._session = runtime.InferenceSession(
                content, options, providers=["CPUExecutionProvider"]
            )
        except self._errors as error:
            raise NotRunnable(str(error)) from error

    def run(self, given: Floats, name: str, outputs: Sequence[str]) -> list[Floats]:
        try:
            return list(self._session.run(list(outputs), {name: given}))
        except self._errors as error:
            raise NotRunnable(str(error)) from error
