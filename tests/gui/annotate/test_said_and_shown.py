"""What the window says ends with the next thing one does; its bars and buttons stand still."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton

from spotlab.gui.annotate.label_finder import import_labels
from spotlab.gui.annotate.rooms.rooms import propose_rooms
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows
from tests.gui.gestures import CONTROL, NONE, PLAIN, around, on_screen
from tests.imaging.floor_plans import draw_plan

SQUARE, ROUND, PAPER = (40, 40, 100, 90), (180, 120, 260, 200), (230, 20, 300, 80)


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "pages", 2))


def draw(window: MainWindow, box: tuple[float, ...]) -> None:
    gestures.drag(window.canvas, on_screen(window.canvas, around(*box)))
    QApplication.processEvents()


def said(window: MainWindow) -> str:
    return window.status.hint.whole()


def test_a_refusal_ends_when_the_next_stroke_begins(window: MainWindow) -> None:
    draw(window, PAPER)
    assert "No ink" in said(window)
    draw(window, SQUARE)
    assert "No ink" not in said(window)


def test_what_was_said_of_a_page_ends_on_the_next(window: MainWindow) -> None:
    window.workbench.said.emit("About this page", False)
    window.workbench.open_page(1)
    assert said(window) != "About this page"


def test_copied_is_said_until_something_else_is_done(window: MainWindow) -> None:
    draw(window, SQUARE)
    windows.press(window.canvas, Qt.Key.Key_C, CONTROL)
    assert said(window) == "Copied 1 region"
    windows.press(window.canvas, Qt.Key.Key_V, CONTROL)
    assert said(window) != "Copied 1 region"


def test_a_second_region_at_the_same_place_is_remarked_on(window: MainWindow) -> None:
    for name in ("sofa", "bed"):
        window.workbench.editing.apply_label(name)
    draw(window, SQUARE)
    windows.press(window.canvas, Qt.Key.Key_1)
    draw(window, ROUND)
    assert "another" not in window.canvas.note.text()
    draw(window, SQUARE)
    assert "another “sofa” at the same place" in window.canvas.note.text()
    assert window.canvas.note.isVisible() and len(window.workbench.document or ()) == 3
    windows.press(window.canvas, Qt.Key.Key_2)  # it is a bed, then
    assert not window.canvas.note.isVisible()


def test_a_tilted_wheel_moves_the_page(window: MainWindow) -> None:
    canvas = window.canvas
    canvas.zoom_to(8)
    scale, before = canvas.view.scale, canvas.view.to_page(0, 0)
    place = QPointF(300, 300)
    event = QWheelEvent(
        place, QPointF(canvas.mapToGlobal(place)), QPoint(), QPoint(120, 0), NONE, PLAIN,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)
    x, y = canvas.view.to_page(0, 0)
    assert canvas.view.scale == scale and y == before[1] and x != before[0]


def test_imported_labels_get_digits(window: MainWindow, tmp_path: Path) -> None:
    window.workbench.editing.apply_label("chair")
    (tmp_path / "labels.txt").write_text("\n".join(f"label {i}" for i in range(200)))
    import_labels(window.workbench, tmp_path / "labels.txt")
    labels = window.workbench.labels
    assert labels["chair"].digit == "1" and labels.by_digit("2") == labels["label 0"]
    assert sum(bool(label.digit) for label in labels) == 10


def test_the_bar_of_proposals_stands_still(tmp_path: Path, qapp: QApplication) -> None:
    (tmp_path / "pages").mkdir()
    Image.fromarray(draw_plan(front=True)).save(tmp_path / "pages" / "plan.png")
    window = windows.open_window(tmp_path, tmp_path / "pages", size=(1440, 900))
    window.workbench.set_tool("room")
    assert background.wait_for_all(60)
    propose_rooms(window.workbench)
    assert background.wait_for_all(60)
    QApplication.processEvents()
    (bar,) = window.findChildren(ProposalsBar)
    proposals = window.workbench.state(Proposals)
    buttons = [each for each in bar.findChildren(QToolButton) if each.isVisible()]

    def places() -> list[object]:
        QApplication.processEvents()
        return [bar.geometry(), *(each.geometry() for each in buttons)]

    first = places()
    assert len(proposals.shown) >= 3
    for deed in (proposals.accept, proposals.reject, proposals.accept_all):
        deed()
        assert places() == first
    windows.close(window)
