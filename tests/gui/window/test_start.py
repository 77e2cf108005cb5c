"""What the start of the window loads, and what it has to leave until it is used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOT_AT_START = {
    "asyncio",
    "cv2",
    "dask",
    "distributed",
    "jinja2",
    "llvmlite",
    "matplotlib",
    "numba",
    "pandas",
    "pyarrow",
    "pypdfium2",
    "pyqtgraph",
    "qtawesome",
    "qtpy",
    "rapidfuzz",
    "scipy",
    "shapely",
    "ssl",
    "unittest",
}  # nothing of this is needed before a page is opened, or never
OWN_NOT_AT_START = {
    "spotlab.gui.annotate.panels",
    "spotlab.gui.annotate.similar.proposals",
    "spotlab.gui.annotate.tools",
    "spotlab.gui.inspect.panels",
    "spotlab.gui.inspect.state.inspection",
    "spotlab.gui.systems.state",
    "spotlab.gui.words.state",
    "spotlab.gui.window.dialogs.export_dialog",
    "spotlab.gui.window.dialogs.help_viewer",
    "spotlab.learning",
    "spotlab.measures",
    "spotlab.ranking",
    "spotlab.spotting",
    "spotlab.studies",
    "spotlab.uncertain_truth",
}  # of spotlab itself: workspaces are made when they are entered or needed
START = """
import sys
from PySide6.QtCore import QTimer
from spotlab.gui.window import app
from spotlab.gui.kit.settings import STARTED
from spotlab.gui.kit.settings import Settings

settings = Settings()
settings.set(STARTED, True)
settings.flush()  # else the sample is opened
window = app.application()
QTimer.singleShot(0, window.quit)  # at the first idle
assert app.run([]) == 0
print(*sys.modules)
"""


@pytest.mark.slow
def test_what_nobody_has_asked_for_is_not_loaded(tmp_path: Path) -> None:
    homes = {f"XDG_{name}_HOME": str(tmp_path) for name in ("CONFIG", "STATE", "CACHE", "DATA")}
    command = [sys.executable, "-c", START]
    started = subprocess.run(
        command, check=True, env=os.environ | homes, stdout=subprocess.PIPE, text=True
    )
    modules = set(started.stdout.split())
    loaded = {name.partition(".")[0] for name in modules}
    assert {"PySide6", "spotlab", "numpy"} <= loaded
    assert not loaded & NOT_AT_START
    assert not modules & OWN_NOT_AT_START
