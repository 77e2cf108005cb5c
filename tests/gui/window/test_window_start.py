"""The program from its start to its end, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

CHILD = """
import os, signal
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from spotlab.gui.window import app
from spotlab.gui.window.main_window import MainWindow

failed = []

def look():
    # once the pages are there, something fails; the end comes when that is told
    every = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
    if not every or not every[0].workbench.entries:
        return
    [window] = every
    if window.banner.kind == "error":
        timer.stop()
        print(window.isVisible(), len(window.workbench.entries), window.banner.kind, flush=True)
        os.kill(os.getpid(), signal.SIGINT)
    elif not failed:
        failed.append(True)
        raise RuntimeError("the moon is full")

app.application()
timer = QTimer(interval=50)
timer.timeout.connect(look)
timer.start()
print("code", app.run([]), flush=True)
"""


def start() -> tuple[list[str], str]:
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", CHILD], env=surroundings, capture_output=True, text=True,
        timeout=300, check=True,
    )  # fmt: skip
    return ended.stdout.splitlines(), ended.stderr


def test_the_first_start_shows_the_sample_and_survives_a_mishap() -> None:
    lines, errors = start()
    assert lines == ["True 12 error", "code 0"]
    assert "the moon is full" in errors and "Traceback" in errors
    lines, _ = start()  # who was here before goes on there
    assert lines == ["True 12 error", "code 0"]
