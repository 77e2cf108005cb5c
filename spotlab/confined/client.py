"""Asks processes that read files from outside, and outlives whatever becomes of them."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from spotlab.compute.executors import cores
from spotlab.confined.shared_arrays import WINDOWS, SharedArrays, SharedMemory
from spotlab.errors import BadInput, Cancelled, SpotlabError
from spotlab.extras import MissingPackage
from spotlab.interruption import shielded, undisturbed
from spotlab.processes import own_command
from spotlab.progress import Progress, silent

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOGETHER = 1_700_000_000  # bytes that all workers of this process may have in use
SILENCE = 120.0  # seconds after which a worker that says nothing counts as hung
_TICK = 0.05  # seconds between two looks at whether the result is still wanted
KEPT = 2  # workers that stay for the next task
_PATIENCE = 0.25  # seconds that a task waits for one of them before it starts another
_TO_STOP = 0.3  # seconds that a worker has to stop by itself
_COPIED = 1_000_000  # bytes of an array that is not worth a mapping of its own


@dataclass(frozen=True)
class TaskLimits:
    """Limits on the memory and processor time that a worker may use for one task.

    Attributes
    ----------
    bytes : int
        Of memory of its own, beside the arrays that it returns.
    seconds : float
        Of processor time.
    """

    bytes: int
    seconds: float


Showing = Callable[..., AbstractContextManager[object]]


class WorkerProcess:
    """A process that does one task at a time; several threads have to take turns.

    Attributes
    ----------
    process : Popen
    path : Path or None
        The file that it reads now, or has read last.
    """

    def __init__(self) -> None:
        command, settings, ours = own_command("spotlab.confined.worker"), {}, None
        if not WINDOWS:
            import socket  # noqa: PLC0415

            ours, theirs = socket.socketpair()
            command.append(str(theirs.fileno()))
            settings["pass_fds"] = (theirs.fileno(),)
        self._handles = ours
        self.path: Path | None = None
        with shielded(), undisturbed:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                **settings,  # type: ignore[call-overload]
            )
        if ours is not None:
            theirs.close()
        self._answers: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        Thread(target=self._listen, name="spotlab-answers", daemon=True).start()
        _all.add(self)

    def do(
        self,
        path: Path,
        task: str,
        arguments: dict[str, Any],
        limits: TaskLimits,
        progress: Progress = silent,
        showing: Showing | None = None,
        given: Sequence[NDArray[Any]] = (),
    ) -> tuple[Any, list[NDArray[Any]]]:
        """Have a task done; see `read`."""
        self.path = path
        memory = SharedMemory()
        arrays = SharedArrays(memory)
        request = {
            "task": task,
            "arguments": arguments,
            "bytes": limits.bytes,
            "seconds": limits.seconds,
            "cores": cores(),
            "given": [arrays.describe(array) for array in given],
            "memory": memory.handle,
            "end": arrays.end,
        }
        self._send(request, memory)
        answer = self._wait(path, limits, arrays, progress, showing)
        if "value" not in answer:
            raise _error(path, answer)
        made = [arrays.array(each) for each in answer["arrays"]]
        small = _COPIED
        return answer["value"], [each.copy() if each.nbytes < small else each for each in made]

    def is_alive(self) -> bool:
        """Tell whether it can do another task."""
        return self.process.poll() is None

    def end(self) -> None:
        """End the process, whatever it is doing."""
        _all.discard(self)
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        if self._handles is not None:
            self._handles.close()

    def _send(self, request: dict[str, Any], memory: SharedMemory | None = None) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it has ended, and so have the answers
            if memory and self._handles is not None:
                import socket  # noqa: PLC0415

                assert isinstance(memory.handle, int)
                socket.send_fds(self._handles, [b"m"], [memory.handle])
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()

    def _wait(
        self,
        path: Path,
        limits: TaskLimits,
        arrays: SharedArrays,
        progress: Progress,
        showing: Showing | None,
    ) -> dict[str, Any]:
        """Wait for the answer, and pass on what is told before."""
        reported: tuple[int, int | None, str] = (0, None, "opening")
        heard = monotonic()
        with ExitStack() as shown:
            while True:
                try:
                    try:
                        answer = self._answers.get(timeout=_TICK)
                    except Empty:
                        progress(*reported)
                        self._check(path, heard)
                        continue
                    heard = monotonic()
                    if answer is None:
                        raise self._death(path, limits)
                    if "progress" in answer:
                        reported = tuple(answer["progress"])
                        progress(*reported)
                        self._check(path, heard)
                    elif "showing" in answer and showing:
                        pixels = arrays.array(answer["showing"], full=False)
                        shown.enter_context(showing(pixels, answer["orientation"]))
                    elif "shown" in answer:
                        shown.close()
                    elif "showing" not in answer:
                        return answer
                except BaseException:
                    self._cancel()
                    raise

    def _check(self, path: Path, heard: float) -> None:
        """Give a worker up that hangs, or with which all take too much memory."""
        if monotonic() - heard > SILENCE:
            raise BadInput(path, f"reading it was given up after {SILENCE:.0f} s without a sign")
        taken = {worker: _bytes(worker.process.pid) for worker in tuple(_all)}
        if sum(taken.values()) > TOGETHER and taken.get(self) == max(taken.values()):
            limit = f"{TOGETHER / 1e9:.1f} GB"
            raise BadInput(path, f"reading it, and what else is being read, takes over {limit}")

    def _cancel(self) -> None:
        """Stop what it is doing, and end it if it does not."""
        self._send({"cancel": True})
        end = monotonic() + _TO_STOP
        while self.is_alive() and (rest := end - monotonic()) > 0:
            try:
                answer = self._answers.get(timeout=rest)
            except Empty:
                break
            if answer is None:
                break
            if not {"progress", "showing", "shown"} & answer.keys():
                return
        self.end()

    def _death(self, path: Path, limits: TaskLimits) -> BadInput:
        code = self.process.wait()
        if code == -getattr(signal, "SIGXCPU", 0):
            return BadInput(path, f"reading it takes more than {limits.seconds:.0f} s")
        with suppress(ValueError):
            name = signal.Signals(-code).name
            megabytes = f"{limits.bytes / 1e6:,.0f} MB"
            return BadInput(
                path,
                f"reading it was ended by {name}: the file is damaged, or takes more than"
                f" {megabytes} of memory",
            )
        return BadInput(path, f"the process that reads it has ended (exit code {code})")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines, suppress(ValueError, OSError):
            for line in lines:
                self._answers.put(json.loads(line))
        self._answers.put(None)


def _environment() -> dict[str, str]:
    """That of a worker, which takes no module from the folder that one works in."""
    paths = filter(None, (str(Path(__file__).absolute().parents[2]), os.environ.get("PYTHONPATH")))
    ours = {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(paths)}
    return os.environ | ours | {"OPENBLAS_NUM_THREADS": "1"}


def _error(path: Path, answer: dict[str, Any]) -> Exception:
    """Return what the worker has raised."""
    if "bad_input" in answer:
        problem, place, expected = answer["bad_input"]
        return BadInput(path, problem, place=place, expected=expected)
    if "missing" in answer:
        text, name = answer["missing"]
        return MissingPackage(text, name=name)
    return SpotlabError(answer["problem"]) if "problem" in answer else Cancelled()


def _bytes(pid: int) -> int:
    """Memory that a process has in use, as far as the system tells."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_bytes().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


