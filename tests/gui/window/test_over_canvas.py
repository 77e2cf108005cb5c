"""What appears over the canvas never moves the page under the pen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows

Deed = Callable[[MainWindow], object]
LEFT = gestures.LEFT


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    window = windows.begin_anew(lasting, windows.write_pages(tmp_path / "plans"))
    window.canvas.zoom_to(4.0)
    return window


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def tell(kind: str) -> Deed:
    return lambda window: window.workbench.trouble.emit(kind, f"it is {kind} " * 8)


def propose(window: MainWindow) -> None:
    bar = window.findChild(ProposalsBar)
    bar.setVisible(True)


def end_proposals(window: MainWindow) -> None:
    window.findChild(ProposalsBar).setVisible(False)


APPEARING = {
    "changed": (tell("changed"), lambda window: window.banner.close_button.click()),
    "unsaved": (tell("unsaved"), lambda window: window.workbench.trouble.emit("solved", "")),
    "error": (
        lambda window: window.banner.show_error("the moon is full", "details"),
        lambda window: window.banner.close_button.click(),
    ),
    "proposals": (propose, end_proposals),
}


def place_of_page(window: MainWindow) -> tuple[QPoint, tuple[float, ...]]:
    """Where on the screen the canvas is, and how it shows the page."""
    return window.canvas.mapToGlobal(QPoint(0, 0)), window.canvas.view.key


@pytest.mark.parametrize("name", APPEARING)
def test_the_page_stays_where_it_is(window: MainWindow, name: str) -> None:
    appear, vanish = APPEARING[name]
    before = place_of_page(window)
    appear(window)
    settle()
    assert window.over_canvas.isVisible() and window.over_canvas.height() > 20
    assert place_of_page(window) == before
    vanish(window)
    settle()
    assert not window.over_canvas.isVisible()
    assert place_of_page(window) == before


@pytest.mark.parametrize("name", APPEARING)
def test_a_stroke_goes_on_as_if_nothing_had_appeared(window: MainWindow, name: str) -> None:
    appear, vanish = APPEARING[name]
    canvas = window.canvas
    window.workbench.set_tool("sketch")
    around = gestures.on_screen(canvas, gestures.around(40, 40, 100, 90))
    canvas.centre_on(70, 65)
    around = gestures.on_screen(canvas, gestures.around(40, 40, 100, 90))
    before = place_of_page(window)
    gestures.drag(canvas, around[:14], let_go=False)
    appear(window)
    settle()
    assert canvas.pointing.gesture is not None and place_of_page(window) == before
    for place in around[14:28]:
        gestures.move(canvas, place, LEFT)
    vanish(window)
    settle()
    assert canvas.pointing.gesture is not None and place_of_page(window) == before
    for place in around[28:]:
        gestures.move(canvas, place, LEFT)
    gestures.release(canvas, around[-1])
    windows.settle()
    [region] = window.workbench.document or ()
    assert region.bounds == pytest.approx((40, 40, 100, 90), abs=1)


def test_what_lies_over_the_canvas_gives_way_to_a_stroke(window: MainWindow) -> None:
    canvas = window.canvas
    window.workbench.set_tool("sketch")
    tell("changed")(window)
    settle()
    low, under = (60.0, float(window.over_canvas.height() + 40)), (90.0, 8.0)
    gestures.drag(canvas, [low, (80.0, low[1])], let_go=False)
    assert window.over_canvas.isVisible()
    gestures.move(canvas, under, LEFT)
    assert not window.over_canvas.isVisible()
    gestures.move(canvas, low, LEFT)
    assert window.over_canvas.isVisible()
    gestures.move(canvas, under, LEFT)
    gestures.release(canvas, under)
    assert window.over_canvas.isVisible()


def test_nothing_is_brought_into_sight_behind_it(window: MainWindow) -> None:
    canvas, view = window.canvas, window.canvas.view
    tell("changed")(window)
    settle()
    height = window.over_canvas.height()
    assert view.covered == height
    x, y = view.to_page(view.size[0] / 2, height / 2)
    canvas.show_place(x - 2, y - 2, x + 2, y + 2)
    assert view.to_view(x, y - 2)[1] >= height
    canvas.fit()
    assert view.to_view(0, 0)[1] >= height


def test_it_covers_nothing_where_there_is_no_page(window: MainWindow) -> None:
    window.enter("systems")
    settle()
    table = window.above["systems"]
    assert not window.canvas.isVisible()
    tell("unsaved")(window)
    settle()
    strip = window.over_canvas
    assert strip.isVisible()
    assert table.mapToGlobal(QPoint(0, 0)).y() >= strip.mapToGlobal(QPoint(0, 0)).y() + (
        strip.height()
    )


def test_progress_does_not_move_the_page(window: MainWindow) -> None:
    before = place_of_page(window), window.canvas.size()
    window.status.bar.show()
    window.status.doing.show()
    window.status.cancel.show()
    window.status.say("Something of importance", serious=True)
    settle()
    assert (place_of_page(window), window.canvas.size()) == before
