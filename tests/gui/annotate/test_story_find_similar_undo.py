"""Someone takes answers back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.annotate.alike import LABEL, calm, click_region, open_plans

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    window, _ = open_plans(tmp_path, monkeypatch, ("plan_001",), window=lasting)
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)
    return window


def chairs(window: MainWindow) -> int:
    return sum(region.label == LABEL for region in window.workbench.document or ())


def undo(window: MainWindow) -> None:
    windows.press(window.canvas, Key.Key_Z, CONTROL)


def test_an_accepted_one_is_open_again_at_once(window: MainWindow) -> None:
    proposals = window.workbench.state(Proposals)
    first = proposals.shown[0]
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    undo(window)
    assert chairs(window) == 1
    assert proposals.current is first and len(proposals.shown) == 4  # before any search
    assert proposals.answers.counts == (0, 0)
    calm(window)
    assert len(proposals.shown) == 4
    assert proposals.current is not None and proposals.current.score == pytest.approx(0.9)
    windows.press(window.canvas, Key.Key_Z, CONTROL | SHIFT)  # and accepted again
    calm(window)
    assert chairs(window) == 2 and len(proposals.shown) == 3
    assert proposals.answers.counts == (1, 0)


def test_a_rejected_one_comes_back_and_the_drawing_stays(window: MainWindow) -> None:
    proposals = window.workbench.state(Proposals)
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    rejected = proposals.current
    assert rejected is not None
    windows.press(window.canvas, Key.Key_Delete)
    calm(window)
    assert window.actions_by_id["edit.undo"].text().replace("&", "") == "Undo Reject chair"
    undo(window)
    assert chairs(window) == 2  # what was accepted before is not what is undone
    assert proposals.current is rejected and proposals.answers.counts == (1, 0)
    calm(window)
    assert len(proposals.shown) == 3
    undo(window)
    assert chairs(window) == 1 and proposals.answers.counts == (0, 0)


def test_steps_of_the_page_are_undone_before_older_rejections(window: MainWindow) -> None:
    proposals = window.workbench.state(Proposals)
    windows.press(window.canvas, Key.Key_Delete)
    calm(window)
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    undo(window)
    assert chairs(window) == 1 and proposals.answers.counts == (0, 1)
    undo(window)
    assert proposals.answers.counts == (0, 0)
    calm(window)
    assert len(proposals.shown) == 4


def test_all_that_were_accepted_together_are_undone_together(window: MainWindow) -> None:
    proposals = window.workbench.state(Proposals)
    windows.press(window.canvas, Key.Key_Return, SHIFT)
    calm(window)
    assert chairs(window) == 5 and not proposals.shown
    undo(window)
    calm(window)
    assert chairs(window) == 1 and len(proposals.shown) == 4


def test_undo_after_the_proposals_are_gone_is_that_of_the_page(window: MainWindow) -> None:
    windows.press(window.canvas, Key.Key_Return)
    calm(window)
    windows.press(window.canvas, Key.Key_Delete)
    windows.press(window.canvas, Key.Key_Escape)
    undo(window)
    assert chairs(window) == 1
