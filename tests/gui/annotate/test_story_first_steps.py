"""The sample opens on an unfinished page; three things to do are ticked when they are done."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.layers import FirstStepsStrip
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Region
from spotlab.resources import own_sample, sample_collection
from tests.gui import windows

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(lasting: MainWindow, tmp_path: Path) -> MainWindow:
    return windows.begin_anew(lasting, own_sample(), size=(1280, 860))


@pytest.fixture
def new_window(qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """For a test that leaves more behind than can be put back."""
    window = windows.open_window(tmp_path, own_sample(), size=(1280, 860))
    yield window
    windows.close(window)


def strip_of(window: MainWindow) -> FirstStepsStrip:
    windows.settle()
    strip = window.findChild(FirstStepsStrip)
    assert isinstance(strip, FirstStepsStrip)
    return strip


def missing() -> list[Region]:
    """The chairs that the copy leaves out."""
    complete = page_xml.read(sample_collection() / "plan_001.xml")
    return [region for region in complete.regions if region.label == "chair"]


def draw_around(window: MainWindow, region: Region, wider: float = 1.35) -> None:
    """A round stroke by the mouse."""
    canvas = window.canvas
    left, top, right, bottom = region.bounds
    x, y, r = (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top) / 2 * wider
    turns = [2 * math.pi * step / 24 for step in range(25)]
    around = [canvas.view.to_view(x + r * math.cos(a), y + r * math.sin(a)) for a in turns]
    points = [QPoint(round(x), round(y)) for x, y in around]
    QTest.mousePress(canvas, LEFT, pos=points[0])
    for point in points:
        QTest.mouseMove(canvas, point)
    QTest.mouseRelease(canvas, LEFT, pos=points[-1])
    windows.settle()


def ticked(strip: FirstStepsStrip) -> list[bool]:
    """What a reader of the screen says of each step."""
    return [title.accessibleName().endswith(", done") for title in strip.titles]


def test_each_step_is_ticked_when_it_is_done_and_unticked_when_it_is_undone(
    window: MainWindow,
) -> None:
    strip, canvas = strip_of(window), window.canvas
    assert strip.isVisible() and ticked(strip) == [False, False, False]
    assert "chair" in strip.titles[0].text() and "marked chair" in strip.how.text()
    seen = canvas.view.visible()
    assert all(seen[0] < x < seen[2] and seen[1] < y < seen[3]
               for region in missing() for x, y in region.points)  # fmt: skip
    draw_around(window, missing()[0])
    assert ticked(strip) == [True, False, False]
    assert "Press 5" in strip.how.text()
    windows.press(canvas, Qt.Key.Key_3)  # sofa, which is wrong
    assert ticked(strip) == [True, False, False]
    windows.press(canvas, Qt.Key.Key_5)
    assert ticked(strip) == [True, True, False]
    assert "Ctrl+P" in strip.how.text()
    for done in ([True, False, False], [True, False, False], [False, False, False]):
        windows.press(canvas, Qt.Key.Key_Z, CTRL)
        assert ticked(strip) == done


def test_a_stroke_that_takes_the_table_too_is_told_of(window: MainWindow) -> None:
    strip = strip_of(window)
    draw_around(window, missing()[0], wider=3)
    assert ticked(strip) == [False, False, False]
    assert "more than the chair" in strip.how.text()
    windows.press(window.canvas, Qt.Key.Key_Z, CTRL)
    assert "marked chair" in strip.how.text()


def test_the_ring_marks_the_chair_until_one_is_drawn(window: MainWindow) -> None:
    strip_of(window)
    layer = window.canvas.layers["first_steps"]
    assert layer.shown
    left, top, _, _ = missing()[0].bounds
    picture = window.canvas.grab().toImage()
    place = window.canvas.view.to_view(left, (top + missing()[0].bounds[3]) / 2)
    ratio = picture.devicePixelRatio()
    ring = [picture.pixelColor(round((place[0] - px) * ratio), round(place[1] * ratio))
            for px in range(4, 14)]  # fmt: skip
    assert any(colour.blue() > colour.red() + 60 for colour in ring)
    draw_around(window, missing()[0])
    assert not layer.shown


def finish(window: MainWindow) -> None:
    for region in missing():
        draw_around(window, region)
        windows.press(window.canvas, Qt.Key.Key_5)


def test_what_is_done_is_never_offered_again(new_window: MainWindow, tmp_path: Path) -> None:
    window = new_window
    strip = strip_of(window)
    finish(window)
    assert ticked(strip) == [True, True, True] and strip.isVisible()
    assert "complete" in strip.how.text()
    windows.press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    assert not strip.isVisible()
    windows.press(window.canvas, Qt.Key.Key_PageUp)
    windows.settle()
    assert not strip.isVisible() and window.workbench.settings.flush()
    shutil.rmtree(own_sample())  # a new copy is unfinished again
    other = windows.open_window(tmp_path, own_sample())
    try:
        assert not strip_of(other).isVisible()
    finally:
        windows.close(other)


def test_a_click_dismisses_it_for_good(new_window: MainWindow, tmp_path: Path) -> None:
    window = new_window
    strip = strip_of(window)
    QTest.mouseClick(strip.close_button, LEFT)
    assert not strip.isVisible() and not window.canvas.layers["first_steps"].shown
    assert window.workbench.settings.flush()
    other = windows.open_window(tmp_path, own_sample())
    try:
        assert not strip_of(other).isVisible()
    finally:
        windows.close(other)


def test_steps_that_were_begun_go_on_at_the_next_start(window: MainWindow, tmp_path: Path) -> None:
    strip_of(window)
    draw_around(window, missing()[0])
    window.workbench.save()
    windows.settle()
    other = windows.open_window(tmp_path, own_sample())
    try:
        assert ticked(strip_of(other)) == [True, False, False]
    finally:
        windows.close(other)


def test_other_workspaces_and_pages_have_no_such_steps(window: MainWindow, tmp_path: Path) -> None:
    strip = strip_of(window)
    window.enter("inspect")
    assert not strip.isVisible()
    window.enter("annotate")
    assert strip.isVisible()
    copy = shutil.copytree(own_sample(), tmp_path / "plans")
    window.open_paths([copy])
    windows.settle()
    assert not strip.isVisible()


def test_a_complete_copy_of_an_older_version_has_none(qapp: QApplication, tmp_path: Path) -> None:
    shutil.copy(sample_collection() / "plan_001.xml", own_sample())
    window = windows.open_window(tmp_path, own_sample())
    try:
        assert not strip_of(window).isVisible()
    finally:
        windows.close(window)


@pytest.mark.slow
def test_the_others_are_found(window: MainWindow) -> None:
    strip, canvas = strip_of(window), window.canvas
    draw_around(window, missing()[0])
    windows.press(canvas, Qt.Key.Key_5)
    windows.press(canvas, Qt.Key.Key_P, CTRL)
    proposals = window.workbench.state(Proposals)
    assert background.wait_until(lambda: len(proposals.shown) >= 3, 300)
    assert not strip.how.isVisible()  # the bar of proposals says what to do
    windows.press(canvas, Qt.Key.Key_Return, SHIFT)
    assert ticked(strip) == [True, True, True]
