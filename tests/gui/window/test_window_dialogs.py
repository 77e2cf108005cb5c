"""Every dialog fits a small screen, frame included, and nothing in it is cut off there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox, QWidget

from spotlab.gui.inspect.dialogs.run_dialogs import ProblemsDialog
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.dialogs.help_viewer import HelpViewer
from spotlab.gui.window.dialogs.preferences import KeysDialog
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, sample_collection
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs
from tests.gui.window.test_window_screen import clipped

SCREEN = QRect(0, 0, 960, 540)
FRAME = QSize(2, 25)  # px that the desktop puts around a dialog
KINDS = (QDialog, KeysDialog, HelpViewer)
SOURCES = Path(__file__).resolve().parents[3] / "spotlab" / "gui"
BY_ACTION = {
    "annotate": {"Open folder", "Open pages", "Save a copy of the truth", "Export",
                 "Import truth", "Keys", "Open runs", "Spot symbols", "Measures", "Save report",
                 "Scalability", "Help – spotlab"},
    "words": {"Open ranked lists"},
    "systems": {"Open votes", "Export report"},
}  # fmt: skip


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """A window with pages, runs and votes."""
    folder = tmp_path_factory.mktemp("dialogs")
    window = windows.open_window(folder, write_collection(folder / "pages"), size=(958, 515))
    window.workbench.state(Inspection).runs.open(write_runs(folder / "runs"))
    window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
    windows.settle()
    yield window
    windows.close(window)


@pytest.fixture
def window(opened: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The window on a screen that is small."""
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: SCREEN)
    yield opened
    for dialog in dialogs():
        put_away(dialog)


def dialogs() -> list[QWidget]:
    """All that stand beside the window."""
    every = QApplication.topLevelWidgets()
    return [each for each in every if isinstance(each, KINDS) and each.isVisible()]


def put_away(dialog: QWidget) -> None:
    dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert background.wait_for_all(60)
    QApplication.processEvents()


def check(dialog: QWidget) -> str:
    """Hold a dialog against the screen; gives what it is called."""
    windows.settle()
    name = dialog.windowTitle()
    handle = dialog.windowHandle()
    frame = handle.frameMargins()
    assert SCREEN.contains(dialog.geometry().marginsAdded(frame)), name
    room = SCREEN.size() - FRAME
    least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
    assert least.boundedTo(room) == least, f"{name} needs {least}"
    if isinstance(dialog, QFileDialog | QMessageBox):
        return name  # Qt lays them out
    assert not clipped(dialog), name
    return name


@pytest.mark.slow
@pytest.mark.parametrize("workspace", BY_ACTION)
def test_each_dialog_that_an_action_opens(window: MainWindow, workspace: str) -> None:
    window.enter(workspace)
    windows.settle()
    seen = set()
    for id in window.actions_by_id.by_id:
        title = window.actions_by_id[id].text()
        if not title.endswith("…") and not id.startswith("help.") and id != "edit.keys":
            continue
        window.enter(workspace)  # some dialogs are of another one
        if not window.actions_by_id.trigger(id):
            continue
        QApplication.processEvents()
        for dialog in dialogs():
            seen.add(check(dialog))
            put_away(dialog)
    assert BY_ACTION[workspace] <= seen


def test_problems_of_a_run(window: MainWindow) -> None:
    window.enter("inspect")
    windows.settle()
    panel = window.panels["runs"]
    run = window.workbench.state(Inspection).runs[0]
    dialog = ProblemsDialog(run, panel)
    dialog.show()
    assert check(dialog) == f"Problems of {run.name}"


def test_a_question_before_a_step_over_all_pages(window: MainWindow) -> None:
    window.enter("annotate")
    label = next(iter(window.workbench.collection.counts()))
    window.workbench.collection_steps.rename(label, "a name that is quite long " * 8)
    assert background.wait_until(lambda: bool(dialogs()), 30)
    [box] = dialogs()
    assert isinstance(box, QMessageBox)
    check(box)
    box.button(QMessageBox.StandardButton.Cancel).click()


def test_no_dialog_is_made_that_may_lie_off_the_screen() -> None:
    """Each is handed to `OnScreen` where it is made."""
    made = re.compile(
        r"= (QFileDialog|QMessageBox|QInputDialog|QColorDialog)\(|^class \w+\(QDialog\)", re.M
    )
    kept = re.compile(r"^ +OnScreen\((dialog|box|self)\)$", re.M)
    files = {path: path.read_text("utf-8") for path in SOURCES.rglob("*.py")}
    counts = {path: len(made.findall(text)) for path, text in files.items()}
    assert sum(counts.values()) > 15
    assert not [path for path, text in files.items() if len(kept.findall(text)) < counts[path]]
    forgotten = re.compile(
        r"(QFileDialog|QMessageBox|QInputDialog|QColorDialog)\.(get|information|question|warn)"
    )
    assert not [path for path, text in files.items() if forgotten.search(text)]
