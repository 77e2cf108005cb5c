"""The window fits small screens in every workspace, and never grows by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QHeaderView,
    QScrollBar,
    QTabBar,
    QToolButton,
    QWidget,
)

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background, theme
from spotlab.gui.kit.panel import OnScreen, fitted
from spotlab.gui.kit.plots.readout import Readout
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, sample_collection
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs

pytestmark = pytest.mark.usefixtures("themed")

FRAME = QSize(2, 25)  # px that the desktop puts around a window
SIZES = [(1024, 700), (960, 540)]
LONG = "a name of a folder that is far longer than any screen is wide " * 4


def client(size: tuple[int, int]) -> QSize:
    """What a screen leaves to the window, inside of its frame."""
    return QSize(*size) - FRAME


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """A window with pages, runs and votes."""
    theme.apply(qapp, "light")
    folder = tmp_path_factory.mktemp("screen")
    window = windows.open_window(folder, write_collection(folder / "pages"))
    window.workbench.state(Inspection).runs.open(write_runs(folder / "runs"))
    window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
    windows.settle()
    yield window
    windows.close(window)


@pytest.fixture
def empty(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path)
    yield window
    windows.close(window)


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def in_front(widget: QWidget) -> bool:
    """Whether it is shown at all: not behind a tab, not scrolled away."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def scrolled(widget: QWidget) -> bool:
    """Whether it is inside of something that scrolls."""
    parent = widget.parentWidget()
    while parent is not None and not parent.isWindow():
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False


def clipped(window: QWidget) -> list[str]:
    """What is cut off by the window or by what it is in, and what is smaller than it can be."""
    wrong = []
    for widget in window.findChildren(QWidget):
        kinds = (QScrollBar, QHeaderView, Readout)
        if widget.isWindow() or not in_front(widget) or isinstance(widget, kinds):
            continue
        own = widget.objectName() == "qt_qmainwindow_extended_splitter"
        if own or isinstance(widget.parentWidget(), QTabBar | QAbstractSpinBox | QComboBox):
            continue  # Qt's own parts; the handles between docks reach over the edge by themselves
        place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        if not scrolled(widget):
            if not window.rect().contains(place):
                wrong.append(f"{widget} lies outside: {place.getRect()}")
            around = widget.parentWidget()
            if around is not None and not around.rect().contains(widget.geometry()):
                wrong.append(f"{widget} is cut off by {around}")
        needed = widget.minimumSizeHint().expandedTo(widget.minimumSize())
        if isinstance(widget, QAbstractScrollArea) and widget.minimumHeight():
            needed.setHeight(widget.minimumHeight())  # as high as its few rows, else it scrolls
        inside = isinstance(widget.parentWidget(), QAbstractScrollArea) or scrolled(widget)
        if not inside and widget.size().expandedTo(needed) != widget.size():
            wrong.append(f"{widget} has {widget.size()}, needs {needed}")
    return wrong


def walk(window: MainWindow, size: QSize) -> None:
    """Enter each workspace, show all its panels, and each of them in front of the others."""
    window.resize(size)
    for name in window.workspaces:
        window.enter(name)
        settle()
        for dock in [None, *(name for name in window.docks.by_name if window.docks.offered(name))]:
            if dock is not None and not window.docks.is_shown(dock):
                window.docks.toggle(dock)
            elif dock is not None:
                window.docks.bring(dock)
            settle()
            told = f"{name}, {dock}, {size}"
            assert window.size() == size, told
            least = window.minimumSizeHint()
            assert least.width() <= size.width() and least.height() <= size.height(), told
            fits = background.wait_until(lambda: not clipped(window), 5)
            assert fits, (told, clipped(window))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_every_workspace_fits_with_all_its_panels(
    opened: MainWindow, size: tuple[int, int]
) -> None:
    walk(opened, client(size))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_every_workspace_fits_with_nothing_open(empty: MainWindow, size: tuple[int, int]) -> None:
    empty.welcome.show_recent([Path("/", LONG, LONG)])
    walk(empty, client(size))