_all: set[WorkerProcess] = set()
_idle: list[WorkerProcess] = []
_free = Condition()  # notified when a worker has become idle


def read(
    path: Path,
    task: str,
    arguments: dict[str, Any],
    limits: TaskLimits,
    progress: Progress = silent,
    showing: Showing | None = None,
) -> tuple[Any, list[NDArray[Any]]]:
    """Have a task done by a worker that has nothing else to do; a few are kept for the next task.

    Most tasks take milliseconds, less than a worker takes to start: where all that are kept are
    busy, a task waits for them for a moment.

    Parameters
    ----------
    path : Path
        The file that is read, for errors.
    task : str
        ``module:function``; called with a `spotlab.confined.worker.Call` and the arguments, it
        returns a value that JSON can express, and arrays.
    arguments : dict
        By name; JSON can express them.
    limits : TaskLimits
        What the worker may take.
    progress : Progress
        Called every now and then; what it raises stops the task.
    showing : callable, optional
        Called with an array that is being filled and its orientation; gives a context that ends
        when the array is full.

    Returns
    -------
    value : object
    arrays : list of ndarray

    Raises
    ------
    BadInput
        The task has raised it, exceeds the limits, or has ended the worker.
    """
    worker = _idle_worker() or WorkerProcess()
    try:
        return worker.do(path, task, arguments, limits, progress, showing)
    finally:
        with _free:
            keep = worker.is_alive() and len(_idle) < KEPT
            if keep:
                _idle.append(worker)
                _free.notify()
        if not keep:
            worker.end()


def start_ahead() -> None:
    """Start the worker that the first task would wait for."""
    worker = WorkerProcess()
    with _free:
        _idle.append(worker)
        _free.notify()


def _idle_worker() -> WorkerProcess | None:
    """Take a worker that is kept, if one is there or becomes idle soon."""
    with _free:
        if len(_all) >= KEPT:
            _free.wait_for(lambda: _idle, _PATIENCE)
        while _idle:
            worker = _idle.pop()
            if worker.is_alive():
                return worker
            worker.end()
    return None


def _end_all() -> None:
    for worker in tuple(_all):
        worker.end()


def _forget_all() -> None:
    """The workers of a process are not those of its copy."""
    global _free  # noqa: PLW0603 - whoever held it is not there
    _free = Condition()
    _idle.clear()
    _all.clear()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
