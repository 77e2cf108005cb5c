"""No point of a stroke is lost while the window is busy, on a real X server: Qt can merge moves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

BUSY = """
import json, os, sys, time
from pathlib import Path
import numpy as np
from PySide6.QtCore import QTimer
from spotlab.gui.window.app import application
app = application()
from spotlab.gui.annotate.tools.sketch import SketchStroke
from tests.gui import gestures
canvas = gestures.open_page(Path(sys.argv[1]), np.full((500, 700), 255, np.uint8), size=(700, 500))
canvas.move(0, 0)
canvas.raise_()
canvas.activateWindow()
app.processEvents()
drop, points = SketchStroke.drop, []
def keep(stroke, pointer):
    points.extend(stroke.points)
    drop(stroke, pointer)
SketchStroke.drop = keep
busy = QTimer(interval=0)
busy.timeout.connect(lambda: time.sleep(0.15))  # moves wait for it
busy.start()
place = canvas.mapToGlobal(canvas.rect().topLeft())
print(json.dumps({"at": [place.x(), place.y()]}), flush=True)
def look():
    if points:
        print(json.dumps({"points": len(points)}), flush=True)
        os._exit(0)
end = QTimer(interval=20)
end.timeout.connect(look)
end.start()
QTimer.singleShot(60_000, lambda: os._exit(3))
app.exec()
"""


@pytest.fixture
def display(tmp_path: Path):
    """An X server of its own."""
    if not (shutil.which("Xvfb") and shutil.which("xdotool")):
        pytest.skip("no X server to draw on, or no hand: Xvfb and xdotool are needed")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "900x700x24", "-nolisten", "tcp"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    if not number:
        pytest.skip("the X server did not start")
    yield f":{number}"
    server.terminate()
    server.wait(30)


@pytest.mark.slow
def test_a_stroke_keeps_every_point_in_a_busy_window(display: str, tmp_path: Path) -> None:
    environment = {
        **os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb",
        "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }  # fmt: skip
    (tmp_path / "pages").mkdir()
    window = subprocess.Popen(
        [sys.executable, "-c", BUSY, str(tmp_path / "pages")],
        env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert window.stdout is not None
    left, top = json.loads(window.stdout.readline())["at"]
    time.sleep(1)
    angles = np.linspace(0, 2 * np.pi, 80)
    places = [(left + 350 + 200 * np.cos(a), top + 250 + 150 * np.sin(a)) for a in angles]
    commands = [f"mousemove {places[0][0]:.0f} {places[0][1]:.0f}", "mousedown 1"]
    commands += [f"mousemove {x:.0f} {y:.0f}" for x, y in places[1:]]
    commands += ["mouseup 1"]
    hand = "\n".join(commands) + "\n"
    subprocess.run(["xdotool", "-"], check=True, input=hand, env=environment, text=True)
    said, _ = window.communicate(timeout=120)
    assert json.loads(said)["points"] >= 79