def test_no_text_makes_the_window_larger(opened: MainWindow) -> None:
    opened.resize(client(SIZES[1]))
    opened.enter("annotate")
    opened.banner.show_error(LONG, "details")
    opened.status.pointer.setText(LONG)
    opened.workbench.progressed.emit(1, 10, LONG)
    opened.status.say(LONG, serious=True)
    settle()
    opened.status.bar.show()
    opened.status.doing.show()
    settle()
    assert opened.size() == client(SIZES[1])
    assert opened.minimumSizeHint().width() <= opened.width()
    opened.banner.dismiss()
    opened.workbench.finished.emit()


def test_panels_share_a_place_where_it_is_low(opened: MainWindow) -> None:
    opened.resize(1024, 900)
    opened.enter("inspect")
    settle()
    together = {dock.objectName() for dock in shared(opened, "curves")}
    assert "dock.spot" not in together
    opened.resize(1024, 500)
    settle()
    together = {dock.objectName() for dock in shared(opened, "curves")}
    assert "dock.spot" in together
    opened.docks.bring("spot")
    settle()
    assert in_front(opened.panels["spot"])
    assert not in_front(opened.panels["curves"])
    opened.resize(1024, 900)
    settle()
    assert in_front(opened.panels["spot"]) and in_front(opened.panels["curves"])


def shared(window: MainWindow, name: str) -> list[QDockWidget]:
    return window.tabifiedDockWidgets(window.docks.by_name[name])


def test_tools_that_do_not_fit_are_in_a_menu(opened: MainWindow) -> None:
    opened.enter("annotate")
    column = opened.rail.column
    opened.resize(1024, 1000)
    settle()
    assert not column.more.isVisible()
    every = shown_tools(opened)
    opened.resize(1024, 380)
    settle()
    assert column.more.isVisible() and in_front(column.more)
    others = [action.text() for action in column.menu.actions()]
    assert others and shown_tools(opened) + others == every
    before = opened.workbench.tool
    column.menu.actions()[-1].trigger()
    assert opened.workbench.tool != before
    opened.workbench.set_tool(before)


def shown_tools(window: MainWindow) -> list[str]:
    buttons = window.rail.column.findChildren(QToolButton)
    tools = {window.actions_by_id[id] for id in window.actions_by_id.by_id if "tool." in id}
    return [
        button.defaultAction().text()
        for button in buttons
        if button.isVisible() and button.defaultAction() in tools
    ]


@pytest.mark.parametrize(
    ("wanted", "room"),
    [
        (QRect(0, 0, 1440, 900), QRect(0, 0, 1440, 900)),
        (QRect(2000, 1500, 1440, 900), QRect(0, 27, 1024, 673)),  # of a screen that is gone
        (QRect(-50, -50, 500, 400), QRect(0, 0, 1024, 700)),
        (QRect(100, 100, 500, 400), QRect(-1920, 0, 1920, 1080)),
    ],
)
def test_a_window_is_put_on_the_screen(wanted: QRect, room: QRect) -> None:
    place = fitted(wanted, room)
    assert room.contains(place)
    assert place.size() == wanted.size().boundedTo(room.size())


def test_the_window_and_its_frame_lie_on_the_screen(tmp_path: Path, qapp: QApplication) -> None:
    first = windows.open_window(tmp_path, size=None)
    room = first.screen().availableGeometry()
    assert room.contains(first.frameGeometry())
    first.setGeometry(5000, 4000, 2400, 1800)  # another screen's
    windows.close(first)
    again = windows.open_window(tmp_path, size=None)
    try:
        assert room.contains(again.frameGeometry())
    finally:
        windows.close(again)


def test_a_dialog_lies_on_the_screen(qapp: QApplication) -> None:
    dialog = QDialog()
    OnScreen(dialog)
    dialog.resize(3000, 2000)
    dialog.show()
    settle()
    frame = dialog.windowHandle().frameMargins()
    assert dialog.screen().availableGeometry().contains(dialog.geometry().marginsAdded(frame))
    dialog.close()


def test_the_zoom_is_that_of_a_page_in_sight(opened: MainWindow) -> None:
    zoom = opened.status.zoom
    for name, shown in (("systems", False), ("annotate", True), ("inspect", True)):
        assert opened.actions_by_id.trigger(f"workspace.{name}")
        settle()
        assert zoom.text().endswith("%") is shown and bool(zoom.text()) is shown
