"""The switch between areas, symbols and both: in the legend, in the menu, by a key; the marks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.geometry.polygon import Outlines
from spotlab.gui.inspect import symbol_marks
from spotlab.gui.inspect.state.inspection import Inspection, OverlayChoice, OverlayKind
from spotlab.gui.kit.settings import LEGEND_FOLDED, OVERLAY
from spotlab.gui.window.main_window import MainWindow
from spotlab.imaging.overlay import OverlayRaster, dash
from spotlab.studies.evaluate.cuts import ListCut
from spotlab.studies.tally.page_view import PageSymbols, SymbolState
from tests.gui import windows
from tests.gui.inspect.inspecting import NOTHING, SOFA, line, write_collection, write_run

HALF_OF_BED = (180, 120, 220, 200)
State = SymbolState


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """On page 1: the sofa recognised, half of the bed found, a false spot."""
    pages = write_collection(tmp_path / "pages")
    run = write_run(
        tmp_path / "run.csv",
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_1", 2, 0.8, NOTHING),
        line("bed", "page_1", 1, 0.9, HALF_OF_BED),
    )
    window = windows.begin_anew(lasting, pages, size=(1440, 900))
    windows.press(window.canvas, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    window.workbench.state(Inspection).runs.open([run])
    windows.settle()
    window.canvas.settle()
    return window


def legend_of(window: MainWindow):
    return window.canvas.layers["inspect"].legend


def colour_at(window: MainWindow, x: float, y: float) -> tuple[int, int, int]:
    assert window.canvas.settle()
    place = window.canvas.view.to_view(x, y)
    image = window.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(place[0] * ratio), round(place[1] * ratio)).getRgb()[:3]


def is_near(colour: tuple[int, int, int], name: str) -> bool:
    wanted = tuple(int(name[at : at + 2], 16) for at in (1, 3, 5))
    return max(abs(a - b) for a, b in zip(colour, wanted, strict=True)) < 40


def test_the_buttons_of_the_legend(window: MainWindow) -> None:
    legend, choice = legend_of(window), window.workbench.state(OverlayChoice)
    assert (
        choice.value is OverlayKind.AREAS and legend.switch.buttons[OverlayKind.AREAS].isChecked()
    )
    assert len(legend.texts()) == 4

    QTest.mouseClick(legend.switch.buttons[OverlayKind.SYMBOLS], Qt.MouseButton.LeftButton)
    assert legend.texts() == [
        "recognised · 1 · 50.0 %",
        "partly found · 1 · 50.0 %",
        "missed · 0 · 0.0 %",
        "false spots · 2 · 66.7 % of spots",
    ]
    assert not legend.slider.isEnabled()
    QTest.mouseClick(legend.switch.buttons[OverlayKind.BOTH], Qt.MouseButton.LeftButton)
    assert len(legend.texts()) == 8 and legend.slider.isEnabled()
    assert window.workbench.settings.get(OVERLAY) == "both"


def test_the_key_and_the_menu(window: MainWindow) -> None:
    choice = window.workbench.state(OverlayChoice)
    shown = []
    for _ in range(3):
        windows.press(window.canvas, Qt.Key.Key_S)
        shown.append(choice.value)
    assert shown == [OverlayKind.SYMBOLS, OverlayKind.BOTH, OverlayKind.AREAS]
    actions = window.actions_by_id
    actions["run.show_symbols"].trigger()
    assert choice.value is OverlayKind.SYMBOLS and actions["run.show_symbols"].isChecked()
    assert legend_of(window).switch.buttons[OverlayKind.SYMBOLS].isChecked()


def test_marks_stand_at_the_centres_and_keep_their_size(window: MainWindow) -> None:
    window.workbench.state(OverlayChoice).choose(OverlayKind.SYMBOLS)
    window.canvas.fit()
    for _ in range(2):  # at another zoom again
        px = 1 / window.canvas.view.scale  # of the screen, in px of the page
        disc = colour_at(window, 70 - 3.5 * px, 65 - 2.5 * px)  # beside the tick
        assert is_near(disc, symbol_marks.MARK_COLOURS[State.RECOGNISED])
        assert is_near(colour_at(window, 15, 15), symbol_marks.MARK_COLOURS[State.FALSE])
        full = colour_at(window, 220 + 2 * px, 160 + 2 * px)
        assert is_near(full, symbol_marks.MARK_COLOURS[State.PARTLY])
        assert is_near(colour_at(window, 220, 160 - 3 * px), "#ffffff")
        window.canvas.view.zoom_at(200, 150, 1.3)


@pytest.mark.parametrize("overlay", list(OverlayKind))
def test_a_folded_legend_can_be_unfolded_on_a_canvas_of_640_px(
    window: MainWindow, overlay: OverlayKind
) -> None:
    window.workbench.state(OverlayChoice).choose(overlay)
    window.workbench.settings.set(LEGEND_FOLDED, True)
    legend = legend_of(window)
    window.canvas.resize(640, 480)
    QApplication.processEvents()
    assert legend.isVisible() and legend.fold.isVisible() and legend.switch.isVisible()
    inside = legend.rect()
    for control in (legend.fold, legend.switch):
        assert inside.contains(control.geometry())
    folded = legend.height()
    QTest.mouseClick(legend.fold, Qt.MouseButton.LeftButton)
    assert legend.height() > folded and window.canvas.rect().contains(legend.geometry())


def test_a_cut_changes_the_states(window: MainWindow) -> None:
    window.workbench.state(OverlayChoice).choose(OverlayKind.SYMBOLS)
    window.workbench.state(Inspection).set_cut(ListCut("rank", 0))
    QApplication.processEvents()
    assert legend_of(window).texts() == [
        "recognised · 0 · 0.0 %",
        "partly found · 0 · 0.0 %",
        "missed · 2 · 100.0 %",
        "false spots · 0 · –",
    ]


def symbols(states: list[State], boxes: list[tuple[float, ...]], false: int = 0) -> PageSymbols:
    rings = [[(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in boxes]
    nothing = Outlines.of([])
    return PageSymbols(
        tuple(str(number) for number in range(len(states))),
        Outlines.of(rings[: len(states)]),
        np.array(states, object),
        np.ones(len(states)),
        np.zeros(len(states), np.bool_),
        np.arange(false),
        Outlines.of(rings[len(states) :]) if false else nothing,
        nothing,
    )


SHEET = OverlayRaster((1, 0, 0, 1, 0, 0), 200, 100)


def test_marks_in_one_place_stand_side_by_side_or_have_a_number() -> None:
    same = (80, 30, 120, 50)
    shown = symbols([State.RECOGNISED, State.MISSED], [same, same, same, same, same], false=3)
    marks = symbol_marks.marks(shown, SHEET)

    assert [(mark.state, mark.number) for mark in marks] == [
        (State.RECOGNISED, 1), (State.MISSED, 1), (State.FALSE, 3),
    ]  # fmt: skip
    beside = symbol_marks.BESIDE
    assert [mark.x for mark in marks] == pytest.approx([100, 100 + beside, 100 + 2 * beside])
    assert {mark.y for mark in marks} == {40}


def test_a_mark_stands_inside_its_symbol() -> None:
    hook = [(0, 0), (60, 0), (60, 10), (10, 10), (10, 60), (0, 60)]  # the centroid is outside
    ((x, y),) = symbol_marks.centres(Outlines.of([hook])).tolist()
    assert (0 < x < 60 and 0 < y < 10) or (0 < x < 10 and 0 < y < 60)


def test_marks_and_outlines_differ_by_shape_alone() -> None:
    shapes, lines = [], []
    for state in State:
        image = QImage(20, 20, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        with symbol_marks.QPainter(image) as painter:
            symbol_marks.draw_mark(painter, state, symbol_marks.QRectF(2, 2, 14, 14))
        grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
        shapes.append(np.array(
            [[(image.pixelColor(x, y).alpha() > 99) + (grey.pixelColor(x, y).lightness() > 200)
              for x in range(20)] for y in range(20)]
        ))  # fmt: skip
        lines.append(tuple(symbol_marks._DASHES[state]))
    assert all((a != b).mean() > 0.08 for a in shapes for b in shapes if a is not b)
    assert len(set(lines)) == len(State)


def test_dashes_are_as_long_as_the_pattern_says() -> None:
    ring = [(10, 10), (110, 10), (110, 70), (10, 70)]
    pieces = dash(Outlines.of([ring]), [8, 6], (200, 100))
    assert np.hypot(*(pieces[:, 1] - pieces[:, 0]).T).sum() == pytest.approx(320 * 8 / 14, abs=8)
    far = dash(Outlines.of([[(-1e7, 50), (1e7, 50), (0, 51)]]), [8, 6], (200, 100))
    assert 0 < len(far) < 60  # what is far from the raster is not cut into dashes
    assert not len(dash(Outlines.of([[], [(3, 3), (3, 3)]]), [8, 6], (200, 100)))
