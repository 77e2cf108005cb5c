"""Proposals are no truth: nothing that anybody reads has them before they are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from spotlab.editing.journal import journal_path, read_journal
from spotlab.gui.inspect.state.live_runs import InspectionTruth
from spotlab.gui.kit import background
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.annotate.alike import LABEL, Spotter, calm, click_region, labels_on_disk, open_plans

pytestmark = pytest.mark.usefixtures("patient")

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def plans(
    tmp_path: Path, lasting: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> tuple[MainWindow, Spotter]:
    return open_plans(tmp_path, monkeypatch, window=lasting)


def files(window: MainWindow) -> dict[str, bytes]:
    folder = window.workbench.collection.folder
    assert folder is not None
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".png"}


def spoken(window: MainWindow) -> str:
    first = window.panel(PagesPanel).model.index(0, 0)
    return str(first.data(Qt.ItemDataRole.AccessibleTextRole))


def saved(window: MainWindow) -> None:
    window.workbench.save()
    windows.settle()
    assert background.wait_until(lambda: not window.workbench.autosave.pending)


def test_files_stay_as_they_are_until_one_is_accepted(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    before = files(window)
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL | SHIFT)
    proposals = calm(window)
    assert len(proposals.shown) == 4 and proposals.pages.count(1) > 0
    windows.press(window.canvas, Key.Key_Delete)  # no step of the page either
    calm(window)
    saved(window)
    assert files(window) == before
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    saved(window)
    after = files(window)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"plan_001.xml"}
    assert labels_on_disk(window, "plan_001").count(LABEL) == 2
    assert labels_on_disk(window, "plan_002").count(LABEL) == 0


def test_the_journal_has_what_was_accepted_and_nothing_else(
    plans: tuple[MainWindow, Spotter],
) -> None:
    window, _ = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)
    session = window.workbench.session
    assert session is not None
    assert not journal_path(session.path).exists()
    windows.press(window.canvas, Key.Key_Delete)
    windows.press(window.canvas, Key.Key_Return)
    recorded = read_journal(journal_path(session.path))
    assert recorded is not None
    text = journal_path(session.path).read_text("utf-8")
    assert text.count("Accept chair") == 1 and "Reject" not in text


def test_counts_and_curves_do_not_know_of_them(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    workbench = window.workbench
    counts = workbench.collection.counts()
    assert counts[LABEL] == 1
    regions = len(workbench.document or ())
    truth = InspectionTruth(workbench).request().known
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL | SHIFT)
    proposals = calm(window)
    assert proposals.list.counted[0] > 10
    assert workbench.collection.counts() == counts
    assert InspectionTruth(workbench).request().known == truth
    assert f", {regions} regions, checked" in spoken(window)
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    assert workbench.collection.counts()[LABEL] == 2
    assert f", {regions + 1} regions, draft" in spoken(window)
