"""Somebody goes on where they left off: after quitting, after a kill, and on another computer."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.formats.rows.json_values import to_builtins
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import Relation
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.window.session import FILE
from spotlab.gui.workspace import PathTexts, View, read_view
from tests.gui import gestures
from tests.gui.inspect.inspecting import write_collection, write_runs
from tests.gui.windows import close, open_window, settle

# A process in which a user works, and how it ends
CHILD = """
import os, signal, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.gui.window import test_story_left_off as story
import msgspec
window = story.work(Path(sys.argv[1]))
print(msgspec.json.encode(story.looked_at(window)).decode(), flush=True)
if sys.argv[2] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
window.close()
"""


def work(folder: Path) -> MainWindow:
    """What a user does; the last change is written."""
    window = open_window(folder, folder / "pages")
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([folder / "found" / "partly.csv", folder / "found" / "all.csv"])
    settle()
    inspection.runs.choose(0)
    inspection.runs.show(1, False)
    window.workbench.open_page(1)
    settle()
    canvas = window.canvas
    for _ in range(4):
        gestures.wheel(canvas, canvas.view.to_view(100, 90))
    inspection.choose_query("sofa")
    window.panel(CurvesPanel).cut.slider.setValue(2)
    inspection.cuts.relate(Relation.RECALL)
    window.workbench.state(ComparisonState).choose(inspection.runs[1])
    inspection.choose_spot(0, go=False)
    QTest.keyClicks(window.panel(PagesPanel).box, "page_2")
    QTest.keyClick(window.panel(PagesPanel).box, Qt.Key.Key_Return)
    window.workbench.shown.set_only(True)
    settle()
    QTest.qWait(700)
    return window


def work_and_end(folder: Path, end: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), end],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == (-signal.SIGKILL if end == "kill" else 0), done.stderr
    left: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return left


def collection(folder: Path) -> Path:
    write_collection(folder / "pages")
    write_runs(folder / "found")
    return folder


def looked_at(window: MainWindow) -> dict[str, object]:
    found: dict[str, object] = to_builtins(window.session.view(PathTexts()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("end", ["quit", "kill"])
def test_the_next_start_goes_on_there(qapp: QApplication, tmp_path: Path, end: str) -> None:
    left = work_and_end(collection(tmp_path), end)
    window = open_window(tmp_path)
    window.session.reopen()
    settle()
    settle()
    found = looked_at(window)
    place, was = found.pop("place"), left.pop("place")
    assert found == left
    assert list(place.values()) == pytest.approx(list(was.values()), abs=1)
    inspection = window.workbench.state(Inspection)
    assert window.workbench.workspace == "inspect"
    assert window.workbench.entry.name == "page_2"
    assert [(run.name, run.shown) for run in inspection.runs] == [("partly", True), ("all", False)]
    assert inspection.query == "sofa"
    assert inspection.cut.value == 2
    assert inspection.cuts.relation is Relation.RECALL
    second = window.workbench.state(ComparisonState).second
    assert second is not None and second.name == "all"
    assert window.workbench.shown.names == ("page_2",)
    close(window)


@pytest.mark.slow
def test_a_view_opens_elsewhere(qapp: QApplication, tmp_path: Path) -> None:
    here = collection(tmp_path / "here")
    close(work(here))
    window = open_window(here)
    window.session.reopen()
    settle()
    window.session.save(here / "look.spotlab")
    before, _ = read_view(here / "look.spotlab")
    close(window)
    assert before.pages == ("pages",)
    assert [run["path"] for run in before.workspaces["inspect"]["runs"]] == [
        "found/partly.csv",
        "found/all.csv",
    ]
    there = shutil.move(here, tmp_path / "there")
    window = open_window(tmp_path, Path(there) / "look.spotlab")
    settle()
    assert window.session.view(PathTexts(Path(there))) == View(
        before.pages, before.workspace, before.page, before.place, before.filter, before.workspaces
    )
    runs = window.workbench.state(Inspection).runs
    assert [run.run.source.parent.parent for run in runs] == [Path(there), Path(there)]
    close(window)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "not JSON"),
        ('{"format": "spotlab view"}', "missing required field `pages`"),
        ("{}", "it is not a view"),
        ('{"pages": ["pages"]}', "it is not a view"),
        ('{"pages": ["pages"], "format": "spotlab view", "version": 9}', "of version 9"),
        ('{"pages": ["gone"], "format": "spotlab view", "version": 1}', "not there any more"),
    ],
)
def test_a_bad_view_says_what_is_wrong_and_what_is_open_stays(
    qapp: QApplication, tmp_path: Path, content: str, problem: str
) -> None:
    collection(tmp_path)
    window = open_window(tmp_path, tmp_path / "pages")
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    (tmp_path / "bad.spotlab").write_text(content)
    assert not window.open_paths([tmp_path / "bad.spotlab"])
    assert problem in said[-1]
    assert len(window.workbench.entries) == 2
    close(window)


WRONG = """{"pages": ["%s", 7], "format": "spotlab view", "version": 1, "page": 5,
 "place": {"x": 1e999, "y": 2, "scale": 1}, "filter": {"text": [], "only": true},
 "workspaces": {"inspect": {"runs": [{"path": 3}], "current": "x", "settings": {"beta": -1e999}},
 "systems": [1], "words": null}}"""


def test_wrong_values_of_the_last_view_are_left_out_and_kept_aside(
    qapp: QApplication, tmp_path: Path
) -> None:
    collection(tmp_path)
    content = WRONG % (tmp_path / "pages").as_posix()
    (tmp_path / "session.spotlab").write_text(content)
    window = open_window(tmp_path)
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    window.session.reopen()
    settle()
    assert len(window.workbench.entries) == 2 and window.workbench.shown.only
    assert any("session.spotlab: place.x: " in text and "other values" in text for text in said)
    assert (tmp_path / "session.spotlab.damaged").read_text() == content
    close(window)


@pytest.mark.parametrize("content", ["{", "[" * 99_999, "null", '"\x00"', "{}", "9" * 5000])
def test_a_damaged_view_of_the_last_start_is_kept_aside(
    qapp: QApplication, tmp_path: Path, content: str
) -> None:
    (tmp_path / "session.spotlab").write_text(content)
    window = open_window(tmp_path)
    window.session.reopen()
    assert not window.workbench.entries
    assert (tmp_path / "session.spotlab.damaged").read_text() == content
    close(window)


@pytest.mark.slow
def test_a_run_that_is_gone_is_named_and_the_rest_opens(qapp: QApplication, tmp_path: Path) -> None:
    close(work(collection(tmp_path)))
    (tmp_path / "found" / "all.csv").unlink()
    window = open_window(tmp_path)
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    window.session.reopen()
    settle()
    assert any("all.csv" in text for text in said)
    assert [run.name for run in window.workbench.state(Inspection).runs] == ["partly"]
    close(window)


def test_whoever_does_not_want_it_starts_anew(qapp: QApplication, tmp_path: Path) -> None:
    collection(tmp_path)
    window = open_window(tmp_path, tmp_path / "pages")
    window.session.keep()
    assert (tmp_path / FILE).exists()
    window.actions_by_id.trigger("file.reopen")
    close(window)
    window = open_window(tmp_path)
    window.session.reopen()
    settle()
    assert not window.workbench.entries
    close(window)


def test_names_that_are_not_unicode_are_found_again(qapp: QApplication, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    write_collection(folder)
    (folder / "page_2.png").rename(folder / os.fsdecode(b"caf\xe9.png"))
    window = open_window(tmp_path, folder)
    names = [entry.name for entry in window.workbench.entries]
    window.workbench.open_page(names.index(os.fsdecode(b"caf\xe9")))
    settle()
    window.session.keep()
    close(window)
    window = open_window(tmp_path)
    window.session.reopen()
    settle()
    assert window.workbench.entry is not None
    assert window.workbench.entry.name == os.fsdecode(b"caf\xe9")
    close(window)
