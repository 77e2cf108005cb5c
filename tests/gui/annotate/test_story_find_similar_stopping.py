"""Someone stops in the middle: cancels, turns the page, opens other pages, closes the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.errors import BadInput
from spotlab.gui.annotate.similar import proposal_search
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.annotate.alike import Spotter, calm, click_region, open_plans, wait

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def plans(
    tmp_path: Path, lasting: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[MainWindow, Spotter]]:
    window, spotter = open_plans(tmp_path, monkeypatch, window=lasting)
    yield window, spotter
    spotter.gate.set()


def begin(window: MainWindow, spotter: Spotter, everywhere: bool = True) -> None:
    """Start a search that does not come to an end."""
    click_region(window)
    spotter.gate.clear()
    windows.press(window.canvas, Key.Key_P, CONTROL | (SHIFT if everywhere else CONTROL))
    wait(lambda: bool(spotter.asked))


def test_the_window_stays_alive_while_it_is_searched(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    begin(window, spotter)
    bar = window.findChild(ProposalsBar)
    assert bar is not None and "Searching this page" in bar.figures.whole()
    assert window.workbench.state(Proposals).pages.looking
    windows.press(window.canvas, Key.Key_Return)  # nothing to be answered yet
    window.canvas.zoom_by(1.25)
    spotter.gate.set()
    assert len(calm(window).shown) == 4


def test_cancel_keeps_what_was_found(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    calm(window)
    spotter.gate.clear()
    window.workbench.state(Proposals).pages.set_everywhere(True)
    status = window.status
    wait(status.cancel.isVisible)
    assert "plan_002" in status.doing.whole()
    QTest.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    proposals = window.workbench.state(Proposals)
    assert not proposals.pages.busy and proposals.active and len(proposals.shown) == 4
    assert not status.bar.isVisible()
    spotter.gate.set()
    windows.settle()
    assert [proposals.pages.count(index) for index in range(3)] == [4, 0, 0]


def test_escape_ends_a_search(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    begin(window, spotter)
    windows.press(window.canvas, Key.Key_Escape)
    proposals = window.workbench.state(Proposals)
    assert not (proposals.active or proposals.pages.busy or proposals.pages.looking)
    spotter.gate.set()
    windows.settle()
    assert not proposals.shown and not any(proposals.pages.count(index) for index in range(3))


def test_another_page_is_opened_meanwhile(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    begin(window, spotter)
    for index in (1, 2, 1, 0, 2):
        window.workbench.open_page(index)
        QApplication.processEvents()
    spotter.gate.set()
    proposals = calm(window)
    assert {each.page for each in proposals.shown} == {"plan_003"}
    entry = window.workbench.entry
    assert entry is not None and entry.name == "plan_003"


def test_answers_overtake_a_search(plans: tuple[MainWindow, Spotter]) -> None:
    window, spotter = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    proposals = calm(window)
    spotter.gate.clear()
    for _ in range(3):
        windows.press(window.canvas, Key.Key_Return)
    assert len(proposals.shown) == 1
    windows.press(window.canvas, Key.Key_Delete)
    spotter.gate.set()
    calm(window)
    assert proposals.answers.counts == (3, 1) and proposals.shown == ()


def test_other_pages_are_opened_meanwhile(
    plans: tuple[MainWindow, Spotter], tmp_path: Path
) -> None:
    window, spotter = plans
    begin(window, spotter)
    assert window.open_paths([windows.write_pages(tmp_path / "others")])
    spotter.gate.set()
    windows.settle()
    proposals = window.workbench.state(Proposals)
    assert not proposals.active and not proposals.shown
    assert not proposals.answers.rejections and proposals.pages.sought is None


def test_the_window_is_closed_meanwhile(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, spotter = open_plans(tmp_path, monkeypatch)
    begin(window, spotter)
    assert window.close()
    assert background.wait_for_all()
    assert not window.workbench.state(Proposals).active
    spotter.gate.set()
    windows.close(window)


def test_another_workspace_hides_the_proposals(plans: tuple[MainWindow, Spotter]) -> None:
    window, _ = plans
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    proposals = calm(window)
    bar = window.findChild(ProposalsBar)
    assert bar is not None and bar.isVisible()
    window.enter("inspect")
    assert not bar.isVisible()
    regions = len(window.workbench.document or ())
    windows.press(window.canvas, Key.Key_Return)
    windows.press(window.canvas, Key.Key_Delete)
    assert len(window.workbench.document or ()) == regions
    window.enter("annotate")
    assert bar.isVisible() and len(proposals.shown) == 4


def test_a_page_that_cannot_be_read_is_passed_over(
    plans: tuple[MainWindow, Spotter], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, _ = plans
    features_of_page = proposal_search.prepared_page

    def see(entry, *args):  # type: ignore[no-untyped-def]
        if entry.name == "plan_002":
            raise BadInput(entry.image, "is torn")
        return features_of_page(entry, *args)

    monkeypatch.setattr(proposal_search, "prepared_page", see)
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL | SHIFT)
    proposals = calm(window)
    assert said == ["Not searched, as they cannot be read: plan_002"]
    assert proposals.pages.count(2) > 0
    window.workbench.open_page(1)
    calm(window)
    assert "is torn" in proposals.pages.problem and not proposals.shown
