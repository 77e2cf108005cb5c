"""Somebody draws where there is nothing to take: the selection is let go of, and it says why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.canvas import overlay
from spotlab.gui.kit.background import wait_until
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Region
from tests.gui import gestures, windows
from tests.gui.gestures import CONTROL, SHIFT, Place, around, on_screen

PAPER = (230, 20, 300, 80)
WALL = (20, 205, 80, 222)  # a part of a line that goes on outside
BOX = (40, 40, 100, 90)  # the ink of a rectangle


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    folder = windows.write_pages(tmp_path / "pages", 2)
    for path in folder.iterdir():
        pixels = np.array(Image.open(path))
        pixels[210:216, 5:315] = 0
        Image.fromarray(pixels).save(path)
    window = windows.open_window(tmp_path, folder)
    for name in ("sofa", "bed"):
        window.workbench.editing.apply_label(name)
    window.workbench.set_tool("sketch")
    draw(window, BOX)
    windows.press(window.canvas, Qt.Key.Key_1)
    assert labels(window) == ["sofa"] and window.workbench.selected == ()
    window.workbench.selection.set(window.workbench.document.ids)
    yield window
    windows.close(window)


def labels(window: MainWindow) -> list[str]:
    return [region.label for region in window.workbench.document or ()]


def draw(window: MainWindow, box: tuple[float, ...], held=gestures.PLAIN) -> Place:
    places = on_screen(window.canvas, around(*box))
    gestures.drag(window.canvas, places, held)
    QApplication.processEvents()
    return places[-1]


def told(window: MainWindow) -> str:
    note = window.canvas.note
    return note.text() if note.isVisible() else ""


def test_a_digit_after_a_stroke_over_paper_labels_nothing(window: MainWindow) -> None:
    draw(window, PAPER)
    assert window.workbench.selected == ()
    assert "No ink inside that stroke" in told(window)
    windows.press(window.canvas, Qt.Key.Key_2)
    assert labels(window) == ["sofa"] and window.workbench.label == "bed"


def test_whole_components_that_reach_outside_say_how_to_cut_them(window: MainWindow) -> None:
    *places, place = on_screen(window.canvas, around(*WALL))
    gestures.press(window.canvas, places[0])
    for passed in (*places[1:], place):
        gestures.move(window.canvas, passed)
    gestures.key(window.canvas, Qt.Key.Key_C)
    gestures.release(window.canvas, place)
    QApplication.processEvents()
    assert "extends beyond the stroke: hold Ctrl" in told(window)
    note = window.canvas.note
    assert window.canvas.rect().contains(note.geometry())
    beside = note.geometry().adjusted(-40, -40, 40, 40)
    assert beside.contains(*map(round, place)), "it stands at the pointer"
    windows.press(window.canvas, Qt.Key.Key_2)
    assert labels(window) == ["sofa"]
    draw(window, WALL, CONTROL)
    assert labels(window) == ["sofa", "bed"] and told(window) == ""


def test_the_reason_goes_with_the_next_press_or_key_or_page(window: MainWindow) -> None:
    for go_on in (
        lambda: gestures.press(window.canvas, on_screen(window.canvas, [(250, 50)])[0]),
        lambda: windows.press(window.canvas, Qt.Key.Key_2),
        lambda: windows.press(window.canvas, Qt.Key.Key_Escape),
        lambda: gestures.wheel(window.canvas, (300, 300)),
        lambda: windows.press(window.canvas, Qt.Key.Key_PageDown),
    ):
        draw(window, PAPER)
        assert told(window)
        go_on()
        assert told(window) == ""
        gestures.release(window.canvas, on_screen(window.canvas, [(250, 50)])[0])


def test_the_reason_goes_by_itself(window: MainWindow) -> None:
    assert window.canvas.note._timer.interval() == overlay._SHOWN_FOR
    window.canvas.note._timer.setInterval(1)
    draw(window, PAPER)
    assert wait_until(lambda: told(window) == "")


@pytest.mark.parametrize("held", [SHIFT, gestures.ALT])
def test_a_stroke_about_the_selected_region_leaves_it_selected(window: MainWindow, held) -> None:
    before = window.workbench.selected
    draw(window, PAPER, held)
    assert window.workbench.selected == before and "No ink" in told(window)


@pytest.mark.parametrize("tool", ["box", "ellipse", "polygon", "free_polygon", "isothetic"])
def test_an_outline_without_area_is_the_same_in_every_tool(window: MainWindow, tool: str) -> None:
    window.workbench.set_tool(tool)
    line = on_screen(window.canvas, [(150, 60), (180, 60), (210, 60)])
    if tool in ("box", "ellipse"):
        gestures.drag(window.canvas, line)
    else:
        for place in line:
            gestures.click(window.canvas, place)
        windows.press(window.canvas, Qt.Key.Key_Return)
    assert window.workbench.selected == () and "no area" in told(window)
    windows.press(window.canvas, Qt.Key.Key_2)
    assert labels(window) == ["sofa"]


def test_a_click_on_paper_with_the_tracing_pen(window: MainWindow) -> None:
    window.workbench.set_tool("trace")
    gestures.click(window.canvas, on_screen(window.canvas, [(250, 50)])[0])
    assert window.workbench.selected == () and "nothing was traced" in told(window)


def test_a_line_that_splits_nothing_says_so(window: MainWindow) -> None:
    before: list[Region] = window.workbench.selected
    window.workbench.set_tool("split")
    gestures.drag(window.canvas, on_screen(window.canvas, [(200, 20), (210, 40), (220, 60)]))
    assert window.workbench.selected == before and "cross" in told(window)
