"""Two programs change a file at once, are killed and refused: what was said to be safe is there."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.formats.shared_window import KINDS, LOCK


@pytest.mark.skipif(sys.platform != "linux", reason="files change places at once on Linux only")
@pytest.mark.parametrize(
    ("kind", "edits"),
    [("labels", 40), *(pytest.param(kind, 600, marks=pytest.mark.slow) for kind in KINDS)],
)
def test_windows_that_are_killed_and_refused_lose_nothing(
    tmp_path: Path, kind: str, edits: int
) -> None:
    path = tmp_path / "plans" / KINDS[kind].file_name
    path.parent.mkdir()
    dice = random.Random(7)
    windows = [_Window(kind, path) for _ in range(2)]
    safe: set[str] = set()
    for number in range(edits // 2):
        for own, window in enumerate(windows):  # both write at once
            locks = kind == "lock" and number == edits // 4 and own
            window.tell(LOCK if locks else f"name {number} of {own}")
        killed = dice.randrange(2) if dice.random() < 0.1 else None
        if dice.random() < 0.2:
            _refuse(path, dice)
        for own, window in enumerate(windows):
            if own == killed:
                safe |= window.kill(dice.random() * 0.01)
                windows[own] = _Window(kind, path)
            else:
                safe.add(window.answer())
    for window in windows:
        safe |= window.end()
    safe.discard("")
    assert len(safe) > edits * 0.8
    last = KINDS[kind].open(path)
    last.take_over()
    last.write()
    again = KINDS[kind].open(path)
    again.take_over()
    assert safe <= set(KINDS[kind].names(again.value))
    assert kind != "lock" or LOCK in safe
    assert not list((Path(os.environ["XDG_STATE_HOME"]) / "spotlab" / "unsaved").glob("*.json"))


def _refuse(path: Path, dice: random.Random) -> None:
    """Let writing fail for a moment: a folder stands where the file was.

    The two change places at once: were the file away before the folder is there, a window would
    begin a new one, and one of the two files would be lost.
    """
    folder = path.parent / "folder"
    folder.mkdir()
    if _exchange(path, folder):
        time.sleep(dice.random() * 0.02)
        assert _exchange(path, folder)
    folder.rmdir()


def _exchange(one: Path, other: Path) -> bool:
    """Let two names change places in one step; False where one of them is missing."""
    exchange, here = 2, -100  # of Linux: RENAME_EXCHANGE, AT_FDCWD
    rename = ctypes.CDLL(None).renameat2
    return rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0


class _Window:
    """Another program that has the file open."""

    def __init__(self, kind: str, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.formats.shared_window", kind, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None and self._process.stdin is not None
        self._process.stdout.readline()

    def tell(self, name: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        """Wait for the last name; empty if it is not safe."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def kill(self, after: float) -> set[str]:
        time.sleep(after)
        self._process.send_signal(signal.SIGKILL)
        return self.end()

    def end(self) -> set[str]:
        """End it; gives what it said was safe."""
        out, _ = self._process.communicate(timeout=120)
        return set(out.splitlines())
