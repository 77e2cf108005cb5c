"""Trained networks in ONNX files, run by ONNX Runtime or OpenCV in a worker process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Singles
from spotlab.compute import each_in_threads
from spotlab.confined.client import TaskLimits, WorkerProcess
from spotlab.confined.worker import Call
from spotlab.errors import BadInput, SpotlabError, reason
from spotlab.extras import cv2, optional_module
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.resources import needed_model

ENGINE = "onnxruntime"
LIMITS = TaskLimits(bytes=1_200_000_000, seconds=60)  # of a network from outside
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


# of a number of 32 bits; OpenCV takes that of 0 where a probability is too small for one
_LEAST_LOGARITHM = np.float32(-104)


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
                found = self._net.forward(list(outputs))
                return [np.maximum(output, _LEAST_LOGARITHM) for output in found]
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
        self._worker: WorkerProcess | None = None
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

    def _started(self) -> WorkerProcess:
        """The process, in which the network is ready; another one where that has ended."""
        if self._worker is None or not self._worker.is_alive():
            self._worker = WorkerProcess()
            self._ask(self._worker, "_open", {}, self._content)
        return self._worker

    def _ask(
        self, worker: WorkerProcess, task: str, arguments: dict[str, Any], given: NDArray[Any]
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


_LARGEST = 1 << 28  # bytes of a network
_METADATA, _KEY, _VALUE = 14, 1, 2  # fields of ONNX's ModelProto and StringStringEntryProto
_BYTES = 2  # kind of a field that holds so many bytes
_FIXED = {1: 8, 5: 4}  # kinds of fields of fixed size, by their bytes

Said = TypeVar("Said")


@dataclass(frozen=True, eq=False)
class Network:
    """A network that can be run.

    Attributes
    ----------
    file : Path
        An ONNX file; its metadata say what its outputs mean.
    digest : str
        Of its content.
    metadata : mapping of str to str
        What the file says of itself.
    """

    file: Path
    digest: str
    metadata: Mapping[str, str]
    _engine: NetworkEngine = field(repr=False)
    _shapes: dict[str, tuple[int, ...]] = field(repr=False, default_factory=dict)

    __repr__ = short_repr

    def run(self, given: Singles, name: str, outputs: Sequence[str]) -> list[Singles]:
        """Run it.

        Parameters
        ----------
        given : (N, …) float32
            Always as many: engines prepare themselves anew for each other number.
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
            It has no such input or outputs.
        BadInput
            It yields NaN or infinity, or not as many rows as it was given.

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.resources import needed_model
        >>> network = open_network(needed_model("symbols.onnx"), "symbols")
        >>> blank = np.zeros((1, 1, 48, 48), np.float32)
        >>> [output.shape for output in network.run(blank, "pictures", ["embedding", "symbol"])]
        [(1, 128), (1, 1)]
        """
        found = self._engine.run(given, name, outputs)
        for output, values in zip(outputs, found, strict=True):
            shape = (len(given), *self._shapes.setdefault(output, values.shape[1:]))
            if values.shape != shape:
                problem = f"its output {output!r} has the shape {values.shape}"
                raise BadInput(self.file, problem, expected=str(shape))
        if not all(np.isfinite(output).all() for output in found):
            problem = "it yields values that are no numbers"
            raise BadInput(self.file, problem, expected="a network that has learned")
        return found


def open_network(file: Path, kind: str) -> Network:
    """Read a network, once as long as its file stays the same.

    Parameters
    ----------
    file : Path
    kind : str
        What it is for, as the command that trains it is called.

    Raises
    ------
    BadInput
        It cannot be read, or is no network.

    Examples
    --------
    >>> from spotlab.resources import needed_model
    >>> open_network(needed_model("symbols.onnx"), "symbols").metadata["made_by"]
    'spotlab train symbols'
    """
    try:
        stamp = file.stat()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    return _opened(file, kind, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=4)
def _opened(file: Path, kind: str, _changed: int, size: int) -> Network:
    if size > _LARGEST:
        raise BadInput(file, f"{size:,} bytes are more than a network has")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    try:
        said = metadata_of(content)
        engine = prepare_network(content) if _is_ours(file) else ConfinedEngine(file, content)
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise no_network(file, kind) from error
    return Network(file, hashlib.sha256(content).hexdigest(), said, engine)


def _is_ours(file: Path) -> bool:
    """Tell whether it comes with spotlab; any other may be a stranger's."""
    try:
        return needed_model(file.name) == file
    except SpotlabError:
        return False


def in_batches(
    describe: Callable[[NDArray[np.uint8]], Said],
    pictures: NDArray[np.uint8],
    size: int,
    progress: Progress = silent,
) -> list[Said]:
    """Describe pictures in batches, as many at once as there are processors.

    Parameters
    ----------
    describe : callable
        Says something of (M, H, W) uint8 pictures, M ≤ ``size``.
    pictures : (N, H, W) uint8
    size : int
        Pictures of a batch; the last one may have fewer.
    progress : Progress
        Told of each batch.

    Returns
    -------
    list
        What it said of each batch, in their order; empty without pictures.

    Examples
    --------
    >>> in_batches(len, np.zeros((5, 48, 160), np.uint8), 2)
    [2, 2, 1]
    """
    batches = [pictures[start : start + size] for start in range(0, len(pictures), size)]
    said = dict(each_in_threads(describe, batches, progress, "describing pictures"))
    return [said[number] for number in range(len(batches))]


def no_network(file: Path, kind: str) -> BadInput:
    """The error that a file is not what `open_network` was asked for.

    Parameters
    ----------
    file : Path
    kind : str

    Examples
    --------
    >>> no_network(Path("notes.txt"), "words").problem
    'it is no network for words'
    """
    expected = f"an ONNX file of spotlab train {kind}"
    return BadInput(file, f"it is no network for {kind}", expected=expected)


def metadata_of(content: bytes) -> dict[str, str]:
    """Read the metadata of an ONNX file.

    Parameters
    ----------
    content : bytes
        Of the file.

    Raises
    ------
    IndexError, ValueError
        It is cut off, or something else.

    References
    ----------
    onnx.proto3, ModelProto.metadata_props; Protocol Buffers' encoding.

    Examples
    --------
    >>> metadata_of(b"\\x72\\x06\\x0a\\x01a\\x12\\x01b")
    {'a': 'b'}
    """
    entries = (dict(_fields(value)) for number, value in _fields(content) if number == _METADATA)
    return {entry[_KEY].decode(): entry[_VALUE].decode() for entry in entries}


def _fields(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a message that hold bytes."""
    place = 0
    while place < len(content):
        tag, place = _number(content, place)
        kind = tag & 7
        if kind == _BYTES:
            size, place = _number(content, place)
            yield tag >> 3, content[place : place + size]
            place += size
        elif kind in _FIXED:
            place += _FIXED[kind]
        elif kind == 0:
            _, place = _number(content, place)
        else:
            raise ValueError(f"there is no field of kind {kind}")


def _number(content: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
