"""Somebody works with Words and Systems on a screen of 1920 × 1080 px at scale 2: 960 × 540."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QLabel,
    QSlider,
    QWidget,
)

from spotlab.gui.kit import theme
from spotlab.gui.kit.panel import PanelArea
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.docking.sides import LEFT, RIGHT
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns.columns import WordColumns
from spotlab.gui.words.state.words import Words
from spotlab.resources import VOTES, sample_collection
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import windows
from tests.gui.words.searching import calm, open_letters

pytestmark = pytest.mark.usefixtures("themed")

SCREEN = (960, 540)
NARROWEST = 60  # px of a slider


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """The sample letters, one word searched, and the sample contest."""
    theme.apply(qapp, "light")
    folder = tmp_path_factory.mktemp("scaled")
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(folder, patch, folder / "cache", SCREEN)
        words = window.workbench.state(Words)
        words.searching.search(WordQuery(text="ordered"))
        calm(words)
        window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
        windows.settle()
        yield window
        windows.close(window)


def is_shown(widget: QWidget) -> bool:
    """Whether it is whole within whatever it is scrolled in, at least from side to side."""
    around = widget.parentWidget()
    while around is not None and not widget.visibleRegion().isEmpty():
        if isinstance(around.parentWidget(), QAbstractScrollArea):
            place = QRect(widget.mapTo(around, QPoint(0, 0)), widget.size())
            if place.left() < 0 or place.right() > around.width():
                return False
        around = around.parentWidget()
    return True


def cut_numbers(window: MainWindow) -> list[str]:
    """The visible numbers that have too little room."""
    cut = []
    for label in window.findChildren(QLabel):
        if not label.isVisible() or not any(map(str.isdigit, label.text())):
            continue
        text = QTextDocumentFragment.fromHtml(label.text()).toPlainText()
        wide = label.fontMetrics().horizontalAdvance(text)
        if (not label.wordWrap() and label.width() < wide) or "…" in text or not is_shown(label):
            cut.append(label.text())
    for field in window.findChildren(QAbstractSpinBox):
        if field.isVisible():
            room = field.lineEdit().width()
            if field.fontMetrics().horizontalAdvance(field.text()) > room or not is_shown(field):
                cut.append(field.text())
    return cut


def narrow_sliders(window: MainWindow) -> list[int]:
    sliders = [slider for slider in window.findChildren(QSlider) if slider.isVisible()]
    return [s.width() for s in sliders if s.width() < NARROWEST or not is_shown(s)]


def wide_panels(window: MainWindow) -> list[str]:
    """Those that have to be scrolled sideways, also where they are scrolled down."""
    areas = [area for area in window.findChildren(PanelArea) if area.isVisible()]
    bars = [area.verticalScrollBar().sizeHint().width() for area in areas]
    return [
        type(area.widget()).__name__
        for area, bar in zip(areas, bars, strict=True)
        if area.widget().minimumSizeHint().width() > area.maximumViewportSize().width() - bar
    ]


def whole_cells(window: MainWindow) -> tuple[int, int]:
    """How many lists, and how many rows of all of them, are seen whole."""
    columns = window.centre._above["words"]
    assert isinstance(columns, WordColumns) and columns.isVisible()
    geometry, seen = columns.cells.geometry, QRectF(columns.viewport().rect())
    lists = [at for at in geometry.columns() if seen.contains(geometry.cell(at, 0))]
    rows = [sum(seen.contains(geometry.cell(at, row)) for row in geometry.rows(at)) for at in lists]
    return len(lists), min(rows)


def open_panel(window: MainWindow, name: str) -> None:
    """Click its name at the edge where it is folded, else ask for it by the menu."""
    tabs = {name: tab for strip in window.docks.strips.values() for name, tab in strip.tabs.items()}
    if name in tabs:
        QTest.mouseClick(tabs[name], Qt.MouseButton.LeftButton)
    else:
        window.docks.bring(name)
    windows.settle()


@pytest.mark.parametrize(
    "panel", ["word_queries", "scores", "word_settings", "word_matrix", "word_means"]
)
def test_words_show_three_lists_of_four_rows_beside_any_panel(
    window: MainWindow, panel: str
) -> None:
    window.enter("words")
    open_panel(window, panel)
    assert window.docks.by_name[panel].isVisible()
    lists, rows = whole_cells(window)
    assert lists >= 3 and rows >= 4
    assert not narrow_sliders(window)
    assert not cut_numbers(window)
    assert not wide_panels(window)
    assert window.width() == SCREEN[0] and window.height() == SCREEN[1]


@pytest.mark.parametrize("panel", ["", "weights", "ranking", "agreement", "partial_truth"])
def test_systems_show_precision_recall_and_f_beside_any_panel(
    window: MainWindow, panel: str
) -> None:
    window.enter("systems")
    windows.settle()
    if panel:
        open_panel(window, panel)
        assert window.docks.by_name[panel].isVisible()
    centre = window.findChild(SystemsCentre)
    table = centre.figures.table
    names = [figure.name for figure in table.model.figures]
    body = table.body
    for name in ("precision", "recall", "f"):
        at = names.index(name)
        left, width = body.columnViewportPosition(at), body.columnWidth(at)
        assert left >= 0 and left + width <= body.viewport().width()
        assert width >= body.sizeHintForColumn(at)
    first, rows = body.rowViewportPosition(0), body.verticalHeader().defaultSectionSize()
    assert first >= 0 and body.viewport().height() >= 3 * rows
    assert not narrow_sliders(window)
    assert not cut_numbers(window)
    assert window.width() == SCREEN[0] and window.height() == SCREEN[1]


def test_opening_one_side_folds_the_other_only_where_there_is_no_room(window: MainWindow) -> None:
    window.enter("words")
    open_panel(window, "scores")
    assert window.docks.strips[LEFT].tabs and not window.docks.strips[RIGHT].tabs
    open_panel(window, "word_queries")
    assert window.docks.strips[RIGHT].tabs and not window.docks.strips[LEFT].tabs
    window.resize(1440, 900)
    windows.settle()
    open_panel(window, "scores")
    open_panel(window, "word_queries")
    assert not window.docks.strips[RIGHT].tabs and not window.docks.strips[LEFT].tabs
    window.resize(*SCREEN)
    windows.settle()
