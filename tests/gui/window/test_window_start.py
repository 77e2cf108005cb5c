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

def fail():
    raise RuntimeError("the moon is full")

def look():
    [window] = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
    print(window.isVisible(), len(window.workbench.entries), window.banner.kind, flush=True)
    os.kill(os.getpid(), signal.SIGINT)

app.application()
QTimer.singleShot(1000, fail)
QTimer.singleShot(1500, look)
print("code", app.run([]), flush=True)
"""


def start() -> tuple[list[str], str]:
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", CHILD], env=surroundings, capture_output=True, text=True,
        timeout=50, check=True,
    )  # fmt: skip
    return ended.stdout.splitlines(), ended.stderr


def test_the_first_start_shows_the_sample_and_survives_a_mishap() -> None:
    lines, errors = start()
    assert lines == ["True 12 error", "code 0"]
    assert "the moon is full" in errors and "Traceback" in errors
    lines, _ = start()  # who was here before goes on there
    assert lines == ["True 12 error", "code 0"]
