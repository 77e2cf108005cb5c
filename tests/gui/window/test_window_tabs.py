"""Panels that share a place: their tabs, the crosses on them, and how much room panels have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QToolButton

from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs

pytestmark = pytest.mark.usefixtures("themed")

LEFT = Qt.MouseButton.LeftButton
FIND = Qt.FindChildOption.FindDirectChildrenOnly
SMALL, LARGE = (1022, 675), (1900, 1000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_runs(tmp_path / "runs")
    return write_collection(tmp_path / "pages")


@pytest.fixture
def window(tmp_path: Path, folder: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path, folder, size=SMALL)
    yield window
    windows.close(window)


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def bars(window: MainWindow) -> list[QTabBar]:
    """All bars of tabs that are seen."""
    every = window.findChildren(QTabBar, options=FIND)
    return [bar for bar in every if bar.isVisible() and not bar.visibleRegion().isEmpty()]


def titles(bar: QTabBar) -> list[str]:
    return [bar.tabText(at) for at in range(bar.count())]


def in_front(window: MainWindow) -> set[str]:
    """Titles of the panels that are seen."""
    return {window.docks.by_name[name].windowTitle() for name in seen(window)}


def seen(window: MainWindow) -> list[str]:
    """Names of the panels that are seen: Qt puts those behind a tab outside of the window."""
    docks = window.docks.by_name.items()
    return [
        name
        for name, dock in docks
        if dock.isVisible() and window.rect().intersects(dock.geometry())
    ]


def click_all_tabs(window: MainWindow) -> None:
    """Click each tab, and hold what is seen against it."""
    settle()
    shared = [
        {dock.windowTitle(), *(other.windowTitle() for other in together)}
        for dock in window.docks.by_name.values()
        if dock.isVisible()
        and (together := [o for o in window.tabifiedDockWidgets(dock) if o.isVisible()])
    ]
    said = [frozenset(titles(bar)) for bar in bars(window)]
    assert len(said) == len(set(said)), "a bar is there twice"
    assert set(said) == {frozenset(each) for each in shared}
    places = [QRect(bar.mapTo(window, QPoint(0, 0)), bar.size()) for bar in bars(window)]
    assert not any(one.intersects(two) for one in places for two in places if one is not two)
    for bar in bars(window):
        for at, title in [*enumerate(titles(bar))][::-1]:
            place = bar.tabRect(at)
            assert bar.rect().contains(place), f"{title} is cut off"
            QTest.mouseClick(bar, LEFT, pos=QPoint(place.left() + 8, place.center().y()))
            settle()
            assert title in in_front(window)
            assert not in_front(window) & {*titles(bar)} - {title}


def show_all(window: MainWindow) -> None:
    for name in window.docks.by_name:
        if window.docks.offered(name):
            window.docks.bring(name)
            settle()


@pytest.mark.slow
def test_tabs_switch_panels_in_every_workspace_again_and_again(
    window: MainWindow, tmp_path: Path, folder: Path
) -> None:
    for size in (SMALL, LARGE, SMALL):
        window.resize(*size)
        for name in (*window.workspaces, "annotate", "systems"):
            window.enter(name)
            click_all_tabs(window)
    for name in window.workspaces:
        window.enter(name)
        show_all(window)
        click_all_tabs(window)
    assert bars(window)
    window.close()
    again = windows.open_window(tmp_path, folder, size=SMALL)
    for name in (*again.workspaces, *again.workspaces):
        again.enter(name)
        click_all_tabs(again)
    windows.close(again)


def test_the_tab_in_front_has_a_cross_that_closes_its_panel(window: MainWindow) -> None:
    window.enter("systems")
    settle()
    [bar] = [bar for bar in bars(window) if "Agreement" in titles(bar)]
    at = titles(bar).index("Agreement")
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(at).center())
    settle()
    [cross] = [each for each in bar.findChildren(QToolButton) if each.isVisible()]
    assert bar.tabRect(at).contains(cross.geometry())
    assert window.docks.by_name["agreement"].titleBarWidget().height() == 0
    QTest.mouseClick(cross, LEFT)
    settle()
    assert not window.docks.is_shown("agreement")
    click_all_tabs(window)
    [bar] = [bar for bar in bars(window) if "Side by Side" in titles(bar)]
    assert "Agreement" not in titles(bar)


def test_the_menu_raises_a_panel_that_is_behind_others(window: MainWindow) -> None:
    window.enter("systems")
    settle()
    assert "Partial Truth" not in in_front(window) and window.docks.is_shown("partial_truth")
    assert window.actions_by_id.trigger("view.partial_truth")
    settle()
    assert "Partial Truth" in in_front(window) and window.docks.is_shown("partial_truth")
    assert window.actions_by_id.trigger("view.partial_truth")
    settle()
    assert not window.docks.is_shown("partial_truth")


def geometries(window: MainWindow) -> dict[str, dict[str, QRect]]:
    """Where the panels are that are seen, by workspace."""
    places = {}
    for name in window.workspaces:
        window.enter(name)
        settle()
        places[name] = {each: window.docks.by_name[each].geometry() for each in seen(window)}
    return places


@pytest.mark.parametrize(
    "size",
    [
        (958, 515),
        *(pytest.param(size, marks=pytest.mark.slow) for size in (SMALL, (1440, 870), LARGE)),
    ],
)
def test_panels_have_the_same_places_on_the_first_visit_and_later(
    tmp_path: Path, folder: Path, qapp: QApplication, size: tuple[int, int]
) -> None:
    window = windows.open_window(tmp_path, folder, size=size)
    first = geometries(window)
    assert geometries(window) == first
    window.enter("annotate")
    windows.close(window)
    again = windows.open_window(tmp_path, folder, size=size)
    assert geometries(again) == first
    assert geometries(again) == first
    windows.close(again)


def widths(window: MainWindow, *names: str) -> list[int]:
    return [window.docks.by_name[name].width() for name in names]


def test_panels_get_their_room_back_in_a_window_that_is_made_wide_again(
    window: MainWindow,
) -> None:
    window.resize(*LARGE)
    for name, sides in {"inspect": ("pages", "curves"), "systems": ("weights", "ranking")}.items():
        window.enter(name)
        window.docks.bring(sides[0])
        settle()
        before = widths(window, *sides)
        for width in (1500, 1200, 1022):
            window.resize(width, 675)
            settle()
        if name == "inspect":  # weights are not shown at first in a narrow window
            assert widths(window, *sides) != before
        window.enter("annotate")
        settle()
        window.enter(name)
        settle()
        window.resize(*LARGE)
        settle()
        assert widths(window, *sides) == before


def test_a_width_that_the_user_drags_a_panel_to_comes_back(window: MainWindow) -> None:
    window.resize(*LARGE)
    window.enter("inspect")
    settle()
    before = window.docks.by_name["curves"].geometry()
    handle, middle = window.windowHandle(), before.center().y()
    line = QPoint(before.left() - 1, middle)
    QTest.mousePress(handle, LEFT, pos=line)
    for step in range(10, 130, 10):
        QTest.mouseMove(handle, line - QPoint(step, 0))
        settle()
    QTest.mouseRelease(handle, LEFT, pos=line - QPoint(120, 0))
    settle()
    [dragged] = widths(window, "curves")
    assert dragged > before.width() + 60
    window.resize(1022, 675)
    settle()
    assert widths(window, "curves") != [dragged]
    window.resize(*LARGE)
    settle()
    assert widths(window, "curves") == [dragged]
