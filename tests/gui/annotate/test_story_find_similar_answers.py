"""Someone accepts what is likely at once, gives another label, and reads line by line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.geometry.polygon import Outlines, reading_order
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.annotate.alike import LABEL, calm, click_region, open_plans

pytestmark = pytest.mark.in_sequence

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    with pytest.MonkeyPatch.context() as patch:
        window, _ = open_plans(tmp_path_factory.mktemp("plans"), patch, ("plan_001",))
        yield window
        windows.close(window)


@pytest.fixture
def proposals(window: MainWindow) -> Iterator[Proposals]:
    """Four chairs are proposed, with scores 0.9, 0.85, 0.8 and 0.75."""
    click_region(window)
    windows.press(window.canvas, Key.Key_P, CONTROL)
    yield calm(window)
    proposals = window.workbench.state(Proposals)
    proposals.pages.end()
    proposals.list.set_reading(False)
    while window.workbench.history and window.workbench.history.undo_name:
        window.workbench.editing.undo()
    calm(window)


def labels(window: MainWindow) -> list[str]:
    return [region.label for region in window.workbench.document or ()]


def test_all_likely_ones_are_accepted_in_one_step(window: MainWindow, proposals: Proposals) -> None:
    bar = window.findChild(ProposalsBar)
    assert bar is not None
    # only the first is expected right in 9 of 10 cases: (0.9 + 0.85) / 2 is less
    assert bar.buttons["accept_likely"].text() == "Likely 1" and len(proposals.list.likely) == 1
    before = labels(window).count(LABEL)
    windows.press(window.canvas, Key.Key_Return, CONTROL | SHIFT)
    assert labels(window).count(LABEL) == before + 1
    assert window.workbench.history
    assert window.workbench.history.undo_name == "Accept 1 likely proposal"
    calm(window)
    assert not proposals.list.likely and not bar.buttons["accept_likely"].isEnabled()
    assert bar.buttons["accept_likely"].text() == "Likely 0"
    window.workbench.editing.undo()
    assert labels(window).count(LABEL) == before


def test_a_digit_accepts_as_that_label(window: MainWindow, proposals: Proposals) -> None:
    workbench = window.workbench
    other = next(each for each in workbench.labels if each.digit and each.name != LABEL)
    current = proposals.current
    assert current is not None
    before = labels(window).count(other.name)
    windows.press(window.canvas, getattr(Key, f"Key_{other.digit}"))
    assert labels(window).count(other.name) == before + 1
    assert workbench.history and workbench.history.undo_name == f"Accept {other.name}"
    assert current not in proposals.shown


def test_proposals_are_read_line_by_line(window: MainWindow, proposals: Proposals) -> None:
    best_first = proposals.shown
    bar = window.findChild(ProposalsBar)
    assert bar is not None
    bar.buttons["reading_order"].click()
    assert bar.buttons["reading_order"].isChecked() and set(proposals.shown) == set(best_first)
    boxes = Outlines.of([each.outline for each in proposals.shown]).bounds
    assert reading_order(boxes).tolist() == list(range(len(boxes)))
    assert proposals.current is best_first[0]
    at = proposals.shown.index(best_first[0])
    windows.press(window.canvas, Key.Key_Tab)
    assert proposals.current is proposals.shown[(at + 1) % len(boxes)]
    bar.buttons["reading_order"].click()
    assert proposals.shown == best_first
