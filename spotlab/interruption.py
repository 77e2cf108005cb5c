"""Answers to Ctrl+C and SIGTERM: in one place, whatever the program is doing at that moment.

A signal is only noted. Work asks at safe points whether it is still wanted, which everything that
reports progress does, and stops with `Cancelled`. Beside it a thread waits: when the work has not
stopped after `PATIENCE` seconds, because it is importing, compiling or in a library that does not
come back, or when a second signal arrives, the thread ends the process. It does so between two
files and not in the middle of one (`undisturbed`), and first lets go of what would outlive the
process (`letting_go`). No exception is ever raised where nobody expects one.

This is what the program imports first: it needs little itself.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ContextDecorator, contextmanager, suppress
from threading import Condition, Event, Lock, Thread, current_thread, main_thread
from types import FrameType
from typing import NoReturn

PATIENCE = 0.7  # seconds that work has to reach a safe point and to clean up after itself
WRITING = 1.0  # seconds, at most, that a file that is being written is waited for
UNSEEN = 10.0  # seconds of the same in a worker, for which nobody waits
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _State:
    """The process's knowledge about its end."""

    watch: _Watch | None = None  # once it answers signals
    received: int | None = None
    unwanted = False
    note = ""


_listeners: list[Callable[[], object]] = []
_clean_ups: list[Callable[[], object]] = []
_telling = Lock()  # taken by whoever tells, and never given back
_told = Event()


