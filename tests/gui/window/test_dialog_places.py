"""Every dialog opens over its window, on the monitor that the window is on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.pages.offers import Question
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.dialogs import file_dialogs
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, sample_collection
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs
from tests.gui.window.test_window_dialogs import BY_ACTION, dialogs, put_away

pytestmark = pytest.mark.slow

SCREENS = {"left": (0, 0, 1920, 1080), "right": (1920, 100, 1440, 900)}

NEAR = 30  # px, for the title bar, which counts on one side only


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Where the dialogs of a window on the right one of two monitors come; another process."""
    folder = tmp_path_factory.mktemp("places")
    screens = [
        {"name": name, "x": x, "y": y, "width": width, "height": height, "logicalDpi": 96,
         "logicalBaseDpi": 96, "dpr": 1}
        for name, (x, y, width, height) in SCREENS.items()
    ]  # fmt: skip
    config = folder / "screens.json"
    config.write_text(
        json.dumps({"synchronousWindowSystemEvents": True, "windowFrameMargins": True,
                    "screens": screens}),
        "utf-8",
    )  # fmt: skip
    homes = {
        f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "STATE", "CACHE", "DATA")
    }
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(folder)],
        check=False,
        env=os.environ | homes | {"QT_QPA_PLATFORM": f"offscreen:configfile={config}"},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_dialog_is_centred_over_its_window(places: list[dict[str, Any]]) -> None:
    wanted = set().union(*BY_ACTION.values()) | {"spotlab", "shown again"}
    assert wanted <= {place["title"] for place in places}
    for place in places:
        dialog, window = QRect(*place["frame"]), QRect(*place["window"])
        away = dialog.center() - window.center()
        assert abs(away.x()) <= NEAR and abs(away.y()) <= NEAR, place


def test_every_dialog_is_on_the_monitor_of_its_window(places: list[dict[str, Any]]) -> None:
    for place in places:
        screen = QRect(*SCREENS[place["screen"]])
        assert screen.contains(QRect(*place["frame"])), place
    assert {place["screen"] for place in places} == {"left", "right"}


def _note(window: MainWindow, seen: list[dict[str, Any]], title: str = "") -> None:
    """Remember where each dialog lies, and close it."""
    windows.settle()
    for dialog in dialogs():
        seen.append(
            {
                "title": title or dialog.windowTitle(),
                "frame": dialog.frameGeometry().getRect(),
                "window": window.frameGeometry().getRect(),
                "screen": window.screen().name(),
            }
        )
        put_away(dialog)


def _open_every_dialog(window: MainWindow, seen: list[dict[str, Any]]) -> None:
    opened: set[str] = set()
    for workspace in window.workspaces:
        for id in window.actions_by_id.by_id:
            title = window.actions_by_id[id].text()
            if not title.endswith("…") and not id.startswith("help.") and id != "edit.keys":
                continue
            window.enter(workspace)
            if id not in opened and window.actions_by_id.trigger(id):
                opened.add(id)
                _note(window, seen)
    file_dialogs.ask(Question("Rename on 3 pages?", "", (), "Rename"), lambda: None, window)
    _note(window, seen)


def main(folder: Path) -> None:
    """Print where dialogs come."""
    app = QApplication(sys.argv[:1])
    window = windows.open_window(folder, write_collection(folder / "pages"), size=None)
    window.workbench.state(Inspection).runs.open(write_runs(folder / "runs"))
    window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
    windows.settle()
    seen: list[dict[str, Any]] = []
    left, right = app.screens()
    window.setGeometry(2100, 200, 1000, 640)
    assert window.screen() is right
    _open_every_dialog(window, seen)
    window.setGeometry(500, 300, 1000, 640)  # the windows that were open before follow
    assert window.screen() is left
    window.show_keys()
    _note(window, seen, "shown again")
    window.show_help("index")
    _note(window, seen, "shown again")
    print(json.dumps(seen), flush=True)
    windows.close(window)
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
