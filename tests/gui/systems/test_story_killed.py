"""Somebody compares systems, is killed, and finds votes, weights, answers and queries again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.gui.window.headless import QUERY
from spotlab.gui.window.session import FILE
from tests.gui.systems.voted import SYSTEMS, table
from tests.gui.windows import close, open_window, settle

# What a user does, in a process of its own, until it is killed
CHILD = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
app = QApplication([])
from spotlab.gui.kit import background
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.ranking.ranking import WeightsPanel
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.gui.window.headless import open_subjects
from tests.gui import windows
folder = Path(sys.argv[1])
window = windows.open_window(folder)
window.enter("systems")
systems = window.workbench.state(Systems)
systems.open([folder / "votes.csv"])
windows.settle()
open_subjects(window, folder)
windows.settle()
window.above["systems"].setCurrentIndex(0)
window.workbench.state(Subjects).choose("colour", "kitchen")
window.workbench.state(Subjects).set_shift(1.0)
windows.settle()
slider = window.panel(WeightsPanel).rows["b1"].slider
slider.setFocus()
QTest.keyClick(slider, Qt.Key.Key_Home)
window.above["systems"].figures.advice.answer.click()
truth = window.workbench.state(PartialTruth)
for key in (Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_U):
    assert background.wait_until(lambda: truth.current is not None)
    print(truth.current.item)
    QTest.keyClick(window.windowHandle(), key)
windows.settle()
centre = window.above["systems"]
header = centre.figures.table.head.horizontalHeader()
place = header.sectionViewportPosition(2) + 5
QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, 8))
tabs = centre.tabBar()
QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
centre.votes.order_by("unlikely")
print([centre.figures.table.model.key(row) for row in range(4)], file=sys.stderr)
systems.choose_system(2)
systems.choose_item(17)
kept = window.session.path
assert background.wait_until(lambda: kept.exists() and "item 17" in kept.read_text())
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_after_a_kill_everything_is_back(qapp: QApplication, tmp_path: Path) -> None:
    rows = table(60).votes.dense().astype(int)
    lines = [f"item {number}," + ",".join(map(str, row)) for number, row in enumerate(rows)]
    (tmp_path / "votes.csv").write_text("\n".join([",".join(("item", *SYSTEMS)), *lines]) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path)],
        cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr[-2000:]
    said = [int(line) for line in done.stdout.split()]
    window = open_window(tmp_path)
    window.session.reopen()
    settle()
    systems, subjects = (window.workbench.state(kind) for kind in (Systems, Subjects))
    assert window.workbench.workspace == "systems" and systems.names == SYSTEMS
    assert systems.weights["b1"] == 0 and systems.weights["a1"] == 1
    assert systems.method == "weights" and (systems.system, systems.item) == (2, 17)
    centre = window.above["systems"]
    assert isinstance(centre, SystemsCentre)
    ranked = centre.figures.table
    assert centre.tabText(centre.currentIndex()) == "Votes"
    assert centre.votes.wanted.by == "unlikely"
    sorted_by = ranked.model.figures[ranked.model.column].name
    assert sorted_by == "recall" and ranked.model.falling
    order = [ranked.model.key(row) for row in range(4)]
    assert str(order) == done.stderr.strip().splitlines()[-1]
    truth = window.workbench.state(PartialTruth)
    assert [(item, each.relevant) for item, each in truth.said.items()] == [
        (said[0], True), (said[1], False), (said[2], None),
    ]  # fmt: skip
    assert (subjects.system, subjects.query) == ("colour", QUERY)
    assert subjects.settings.shift == 1 and subjects.answer is not None
    systems.close()
    subjects.close()
    window.session.keep()
    assert not (tmp_path / FILE).exists()  # nothing is open: the next start begins anew
    close(window)


def test_votes_that_are_gone_are_named(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("item,a,b\none,1,0\ntwo,1,1\n")
    window = open_window(tmp_path)
    window.enter("systems")
    window.workbench.state(Systems).open([tmp_path / "votes.csv"])
    settle()
    window.session.keep()
    close(window)
    (tmp_path / "votes.csv").unlink()
    window = open_window(tmp_path)
    lines: list[str] = []
    window.workbench.said.connect(lambda line, _: lines.append(line))
    window.session.reopen()
    settle()
    assert any("votes.csv" in line for line in lines)
    assert window.workbench.state(Systems).table is None
    close(window)
