"""What is in sight at once in Inspect, on screens of several sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QTableView, QWidget

from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import theme
from spotlab.gui.kit.settings import PANELS
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page, Region, Truth
from tests.gui import windows
from tests.gui.inspect.inspecting import Box, calm, corners, line, write_run

pytestmark = pytest.mark.usefixtures("themed")

QUERIES = ("armchair", "bed", "bidet", "chair", "desk", "fridge", "lamp", "sofa")
LAPTOP, FRAMED, SMALL, TINY, LARGE = (
    (1440, 900), (1438, 875), (1024, 700), (960, 540), (1920, 1080),
)  # fmt: skip
TABS = (("pages", "runs"), ("figures", "errors"))


def place(number: int) -> Box:
    left = 10 + 38 * number
    return left, 40, left + 30, 80


def write_plans(folder: Path) -> Path:
    """Two pages with a region of each label."""
    windows.write_pages(folder, 2)
    regions = tuple(Region(corners(place(at)), query, f"r{at}") for at, query in enumerate(QUERIES))
    for name in ("page_1", "page_2"):
        truth = Truth(Page(folder / f"{name}.png", 320, 240), regions)
        page_xml.write(truth, folder / f"{name}.xml")
    return folder


def write_runs(folder: Path, numbers: range) -> list[Path]:
    """Runs with errors of their own."""
    folder.mkdir(exist_ok=True)
    paths = []
    for run in numbers:
        lines = []
        for at, query in enumerate(QUERIES):
            left, top, right, bottom = place(at)
            off = 3 * ((at + run) % 7)
            box = (left, top + off, right, bottom + off)
            lines.append(line(query, "page_1", 1, 0.9 - off / 100, box))
            lines.append(line(query, "page_2", 2, 0.5 - run / 100, (left, 120, right, 140)))
        paths.append(write_run(folder / f"system_{run + 1:02}.csv", *lines))
    return paths


def inspect(folder: Path, size: tuple[int, int]) -> MainWindow:
    """Six runs in the window."""
    plans = folder / "plans"
    if not plans.exists():
        write_runs(write_plans(plans) / "runs", range(6))
    window = windows.open_window(folder, plans, size=size)
    window.enter("inspect")
    settle()
    assert len(window.workbench.state(Inspection).runs) == 6
    return window


def arrange(window: MainWindow, size: tuple[int, int]) -> None:
    """As at the first start on a screen of this size."""
    window.resize(*size)
    assert window.actions_by_id.trigger("view.reset_panels")
    settle()
    assert (window.width(), window.height()) == size


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()
    calm()  # tables follow after a pause


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    theme.apply(qapp, "light")
    window = inspect(tmp_path_factory.mktemp("layout"), LAPTOP)
    yield window
    windows.close(window)


def seen(widget: QWidget) -> bool:
    """Whether all of a widget is in sight."""
    place, parent = widget.geometry(), widget.parentWidget()
    while parent is not None:
        if not parent.rect().contains(place):
            return False
        if parent.isWindow():
            return widget.isVisible()
        place, parent = place.translated(parent.pos()), parent.parentWidget()
    return False


def rows_in_sight(view: QAbstractItemView) -> int:
    """Rows that nothing is cut off of."""
    room = view.viewport().visibleRegion().boundingRect()
    column = view.columnAt(0) if isinstance(view, QTableView) else 0
    places = (
        view.visualRect(view.model().index(row, column)) for row in range(view.model().rowCount())
    )
    return sum(place.top() >= room.top() and place.bottom() <= room.bottom() for place in places)


def in_front(window: MainWindow, name: str) -> bool:
    dock = window.docks.by_name[name]
    return dock.isVisible() and window.rect().contains(dock.geometry())


@pytest.mark.parametrize("size", [LAPTOP, FRAMED])
def test_a_laptop_shows_runs_queries_table_curve_and_page_at_once(
    opened: MainWindow, size: tuple[int, int]
) -> None:
    arrange(opened, size)
    runs, curves = opened.panel(RunsPanel), opened.panel(CurvesPanel)
    assert rows_in_sight(runs.list) >= 6
    assert rows_in_sight(runs.queries.list) >= 1 + len(QUERIES)
    assert curves.board.large is curves.plots[0] and seen(curves.plots[0])
    assert curves.plots[0].height() >= 240
    assert seen(opened.canvas)
    page, whole = opened.canvas.size(), opened.size()
    assert page.width() * page.height() >= 0.5 * whole.width() * whole.height()
    opened.docks.bring("figures")
    settle()
    assert rows_in_sight(opened.panel(FiguresPanel).shown.body) >= 6
    parts = [runs, curves, opened.canvas, opened.panel(FiguresPanel)]
    places = [QRect(part.mapTo(opened, QPoint(0, 0)), part.size()) for part in parts]
    assert not any(one.intersects(two) for one in places for two in places if one is not two)
    opened.docks.bring("errors")
    settle()
    assert rows_in_sight(opened.panel(ErrorsPanel).table) >= 6


def test_a_laptop_keeps_its_places_with_many_runs_and_with_one(
    opened: MainWindow, tmp_path: Path
) -> None:
    arrange(opened, LAPTOP)
    runs = opened.workbench.state(Inspection).runs
    before = geometries(opened)
    runs.open(write_runs(tmp_path, range(6, 12)))
    settle()
    assert len(runs) == 12
    curves, panel = opened.panel(CurvesPanel), opened.panel(RunsPanel)
    assert rows_in_sight(panel.list) >= 6
    while len(runs) > 1:
        assert curves.plots[0].height() >= 240
        assert rows_in_sight(panel.list) >= min(len(runs), 6)
        assert rows_in_sight(panel.queries.list) >= 1 + len(QUERIES)
        assert geometries(opened) == before
        runs.close(len(runs) - 1)
        settle()
    runs.open(sorted((opened.workbench.collection.folder / "runs").glob("*.csv"))[1:])
    settle()


@pytest.mark.parametrize("size", [SMALL, TINY])
def test_a_small_screen_reaches_everything_by_tabs(
    opened: MainWindow, size: tuple[int, int]
) -> None:
    arrange(opened, size)
    for names in TABS:
        for name in reversed(names):
            opened.docks.bring(name)
            settle()
            assert in_front(opened, name)
            assert not any(in_front(opened, other) for other in names if other != name)
    for name in ("spot", "curves"):
        opened.docks.bring(name)
        settle()
        assert in_front(opened, name)
    curves = opened.panel(CurvesPanel)
    for chip, plot in reversed(list(zip(curves.head.large.buttons(), curves.plots, strict=True))):
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        settle()
        assert seen(plot) and plot.height() >= 150
        assert not any(other.isVisible() for other in curves.plots if other is not plot)


def test_a_large_screen_shows_three_plots_and_more_of_the_table(opened: MainWindow) -> None:
    arrange(opened, LARGE)
    curves = opened.panel(CurvesPanel)
    assert all(seen(plot) for plot in curves.plots)
    assert curves.plots[0].height() >= 240 and curves.width() >= 400
    assert opened.canvas.width() >= 960 and opened.canvas.height() >= 640
    body = opened.panel(FiguresPanel).shown.body
    ends = [
        body.columnViewportPosition(at) + body.columnWidth(at)
        for at in range(body.model().columnCount())
    ]
    assert sum(end <= body.viewport().width() for end in ends) >= 6


def test_a_side_grows_with_the_window_until_it_is_dragged(opened: MainWindow) -> None:
    arrange(opened, LAPTOP)
    curves = opened.docks.by_name["curves"]
    assert curves.width() == 312
    opened.resize(*LARGE)
    settle()
    assert curves.width() == int(0.215 * LARGE[0])
    drag(opened, curves, -100)
    dragged = curves.width()
    assert dragged > int(0.215 * LARGE[0]) + 50
    opened.resize(1900, 1080)
    settle()
    assert curves.width() == dragged


def test_panels_go_back_to_their_first_places(opened: MainWindow) -> None:
    arrange(opened, LAPTOP)
    first = geometries(opened)
    assert set(first) == {"runs", "curves", "spot"}
    drag(opened, opened.docks.by_name["curves"], -80)
    opened.docks.toggle("spot")
    opened.docks.bring("pages")
    settle()
    assert geometries(opened) != first
    assert opened.actions_by_id.trigger("view.reset_panels")
    settle()
    assert geometries(opened) == first


def drag(window: MainWindow, dock: QDockWidget, by: int) -> None:
    """Move the left edge of a dock."""
    handle, before = window.windowHandle(), dock.geometry()
    edge = QPoint(before.left() - 1, before.center().y())
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=edge)
    for step in range(0, by, 10 if by > 0 else -10):
        QTest.mouseMove(handle, edge + QPoint(step, 0))
        settle()
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=edge + QPoint(by, 0))
    settle()


def geometries(window: MainWindow) -> dict[str, QRect]:
    docks = window.docks.by_name.items()
    return {name: dock.geometry() for name, dock in docks if in_front(window, name)}


@pytest.mark.slow
def test_what_the_user_chose_comes_back_and_an_older_arrangement_does_not(
    tmp_path: Path, qapp: QApplication
) -> None:
    window = inspect(tmp_path, LAPTOP)
    first = geometries(window)
    window.docks.toggle("spot")
    window.docks.bring("errors")
    curves = window.panel(CurvesPanel)
    QTest.mouseClick(curves.head.large.buttons()[2], Qt.MouseButton.LeftButton)
    settle()
    chosen = geometries(window)
    older = window.saveState(0).toBase64().toStdString()
    windows.close(window)
    again = inspect(tmp_path, LAPTOP)
    assert geometries(again) == chosen != first
    curves = again.panel(CurvesPanel)
    assert curves.board.large is curves.plots[2] and seen(curves.plots[2])
    again.enter("annotate")  # or the state is remembered when the window closes
    again.workbench.settings.set(PANELS.of("inspect"), older)
    again.enter("inspect")
    settle()
    assert geometries(again) == first
    windows.close(again)
