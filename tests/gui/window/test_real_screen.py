"""The program itself on an X server with a window manager: its frame lies on the screen."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from tests.gui.windows import write_pages

NEEDED = ("Xvfb", "openbox", "xdotool", "xwininfo", "xprop")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
PATIENCE = 90  # s
ROOT = Path(__file__).resolve().parents[3]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X windows are of Linux"),
]


@contextmanager
def running(*command: str, env: dict[str, str], **how: object) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL, **how)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def until(what: Callable[[], object]) -> object:
    """Wait until something is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("it did not come")


class Screen:
    """An X server of its own with a window manager."""

    def __init__(self, stack: ExitStack, size: tuple[int, int], folder: Path) -> None:
        self.size, self.folder, self.stack = size, folder, stack
        read, write = os.pipe()
        mode = f"{size[0]}x{size[1]}x24"
        command = ("Xvfb", "-displayfd", str(write), "-screen", "0", mode, "-nolisten", "tcp")
        stack.enter_context(running(*command, env=dict(os.environ), pass_fds=(write,)))
        os.close(write)
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"  # says so when it is ready
        self.env = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "PYTHONPATH": str(ROOT),
            "HOME": str(folder),
        }
        for name in ("CONFIG", "STATE", "CACHE", "DATA"):
            self.env[f"XDG_{name}_HOME"] = str(folder / name.lower())
        stack.enter_context(running("openbox", env=self.env))
        until(lambda: "_NET_SUPPORTING_WM_CHECK(" in self.ask("xprop", "-root"))

    def ask(self, *command: str) -> str:
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, check=False)
        return done.stdout

    @contextmanager
    def program(self, *paths: Path) -> Iterator[str]:
        """Start the program; gives its window."""
        command = (sys.executable, "-m", "spotlab", "open", *map(str, paths))
        with running(*command, env=self.env, cwd=str(self.folder)):
            search = ("xdotool", "search", "--onlyvisible", "--name", "spotlab")
            window = str(until(lambda: self.ask(*search).split()[:1])).strip("[']")
            until(lambda: "_NET_FRAME_EXTENTS(CARDINAL)" in self.ask("xprop", "-id", window))
            yield window

    def frame(self, window: str) -> QRect:
        """Where a window is, its frame included."""
        told = self.ask("xwininfo", "-id", window)
        left, top, width, height = (
            int(re.search(rf"{name}:\s+(-?\d+)", told)[1])  # type: ignore[index]
            for name in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        )
        extents = self.ask("xprop", "-id", window, "_NET_FRAME_EXTENTS").partition("=")[2]
        before, after, above, below = (int(each) for each in extents.split(","))
        return QRect(left, top, width, height).adjusted(-before, -above, after, below)

    def lies_inside(self, window: str) -> bool:
        return QRect(0, 0, *self.size).contains(self.frame(window))

    def enter(self, window: str, digit: int) -> None:
        """Press the keys of a workspace."""
        self.ask("xdotool", "windowfocus", "--sync", window)
        self.ask("xdotool", "key", "--clearmodifiers", f"ctrl+{digit}")


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_the_frame_lies_on_the_screen(size: tuple[int, int], tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages")
    with ExitStack() as stack:
        screen = Screen(stack, size, tmp_path)
        with screen.program(pages) as window:
            until(lambda: screen.lies_inside(window))
            first = screen.frame(window)
            for digit in (2, 3, 4, 1):
                screen.enter(window, digit)
                until(lambda: screen.lies_inside(window))
                assert screen.frame(window) == first
            assert first.height() > 0.9 * size[1]


def test_a_window_of_a_larger_screen_fits_a_smaller_one(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages")
    with ExitStack() as stack:
        large = Screen(stack, (1600, 1100), tmp_path)
        with large.program(pages) as window:

            def is_enlarged() -> bool:  # asked again, as the window takes its own size at first
                large.ask("xdotool", "windowsize", window, "1500", "1000")
                return large.frame(window).width() >= 1500

            until(is_enlarged)
    with ExitStack() as stack:
        small = Screen(stack, (1024, 700), tmp_path)
        with small.program(pages) as window:
            until(lambda: small.lies_inside(window))
