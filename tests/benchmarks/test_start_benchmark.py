"""CPU time from the start of Python to the window's first idle, beside its libraries alone."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

TRIES = 5
LIBRARIES = """
import PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets as widgets, pyqtgraph

app = widgets.QApplication([])
window = widgets.QMainWindow()
window.setCentralWidget(pyqtgraph.PlotWidget())
window.resize(1440, 900)
window.show()
PySide6.QtCore.QTimer.singleShot(0, app.quit)
app.exec()
"""
SPOTLAB = """
from PySide6.QtCore import QTimer
from spotlab.gui.window import app
from spotlab.gui.kit.settings import STARTED
from spotlab.gui.kit.settings import Settings

settings = Settings()
settings.set(STARTED, True)
settings.flush()
QTimer.singleShot(0, app.application().quit)
app.run([])
"""
FURTHER = """
import statistics, sys, tempfile, time
from pathlib import Path
from tests.gui import windows
from spotlab.gui.window import app

app.application()
taken = []
for number in range(12):
    before = time.process_time()
    window = windows.open_window(Path(tempfile.mkdtemp()))
    taken.append(time.process_time() - before)
    windows.close(window)
print(statistics.median(taken[2:]))
"""


def cpu_seconds(code: str, home: Path) -> float:
    """CPU time of a process that runs the code, user's and system's."""
    homes = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "STATE", "CACHE", "DATA")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, env=os.environ | homes, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_further_window(benchmark: Any, tmp_path: Path) -> None:
    """What most tests of the window pay, in a process that has had one."""

    def median() -> float:
        homes = {f"XDG_{name}_HOME": str(tmp_path) for name in ("CONFIG", "STATE", "CACHE", "DATA")}
        command = [sys.executable, "-c", FURTHER]
        ran = subprocess.run(
            command, check=True, env=os.environ | homes, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        return float(ran.stdout)

    benchmark.extra_info["a window, CPU ms"] = round(1000 * benchmark.pedantic(median, rounds=1))


def test_start_of_the_window(benchmark: Any, tmp_path: Path) -> None:
    cpu_seconds(SPOTLAB, tmp_path)  # compiles what is not compiled yet
    pairs = [
        (cpu_seconds(LIBRARIES, tmp_path), cpu_seconds(SPOTLAB, tmp_path)) for _ in range(TRIES)
    ]
    libraries, spotlab = (statistics.median(times) for times in zip(*pairs, strict=True))
    benchmark.extra_info["libraries, CPU ms"] = round(1000 * libraries)
    benchmark.extra_info["spotlab, CPU ms"] = round(1000 * spotlab)
    benchmark.extra_info["ratio"] = f"{spotlab / libraries:.2f}"
    benchmark.pedantic(cpu_seconds, (SPOTLAB, tmp_path), rounds=1)
