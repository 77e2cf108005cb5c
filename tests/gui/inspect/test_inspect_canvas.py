"""The areas over the page in Inspect, and the tool that says what is there and chooses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.state import inspection as run_on_page
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.settings import LEGEND_FOLDED, OPACITY
from spotlab.gui.window.main_window import MainWindow
from spotlab.imaging.overlay import COLOURS, AreaKind
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui import windows
from tests.gui.inspect.inspecting import SOFA, calm, line, write_collection, write_run

LARGE, SMALL = (40, 40, 100, 90), (60, 55, 90, 80)
FALSE = (5, 5, 25, 25)


def opened(folder: Path) -> MainWindow:
    """On page 1: the sofa found, a smaller spot inside it, a false one, the bed missed."""
    pages = write_collection(folder / "pages")
    run = write_run(
        folder / "run.csv",
        line("sofa", "page_1", 1, 0.9, LARGE),
        line("sofa", "page_1", 2, 0.8, FALSE),
        line("sofa", "page_1", 3, 0.7, SMALL),
        line("sofa", "page_2", 4, 0.6, SOFA),
    )
    window = windows.open_window(folder, pages, size=(1440, 900))
    windows.press(window.canvas, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    window.workbench.state(Inspection).runs.open([run])
    windows.settle()
    window.canvas.settle()
    return window


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """One for a test that changes more than what is chosen."""
    window = opened(tmp_path)
    yield window
    windows.close(window)


@pytest.fixture(scope="module")
def one_window(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication
) -> Iterator[MainWindow]:
    window = opened(tmp_path_factory.mktemp("one"))
    yield window
    windows.close(window)


@pytest.fixture
def shared(one_window: MainWindow) -> Iterator[MainWindow]:
    """The one window; nothing is chosen before and after a test, and the whole page is seen."""
    let_go(one_window)
    yield one_window
    let_go(one_window)


def nearest_kind(window: MainWindow, x: float, y: float) -> str:
    """The kind whose colour the page's overlay has at a place, or else the nearest one."""
    picture = window.canvas.grab().toImage()
    place = at(window, x, y)
    ratio = picture.devicePixelRatio()
    drawn = picture.pixelColor(round(place.x() * ratio), round(place.y() * ratio))

    def distance(kind: AreaKind) -> int:
        colour = QColor(COLOURS[kind])
        pairs = zip(drawn.getRgb()[:3], colour.getRgb()[:3], strict=True)
        return sum((a - b) ** 2 for a, b in pairs)

    return min(COLOURS, key=distance).words


def test_outlines_of_truth_tell_their_states(window: MainWindow) -> None:
    assert nearest_kind(window, 40, 65) == "found"  # the left side of the sofa
    assert nearest_kind(window, 180, 160) == "missed"  # that of the bed
    window.workbench.state(Inspection).set_cut(ListCut("rank", 0))
    windows.settle()
    window.canvas.settle()
    assert nearest_kind(window, 40, 65) == "missed"


def let_go(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    inspection.choose_spot(None)
    assert inspection.spot is None and inspection.region is None
    window.canvas.fit()
    QTest.mouseMove(window.canvas, at(window, 150, 220))  # nothing is there
    calm()


def at(window: MainWindow, x: float, y: float) -> QPoint:
    return QPoint(*(round(value) for value in window.canvas.view.to_view(x, y)))


def click(window: MainWindow, x: float, y: float) -> None:
    QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=at(window, x, y))
    QApplication.processEvents()


def rank(window: MainWindow) -> int | None:
    inspection = window.workbench.state(Inspection)
    if inspection.spot is None:
        return None
    return inspection.spot - int(inspection.runs.current.tally.starts[0]) + 1


