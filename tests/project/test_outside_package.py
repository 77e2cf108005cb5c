"""A real package of somebody else, installed, adds one thing of each kind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).parent / "outside_package"
PLANS = ROOT / "datasets" / "floorplans"
VOTES = ROOT / "datasets" / "votes" / "contest.csv"

WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from spotlab.gui.window.app import application
app = application()
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.main_window import MainWindow
from spotlab_outside_gui import Counter

settings, pages = map(Path, sys.argv[1:])
window = MainWindow(Workbench(Settings(settings)))
window.show()
QTest.qWaitForWindowExposed(window)
assert window.open_paths([pages])
background.wait_for_all(60)
canvas, actions, bench = window.canvas, window.actions_by_id, window.workbench

# the panel: brought to the front, hidden or shown from the View menu, in its workspace alone
assert window.docks.offered("notes") and window.docks.is_shown("notes")
assert "notes" in window.panels["notes"].text().lower()
if not window.docks.is_in_front("notes"):  # little room: panels share a place as tabs
    assert actions.trigger("view.notes") and window.docks.is_in_front("notes")
assert actions.trigger("view.notes") and not window.docks.is_shown("notes")
assert actions.trigger("view.notes") and window.docks.is_in_front("notes")

# the tool: a real click draws
assert actions.trigger("tool.dot")
before = len(bench.document)
QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.rect().center())
assert len(bench.document) == before + 1

# the layer: painted, with its colour on the page's corner
canvas.grab()
assert canvas.layers["corner"].painted

# the workspace: its panel, layer, action and undo stack
assert actions.trigger("workspace.count") and bench.workspace == "count"
assert not window.docks.offered("notes") and window.docks.is_shown("number")
counter = bench.state(Counter)
QTest.keyClick(
    canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier,
)
assert counter.number == 1 and window.panels["number"].text() == "1"
canvas.grab()
assert canvas.layers["count"].painted
assert actions["edit.undo"].text() == "&Undo Count"
assert actions.trigger("edit.undo") and counter.number == 0
assert actions["edit.redo"].isEnabled() and not actions["edit.undo"].isEnabled()
assert actions.trigger("edit.redo") and counter.number == 1
assert len(bench.document) == before + 1  # the page's own steps are another stack
assert actions.trigger("workspace.annotate")
assert actions.trigger("edit.undo") and len(bench.document) == before
window.close()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the package is installed in, as pip installs it."""
    folder = tmp_path_factory.mktemp("outside")
    shutil.copytree(SOURCE, folder / "source")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-index", "--no-deps", "--no-build-isolation", "--target", str(folder / "site")]
    done = subprocess.run(
        [*command, str(folder / "source")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


def run(site: Path, *command: str) -> str:
    """What a command prints that knows the installed package."""
    path = os.pathsep.join([str(site), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "left out" not in done.stderr, done.stderr
    return done.stdout


def test_a_measure_and_a_report_section(site: Path, tmp_path: Path) -> None:
    runs = sorted((PLANS / "runs").glob("*.csv"))[:1]
    command = ("evaluate", "--truth", str(PLANS), "--run", str(runs[0]), "--json", "-")
    out = run(site, "-m", "spotlab", *command, "--out", str(tmp_path / "report"))
    [evaluated] = json.loads(out)["runs"]
    assert evaluated["pooled"]["miss_rate"] == pytest.approx(
        100 - evaluated["pooled"]["recognition_rate"]
    )
    assert len(evaluated["intervals"]["queries"]["miss_rate"]) == 2
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert "<h2>Greetings of 1 runs</h2>" in page and "Miss rate" in page


def test_a_format(site: Path, tmp_path: Path) -> None:
    plan = PLANS / "plan_001.xml"
    run(site, "-m", "spotlab", "convert", str(plan), str(tmp_path / "plan.boxes"), "--to", "boxes")
    assert json.loads((tmp_path / "plan.boxes").read_text())["boxes"]
    back = str(tmp_path / "back.json")
    run(site, "-m", "spotlab", "convert", str(tmp_path / "plan.boxes"), back, "--to", "coco")
    assert json.loads(Path(back).read_text())["annotations"]


def test_a_fusion(site: Path, tmp_path: Path) -> None:
    for name, scores in (("one", "a,0.9\nb,0.2"), ("two", "a,0.1\nb,0.7")):
        rows = [f"q,{line}" for line in scores.split("\n")]
        (tmp_path / f"{name}.csv").write_text("\n".join(["query,item,score", *rows]) + "\n")
    lists = (str(tmp_path / "one.csv"), str(tmp_path / "two.csv"))
    out = tmp_path / "fused"
    run(site, "-m", "spotlab", "rerank", *lists, "--fusion", "best_of_lists", "--out", str(out))
    written = "".join(file.read_text("utf-8") for file in out.rglob("*.csv"))
    assert "0.9" in written and "0.7" in written


def test_a_descriptor(site: Path, tmp_path: Path) -> None:
    plan = shutil.copy(PLANS / "plan_001.png", tmp_path)
    shutil.copy(PLANS / "plan_001.xml", tmp_path)
    out = tmp_path / "spots.csv"
    options = ("--query", "toilet", "--method", "elongation")
    cache = ("--cache", str(tmp_path / "cache"))
    command = ("spot", "symbols", "--pages", str(plan), *options, *cache, "--out", str(out))
    run(site, "-m", "spotlab", *command)
    assert "\nquery,page,rank,score,points" in out.read_text()


def test_a_consensus_method(site: Path) -> None:
    out = run(site, "-m", "spotlab", "consensus", str(VOTES), "--json", "-")
    assert "two_thirds" in out


def test_a_tool_a_panel_a_layer_and_a_workspace(site: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for name in ("plan_001.png", "plan_001.xml"):
        shutil.copy(PLANS / name, pages)
    run(site, "-c", WINDOW, str(tmp_path / "settings.json"), str(pages))
