"""Records and delays calls to the file system, for tests that nothing waits for it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

NAMES = (
    "access", "chmod", "link", "listdir", "lstat", "mkdir", "open", "readlink", "remove", "rename",
    "replace", "rmdir", "scandir", "stat", "statvfs", "symlink", "truncate", "unlink", "utime",
)  # fmt: skip
HANDLE_NAMES = ("fdatasync", "fstat", "fsync", "ftruncate", "pwrite", "read", "write")
_active: list[FileCalls] = []


@dataclass(frozen=True)
class FileCall:
    """A call for a path of the user's.

    Attributes
    ----------
    name : str
        The function's, as in `os`.
    path : str
    on_window : bool
        It was called in the window's thread.
    stack : str
        Where from, the innermost functions of spotlab.
    """

    name: str
    path: str
    on_window: bool
    stack: str

    def __str__(self) -> str:
        return f"{self.name} {self.path}\n{self.stack}"


class FileCalls:
    """The calls for paths in some folders.

    Parameters
    ----------
    folders : Path
        Everything below them is recorded.
    delay : float
        Seconds that each call takes longer, in any thread.
    answer : callable, optional
        Called with the name and the path before each call; it may raise or wait.
    """

    def __init__(
        self,
        *folders: Path,
        delay: float = 0.0,
        answer: Callable[[str, str], object] | None = None,
    ) -> None:
        self.calls: list[FileCall] = []
        self.delay = delay
        self.answer = answer
        self._folders = tuple(os.path.abspath(folder) for folder in folders)
        self._inside = threading.local()

    @property
    def on_window(self) -> list[FileCall]:
        """The calls that the window waited for."""
        return [call for call in self.calls if call.on_window]

    def note(self, name: str, path: object) -> None:
        """Record the call if it is for a path of the user's."""
        if getattr(self._inside, "path", None):
            return  # `os.stat` within this
        text = self._text(path)
        if not text.startswith(self._folders):
            return
        on_window = threading.current_thread() is threading.main_thread()
        self.calls.append(FileCall(name, text, on_window, _stack() if on_window else ""))
        if self.answer:
            self.answer(name, text)
        if self.delay:
            time.sleep(self.delay)

    def _text(self, path: object) -> str:
        if isinstance(path, int):
            self._inside.path = True
            try:
                return _readlink(f"/proc/self/fd/{path}")
            except OSError:
                return ""
            finally:
                self._inside.path = False
        if isinstance(path, (str, bytes, os.PathLike)):
            text = os.fsdecode(path)
            return text if os.path.isabs(text) else os.path.join(_cwd, text)
        return ""


_cwd, _readlink = os.getcwd(), os.readlink


@contextlib.contextmanager
def recorded(calls: FileCalls) -> Iterator[FileCalls]:
    """Record calls while the block runs."""
    _listen()
    with pytest.MonkeyPatch.context() as patch:
        for name in NAMES + HANDLE_NAMES:
            if hasattr(os, name):
                patch.setattr(os, name, partial(_call, name, getattr(os, name)))
        _active.append(calls)
        try:
            yield calls
        finally:
            _active.remove(calls)


def _call(name: str, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    if args and name != "open":  # which the audit hook hears of
        for calls in tuple(_active):
            calls.note(name, args[0])
    return function(*args, **named)


def _listen() -> None:
    """Hear of files that are opened, by whatever; nothing can take such a hook back."""
    if not getattr(sys, "_spotlab_listens", False):
        sys._spotlab_listens = True  # type: ignore[attr-defined]
        sys.addaudithook(_hear)


def _hear(event: str, args: tuple[Any, ...]) -> None:
    if _active and event in ("open", "fcntl.flock", "fcntl.lockf"):
        for calls in tuple(_active):
            calls.note(event, args[0])


def _stack() -> str:
    frames = [frame for frame in traceback.extract_stack() if "spotlab/" in frame.filename]
    own = [frame for frame in frames if not frame.filename.endswith("file_calls.py")]
    lines = [f"  {frame.filename.rpartition('spotlab/')[2]}:{frame.lineno} {frame.name}"
             for frame in own[-7:]]  # fmt: skip
    return "\n".join(lines)
