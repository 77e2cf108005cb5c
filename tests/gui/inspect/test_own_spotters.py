"""A spotter of one's own is started from the window; its output is the run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.dialogs.spotter_dialogs import OwnSpottersDialog
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.spotting import OwnSpotters
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection

LEFT = Qt.MouseButton.LeftButton
SCRIPT = """
import pathlib, sys, time
pages, out, wanted = sys.argv[1:4]
images = sorted(pathlib.Path(pages).glob("*.png"))
rows = []
for number, image in enumerate(images, 1):
    print(f"{number}/{len(images)}", flush=True)
    rows.append(f'sofa,{image.stem},{number},0.{9 - number},"40,40 100,40 100,90 40,90"')
if wanted == "wait":
    time.sleep(60)
if wanted == "fail":
    sys.exit("out of memory")
rows = ["query,page,rank,score,points", *rows[:int(wanted)], ""]
pathlib.Path(out).write_text(chr(10).join(rows))
"""


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    (tmp_path / "spotter.py").write_text(SCRIPT)
    window = windows.open_window(tmp_path, write_collection(tmp_path / "my pages"))
    yield window
    windows.close(window)


def command(tmp_path: Path, wanted: str) -> str:
    return f"'{sys.executable}' '{tmp_path / 'spotter.py'}' {{pages}} {{out}} {wanted}"


def fill(dialog: OwnSpottersDialog, name: str, line: str) -> None:
    for field, text in ((dialog.name, name), (dialog.command, line)):
        field.selectAll()
        QTest.keyClicks(field, text)


def ended(workbench: Workbench) -> None:
    assert background.wait_until(lambda: not workbench.state(OwnSpotters).busy, 30)
    windows.settle()


def test_it_makes_a_run_that_is_run_again_and_compared(window: MainWindow, tmp_path: Path) -> None:
    workbench = window.workbench
    dialog = OwnSpottersDialog(workbench, window)
    dialog.show()
    assert not dialog.run.isEnabled()
    fill(dialog, "mine", command(tmp_path, "1"))
    assert dialog.run.isEnabled() and not dialog.problem.isVisible()
    QTest.mouseClick(dialog.run, LEFT)
    assert workbench.state(OwnSpotters).busy and dialog.cancel.isEnabled()
    ended(workbench)
    runs = workbench.state(Inspection).runs
    assert [run.name for run in runs] == ["mine"] and len(runs[0].run) == 1
    assert runs[0].run.provenance["made by"] == "mine"
    assert "2/2" in dialog.output.toPlainText() and "runs/mine.csv" in dialog.output.toPlainText()
    fill(dialog, "mine", command(tmp_path, "2"))
    QTest.mouseClick(dialog.run, LEFT)
    ended(workbench)
    assert background.wait_until(lambda: len(runs[0].run) == 2, 10)
    assert len(runs) == 1 and runs[0].changes[-1].whole.added == 1
    dialog.close()


def test_what_fails_is_said_and_the_spotter_is_remembered(
    window: MainWindow, tmp_path: Path
) -> None:
    workbench = window.workbench
    dialog = OwnSpottersDialog(workbench, window)
    dialog.show()
    fill(dialog, "mine", command(tmp_path, "fail"))
    QTest.mouseClick(dialog.run, LEFT)
    ended(workbench)
    text = dialog.output.toPlainText()
    assert "out of memory" in text and "ended with exit code 1" in text
    assert "exit code 1: out of memory" in window.banner.text.text()
    assert not workbench.state(Inspection).runs and dialog.run.isEnabled()
    dialog.close()
    assert workbench.settings.flush()
    again = Workbench(Settings(tmp_path / "settings.json"))
    assert again.state(OwnSpotters).known["mine"].command == command(tmp_path, "fail")
    other = OwnSpottersDialog(workbench, window)
    assert other.which.value == "mine" and other.name.text() == "mine"
    QTest.mouseClick(other.remove, LEFT)
    assert workbench.state(OwnSpotters).known == {} and other.which.values == ("",)
    other.close()


def test_it_is_cancelled_from_the_window(window: MainWindow, tmp_path: Path) -> None:
    workbench = window.workbench
    dialog = OwnSpottersDialog(workbench, window)
    dialog.show()
    fill(dialog, "mine", command(tmp_path, "wait"))
    QTest.mouseClick(dialog.run, LEFT)
    assert background.wait_until(window.status.cancel.isVisible)
    assert background.wait_until(lambda: "2/2" in dialog.output.toPlainText())
    QTest.mouseClick(window.status.cancel, LEFT)
    ended(workbench)
    assert "Cancelled." in dialog.output.toPlainText()
    assert list((tmp_path / "my pages" / "runs").iterdir()) == []
    dialog.close()


def test_a_line_that_cannot_work_is_explained_before_it_is_run(window: MainWindow) -> None:
    dialog = OwnSpottersDialog(window.workbench, window)
    dialog.show()
    fill(dialog, "mine", "spot {pages}")
    assert "lacks {out}" in dialog.problem.text() and not dialog.run.isEnabled()
    fill(dialog, "a/b", "spot {out}")
    assert "name" in dialog.problem.text() and not dialog.run.isEnabled()
    dialog.close()