def install() -> None:
    """Answer signals from now on, until the process ends.

    A signal that is ignored stays so: whoever starts a program in the background wants that. Where
    the system cannot do it (Windows), Ctrl+C raises `KeyboardInterrupt` as ever.
    """
    if _State.watch is None and hasattr(os, "set_blocking"):
        wanted = [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
        _State.watch = _Watch(wanted, by_force=True)
        atexit.register(_at_the_end)  # the first to be registered is the last to be called


def install_in_worker() -> None:
    """Leave Ctrl+C to the process that gave the work; end at SIGTERM, and when that process ends.

    Nothing is told then, and no file is left half written.
    """
    import multiprocessing  # noqa: PLC0415  # whoever works has it already

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        _State.watch = _Watch([signal.SIGTERM], by_force=True, patience=0, silent=True)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    caller = multiprocessing.parent_process()
    if caller is not None:
        Thread(target=_end_after, args=(caller.join,), daemon=True).start()


def is_cancelled() -> bool:
    """Tell whether a signal has arrived that ends the program."""
    return _State.received is not None


@contextmanager
def noticing_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Give what tells whether a KeyboardInterrupt raised meanwhile is a person's, by Ctrl+C.

    Other people's code may raise one, too. In the program and its workers, where signals are
    answered as above, and in threads but the main one, Ctrl+C raises none.
    """
    noticed = []

    def raise_it(number: int, frame: FrameType | None) -> None:
        noticed.append(number)
        signal.default_int_handler(number, frame)

    watched = current_thread() is main_thread()
    watched = watched and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if watched:
        signal.signal(signal.SIGINT, raise_it)
    try:
        yield lambda: bool(noticed)
    finally:
        if watched and signal.getsignal(signal.SIGINT) is raise_it:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def check() -> None:
    """Raise `Cancelled` if nobody wants the result any more: a safe point of work."""
    if _State.unwanted:
        from spotlab.errors import Cancelled  # noqa: PLC0415

        raise Cancelled


def exit_code() -> int:
    """The exit code that shells expect after a signal: 130 after Ctrl+C, 143 after SIGTERM.

    Examples
    --------
    >>> exit_code()
    130
    """
    return 128 + (_State.received or signal.SIGINT)


def tell() -> None:
    """Say in one line on standard error that the program was cancelled.

    Where that ends the process, only the first call does, and nothing more is written there
    whatever threads have to say that lose their workers.
    """
    line = "spotlab: cancelled" + (f"; {_State.note}" if _State.note else "")
    _State.note = ""
    if _State.watch is None:
        print(line, file=sys.stderr)
    elif _telling.acquire(blocking=False):
        with suppress(Exception):
            start = "\n" if os.isatty(2) else ""  # below ^C, or a bar of progress
            os.write(2, f"{start}{line}\n".encode())
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        _told.set()
    else:
        _told.wait(WRITING)  # who ends the process before the other has told would silence it


def end() -> NoReturn:
    """End the process, which was cancelled and whose work has stopped."""
    tell()
    with suppress(Exception):
        sys.stdout.flush()
    with suppress(Exception):
        atexit._run_exitfuncs()
    os._exit(exit_code())  # to take all modules down takes a while, and can only go wrong


class _Undisturbed(ContextDecorator):
    """Counts what is under way that must not be left half done."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.count = 0

    def __enter__(self) -> None:
        with self.changed:
            self.count += 1

    def __exit__(self, *_: object) -> None:
        with self.changed:
            self.count -= 1
            self.changed.notify_all()


undisturbed = _Undisturbed()
"""``with undisturbed:`` or ``@undisturbed``: something short that must not end in its middle."""


@contextmanager
def letting_go(clean_up: Callable[[], object]) -> Iterator[None]:
    """Have this called if the process is ended by force meanwhile: remove a folder, end a process.

    It is called from another thread, perhaps while the same is done in this one.
    """
    _clean_ups.append(clean_up)
    try:
        yield
    finally:
        _clean_ups.remove(clean_up)


@contextmanager
def noting(note: str) -> Iterator[None]:
    """Add this to the line that tells of the cancelling, should work stop in here."""
    from spotlab.errors import Cancelled  # noqa: PLC0415
    from spotlab.representation import visible  # noqa: PLC0415

    _State.note = visible(note)
    try:
        yield
    except (Cancelled, KeyboardInterrupt):
        raise  # whoever is told of it is told the note
    except BaseException:
        _State.note = ""
        raise
    _State.note = ""


@contextmanager
def listening(listener: Callable[[], object]) -> Iterator[None]:
    """Call this at each signal, from another thread, instead of having work stop.

    For the window, which saves and closes. Signals of a process that does not answer them otherwise
    are answered only meanwhile, and it is not ended by force.
    """
    own = (
        None if _State.watch or not hasattr(os, "set_blocking") else _Watch(SIGNALS, by_force=False)
    )
    _listeners.append(listener)
    try:
        if is_cancelled():
            listener()
        yield
    finally:
        _listeners.remove(listener)
        if own:
            own.stop()


@contextmanager
def shielded() -> Iterator[None]:
    """Start a process meanwhile that gets signals only once it is ready for them.

    `install_in_worker` takes the shield away. To this process they are only late.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Watch:
    """Waits in a thread for signals, which come there even while the main thread is busy.

    Python calls handlers in the main thread between two instructions; what it writes into a pipe
    comes at once.
    """

    def __init__(
        self,
        wanted: Sequence[signal.Signals],
        by_force: bool,
        patience: float = PATIENCE,
        silent: bool = False,
    ) -> None:
        self._by_force, self._patience, self._silent = by_force, patience, silent
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        self._old_pipe = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, _leave_it) for number in wanted}
        self._thread = Thread(target=self._wait, name="spotlab-signals", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Leave signals to whoever had them before."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_pipe)
        os.close(self._writer)  # ends the thread
        self._thread.join()
        os.close(self._reader)
        _State.received = None

    def _wait(self) -> None:
        while number := self._next():
            _State.received = number
            for listener in tuple(_listeners):
                listener()
            _State.unwanted = self._by_force and not _listeners
            if self._by_force:
                second = self._patience and self._next(self._patience)
                writing = UNSEEN if self._silent else WRITING
                _end_by_force(0 if second else writing, self._silent)

    def _next(self, patience: float | None = None) -> int:
        """The next signal; 0 if none comes any more, or not in so many seconds."""
        from select import select  # noqa: PLC0415
        from time import monotonic  # noqa: PLC0415

        end = None if patience is None else monotonic() + patience
        while True:
            rest = None if end is None else max(end - monotonic(), 0)
            if not select([self._reader], [], [], rest)[0]:
                return 0
            byte = os.read(self._reader, 1)
            if not byte or byte[0] in self._handlers:
                return byte[0] if byte else 0


def _at_the_end() -> None:
    """Python takes the handlers away now, though not all that would miss them has gone."""
    if is_cancelled():
        tell()
        os._exit(exit_code())
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _leave_it(_number: int, _frame: object) -> None:
    """Leave a signal to the thread that waits for it."""


def _end_after(wait: Callable[[], object]) -> None:
    wait()
    _end_by_force(UNSEEN, silent=True)


def _end_by_force(patience: float, silent: bool) -> NoReturn:
    if not silent:
        tell()
    with undisturbed.changed:  # nobody begins anything any more
        undisturbed.changed.wait_for(lambda: not undisturbed.count, patience)
        for clean_up in tuple(_clean_ups):
            with suppress(Exception):
                clean_up()
        os._exit(exit_code())
