"""A process that reads files from outside: with limits, without network, for one other process.

It reads requests from standard input, a line of JSON each, and answers on standard output. It ends
when there is no more input. `spotlab.confined.client` starts it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spotlab.confined.shared_arrays import SharedArrays

PROGRESS_EVERY = 0.05  # seconds
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # as Linux numbers them


class Call:
    """Context that a task receives in addition to its arguments.

    Attributes
    ----------
    arrays : SharedArrays
        Where it makes the arrays that it returns; others are copied there.
    given : list of ndarray
        The arrays that it was given.
    cores : int
        How many processor cores it may use.
    """

    def __init__(self, channel: _Channel, arrays: SharedArrays, request: dict[str, Any]) -> None:
        self._channel = channel
        self.arrays = arrays
        self.given: list[NDArray[Any]] = [arrays.array(each) for each in request["given"]]
        self.cores: int = request["cores"]
        self._reported = 0.0

    def progress(self, done: int, total: int | None, doing: str) -> None:
        """Tell how far the task is.

        Raises
        ------
        Cancelled
            Nobody wants the result any more.
        """
        from spotlab.errors import Cancelled  # noqa: PLC0415

        if self._channel.cancelled.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._reported >= PROGRESS_EVERY or done == total:
            self._reported = now
            self._channel.send({"progress": [done, total, doing]})

    @contextmanager
    def showing(self, pixels: NDArray[Any], orientation: int = 1) -> Iterator[None]:
        """Let the other process look at an array while it is filled in a ``with`` block."""
        self._channel.send({"showing": self.arrays.describe(pixels), "orientation": orientation})
        try:
            yield
        finally:
            self._channel.send({"shown": True})


class _Channel:
    """Requests come in, and answers go out, whatever libraries print."""

    def __init__(self, handles: int | None) -> None:
        self.requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.cancelled = Event()
        self._handles = handles
        self._lock = Lock()
        self._output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        Thread(target=self._listen, daemon=True).start()

    def send(self, answer: dict[str, Any]) -> None:
        with self._lock:
            self._output.write(json.dumps(answer).encode() + b"\n")
            self._output.flush()

    def _listen(self) -> None:
        with os.fdopen(os.dup(0), "rb") as lines:
            for line in lines:
                request = json.loads(line)
                if "cancel" in request:
                    self.cancelled.set()
                    continue
                self.cancelled.clear()
                if self._handles is not None:
                    request["memory"] = _received(self._handles)
                self.requests.put(request)
        os._exit(0)  # nobody wants anything any more


def _received(handles: int) -> int:
    import socket  # noqa: PLC0415

    with socket.socket(fileno=os.dup(handles)) as sender:
        _, [descriptor], _, _ = socket.recv_fds(sender, 1, 1)
    return int(descriptor)


def _confine() -> None:
    """Take away what decoders do not need, as far as the system lets us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process decides what Ctrl+C means
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    if sys.platform == "linux":
        # before there are threads; files of others would be closed to root in another user's space
        kinds = _NEW_NETWORK if os.geteuid() == 0 else _NEW_USER | _NEW_NETWORK
        ctypes.CDLL(None).unshare(kinds)  # where it fails, limits remain
    with suppress(ImportError):
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit(memory: int, seconds: float) -> None:
    """Have the system end this process when it takes more than that from now on."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415

        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        # what is shared does not count, and has the size of the page
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (memory, hard))


def _answer(channel: _Channel, request: dict[str, Any]) -> dict[str, Any]:
    from spotlab.confined.shared_arrays import SharedArrays  # noqa: PLC0415
    from spotlab.errors import BadInput, Cancelled, SpotlabError  # noqa: PLC0415
    from spotlab.extras import MissingPackage  # noqa: PLC0415

    _limit(request["bytes"], request["seconds"])
    arrays = SharedArrays(request["memory"], request["end"])
    module, _, name = request["task"].partition(":")
    try:
        task = getattr(import_module(module), name)
        value, made = task(Call(channel, arrays, request), **request["arguments"])
        described = [arrays.describe(array) for array in made]
        arrays.free_rest(described)
        answer = {"value": value, "arrays": described}
    except Cancelled:
        answer = {"cancelled": True}
    except BadInput as error:
        answer = {"bad_input": [error.problem, error.place, error.expected]}
    except MissingPackage as error:
        answer = {"missing": [str(error), error.name]}
    except SpotlabError as error:
        answer = {"problem": str(error)}
    except MemoryError:
        answer = {"bad_input": ["there is not enough memory to read it", "", ""]}
    except Exception as error:
        answer = {"bad_input": [f"it cannot be read ({type(error).__name__}: {error})", "", ""]}
    return answer


def main() -> None:
    """Answer until there is nobody who asks."""
    _confine()
    channel = _Channel(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    from spotlab.processes import share_one_heap  # noqa: PLC0415

    share_one_heap()
    while True:
        request = channel.requests.get()
        answer = _answer(channel, request)
        if isinstance(request["memory"], int):
            os.close(request["memory"])
        channel.send(answer)


if __name__ == "__main__":
    main()