def colour(window: MainWindow, x: float, y: float) -> tuple[int, int, int]:
    """The mean of a patch of a few hatching periods."""
    assert window.canvas.settle()
    image = window.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    place = at(window, x, y)
    total, number = [0, 0, 0], 0
    for dx in range(-8, 8):
        for dy in range(-8, 8):
            c = image.pixelColor(round((place.x() + dx) * ratio), round((place.y() + dy) * ratio))
            total = [t + v for t, v in zip(total, (c.red(), c.green(), c.blue()), strict=True)]
            number += 1
    return tuple(t // number for t in total)


def test_colours_of_the_three_kinds(shared: MainWindow) -> None:
    shared.canvas.fit()
    found, false, missed = colour(shared, 50, 48), colour(shared, 15, 15), colour(shared, 220, 160)
    assert found[1] > found[0] + 30 and found[1] >= found[2]
    assert false[0] > false[1] + 30 > false[2]
    assert missed[2] > missed[0] + 30 and missed[2] > missed[1]


def test_a_cut_takes_the_areas_away(window: MainWindow) -> None:
    before = colour(window, 15, 15)
    window.workbench.state(Inspection).set_cut(ListCut("rank", 1))
    QApplication.processEvents()
    after = colour(window, 15, 15)
    assert before[0] > before[2] + 30 and max(after) - min(after) < 10
    found = colour(window, 50, 48)
    assert found[1] > found[0] + 30


def test_clicks_choose_the_smallest_then_the_next_then_the_first_again(shared: MainWindow) -> None:
    chosen = []
    for _ in range(3):
        click(shared, 75, 67)
        chosen.append(rank(shared))
    assert chosen == [3, 1, 3]


def test_a_click_beside_lets_go(shared: MainWindow) -> None:
    click(shared, 15, 15)
    assert rank(shared) == 2
    click(shared, 150, 220)
    assert rank(shared) is None


def test_escape_lets_go(shared: MainWindow) -> None:
    click(shared, 15, 15)
    windows.press(shared.canvas, Qt.Key.Key_Escape)
    assert rank(shared) is None


def test_escape_lets_go_of_a_missed_region(shared: MainWindow) -> None:
    shared.workbench.state(Inspection).choose_region("page_1", "r2")
    windows.press(shared.canvas, Qt.Key.Key_Escape)
    assert shared.workbench.state(Inspection).region is None


def test_hover_says_query_rank_score_overlap_and_kind(shared: MainWindow) -> None:
    told: list[str] = []
    shared.canvas.pointer_moved.connect(told.append)
    QTest.mouseMove(shared.canvas, at(shared, 15, 15))
    QApplication.processEvents()
    assert told and "sofa" in told[-1] and "0.8" in told[-1] and "2" in told[-1]
    QTest.mouseMove(shared.canvas, at(shared, 45, 45))
    QApplication.processEvents()
    QTest.mouseMove(shared.canvas, at(shared, 220, 160))
    QApplication.processEvents()
    assert "missed" in told[-1]
    QTest.mouseMove(shared.canvas, at(shared, 150, 220))
    QApplication.processEvents()


def test_a_drag_chooses_nothing_and_edits_nothing(shared: MainWindow) -> None:
    before = shared.workbench.document.truth.regions
    start, end = at(shared, 15, 15), at(shared, 120, 100)
    QTest.mousePress(shared.canvas, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(shared.canvas, end)
    QTest.mouseRelease(shared.canvas, Qt.MouseButton.LeftButton, pos=end)
    assert rank(shared) is None and shared.workbench.document.truth.regions == before


def test_the_legend_says_the_areas(window: MainWindow) -> None:
    legend = window.canvas.layers["inspect"].legend
    assert legend.isVisible()
    assert legend.texts() == [
        "found · 3,000 px² · 3.9 %",
        "other label · 0 px² · 0.0 %",
        "false · 400 px² · 0.5 %",
        "missed · 6,400 px² · 8.3 %",
    ]
    window.workbench.state(Inspection).set_cut(ListCut("rank", 1))
    assert "false · 0 px² · 0.0 %" in legend.texts()


def test_the_legend_says_less_on_a_small_canvas_and_covers_no_tiny_one(
    window: MainWindow,
) -> None:
    canvas, legend = window.canvas, window.canvas.layers["inspect"].legend
    QTest.mouseClick(legend.fold, Qt.MouseButton.LeftButton)  # at first it is folded
    whole = legend.width(), legend.height()
    assert "3,000" in legend.toolTip()
    shown = []
    for width in range(whole[0] + 60, 80, -20):
        canvas.resize(width, 400)
        QApplication.processEvents()
        if legend.isVisible():
            assert canvas.rect().contains(legend.geometry())
            shown.append((legend.width(), legend.height()))
    assert shown[0] == whole
    assert len(set(shown)) == 2 and min(shown)[1] < whole[1]  # a table, then only words
    assert not legend.isVisible()
    canvas.resize(800, 100)
    QApplication.processEvents()
    assert not legend.isVisible()
    canvas.resize(800, 170)
    QApplication.processEvents()
    assert legend.isVisible() and legend.height() < 40  # the table would cover most of the page
    canvas.resize(800, 400)
    QApplication.processEvents()
    assert legend.isVisible() and legend.slider.isVisible() and legend.height() > 100


def test_the_legend_is_folded_to_a_line_and_stays_so(window: MainWindow) -> None:
    legend = window.canvas.layers["inspect"].legend
    window.canvas.resize(790, 590)  # so small that it is folded, and wide enough for the slider
    assert legend.height() < 40 and legend.slider.isVisible()
    QTest.mouseClick(legend.fold, Qt.MouseButton.LeftButton)
    whole = legend.height()
    assert whole > 100 and window.workbench.settings.get(LEGEND_FOLDED) is False
    QTest.mouseClick(legend.fold, Qt.MouseButton.LeftButton)
    assert legend.height() < 40 < whole and legend.slider.isVisible()
    assert window.workbench.settings.get(LEGEND_FOLDED) is True
    QTest.mouseClick(legend.fold, Qt.MouseButton.LeftButton)
    assert legend.height() == whole


def test_the_legend_has_its_figures_at_first_on_a_large_canvas(window: MainWindow) -> None:
    canvas, legend = window.canvas, window.canvas.layers["inspect"].legend
    canvas.resize(799, 700)
    assert legend.height() < 40
    canvas.resize(800, 600)
    assert legend.height() > 100


def test_the_legend_is_away_in_annotate(window: MainWindow) -> None:
    windows.press(window.canvas, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not window.canvas.layers["inspect"].legend.isVisible()


def test_opacity_by_the_slider_is_kept(window: MainWindow) -> None:
    window.canvas.layers["inspect"].legend.slider.setValue(0)
    QApplication.processEvents()
    patch = colour(window, 15, 15)
    assert max(patch) - min(patch) < 6
    assert window.workbench.settings.get(OPACITY) == 0


def test_hatching_stays_on_the_page_when_it_is_moved(window: MainWindow) -> None:
    canvas = window.canvas
    calm()  # panels that fill may move the page
    assert canvas.settle()
    before = canvas.grab().toImage()
    place = at(window, 220, 160)
    canvas.view.pan(13, 7)
    assert canvas.settle()
    moved = place + QPoint(13, 7)
    after = canvas.grab().toImage()
    same = sum(
        before.pixel(place.x() + x, place.y() + y) == after.pixel(moved.x() + x, moved.y() + y)
        for x in range(-20, 20) for y in range(-20, 20)
    )  # fmt: skip
    assert same > 1500


def test_a_thread_measures_large_pages_while_the_last_figures_are_grey(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    legend = window.canvas.layers["inspect"].legend
    monkeypatch.setattr(run_on_page, "FEW", 0)
    before = legend.texts()
    for kept in (2, 1):  # the slider goes on while a thread measures
        window.workbench.state(Inspection).set_cut(ListCut("rank", kept))
        assert legend.sums.busy and legend.texts() == before
        assert not legend.sums.get().current
    windows.settle()
    assert window.canvas.settle() and not legend.sums.busy
    assert legend.sums.get().current and "false · 0 px² · 0.0 %" in legend.texts()
    assert legend.texts()[0] == before[0]  # 3,000 px² are found with and without the small spot
